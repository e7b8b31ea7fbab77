"""Boards at the desk: the boards of a stage, both rooms of a match, adjusted scores, and the public page."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from referee.desk.views.boards import typed_mark
from tests.tournaments.factories import signed_in
from tests.tournaments.playing import Event, event
from tests.tournaments.test_boards import pairs
from tournaments.models import Board, BoardResult, Round
from tournaments.rounds import closing
from tournaments.rounds.acts import create_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Event:
    return event(4, stage={"format": "dup_teams", "rounds_planned": 2, "minutes": None, "tie_rule": "draw",
                           "chain": ["points", "board_points", "lots"], "plan": {"boards": 2}})  # fmt: skip


@pytest.fixture
def desk(made: Event) -> Client:
    return signed_in(made.actor)


def plays(made: Event, round_: Round, *totals: int) -> None:
    """Two boards in the open, two in the closed room of the first match."""
    rooms = list(round_.sittings.filter(match__number=1).order_by("-room"))
    for index, total in enumerate(totals):
        made.hand(rooms[index // 2], total)


def over(made: Event, round_: Round) -> None:
    """The second match plays both boards alike, and the round is closed, so that everybody may see them."""
    for room in round_.sittings.filter(match__number=2):
        for _ in room.boards:
            made.hand(room, 60)
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())


def text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def at(made: Event, table: int = 1) -> str:
    return f"/desk/{made.tournament.slug}/rounds/1/tables/{table}/"


@pytest.mark.long
def test_the_tile_of_pairs_has_only_the_compared_score() -> None:
    """The sum of the own hands stands there while they play, and makes way for what the boards come to."""
    made = pairs(4)
    desk, board = signed_in(made.actor), f"/desk/{made.tournament.slug}/live/"
    tables = made.running((1, 2), (3, 4)).sittings.order_by("table__number")

    def tiles() -> str:
        page = desk.get(board).content.decode()
        return page[page.index('class="tiles"') : page.index("Just recorded")]

    assert tiles().count('class="level') == 4
    for sitting, total in zip(tables, (35, 85), strict=True):
        made.hand(sitting, total)
    assert 'class="level' not in tiles()
    assert [f"{one}\xa0:\xa0{other}" in tiles() for one, other in (("50", "−50"), ("−50", "50"))] == [True, True]


MARKS = [
    ("85", {"attackers_total": 85}),
    ("\u22125", {"attackers_total": -5}),
    ("60 %", {"artificial": "60"}),
    ("62.5%", {"artificial": "62.5"}),
    (
        "75 % 35 + 25 % 85",
        {"weighted": [{"attackers_total": 35, "weight": "75"}, {"attackers_total": 85, "weight": "25"}]},
    ),
    ("much", {}),
    ("", {}),
    ("60 % +", {}),
]


@pytest.mark.parametrize(("typed", "mark"), MARKS)
def test_marks_as_they_are_typed(typed, mark) -> None:
    assert typed_mark(typed) == mark


@pytest.mark.long
def test_the_boards_of_a_stage_are_made_and_set(made: Event, desk: Client) -> None:
    address = f"/desk/{made.tournament.slug}/stages/1/boards/"
    assert "No board is made yet." in desk.get(address).content.decode()
    desk.post(f"{address}set/", {"act": "make"})
    assert list(Board.objects.values_list("number", "dealer", "level", "trump")) == [
        (1, "N", "2", ""),
        (2, "W", "3", ""),
        (3, "S", "4", ""),
        (4, "E", "5", ""),
    ]
    form = {f"{name}-{number}": value for number in (1, 2) for name, value in
            (("dealer", "E"), ("level", "9"), ("trump", "S" if number == 2 else ""))}  # fmt: skip
    assert "The boards are set." in desk.post(f"{address}set/", form, follow=True).content.decode()
    assert list(Board.objects.filter(number__lte=2).values_list("dealer", "level", "trump")) == [
        ("E", "9", ""),
        ("E", "9", "S"),
    ]
    plays(made, made.running((1, 2), (3, 4)), 60)
    assert 'name="dealer-1"' not in desk.get(address).content.decode()
    refused = desk.post(f"{address}set/", form | {"dealer-1": "N"}, follow=True).content.decode()
    assert "Board 1 is being played already." in refused
    assert Board.objects.get(number=1).dealer == "E"


@pytest.mark.long
def test_both_rooms_stand_side_by_side(made: Event, desk: Client) -> None:
    plays(made, made.running((1, 2), (3, 4)), 35, 60, 60)
    page = text(desk.get(f"{at(made)}boards/").content.decode())
    assert "open room table 1" in page
    assert "closed room table 2" in page
    # board 1: only the open room; the closed one has played 2 and plays 1 now
    assert re.search(r"1 North · 2 35: N–S \+2 playing", page)
    assert re.search(r"2 West · 3 60: E–W \+1 60: E–W \+1 \+0", page)
    assert "The match is over when both rooms have every board." in page
    assert "Board by board" in desk.get(at(made)).content.decode()


def test_names_stand_where_they_sit(made: Event, desk: Client) -> None:
    made.running((1, 2), (3, 4))
    opened, closed = (text(desk.get(at(made, table)).content.decode()) for table in (1, 2))
    assert opened.index("Pair 1") < opened.index("Pair 2")
    assert closed.index("Pair 2") < closed.index("Pair 1")
    opened, closed = (text(desk.get(f"{at(made, table)}enter/").content.decode()) for table in (1, 2))
    assert opened.index("Pair 1") < opened.index("Pair 2")
    assert closed.index("Pair 2") < closed.index("Pair 1")


@pytest.mark.long
def test_a_board_is_adjusted_and_taken_back(made: Event, desk: Client) -> None:
    round_ = made.running((1, 2), (3, 4))
    plays(made, round_, 35, 60, 60, 60)
    sitting = round_.sittings.get(table__number=1)
    act = f"{at(made)}boards/1/adjust/"

    def adjust(**form: str) -> str:
        sitting.refresh_from_db()
        known = {"revision": str(sitting.revision), "reason": "soiled", "clause": "penalty.misboard.board", **form}
        return text(desk.post(act, known, follow=True).content.decode())

    page = adjust(how="ns_plus")
    assert "The adjusted score stands." in page
    assert "N–S 60 % · E–W 40 %" in page
    assert BoardResult.objects.get(sitting=sitting, board__number=1).ns_mark == {"artificial": "average_plus"}
    assert "75 % 35 + 25 % 85" in adjust(how="own", ns="75 % 35 + 25 % 85")
    assert "Give one of" in adjust(how="own", ns="much")
    assert "An adjusted score must cite a clause." in adjust(how="average", clause="")
    assert "The result as played counts again." in adjust(how="played")
    sitting.match.refresh_from_db()
    assert sitting.match.net == 1


def test_a_table_without_boards_has_no_such_page(desk: Client) -> None:
    plain = event(2)
    plain.running((1, 2))
    assert signed_in(plain.actor).get(f"/desk/{plain.tournament.slug}/rounds/1/tables/1/boards/").status_code == 303


@pytest.mark.long
def test_the_public_page_compares_the_rooms(made: Event) -> None:
    round_ = made.running((1, 2), (3, 4))
    plays(made, round_, 35, 60, 60, 60)
    over(made, round_)
    page = text(Client().get(f"/en/e/{made.tournament.slug}/rounds/1/tables/1/").content.decode())
    assert "Board by board" in page
    assert re.search(r"Sum, in hand points \+1", page)
    table = text(Client().get(f"/en/e/{made.tournament.slug}/rounds/1/").content.decode())
    assert "+1 : −1" in table


@pytest.mark.long
def test_at_the_desk_no_level_is_told_of_fixed_hands(made: Event, desk: Client) -> None:
    plays(made, made.running((1, 2), (3, 4)), 35, 85)
    board = desk.get(f"/desk/{made.tournament.slug}/").content.decode()
    recorded = board[board.index('data-key="recorded"') :]
    assert "Where everybody stands" in recorded
    assert "Hand 1 of 2: N–S +2" in recorded
    assert 'class="level' not in recorded
    assert "on stage" not in desk.get(at(made)).content.decode()


def public(made: Event, path: str) -> str:
    return text(Client().get(f"/en/e/{made.tournament.slug}/{path}").content.decode())


@pytest.mark.long
def test_in_public_a_match_on_boards_is_told_in_net_points_and_both_tables(made: Event) -> None:
    round_ = made.running((1, 2), (3, 4))
    plays(made, round_, 35, 60)
    # the open room is done, the match is not
    shown = public(made, "rounds/1/")
    assert "0 of 2 results" in shown
    assert "Net points" in shown
    assert "Levels" not in shown
    assert re.search(r"Table 1 · Table 2 Pair 1 ", shown)
    closed = round_.sittings.get(match__number=1, room="closed")
    for total in (60, 60):
        made.hand(closed, total)
    assert "1 of 2 results" in public(made, "rounds/1/")
    over(made, round_)
    # beside the names of either room stands the match, and no hand of that room is said to decide it
    for table, sides in ((1, r"\+1 .* −1"), (2, r"−1 .* \+1")):
        page = public(made, f"rounds/1/tables/{table}/")
        result = page[: page.index("Board by board")]
        assert re.search(sides, result), result
        assert "Attackers 60" not in result
    for number in (1, 2):
        entrant = public(made, f"entrants/{number}/")
        assert "Levels over the hands" not in entrant
        assert "level" not in entrant.split("Matches")[1].split("Table 1")[0].lower()


@pytest.mark.parametrize(("form", "asked"), [("dup_teams", False), ("rr", True)])
def test_the_first_dealer_is_asked_where_no_board_says_who_deals(form: str, asked: bool) -> None:
    stage = {"format": form, "rounds_planned": 3, "tie_rule": "draw", "chain": ["points", "lots"], "minutes": None}
    made = event(4, stage={**stage, "plan": {} if asked else {"boards": 2}})
    create_round(tournament_id=made.tournament.pk, actor=made.actor, at=made.tick())
    page = signed_in(made.actor).get(f"/desk/{made.tournament.slug}/rounds/1/pair/").content.decode()
    assert "Scored by" in page
    assert ("First deal" in page, "first deal" in page, "North deals" in page) == (asked,) * 3


@pytest.mark.long
def test_pairs_see_their_per_cent_and_the_balance_of_the_movement() -> None:
    made = event(6, stage={"format": "dup_pairs", "rounds_planned": 3, "minutes": None, "match_score": "hand_points",
                           "tie_rule": "draw", "chain": ["points", "board_points", "lots"],
                           "plan": {"boards": 2, "movement": "mitchell"}})  # fmt: skip
    round_ = made.running((1, 2), (3, 4), (5, 6))
    for sitting, totals in zip(round_.sittings.order_by("table__number"), ((35, 60), (60, 60), (85, 60)), strict=True):
        for total in totals:
            made.hand(sitting, total)
    client = signed_in(made.actor)
    page = text(client.get(f"{at(made)}boards/").content.decode())
    assert re.search(r"1 North · 2 35: N–S \+2 100 0 2 West · 3 60: E–W \+1 50 50", page)
    assert "Average, in per cent of the matchpoints 75 25" in page
    stage = text(client.get(f"/desk/{made.tournament.slug}/stages/1/boards/").content.decode())
    # three tables, three rounds: every N–S pair meets every E–W pair once, and nobody on its own side
    assert "Meetings of two pairs, fewest and most 0 – 1" in stage

"""The phone where hands are fixed: the board large, hand k of n, points instead of levels, both rooms' ends."""

from __future__ import annotations

import pytest

from tests.referee.table.places import post, read
from tests.tournaments.factories import device
from tests.tournaments.playing import Event, event
from tournaments.acts.admission import Actor
from tournaments.models import Board, Round, Sitting

pytestmark = pytest.mark.django_db

FORM = {"captured_in_tricks": "85", "last_trick_winner": "dealer", "trump": "H", "hand_no": "1", "key": "k1"}


def duplicate(**more: object) -> tuple[Event, Round]:
    made = event(2, **more, stage={"format": "dup_teams", "rounds_planned": 3, "chain": ["points", "board_points"],
                           "minutes": None, "plan": {"boards": 2}})  # fmt: skip
    return made, made.running((1, 2))


def side(sitting: Sitting, name: str) -> Actor:
    return Actor(device=device(sitting, name))


def rooms(round_: Round) -> tuple[Sitting, Sitting]:
    return round_.sittings.get(room="open"), round_.sittings.get(room="closed")


def test_the_board_its_dealer_and_level_stand_large_on_the_phone() -> None:
    _made, round_ = duplicate()
    opened, closed = rooms(round_)
    page = read(side(opened, "NS"))
    assert '<b class="board-no"><small>Board</small>1</b>' in page
    assert "North deals, playing 2" in page
    assert "Board 1 of 2 in this room" in page
    assert "open room" in page
    assert '<b class="board-no"><small>Board</small>2</b>' in read(side(closed, "EW"))


def test_home_sits_east_west_in_the_closed_room() -> None:
    _made, round_ = duplicate()
    for sitting, ns, ew in zip(rooms(round_), ("Pair 1", "Pair 2"), ("Pair 2", "Pair 1"), strict=True):
        page = read(side(sitting, "NS"))
        mine, other = page.index(f"<small>{ns}</small>"), page.index(f"<small>{ew}</small>")
        assert mine < other


def test_a_trump_that_the_board_sets_is_chosen_already() -> None:
    _made, round_ = duplicate()
    Board.objects.filter(number=1).update(trump="S")
    page = read(side(rooms(round_)[0], "NS"))
    assert 'name="trump" value="S" required checked' in page


def test_the_phone_says_who_declares_in_which_order_where_all_do_so_in_turn() -> None:
    in_turn = {"base": "cn-national-2d", "set": {"declare_order": "partner_first"}}
    _made, round_ = duplicate(profile=in_turn)
    opened, _closed = rooms(round_)
    said = "South declares or passes first, then East, North and West in turn."
    north = side(opened, "NS")
    assert said in read(north)
    Board.objects.filter(number=1).update(trump="S")
    assert said not in read(north), "where the board sets the suit nobody declares"


@pytest.mark.long
def test_both_rooms_say_how_it_ended() -> None:
    made, round_ = duplicate()
    opened, closed = rooms(round_)
    ns, ew = side(opened, "NS"), side(opened, "EW")
    entry = post(ns, "enter", FORM)
    assert entry.status_code == 303
    page = read(ew)
    assert "attackers E–W +1" in page
    assert "Confirm 85: E–W +1" in page
    waiting = opened.entries.get()
    post(ew, "confirm", {"entry": waiting.pk, "version": waiting.version, "key": "c1"})
    made.hand(opened, 60)
    assert "This room is done. The match is over when the other room is." in read(ns)
    for total in (60, 60):
        made.hand(closed, total)
    # 1 gave the deal away on board 1: −1 less the other room's +1
    assert "The match is over: 0\u00a0:\u00a02 points for your team." in read(ns)
    assert "The match is over: 0\u00a0:\u00a02 points for your team." in read(side(closed, "EW"))
    assert "The match is over: 2\u00a0:\u00a00 points for your team." in read(side(closed, "NS"))


@pytest.mark.long
@pytest.mark.parametrize("planned", [1, 2])
def test_what_pairs_have_may_change_while_others_play_the_boards(planned: int) -> None:
    made = event(4, stage={"format": "dup_pairs", "match_score": "hand_points", "rounds_planned": planned,
                           "minutes": None, "tie_rule": "draw", "chain": ["points", "board_points", "lots"],
                           "plan": {"boards": 1, "movement": "mitchell"}})  # fmt: skip
    round_ = made.running((1, 2), (3, 4))
    first, second = round_.sittings.order_by("table__number")
    place = side(first, "NS")
    assert "Board 1 of 1 at this table" in read(place)
    may_change = "points for your pair, which may still change while other tables play these boards."
    made.hand(first, 35)
    assert may_change in read(place)
    made.hand(second, 60)
    page = read(place)
    assert ("The match is over: " in page, may_change in page) == (planned == 1, planned == 2)


@pytest.mark.long
def test_hand_k_of_n_of_a_round_at_fixed_levels() -> None:
    made = event(2, stage={"match_score": "hand_points", "hands": 2, "chain": ["points", "opponents"],
                           "plan": {"fixed": [{"level": "5", "dealer": "W"}, {"level": "6"}]}})  # fmt: skip
    (sitting,) = made.running((1, 2)).sittings.all()
    ns = side(sitting, "NS")
    page = read(ns)
    assert '<b class="board-no"><small>Hand</small>1</b>' in page
    assert "Hand 1 of 2" in page
    assert "West deals" in page
    made.hand(sitting, 85)
    page = read(ns)
    assert "Hand 2 of 2" in page
    assert "South deals" in page
    assert '<b class="num points">+1</b>' in page
    made.hand(sitting, 0)
    assert "N–S win by 4 hand points." in read(ns)


COUNTED = [
    ("points", "en", "attackers E–W +35", "Confirm 35: E–W +35", "−35", "N–S win by 85 points."),
    ("wins", "en", "dealer side N–S +1", "Confirm 35: N–S +1", "+1", "N–S win by 2 hands."),
    ("points", "zh-hans", "闲家东西方 +35", "确认 35：东西方 +35", "−35", "南北方净胜 85 分。"),
    ("wins", "zh-hans", "庄家方胜，南北方 +1", "确认 35：南北方 +1", "+1", "南北方净胜 2 副。"),
]


@pytest.mark.long
@pytest.mark.parametrize(("scoring", "language", "gain", "confirm", "stands", "over"), COUNTED)
def test_what_counts_of_fixed_trump_is_told_at_the_table(
    scoring: str, language: str, gain: str, confirm: str, stands: str, over: str
) -> None:
    made = event(2, stage={"match_score": "hand_points", "hands": 2, "chain": ["points", "opponents"],
                           "plan": {"fixed": [{"level": "2", "dealer": "N", "trump": "S"},
                                              {"level": "2", "trump": "S"}], "scoring": scoring}})  # fmt: skip
    (sitting,) = made.running((1, 2)).sittings.all()
    ns, ew = side(sitting, "NS"), side(sitting, "EW")
    assert 'name="trump" value="S" required checked' in read(ns, language=language)
    entry = post(ns, "enter", FORM | {"captured_in_tricks": "35", "trump": "S"})
    assert entry.status_code == 303
    page = read(ew, language=language)
    assert gain in page
    assert confirm in page
    assert ('class="ruler"' in page) == (scoring != "points")  # which keeps and takes no deal
    waiting = sitting.entries.get()
    post(ew, "confirm", {"entry": waiting.pk, "version": waiting.version, "key": "c1"})
    assert f'<b class="num points">{stands}</b>' in read(ns, language=language)
    made.hand(sitting, 120, trump="S")
    assert over in read(ns, language=language)

"""One board at all tables: when everybody may see it, what stands on it, and the ways to it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.playing import Event, event
from tournaments.ledger.officials_entries import forfeit
from tournaments.models import Round, Tournament
from tournaments.rounds import closing
from tournaments.rulings import adjusted_boards
from tournaments.standings.runs import publish

pytestmark = pytest.mark.django_db

COMMON = {"minutes": None, "tie_rule": "draw", "chain": ["points", "board_points", "lots"]}


def teams() -> Event:
    return event(4, stage={"format": "dup_teams", "rounds_planned": 2, **COMMON, "plan": {"boards": 1}})


def pairs(planned: int = 1, **plan: Any) -> Event:
    stage = {"format": "dup_pairs", "match_score": "hand_points", "rounds_planned": planned, **COMMON}
    return event(6, stage={**stage, "plan": {"boards": 1, **plan}})


def play(made: Event, round_: Round, *totals: int) -> None:
    for sitting, total in zip(round_.sittings.order_by("table__number"), totals, strict=True):
        made.hand(sitting, total)


def close(made: Event, round_: Round) -> None:
    closing.close_round(round_id=round_.pk, actor=made.actor, at=made.tick())


def sheet(made: Event, number: int = 1, language: str = "en") -> str:
    return f"/{language}/e/{made.tournament.slug}/stages/1/boards/{number}/"


def text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).strip()


def rows(client: Client, made: Event, **known: Any) -> list[str]:
    """The lines of a board's sheet as they are read."""
    page = client.get(sheet(made, **known)).content.decode()
    body = re.search(r"board-sheet.*?<tbody>(.*?)</tbody>", page, re.DOTALL)
    assert body is not None
    return [text(row) for row in re.findall(r"<tr.*?</tr>", body[1], re.DOTALL)]


@pytest.mark.long
def test_a_board_of_teams_shows_once_its_round_is_closed(client: Client) -> None:
    made = teams()
    round_ = made.running((1, 2), (3, 4))
    play(made, round_, 35, 85, 60, 60)
    assert client.get(sheet(made)).status_code == 404
    close(made, round_)
    assert rows(client, made) == [
        "1 Pair 1 Pair 2 open room · table 1 35: N–S +2 closed room · table 2 85: E–W +1 +3 \u22123",
        "1 Pair 3 Pair 4 open room · table 3 60: N–S +1 closed room · table 4 60: N–S +1 +0 +0",
    ]
    assert client.get(sheet(made, 2)).status_code == 404
    assert "第 1 号牌各桌成绩" in client.get(sheet(made, language="zh")).content.decode()


@pytest.mark.long
@pytest.mark.parametrize(
    ("plan", "scores", "datum"),
    [
        ({}, ["100 0", "50 50", "0 100"], "+0.67"),
        (
            {"board_scale": "cross_imp", "measure": "attackers_points"},
            ["+1.5 \u22121.5", "+0 +0", "\u22121.5 +1.5"],
            "\u221260",
        ),
    ],
)
def test_a_board_of_pairs_stands_in_the_order_of_north_south(
    client: Client, plan: Any, scores: list[str], datum: str
) -> None:
    made = pairs(**plan)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    play(made, round_, 85, 35, 60)
    close(made, round_)
    shown = rows(client, made)
    assert [row[2:15] for row in shown] == ["Pair 3 Pair 4", "Pair 5 Pair 6", "Pair 1 Pair 2"]
    assert [row.endswith(score) for row, score in zip(shown, scores, strict=True)] == [True] * 3
    page = client.get(sheet(made)).content.decode()
    assert f"<b>{datum}</b>" in page


@pytest.mark.long
def test_pairs_see_no_board_while_somebody_may_have_to_play_it(client: Client) -> None:
    made = pairs(planned=2)
    for number in (1, 2):
        round_ = made.running((1, 2), (3, 4), (5, 6))
        play(made, round_, 85, 35, 60)
        close(made, round_)
        assert client.get(sheet(made)).status_code == (404 if number == 1 else 200)


@pytest.mark.long
def test_what_the_event_does_not_show_live_shows_when_it_is_published(client: Client) -> None:
    made = pairs()
    Tournament.objects.update(live_public=False)
    round_ = made.running((1, 2), (3, 4), (5, 6))
    play(made, round_, 85, 35, 60)
    close(made, round_)
    assert client.get(sheet(made)).status_code == 404
    publish(stage_id=round_.stage_id, round_id=round_.pk, actor=made.actor, at=made.tick())
    assert client.get(sheet(made)).status_code == 200
    published = client.get(f"/en/e/{made.tournament.slug}/standings/1/").content.decode()
    assert f'href="{sheet(made)}"' in published


@pytest.mark.long
def test_adjusted_scores_and_forfeits_say_why(client: Client) -> None:
    made = pairs()
    round_ = made.running((1, 2), (3, 4), (5, 6))
    first, second, third = round_.sittings.order_by("table__number")
    made.hand(first, 85)
    made.hand(second, 35)
    second.refresh_from_db()
    adjusted_boards.adjust_board(
        sitting_id=second.pk, number=1, actor=made.actor, at=made.tick(), expected_revision=second.revision,
        ns={"artificial": "60"}, ew={"artificial": "40"}, reason="a card was seen", clause="penalty.misboard.board",
    )  # fmt: skip
    forfeit(match_id=third.match_id, actor=made.actor, at=made.tick(), outcome="away_forfeit", reason="nobody came")
    close(made, round_)
    shown = rows(client, made)
    at = next(at for at, row in enumerate(shown) if "Pair 3" in row)
    assert "N–S 60 % · E–W 40 % 35: N–S +2 60 40" in shown[at]
    assert shown[at + 1].startswith("a card was seen cards returned to the wrong pockets Cards were returned")
    assert shown[-1].endswith("– –")
    assert "Pair 5 Pair 6" in shown[-1]
    assert "forfeit" in shown[-1].lower()


@pytest.mark.long
def test_the_api_has_a_board_exactly_and_hides_it_like_the_page(client: Client) -> None:
    made = pairs(board_scale="cross_imp", measure="attackers_points")
    round_ = made.running((1, 2), (3, 4), (5, 6))
    play(made, round_, 85, 35, 60)
    address = f"/api/v1/events/{made.tournament.slug}/stages/1/boards/1/"
    assert client.get(address).status_code == 404
    close(made, round_)
    found = client.get(address).json()
    assert (found["board_scale"], found["measure"], found["dealer"]) == ("cross_imp", "attackers_points", "N")
    assert [(one["home"], one["away"]) for one in found["scores"]] == [("-1.5", "1.5"), ("1.5", "-1.5"), ("0", "0")]
    assert [one["attackers_points"] for one in found["results"]] == [85, 35, 60]
    assert found["results"][0]["north_south"]["number"] == 1
    assert found["datum"] == "-60"


@pytest.mark.long
def test_the_ways_to_a_board(client: Client) -> None:
    made = pairs()
    round_ = made.running((1, 2), (3, 4), (5, 6))
    play(made, round_, 85, 35, 60)
    pages = [f"/en/e/{made.tournament.slug}/{part}" for part in ("standings/", "entrants/1/", "rounds/1/tables/1/")]
    assert [f'href="{sheet(made)}"' in client.get(page).content.decode() for page in pages] == [False] * 3
    close(made, round_)
    assert [f'href="{sheet(made)}"' in client.get(page).content.decode() for page in pages] == [True] * 3
    # one table is a match here: nothing read out speaks of two rooms
    assert "Both rooms" not in client.get(pages[2]).content.decode()


@pytest.mark.long
def test_the_desk_sees_every_board_at_once(client: Client) -> None:
    made = teams()
    play(made, made.running((1, 2), (3, 4)), 35, 85, 60, 60)
    assert made.actor.user is not None
    client.force_login(made.actor.user)
    desk = f"/desk/{made.tournament.slug}/stages/1/boards/"
    page = client.get(f"{desk}1/").content.decode()
    assert "35: N–S +2" in page
    assert "Only officials see this page" in text(page)
    assert f'href="/desk/{made.tournament.slug}/rounds/1/tables/2/boards/"' in page
    assert f'href="{desk}1/"' in client.get(desk).content.decode()
    assert client.get(f"{desk}9/").status_code == 404

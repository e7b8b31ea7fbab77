"""Whole events through a client that a generator made from the schema: nothing is read but its typed answers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from knox.models import AuthToken

from tests.tournaments.factories import sheet, user
from tests.tournaments.individual import alone
from tournaments.models import Tournament
from tournaments.standings.runs import recalculate

from .generated import PACKAGE, Caller, generate, model

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    generate(folder)
    return folder / PACKAGE


def organiser() -> Caller:
    return Caller(f"Bearer {AuthToken.objects.create(user=user('organiser'))[1]}")


def phones(desk: Caller, event: str, table: int) -> list[Caller]:
    """A phone for every side or place of a table, in their order."""
    found = []
    for code in desk("events.events_codes_create", event).results:
        if code.table == table:
            claimed = Caller()("devices.devices_create", body=model("ClaimForm", code=code.code, take_over=True))
            found.append(Caller(f"Device {claimed.device}:{claimed.token}"))
    return found


def began(desk: Caller, event: str, number: int) -> Any:
    """The next round, drawn, published and running."""
    assert desk("events.events_rounds_create", event, body=model("RoundForm")).number == number
    assert desk("events.events_rounds_pair_create", event, number, body=model("PairingForm")).matches
    published = desk(
        "events.events_rounds_publish_create", event, number, body=model("PairingPublishForm", accept=True)
    )
    assert published.pairing == 1
    return desk("events.events_rounds_start_create", event, number)


def play(at: list[Caller], sitting: int, hands: list[dict[str, Any]]) -> None:
    """Every hand entered by one phone and confirmed by the next."""
    for number, facts in enumerate(hands, start=1):
        enters, confirms = at[0], at[1]
        sent = enters("sittings.sittings_hands_create", sitting, body=model("HandForm", facts=facts, hand_no=number))
        assert (sent.answer, sent.status.value) == ("waiting", "waiting")
        done = confirms("sittings.sittings_entries_confirm_create", sitting, sent.entry, body=model("ConfirmForm"))
        assert done.answer == "confirmed"


@pytest.mark.long
def test_a_swiss_event_through_a_generated_client(package: Path) -> None:
    desk = organiser()
    fields = {"name": "City Open", "slug": "open", "preset": "F1", "single_official": True}
    event = desk("events.events_create", body=model("EventForm", **fields, stage={"rounds_planned": 2})).slug
    for number in range(1, 5):
        players = [{"name": f"选手{number}甲"}, {"name": f"选手{number}乙"}]
        body = model("EntrantForm", name=f"第{number}队", number=number, players=players)
        assert desk("events.events_entrants_create", event, body=body).players[1].name == f"选手{number}乙"
    for number in (1, 2):
        for match in began(desk, event, number).matches:
            (sitting,) = match.sittings
            play(phones(desk, event, sitting.table), sitting.id, [sheet(35, dealer="S")])
            seen = Caller().whole("sittings.sittings_retrieve", sitting.id)
            assert seen.parsed.hands[0].result.levels_won == 2
            end = model("EndForm", reason="time")
            ended = desk("sittings.sittings_end_create", sitting.id, body=end, if_match=seen.headers["etag"])
            assert ended.outcome.value == "played"
        closed = desk("events.events_rounds_close_create", event, number)
        assert {match.home_score for match in closed.matches} <= {"0", "1", "2"}
    recalculate(tournament_id=Tournament.objects.get().pk, at=timezone.now())
    live = Caller()("events.events_standings_retrieve", event)
    assert live.rows[0].rank == 1
    own = Caller()("events.matches_list", event, entrant=3).results
    assert [match.round_ for match in own] == [1, 2]
    assert all(3 in (match.home.number, match.away.number) for match in own)
    published = desk("events.events_publications_create", event, body=model("PublishForm", round=2))
    table = Caller()("events.events_publications_retrieve", event, published.number)
    assert {row.entrant.number for row in table.rows} == {1, 2, 3, 4}


@pytest.mark.long
def test_an_evening_of_single_players_through_a_generated_client(package: Path) -> None:
    desk = organiser()
    fields = {"name": "晚间赛", "slug": "evening", "preset": "I1", "single_official": True}
    stage = {"hands": 1, "rounds_planned": 1}
    event = desk("events.events_create", body=model("EventForm", **fields, stage=stage)).slug
    for number in range(1, 5):
        desk("events.events_entrants_create", event, body=model("EntrantForm", name=f"选手{number}", number=number))
    (match,) = began(desk, event, 1).matches
    (sitting,) = match.sittings
    play(phones(desk, event, sitting.table), sitting.id, [alone("1", 95, 95)])
    (closed,) = desk("events.events_rounds_close_create", event, 1).matches
    assert {place.place: place.score for place in closed.places} == {"1": "-3", "2": "1", "3": "1", "4": "1"}


@pytest.mark.long
def test_an_event_of_duplicate_teams_through_a_generated_client(package: Path) -> None:
    desk = organiser()
    fields = {"name": "队式赛", "slug": "teams", "preset": "F7", "single_official": True}
    event = desk("events.events_create", body=model("EventForm", **fields)).slug
    for number in range(1, 5):
        players = [{"name": f"选手{number}{one}"} for one in "甲乙丙丁"]
        body = model("EntrantForm", name=f"第{number}队", number=number, players=players)
        assert len(desk("events.events_entrants_create", event, body=body).players) == 4
    board = {"kind": "hand", "trump": "H", "last_trick_winner": "dealer"}
    for number in (1, 2, 3):
        for match in began(desk, event, number).matches:
            for sitting, totals in zip(match.sittings, ((35, 90), (80, 90)), strict=True):
                hands = [board | {"captured_in_tricks": total} for total in totals]
                play(phones(desk, event, sitting.table), sitting.id, hands)
        for match in desk("events.events_rounds_close_create", event, number).matches:
            assert (match.home_score, match.away_score) in (("2", "0"), ("0", "2"))
            assert match.net == f"{-int(match.away_net)}"
    assert [one.number for one in desk("events.boards_list", event, 1).results] == [1, 2, 3, 4, 5, 6]
    played = desk("events.events_stages_boards_retrieve", event, 1, 1)
    assert {one.table for one in played.results} == {1, 2, 3, 4}
    recalculate(tournament_id=Tournament.objects.get().pk, at=timezone.now())
    published = desk("events.events_publications_create", event, body=model("PublishForm", round=3))
    table = Caller()("events.events_publications_retrieve", event, published.number)
    assert sum(int(row.values["points"]) for row in table.rows) == 12


@pytest.mark.long
def test_the_generated_client_has_no_answer_without_a_type(package: Path) -> None:
    bare = {
        path.stem
        for path in (package / "api").rglob("*_*.py")
        if re.search(r"-> Response\[(?:[^\]]*\| )?Any\b", path.read_text("utf-8"))
    }
    # nothing is answered (204), or a file
    assert {name for name in bare if not name.endswith("_destroy") and "_retrieve" not in name} <= {
        "invitations_decline_create"
    }

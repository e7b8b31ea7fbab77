"""How often the database is asked does not grow with entrants, tables, rounds, hands or publications."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.api.client import Api
from tests.api.hall import desk, phone
from tests.referee.public.events import played
from tests.tournaments import factories, playing
from tests.tournaments.factories import sheet
from tests.tournaments.playing import Event
from tournaments.acts.admission import Actor
from tournaments.ledger import calls, corrections, devices
from tournaments.models import Device, LedgerEntry

pytestmark = pytest.mark.django_db


def world(size: int) -> Event:
    """`size` closed and published rounds with a correction each, then a running one with `size` hands at each of
    2 x `size` tables, of which one more hand waits and one side calls."""
    event = played(size)
    tournament = event.tournament
    devices.issue_codes(tournament_id=tournament.pk, actor=event.actor, at=event.tick())
    for entry in LedgerEntry.objects.filter(tournament=tournament, kind="hand", status="effective", hand_no=1)[:size]:
        corrections.correct(
            entry_id=entry.pk,
            actor=event.actor,
            at=event.tick(),
            expected_revision=entry.sitting.revision,
            facts={**entry.facts, "captured_in_tricks": 45},
            reason="misread",
            treatment="recompute",
        )
    for sitting in playing.sittings_of(tournament.rounds.order_by("number").last()):
        # codes that the builders made up were replaced just now, and their phones signed out
        factories.device(sitting, "NS")
        east = Actor(device=factories.device(sitting, "EW"))
        calls.call_referee(sitting_id=sitting.pk, actor=east, at=event.tick())
    return event


READS = (
    "events/",
    "events/{slug}/",
    "events/{slug}/officials/",
    "events/{slug}/entrants/",
    "events/{slug}/entrants/1/",
    "events/{slug}/tables/",
    "events/{slug}/codes/",
    "events/{slug}/rounds/",
    "events/{slug}/rounds/{round}/",
    "events/{slug}/rounds/{round}/check/",
    "events/{slug}/standings/",
    "events/{slug}/standings.csv",
    "events/{slug}/standings.xlsx",
    "events/{slug}/publications/",
    "events/{slug}/publications/{round_before}/",
    "events/{slug}/publications/{round_before}.csv",
    "events/{slug}/publications/{round_before}.pdf",
    "events/{slug}/standings.pdf",
    "events/{slug}/rounds/{round}/pairing.pdf",
    "events/{slug}/rounds/{round}/sheets.pdf",
    "events/{slug}/corrections/",
    "events/{slug}/board/",
    "events/{slug}/history/",
    "events/{slug}/export/",
    "events/{slug}/entrants.csv",
    "sittings/{sitting}/",
    "sittings/{sitting}/entries/",
    "sittings/{sitting}/calls/",
)
DESK = (
    "",
    "{slug}/",
    "{slug}/live/",
    "{slug}/entrants/",
    "{slug}/rounds/",
    "{slug}/rounds/{round}/",
    "{slug}/rounds/{round}/pairing.pdf",
    "{slug}/rounds/{round}/sheets.pdf",
    "{slug}/rounds/{round}/tables/1/",
    "{slug}/corrections/",
    "{slug}/standings/",
    "{slug}/standings/publish/",
    "{slug}/publications/",
    "{slug}/publications/{round_before}/",
    "{slug}/history/",
    "{slug}/officials/",
)
PUBLIC = (
    "zh/",
    "zh/e/{slug}/",
    "zh/e/{slug}/rounds/",
    "zh/e/{slug}/rounds/{round}/",
    "zh/e/{slug}/rounds/{round}/tables/1/",
    "zh/e/{slug}/standings/",
    "zh/e/{slug}/standings/{round_before}/",
    "zh/e/{slug}/entrants/",
    "zh/e/{slug}/entrants/1/",
    "zh/e/{slug}/screen/",
    "zh/e/{slug}/check/",
)
#: Reads that ask more than others: an export reads every kind of row of the event, each once, and then works its tables
#: out from them, for those kept may be older than the rest of the file; how much they cover is a sum over counters.
MOST = {"api events/{slug}/export/": 54}
AT_TABLE = ("", "now/", "record/")


def places(event: Event) -> Mapping[str, Any]:
    running = event.tournament.rounds.order_by("number").last()
    first = playing.sittings_of(running)[0]
    return {
        "slug": event.tournament.slug,
        "round": running.number,
        "round_before": running.number - 1,
        "sitting": first.pk,
    }


def costs(event: Event) -> dict[str, int]:
    """Questions to the database of every read, by address; a first visit fills what is kept between requests."""
    known = places(event)
    official = factories.signed_in(event.actor)
    api = desk(event.actor)
    side = Device.objects.get(sitting=known["sitting"], side="NS", released_at=None)
    table = Client()
    table.cookies[f"place_{side.public_id}"] = "token" + side.public_id.removeprefix("d")
    nobody = Client()

    def page(client: Client, address: str) -> Callable[[], int]:
        return lambda: client.get(address).status_code

    reads: dict[str, Callable[[], int]] = {}
    for path in READS:
        reads[f"api {path}"] = lambda path=path: api.get(path.format(**known)).status  # type: ignore[misc]
    reads |= {f"desk {path}": page(official, f"/desk/{path.format(**known)}") for path in DESK}
    reads |= {f"public {path}": page(nobody, f"/{path.format(**known)}") for path in PUBLIC}
    reads |= {f"table {path}": page(table, f"/table/{side.public_id}/{path}") for path in AT_TABLE}
    found = {}
    for name, read in reads.items():
        assert read() == 200, name
        with CaptureQueriesContext(connection) as asked:
            read()
        found[name] = len(asked)
    return found


@pytest.mark.long
def test_reads_ask_as_often_for_much_as_for_little() -> None:
    few, many = costs(world(1)), costs(world(3))
    grown = {name: (few[name], many[name]) for name in few if few[name] != many[name]}
    assert not grown
    above = {name: (cost, MOST.get(name, 39)) for name, cost in many.items() if cost > MOST.get(name, 39)}
    assert not above


def entering(pairs: int, hands: int) -> list[tuple[int, int]]:
    """The cost of recording and of confirming each hand, with so many pairs."""
    cache.clear()
    event = playing.event(pairs, stage={"lead_levels": None})
    running = event.running(*((number, number + 1) for number in range(1, pairs, 2)))
    sitting = playing.sittings_of(running)[0]
    ns, ew = (phone(Actor(device=factories.device(sitting, side))) for side in ("NS", "EW"))
    for side in (ns, ew):
        side.ok("GET", f"sittings/{sitting.pk}/")  # that a phone was seen is written once a minute
    cost = []
    for number in range(1, hands + 1):
        body = {"facts": sheet(80, dealer="N") if number == 1 else sheet(80), "hand_no": number}
        with CaptureQueriesContext(connection) as recording:
            entry = ns.keyed(f"sittings/{sitting.pk}/hands/", body)["entry"]
        with CaptureQueriesContext(connection) as confirming:
            ew.keyed(f"sittings/{sitting.pk}/entries/{entry}/confirm/", {})
        cost.append((len(recording), len(confirming)))
    return cost


@pytest.mark.long
def test_a_hand_costs_the_same_at_the_end_of_a_match_and_in_a_full_hall() -> None:
    alone, full = entering(2, 9), entering(16, 9)
    assert len(set(alone + full)) == 1, (alone, full)
    assert max(alone[0]) <= 30


def test_a_page_of_a_hundred_rows_costs_as_much_as_one() -> None:
    event = playing.event(2)
    api = Api()
    with CaptureQueriesContext(connection) as asked:
        assert len(api.ok("GET", f"events/{event.tournament.slug}/entrants/")["results"]) == 2
    small = len(asked)
    for number in range(3, 103):
        factories.entrant(event.tournament, number)
    with CaptureQueriesContext(connection) as asked:
        assert len(api.ok("GET", f"events/{event.tournament.slug}/entrants/?limit=200")["results"]) == 102
    assert len(asked) == small

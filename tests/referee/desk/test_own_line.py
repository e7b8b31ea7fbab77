"""The line that the dealer sets (庄家自定上台分数): asked for where one deck is played."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from scoring.cards.records import write
from scoring.cards.replay import replay
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat
from tests.referee.table.places import post, read
from tests.tournaments.factories import device
from tests.tournaments.playing import event
from tournaments.acts.admission import Actor
from tournaments.ledger.recorded_hands import attach
from tournaments.models import LedgerEntry, Sitting

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.mark.parametrize(("profile", "asks"), [("wiki-one-deck", True), ("cn-national-2d", False)])
def test_a_hand_is_entered_with_its_line(sign_in: Callable[[Actor], Client], profile: str, asks: bool) -> None:
    made: Any = event(2, profile=profile)
    made.running((1, 2))
    table = Sitting.objects.get()
    chief = sign_in(made.actor)
    here = f"/desk/{made.tournament.slug}/rounds/1/tables/1/enter/"
    page = chief.get(here)
    assert page.status_code == 200
    assert ('name="line"' in page.content.decode()) is asks
    if not asks:
        return
    typed = {
        "kind": "hand",
        "revision": str(table.revision),
        "hand_no": "1",
        "dealer": "N",
        "level": str(table.opening["levels"]["NS"]),
        "trump": "H",
        "captured_in_tricks": "35",
        "last_trick_winner": "dealer",
        "line": "35",
        "basis": "signed_sheet",
        "key": "k1",
    }
    done = chief.post(here, typed)
    assert done.status_code == 303, done.content.decode()[-6000:]
    assert LedgerEntry.objects.get(kind="hand").facts["line"] == 35
    seen = chief.get(f"/en/e/{made.tournament.slug}/rounds/1/tables/1/").content.decode()
    assert "Line of the dealer" in seen or "variant.own_line" in seen
    beyond = chief.post(here, typed | {"line": "33", "hand_no": "2", "key": "k2"})
    assert "must lie between 5 and 100" in beyond.content.decode()


@pytest.mark.parametrize(
    ("setting", "asks", "missing"),
    [
        ("must", "Line that the dealer set", True),
        ("may", "Line that the dealer set, or empty", False),
        ("none", None, False),
    ],
)
def test_the_phone_asks_for_the_line_as_the_event_sets_it(setting: str, asks: str | None, missing: bool) -> None:
    made = event(2, profile={"base": "wiki-one-deck", "set": {"own_line": setting}})
    sitting = made.running((1, 2)).sittings.get()
    south = Actor(device=device(sitting, "NS"))
    page = read(south)
    assert ('name="line"' in page) is (asks is not None)
    assert asks is None or f">{asks}<" in page
    typed = {"captured_in_tricks": "35", "last_trick_winner": "dealer", "trump": "H", "dealer": "N"}
    sent = post(south, "enter", typed | {"hand_no": "1", "key": "k1"})
    assert ("the dealer sets them in every hand" in sent.content.decode()) is missing
    assert LedgerEntry.objects.filter(kind="hand").exists() is not missing
    if missing:
        assert post(south, "enter", typed | {"line": "30", "hand_no": "1", "key": "k2"}).status_code == 303
        shown = read(Actor(device=device(sitting, "EW")))
        assert "Line of the dealer" in shown
        assert "35" in shown


def test_a_record_keeps_the_line_and_takes_that_of_the_entry_where_it_has_none() -> None:
    made = event(2, profile={"base": "wiki-one-deck", "set": {"own_line": "must"}})
    sitting = made.running((1, 2)).sittings.get()
    rules = sitting.round.tournament.profile
    record = simulate(rules, Random(3), level=Level("3"), dealer=Seat.N)
    entry = replay(rules, record).sheet.to_json() | {"line": 30}
    made.hand(sitting, 0, **entry)
    for line, differs in ((None, []), ("30", []), ("55", ["line"])):
        tags = {name: value for name, value in record.tags.items() if name != "line"}
        tags |= {} if line is None else {"line": line}
        seen = attach(
            sitting_id=sitting.pk, actor=made.actor, at=made.tick(), hand_no=1, text=write(replace(record, tags=tags))
        )
        assert f'[line "{line or 30}"]' in seen.recorded.text
        assert [one.field for one in seen.disagreements if one.field == "line"] == differs

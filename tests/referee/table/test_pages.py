"""What else the table page shows: calls, a referee who writes, ends, the record."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from tests.referee.table.places import FORM, by_referee, hall, post, read
from tests.tournaments.factories import sheet
from tournaments.ledger import calls
from tournaments.ledger.officials_entries import end_sitting
from tournaments.models import Call, CallKind, Elsewhere, Tournament
from tournaments.rounds import reseating

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.django_db


def test_call_a_referee() -> None:
    place = hall(tables=2)
    assert post(place.ns, "call", {"what": "revoke"}).status_code == 303
    assert Call.objects.get().note == "Revoke or wrong card"
    post(place.ns, "call", {"what": "come"})
    assert Call.objects.count() == 1
    pulse = read(place.ew, "now")
    assert "A referee is called." in pulse
    calls.take_call(call_id=Call.objects.get().pk, actor=place.referee, at=timezone.now())
    assert "referee is on the way." in read(place.ew, "now")


def test_the_queue_is_told() -> None:
    place = hall(tables=2)
    Call.objects.create(
        sitting=place.sittings[1], kind=CallKind.CALL, side="NS", called_at=timezone.now() - timedelta(minutes=3)
    )
    post(place.ns, "call", {"what": "come"})
    assert "One table before you." in read(place.ns, "now")


def test_a_table_scored_by_a_referee_is_read_only_with_an_objection() -> None:
    place = hall()
    place.sitting.scored_by = "referee"
    place.sitting.save()
    assert "No hand yet." in read(place.ns)
    entry = by_referee(place, 1, sheet(35))
    page = read(place.ns)
    assert "Attackers 35" in page
    assert "/enter/" not in page
    refused = post(place.ns, "enter", FORM | {"hand_no": "2"}, script=True)
    assert (refused.status_code, refused.json()["code"]) == (403, "scored_by_referee")
    assert post(place.ns, "object", {"entry": entry.pk, "what": "points"}).status_code == 303
    assert (Call.objects.get().kind, Call.objects.get().note) == (CallKind.OBJECTION, "Points")


def test_a_table_of_an_event_that_goes_on_elsewhere_is_only_read() -> None:
    place = hall()
    by_referee(place, 1, sheet(35))
    Tournament.objects.filter(pk=place.event.pk).update(elsewhere=Elsewhere.OVER, moved_to="https://cup.example.org")
    page = read(place.ns)
    assert 'href="https://cup.example.org"' in page
    assert "Attackers 35" in page
    assert "written down by a referee" not in page
    assert not re.search(r'action="[^"]*/(enter|call|object)/"', page)
    refused = post(place.ns, "enter", FORM | {"hand_no": "2"}, script=True)
    assert (refused.status_code, refused.json()["code"]) == (403, "event_moved")


def test_a_finished_match_says_who_won() -> None:
    place = hall()
    by_referee(place, 1, sheet(35))
    place.sitting.refresh_from_db()
    end_sitting(
        sitting_id=place.sitting.pk,
        actor=place.referee,
        at=timezone.now(),
        expected_revision=place.sitting.revision,
        reason="time",
    )
    assert "4\u00a0:\u00a02: N–S win." in read(place.ns)
    assert "2\u00a0:\u00a04: N–S win." in read(place.ew)
    assert "南北方胜" in read(place.ew, language="zh-TW")
    late = post(place.ns, "enter", FORM | {"hand_no": "2"}, script=True)
    assert (late.status_code, late.json()["code"]) == (409, "match_over")


def test_before_the_round_and_after_it() -> None:
    place = hall(status="published")
    assert "Round 1 has not started yet." in read(place.ns)
    assert post(place.ns, "enter", FORM, script=True).json()["code"] == "round_not_started"
    closed = hall(status="closed")
    assert "Round 1 is closed." in read(closed.ns)
    assert post(closed.ns, "enter", FORM, script=True).json()["code"] == "round_closed"


def test_a_replaced_pairing_sends_to_the_new_table() -> None:
    place = hall()
    place.sitting.active = False
    place.sitting.save()
    assert "The pairing has changed." in read(place.ns)


def test_an_open_page_turns_when_the_two_sides_sat_the_other_way_round() -> None:
    place = hall()
    match = place.sitting.match

    def told() -> tuple[str, str]:
        """What the page asks every few seconds, and the name that its own side then has on it."""
        view = re.search(r'data-view="([^"]+)"', read(place.ns, "now"))
        name = re.search(r'class="mine">.*?<small>([^<]+)</small></span>', read(place.ns), re.DOTALL)
        assert view is not None
        assert name is not None
        return view[1], name[1]

    before = told()
    reseating.reseat_match(
        round_id=place.sitting.round_id,
        actor=place.chief,
        at=timezone.now(),
        entrants=[match.home_id, match.away_id],
        reason="as they sat",
    )
    after = told()
    assert before[1] != after[1]
    assert before[0] != after[0]


def test_the_record_has_every_hand_with_its_reasons() -> None:
    place = hall()
    by_referee(place, 1, sheet(35))
    page = read(place.ns, "record")
    assert "Attackers 35 → dealer side keep the deal, +2 (small win)" in page
    assert 'class="clause"' in page


def test_standings_are_never_shown_at_the_table() -> None:
    place = hall()
    assert "standings" not in read(place.ns).lower()

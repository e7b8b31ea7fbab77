"""A change of rules through the API: what it would change, the proposal, the second step; refusals in the envelope."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.hall import desk
from tests.tournaments import playing
from tests.tournaments.playing import Event
from tournaments.models import Office, Tournament

pytestmark = pytest.mark.django_db

FORTY = {"base": "cn-national-2d", "set": {"threshold": 40, "step": 20}}


def played() -> tuple[Event, str]:
    of = playing.event(4)
    of.play(of.running((1, 2), (3, 4)), [60], [35])
    return of, f"events/{of.tournament.slug}/rule-changes/"


@pytest.mark.long
def test_seen_proposed_and_applied_by_another() -> None:
    of, address = played()
    organiser, chief = (desk(playing.colleague(of, office)) for office in (Office.ORGANISER, Office.CHIEF_REFEREE))
    seen = organiser.post(f"{address}preview/", {"profile": FORTY}).json
    assert (seen["at_once"], seen["needs_second"], seen["profile"]) == (False, True, FORTY)
    assert [row["table"] for row in seen["differences"]["matches"]] == [1, 2]

    answer = organiser.post(address, {"profile": FORTY, "reason": "misprint"}, Idempotency_Key="k")
    assert answer.status == 202
    again = organiser.post(address, {"profile": FORTY, "reason": "misprint"}, Idempotency_Key="k")
    assert (again.status, again.json) == (202, answer.json)
    change = answer.json
    assert (change["status"], change["differences"]) == ("proposed", seen["differences"])
    own = organiser.post(f"rule-changes/{change['id']}/apply/")
    assert (own.status, own.error["code"]) == (403, "second_official_same")
    applied = chief.post(f"rule-changes/{change['id']}/apply/")
    assert (applied.status, applied.json["status"]) == (200, "applied")
    assert Tournament.objects.get(pk=of.tournament.pk).profile_spec == FORTY
    assert [row["status"] for row in chief.get(address).json["results"]] == ["applied"]
    late = chief.post(f"rule-changes/{change['id']}/refuse/", {})
    assert (late.status, late.error["code"]) == (409, "rule_change_decided")


def test_before_the_first_hand_it_is_done_at_once() -> None:
    of = playing.event(2)
    answer = desk(of.actor).post(
        f"events/{of.tournament.slug}/rule-changes/", {"profile": "scn2-2013", "reason": "the wrong preset"}
    )
    assert (answer.status, answer.json["status"]) == (200, "applied")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"profile": "nowhere", "reason": "x"}, 400, "unknown_profile"),
        ({"profile": "cn-national-2d", "reason": "x"}, 400, "nothing_changed"),
        ({"profile": {"base": "cn-national-2d", "set": {"threshold": 33}}, "reason": "x"}, 400, "bad_option"),
        ({"profile": 7, "reason": "x"}, 400, "bad_profile"),
        ({"profile": FORTY, "reason": " "}, 400, "blank"),
    ],
)
def test_what_is_refused(body: dict[str, Any], status: int, code: str) -> None:
    of, address = played()
    answer = desk(of.actor).post(address, body)
    assert (answer.status, answer.error["code"]) == (status, code)
    assert set(answer.error["message"]) == {"en", "zh"}

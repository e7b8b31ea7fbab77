"""The answer to an entry holds a signed promise: its act stands in the log ten seconds later, or the audit says so."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.api.hall import ApiHall, api_hall, desk
from tests.tournaments import playing
from tests.tournaments.factories import sheet
from tournaments.acts.leaves import WITHIN
from tournaments.ledger.codes import pin_text
from tournaments.log import checking, numbering, verify
from tournaments.log.reads import log_document
from tournaments.models import LogLeaf, SavedAnswer, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def _heads_of_this_test(tmp_path: Path, settings: Any) -> None:
    settings.HEADS = tmp_path / "heads"


@pytest.fixture
def here(db: None) -> ApiHall:
    return api_hall()


def log_of(event: Tournament) -> dict[str, Any]:
    """The log as anybody loads it, its acts numbered."""
    numbering.number_all(at=timezone.now())
    return log_document(event)


def leaf(digest: str) -> LogLeaf:
    return LogLeaf.objects.get(digest=digest)


def test_each_act_on_a_hand_is_answered_with_the_promise_of_its_leaf(here: ApiHall) -> None:
    """Entered, sent back, entered, taken back, entered, confirmed: each by its own phone."""
    hands, entered = f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1}

    def at(entry: dict[str, Any], what: str) -> str:
        return f"{here.sitting}/entries/{entry['entry']}/{what}/"

    answers = [here.ns.keyed(hands, entered)]
    answers.append(here.ew.keyed(at(answers[0], "send-back"), {"what": "points"}))
    answers.append(here.ns.keyed(hands, entered))
    answers.append(here.ns.keyed(at(answers[2], "take-back"), {}))
    answers.append(here.ns.keyed(hands, entered))
    answers.append(here.ew.keyed(at(answers[4], "confirm"), {}))
    promises = [one["promise"] for one in answers]
    assert len({one["digest"] for one in promises}) == 6
    assert [(leaf(one["digest"]).number, leaf(one["digest"]).signature) for one in promises] == [
        (None, one["signature"]) for one in promises
    ]
    log = log_of(here.event)
    assert [verify.missing(log, one) for one in promises] == [""] * 6
    # the act is gone, log and all, and whoever kept the answer has the signature of the service for it
    log["leaves"] = [one for one in log["leaves"] if one["digest"] != promises[4]["digest"]]
    assert verify.missing(log, promises[4]) == f"it was promised at {promises[4]['at']} and does not stand in the log"


def test_a_repeat_is_given_the_same_promise(here: ApiHall) -> None:
    body = {"facts": here.first(), "hand_no": 1}
    first, again = (here.ns.post(f"{here.sitting}/hands/", body, Idempotency_Key="one") for _ in range(2))
    assert again.json == first.json | {"replayed": True}
    assert leaf(again.json["promise"]["digest"]).sitting_id == here.hall.sitting.pk


def test_hands_written_together_share_the_promise_of_their_leaf() -> None:
    made = playing.event(2)
    (table,) = playing.sittings_of(made.running((1, 2)))

    def hand(number: int) -> dict[str, Any]:
        facts = sheet(35, dealer="N") if number == 1 else sheet(35)
        return {"key": f"k{number}", "sitting": table.pk, "hand_no": number, "basis": "signed_sheet", "facts": facts}

    api = desk(made.actor)
    first, again = (api.post("hands/", {"hands": [hand(1), hand(2)]}).json["results"] for _ in range(2))
    promises = [one["recorded"]["promise"] for one in first]
    assert promises[0] == promises[1]
    assert [one["recorded"] for one in again] == [one["recorded"] | {"replayed": True} for one in first]
    assert SavedAnswer.objects.filter(answer__contains=promises[0]["signature"]).count() == 2
    assert verify.missing(log_of(made.tournament), promises[0]) == ""


def test_what_is_written_with_the_sitting_locked_is_promised_too(here: ApiHall) -> None:
    """The other side agrees on this phone with its PIN, which is counted: no statement does that at once."""
    entry = here.waits()
    where, pin = f"{here.sitting}/entries/{entry}/confirm/", pin_text(here.hall.ew.device.code)
    wrong = "0000" if pin != "0000" else "1111"
    assert "promise" not in here.ns.post(where, {"pin": wrong}, Idempotency_Key="wrong").json
    answer = here.ns.post(where, {"pin": pin}, Idempotency_Key="right")
    assert answer.status == 200
    assert verify.missing(log_of(here.event), answer.json["promise"]) == ""


def audited(*options: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("audit", *options, stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_a_broken_promise_is_a_finding_of_the_audit() -> None:
    made = playing.event(2)
    (table,) = playing.sittings_of(made.running((1, 2)))
    log_of(made.tournament)
    made.hand(table, 35)
    (waiting,) = LogLeaf.objects.filter(number=None)
    done = datetime.fromisoformat(json.loads(waiting.body)["at"])
    assert checking.check(made.tournament, at=done + WITHIN) == []
    late = checking.check(made.tournament, at=done + WITHIN + timedelta(seconds=1))
    assert [(one.code, one.where) for one in late] == [("promise_broken", f"leaf {waiting.pk}")]
    assert checking.check(made.tournament) == []  # as a copy is checked, whose acts nobody numbers
    numbering.number_all(at=done)
    assert checking.check(made.tournament, at=done + timedelta(hours=1)) == []


def test_the_command_holds_promises_against_the_clock_and_of_a_copy_does_not() -> None:
    made = playing.event(2)  # done in November, and never numbered
    code, said = audited(made.tournament.slug)
    assert (code, "was promised a place in the log" in said) == (1, True)
    assert audited(made.tournament.slug, "--copy")[0] == 0
    numbering.number_all(at=timezone.now())
    assert audited(made.tournament.slug)[0] == 0

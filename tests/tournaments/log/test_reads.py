"""The log as a document, its proofs, and the receipts of a table: what everybody can check holds together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.log.proofs import is_consistent, is_included
from tests.tournaments.playing import Event, event, sittings_of
from tournaments.acts import signing
from tournaments.audit.certificate import Verdict
from tournaments.audit.certificates import work_out
from tournaments.log import numbering, verify
from tournaments.log.reads import head_over, log_document, newest_heads, proofs, receipts_of
from tournaments.models import LogLeaf, Sitting

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _heads_of_this_test(tmp_path: Path, settings: Any):
    settings.HEADS = tmp_path / "heads"


def played() -> tuple[Event, Sitting]:
    made = event(pairs=2)
    (sitting,) = sittings_of(made.running((1, 2)))
    made.hand(sitting, 120)
    made.hand(sitting, 35)
    numbering.number_all(at=AT)
    return made, sitting


def as_received(sitting: Sitting) -> list[dict[str, str]]:
    return [{"body": one.body, "signature": one.signature} for one in receipts_of(sitting.pk)]


@pytest.mark.parametrize("acts", [False, True])
def test_the_program_finds_the_document_sound_and_every_receipt_in_it(acts: bool):
    made, sitting = played()
    log = log_document(made.tournament, acts=acts)
    assert verify.problems(log) == []
    receipts = as_received(sitting)
    assert len(receipts) >= 2
    assert [verify.missing(log, one) for one in receipts] == [""] * len(receipts)
    bent = {**receipts[0], "body": receipts[0]["body"].replace("9", "8", 1)}
    assert verify.missing(log, bent) == "no key of the log signed it"


def test_an_act_that_went_is_missed_by_its_receipt():
    made, sitting = played()
    receipts, log = as_received(sitting), log_document(made.tournament)
    log["leaves"].pop()
    assert "and does not stand in the log" in [verify.missing(log, one) for one in receipts][-1]
    assert verify.problems(log) != []


def test_without_the_acts_the_document_tells_only_how_many_and_when():
    made, _ = played()
    log = log_document(made.tournament)
    assert {name for leaf in log["leaves"] for name in leaf} == {"number", "digest"}


def test_a_proof_leads_from_a_receipt_to_the_newest_head():
    made, sitting = played()
    receipts = receipts_of(sitting.pk)
    found = proofs(made.tournament, [code for one in receipts for code in (one.digest, one.digest[:16])])
    assert found is not None
    assert found.head == newest_heads(made.tournament)[0]
    root, size = bytes.fromhex(found.head.root), found.head.size
    for one, place in zip([receipt for receipt in receipts for _ in (1, 2)], found.places, strict=True):
        assert place is not None
        assert (place.number, place.digest) == (one.number, one.digest)
        assert is_included(bytes.fromhex(one.digest), place.number, size, raw(place.path), root)


def raw(path: Sequence[str]) -> list[bytes]:
    return [bytes.fromhex(step) for step in path]


def test_a_head_is_proved_to_have_grown_out_of_one_that_was_seen(client: Client):
    made, sitting = played()
    seen = newest_heads(made.tournament)[0]
    made.hand(sitting, 80)
    numbering.number_all(at=AT + timedelta(seconds=5))
    address = f"/api/v1/events/{made.tournament.slug}/log/proofs/"
    told = client.get(address, {"earlier": seen.size}).json()
    head = json.loads(told["head"]["text"])
    assert signing.is_signed(told["head"]["text"], told["head"]["signature"], signing.believed())
    roots = bytes.fromhex(seen.root), bytes.fromhex(head["root"])
    assert seen.size < head["size"]
    assert is_consistent(seen.size, roots[0], head["size"], roots[1], raw(told["growth"]))
    assert not is_consistent(seen.size, roots[1], head["size"], roots[1], raw(told["growth"]))


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"receipt": "0" * 15}, "receipt"),
        ({"receipt": "zz" * 8}, "receipt"),
        ({"receipt": ["0" * 16] * 51}, "receipt"),
        ({"earlier": "100000"}, "earlier"),
        ({"earlier": "-1"}, "earlier"),
    ],
)
def test_what_cannot_be_proved_is_refused_with_its_field(client: Client, asked: dict[str, Any], field: str):
    made, _ = played()
    answer = client.get(f"/api/v1/events/{made.tournament.slug}/log/proofs/", asked)
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, field)


@pytest.mark.parametrize("asked", ["", "0" * 15, "0" * 64, "zz" * 8, "%" * 16])
def test_what_is_no_receipt_has_no_proof(asked: str):
    found = proofs(played()[0].tournament, [asked])
    assert found is not None
    assert found.places == [None]


def test_an_event_without_a_head_proves_nothing(client: Client):
    made = event(pairs=2)
    assert proofs(made.tournament, []) is None
    told = client.get(f"/api/v1/events/{made.tournament.slug}/log/proofs/", {"receipt": "0" * 16}).json()
    assert told == {"head": None, "keys": [], "receipts": [None], "growth": [], "terms": []}


def test_an_act_under_no_head_yet_has_no_proof():
    made, sitting = played()
    made.hand(sitting, 80)
    newest = LogLeaf.objects.filter(tournament=made.tournament).order_by("-pk")[0]
    assert newest.number is None
    found = proofs(made.tournament, [newest.digest])
    assert found is not None
    assert found.places == [None]
    assert newest.digest not in {leaf["digest"] for leaf in log_document(made.tournament)["leaves"]}


def test_the_page_says_whether_a_receipt_stands_in_the_log(client: Client):
    made, sitting = played()
    receipt = receipts_of(sitting.pk)[0]
    page = f"/en/e/{made.tournament.slug}/log/"
    assert receipt.number is not None
    found = client.get(page, {"receipt": receipt.digest[:16].upper()}).content.decode()
    assert f"It stands in the log as no. {receipt.number + 1} of" in found
    assert "No line of the log has this code" in client.get(page, {"receipt": "0" * 16}).content.decode()
    assert newest_heads(made.tournament)[0].root in client.get(page).content.decode()


def test_a_table_and_the_certificate_name_the_head_over_them(client: Client):
    made, _ = played()
    assert head_over(made.tournament, AT + timedelta(seconds=1)) is None
    assert head_over(made.tournament, AT) == newest_heads(made.tournament)[0]
    (line,) = [one for one in work_out(made.tournament).lines if one.kind == "log"]
    assert (line.verdict, line.digest) == (Verdict.REPRODUCED, newest_heads(made.tournament)[0].root)


def test_what_was_bent_stands_in_the_certificate():
    made, sitting = played()
    Sitting.objects.filter(pk=sitting.pk).update(extra_minutes=7)
    certificate = work_out(made.tournament)
    told = [str(one) for one in certificate.differences if one.what == "value_changed"]
    assert len(told) == 1
    assert f"sitting {sitting.pk}: extra_minutes is not what the last act put there" in told[0]


def test_acts_are_for_the_organiser_alone(client: Client):
    made, _ = played()
    address = f"/api/v1/events/{made.tournament.slug}/log/"
    assert verify.problems(client.get(address).json()) == []
    assert client.get(address, {"acts": "1"}).status_code in (401, 403)


def test_the_program_on_the_page_is_the_one_that_is_tested(client: Client):
    assert client.get("/verify.py").content.decode() == Path(verify.__file__).read_text("utf-8")

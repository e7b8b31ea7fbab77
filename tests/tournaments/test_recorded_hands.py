"""Records of hands beside the ledger: attached, held against the entry, exported, audited, and never edited."""

from __future__ import annotations

import copy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord, write
from scoring.cards.replay import Replay, replay
from scoring.profiles import load
from scoring.simulation.hand import simulate
from scoring.values import Level, Seat
from tests.tournaments.factories import AT, Hall, hall, sheet
from tests.tournaments.test_corrections import correct, revision
from tests.tournaments.test_scorekeeping import enter, play, refused
from tests.worlds import kept
from tournaments.acts.text import text_digest
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document
from tournaments.demo import rows
from tournaments.ledger.hands_on_record import hands_with_records, record_of, replayed
from tournaments.ledger.recorded_hands import attach
from tournaments.models import HistoryEntry, LedgerEntry, RecordedHand, Tournament

pytestmark = pytest.mark.django_db

PROFILE = load("cn-national-2d")
NAMES = {"south": "Wang Fang", "north": "Li Na", "event": "Spring Cup", "table": "by the window"}


def hand_of(seed: str = "1") -> tuple[HandRecord, Replay]:
    """A hand that South deals at level 2, and what its cards come to."""
    record = simulate(PROFILE, Random(seed), dealer=Seat.S, level=Level("2"))
    return record, replay(PROFILE, record)


RECORD, REPLAY = hand_of()


@kept
def played(**changes: Any) -> Hall:
    """A table whose first hand is RECORD's, with the sheet its cards give unless `changes` say otherwise."""
    here = hall()
    play(here, REPLAY.sheet.to_json() | changes)
    return here


def put(here: Hall, text: str | None = None, **more: Any) -> Any:
    given = {"actor": here.referee, "hand_no": 1, **more}
    return attach(sitting_id=here.sitting.pk, at=AT, text=write(RECORD) if text is None else text, **given)


def tagged(tags: dict[str, str], record: HandRecord = RECORD) -> str:
    return write(replace(record, tags=tags))


def test_a_record_stands_beside_its_entry_and_agrees_with_it() -> None:
    here = played()
    before = revision(here)
    done = put(here)
    assert done.disagreements == ()
    assert done.replay.findings == ()
    assert done.replay.sheet == REPLAY.sheet
    kept = record_of(here.sitting, 1)
    assert kept == done.recorded
    assert (kept.number, kept.hand_no, kept.digest) == (1, 1, text_digest(kept.text))
    assert hands_with_records(here.sitting) == {1}
    assert revision(here) == before, "a record changes nothing that stands"
    row = HistoryEntry.objects.get(act="attach_record")
    assert row.new == {"hand_no": 1, "number": 1, "digest": kept.digest}


def test_a_total_that_the_cards_do_not_give_is_told() -> None:
    wrong = int(REPLAY.sheet.captured_in_tricks) + 5
    here = played(captured_in_tricks=wrong)
    found = put(here).disagreements
    assert [one.field for one in found] == ["captured_in_tricks", "total"]
    assert str(wrong) in found[0].message["zh"]
    correct(here, LedgerEntry.objects.get(sitting=here.sitting), REPLAY.sheet.to_json())
    again = replayed(here.sitting, 1)
    assert again is not None
    assert again.disagreements == (), "it is held against the entry that counts now"


def test_names_and_rules_of_the_text_are_not_kept() -> None:
    here = played()
    text = tagged(
        {**RECORD.tags, **NAMES, "profile": "scn2-2013", "hand": "9", "dealer": "S", "trump": str(REPLAY.trump)}
    )
    text += "{Wang Fang sighs}\n{ruling:slow_play Li Na again}\n"
    kept = put(here, text).recorded.text
    (record,) = parse(kept)
    assert set(record.tags) <= {"level", "dealer", "trump", "ns_level", "ew_level", "first_drawer", "leader"}
    assert [(one.code, one.text) for one in record.comments] == [("slow_play", "")]
    assert not any(word in kept for word in ("Wang", "Li Na", "Spring", "window", "sighs"))


def test_what_the_record_leaves_out_comes_from_the_entry() -> None:
    here = played()
    done = put(here, write(HandRecord(tricks=RECORD.tricks)))
    (record,) = parse(done.recorded.text)
    assert (record.tags["level"], record.tags["dealer"], record.tags["trump"]) == ("2", "S", str(REPLAY.trump))
    assert (record.tags["ns_level"], record.tags["ew_level"]) == ("2", "2")


def test_a_contested_first_deal_is_marked_as_one() -> None:
    here = hall(first_dealer=None)
    play(here, REPLAY.sheet.to_json())
    (record,) = parse(put(here).recorded.text)
    assert record.tags["hand"] == "1"


def test_every_problem_is_told_by_line_and_column_and_nothing_is_kept() -> None:
    here = played()
    caught = refused(put, here, '\n[level "2"]\r\n\r\nplay\r\n1. S:H1 E:Q9\n')
    assert [(one.params["line"], one.params["column"]) for one in caught.findings] == [(5, 6), (5, 11)]
    assert not RecordedHand.objects.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "text_missing"),
        ("   \n", "text_missing"),
        ('[level "2"]\n', "empty_record"),
        (write(RECORD) + "\n" + write(RECORD), "one_hand_only"),
        ('[level "1"]\nplay\n1. S:H3\n', "level_not_here"),
        ('[profile "zhaopengyou"]\nplay\n1. 3:H3\n', "play_unreadable"),
        ("x" * 50_001, "text_too_long"),
        ("play\n1. S:H3\x00", "text_not_allowed"),
    ],
)
def test_what_is_no_record_of_one_hand_is_refused(text: str, code: str) -> None:
    assert refused(put, played(), text).code == code


def test_only_a_hand_that_counts_has_a_record() -> None:
    here = played()
    assert refused(put, here, hand_no=2).code == "no_such_hand"
    enter(here, here.ns, sheet(35), 2)
    assert refused(put, here, hand_no=2).code == "no_such_hand"


def test_an_illegal_play_is_kept_and_told() -> None:
    here = played()
    stolen = write(RECORD).replace("S:", "X:", 1).replace("N:", "S:", 1).replace("X:", "N:", 1)
    done = put(here, stolen)
    assert done.replay.findings
    assert record_of(here.sitting, 1) == done.recorded


def test_a_better_record_takes_the_place_and_the_first_one_stays() -> None:
    here = played()
    first = put(here, write(HandRecord(tricks=RECORD.tricks))).recorded
    second = put(here).recorded
    assert (first.number, second.number) == (1, 2)
    assert record_of(here.sitting, 1) == second
    assert RecordedHand.objects.count() == 2


@pytest.mark.parametrize(
    ("who", "code"), [("referee", None), ("chief", None), ("organiser", None), ("ns", "forbidden")]
)
def test_officials_attach_records(who: str, code: str | None) -> None:
    here = played()
    if code is None:
        assert put(here, actor=getattr(here, who)).recorded.attached_by == getattr(here, who).user
    else:
        assert refused(put, here, actor=getattr(here, who)).code == code
    assert refused(put, here, actor=hall().referee).code == "not_found"


def test_a_record_is_never_edited_nor_moved_to_another_event() -> None:
    here, other = played(), hall()
    kept = put(here).recorded
    with pytest.raises(IntegrityError), transaction.atomic():
        RecordedHand.objects.filter(pk=kept.pk).update(text="nothing")
    with pytest.raises(IntegrityError), transaction.atomic():
        kept.delete()
    facts = {"hand_no": 1, "number": 2, "text": "x", "digest": "0" * 64, "attached_by": here.chief.user}
    for event, hand_no in ((other.event, 1), (here.event, 2)):
        with pytest.raises(IntegrityError), transaction.atomic():
            RecordedHand.objects.create(
                tournament=event, sitting=here.sitting, attached_at=AT, **facts | {"hand_no": hand_no}
            )


@pytest.mark.long
def test_the_export_holds_records_and_the_audit_reads_them_again() -> None:
    here = played()
    kept = put(here).recorded
    for official in (True, False):
        document = event_document(here.event, official=official)
        assert [row["text"] for row in document["recorded_hands"]] == [kept.text]
        assert not [one for one in audit(document) if "record" in one.where]
    document = event_document(here.event, official=True)
    spoilt = {
        "digest": lambda row: row.update(text=row["text"].replace("H", "S", 1)),
        "text": lambda row: row.update(text=row["text"] + "\n", digest=text_digest(row["text"] + "\n")),
        "record": lambda row: row.update(text="play\n1. S:H3\n", digest=text_digest("play\n1. S:H3\n")),
        "entry": lambda row: row.update(hand_no=7),
    }
    for what, spoil in spoilt.items():
        changed = copy.deepcopy(document)
        spoil(changed["recorded_hands"][0])
        assert what in [one.what for one in audit(changed) if one.where.startswith("round 1 table 1 hand")]
    del document["recorded_hands"]
    assert not [one for one in audit(document) if "record" in one.where], "an export from before records"


def test_a_demonstration_goes_with_its_records() -> None:
    here = hall(event={"demo": True})
    play(here, REPLAY.sheet.to_json())
    put(here)
    rows.delete_demo(tournament_id=here.event.pk)
    assert not RecordedHand.objects.exists()
    assert not Tournament.objects.filter(pk=here.event.pk).exists()


def test_reading_a_record_costs_two_queries() -> None:
    here = played()
    put(here)
    here.sitting.round.tournament  # noqa: B018 - known to a page before it asks
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert replayed(here.sitting, 1) is not None
    assert len(seen) == 2

"""The radar of an event: what stands is asked about, where it was seen; put aside with a note, kept, never public."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import AT, hall, sheet
from tests.tournaments.individual import evening
from tests.tournaments.playing import Event, colleague, event, sittings_of
from tournaments.acts.errors import Refusal
from tournaments.audit.audit import audit
from tournaments.audit.record import event_document, event_json
from tournaments.ledger import scorekeeping
from tournaments.models import HistoryEntry, Office, PutAside, Round
from tournaments.radar import reads
from tournaments.radar.acts import put_aside
from tournaments.radar.reads import questions_of
from tournaments.transfer.imports import import_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def by(made: Any) -> dict[str, Any]:
    return {"actor": made.actor, "at": made.tick()}


def put(made: Event, flag: str, **more: Any) -> PutAside:
    return put_aside(tournament_id=made.tournament.pk, **{"flag": flag, "note": "counted again", **by(made)} | more)


def refused(code: str) -> Any:
    return pytest.raises(Refusal, match=code)


def found(made: Any) -> list[tuple[str, int, int | None]]:
    return [(str(one.flag.kind), one.flag.place.table, one.flag.hand) for one in questions_of(made.tournament)]


def odd(pairs: int = 4) -> tuple[Event, Round]:
    """An event in which the first table wrote one sheet down three times."""
    made = event(pairs, profile="scn2-2013")
    round_ = made.running(*((n, n + 1) for n in range(1, pairs + 1, 2)))
    for sitting, hands in zip(sittings_of(round_), [(85, 85, 85), (75, 90, 60)], strict=False):
        for captured in hands:
            made.hand(sitting, captured)
    return made, round_


def test_an_event_without_hands_raises_no_question() -> None:
    assert found(event(4)) == []


def test_a_sheet_written_three_times_is_a_question_at_its_table() -> None:
    made, _ = odd()
    assert found(made) == [("copy", 1, 3)]
    (one,) = questions_of(made.tournament)
    assert one.flag.key == "copy.r1.t1.open.g1.h3.h1.v1-1-1"
    assert "each 85" in one.flag.seen["en"]
    assert (one.last, one.aside) == (None, False)


def test_a_level_that_was_not_due_is_told() -> None:
    made = event(2)
    (sitting,) = sittings_of(made.running((1, 2)))
    made.hand(sitting, 75)
    made.hand(sitting, 75, level="9")
    (one,) = (one for one in questions_of(made.tournament) if one.flag.kind == "due")
    assert (one.flag.hand, one.flag.rate) == (2, None)


def test_it_is_put_aside_with_a_note_and_taken_up_again() -> None:
    made, _ = odd()
    (one,) = questions_of(made.tournament)
    row = put(made, one.flag.key, note="  three hands alike, both sides agree ")
    assert (row.number, row.aside, row.note) == (1, True, "three hands alike, both sides agree")
    (now,) = questions_of(made.tournament)
    assert (now.aside, now.last) == (True, row)
    with refused("flag_is_so"):
        put(made, one.flag.key)
    put(made, one.flag.key, aside=False, note="the other side does not agree")
    (again,) = questions_of(made.tournament)
    assert (again.aside, again.last.number if again.last else 0) == (False, 2)
    told = HistoryEntry.objects.filter(act="put_aside").order_by("pk")
    assert [(line.reason, line.new["aside"]) for line in told] == [
        ("three hands alike, both sides agree", True),
        ("the other side does not agree", False),
    ]
    assert audit(event_document(made.tournament)) == []


def test_another_version_is_another_question() -> None:
    made, round_ = odd()
    (one,) = questions_of(made.tournament)
    put(made, one.flag.key)
    made.hand(sittings_of(round_)[0], 85)
    (now,) = questions_of(made.tournament)
    assert not now.aside
    assert now.flag.hand == 4


@pytest.mark.parametrize(
    ("more", "code"),
    [({"flag": "copy.r9"}, "unknown_flag"), ({"note": " "}, "note_missing"), ({"note": "x" * 301}, "text_too_long")],
)
def test_what_cannot_be_put_aside(more: dict[str, Any], code: str) -> None:
    made, _ = odd()
    (one,) = questions_of(made.tournament)
    with refused(code):
        put(made, **{"flag": one.flag.key, **more})
    assert not PutAside.objects.exists()


def test_every_official_may_and_nobody_else() -> None:
    made, _ = odd()
    (one,) = questions_of(made.tournament)
    referee, stranger = colleague(made, Office.REFEREE), event(2).actor
    with refused("forbidden"):
        put(made, one.flag.key, actor=stranger)
    assert put(made, one.flag.key, actor=referee).put_by == referee.user


def test_what_was_put_aside_is_never_edited_nor_deleted() -> None:
    made, _ = odd()
    (one,) = questions_of(made.tournament)
    row = put(made, one.flag.key)
    for change in (lambda: PutAside.objects.update(note="other"), row.delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_it_is_in_the_file_of_officials_only_and_comes_back() -> None:
    made, _ = odd()
    (one,) = questions_of(made.tournament)
    put(made, one.flag.key)
    assert "put_aside" not in event_document(made.tournament)
    assert "put_aside" in event_document(made.tournament, official=True)
    data = event_json(made.tournament, official=True, names=True)
    copied = import_event(data=data, actor=made.actor, at=made.tick(), slug="again").tournament
    assert event_json(copied, official=True, names=True) == data
    assert [(row.flag, row.note) for row in PutAside.objects.filter(tournament=copied)] == [
        (one.flag.key, "counted again")
    ]
    (back,) = questions_of(copied)
    assert back.aside, "a flag has the same name on another machine"


def test_single_players_have_a_radar_too() -> None:
    made = evening("I1", 8, stage={"hands": 5, "rounds_planned": 1})
    assert found(made) == []
    sitting = made.round().sittings.order_by("table__number").first()
    assert sitting is not None
    for _ in range(3):
        made.enter(sitting, {"kind": "hand", "bids": {"1": 80}, "total_only": 85})
    assert ("copy", sitting.table.number, 3) in found(made)


def test_queries_do_not_grow_with_tables() -> None:
    counts = []
    for pairs in (4, 8):
        made, _ = odd(pairs)
        reads._tables.clear()
        with CaptureQueriesContext(connection) as asked:
            questions_of(made.tournament)
        counts.append(len(asked))
    assert counts[0] == counts[1]
    with CaptureQueriesContext(connection) as asked:
        questions_of(made.tournament)
    assert not any("ledgerentry" in one["sql"] for one in asked.captured_queries)


def test_hands_entered_by_phones_have_a_pace_and_copied_sheets_have_none() -> None:
    here, at = hall(), AT
    for captured in (35, 75, 40):
        at += timedelta(seconds=20)
        here.sitting.refresh_from_db()
        number = here.sitting.hand_no
        facts = sheet(captured) | ({"dealer": "N"} if number == 1 else {})
        made = scorekeeping.record_hand(sitting_id=here.sitting.pk, actor=here.ns, at=at, facts=facts, hand_no=number)
        scorekeeping.confirm_hand(sitting_id=here.sitting.pk, actor=here.ew, at=at, entry_id=made.entry.pk)
    (one,) = (one for one in questions_of(here.event) if one.flag.kind == "fast")
    assert "within 40 seconds" in one.flag.seen["en"]
    assert [kind for kind, *_ in found(odd()[0])] == ["copy"], "an official copies sheets as fast as he likes"

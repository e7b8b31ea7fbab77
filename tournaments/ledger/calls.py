"""Calls of a table for a referee: a tap, a disagreement, or an objection to a referee's entry."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from ..acts.access import Act, Actor
from ..acts.announce import announce
from ..acts.errors import NotFound, clean_text
from ..models import Call, CallKind, LedgerEntry, SittingPhase
from ..sittings.ledgers import Ledger, open_ledger
from .judging import admit, note, refusal, refuse_unless_running, write_sitting

NOTE_LIMIT = 200


@transaction.atomic
def call_referee(*, sitting_id: int, actor: Actor, at: datetime, note: str = "") -> Call:
    """A side calls a referee. While its call is open, another tap gives the same call."""
    note = clean_text(note, "note", limit=NOTE_LIMIT)

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.CALL_REFEREE, ledger)
    refuse_unless_running(ledger)
    call = Call.objects.filter(
        sitting=ledger.sitting, kind=CallKind.CALL, side=actor.side or "", closed_at=None
    ).first()
    if call is None:
        call = _open(ledger, actor, at, CallKind.CALL, note=note)
    return call


@transaction.atomic
def object_to(*, sitting_id: int, actor: Actor, at: datetime, entry_id: int, note: str = "") -> Call:
    """A side objects to an entry that a referee wrote down; a referee comes."""
    note = clean_text(note, "note", limit=NOTE_LIMIT)

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.OBJECT, ledger)
    refuse_unless_running(ledger)
    row = ledger.row(entry_id)
    call = Call.objects.filter(entry=row, kind=CallKind.OBJECTION, side=actor.side or "", closed_at=None).first()
    if call is None:
        call = _open(ledger, actor, at, CallKind.OBJECTION, entry=row, note=note)
    return call


def take_call(*, call_id: int, actor: Actor, at: datetime) -> Call:
    """A referee goes to the table. Taken by a colleague already: `call_taken`."""
    with transaction.atomic():
        call, ledger = _locked(call_id)
        admit(actor, Act.TAKE_CALL, ledger)
        if call.closed_at is not None or call.taken_by not in (None, actor.user):
            raise refusal("call_taken")
        if call.taken_by_id is None:
            call.taken_by, call.taken_at = actor.user, at
            call.save(update_fields=["taken_by", "taken_at"])
            _tell(ledger, actor, at, Act.TAKE_CALL, call)
    return call


def close_call(*, call_id: int, actor: Actor, at: datetime) -> Call:
    """The call is dealt with. Two entries that differ have to be settled first; after two returns the sides go on."""
    with transaction.atomic():
        call, ledger = _locked(call_id)
        admit(actor, Act.CLOSE_CALL, ledger)
        if call.closed_at is not None:
            return call
        if call.kind == CallKind.DISPUTE and ledger.pending:
            raise refusal("not_settled")
        call.closed_by, call.closed_at = actor.user, at
        call.save(update_fields=["closed_by", "closed_at"])
        if call.kind == CallKind.DISPUTE and ledger.sitting.phase == SittingPhase.DISPUTED:
            write_sitting(ledger, at=at, phase=SittingPhase.PLAYING)
        _tell(ledger, actor, at, Act.CLOSE_CALL, call)
    return call


def open_dispute(ledger: Ledger, actor: Actor, at: datetime, entry: LedgerEntry) -> Call:
    """Call a referee because two entries of a hand differ, or because it was sent back twice."""
    return _open(ledger, actor, at, CallKind.DISPUTE, entry=entry)


def close_disputes(ledger: Ledger, actor: Actor, at: datetime) -> None:
    """Close the open disputes of a sitting: its hand is settled, or the sides agree after all."""
    disputes = Call.objects.filter(sitting=ledger.sitting, kind=CallKind.DISPUTE, closed_at=None)
    disputes.update(closed_at=at, closed_by=actor.user)


def _open(
    ledger: Ledger, actor: Actor, at: datetime, kind: CallKind, *, entry: LedgerEntry | None = None, note: str = ""
) -> Call:
    call = Call.objects.create(
        sitting=ledger.sitting,
        kind=kind,
        side=actor.side or "",
        hand_no=entry.hand_no if entry is not None else ledger.sitting.hand_no,
        entry=entry,
        note=note,
        called_at=at,
    )
    act = Act.OBJECT if kind == CallKind.OBJECTION else Act.CALL_REFEREE
    _tell(ledger, actor, at, act, call)
    return call


def _locked(call_id: int) -> tuple[Call, Ledger]:
    try:
        sitting_id = Call.objects.values_list("sitting_id", flat=True).get(pk=call_id)
    except (Call.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=True)
    return Call.objects.select_related("taken_by").get(pk=call_id), ledger


def _tell(ledger: Ledger, actor: Actor, at: datetime, act: Act, call: Call) -> None:
    new = {"kind": str(call.kind), "hand_no": call.hand_no}
    note(ledger, actor, at, act, f"call:{call.pk}", reason=call.note, new=new)
    announce(ledger.tournament.pk, "sitting", ledger.sitting.pk, ledger.sitting.revision)

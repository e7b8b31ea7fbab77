"""Calls of a table for a referee: a tap, a disagreement, or an objection to a referee's entry."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Move, MoveAll, Write, carry_out
from ..acts.errors import NotFound, clean_text
from ..acts.waking import Wake, Why
from ..models import Call, CallKind, LedgerEntry, SittingPhase
from ..sittings.ledgers import Ledger, open_ledger
from .acting import act_on, after, change_at, unchanged
from .judging import admit, refusal, refuse_unless_running

NOTE_LIMIT = 200


def call_referee(*, sitting_id: int, actor: Actor, at: datetime, note: str = "") -> Call:
    """A side calls a referee. While its call is open, another tap gives the same call."""
    note = clean_text(note, "note", limit=NOTE_LIMIT)

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Call]:
        refuse_unless_running(ledger)
        mine = Call.objects.filter(sitting=ledger.sitting, kind=CallKind.CALL, side=actor.side or "", closed_at=None)
        if (open_call := mine.first()) is not None:
            return Change(admitted, open_call)
        return _change(ledger, admitted, *_called(ledger, actor, at, CallKind.CALL, note=note))

    return act_on(sitting_id, Act.CALL_REFEREE, actor, at, decide)


def object_to(*, sitting_id: int, actor: Actor, at: datetime, entry_id: int, note: str = "") -> Call:
    """A side objects to an entry that a referee wrote down; a referee comes."""
    note = clean_text(note, "note", limit=NOTE_LIMIT)

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Call]:
        refuse_unless_running(ledger)
        row = ledger.row(entry_id)
        mine = Call.objects.filter(entry=row, kind=CallKind.OBJECTION, side=actor.side or "", closed_at=None)
        if (open_call := mine.first()) is not None:
            return Change(admitted, open_call)
        return _change(ledger, admitted, *_called(ledger, actor, at, CallKind.OBJECTION, entry=row, note=note))

    return act_on(sitting_id, Act.OBJECT, actor, at, decide)


def take_call(*, call_id: int, actor: Actor, at: datetime) -> Call:
    """A referee goes to the table. Taken by a colleague already: `call_taken`."""

    def decide() -> Change[Call]:
        call, ledger = _locked(call_id)
        admitted = admit(actor, Act.TAKE_CALL, ledger)
        if call.closed_at is not None or call.taken_by not in (None, actor.user):
            raise refusal("call_taken")
        if call.taken_by_id is not None:
            return Change(admitted, call)
        taken = Move(call, {"taken_by": actor.user, "taken_at": at}, {"taken_by": None})
        change = _change(ledger, admitted, call, _line(ledger, Act.TAKE_CALL, call), taken)
        return replace(change, wakes=(Wake(Why.COMING, call.pk),))

    return carry_out(decide, actor, at)


def close_call(*, call_id: int, actor: Actor, at: datetime) -> Call:
    """The call is dealt with. Two entries that differ have to be settled first; after two returns the sides go on."""

    def decide() -> Change[Call]:
        call, ledger = _locked(call_id)
        admitted = admit(actor, Act.CLOSE_CALL, ledger)
        if call.closed_at is not None:
            return Change(admitted, call)
        if call.kind == CallKind.DISPUTE and ledger.pending:
            raise refusal("not_settled")
        closed = Move(call, {"closed_by": actor.user, "closed_at": at}, {"closed_at": None})
        line = _line(ledger, Act.CLOSE_CALL, call)
        if call.kind == CallKind.DISPUTE and ledger.sitting.phase == SittingPhase.DISPUTED:
            then = after(ledger, [closed], at=at, phase=SittingPhase.PLAYING, counts=False)
            return change_at(ledger, admitted, call, then, [line], moved=False)
        return _change(ledger, admitted, call, line, closed)

    return carry_out(decide, actor, at)


def opened_dispute(ledger: Ledger, actor: Actor, at: datetime, entry: LedgerEntry) -> tuple[Call, Line]:
    """A call for a referee because two entries of a hand differ, or because it was sent back twice."""
    return _called(ledger, actor, at, CallKind.DISPUTE, entry=entry)


def disputes_closed(ledger: Ledger, actor: Actor, at: datetime) -> MoveAll:
    """Closes the open disputes of a sitting: its hand is settled, or the sides agree after all."""
    disputes = {"sitting": ledger.sitting, "kind": CallKind.DISPUTE, "closed_at": None}
    return MoveAll(Call, disputes, {"closed_at": at, "closed_by": actor.user})


def _called(
    ledger: Ledger, actor: Actor, at: datetime, kind: CallKind, *, entry: LedgerEntry | None = None, note: str = ""
) -> tuple[Call, Line]:
    """A new call and its line in the history."""
    call = Call(
        sitting=ledger.sitting,
        kind=kind,
        side=actor.side or "",
        hand_no=entry.hand_no if entry is not None else ledger.sitting.hand_no,
        entry=entry,
        note=note,
        called_at=at,
    )
    return call, _line(ledger, Act.OBJECT if kind == CallKind.OBJECTION else Act.CALL_REFEREE, call)


def _line(ledger: Ledger, act: Act, call: Call) -> Line:
    new = {"kind": str(call.kind), "hand_no": call.hand_no}
    return Line(act, ("call", call), call.note, new=new, sitting=ledger.sitting)


def _locked(call_id: int) -> tuple[Call, Ledger]:
    try:
        sitting_id = Call.objects.values_list("sitting_id", flat=True).get(pk=call_id)
    except (Call.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=True)
    return Call.objects.select_related("taken_by").get(pk=call_id), ledger


def _change(ledger: Ledger, admitted: Admitted, call: Call, line: Line, how: Write | None = None) -> Change[Call]:
    """A change of a call alone: the record of the table stays as it is."""
    return change_at(ledger, admitted, call, unchanged(ledger, how or Add(call)), [line], moved=False)

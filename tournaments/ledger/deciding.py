"""What becomes of a hand: pure decisions over an opened ledger, each a change or a refusal.

A hand counts when two parties stand behind it: a side and the other side, a side and an official, or an official who
states the basis. No party confirms its own entry. At most one hand of a sitting waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scoring.hands.findings import Finding

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Move, Write
from ..acts.errors import BAD_REQUEST, FORBIDDEN
from ..acts.waking import Wake, Why
from ..models import Basis, EntryStatus, LedgerEntry, SittingPhase
from ..sittings.after_time import finding_at
from ..sittings.games import Entry, State, as_played
from ..sittings.ledgers import Ledger
from .acting import after, change_at, moved
from .calls import disputes_closed, opened_dispute
from .disputes import differing_fields
from .entry_checks import (
    AlreadyRecorded,
    hand_entry,
    new_entry,
    pending_row,
    refuse_if_not_countable,
    refuse_in_dispute,
    refuse_wrong_number,
)
from .judging import (
    OwnEntry,
    findings_on,
    refusal,
    refuse_if_blocked,
    refuse_unless_current,
    refuse_unless_running,
)
from .pins import TypedPin, side_behind, wrong_pin
from .recorded import Recorded

DEVICE_TIME_LIMIT = 40


@dataclass(frozen=True, slots=True)
class Judged:
    """A sheet as hand `number`, after what stands before it: dealer and level as played, and what was found."""

    entry: Entry
    number: int
    position: int
    before: State
    findings: tuple[Finding, ...]


def judged(ledger: Ledger, entry: Entry, number: int, *, at_the_table: bool) -> Judged:
    """Judge a sheet. `at_the_table`: also by the clock, after which no hand is begun."""
    position = ledger.position_of_hand(number)
    before = ledger.fold_before(position)
    entry = as_played(ledger.profile, entry, before)
    findings = findings_on(ledger, before, entry)
    if at_the_table:
        findings += finding_at(ledger.sitting, ledger.rows, position)
    return Judged(entry, number, position, before, findings)


def enter(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    *,
    facts: Mapping[str, Any],
    number: int,
    basis: str = "",
    reason: str = "",
    device_time: str = "",
) -> Change[Recorded]:
    """A hand is entered. A side's entry waits for the other side; where the other side's waits, it is an independent
    answer: equal confirms, different calls a referee. An official's counts at once."""
    actor = admitted.actor
    entry = new_entry(ledger, actor, facts)
    refuse_wrong_number(ledger, actor, number)
    waiting = ledger.waiting
    if waiting is not None and (actor.side is None or waiting.entered_side == actor.side):
        raise AlreadyRecorded(ledger, number, actor)
    seen = judged(ledger, entry, number, at_the_table=True)
    refuse_if_blocked(ledger, seen.entry, seen.findings)
    if actor.side is None and basis not in Basis.values:
        raise refusal("basis_missing", status=BAD_REQUEST, field="basis")
    if waiting is not None and not differing_fields(waiting.facts, seen.entry.to_json()):
        refuse_if_not_countable(ledger, waiting)
        return _confirmed(ledger, admitted, at, waiting, side=actor.side or "", findings=seen.findings)
    row = _row(
        ledger,
        seen,
        status=EntryStatus.CONTESTING if waiting else EntryStatus.WAITING if actor.side else EntryStatus.EFFECTIVE,
        contests=waiting,
        basis="" if actor.side else basis,
        entered_side=actor.side or "",
        entered_by=actor.user,
        entered_device=actor.device,
        entered_at=at,
        device_time=str(device_time)[:DEVICE_TIME_LIMIT] if str(device_time).isprintable() else "",
        reason=reason,
    )
    old, new = (waiting.facts if waiting else None), row.facts if actor.side else {**row.facts, "basis": basis}
    line = Line(Act.ENTER_HAND, ("entry", row), reason, old, new, ledger.sitting)
    if waiting is not None:
        call, called = opened_dispute(ledger, actor, at, row)
        differing = differing_fields(waiting.facts, row.facts)
        return _change(
            ledger, admitted, at, row, "disputed", [Add(row), Add(call)], SittingPhase.DISPUTED, [called, line],
            differing=differing, findings=seen.findings,
        )  # fmt: skip
    answer, phase = ("waiting", SittingPhase.WAITING) if actor.side else ("confirmed", SittingPhase.PLAYING)
    change = _change(ledger, admitted, at, row, answer, [Add(row)], phase, [line], findings=seen.findings)
    return replace(change, wakes=(Wake(Why.ENTERED, ledger.sitting.pk),)) if actor.side else change


def confirm(
    ledger: Ledger, admitted: Admitted, at: datetime, *, entry_id: int, version: int | None, typed: TypedPin | None
) -> Change[Any]:
    """The other side's entry is confirmed (or, on a shared phone, one's own entry with the other side's PIN)."""
    refuse_unless_running(ledger)
    row, side = pending_row(ledger, entry_id, version), admitted.actor.side
    if side is not None and side == row.entered_side:
        side = side_behind(ledger, row, typed)
        if side is None:
            return wrong_pin(ledger, row, admitted)
    refuse_if_not_countable(ledger, row)
    return _confirmed(ledger, admitted, at, row, side=side or "")


def take_back(ledger: Ledger, admitted: Admitted, at: datetime, *, entry_id: int) -> Change[Recorded]:
    """The side that entered a hand takes it back while nobody has answered it."""
    refuse_unless_running(ledger)
    row = pending_row(ledger, entry_id, None)
    if row.entered_side != admitted.actor.side:
        raise refusal("not_own_entry", status=FORBIDDEN)
    refuse_in_dispute(ledger)
    line = Line(Act.TAKE_BACK, ("entry", row), sitting=ledger.sitting)
    taken = moved(row, EntryStatus.WITHDRAWN)
    return _change(ledger, admitted, at, row, "taken_back", [taken], SittingPhase.PLAYING, [line])


def send_back(
    ledger: Ledger, admitted: Admitted, at: datetime, *, entry_id: int, what: str, note: str
) -> Change[Recorded]:
    """The other side says what is wrong with a hand; it goes back. The second time a referee is called."""
    refuse_unless_running(ledger)
    row = pending_row(ledger, entry_id, None)
    if row.entered_side == admitted.actor.side:
        raise OwnEntry(row.entered_side)
    refuse_in_dispute(ledger)
    writes: list[Write] = [moved(row, EntryStatus.RETURNED, sent_back_what=what, sent_back_note=note)]
    line = Line(Act.SEND_BACK, ("entry", row), new={"what": what, "note": note}, sitting=ledger.sitting)
    if not any(one.hand_no == row.hand_no and one.status == EntryStatus.RETURNED for one in ledger.rows):
        return _change(ledger, admitted, at, row, "sent_back", writes, SittingPhase.PLAYING, [line])
    call, called = opened_dispute(ledger, admitted.actor, at, row)
    writes.append(Add(call))
    return _change(ledger, admitted, at, row, "disputed", writes, SittingPhase.DISPUTED, [called, line])


def settle(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    *,
    expected_revision: int | None,
    facts: Mapping[str, Any],
    number: int,
    reason: str,
) -> Change[Recorded]:
    """An official rules on a hand that waits or is in dispute: these facts count, the sides' claims are overruled."""
    actor, claims = admitted.actor, ledger.pending
    refuse_unless_running(ledger)
    refuse_unless_current(ledger, expected_revision)
    if ledger.sitting.phase not in (SittingPhase.WAITING, SittingPhase.DISPUTED):
        raise refusal("nothing_to_settle")
    entry = hand_entry(ledger, facts)
    refuse_wrong_number(ledger, actor, number)
    seen = judged(ledger, entry, number, at_the_table=False)
    refuse_if_blocked(ledger, seen.entry, seen.findings)
    row = _row(
        ledger,
        seen,
        status=EntryStatus.EFFECTIVE,
        entered_by=actor.user,
        entered_at=at,
        basis=Basis.RULING,
        reason=reason,
    )
    overruled = [moved(one, EntryStatus.OVERRULED) for one in claims]
    writes: list[Write] = [*overruled, Add(row), disputes_closed(ledger, actor, at)]
    line = Line(Act.SETTLE, ("entry", row), reason, {"claims": claims}, row.facts, ledger.sitting)
    return _change(ledger, admitted, at, row, "confirmed", writes, SittingPhase.PLAYING, [line])


def _confirmed(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    row: LedgerEntry,
    *,
    side: str,
    findings: tuple[Finding, ...] = (),
) -> Change[Recorded]:
    """A waiting entry counts; one that contested it is overruled."""
    actor: Actor = admitted.actor
    writes: list[Write] = [moved(one, EntryStatus.OVERRULED) for one in ledger.pending if one is not row]
    who = {"confirmed_side": side, "confirmed_by": actor.user, "confirmed_device": actor.device, "confirmed_at": at}
    writes.append(moved(row, EntryStatus.EFFECTIVE, **who))
    if ledger.sitting.phase == SittingPhase.DISPUTED:
        writes.append(disputes_closed(ledger, actor, at))
    line = Line(Act.CONFIRM_HAND, ("entry", row), sitting=ledger.sitting)
    return _change(ledger, admitted, at, row, "confirmed", writes, SittingPhase.PLAYING, [line], findings=findings)


def _row(ledger: Ledger, seen: Judged, **columns: Any) -> LedgerEntry:
    """A new version of the judged hand."""
    return ledger.entry(
        position=seen.position,
        version=ledger.next_version(seen.position),
        kind=seen.entry.kind,
        hand_no=seen.number,
        facts=seen.entry.to_json(),
        **columns,
    )


def _change(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    row: LedgerEntry,
    answer: str,
    writes: Iterable[Write],
    phase: SittingPhase,
    lines: Iterable[Line],
    *,
    differing: tuple[str, ...] = (),
    findings: tuple[Finding, ...] = (),
) -> Change[Recorded]:
    """The change about one entry; what is confirmed counts."""
    writes, counts = tuple(writes), answer == "confirmed"
    then = after(ledger, writes, at=at, phase=phase, counts=counts)
    status = next((one.to["status"] for one in writes if isinstance(one, Move) and one.row is row), row.status)
    recorded = Recorded(row, ledger.sitting, answer, str(status), then.revision, differing, findings)
    return change_at(ledger, admitted, recorded, then, lines, moved=then.moves_standings, public=counts)

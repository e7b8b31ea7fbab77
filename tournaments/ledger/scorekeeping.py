"""The ledger's daily work: a hand is entered, confirmed, taken back, sent back, disputed, settled.

A hand counts when two parties stand behind it: a side and the other side, a side and an official, or an official who
states the basis. No party confirms its own entry. At most one hand of a sitting waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from scoring.hands.findings import Finding

from ..acts.access import Act, Actor
from ..acts.errors import BAD_REQUEST, FORBIDDEN, Refusal, clean_text, refused_when_written
from ..models import Basis, EntryStatus, LedgerEntry, SittingPhase
from ..sittings.after_time import finding_at
from ..sittings.games import Entry, as_played
from ..sittings.ledgers import Ledger, open_ledger
from .calls import close_disputes, open_dispute
from .disputes import differing_fields
from .entering import (
    AlreadyRecorded,
    hand_entry,
    hand_number,
    new_entry,
    pending_row,
    refuse_if_not_countable,
    refuse_in_dispute,
    refuse_unless_open,
    refuse_wrong_number,
)
from .judging import (
    OwnEntry,
    admit,
    findings_on,
    finish_act,
    note,
    refusal,
    refuse_if_blocked,
    refuse_unless_current,
    refuse_unless_running,
    write_sitting,
)
from .pins import SharedPhone, shared_phone
from .recorded import Recorded, answered, close_act

REASON_LIMIT = 300
NOTE_LIMIT = 200
WHAT_LIMIT = 40
DEVICE_TIME_LIMIT = 40


def look_whether_open(*, sitting_id: int) -> None:
    """Refused as an entry would be while no hand can be entered at this table at all. Reads only."""
    refuse_unless_open(open_ledger(sitting_id, lock=False))


@transaction.atomic
def record_hand(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    facts: Mapping[str, Any],
    hand_no: int,
    basis: str = "",
    reason: str = "",
    device_time: str = "",
) -> Recorded:
    """Enter a hand (kinds hand and annulled; officials also adjusted).

    A side's entry waits for the other side; entered while the other side's waits, it is an independent answer: equal
    confirms, different calls a referee. An official's entry counts at once and states its basis.
    """
    number = hand_number(hand_no)
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.ENTER_HAND, ledger)
    entry = new_entry(ledger, actor, facts)
    refuse_wrong_number(ledger, actor, number)
    waiting = ledger.waiting
    if waiting is not None and (actor.side is None or waiting.entered_side == actor.side):
        raise AlreadyRecorded(ledger, number, actor)
    judged = _judged(ledger, entry, number, at_the_table=True)
    new = judged.columns | _entered(actor, at, device_time) | {"reason": reason}
    if actor.side is None:
        recorded = _count_at_once(ledger, actor, at, new, basis)
    elif waiting is None:
        recorded = _let_wait(ledger, actor, at, new)
    else:
        recorded = _answer_independently(ledger, actor, at, new, waiting)
    recorded = replace(recorded, findings=judged.findings)
    finish_act(ledger, moved=recorded.answer != "waiting", public=recorded.answer == "confirmed")
    return recorded


@refused_when_written
def confirm_hand(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    entry_id: int,
    version: int | None = None,
    pin: str | None = None,
) -> Recorded | Refusal:
    """Confirm the other side's entry (or, on a shared phone, one's own entry with the other side's PIN)."""
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.CONFIRM_HAND, ledger)
    refuse_unless_running(ledger)
    row = pending_row(ledger, entry_id, version)
    phone = SharedPhone(None)
    if actor.side is not None and actor.side == row.entered_side:
        phone = shared_phone(ledger, row, actor, at, pin)
        if phone.refusal is not None:
            return phone.refusal
    refuse_if_not_countable(ledger, row)
    for other in ledger.pending:
        if other is not row:
            _overrule(ledger, other)
    recorded = _confirm(ledger, actor, at, row, side=phone.side or actor.side or "")
    finish_act(ledger, moved=True)
    return recorded


@transaction.atomic
def take_back(*, sitting_id: int, actor: Actor, at: datetime, entry_id: int) -> Recorded:
    """The side that entered a hand takes it back while nobody has answered it."""
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.TAKE_BACK, ledger)
    refuse_unless_running(ledger)
    row = pending_row(ledger, entry_id, None)
    if row.entered_side != actor.side:
        raise refusal("not_own_entry", status=FORBIDDEN)
    refuse_in_dispute(ledger)
    ledger.move(row, EntryStatus.WITHDRAWN)
    return close_act(ledger, actor, at, row, Act.TAKE_BACK, SittingPhase.PLAYING, "taken_back")


@transaction.atomic
def send_back(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    entry_id: int,
    what: str,
    note: str = "",
) -> Recorded:
    """The other side says what is wrong with a hand; it goes back. The second time a referee is called."""
    what = clean_text(what, "what", limit=WHAT_LIMIT, required=True)
    note = clean_text(note, "note", limit=NOTE_LIMIT)

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.SEND_BACK, ledger)
    refuse_unless_running(ledger)
    row = pending_row(ledger, entry_id, None)
    if row.entered_side == actor.side:
        raise OwnEntry(row.entered_side)
    refuse_in_dispute(ledger)
    returned = any(one.hand_no == row.hand_no and one.status == EntryStatus.RETURNED for one in ledger.rows)
    ledger.move(row, EntryStatus.RETURNED, sent_back_what=what, sent_back_note=note)
    phase = SittingPhase.DISPUTED if returned else SittingPhase.PLAYING
    if returned:
        open_dispute(ledger, actor, at, row)
    answer = "disputed" if returned else "sent_back"
    new = {"what": what, "note": note}
    return close_act(ledger, actor, at, row, Act.SEND_BACK, phase, answer, new=new)


@transaction.atomic
def settle(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    facts: Mapping[str, Any],
    reason: str,
    hand_no: int,
) -> Recorded:
    """An official rules on a hand that waits or is in dispute: these facts count, the sides' claims are overruled."""
    number = hand_number(hand_no)
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.SETTLE, ledger)
    refuse_unless_running(ledger)
    refuse_unless_current(ledger, expected_revision)
    if ledger.sitting.phase not in (SittingPhase.WAITING, SittingPhase.DISPUTED):
        raise refusal("nothing_to_settle")
    entry = hand_entry(ledger, facts)
    refuse_wrong_number(ledger, actor, number)
    columns = _judged(ledger, entry, number).columns
    claims = ledger.pending
    for claim in claims:
        _overrule(ledger, claim)
    row = ledger.add(
        **columns,
        status=EntryStatus.EFFECTIVE,
        entered_by=actor.user,
        entered_at=at,
        basis=Basis.RULING,
        reason=reason,
    )
    close_disputes(ledger, actor, at)
    old = {"claims": [claim.pk for claim in claims]}
    return close_act(
        ledger,
        actor,
        at,
        row,
        Act.SETTLE,
        SittingPhase.PLAYING,
        "confirmed",
        reason=reason,
        old=old,
        new=row.facts,
        counts=True,
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A sheet that may be written down: the columns of its ledger entry, and what was found."""

    columns: dict[str, Any]
    findings: tuple[Finding, ...]


def _judged(ledger: Ledger, entry: Entry, number: int, *, at_the_table: bool = False) -> _Judged:
    """Judge a sheet as hand `number` after what stands before it, dealer and level as played; refused where blocked.

    `at_the_table`: also by the clock, after which no hand is begun.
    """
    position = ledger.position_of_hand(number)
    before = ledger.fold_before(position)
    entry = as_played(ledger.profile, entry, before)
    findings = findings_on(ledger, before, entry)
    if at_the_table:
        findings += finding_at(ledger.sitting, ledger.rows, position)
    refuse_if_blocked(ledger, entry, findings)
    columns = {
        "position": position,
        "version": ledger.next_version(position),
        "kind": entry.kind,
        "hand_no": number,
        "facts": entry.to_json(),
    }
    return _Judged(columns, findings)


def _entered(actor: Actor, at: datetime, device_time: str) -> dict[str, Any]:
    """The columns that say who entered it, and when."""
    return {
        "entered_side": actor.side or "",
        "entered_by": actor.user,
        "entered_device": actor.device,
        "entered_at": at,
        "device_time": str(device_time)[:DEVICE_TIME_LIMIT] if str(device_time).isprintable() else "",
    }


def _overrule(ledger: Ledger, row: LedgerEntry) -> None:
    ledger.move(row, EntryStatus.OVERRULED)


def _count_at_once(ledger: Ledger, actor: Actor, at: datetime, new: dict[str, Any], basis: str) -> Recorded:
    if basis not in Basis.values:
        raise refusal("basis_missing", status=BAD_REQUEST, field="basis")
    row = ledger.add(**new, status=EntryStatus.EFFECTIVE, basis=basis)
    write_sitting(ledger, at=at, phase=SittingPhase.PLAYING, state=ledger.fold())
    note(ledger, actor, at, Act.ENTER_HAND, f"entry:{row.pk}", reason=row.reason, new={**row.facts, "basis": basis})
    return answered(ledger, row, "confirmed")


def _let_wait(ledger: Ledger, actor: Actor, at: datetime, new: dict[str, Any]) -> Recorded:
    row = ledger.add(**new, status=EntryStatus.WAITING)
    write_sitting(ledger, at=at, phase=SittingPhase.WAITING)
    note(ledger, actor, at, Act.ENTER_HAND, f"entry:{row.pk}", reason=row.reason, new=row.facts)
    return answered(ledger, row, "waiting")


def _answer_independently(
    ledger: Ledger, actor: Actor, at: datetime, new: dict[str, Any], waiting: LedgerEntry
) -> Recorded:
    differing = differing_fields(waiting.facts, new["facts"])
    if not differing:
        refuse_if_not_countable(ledger, waiting)
        return _confirm(ledger, actor, at, waiting, side=actor.side or "")
    row = ledger.add(**new, status=EntryStatus.CONTESTING, contests=waiting)
    open_dispute(ledger, actor, at, row)
    write_sitting(ledger, at=at, phase=SittingPhase.DISPUTED)
    note(ledger, actor, at, Act.ENTER_HAND, f"entry:{row.pk}", reason=row.reason, old=waiting.facts, new=row.facts)
    return replace(answered(ledger, row, "disputed"), differing=differing)


def _confirm(ledger: Ledger, actor: Actor, at: datetime, row: LedgerEntry, *, side: str) -> Recorded:
    was_disputed = ledger.sitting.phase == SittingPhase.DISPUTED
    ledger.move(
        row,
        EntryStatus.EFFECTIVE,
        confirmed_side=side,
        confirmed_by=actor.user,
        confirmed_device=actor.device,
        confirmed_at=at,
    )
    if was_disputed:
        close_disputes(ledger, actor, at)
    write_sitting(ledger, at=at, phase=SittingPhase.PLAYING, state=ledger.fold())
    note(ledger, actor, at, Act.CONFIRM_HAND, f"entry:{row.pk}")
    return answered(ledger, row, "confirmed")

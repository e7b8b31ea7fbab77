"""Corrections: a new version of an entry, seen with its effects before it is applied.

A correction may change what was due for later hands. The lawful treatments: `recompute` (later gains are applied to
the due levels), `let_stand` (later hands keep the levels they were played at), `adjust` (an official's result replaces
the hand). After the round is closed a second official approves, where the event has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scoring.hands.entries import Adjusted, Annulled, HandSheet
from scoring.hands.findings import Finding
from scoring.individual.entries import IndividualAdjusted, IndividualAnnulled, IndividualHand

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Move, MoveAll, Write, carry_out
from ..acts.errors import BAD_REQUEST, FORBIDDEN, NotFound, Stale, clean_text
from ..models import Basis, Correction, EntryKind, EntryStatus, LedgerEntry, RoundStatus, SittingPhase
from ..sittings.games import Entry, State, as_played, two_sides
from ..sittings.ledgers import Ledger, current_of, open_ledger_of_entry
from ..sittings.results import ruled_on_match
from ..sittings.second_official import needs_second_official
from .acting import after, change_at, moved, unchanged
from .calls import disputes_closed
from .correction_plans import Effect, changes_between, chosen, effect_of, fold_into_one, plans
from .entry_checks import refuse_adjusted_hand
from .judging import (
    HAND_KINDS,
    MatchOver,
    admit,
    findings_on,
    read_facts,
    refusal,
    refuse_if_blocked,
    refuse_unless_current,
)

REASON_LIMIT = 300


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """A correction before it is applied. `changes`: field → (recorded, corrected), None where it is not stated.

    `folds_into_one`: the treatments do not differ, so none has to be chosen.
    """

    entry: LedgerEntry
    facts: Mapping[str, Any]
    findings: tuple[Finding, ...]
    changes: Mapping[str, tuple[Any, Any]]
    before: State
    effects: Mapping[str, Effect]
    folds_into_one: bool
    needs_second_official: bool
    sitting_revision: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """The answer to a correction; `entry` is None while a second official has to approve."""

    correction: Correction
    entry: LedgerEntry | None
    revision: int


def correction_preview(*, entry_id: int, actor: Actor, facts: Mapping[str, Any]) -> CorrectionPreview:
    """What correcting an entry would change, under each lawful treatment. Reads only."""
    ledger, row = open_ledger_of_entry(entry_id, lock=False)
    # whoever may approve has to see what it would change, also in a closed round
    admit(actor, Act.CORRECT, ledger)
    _refuse_unless_counting(ledger, row)
    entry = _corrected_entry(ledger, row, facts)
    findings = findings_on(ledger, ledger.fold_before(row.position), entry)
    refuse_if_blocked(ledger, entry, findings)
    before = ledger.fold(reasons=True)
    treatments = plans(ledger, row, entry, reasons=True)
    return CorrectionPreview(
        entry=row,
        facts=entry.to_json(),
        findings=findings,
        changes=changes_between(row.facts, entry.to_json()),
        before=before,
        effects={name: effect_of(ledger, row, before, plan) for name, plan in treatments.items()},
        folds_into_one=fold_into_one(treatments),
        needs_second_official=needs_second_official(ledger, actor),
        sitting_revision=ledger.sitting.revision,
    )


def correct(
    *,
    entry_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    facts: Mapping[str, Any],
    reason: str,
    treatment: str = "",
) -> Corrected:
    """Correct an entry that counts: a new version with a reason. In a closed round it waits for a second official,
    where the event has one.

    `expected_revision` is the sitting's revision that the official saw; `treatment` must be chosen when they differ.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    def decide() -> Change[Corrected]:
        ledger, row = open_ledger_of_entry(entry_id, lock=True)
        admitted = _admit(actor, ledger)
        refuse_unless_current(ledger, expected_revision)
        return corrected(ledger, admitted, at, row, facts=facts, reason=reason, treatment=treatment)

    return carry_out(decide, actor, at)


def corrected(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    row: LedgerEntry,
    *,
    facts: Mapping[str, Any],
    reason: str,
    treatment: str,
) -> Change[Corrected]:
    """An entry that counts is corrected, or the correction waits for a second official."""
    actor = admitted.actor
    _refuse_unless_counting(ledger, row)
    entry = _corrected_entry(ledger, row, facts)
    if entry.to_json() == row.facts:
        raise refusal(
            "nothing_changed", "Nothing is different from the record.", "与记录相同，没有改动。", status=BAD_REQUEST
        )
    refuse_if_blocked(ledger, entry, findings_on(ledger, ledger.fold_before(row.position), entry))
    correction = Correction(
        entry=row,
        sitting_revision=ledger.sitting.revision,
        facts=entry.to_json(),
        treatment=chosen(plans(ledger, row, entry), treatment),
        reason=reason,
        proposed_by=actor.user,
        proposed_at=at,
    )
    if needs_second_official(ledger, actor):
        return _proposed(ledger, admitted, at, correction)
    correction.status, correction.decided_at = Correction.Status.APPLIED, at
    return _applied(ledger, admitted, at, correction, entry, Add(correction), Act.CORRECT)


def approve_correction(*, correction_id: int, actor: Actor, at: datetime) -> Corrected:
    """A second official agrees: the correction is applied, unless the ledger has moved on since it was proposed."""

    def decide() -> Change[Any]:
        ledger, correction = _open_correction(correction_id)
        admitted = admit(actor, Act.APPROVE_CORRECTION, ledger)
        _refuse_unless_proposed(correction)
        if actor.user is None or actor.user.pk == correction.proposed_by_id:
            raise refusal(
                "second_official_same",
                "Proposer and approver must be two people.",
                "提出人和核准人要是两个人。",
                status=FORBIDDEN,
            )
        row = ledger.row(correction.entry_id)
        if correction.sitting_revision != ledger.sitting.revision or row.status != EntryStatus.EFFECTIVE:
            overtaken = _decided(correction, Correction.Status.OVERTAKEN, None, at)
            line = _line(ledger, Act.REFUSE_CORRECTION, correction, new={"status": "overtaken"})
            return Change(admitted, None, (overtaken,), (line,), refused=Stale(current_of(ledger)))
        entry = read_facts(ledger.profile, correction.facts)
        applied = _decided(correction, Correction.Status.APPLIED, actor, at)
        return _applied(ledger, admitted, at, correction, entry, applied, Act.APPROVE_CORRECTION)

    done: Corrected = carry_out(decide, actor, at)
    return done


def refuse_correction(*, correction_id: int, actor: Actor, at: datetime, reason: str = "") -> Corrected:
    """An official refuses a proposed correction, or its proposer withdraws it; nothing else changes."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)

    def decide() -> Change[Corrected]:
        ledger, correction = _open_correction(correction_id)
        admitted = admit(actor, Act.REFUSE_CORRECTION, ledger)
        return correction_refused(ledger, admitted, at, correction, reason)

    return carry_out(decide, actor, at)


def correction_refused(
    ledger: Ledger, admitted: Admitted, at: datetime, correction: Correction, reason: str
) -> Change[Corrected]:
    """A proposed correction is refused or withdrawn."""
    _refuse_unless_proposed(correction)
    then = unchanged(ledger, _decided(correction, Correction.Status.REFUSED, admitted.actor, at))
    line = _line(ledger, Act.REFUSE_CORRECTION, correction, reason=reason, new={"status": "refused"})
    return change_at(ledger, admitted, Corrected(correction, None, then.revision), then, [line], moved=False)


def _admit(actor: Actor, ledger: Ledger) -> Admitted:
    closed = ledger.round.status == RoundStatus.CLOSED
    return admit(actor, Act.PROPOSE_CORRECTION if closed else Act.CORRECT, ledger)


def _refuse_unless_counting(ledger: Ledger, row: LedgerEntry) -> None:
    if row.status == EntryStatus.SUPERSEDED:
        raise Stale(current_of(ledger))
    if row.status != EntryStatus.EFFECTIVE:
        raise refusal("not_counting", current=current_of(ledger))


def _corrected_entry(ledger: Ledger, row: LedgerEntry, facts: Mapping[str, Any]) -> Entry:
    """The corrected entry. Dealer and level that are left out stay as they were played."""
    entry = read_facts(ledger.profile, facts)
    refuse_adjusted_hand(ledger, entry)
    same_family = entry.kind == row.kind or {entry.kind, row.kind} <= HAND_KINDS
    if not same_family:
        raise refusal(
            "kind_not_here",
            "A hand is corrected by a hand, a ruling by a ruling.",
            "牌只能更正为牌，判罚只能更正为判罚。",
            status=BAD_REQUEST,
            field="kind",
        )
    if isinstance(entry, IndividualHand | IndividualAnnulled | IndividualAdjusted):
        return _corrected_alone(ledger, row, entry)
    if isinstance(entry, HandSheet | Annulled | Adjusted):
        recorded = ledger.read(row)
        dealer = entry.dealer or getattr(recorded, "dealer", None)
        entry = replace(entry, dealer=dealer)
        if isinstance(entry, HandSheet) and entry.level is None and dealer is not None:
            level = getattr(recorded, "level", None)
            if level is None or recorded.dealer is not dealer:  # type: ignore[union-attr]
                level = two_sides(ledger.fold_before(row.position)).levels[dealer.side]
            entry = replace(entry, level=level)
    return entry


def _corrected_alone(
    ledger: Ledger, row: LedgerEntry, entry: IndividualHand | IndividualAnnulled | IndividualAdjusted
) -> Entry:
    """The corrected entry of an individual game. Dealer and level that are left out stay as they were played."""
    recorded = ledger.read(row)
    bidder = entry.bidder if isinstance(entry, IndividualHand) else None
    entry = replace(entry, dealer=entry.dealer or bidder or getattr(recorded, "dealer", None))
    if isinstance(entry, IndividualHand) and entry.level is None and entry.dealer is getattr(recorded, "dealer", None):
        entry = replace(entry, level=getattr(recorded, "level", None))
    return as_played(ledger.profile, entry, ledger.fold_before(row.position))


def _proposed(ledger: Ledger, admitted: Admitted, at: datetime, correction: Correction) -> Change[Corrected]:
    """The correction waits for a second official; an older proposal for the same entry is overtaken."""
    older = {"entry": correction.entry, "status": Correction.Status.PROPOSED}
    overtaken = {"status": Correction.Status.OVERTAKEN, "decided_at": at, "decided_by": None}
    then = unchanged(ledger, MoveAll(Correction, older, overtaken), Add(correction))
    line = _line(ledger, Act.PROPOSE_CORRECTION, correction, reason=correction.reason, new=correction.facts)
    return change_at(ledger, admitted, Corrected(correction, None, then.revision), then, [line], moved=False)


def _applied(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    correction: Correction,
    entry: Entry,
    decided: Write,
    act: Act,
) -> Change[Corrected]:
    """The new versions that a correction leads to, and the sitting as it then stands."""
    actor, row = admitted.actor, ledger.row(correction.entry_id)
    plan = plans(ledger, row, entry)[correction.treatment]
    rows = {one.position: one for one in ledger.effective}
    new_row: LedgerEntry | None = None
    writes: list[Write] = []
    for index, (place, judged) in enumerate(plan.entries):
        old = rows[place]
        over = index >= plan.counted
        if not over and judged.to_json() == old.facts:
            continue
        writes.append(moved(old, EntryStatus.SUPERSEDED))
        if over:
            continue
        added = _next_version(ledger, actor, at, old, judged, correction.reason)
        writes.append(Add(added))
        new_row = added if place == row.position else new_row
    if new_row is None:
        raise MatchOver()
    writes.append(decided)
    if plan.state.finished:
        writes += [moved(claim, EntryStatus.OVERRULED) for claim in ledger.pending]
        writes.append(disputes_closed(ledger, actor, at))
    phase = SittingPhase(ledger.sitting.phase)
    if phase == SittingPhase.FINISHED and not plan.state.finished and not ruled_on_match(ledger):
        phase = SittingPhase.PLAYING
    then = after(ledger, writes, at=at, phase=phase, counts=True)
    line = _line(
        ledger,
        act,
        correction,
        reason=correction.reason,
        old={"entry": row, **row.facts},
        new={"entry": new_row, **new_row.facts, "treatment": correction.treatment},
    )
    return change_at(ledger, admitted, Corrected(correction, new_row, then.revision), then, [line], moved=True)


def _next_version(
    ledger: Ledger, actor: Actor, at: datetime, old: LedgerEntry, entry: Entry, reason: str
) -> LedgerEntry:
    return ledger.entry(
        board_id=old.board_id,
        position=old.position,
        version=ledger.next_version(old.position),
        kind=EntryKind(entry.kind),
        hand_no=old.hand_no,
        facts=entry.to_json(),
        status=EntryStatus.EFFECTIVE,
        entered_by=actor.user,
        entered_at=at,
        basis=Basis.RULING,
        reason=reason,
    )


def _open_correction(correction_id: int) -> tuple[Ledger, Correction]:
    try:
        entry_id = Correction.objects.values_list("entry_id", flat=True).get(pk=correction_id)
    except (Correction.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger, _ = open_ledger_of_entry(entry_id, lock=True)
    return ledger, Correction.objects.get(pk=correction_id)


def _refuse_unless_proposed(correction: Correction) -> None:
    if correction.status != Correction.Status.PROPOSED:
        raise refusal("correction_decided", current={"correction": correction.pk, "status": str(correction.status)})


def _decided(correction: Correction, status: Correction.Status, actor: Actor | None, at: datetime) -> Move:
    by = actor.user if actor is not None else None
    return Move(correction, {"status": status, "decided_at": at, "decided_by": by}, {"status": correction.status})


def _line(ledger: Ledger, act: Act, correction: Correction, *, reason: str = "", old: Any = None, new: Any) -> Line:
    return Line(act, ("correction", correction), reason, old, new, ledger.sitting)

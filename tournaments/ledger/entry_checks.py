"""What may be entered in a ledger now: numbers, kinds, who may state what, and which entry an answer is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.hands.entries import HandSheet
from scoring.individual.entries import IndividualHand

from ..acts.admission import Actor
from ..acts.errors import BAD_REQUEST, FORBIDDEN, UNPROCESSABLE, Refusal, Stale
from ..models import EntryKind, EntryStatus, LedgerEntry, ScoredBy, SittingPhase
from ..sittings.games import Entry
from ..sittings.ledgers import Ledger, current_of
from .judging import (
    HAND_KINDS,
    MatchOver,
    findings_on,
    others_of,
    party_name,
    read_facts,
    refusal,
    refuse_if_blocked,
    refuse_unless_running,
)


class AlreadyRecorded(Refusal):
    """The hand number is taken: an entry waits for its answer, or counts already."""

    def __init__(self, ledger: Ledger, hand_no: int, actor: Actor) -> None:
        waiting = ledger.waiting
        if waiting is None or waiting.hand_no != hand_no:
            message = {
                "en": f"Hand {hand_no} is recorded already. Look at the record.",
                "zh": f"第 {hand_no} 副已经录好，请看记录。",
            }
        elif waiting.entered_side == actor.side:
            other = others_of(waiting.entered_side)
            message = {
                "en": f"You have entered hand {hand_no}; it waits for {other['en']}.",
                "zh": f"第 {hand_no} 副你们已经录入，正等{other['zh']}确认。",
            }
        else:
            side = party_name(waiting.entered_side)
            message = {
                "en": f"Hand {hand_no} was entered by {side['en']}; please check it.",
                "zh": f"第 {hand_no} 副已由{side['zh']}录入，请核对确认。",
            }
        super().__init__("already_recorded", message=message, params={"hand_no": hand_no}, current=current_of(ledger))


def hand_number(value: object) -> int:
    if type(value) is not int or not 0 < value < 1_000:
        raise refusal("bad_hand_number", status=UNPROCESSABLE, field="hand_no")
    return value


def refuse_unless_open(ledger: Ledger) -> None:
    """Hands are entered while the round runs and the match goes on."""
    refuse_unless_running(ledger)
    if ledger.sitting.phase == SittingPhase.FINISHED:
        raise MatchOver()


def new_entry(ledger: Ledger, actor: Actor, facts: Mapping[str, Any]) -> Entry:
    """The hand an actor wants to enter here and now; refused when he may not enter such a thing, or nothing at all."""
    refuse_unless_open(ledger)
    if actor.side is not None and ledger.sitting.scored_by == ScoredBy.REFEREE:
        raise refusal("scored_by_referee", status=FORBIDDEN)
    if ledger.sitting.phase == SittingPhase.DISPUTED:
        raise _in_dispute()
    entry = hand_entry(ledger, facts)
    if actor.side is not None:
        _refuse_rulings_of_sides(entry)
    return entry


def hand_entry(ledger: Ledger, facts: Mapping[str, Any]) -> Entry:
    entry = read_facts(ledger.profile, facts)
    refuse_adjusted_hand(ledger, entry)
    if entry.kind not in HAND_KINDS:
        raise refusal(
            "kind_not_here", "Only a hand can be entered here.", "这里只能录一副牌。", status=BAD_REQUEST, field="kind"
        )
    return entry


def refuse_adjusted_hand(ledger: Ledger, entry: Entry) -> None:
    """On boards an official's result stands beside the hand, for each side (`tournaments.boards.results`)."""
    if entry.kind == EntryKind.ADJUSTED and ledger.sitting.boards is not None:
        raise refusal("adjust_the_board", field="kind")


def _refuse_rulings_of_sides(entry: Entry) -> None:
    """Sides write down what happened; totals without parts, adjustments, treatments and rulings are for officials."""
    field = None
    if isinstance(entry, HandSheet | IndividualHand):
        parts = {
            "total_only": entry.total_only is not None,
            "adjustments": bool(entry.adjustments),
            "treatment": entry.treatment is not None,
        }
        field = next((name for name, stated in parts.items() if stated), None)
    elif entry.kind == EntryKind.ADJUSTED:
        field = "kind"
    elif getattr(entry, "reason", "") == "ruling":
        field = "reason"
    if field is not None:
        raise refusal("officials_only", status=FORBIDDEN, field=field)


def refuse_wrong_number(ledger: Ledger, actor: Actor, number: int) -> None:
    due = ledger.sitting.hand_no
    if number < due:
        raise AlreadyRecorded(ledger, number, actor)
    if number > due:
        raise refusal(
            "hand_skipped",
            f"Hand {due} comes next; you entered hand {number}.",
            f"下一副是第 {due} 副，你录的是第 {number} 副。",
            field="hand_no",
            params={"due": due, "hand_no": number},
            current=current_of(ledger),
        )


def refuse_in_dispute(ledger: Ledger) -> None:
    if ledger.sitting.phase == SittingPhase.DISPUTED:
        raise _in_dispute()


def _in_dispute() -> Refusal:
    return refusal("disputed")


def pending_row(ledger: Ledger, entry_id: int, version: int | None) -> LedgerEntry:
    row = ledger.row(entry_id)
    if version is not None and version != row.version:
        raise Stale(current_of(ledger))
    if row.status in (EntryStatus.EFFECTIVE, EntryStatus.SUPERSEDED):
        raise refusal("already_confirmed", current=current_of(ledger))
    if row not in ledger.pending:
        raise Stale(current_of(ledger))
    return row


def refuse_if_not_countable(ledger: Ledger, row: LedgerEntry) -> None:
    entry = ledger.read(row)
    refuse_if_blocked(ledger, entry, findings_on(ledger, ledger.fold_before(row.position), entry))

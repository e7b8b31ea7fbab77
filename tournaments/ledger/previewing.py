"""What the sheet of a hand would do if it were entered now: findings, total, levels, next dealer. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.hands.findings import Finding, Refused
from scoring.individual.states import IndividualEntryResult
from scoring.sittings.states import EntryResult

from ..acts.access import Act, Actor
from ..sittings.after_time import finding_at
from ..sittings.games import State, as_played, game_of
from ..sittings.ledgers import open_ledger
from .entering import hand_entry, hand_number
from .judging import SheetRejected, admit, findings_on


@dataclass(frozen=True, slots=True)
class Preview:
    """What a sheet would do: its findings, its result with reasons (None when it does not count), the state after."""

    findings: tuple[Finding, ...]
    result: EntryResult | IndividualEntryResult | None
    state: State


def preview(*, sitting_id: int, actor: Actor, facts: Mapping[str, Any], hand_no: int | None = None) -> Preview:
    """What a sheet would do, judged as `record_hand` judges it. Reads only; findings are told, not raised."""
    ledger = open_ledger(sitting_id, lock=False)
    admit(actor, Act.ENTER_HAND, ledger)
    number = ledger.sitting.hand_no if hand_no is None else hand_number(hand_no)
    position = ledger.position_of_hand(number)
    before = ledger.fold_before(position)
    try:
        entry = as_played(ledger.profile, hand_entry(ledger, facts), before)
    except SheetRejected as rejected:
        return Preview(rejected.findings, None, before)
    findings = findings_on(ledger, before, entry) + finding_at(ledger.sitting, ledger.rows, position)
    if any(one.blocking for one in findings):
        return Preview(findings, None, before)
    try:
        state, result = game_of(ledger.profile).step(ledger.profile, ledger.conditions, before, entry, reasons=True)
    except Refused as refused:
        return Preview(refused.findings, None, before)
    return Preview(findings, result, replace(state, entries=(result,)))

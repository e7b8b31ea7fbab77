"""What the sheet of a hand would do if it were entered now: findings, total, levels, next dealer. Writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.hands.findings import Finding, Refused
from scoring.individual.states import IndividualEntryResult
from scoring.sittings.states import EntryResult

from ..acts.access import Act
from ..acts.admission import Actor
from ..sittings.games import State, game_of
from ..sittings.ledgers import open_ledger
from .deciding import judged
from .entry_checks import hand_entry, hand_number
from .judging import SheetRejected, admit


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
    try:
        seen = judged(ledger, hand_entry(ledger, facts), number, at_the_table=True)
    except SheetRejected as rejected:
        return Preview(rejected.findings, None, ledger.fold_before(ledger.position_of_hand(number)))
    if any(one.blocking for one in seen.findings):
        return Preview(seen.findings, None, seen.before)
    before, game = seen.before, game_of(ledger.profile)
    try:
        state, result = game.step(ledger.profile, ledger.conditions, before, seen.entry, reasons=True)
    except Refused as refused:
        return Preview(refused.findings, None, before)
    return Preview(seen.findings, result, replace(state, entries=(result,)))

"""The answer to a write on a hand, and what closes the act: history, kept answer, told pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.hands.findings import Finding

from ..acts.access import Act, Actor
from ..models import LedgerEntry, Sitting, SittingPhase
from ..sittings.ledgers import Ledger
from .judging import finish_act, note, write_sitting


@dataclass(frozen=True, slots=True)
class Recorded:
    """The answer to a write on a hand.

    `answer` is waiting, confirmed, disputed, taken_back or sent_back; `differing` names the fields in which two
    independent entries differ; `status` and `revision` are those after it.
    """

    entry: LedgerEntry
    sitting: Sitting
    answer: str
    status: str
    revision: int
    differing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def close_act(
    ledger: Ledger,
    actor: Actor,
    at: datetime,
    row: LedgerEntry,
    act: Act,
    phase: SittingPhase,
    answer: str,
    *,
    reason: str = "",
    old: Any = None,
    new: Any = None,
    counts: bool = False,
) -> Recorded:
    """The end of an act on one entry: the sitting written, the history noted, the answer kept, the pages told."""
    write_sitting(ledger, at=at, phase=phase, state=ledger.fold() if counts else None)
    note(ledger, actor, at, act, f"entry:{row.pk}", reason=reason, old=old, new=new)
    recorded = answered(ledger, row, answer)
    finish_act(ledger, moved=counts or phase == SittingPhase.DISPUTED, public=counts)
    return recorded


def answered(ledger: Ledger, row: LedgerEntry, answer: str) -> Recorded:
    """The answer to an act that has just been written."""
    return Recorded(row, ledger.sitting, answer, str(row.status), ledger.sitting.revision)

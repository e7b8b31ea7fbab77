"""The answer to a write on a hand."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hands.findings import Finding

from ..models import LedgerEntry, Sitting


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a hand.

    `answer` is waiting, confirmed, disputed, taken_back or sent_back; `differing` names the fields in which two
    independent entries differ; `status` and `revision` are what the act made them.
    """

    entry: LedgerEntry
    sitting: Sitting
    answer: str
    status: str
    revision: int
    differing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

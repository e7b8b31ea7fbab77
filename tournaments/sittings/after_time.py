"""Hands that were begun after time: they are played and recorded, and a referee decides whether they count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Final

from scoring.hands.findings import Finding, refusal

from ..models import EntryKind, EntryStatus, LedgerEntry, Ruling, RulingStatus, Sitting, TieRule
from .clock import time_over

_HANDS: Final = frozenset({EntryKind.HAND, EntryKind.ANNULLED, EntryKind.ADJUSTED})
#: Versions that were once at the table: what an official overruled or a side took back was no hand played.
_PLAYED: Final = frozenset({EntryStatus.EFFECTIVE, EntryStatus.SUPERSEDED, EntryStatus.WAITING})
OFF_TIME: Final = "off_time"

BEGUN_AFTER_TIME: Final[Finding] = replace(
    refusal(
        "begun_after_time",
        "hand_no",
        "Time was over before this hand was begun. A referee decides whether it counts.",
        "这一副在到时之后才开打，是否有效由裁判决定。",
    ),
    blocking=False,
)


def late_positions(sitting: Sitting, rows: Iterable[LedgerEntry], *, asked: int | None = None) -> list[int]:
    """The places of the ledger whose hand was begun after time: the one before was entered when time was over.

    `asked` is a place that may have no entry yet. The hand that decides equal levels is no such hand.
    """
    over = time_over(sitting)
    if over is None or sitting.round.stage.tie_rule == TieRule.EXTRA_HAND:
        return []
    entered: dict[int, datetime] = {}
    for row in rows:
        if row.kind in _HANDS and row.status in _PLAYED:
            entered[row.position] = min(row.entered_at, entered.get(row.position, row.entered_at))
    places = sorted({*entered, *([] if asked is None else [asked])})
    return [place for before, place in pairwise(places) if before in entered and entered[before] >= over]


def finding_at(sitting: Sitting, rows: Iterable[LedgerEntry], position: int) -> tuple[Finding, ...]:
    """What to say of a hand that is entered at this place of the ledger."""
    return (BEGUN_AFTER_TIME,) if position in late_positions(sitting, rows, asked=position) else ()


def undecided_hands(sitting: Sitting) -> list[int]:
    """Numbers of the hands that were begun after time and on which nobody has ruled."""
    rows = list(LedgerEntry.objects.filter(sitting=sitting).order_by("position", "version"))
    late = set(late_positions(sitting, rows))
    numbers = {row.hand_no for row in rows if row.position in late and row.status == EntryStatus.EFFECTIVE}
    rulings = Ruling.objects.filter(sitting=sitting).exclude(status=RulingStatus.CANCELLED)
    known = rulings.values_list("hand_no", "facts")
    ruled = {number for number, facts in known if facts.get("irregularity") == OFF_TIME}
    return sorted(number for number in numbers if number is not None and number not in ruled)

"""A hand in dispute: the account of each side, what each would give, and whether the difference matters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.hands.findings import Refused
from scoring.individual.states import IndividualEntryResult
from scoring.sittings.states import EntryResult
from scoring.values import Text

from ..models import EntryStatus, LedgerEntry, Sitting
from ..sittings.games import State, parties_of
from ..sittings.records import fold_of, read_entries

PENDING = (EntryStatus.WAITING, EntryStatus.CONTESTING)


@dataclass(frozen=True, slots=True)
class Claim:
    """One account of a hand, judged after the ledger as it stands: what it gives and the state it leads to; where it
    cannot be judged, both are None and `refused` says why (None too: the match is over before it)."""

    entry: LedgerEntry
    result: EntryResult | IndividualEntryResult | None
    state: State | None
    refused: Text | None = None


def claims_among(sitting: Sitting, rows: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """The accounts that stand against each other, in the order of the places at the table.

    Those that wait for an answer; where there are none, because each was sent back, the last one of each side.
    """
    found = list(rows)
    standing = [row for row in found if row.status in PENDING]
    if not standing:
        back = [row for row in found if row.status == EntryStatus.RETURNED and row.hand_no == sitting.hand_no]
        standing = list({row.entered_side: row for row in sorted(back, key=lambda row: row.pk)}.values())
    places = list(parties_of(sitting.round.tournament.profile))
    return tuple(sorted(standing, key=lambda row: places.index(row.entered_side) if row.entered_side else -1))


def judged(sitting: Sitting, ledger: Sequence[Mapping[str, Any]], entry: LedgerEntry) -> Claim:
    """What an account would give after the entries that count (`ledger`: their facts, in order)."""
    try:
        entries = read_entries(sitting, (*ledger, entry.facts))
        state, counted = fold_of(sitting, entries, reasons=True)
    except Refused as refused:
        return Claim(entry, None, None, refused.message)
    if counted < len(entries):
        return Claim(entry, None, None)
    return Claim(entry, state.entries[-1], state)


def differing_fields(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields in which two accounts of one hand differ, in the order of the sheet; the order of shapes and of
    failed throws says nothing."""
    names = dict.fromkeys([*ours, *theirs])
    return tuple(name for name in names if _unordered(ours.get(name)) != _unordered(theirs.get(name)))


def _unordered(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(json.dumps(item, sort_keys=True) for item in value)
    return value


def differing(entries: Sequence[LedgerEntry]) -> tuple[str, ...]:
    """The fields in which the accounts of a hand differ; none where there is only one."""
    return differing_fields(entries[0].facts, entries[-1].facts) if len(entries) > 1 else ()


def matters(claims: Sequence[Claim]) -> bool | None:
    """Whether the accounts lead to different levels, dealers or ends; None when one of them cannot be judged."""
    ends = [(one.state.position, one.state.finished) for one in claims if one.state is not None]
    if len(claims) < 2 or len(ends) < len(claims):
        return None
    return any(end != ends[0] for end in ends)

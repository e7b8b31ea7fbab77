"""Reads of the table's pages: one sitting's entries, calls and folded state, in a fixed number of queries."""

from __future__ import annotations

from ..models import Call, EntryStatus, LedgerEntry, Sitting
from .games import State
from .records import fold_of, read_entries


def entries_of(sitting: Sitting) -> list[LedgerEntry]:
    """Every entry of a sitting in every version, in the order of the ledger."""
    return list(LedgerEntry.objects.filter(sitting=sitting).order_by("position", "version"))


def folded(sitting: Sitting, entries: list[LedgerEntry]) -> State:
    """The state after those of the entries that count, up to the end of the match, with reasons.

    No query; the sitting carries its round with stage and tournament.
    """
    counted = (entry.facts for entry in entries if entry.status == EntryStatus.EFFECTIVE)
    return fold_of(sitting, read_entries(sitting, counted), reasons=True)[0]


def open_calls(sitting: Sitting) -> list[Call]:
    """The calls of a sitting that nobody has closed, oldest first."""
    calls = Call.objects.filter(sitting=sitting, closed_at=None).select_related("taken_by", "sitting")
    return list(calls.order_by("called_at", "pk"))


def calls_before(call: Call) -> int:
    """How many tables of the same round wait longer for a referee that is not on the way yet."""
    earlier = Call.objects.filter(
        sitting__round=call.sitting.round_id, closed_at=None, taken_at=None, called_at__lt=call.called_at
    )
    return earlier.exclude(sitting=call.sitting_id).values("sitting").distinct().count()

"""Reads of the table's pages: one sitting's entries, calls and folded state, in a fixed number of queries."""

from __future__ import annotations

from ..models import Call, LedgerEntry, Sitting


def entries_of(sitting: Sitting) -> list[LedgerEntry]:
    """Every entry of a sitting in every version, in the order of the ledger."""
    return list(sitting.entries.order_by("position", "version"))


def open_calls(sitting: Sitting) -> list[Call]:
    """The calls of a sitting that nobody has closed, oldest first."""
    return list(sitting.calls.filter(closed_at=None).select_related("taken_by").order_by("called_at", "pk"))


def calls_before(call: Call) -> int:
    """How many calls of the same round wait longer and are not taken yet."""
    return (
        Call.objects.filter(
            sitting__round=call.sitting.round_id, closed_at=None, taken_at=None, called_at__lt=call.called_at
        )
        .exclude(sitting=call.sitting_id)
        .count()
    )

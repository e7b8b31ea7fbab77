"""Where the tables of an event stand: as saved, else in rows by their numbers."""

from __future__ import annotations

from ..models import Table, Tournament
from .layout import Place, Plan, completed


def plan_of(event: Tournament) -> Plan:
    """The plan of the hall, in one query."""
    rows = Table.objects.filter(tournament=event).values_list("number", "place__row", "place__column")
    found = {number: (row, column) for number, row, column in rows.order_by("number")}
    return completed(found, {n: Place(row, column) for n, (row, column) in found.items() if row is not None})

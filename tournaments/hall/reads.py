"""Where the tables of an event stand, as saved, else in rows by their numbers; and where an official is."""

from __future__ import annotations

from django.db.models import Q
from django.db.models.functions import Coalesce

from ..models import Call, HallFixture, Table, Tournament, User
from .layout import Fixture, Place, Plan, completed


def plan_of(event: Tournament) -> Plan:
    """The plan of the hall, in two queries."""
    rows = Table.objects.filter(tournament=event).values_list("number", "place__row", "place__column")
    found = {number: (row, column) for number, row, column in rows.order_by("number")}
    known = {n: Place(row, column) for n, (row, column) in found.items() if row is not None}
    if not known:
        return completed(found, known)
    others = HallFixture.objects.filter(tournament=event).order_by("row", "column").values_list("kind", "row", "column")
    return completed(found, known, tuple(Fixture(kind, Place(row, column)) for kind, row, column in others))


def served_last(event: Tournament, person: User | None) -> int | None:
    """The number of the table whose call an official took or dealt with last: that is where he is, or goes to."""
    calls = Call.objects.filter(Q(taken_by=person) | Q(closed_by=person), sitting__round__tournament=event)
    latest = calls.order_by(Coalesce("closed_at", "taken_at").desc(), "-pk")
    return None if person is None else latest.values_list("sitting__table__number", flat=True).first()

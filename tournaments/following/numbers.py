"""Which numbers a laptop gives its rows: from a range of its own, so that its events are free to go on elsewhere.

The log names rows by their numbers (ids), so an event keeps them wherever it moves. A new laptop draws its range by
lot, one of a million with ten million numbers each, and what lies below all of them is left to federations, which count
from 1. A laptop that was in use before there were ranges goes on as it did.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Final

from django.db import connection, transaction
from django.db.models import Model

from ..models import User
from .feed import TABLES

RANGE: Final = 10_000_000
#: The first and last range of a new laptop. Numbers above the last are given out too (`leave`), all below 2 ** 53, so
#: that JavaScript counts them exactly.
FIRST, LAST = 1_000, 1_000_000
BELOW: Final = FIRST * RANGE


def begin(chance: Random) -> None:
    """A laptop without a row draws its range; tables that an upgrade brought begin in the range of the others."""
    if connection.vendor != "sqlite":
        return
    last = _last_numbers()
    if not any(last.values()):
        _begin_at(chance.randint(FIRST, LAST), last)
    elif (own := own_range()) >= FIRST:
        _begin_at(own, (table for table, number in last.items() if number == 0))


def leave(before: int, chance: Random) -> None:
    """Rows came in with numbers above those of this laptop, and SQLite would go on behind them, in the range of another
    one: take a new range above all. `before`: the range as it was."""
    if connection.vendor == "sqlite" and (now := own_range()) != before:
        _begin_at(now + chance.randint(1, LAST), _last_numbers())


def own_range() -> int:
    """In which range new rows of this laptop get their numbers; 0 where it is none, and on PostgreSQL."""
    return max(_last_numbers().values()) // RANGE if connection.vendor == "sqlite" else 0


def _last_numbers() -> dict[str, int]:
    """The largest number that each table ever had, of those that move."""
    tables: list[type[Model]] = [User, *(one.model for one in TABLES.values() if one.model._meta.auto_field)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence")
        last = dict(cursor.fetchall())
    return {model._meta.db_table: int(last.get(model._meta.db_table, 0)) for model in tables}


def _begin_at(which: int, tables: Iterable[str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, which * RANGE])

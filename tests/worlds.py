"""Events that many tests begin with are made once in a worker and copied from then on.

A builder marked with `kept` is called as ever. What it wrote is remembered at its second call with the same plain
arguments: the rows that were not there before, as PostgreSQL prints them. From the third call on, a test in a
transaction of its own gets exactly these rows in one statement, and its own copies of the objects. A test that asks
twice gets two different events. Everywhere else (SQLite, no transaction, arguments that are rows) the builder builds.
"""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from django.core.cache import cache as shared
from django.db import connection
from django.utils import translation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
R = TypeVar("R")

#: Tables that no event writes to.
STANDING: Final = frozenset(
    {"auth_group", "auth_group_permissions", "auth_permission", "django_content_type", "django_migrations"}
)
PLAIN: Final = (str, int, float, bool, type(None), Enum, date, timedelta)
_UNKEPT: Final = object()


@dataclass(frozen=True)
class World:
    """One event as it was built: the statement that writes it again, the id of its tournament, the pickled answer."""

    script: str
    tournament: int
    answer: bytes


_calls: Counter[Any] = Counter()
_worlds: dict[Any, list[World]] = {}


def kept(build: Callable[P, R]) -> Callable[P, R]:
    """The builder, whose events are copied where they can be."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.vendor != "postgresql" or not connection.in_atomic_block:
            return build(*args, **kwargs)
        wanted = _plain((args, kwargs))
        if wanted is _UNKEPT or not _is_superuser():
            return build(*args, **kwargs)
        key = (build.__module__, build.__qualname__, translation.get_language(), repr(wanted))
        there = _tournaments()
        for world in _worlds.get(key, ()):
            if world.tournament not in there:
                return _copy(world, first=not there)
        _calls[key] += 1
        if _calls[key] == 1:
            return build(*args, **kwargs)
        before = _rows()
        answer = build(*args, **kwargs)
        if world := _remembered(answer, before, there):
            _worlds.setdefault(key, []).append(world)
        return answer

    return built


def _plain(value: Any) -> Any:
    """The arguments in a form that equal ones share; `_UNKEPT` where one of them is no plain value."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, dict):
        made = [(name, _plain(value[name])) for name in sorted(value, key=repr)]
    elif isinstance(value, list | tuple):
        made = [_plain(one) for one in value]
    else:
        return _UNKEPT
    return _UNKEPT if any(one is _UNKEPT or (isinstance(one, tuple) and one[-1] is _UNKEPT) for one in made) else made


def _copy(world: World, *, first: bool) -> Any:
    if first:  # what caches know of these numbers they know from another test
        from tournaments.acts import announce

        shared.clear()
        announce._slug.cache_clear()
        announce._on_boards.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute(world.script)
    return pickle.loads(world.answer)


def _remembered(answer: Any, before: Mapping[str, set[str]], there: set[int]) -> World | None:
    """The world that has come since then; None where what stood has changed too, or there is no one event in it."""
    after = _rows()
    if any(before[table] - after[table] for table in before):
        return None
    (tournament, *others) = [*(_tournaments() - there), None]
    if tournament is None or len(others) != 1:
        return None
    try:
        pickled = pickle.dumps(answer)
    except (TypeError, AttributeError, pickle.PicklingError):
        return None
    new = {table: sorted(after[table] - before[table]) for table in after}
    writes = [_insert(table, rows) for table, rows in new.items() if rows]
    # the rows stood together before: their guards and foreign keys have been asked
    return World("; ".join([*_guards(False), *writes, *_guards(True)]), tournament, pickled)


def _guards(on: bool) -> list[str]:
    return [f"SET LOCAL session_replication_role = {'origin' if on else 'replica'}"]


def _insert(table: str, rows: list[str]) -> str:
    columns = ", ".join(f'"{name}"' for name in _columns()[table])
    values = ", ".join("'" + row.replace("'", "''") + f'\'::"{table}"' for row in rows)
    return f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM unnest(ARRAY[{values}])'


def _rows() -> dict[str, set[str]]:
    """Every row of every table that events write to."""
    parts = [f"SELECT '{table}', row::text FROM \"{table}\" AS row" for table in _columns()]
    found: dict[str, set[str]] = {table: set() for table in _columns()}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts))
        for table, row in cursor.fetchall():
            found[table].add(row)
    return found


def _tournaments() -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM tournaments_tournament")
        return {row[0] for row in cursor.fetchall()}


@cache
def _is_superuser() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(cursor.fetchone()[0])


@cache
def _columns() -> dict[str, list[str]]:
    """The columns of each table that can be written, by name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables"
            " USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
            " AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position"
        )
        found: dict[str, list[str]] = {}
        for table, column in cursor.fetchall():
            if table not in STANDING:
                found.setdefault(table, []).append(column)
    return found

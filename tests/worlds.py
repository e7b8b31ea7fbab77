"""What many tests begin with is done once in a worker and copied from then on.

`kept` marks builders that make an event out of plain arguments; `kept_step` marks what is then done with it, where
the same rows stand and the same is asked. The rows that came of it are remembered as PostgreSQL prints them, and so is
the answer. Asked again, a test in a transaction of its own gets exactly these rows in one statement, and its own copies
of the objects. A test that asks a builder twice gets two different events. Everywhere else (SQLite, no transaction,
arguments that are no plain values) it is simply done.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, timedelta
from enum import Enum
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from django.core.cache import cache as shared
from django.db import connection, transaction
from django.db.models import Model
from django.utils import translation

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.utils import CursorWrapper

P = ParamSpec("P")
R = TypeVar("R")
Rows = dict[str, set[str]]

#: Tables that no event writes to.
STANDING: Final = frozenset(
    {"auth_group", "auth_group_permissions", "auth_permission", "django_content_type", "django_migrations"}
)
PLAIN: Final = (str, int, float, bool, type(None), Enum, date, timedelta)


@dataclass(frozen=True)
class Done:
    """What came of one call: the statement that writes its rows again, the tournaments among them, the answer."""

    script: str
    tournaments: frozenset[int]
    answer: bytes


_built: dict[Any, list[Done]] = {}
_steps: dict[Any, Done] = {}


def kept(build: Callable[P, R]) -> Callable[P, R]:
    """The builder, whose events are copied where they can be."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        key = _key(build, args, kwargs)
        if key is None:
            return build(*args, **kwargs)
        there = _tournaments()
        for done in _built.setdefault(key, []):
            if not done.tournaments & there:
                return _copy(done, first=not there)
        answer, done = _watched(lambda: build(*args, **kwargs))
        if done and done.tournaments:
            _built[key].append(done)
        return answer

    return built


def kept_step(act: Callable[P, R]) -> Callable[P, R]:
    """What is done with an event, copied where the same was done before to the same rows. It changes no argument."""

    @wraps(act)
    def acted(*args: P.args, **kwargs: P.kwargs) -> R:
        key = _key(act, args, kwargs)
        if key is None:
            return act(*args, **kwargs)
        key = (*key, _state())
        if key in _steps:
            return _copy(_steps[key], first=False)
        answer, done = _watched(lambda: act(*args, **kwargs))
        if done:
            _steps[key] = done
        return answer

    return acted


def from_the_start(build: Callable[[], R]) -> Callable[[], R]:
    """What `build` makes in an empty database, again each time it is asked for: every event is taken away before, also
    by a test whose transactions end. For many turns of one beginning."""
    done: list[Done] = []

    def begun() -> R:
        with transaction.atomic(), connection.cursor() as cursor:
            if not done:
                answer, first = _watched(build)
                assert first is not None
                done.append(first)
                return answer
            emptied = "; ".join(f'DELETE FROM "{table}"' for table in _columns())
            cursor.execute(f"{_guards(False)}; {emptied}; {_guards(True)}")
            answer = _copy(done[0], first=True)
        return answer

    return begun


def _key(of: Any, args: Any, kwargs: Any) -> tuple[Any, ...] | None:
    if connection.vendor != "postgresql" or not connection.in_atomic_block or not _is_superuser():
        return None
    try:
        return (of.__module__, of.__qualname__, translation.get_language(), repr(_plain((args, kwargs))))
    except TypeError:
        return None


def _plain(value: Any) -> Any:
    """The arguments in a form that equal ones share; TypeError where one of them has none."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, Model):
        return value._meta.label, value.pk
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__qualname__, [_plain(getattr(value, one.name)) for one in fields(value)]
    if isinstance(value, dict):
        return [(name, _plain(value[name])) for name in sorted(value, key=repr)]
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    raise TypeError(f"no plain value: {value!r}")


def _copy(done: Done, *, first: bool) -> Any:
    if first:  # what caches know of these numbers they know from another test
        from tournaments.acts import announce

        shared.clear()
        announce._slug.cache_clear()
        announce._on_boards.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute(done.script)
    return pickle.loads(done.answer)


def _watched(call: Callable[[], R]) -> tuple[R, Done | None]:
    """What the call answers, and how to have the same again; None where its answer cannot be copied."""
    there, before = _tournaments(), _rows()
    answer = call()
    after, made = _rows(), _tournaments() - there
    try:
        pickled = pickle.dumps(answer)
    except (TypeError, AttributeError, pickle.PicklingError):
        return answer, None
    gone = [_delete(table, before[table] - after[table]) for table in after if before[table] - after[table]]
    new = [_insert(table, after[table] - before[table]) for table in after if after[table] - before[table]]
    # the rows stood together before: their guards and foreign keys have been asked
    script = "; ".join([_guards(False), *gone, *new, _guards(True)])
    return answer, Done(script, frozenset(made), pickled)


def _guards(on: bool) -> str:
    return f"SET LOCAL session_replication_role = {'origin' if on else 'replica'}"


def _array(rows: set[str]) -> str:
    return "ARRAY[" + ", ".join("'" + row.replace("'", "''") + "'" for row in sorted(rows)) + "]"


def _delete(table: str, rows: set[str]) -> str:
    return f'DELETE FROM "{table}" AS row WHERE row::text = ANY ({_array(rows)})'


def _insert(table: str, rows: set[str]) -> str:
    columns = ", ".join(f'"{name}"' for name in _columns()[table])
    return f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM unnest({_array(rows)}::"{table}"[])'


def _rows() -> Rows:
    """Every row of every table that events write to."""
    found: Rows = {table: set() for table in _columns()}
    with connection.cursor() as cursor:
        _execute(cursor, "EXECUTE referee_rows")
        for table, row in cursor.fetchall():
            found[table].add(row)
    return found


def _state() -> str:
    """A digest of all of them."""
    with connection.cursor() as cursor:
        _execute(cursor, "EXECUTE referee_state")
        return str(cursor.fetchone()[0])


def _execute(cursor: CursorWrapper, statement: str) -> None:
    """One of two statements over all tables, which each connection prepares once."""
    cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE name IN ('referee_rows', 'referee_state')")
    if cursor.fetchone()[0] != 2:
        parts = [f"SELECT '{table}' AS named, row::text AS told FROM \"{table}\" AS row" for table in _columns()]
        every = " UNION ALL ".join(parts)
        cursor.execute(f"PREPARE referee_rows AS {every}")
        digest = "md5(string_agg(named || told, chr(10) ORDER BY named, told))"
        cursor.execute(f"PREPARE referee_state AS SELECT {digest} FROM ({every}) AS every")
    cursor.execute(statement)


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

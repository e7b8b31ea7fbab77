"""A change written in one statement: what an entry of a hand costs the database.

`commit` carries out any change, in a transaction of several statements, with rows locked since they were read. A hand
that is entered or confirmed is the daily work of a hall, so its change is written without that: what it was decided on
was read before, without a lock (`Still`), and the statement itself makes sure that it is still so, else it writes
nothing (`Stale`: read again). PostgreSQL takes it as one statement of common table expressions; the rows that the
decision rests on are locked first, in the order in which they are named. SQLite has one writer at a time: there the
same parts are carried out one by one in the transaction in which everything was read.

docs/decisions.md ("The entry path") shows both statements of an entry, and says what holds each fact.
"""

# ruff: noqa: S608 - names of tables and columns are those of our models, values are parameters

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection, models, transaction
from django.db.models import Model

from ..models import HistoryEntry, LedgerEntry, LogLeaf, Match, SavedAnswer, Sitting
from . import history, leaves
from .access import Actor
from .change import Add, Change, Move, tell, told_of
from .doorbell import count_at_table, ring_after_commit, slot_of
from .errors import Stale
from .leaves import Touched
from .prepared import prepared
from .rows import new_ids

#: Tables that a change may write to in one statement: none keeps versions, and no guard of one looks at another's rows
#: that the same statement writes.
PLAIN = frozenset({HistoryEntry, LedgerEntry, LogLeaf, Match, SavedAnswer, Sitting})


@dataclass(frozen=True, slots=True)
class Still:
    """A row with what must still stand in it when the change is written. `moves`: the change writes to it."""

    model: type[Model]
    where: Mapping[str, Any]
    moves: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """Adds a row, or moves one that must be there."""

    table: str
    columns: tuple[str, ...]
    casts: tuple[str, ...]
    values: tuple[Any, ...]
    where: tuple[str, ...] = ()
    wanted: tuple[Any, ...] = ()

    @property
    def adds(self) -> bool:
        return not self.where


def can_be_at_once(change: Change[Any]) -> bool:
    """Whether the change only adds to and moves in plain tables, and no row twice."""
    return (
        change.refused is None
        and (change.at_table is not None or not change.stale)
        and not change.over
        and not change.tables
        and all(isinstance(one, Add | Move) and type(one.row) in PLAIN for one in change.writes)
        and len({id(one.row) for one in change.writes if isinstance(one, Add | Move)}) == len(change.writes)
    )


def commit_at_once(
    change: Change[Any],
    actor: Actor,
    at: datetime,
    still: Iterable[Still],
    answer: Callable[[], SavedAnswer | None],
    next_line: int | None = None,
) -> None:
    """Write a change that can be at once, with the answer kept for its key and its leaf; whole or not at all.

    `answer` is asked when new rows know their ids: on PostgreSQL they have them before, on SQLite they get them here.
    `next_line`: the id that the first line of the history gets, where that was read before.
    """
    if change.admitted.actor != actor:
        raise ValueError("somebody else was admitted to this change")
    event = change.event or change.admitted.tournament
    assert event is not None

    def parts() -> Iterator[_Part]:
        touched = list[Touched]()
        for one in change.writes:
            assert isinstance(one, Add | Move)
            yield _added(one.row) if isinstance(one, Add) else _moved(one)
            touched += (
                leaves.added([one.row]) if isinstance(one, Add) else leaves.moved(type(one.row), [one.row.pk], one.to)
            )
        for place, line in enumerate(change.lines):
            row = history.line(**told_of(line, event, actor, at))
            row.pk = next_line if place == 0 else None
            yield _added(row)
            touched += leaves.added([row])
        if (kept := answer()) is not None:
            yield _added(kept)
        table = next((line.sitting.pk for line in change.lines if line.sitting is not None), None)
        if (leaf := leaves.leaf(event.pk, touched, at, table)) is not None:
            yield _added(leaf)

    at_table = change.at_table if change.stale else None
    counted = None if at_table is None else (event.pk, slot_of(at_table))
    if connection.vendor == "postgresql":
        _in_one_statement(parts(), still, counted)
    else:
        with transaction.atomic():
            _refuse_unless_still(still)
            _one_by_one(parts(), counted)
    for one in change.writes:
        if isinstance(one, Move):
            for name, value in one.to.items():
                setattr(one.row, name, value)
    tell(change.told, event)
    if change.stale:
        ring_after_commit(event.pk)


def _added(row: Model) -> _Part:
    """A new row. One that the log names has its id now: on SQLite, where nobody else writes meanwhile, the next."""
    if row.pk is None and isinstance(row, LedgerEntry | HistoryEntry):
        row.pk = new_ids(type(row), 1)[0]
    fields = [field for field in row._meta.concrete_fields if not (field.primary_key and row.pk is None)]
    values = tuple(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields)
    row._state.adding = False
    row._state.db = connection.alias
    return _Part(row._meta.db_table, tuple(map(_column, fields)), tuple(map(_cast, fields)), values)


def _moved(one: Move) -> _Part:
    model = type(one.row)
    named = [(_field(model, name), value) for name, value in one.to.items()]
    where, wanted = _wanted(model, {"pk": one.row.pk, **one.still})
    return _Part(
        model._meta.db_table,
        tuple(_column(field) for field, _ in named),
        tuple(_cast(field) for field, _ in named),
        tuple(_stored(field, value) for field, value in named),
        where,
        wanted,
    )


def _wanted(model: type[Model], still: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Conditions on a row, and their values."""
    where, wanted = [], []
    for name, value in still.items():
        field = _field(model, name)
        if value is None:
            where.append(f"{_column(field)} IS NULL")
        else:
            where.append(f"{_column(field)} = {_place(field)}")
            wanted.append(_stored(field, value))
    return tuple(where), tuple(wanted)


@lru_cache(maxsize=512)
def _field(model: type[Model], name: str) -> models.Field[Any, Any]:
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field


def _stored(field: models.Field[Any, Any], value: Any) -> Any:
    return field.get_db_prep_save(value.pk if isinstance(value, Model) else value, connection)


@lru_cache(maxsize=512)
def _column(field: models.Field[Any, Any]) -> str:
    """The name of its column; one has that of a word of SQL."""
    return connection.ops.quote_name(str(field.column))


def _place(field: models.Field[Any, Any]) -> str:
    """Where its value goes in a condition."""
    return f"%s::{_cast(field)}" if connection.vendor == "postgresql" else "%s"


@lru_cache(maxsize=512)
def _cast(field: models.Field[Any, Any]) -> str:
    """The type that PostgreSQL is told a parameter has; text for every length of it, so that none is cut."""
    kind = str(field.db_type(connection))
    return "text" if kind.startswith(("varchar", "char")) else kind


def _in_one_statement(parts: Iterable[_Part], still: Iterable[Still], counted: tuple[int, int] | None) -> None:
    """The rows that must still stand are locked in turn; where one does not, nothing is written.

    A row that is to be moved, stands as it was read and still cannot be found would be a fault of ours: then the whole
    statement fails.
    """
    locks, shapes, params = list[_Lock](), list[_Shape](), list[Any]()
    for one in still:
        where, wanted = _wanted(one.model, one.where)
        locks.append((one.model._meta.db_table, where, one.moves))
        params += wanted
    for part in parts:
        given = tuple(_said(cast, value) for cast, value in zip(part.casts, part.values, strict=True))
        shapes.append((part.table, part.columns, given, part.where))
        params += [value for value in part.values if not _is_constant(value)]
        params += part.wanted
    params += counted or ()
    with prepared() as cursor:
        cursor.execute(_words(tuple(locks), tuple(shapes), counted is not None), params)
        if not cursor.fetchone()[0]:
            raise Stale()


#: A row to be locked: table, conditions, whether it is moved. A row to be written: table, columns, what they become,
#: conditions where it is there already.
_Lock = tuple[str, tuple[str, ...], bool]
_Shape = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _is_constant(value: Any) -> bool:
    """What is so often empty that it is said in the statement."""
    return value is None or (isinstance(value, str) and not value)


def _said(cast: str, value: Any) -> str:
    if not _is_constant(value):
        return f"%s::{cast}"
    return f"NULL::{cast}" if value is None else "''"


@lru_cache(maxsize=256)
def _words(locks: tuple[_Lock, ...], shapes: tuple[_Shape, ...], counts: bool) -> str:
    """The statement for changes of one kind: the same words each time, so that it stays prepared."""
    ctes, gate, found = list[str](), "", list[str]()
    for number, (table, where, moves) in enumerate(locks):
        held = " AND ".join(f"t.{condition}" for condition in where)
        before, lock = (f", {gate}" if gate else ""), ("NO KEY UPDATE" if moves else "SHARE")
        gate = f"held{number}"
        ctes.append(f"{gate} AS MATERIALIZED (SELECT 1 FROM {table} t{before} WHERE {held} FOR {lock} OF t)")
    for number, (table, columns, given, where) in enumerate(shapes):
        name = f"part{number}"
        if not where:
            ctes.append(f"{name} AS (INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(given)} FROM {gate})")
            continue
        moved = ", ".join(f"{column} = {value}" for column, value in zip(columns, given, strict=True))
        ctes.append(f"{name} AS (UPDATE {table} SET {moved} FROM {gate} WHERE {' AND '.join(where)} RETURNING 1)")
        found.append(f"EXISTS (SELECT 1 FROM {name})")
    if counts:
        ctes.append(f"counted AS ({count_at_table(f'FROM {gate}')})")
    all_found = " AND ".join(found) or "TRUE"
    return (
        f"WITH {', '.join(ctes)} SELECT count(*),"
        f" CASE WHEN count(*) = 1 AND NOT ({all_found}) THEN 1 / (count(*) - 1) END FROM {gate}"
    )


def _refuse_unless_still(still: Iterable[Still]) -> None:
    with connection.cursor() as cursor:
        for one in still:
            where, wanted = _wanted(one.model, one.where)
            cursor.execute(f"SELECT 1 FROM {one.model._meta.db_table} WHERE {' AND '.join(where)}", wanted)
            if cursor.fetchone() is None:
                raise Stale()


def _one_by_one(parts: Iterable[_Part], counted: tuple[int, int] | None) -> None:
    with connection.cursor() as cursor:
        for part in parts:
            if part.adds:
                places = ", ".join(["%s"] * len(part.values))
                cursor.execute(f"INSERT INTO {part.table} ({', '.join(part.columns)}) VALUES ({places})", part.values)
                continue
            columns = ", ".join(f"{column} = %s" for column in part.columns)
            sql = f"UPDATE {part.table} SET {columns} WHERE {' AND '.join(part.where)}"
            cursor.execute(sql, (*part.values, *part.wanted))
            if cursor.rowcount != 1:
                raise Stale()
        if counted is not None:
            cursor.execute(count_at_table("WHERE TRUE"), counted)

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

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import JSONField, Model

from ..models import HistoryEntry, LedgerEntry, LogLeaf, Match, SavedAnswer, Sitting, Tournament
from . import history, leaves
from .admission import Actor, refuse_unless_here
from .change import Add, Change, Move, said_after_commit, told_of
from .doorbell import count_at_table, count_at_tables, slot_of
from .errors import Stale
from .failures import lost_a_deadlock
from .leaves import Touched
from .prepared import prepared
from .protected import kind_of
from .rows import new_ids
from .text import Said

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
class _Columns:
    """Columns of one table, in an order: their fields, and how each stands in a statement: where its value goes, and
    said as nothing. `kinds`: values of just that type go to the database as they are."""

    table: str
    names: tuple[str, ...]
    fields: tuple[models.Field[Any, Any], ...]
    columns: tuple[str, ...]
    places: tuple[str, ...]
    nulls: tuple[str, ...]
    kinds: tuple[type | None, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """Adds a row, or moves one that must be there."""

    of: _Columns
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
    answers: Callable[[], Iterable[SavedAnswer]],
    next_lines: Sequence[int] = (),
) -> None:
    """Write a change that can be at once, with the answers kept for its keys and its leaf; whole or not at all.

    `answers` is asked when new rows know their ids: on PostgreSQL they have them before, on SQLite they get them here.
    `next_lines`: the ids that the first lines of the history get, where those were read before.
    """
    here = connections[DEFAULT_DB_ALIAS]
    event, counted = _begun(change, actor)
    parts = _parts(change, event, actor, at, answers, next_lines, here)
    if here.vendor == "postgresql":
        _in_one_statement(parts, still, counted, here)
    else:
        with transaction.atomic():
            _refuse_unless_still(still, here)
            _one_by_one(parts, counted, here)
    _written(change, event)


@dataclass(frozen=True, slots=True)
class OfSeveral:
    """One of several changes that are written together; the fields are what `commit_at_once` takes."""

    change: Change[Any]
    still: Sequence[Still]
    answers: Callable[[], Iterable[SavedAnswer]]
    next_lines: Sequence[int] = ()


def commit_each(several: Sequence[OfSeveral], actor: Actor, at: datetime) -> list[bool]:
    """Write several changes at once, each whole or not at all: which of them were written. Not written is what rests on
    a row that has moved on; it is no matter of the others. Each moves one row, and none a row of another."""
    here, written = connections[DEFAULT_DB_ALIAS], [False] * len(several)
    begun = [_begun(one.change, actor) for one in several]

    def parts(number: int) -> Iterator[_Part]:
        one = several[number]
        return _parts(one.change, begun[number][0], actor, at, one.answers, one.next_lines, here)

    if here.vendor == "postgresql":
        statement = _Several()
        for number, (one, (_, counted)) in enumerate(zip(several, begun, strict=True)):
            statement.take(number, parts(number), one.still, counted, here)
        for number in statement.carry_out():
            written[number] = True
    else:
        with transaction.atomic():
            for number, (one, (_, counted)) in enumerate(zip(several, begun, strict=True)):
                with suppress(Stale):
                    _refuse_unless_still(one.still, here)
                    written[number] = True
                if written[number]:
                    _one_by_one(parts(number), counted, here)
    for one, (event, _), done in zip(several, begun, written, strict=True):
        if done:
            _written(one.change, event)
    return written


def _begun(change: Change[Any], actor: Actor) -> tuple[Tournament, tuple[int, int] | None]:
    """The event of a change that may be written, and the counter that it raises."""
    if change.admitted.actor != actor:
        raise ValueError("somebody else was admitted to this change")
    event = change.event or change.admitted.tournament
    assert event is not None
    refuse_unless_here(event)
    at_table = change.at_table if change.stale else None
    return event, None if at_table is None else (event.pk, slot_of(at_table))


def _parts(
    change: Change[Any],
    event: Tournament,
    actor: Actor,
    at: datetime,
    answers: Callable[[], Iterable[SavedAnswer]],
    next_lines: Sequence[int],
    here: BaseDatabaseWrapper,
) -> Iterator[_Part]:
    """The rows of a change, of its history, of its leaf and of the answers."""
    touched = list[Touched]()
    for one in change.writes:
        assert isinstance(one, Add | Move)
        part, logged = _added(one.row, here) if isinstance(one, Add) else _moved(one, here)
        touched += logged
        yield part
    ids = iter(next_lines)
    for line in change.lines:
        row = history.line(**told_of(line, event, actor, at))
        row.pk = next(ids, None)
        part, logged = _added(row, here)
        touched += logged
        yield part
    table = next((line.sitting.pk for line in change.lines if line.sitting is not None), None)
    leaf = leaves.leaf(event.pk, touched, at, table)
    for kept in answers():  # which may name the promise of the leaf
        yield _added(kept, here)[0]
    if leaf is not None:
        yield _added(leaf, here)[0]


def _written(change: Change[Any], event: Tournament) -> None:
    for one in change.writes:
        if isinstance(one, Move):
            for name, value in one.to.items():
                setattr(one.row, name, value)
    said_after_commit(change, event)


def _added(row: Model, here: BaseDatabaseWrapper) -> tuple[_Part, list[Touched]]:
    """A new row, and what the log says of it. One that the log names has its id now: on SQLite, where nobody else
    writes meanwhile, the next."""
    if row.pk is None and isinstance(row, LedgerEntry | HistoryEntry):
        row.pk = new_ids(type(row), 1)[0]
    of = _columns_of(type(row), row.pk is not None, here.vendor)
    said = row.__dict__
    given = [said[name] for name in of.names]
    if here.vendor == "postgresql":
        for place, kind in enumerate(of.kinds):
            if kind is JSONField and given[place] is not None:
                given[place] = Said.of(given[place])
    touched = list(leaves.added_as(row, dict(zip(of.names, given, strict=True))))
    row._state.adding = False
    row._state.db = here.alias
    return _Part(of, _ready(of, given, here)), touched


def _moved(one: Move, here: BaseDatabaseWrapper) -> tuple[_Part, list[Touched]]:
    """A row that moves, and what the log says of it."""
    model = type(one.row)
    of = _named(model, tuple(one.to), here.vendor)
    given: list[Any] = [value.pk if isinstance(value, Model) else value for value in one.to.values()]
    if here.vendor == "postgresql":
        for place, kind in enumerate(of.kinds):
            if kind is JSONField and given[place] is not None:
                given[place] = Said.of(given[place])
    touched = list(leaves.moved(model, [one.row.pk], dict(zip(one.to, given, strict=True))))
    where, wanted = _wanted(model, {"pk": one.row.pk, **one.still}, here)
    return _Part(of, _ready(of, given, here), where, wanted), touched


def _wanted(
    model: type[Model], still: Mapping[str, Any], here: BaseDatabaseWrapper
) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Conditions on a row, and their values."""
    given = [value.pk if isinstance(value, Model) else value for value in still.values()]
    nulls = tuple([value is None for value in given])
    where, of = _conditions(model, tuple(still), nulls, here.vendor)
    return where, _ready(of, [value for value in given if value is not None], here)


def _ready(of: _Columns, given: Iterable[Any], here: BaseDatabaseWrapper) -> tuple[Any, ...]:
    """Values as the database takes them; most are so already."""
    return tuple(
        [
            value
            if value is None or type(value) is kind or type(value) is Said
            else field.get_db_prep_save(value, here)
            for field, kind, value in zip(of.fields, of.kinds, given, strict=True)
        ]
    )


@lru_cache(maxsize=64)
def _columns_of(model: type[Model], with_key: bool, vendor: str) -> _Columns:
    """All columns of a table, the primary key where it is known."""
    fields = tuple(field for field in model._meta.concrete_fields if with_key or not field.primary_key)
    return _of_fields(model, tuple(field.attname for field in fields), fields, vendor)


@lru_cache(maxsize=256)
def _named(model: type[Model], names: tuple[str, ...], vendor: str) -> _Columns:
    fields = [model._meta.pk if name == "pk" else model._meta.get_field(name) for name in names]
    return _of_fields(model, names, tuple(field for field in fields if isinstance(field, models.Field)), vendor)


@lru_cache(maxsize=256)
def _conditions(
    model: type[Model], names: tuple[str, ...], nulls: tuple[bool, ...], vendor: str
) -> tuple[tuple[str, ...], _Columns]:
    """What must stand in columns, and those that have a value."""
    of = _named(model, names, vendor)
    place_of = of.places if vendor == "postgresql" else ("%s",) * len(names)
    where = tuple(
        f"{column} IS NULL" if is_null else f"{column} = {place}"
        for column, place, is_null in zip(of.columns, place_of, nulls, strict=True)
    )
    return where, _named(model, tuple(name for name, is_null in zip(names, nulls, strict=True) if not is_null), vendor)


def _of_fields(
    model: type[Model], names: tuple[str, ...], fields: tuple[models.Field[Any, Any], ...], vendor: str
) -> _Columns:
    """How fields stand in statements. PostgreSQL is told the type of each parameter: text for every length of it, so
    that none is cut. Names of columns are quoted: one has that of a word of SQL."""
    here = connections[DEFAULT_DB_ALIAS]
    kinds = [str(field.db_type(here)) for field in fields]
    casts = ["text" if kind.startswith(("varchar", "char")) else kind for kind in kinds]
    return _Columns(
        model._meta.db_table,
        names,
        fields,
        tuple(here.ops.quote_name(str(field.column)) for field in fields),
        tuple(f"%s::{cast}" for cast in casts),
        tuple(f"NULL::{cast}" for cast in casts),
        tuple(_goes_as_it_is(field, vendor) for field in fields),
    )


def _goes_as_it_is(field: models.Field[Any, Any], vendor: str) -> type | None:
    """Values of which type need no change on their way to the database; JSONField: it is said as a text first."""
    kind = kind_of(field)
    if kind is JSONField:
        return JSONField if vendor == "postgresql" else None
    return kind if kind in (int, str, bool) or (kind is datetime and vendor == "postgresql") else None


def _in_one_statement(
    parts: Iterable[_Part], still: Iterable[Still], counted: tuple[int, int] | None, here: BaseDatabaseWrapper
) -> None:
    """The rows that must still stand are locked in turn; where one does not, nothing is written.

    A row that is to be moved, stands as it was read and still cannot be found would be a fault of ours: then the whole
    statement fails.
    """
    locks, shapes, params = list[_Lock](), list[tuple[_Shape, int]](), list[Any]()
    for one in still:
        where, wanted = _wanted(one.model, one.where, here)
        locks.append((*_table_of(one.model), where, one.moves))
        params += wanted
    for part in parts:
        shape = _shape_of(part)
        if shapes and part.adds and shapes[-1][0] == shape:  # one more of the same kind
            shapes[-1] = (shape, shapes[-1][1] + 1)
        else:
            shapes.append((shape, 1))
        params += _said_of(part)
    params += counted or ()
    with prepared() as cursor, _deadlock_is_stale():
        cursor.execute(_words(tuple(locks), tuple(shapes), counted is not None), params)
        if not cursor.fetchone()[0]:
            raise Stale()


@contextmanager
def _deadlock_is_stale() -> Iterator[None]:
    """Whom PostgreSQL ends for another one to go on has lost a race like any other."""
    try:
        yield
    except OperationalError as error:
        if lost_a_deadlock(error):
            raise Stale() from None
        raise


#: A row to be locked: table and its primary key, conditions, whether it is moved. A row to be written: table, columns,
#: what they become, conditions where it is there already; of new rows there may be several of one kind.
_Lock = tuple[str, str, tuple[str, ...], bool]
_Shape = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _table_of(model: type[Model]) -> tuple[str, str]:
    """The table of a model, and the column of its primary key."""
    key = model._meta.pk
    assert key is not None
    assert key.column is not None
    return model._meta.db_table, key.column


def _shape_of(part: _Part) -> _Shape:
    """The words for a row; what is so often empty is said in them."""
    of = part.of
    given = [
        null if value is None else "''" if value == "" else place
        for value, place, null in zip(part.values, of.places, of.nulls, strict=True)
    ]
    return of.table, of.columns, tuple(given), part.where


def _said_of(part: _Part) -> list[Any]:
    """The values that go into the words for a row."""
    return [value for value in part.values if value is not None and value != ""] + list(part.wanted)


@lru_cache(maxsize=256)
def _words(locks: tuple[_Lock, ...], shapes: tuple[tuple[_Shape, int], ...], counts: bool) -> str:
    """The statement for changes of one kind: the same words each time, so that it stays prepared."""
    ctes, gate, found = list[str](), "", list[str]()
    for number, (table, _, where, moves) in enumerate(locks):
        held = " AND ".join(f"t.{condition}" for condition in where)
        before, lock = (f", {gate}" if gate else ""), ("NO KEY UPDATE" if moves else "SHARE")
        gate = f"held{number}"
        ctes.append(f"{gate} AS MATERIALIZED (SELECT 1 FROM {table} t{before} WHERE {held} FOR {lock} OF t)")
    for number, ((table, columns, given, where), times) in enumerate(shapes):
        name, listed = f"part{number}", ", ".join(columns)
        if not where:
            row = ", ".join(given)
            rows = ", ".join([f"({row})"] * times)
            source = f"SELECT {row} FROM {gate}"
            if times > 1:
                source = f"SELECT {listed} FROM {gate}, (VALUES {rows}) AS each_row ({listed})"
            ctes.append(f"{name} AS (INSERT INTO {table} ({listed}) {source})")
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


#: In the rows of several changes: which change, and its values.
_OF: Final = "of_change"
_VALUES: Final = tuple(f"c{number}" for number in range(64))


class _Several:
    """The statement for several changes, and what goes into it: the rows of each kind as one JSON list, so that its
    words are the same however many there are. All are texts there, and each is cast where it is used."""

    def __init__(self) -> None:
        self._locks: dict[_Lock, list[dict[str, Any]]] = {}
        self._shapes: dict[_Shape, list[dict[str, Any]]] = {}
        self._counted: list[dict[str, Any]] = []
        self._held: list[int] = []

    def take(
        self,
        number: int,
        parts: Iterable[_Part],
        still: Iterable[Still],
        counted: tuple[int, int] | None,
        here: BaseDatabaseWrapper,
    ) -> None:
        """One more change, by its number in their order."""
        held = 0
        for held, one in enumerate(still, 1):  # noqa: B007
            where, wanted = _wanted(one.model, one.where, here)
            self._add(self._locks, (*_table_of(one.model), where, one.moves), number, wanted)
        self._held.append(held)
        for part in parts:
            self._add(self._shapes, _shape_of(part), number, _said_of(part))
        if counted is not None:
            self._counted.append({_OF: number, "c0": counted[0], "c1": counted[1]})

    @staticmethod
    def _add(to: dict[Any, list[dict[str, Any]]], kind: Any, number: int, values: Iterable[Any]) -> None:
        row = dict(zip(_VALUES, values, strict=False))
        row[_OF] = number
        to.setdefault(kind, []).append(row)

    def carry_out(self) -> list[int]:
        """The changes that were written."""
        rows = [*self._locks.values(), self._held, *self._shapes.values(), self._counted]
        with prepared() as cursor, _deadlock_is_stale():
            words = _words_of_several(tuple(self._locks), tuple(self._shapes))
            cursor.execute(words, [json.dumps(one, default=datetime.isoformat) for one in rows])
            return [number for number, _ in cursor.fetchall()]


def _placed(words: Iterable[str], first: int = 0) -> tuple[list[str], int]:
    """Words with each value named as it comes, and how many values came."""
    placed = list[str]()
    for one in words:
        placed.append(one.replace("%s", f"r.{_VALUES[first]}"))
        first += "%s" in one
    return placed, first


def _listed(values: int) -> str:
    """The rows of a JSON list, with so many values each."""
    columns = "".join(f", {name} text" for name in _VALUES[:values])
    return f"json_to_recordset(%s::json) AS r({_OF} integer{columns})"


@lru_cache(maxsize=256)
def _words_of_several(locks: tuple[_Lock, ...], shapes: tuple[_Shape, ...]) -> str:
    """The statement for several changes of these kinds.

    The rows that they rest on are locked kind by kind, those of a kind in the order of their ids, so that two such
    statements never wait for each other; what was locked before is counted first for that. A change is written if all
    that it rests on was found.
    """
    ctes, moved = list[str](), list[str]()
    for number, (table, key, where, moves) in enumerate(locks):
        standing, values = _placed(f"t.{condition}" for condition in where)
        before = f" AND (SELECT count(*) FROM held{number - 1}) >= 0" if number else ""
        ctes.append(
            f"held{number} AS MATERIALIZED (SELECT r.{_OF} FROM {_listed(values)} JOIN {table} t"
            f" ON {' AND '.join(standing)}{before} ORDER BY t.{key} FOR {'NO KEY UPDATE' if moves else 'SHARE'} OF t)"
        )
    held = " UNION ALL ".join(f"SELECT {_OF} FROM held{number}" for number in range(len(locks)))
    ctes.append(
        f"gate AS MATERIALIZED (SELECT {_OF} FROM ({held}) h GROUP BY {_OF}"
        f" HAVING count(*) = CAST(%s::json ->> {_OF} AS bigint))"
    )
    for number, (table, columns, given, where) in enumerate(shapes):
        placed, values = _placed(given)
        if not where:
            source = f"SELECT {', '.join(placed)} FROM {_listed(values)} JOIN gate USING ({_OF})"
            ctes.append(f"part{number} AS (INSERT INTO {table} ({', '.join(columns)}) {source})")
            continue
        standing, values = _placed((f"t.{condition}" for condition in where), values)
        to = ", ".join(f"{column} = {value}" for column, value in zip(columns, placed, strict=True))
        ctes.append(
            f"part{number} AS (UPDATE {table} t SET {to} FROM {_listed(values)} JOIN gate USING ({_OF})"
            f" WHERE {' AND '.join(standing)} RETURNING 1)"
        )
        moved.append(f"(SELECT count(*) FROM part{number})")
    counters = f"SELECT r.c0::bigint, r.c1::integer, count(*) FROM {_listed(2)} JOIN gate USING ({_OF})"
    ctes.append(f"counted AS ({count_at_tables(f'{counters} GROUP BY 1, 2 ORDER BY 1, 2')})")
    return (
        f"WITH {', '.join(ctes)} SELECT {_OF}, CASE WHEN {' + '.join(moved)} <> (SELECT count(*) FROM gate)"
        f" THEN 1 / ({_OF} - {_OF}) END FROM gate"
    )


def _refuse_unless_still(still: Iterable[Still], here: BaseDatabaseWrapper) -> None:
    with here.cursor() as cursor:
        for one in still:
            where, wanted = _wanted(one.model, one.where, here)
            cursor.execute(f"SELECT 1 FROM {one.model._meta.db_table} WHERE {' AND '.join(where)}", wanted)
            if cursor.fetchone() is None:
                raise Stale()


def _one_by_one(parts: Iterable[_Part], counted: tuple[int, int] | None, here: BaseDatabaseWrapper) -> None:
    with here.cursor() as cursor:
        for part in parts:
            of = part.of
            if part.adds:
                places = ", ".join(["%s"] * len(part.values))
                cursor.execute(f"INSERT INTO {of.table} ({', '.join(of.columns)}) VALUES ({places})", part.values)
                continue
            columns = ", ".join(f"{column} = %s" for column in of.columns)
            sql = f"UPDATE {of.table} SET {columns} WHERE {' AND '.join(part.where)}"
            cursor.execute(sql, (*part.values, *part.wanted))
            if cursor.rowcount != 1:
                raise Stale()
        if counted is not None:
            cursor.execute(count_at_table("WHERE TRUE"), counted)

"""The words of the statements in which a change is written: its rows as columns and values, and the SQL around them.

Nothing is decided and nothing carried out here. The words say nothing of the values, so that changes of one kind have
the same words each time: they are made once, and PostgreSQL keeps them prepared.
"""

# ruff: noqa: S608 - names of tables and columns are those of our models, values are parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import JSONField, Model

from .doorbell import count_at_table, count_at_tables
from .protected import kind_of
from .text import Said


@dataclass(frozen=True, slots=True)
class Columns:
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
class Part:
    """Adds a row, or moves one that must be there."""

    of: Columns
    values: tuple[Any, ...]
    where: tuple[str, ...] = ()
    wanted: tuple[Any, ...] = ()

    @property
    def adds(self) -> bool:
        return not self.where


def conditions(
    model: type[Model], still: Mapping[str, Any], here: BaseDatabaseWrapper
) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Conditions on a row, and their values."""
    given = [value.pk if isinstance(value, Model) else value for value in still.values()]
    nulls = tuple([value is None for value in given])
    where, of = _worded(model, tuple(still), nulls, here.vendor)
    return where, ready(of, [value for value in given if value is not None], here)


def with_texts(of: Columns, given: list[Any]) -> list[Any]:
    """Values with each JSON as the text that it goes as, made once for its row and its commitment."""
    for place, kind in enumerate(of.kinds):
        if kind is JSONField and given[place] is not None:
            given[place] = Said.of(given[place])
    return given


def ready(of: Columns, given: Iterable[Any], here: BaseDatabaseWrapper) -> tuple[Any, ...]:
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
def columns_of(model: type[Model], with_key: bool, vendor: str) -> Columns:
    """All columns of a table, the primary key where it is known."""
    fields = tuple(field for field in model._meta.concrete_fields if with_key or not field.primary_key)
    return _of_fields(model, tuple(field.attname for field in fields), fields, vendor)


@lru_cache(maxsize=256)
def named(model: type[Model], names: tuple[str, ...], vendor: str) -> Columns:
    fields = [model._meta.pk if name == "pk" else model._meta.get_field(name) for name in names]
    return _of_fields(model, names, tuple(field for field in fields if isinstance(field, models.Field)), vendor)


@lru_cache(maxsize=256)
def _worded(
    model: type[Model], names: tuple[str, ...], nulls: tuple[bool, ...], vendor: str
) -> tuple[tuple[str, ...], Columns]:
    """What must stand in columns, and those that have a value."""
    of = named(model, names, vendor)
    place_of = of.places if vendor == "postgresql" else ("%s",) * len(names)
    where = tuple(
        f"{column} IS NULL" if is_null else f"{column} = {place}"
        for column, place, is_null in zip(of.columns, place_of, nulls, strict=True)
    )
    return where, named(model, tuple(name for name, is_null in zip(names, nulls, strict=True) if not is_null), vendor)


def _of_fields(
    model: type[Model], names: tuple[str, ...], fields: tuple[models.Field[Any, Any], ...], vendor: str
) -> Columns:
    """How fields stand in statements. PostgreSQL is told the type of each parameter: text for every length of it, so
    that none is cut. Names of columns are quoted: one has that of a word of SQL."""
    here = connections[DEFAULT_DB_ALIAS]
    kinds = [str(field.db_type(here)) for field in fields]
    casts = ["text" if kind.startswith(("varchar", "char")) else kind for kind in kinds]
    return Columns(
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


#: A row to be locked: table and its primary key, conditions, whether it is moved. A row to be written: table, columns,
#: what they become, conditions where it is there already; of new rows there may be several of one kind.
Lock = tuple[str, str, tuple[str, ...], bool]
Shape = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def table_of(model: type[Model]) -> tuple[str, str]:
    """The table of a model, and the column of its primary key."""
    key = model._meta.pk
    assert key is not None
    assert key.column is not None
    return model._meta.db_table, key.column


def shape_of(part: Part) -> Shape:
    """The words for a row; what is so often empty is said in them."""
    of = part.of
    given = [
        null if value is None else "''" if value == "" else place
        for value, place, null in zip(part.values, of.places, of.nulls, strict=True)
    ]
    return of.table, of.columns, tuple(given), part.where


def values_of(part: Part) -> list[Any]:
    """The values that go into the words for a row."""
    return [value for value in part.values if value is not None and value != ""] + list(part.wanted)


@lru_cache(maxsize=256)
def words(locks: tuple[Lock, ...], shapes: tuple[tuple[Shape, int], ...], counts: bool) -> str:
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
OF: Final = "of_change"
VALUES: Final = tuple(f"c{number}" for number in range(64))


def _placed(words: Iterable[str], first: int = 0) -> tuple[list[str], int]:
    """Words with each value named as it comes, and how many values came."""
    placed = list[str]()
    for one in words:
        placed.append(one.replace("%s", f"r.{VALUES[first]}"))
        first += "%s" in one
    return placed, first


def _listed(values: int) -> str:
    """The rows of a JSON list, with so many values each."""
    columns = "".join(f", {name} text" for name in VALUES[:values])
    return f"json_to_recordset(%s::json) AS r({OF} integer{columns})"


@lru_cache(maxsize=256)
def words_of_several(locks: tuple[Lock, ...], shapes: tuple[Shape, ...]) -> str:
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
            f"held{number} AS MATERIALIZED (SELECT r.{OF} FROM {_listed(values)} JOIN {table} t"
            f" ON {' AND '.join(standing)}{before} ORDER BY t.{key} FOR {'NO KEY UPDATE' if moves else 'SHARE'} OF t)"
        )
    held = " UNION ALL ".join(f"SELECT {OF} FROM held{number}" for number in range(len(locks)))
    ctes.append(
        f"gate AS MATERIALIZED (SELECT {OF} FROM ({held}) h GROUP BY {OF}"
        f" HAVING count(*) = CAST(%s::json ->> {OF} AS bigint))"
    )
    for number, (table, columns, given, where) in enumerate(shapes):
        placed, values = _placed(given)
        if not where:
            source = f"SELECT {', '.join(placed)} FROM {_listed(values)} JOIN gate USING ({OF})"
            ctes.append(f"part{number} AS (INSERT INTO {table} ({', '.join(columns)}) {source})")
            continue
        standing, values = _placed((f"t.{condition}" for condition in where), values)
        to = ", ".join(f"{column} = {value}" for column, value in zip(columns, placed, strict=True))
        ctes.append(
            f"part{number} AS (UPDATE {table} t SET {to} FROM {_listed(values)} JOIN gate USING ({OF})"
            f" WHERE {' AND '.join(standing)} RETURNING 1)"
        )
        moved.append(f"(SELECT count(*) FROM part{number})")
    counters = f"SELECT r.c0::bigint, r.c1::integer, count(*) FROM {_listed(2)} JOIN gate USING ({OF})"
    ctes.append(f"counted AS ({count_at_tables(f'{counters} GROUP BY 1, 2 ORDER BY 1, 2')})")
    return (
        f"WITH {', '.join(ctes)} SELECT {OF}, CASE WHEN {' + '.join(moved)} <> (SELECT count(*) FROM gate)"
        f" THEN 1 / ({OF} - {OF}) END FROM gate"
    )


def still_there(model: type[Model], where: Iterable[str]) -> str:
    """Asks for a row as it must still stand."""
    return f"SELECT 1 FROM {model._meta.db_table} WHERE {' AND '.join(where)}"


def by_itself(part: Part) -> str:
    """The statement for one row, where each is written by itself."""
    of = part.of
    if part.adds:
        return f"INSERT INTO {of.table} ({', '.join(of.columns)}) VALUES ({', '.join(['%s'] * len(part.values))})"
    columns = ", ".join(f"{column} = %s" for column in of.columns)
    return f"UPDATE {of.table} SET {columns} WHERE {' AND '.join(part.where)}"

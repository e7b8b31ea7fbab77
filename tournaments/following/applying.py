"""What came from the laptop that writes, kept here: every leaf and head is checked first, and every row against them.

The guards of the database speak of acts, one at a time; here rows become in one step what many acts made of them. So
those on the tables that are written are taken down within the transaction and put up again before it ends. What holds
the rows instead is the signed log: a value that no leaf says, a leaf that is not signed, a head that does not cover its
leaves, and nothing of it is kept (`bent`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import connection, transaction
from django.db.models import Max, Model

from ..acts import signing
from ..acts.announce import announce_act
from ..acts.doorbell import mark_stale
from ..acts.leaves import ADDED, REMOVED, digest_of, opened, stands
from ..acts.protected import Protected
from ..acts.text import canonical_json
from ..log import heads
from ..log.merkle import Frontier
from ..models import Elsewhere, LogHead, LogLeaf, Recalculation, SavedAnswer, Tournament, User
from . import kept
from .errors import bent
from .feed import HEAD, LEAF, TABLES, VERSIONS, columns_of

#: Columns that are of this installation alone.
OWN = frozenset({"elsewhere", "moved_to", "stale_number"})


def have() -> dict[str, Any]:
    """What is here already, as `feed.since` asks for it."""
    sizes = LogLeaf.objects.exclude(number=None).values_list("tournament").annotate(last=Max("number")).order_by()
    versions = {name: _last(model, "history_id") for name, model in VERSIONS.items()}
    return {"have": {event: last + 1 for event, last in sizes}, "versions": versions}


def _last(model: type[Model], column: str) -> int:
    return int(model._default_manager.aggregate(last=Max(column))["last"] or 0)


def apply(told: Mapping[str, Any], keys: Sequence[Ed25519PublicKey]) -> list[int]:
    """Keep what came, whole or not at all; the events of which something was new. Refused: `feed_bent`."""
    moved = []
    with transaction.atomic():
        if not kept.is_following():
            return []  # taken over meanwhile
        apart = set(Tournament.objects.exclude(elsewhere=Elsewhere.FOLLOWED).values_list("pk", flat=True))
        _beside(told)
        for one in told["events"]:
            if one["event"] not in apart and keep_event(one, keys):
                moved.append(int(one["event"]))
                mark_stale(moved[-1])
                announce_act(moved[-1])
    for event in Tournament.objects.filter(pk__in=moved):
        heads.keep(event)
    return moved


def _beside(told: Mapping[str, Any]) -> None:
    """What stands outside the log. An answer to a key is known by the key: ids of answers are of each laptop."""
    if "people" in told:
        put(User, told["people"])
    answers = told["answers"]
    put(SavedAnswer, {"columns": answers["columns"], "rows": answers["rows"]}, without=("id",))
    for name, rows in told["versions"].items():
        put(VERSIONS[name], rows)


@dataclass(slots=True)
class _Said:
    """What the new leaves say of rows: their columns with value and salt, and which rows they added or took away."""

    rows: dict[tuple[str, int], dict[str, tuple[Any, str]]] = field(default_factory=dict)
    added: set[tuple[str, int]] = field(default_factory=set)
    gone: set[tuple[str, int]] = field(default_factory=set)

    def hear(self, body: Mapping[str, Any], salts: Mapping[str, str]) -> None:
        for table, how, columns, rows in body["rows"]:
            for pk, *values in rows:
                place = (table, pk)
                if how == REMOVED:
                    self.rows.pop(place, None)
                    self.gone.add(place)
                    continue
                salt = salts.get(f"{table}.{pk}", salts.get("", ""))
                said = {name: (value, salt) for name, value in zip(columns, values, strict=True)}
                if how == ADDED:
                    self.added.add(place)
                    self.gone.discard(place)
                self.rows[place] = said if how == ADDED else self.rows.get(place, {}) | said


def keep_event(one: Mapping[str, Any], keys: Sequence[Ed25519PublicKey], *, own_ids: bool = False) -> bool:
    """Keep what is new of an event; whether there was anything. `own_ids`: leaves get ids of this installation, for all
    of them have their numbers."""
    event, said = int(one["event"]), _Said()
    known = {} if own_ids else dict(LogLeaf.objects.filter(tournament=event).values_list("pk", "number"))
    new = _leaves(event, one, known, said, keys)
    if not new and not one["heads"]:
        return False
    for (table, _pk), _ in said.rows.items():
        if table not in TABLES:
            raise bent(table)
    with _guards_down([LogLeaf, LogHead, Tournament, *(TABLES[table].model for table in one["rows"])]):
        without = ("id",) if own_ids else ()
        put(LogLeaf, {"columns": LEAF, "rows": one["leaves"]}, without=without, tournament_id=event)
        put(LogHead, {"columns": HEAD, "rows": one["heads"]}, tournament_id=event)
        for pk, salts in one.get("salts", {}).items():
            LogLeaf.objects.filter(pk=int(pk), tournament=event).update(salts=salts)
        for table, rows in one["rows"].items():
            _rows(event, TABLES[table], rows, said)
    Recalculation.objects.get_or_create(tournament_id=event)
    return True


def _leaves(
    event: int, one: Mapping[str, Any], known: dict[int, int | None], said: _Said, keys: Sequence[Ed25519PublicKey]
) -> int:
    """Check leaves and heads, and hear what they say; how many leaves are new, or new in their place."""
    last = LogHead.objects.filter(tournament=event).order_by("-size").first()
    tree, roots, new = Frontier() if last is None else heads.frontier(last), dict[int, str](), 0
    for pk, number, digest, body, signature, salts, _sitting in one["leaves"]:
        where = f"leaf {pk}"
        read = opened(body, signature, keys)
        if read is None or digest_of(body) != digest:
            raise bent(where)
        if read["event"] != event or (number is not None and number != tree.size):
            raise bent(where)
        if number is not None:
            tree = tree.add(bytes.fromhex(digest))
            roots[tree.size] = tree.root.hex()
        new += pk not in known or known[pk] != number
        said.hear(read, json.loads(salts))
    for size, root, at, signature, frontier in one["heads"]:
        head = heads.Head(event, size, root, datetime.fromisoformat(at), signature)
        grown = Frontier(size, tuple(map(bytes.fromhex, json.loads(frontier))))
        if roots.get(size) != root or grown.root.hex() != root or not signing.is_signed(head.text, signature, keys):
            raise bent(f"head {size}")
    if roots and (not one["heads"] or max(size for size, *_ in one["heads"]) != tree.size):
        raise bent(f"head {tree.size}")
    return new


def _rows(event: int, of: Protected, sent: Mapping[str, Any], said: _Said) -> None:
    """Write the rows of a table that new leaves touched, and hold each against what they say."""
    model, columns = of.model, sent["columns"]
    pk = columns.index(model._meta.pk.attname)
    came = {row[pk]: row for row in sent["rows"]}
    before = {row.pk: row for row in model._default_manager.filter(pk__in=list(came))}
    gone = [one for table, one in said.gone if table == of.table and one not in came]
    for one in gone:
        _sql(f"DELETE FROM {_quoted(model._meta.db_table)} WHERE id = %s", [one])  # noqa: S608
    put(model, _with_own(model, sent, before))
    wanted = {one for table, one in said.rows if table == of.table}
    if lost := wanted - came.keys():
        raise bent(f"{of.table} {min(lost)}")
    if model is Tournament and came.keys() != {event}:
        raise bent(f"{of.table} {event}")
    for row in model._default_manager.filter(pk__in=list(came)):
        _hold(of, row, before.get(row.pk), said.rows.get((of.table, row.pk), {}))
    stray = model._default_manager.filter(pk__in=list(came)).exclude(**{of.event: event}).exists()
    if stray:
        raise bent(f"{of.table} of another event")


def _hold(of: Protected, row: Model, before: Model | None, said: Mapping[str, tuple[Any, str]]) -> None:
    """The row says what the leaves say of it, and nothing else than before where they say nothing."""
    place = f"{of.table}.{row.pk}"
    for column in of.columns:
        value = getattr(row, column.attname)
        if column.name in said:
            told, salt = said[column.name]
            good = stands(column, value, salt, place) == told
        else:
            good = before is not None and canonical_json(_plain(value)) == canonical_json(
                _plain(getattr(before, column.attname))
            )
        if not good:
            raise bent(f"{of.table} {row.pk}: {column.name}")


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, dict | list | int) else str(value)


def _with_own(model: type[Model], sent: Mapping[str, Any], before: Mapping[int, Model]) -> Mapping[str, Any]:
    """The rows with the columns that are of this installation as they are here: an event that comes is followed."""
    if model is not Tournament:
        return sent
    columns, rows = sent["columns"], []
    for row in sent["rows"]:
        known = before.get(row[columns.index("id")])
        own = {"elsewhere": Elsewhere.FOLLOWED, "moved_to": "", "stale_number": getattr(known, "stale_number", 0)}
        rows.append([own.get(name, value) for name, value in zip(columns, row, strict=True)])
    return {"columns": columns, "rows": rows}


def put(model: type[Model], sent: Mapping[str, Any], *, without: Sequence[str] = (), **of: Any) -> None:
    """Write rows with their ids, in the place of those that are there."""
    if not sent["rows"]:
        return
    if set(sent["columns"]) - set(columns_of(model)):
        raise bent(model._meta.db_table)
    by_name = {one.attname: one for one in model._meta.concrete_fields}
    names = [name for name in sent["columns"] if name not in without]
    places = [sent["columns"].index(name) for name in names]
    columns = ", ".join(_quoted(str(by_name[name].column)) for name in (*names, *of))
    marks = ", ".join(["%s"] * (len(names) + len(of)))
    table, key = _quoted(model._meta.db_table), _quoted(str(model._meta.pk.column))
    sql = f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608
    if connection.vendor == "postgresql":
        sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608
        if model._meta.pk.attname in names:
            moved = ", ".join(f"{one} = EXCLUDED.{one}" for one in columns.split(", "))
            sql += f" ON CONFLICT ({key}) DO UPDATE SET {moved}"
    for row in sent["rows"]:
        values = [*(row[place] for place in places), *of.values()]
        _sql(sql, [_stored(by_name[name], value) for name, value in zip((*names, *of), values, strict=True)])


def _stored(column: Any, value: Any) -> Any:
    """A value from JSON as the database takes it."""
    read = value if value is None else column.to_python(value)
    return column.get_db_prep_save(read, connection)


def _sql(sql: str, values: Sequence[Any] = ()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


@contextmanager
def _guards_down(models: Sequence[type[Model]]) -> Iterator[None]:
    """The triggers on the tables of these models stand again when the block ends; within one transaction. On PostgreSQL
    only the owner of the tables may do that."""
    tables = sorted({model._meta.db_table for model in models})
    if connection.vendor == "postgresql":
        for table in tables:
            _sql(f"ALTER TABLE {_quoted(table)} DISABLE TRIGGER USER")
        yield
        _sql("SET CONSTRAINTS ALL IMMEDIATE")  # what is still to be looked at would forbid the next statement
        for table in tables:
            _sql(f"ALTER TABLE {_quoted(table)} ENABLE TRIGGER USER")
        return
    marks = ", ".join(["%s"] * len(tables))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ({marks})",  # noqa: S608
            tables,
        )
        guards = cursor.fetchall()
        for name, _ in guards:
            cursor.execute(f"DROP TRIGGER {_quoted(name)}")
    yield
    with connection.cursor() as cursor:
        for _, words in guards:
            cursor.execute(words)

"""A change written in one statement: what an entry of a hand costs the database.

`commit` carries out any change, in a transaction of several statements, with rows locked since they were read. A hand
that is entered or confirmed is the daily work of a hall, so its change is written without that: what it was decided on
was read before, without a lock (`Still`), and the statement itself makes sure that it is still so, else it writes
nothing (`Stale`: read again). PostgreSQL takes it as one statement of common table expressions; the rows that the
decision rests on are locked first, in the order in which they are named. SQLite has one writer at a time: there the
same parts are carried out one by one in the transaction in which everything was read.

How rows and statements are worded is the matter of `statements`. docs/decisions.md ("The entry path") shows both
statements of an entry, and says what holds each fact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from ..models import HistoryEntry, LedgerEntry, LogLeaf, Match, SavedAnswer, Sitting, Tournament
from . import history, leaves, statements
from .admission import Actor, refuse_unless_here
from .change import Add, Change, Move, said_after_commit, told_of
from .doorbell import count_at_table, slot_of
from .errors import Stale
from .failures import lost_a_deadlock
from .leaves import Touched
from .prepared import prepared
from .rows import new_ids
from .statements import OF, VALUES, Lock, Part, Shape

#: Tables that a change may write to in one statement: none keeps versions, and no guard of one looks at another's rows
#: that the same statement writes.
PLAIN = frozenset({HistoryEntry, LedgerEntry, LogLeaf, Match, SavedAnswer, Sitting})


@dataclass(frozen=True, slots=True)
class Still:
    """A row with what must still stand in it when the change is written. `moves`: the change writes to it."""

    model: type[Model]
    where: Mapping[str, Any]
    moves: bool = False


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

    def parts(number: int) -> Iterator[Part]:
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
) -> Iterator[Part]:
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


def _added(row: Model, here: BaseDatabaseWrapper) -> tuple[Part, list[Touched]]:
    """A new row, and what the log says of it. One that the log names has its id now: on SQLite, where nobody else
    writes meanwhile, the next."""
    if row.pk is None and isinstance(row, LedgerEntry | HistoryEntry):
        row.pk = new_ids(type(row), 1)[0]
    of = statements.columns_of(type(row), row.pk is not None, here.vendor)
    said = row.__dict__
    given = statements.with_texts(of, [said[name] for name in of.names])
    touched = list(leaves.added_as(row, dict(zip(of.names, given, strict=True))))
    row._state.adding = False
    row._state.db = here.alias
    return Part(of, statements.ready(of, given, here)), touched


def _moved(one: Move, here: BaseDatabaseWrapper) -> tuple[Part, list[Touched]]:
    """A row that moves, and what the log says of it."""
    model = type(one.row)
    of = statements.named(model, tuple(one.to), here.vendor)
    given = statements.with_texts(of, [value.pk if isinstance(value, Model) else value for value in one.to.values()])
    touched = list(leaves.moved(model, [one.row.pk], dict(zip(one.to, given, strict=True))))
    where, wanted = statements.conditions(model, {"pk": one.row.pk, **one.still}, here)
    return Part(of, statements.ready(of, given, here), where, wanted), touched


def _in_one_statement(
    parts: Iterable[Part], still: Iterable[Still], counted: tuple[int, int] | None, here: BaseDatabaseWrapper
) -> None:
    """The rows that must still stand are locked in turn; where one does not, nothing is written.

    A row that is to be moved, stands as it was read and still cannot be found would be a fault of ours: then the whole
    statement fails.
    """
    locks, shapes, params = list[Lock](), list[tuple[Shape, int]](), list[Any]()
    for one in still:
        lock, wanted = _lock(one, here)
        locks.append(lock)
        params += wanted
    for part in parts:
        shape = statements.shape_of(part)
        if shapes and part.adds and shapes[-1][0] == shape:  # one more of the same kind
            shapes[-1] = (shape, shapes[-1][1] + 1)
        else:
            shapes.append((shape, 1))
        params += statements.values_of(part)
    params += counted or ()
    with prepared() as cursor, _deadlock_is_stale():
        cursor.execute(statements.words(tuple(locks), tuple(shapes), counted is not None), params)
        if not cursor.fetchone()[0]:
            raise Stale()


def _lock(one: Still, here: BaseDatabaseWrapper) -> tuple[Lock, tuple[Any, ...]]:
    """The lock on a row that must still stand, and the values of its conditions."""
    where, wanted = statements.conditions(one.model, one.where, here)
    return (*statements.table_of(one.model), where, one.moves), wanted


@contextmanager
def _deadlock_is_stale() -> Iterator[None]:
    """Whom PostgreSQL ends for another one to go on has lost a race like any other."""
    try:
        yield
    except OperationalError as error:
        if lost_a_deadlock(error):
            raise Stale() from None
        raise


class _Several:
    """The statement for several changes, and what goes into it: the rows of each kind as one JSON list, so that its
    words are the same however many there are. All are texts there, and each is cast where it is used."""

    def __init__(self) -> None:
        self._locks: dict[Lock, list[dict[str, Any]]] = {}
        self._shapes: dict[Shape, list[dict[str, Any]]] = {}
        self._counted: list[dict[str, Any]] = []
        self._held: list[int] = []

    def take(
        self,
        number: int,
        parts: Iterable[Part],
        still: Iterable[Still],
        counted: tuple[int, int] | None,
        here: BaseDatabaseWrapper,
    ) -> None:
        """One more change, by its number in their order."""
        held = 0
        for held, one in enumerate(still, 1):  # noqa: B007
            lock, wanted = _lock(one, here)
            self._add(self._locks, lock, number, wanted)
        self._held.append(held)
        for part in parts:
            self._add(self._shapes, statements.shape_of(part), number, statements.values_of(part))
        if counted is not None:
            self._counted.append({OF: number, "c0": counted[0], "c1": counted[1]})

    @staticmethod
    def _add(to: dict[Any, list[dict[str, Any]]], kind: Any, number: int, values: Iterable[Any]) -> None:
        row = dict(zip(VALUES, values, strict=False))
        row[OF] = number
        to.setdefault(kind, []).append(row)

    def carry_out(self) -> list[int]:
        """The changes that were written."""
        rows = [*self._locks.values(), self._held, *self._shapes.values(), self._counted]
        with prepared() as cursor, _deadlock_is_stale():
            words = statements.words_of_several(tuple(self._locks), tuple(self._shapes))
            cursor.execute(words, [json.dumps(one, default=datetime.isoformat) for one in rows])
            return [number for number, _ in cursor.fetchall()]


def _refuse_unless_still(still: Iterable[Still], here: BaseDatabaseWrapper) -> None:
    with here.cursor() as cursor:
        for one in still:
            where, wanted = statements.conditions(one.model, one.where, here)
            cursor.execute(statements.still_there(one.model, where), wanted)
            if cursor.fetchone() is None:
                raise Stale()


def _one_by_one(parts: Iterable[Part], counted: tuple[int, int] | None, here: BaseDatabaseWrapper) -> None:
    with here.cursor() as cursor:
        for part in parts:
            cursor.execute(statements.by_itself(part), (*part.values, *part.wanted))
            if not part.adds and cursor.rowcount != 1:
                raise Stale()
        if counted is not None:
            cursor.execute(count_at_table("WHERE TRUE"), counted)

"""What an act would do, as a value, and the one writer of such values.

An act is three steps. It reads what it depends on, once. A pure function decides: from what was read and what is asked
it makes a `Change`, or raises a refusal. `commit` writes the change. A preview is a decision that is not committed.

Whatever every act has to do besides belongs into `commit`: no act has to know that what it wrote becomes a signed leaf
of the event's log (`leaves`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from django.db import transaction
from django.db.models import Model

from ..models import Device, Round, Sitting, Tournament, User
from ..models.events import ON_BOARDS
from . import history, leaves, meters
from .access import Act
from .admission import Actor, Admitted, refuse_unless_here
from .announce import What, announce, announce_act, announce_over, announce_tables, say, together
from .doorbell import mark_stale, ring_together
from .errors import Refusal, Stale
from .leaves import Touched
from .protected import protected
from .waking import Wake, wake_after_commit

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Add:
    """A row that is not stored yet. Rows added later in the same change may refer to it."""

    row: Model


@dataclass(frozen=True, slots=True)
class AddAll:
    """Rows of one table that are not stored yet, in one statement; perhaps none."""

    rows: Sequence[Model]


@dataclass(frozen=True, slots=True)
class Move:
    """New values for columns of a stored row. `still`: what must stand there now (a revision, a status); when it does
    not, somebody was faster, and the whole change is `Stale`."""

    row: Model
    to: Mapping[str, Any]
    still: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MoveAll:
    """New values for columns of every row of a table that meets a condition, however many there are."""

    model: type[Model]
    where: Mapping[str, Any]
    to: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Remove:
    """A stored row that goes."""

    row: Model


@dataclass(frozen=True, slots=True)
class RemoveAll:
    """Every row of a table that meets a condition goes."""

    model: type[Model]
    where: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Forget:
    """What was typed into rows is never to be opened again: every leaf of the event's log loses the salts of their
    texts. A later write of the change says anew what stands there now."""

    event_id: int
    rows: Sequence[Model]


Write = Add | AddAll | Move | MoveAll | Remove | RemoveAll | Forget


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the history. `subject` is a text, or a word and the row it names (`("entry", row)`).

    `old` and `new` are JSON; a row in them stands for its id, which it may get only when it is added.
    """

    act: Act | str
    subject: str | tuple[str, Model] = ""
    reason: str = ""
    old: Any = None
    new: Any = None
    sitting: Sitting | None = None
    round: Round | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What open pages are told after commit, as `announce` takes it; `id` may be a row that is being added."""

    what: What
    id: int | Model | None = None
    number: int | None = None
    public: bool = False


#: What strangers see of an event moved, and nothing else says so: their pages ask for it under a new version.
PAGES_MOVED: Final = (Told("board", public=True),)


@dataclass(frozen=True, slots=True)
class Change(Generic[Answer]):
    """All that an act would write, in order, and what it answers.

    `admitted`: that its actor may do it, from `require`. `event`: where it is not the event of the admission.
    `answer` may hold rows that are added or moved: once committed they are as they are stored.
    `stale`: the event's standings have to be worked out again; `at_table`: because of what was done at this sitting.
    `tables`: sittings whose phones look again. `wakes`: why phones of players are woken. `over`: whose streams end.
    `refused`: what is written is that it was tried (a wrong PIN); the act is refused after its commit.
    """

    admitted: Admitted
    answer: Answer
    writes: tuple[Write, ...] = ()
    lines: tuple[Line, ...] = ()
    told: tuple[Told, ...] = ()
    stale: bool = False
    at_table: int | None = None
    event: Tournament | None = None
    tables: tuple[int, ...] = ()
    wakes: tuple[Wake, ...] = ()
    over: tuple[User | Device, ...] = ()
    refused: Refusal | None = None


def in_turn(first: Change[Any], then: Change[Answer]) -> Change[Answer]:
    """Two changes of one actor as one: the first is written first, the second says who is admitted and answers."""
    return replace(
        then,
        writes=(*first.writes, *then.writes),
        lines=(*first.lines, *then.lines),
        told=(*first.told, *then.told),
        stale=first.stale or then.stale,
        at_table=then.at_table if then.stale else first.at_table,
        tables=(*first.tables, *then.tables),
        wakes=(*first.wakes, *then.wakes),
        over=(*first.over, *then.over),
        refused=first.refused or then.refused,
    )


def commit(change: Change[Answer], actor: Actor, at: datetime) -> Answer:
    """Write a change whole or not at all, and give its answer. What all acts of an event share is written last."""
    if change.admitted.actor != actor:
        raise ValueError("somebody else was admitted to this change")
    event = change.event or change.admitted.tournament
    meters.asked_for(change.admitted.act)
    with meters.acting(change.admitted.act), transaction.atomic(savepoint=False):
        if event is not None:
            refuse_unless_here(event)
        touched = list(_written(change.writes, at))
        if event is not None:
            touched += leaves.added([history.record(**told_of(line, event, actor, at)) for line in change.lines])
            at_table = next((line.sitting.pk for line in change.lines if line.sitting is not None), None)
            _log(event.pk, touched, at, at_table)
            tell(change.told, event)
            if not change.told:
                announce_act(event.pk)
        if change.tables:
            announce_tables(change.tables)
        if change.over:
            announce_over(*change.over)
        wake_after_commit(change.wakes)
        if change.stale and event is not None:
            mark_stale(event.pk, change.at_table)
    return change.answer


def carry_out(decide: Callable[[], Change[Answer]], actor: Actor, at: datetime) -> Answer:
    """A whole act: read and decided (`decide`), then committed, in one transaction, so that what was read is held."""
    with meters.acting():
        with transaction.atomic():
            change = decide()
            answer = commit(change, actor, at)
        if change.refused is not None:
            raise change.refused
    return answer


def write(writes: Iterable[Write], at: datetime, event: Tournament) -> None:
    """Carry out writes in their order, with a leaf of the event's log. For what has not become a change yet."""
    refuse_unless_here(event)
    _log(event.pk, list(_written(writes, at)), at)


def _log(event_id: int, touched: Sequence[Touched], at: datetime, sitting_id: int | None = None) -> None:
    leaf = leaves.leaf(event_id, touched, at, sitting_id)
    if leaf is not None:
        leaf.save(force_insert=True)


def _written(writes: Iterable[Write], at: datetime) -> Iterator[Touched]:
    """Carry out writes in their order, and tell what became of which rows.

    A row that keeps its versions (an entrant, a player) gets one with each `Add`, `Move` and `Remove`, at the time of
    the act; `MoveAll` leaves none.
    """
    for one in writes:
        if isinstance(one, Add | Remove):
            one.row._history_date = at  # type: ignore[attr-defined]
        if isinstance(one, Add):
            one.row.save(force_insert=True)
            yield from leaves.added([one.row])
        elif isinstance(one, Move):
            _move(one, at)
            yield from leaves.moved(one.row._meta.model, [one.row.pk], one.to)
        elif isinstance(one, MoveAll):
            ids = _ids_of(one)
            one.model._default_manager.filter(**one.where).update(**one.to)
            yield from leaves.moved(one.model, ids, one.to)
        elif isinstance(one, Remove):
            ids = [one.row.pk]
            one.row.delete()
            yield from leaves.removed(one.row._meta.model, ids)
        elif isinstance(one, RemoveAll):
            ids = _ids_of(one)
            one.model._default_manager.filter(**one.where).delete()
            yield from leaves.removed(one.model, ids)
        elif isinstance(one, Forget):
            leaves.forget(one.event_id, one.rows)
        elif one.rows:
            type(one.rows[0])._default_manager.bulk_create(one.rows)
            yield from leaves.added(one.rows)


def _ids_of(one: MoveAll | RemoveAll) -> list[int]:
    """The rows that it is about, where the log has to say so."""
    if protected(one.model) is None:
        return []
    return list(one.model._default_manager.filter(**one.where).values_list("pk", flat=True))


def _move(one: Move, at: datetime) -> None:
    # `still` is compared as the database stores it; a row that is gone, or has moved on, is not written over; who is
    # signed in is a proxy of a row, which knows its table but is not of its type
    if not one.row._meta.model._default_manager.filter(pk=one.row.pk, **one.still).update(**one.to):
        raise Stale()
    for name, value in one.to.items():
        setattr(one.row, name, value)
    if hasattr(one.row._meta, "simple_history_manager_attribute"):
        one.row.history.bulk_history_create([one.row], update=True, default_date=at)  # type: ignore[attr-defined]


def told_of(line: Line, event: Tournament, actor: Actor, at: datetime) -> dict[str, Any]:
    """A line as the history takes it."""
    return {
        "tournament": event,
        "actor": actor,
        "at": at,
        "act": line.act,
        "subject": line.subject if isinstance(line.subject, str) else f"{line.subject[0]}:{line.subject[1].pk}",
        "reason": line.reason,
        "old": _in_json(line.old),
        "new": _in_json(line.new),
        "sitting": line.sitting,
        "round": line.round,
    }


def tell(told: Iterable[Told], event: Tournament) -> None:
    """After commit, tell the open pages of an event."""
    for one in told:
        announce(event.pk, one.what, _in_json(one.id), one.number, public=one.public)


def said_after_commit(change: Change[Any], event: Tournament) -> None:
    """After commit, tell the open pages and ask for a recalculation, in one go."""

    def said() -> None:
        at = next((line.sitting for line in change.lines if line.sitting is not None), None)
        on_boards = None if at is None else at.round.stage.format in ON_BOARDS
        with together():
            for one in change.told:
                known = on_boards if at is not None and one.id == at.pk else None
                say(event.pk, one.what, _in_json(one.id), one.number, public=one.public, on_boards=known)
            if change.stale:
                ring_together(event.pk)

    transaction.on_commit(said, robust=True)
    wake_after_commit(change.wakes)


def _in_json(value: Any) -> Any:
    """The value with the ids of rows in their place."""
    if isinstance(value, Model):
        return value.pk
    if isinstance(value, Mapping):
        return {name: _in_json(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_in_json(one) for one in value]
    return value

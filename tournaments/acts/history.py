"""Writing the history: who did what, when, why, with old and new values. Rows are added and never changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max

from ..models import HistoryEntry, Round, Sitting, Tournament
from .access import Act
from .admission import Actor

REASON_LIMIT = 300
#: How long an act of the desk can be undone.
UNDO_WITHIN = timedelta(minutes=1)

#: Acts that build on closed rounds: once one of them was done, no round that was closed before is opened again.
BUILDING = frozenset(
    {
        Act.PUBLISH,
        Act.PAIR,
        Act.PUBLISH_PAIRING,
        Act.SUPERSEDE_PAIRING,
        Act.START_ROUND,
        Act.BEGIN_STAGE,
        Act.APPLY_RULES,
    }
)


_NOTED: ContextVar[list[HistoryEntry] | None] = ContextVar("noted", default=None)


@contextmanager
def noted() -> Iterator[list[HistoryEntry]]:
    """The rows that are recorded meanwhile, in their order; those of what is refused are among them."""
    rows: list[HistoryEntry] = []
    before = _NOTED.set(rows)
    try:
        yield rows
    finally:
        _NOTED.reset(before)


def newest() -> int:
    """The number of the newest row of the history of all events; 0 where nothing was done yet."""
    last: int | None = HistoryEntry.objects.aggregate(last=Max("pk"))["last"]
    return last or 0


def acts_after(number: int, among: Collection[Act] | None = None) -> bool:
    """Whether anything was done after that row, in any event; `among`: any of these acts."""
    rows = HistoryEntry.objects.filter(pk__gt=number)
    return (rows if among is None else rows.filter(act__in=among)).exists()


def record(
    *,
    tournament: Tournament,
    actor: Actor,
    at: datetime,
    act: Act | str,
    subject: str = "",
    reason: str = "",
    old: Any = None,
    new: Any = None,
    sitting: Sitting | None = None,
    round: Round | None = None,
) -> HistoryEntry:
    """Add one row to the history, in the caller's transaction. `old` and `new` are JSON values: ids, never names.

    Every act comes by here, so here it is counted what was built on closed rounds.
    """
    if act in BUILDING:
        Tournament.objects.filter(pk=tournament.pk).update(built_number=F("built_number") + 1)
    row = line(
        tournament=tournament,
        actor=actor,
        at=at,
        act=act,
        subject=subject,
        reason=reason,
        old=old,
        new=new,
        sitting=sitting,
        round=round,
    )
    row.save(force_insert=True)
    if (rows := _NOTED.get()) is not None:
        rows.append(row)
    return row


def line(
    *,
    tournament: Tournament,
    actor: Actor,
    at: datetime,
    act: Act | str,
    subject: str = "",
    reason: str = "",
    old: Any = None,
    new: Any = None,
    sitting: Sitting | None = None,
    round: Round | None = None,
) -> HistoryEntry:
    """The row that `record` adds, not stored yet."""
    return HistoryEntry(
        tournament_id=tournament.pk,
        at=at,
        user=actor.user,
        side=actor.side or "",
        sitting_id=sitting.pk if sitting is not None else None,
        round_id=round.pk if round is not None else (sitting.round_id if sitting is not None else None),
        act=str(act),
        subject=subject[:60],
        reason=reason[:REASON_LIMIT],
        old=old,
        new=new,
    )

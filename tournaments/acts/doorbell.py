"""Asks the workers to recalculate a tournament: a burst of acts becomes a few tasks a second, not a task an act.

The truth is the tournament's stale number: the sum of counters that only grow, one for the acts of the desk and some
for its tables (`StaleCount`), read before the data that they are about. A doorbell that is lost, rings twice or cannot
be rung is harmless: the sweep finds what is stale. The marks live in the cache, for a second or two.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from celery import current_app
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import BigIntegerField, F, OuterRef, QuerySet, Subquery, Sum
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from ..models import Recalculation, StaleCount, Tournament
from .announce import mark
from .resting import AWAY, asking

RECALCULATE_TASK = "tournaments.tasks.recalculate"
#: Seconds between two recalculations of a tournament while acts keep coming; the first one is never kept waiting.
PACE = 0.2
#: A large field rests so many times longer than its recalculation took, so that it leaves the workers to others.
RESTS = 2.0
LONGEST_REST = 1.5
#: A task that has not begun after so many seconds is taken for lost.
LOST_AFTER = 3.0

logger = logging.getLogger(__name__)


def count_at_table(source: str) -> str:
    """SQL that counts an act at a table, once for every row of a source. Parameters: the tournament and the slot of the
    sitting (`slot_of`)."""
    return (
        "INSERT INTO tournaments_stalecount (tournament_id, slot, number)"
        f" SELECT CAST(%s AS bigint), CAST(%s AS integer), 1 {source}"
        " ON CONFLICT (tournament_id, slot) DO UPDATE SET number = tournaments_stalecount.number + 1"
    )


def count_at_tables(source: str) -> str:
    """The same for acts at many tables: a source gives the tournament, the slot and how many for each counter, in the
    order of counters, so that who counts at several tables never waits for who waits for him."""
    return (
        f"INSERT INTO tournaments_stalecount (tournament_id, slot, number) {source}"
        " ON CONFLICT (tournament_id, slot) DO UPDATE SET number = tournaments_stalecount.number + excluded.number"
    )


def slot_of(sitting_id: int) -> int:
    """Which of the event's counters counts the acts at this sitting."""
    return sitting_id % StaleCount.SLOTS


def stale_number(tournament_id: int) -> int:
    """How many acts may have moved the event's standings so far. A table covers what it says when it was made of data
    that was read after this number."""
    return int(Tournament.objects.values_list(acts_of(), flat=True).get(pk=tournament_id))


def acts_of(event: str = "") -> CombinedExpression:
    """The stale number as part of a query that knows the event by this name, or that is of events."""
    known = f"{event}__" if event else ""
    return F(f"{known}stale_number") + _at_tables(event or "pk")


class Counted(NamedTuple):
    """How many acts may have moved the event's standings: those of the desk, and those at tables by the counter."""

    desk: int
    tables: Mapping[int, int]

    @property
    def number(self) -> int:
        """The stale number."""
        return self.desk + sum(self.tables.values())

    def since(self, before: Counted) -> list[int] | None:
        """The counters of tables that were raised since; None where the desk acted, which may have moved anything."""
        if self.desk != before.desk:
            return None
        return [slot for slot, number in self.tables.items() if number != before.tables.get(slot, 0)]


def counted(event: Tournament) -> Counted:
    """The counters of an event that has just been read. What they are about is read after them."""
    rows = StaleCount.objects.filter(tournament=event).order_by().values_list("slot", "number")
    return Counted(event.stale_number, dict(rows))


def stale() -> QuerySet[Recalculation]:
    """The recalculations that do not cover everything yet."""
    return Recalculation.objects.filter(covered_number__lt=acts_of("tournament"))


def _at_tables(event: str) -> Coalesce:
    """How many of the acts were at tables, as part of a query that knows the event by this name."""
    counts = StaleCount.objects.filter(tournament=OuterRef(event)).order_by().values("tournament")
    return Coalesce(Subquery(counts.annotate(sum=Sum("number")).values("sum"), output_field=BigIntegerField()), 0)


def mark_stale(tournament_id: int, sitting_id: int | None = None) -> None:
    """Count an act that may move standings, at a table or of the desk, and ask for a recalculation after commit.

    The last write of a transaction: an act of the desk locks the tournament's row.
    """
    if sitting_id is None:
        Tournament.objects.filter(pk=tournament_id).update(stale_number=F("stale_number") + 1)
    else:
        with connection.cursor() as cursor:
            cursor.execute(count_at_table("WHERE TRUE"), [tournament_id, slot_of(sitting_id)])
    ring_after_commit(tournament_id)


def ring_after_commit(tournament_id: int) -> None:
    """Ask for a recalculation as soon as the running transaction is committed; at once where none runs."""
    transaction.on_commit(lambda: ring_together(tournament_id), robust=True)


def ring_together(tournament_id: int) -> None:
    """As `ring`, with what is said `together`: several acts of one request ring once."""

    def marked(free: bool | None) -> None:
        if free is None:
            _lost(tournament_id, "nobody could be asked")
        elif free:
            _send(tournament_id, insist=False)

    mark(_rung(tournament_id), LOST_AFTER, marked)


def ring(tournament_id: int, *, insist: bool = False) -> bool:
    """Send the task unless one is on its way that has not begun; whether it is on its way now.

    A task that has not begun reads what is committed by then. `insist` sends it whatever the marks say.
    """
    try:
        if not cache.add(_rung(tournament_id), 1, LOST_AFTER) and not insist:
            return True
    except AWAY as error:
        _lost(tournament_id, error)
        return False
    return _send(tournament_id, insist=insist)


def _send(tournament_id: int, *, insist: bool) -> bool:
    """Send the task, whose mark is set, for when it is time; whether it is on its way."""
    try:
        now = time.time()
        # not before then; a clock that was set back keeps nobody waiting for long
        then = min(cache.get(_next(tournament_id), now), now + LONGEST_REST)
        wait = 0.0 if insist else max(0.0, then - now)
        _not_before(tournament_id, now + wait + PACE)
        with asking():
            current_app.send_task(
                RECALCULATE_TASK, args=[tournament_id], retry=False, ignore_result=True, countdown=wait or None
            )
    except AWAY as error:
        _lost(tournament_id, error)
        return False
    return True


def _lost(tournament_id: int, why: object) -> None:
    logger.warning("recalculation of %s not sent, the sweep will: %s", tournament_id, why, extra={"sparing": "redis"})


def answer(tournament_id: int) -> None:
    """A recalculation begins: what is committed from now on needs another one. Called before anything is read."""
    cache.delete(_rung(tournament_id))


def rest(tournament_id: int, took: float) -> None:
    """A recalculation has ended, which took so many seconds: the next one waits the longer, the longer that was.

    The rest never ends before the one that was set when the next task was sent: that task has its time already, and one
    asked for after it would run at once after it.
    """
    with suppress(*AWAY):  # it is only kept from being asked for too often
        now = time.time()
        sent = min(cache.get(_next(tournament_id), now), now + LONGEST_REST)
        _not_before(tournament_id, max(sent, now + min(max(PACE, RESTS * took), LONGEST_REST)))


def _rung(tournament_id: int) -> str:
    return f"recalculation:{tournament_id}:rung"


def _next(tournament_id: int) -> str:
    return f"recalculation:{tournament_id}:next"


def _not_before(tournament_id: int, then: float) -> None:
    cache.set(_next(tournament_id), then, LOST_AFTER)

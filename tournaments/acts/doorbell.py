"""Asks the workers to recalculate a tournament: a burst of acts becomes one task a second, not a task an act.

The truth is the tournament's stale number. A doorbell that is lost, rings twice or cannot be rung is harmless: the
sweep finds what is stale. The marks live in the cache, for a second or two.
"""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.db.models import F

from ..models import Tournament
from .resting import AWAY, asking

RECALCULATE_TASK = "tournaments.tasks.recalculate"
# seconds between two recalculations of a tournament while acts keep coming; the first one is never kept waiting
PACE = 1.0

logger = logging.getLogger(__name__)


def mark_stale(tournament_id: int) -> None:
    """Raise the tournament's stale number and ask for a recalculation after commit.

    The last write of a transaction: it locks the tournament's row.
    """
    Tournament.objects.filter(pk=tournament_id).update(stale_number=F("stale_number") + 1)
    ring_after_commit(tournament_id)


def stale_statement(tournament_id: int, condition: str) -> tuple[str, list[Any]]:
    """What `mark_stale` writes, as SQL with its parameters, where a condition holds."""
    table = Tournament._meta.db_table
    sql = f"UPDATE {table} SET stale_number = stale_number + 1 WHERE id = %s AND {condition}"  # noqa: S608
    return sql, [tournament_id]


def ring_after_commit(tournament_id: int) -> None:
    """Ask for a recalculation as soon as the running transaction is committed; at once where none runs."""
    transaction.on_commit(lambda: ring(tournament_id), robust=True)


def ring(tournament_id: int, *, insist: bool = False) -> bool:
    """Send the task unless one is on its way that has not begun; whether it is on its way now.

    A task that has not begun reads what is committed by then. `insist` sends it whatever the marks say.
    """
    try:
        if not cache.add(_rung(tournament_id), 1, 3 * PACE) and not insist:
            return True
        wait = 0.0 if cache.add(_lately(tournament_id), 1, PACE) or insist else PACE
        if wait:
            cache.set(_lately(tournament_id), 1, wait + PACE)
        with asking():
            current_app.send_task(
                RECALCULATE_TASK, args=[tournament_id], retry=False, ignore_result=True, countdown=wait or None
            )
    except AWAY as error:
        logger.warning(
            "recalculation of %s not sent, the sweep will: %s", tournament_id, error, extra={"sparing": "redis"}
        )
        return False
    return True


def answer(tournament_id: int) -> None:
    """A recalculation begins: what is committed from now on needs another one. Called before anything is read."""
    cache.delete(_rung(tournament_id))


def _rung(tournament_id: int) -> str:
    return f"recalculation:{tournament_id}:rung"


def _lately(tournament_id: int) -> str:
    return f"recalculation:{tournament_id}:lately"

"""Asks a worker to wake the phones of players who asked for it (Web Push), after commit; nothing is sent in a request.

A task that is lost wakes nobody: open pages hear of everything by their streams (`announce`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import transaction

from .resting import AWAY, asking

WAKE_TASK: Final = "tournaments.tasks.wake"

logger = logging.getLogger(__name__)


class Why(StrEnum):
    """A pairing is published; the other side has entered a hand; a referee comes to the table."""

    DRAWN = "drawn"
    ENTERED = "entered"
    COMING = "coming"


#: After so many seconds it is no news: a task that has not begun by then is dropped, and so is what a phone that was
#: off has not taken from its push service.
FRESH_SECONDS: Final = {Why.DRAWN: 1800, Why.ENTERED: 600, Why.COMING: 300}


@dataclass(frozen=True, slots=True)
class Wake:
    """Why phones are woken, and the id of what it is about: a round, a sitting, a call."""

    why: Why
    about: int


def wake_after_commit(wakes: Iterable[Wake]) -> None:
    """After the running transaction commits, at once where none runs, ask a worker to wake phones. Never raises."""
    asked = tuple(wakes) if settings.PUSH_SERVICES else ()
    if asked:
        transaction.on_commit(lambda: _send(asked), robust=True)


def _send(wakes: Iterable[Wake]) -> None:
    try:
        for one in wakes:
            with asking():
                current_app.send_task(
                    WAKE_TASK,
                    args=[one.why, one.about],
                    retry=False,
                    ignore_result=True,
                    expires=FRESH_SECONDS[one.why],
                )
    except AWAY as error:
        logger.warning("phones are not woken: %s", error, extra={"sparing": "redis"})

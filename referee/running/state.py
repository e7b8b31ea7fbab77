"""How the service does now: who is alive, what is behind, who is connected."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeVar

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import Error

from referee import health
from tournaments.copies.automatic import State as Copies
from tournaments.copies.automatic import state_of_copies
from tournaments.ledger.devices import phones_with_a_place
from tournaments.models import Tournament
from tournaments.standings.behind import behind_since

from . import signs
from .queues import Queue, queues
from .sums import Streams, open_streams, shed_lately

DATABASE: Final = "database"
REDIS: Final = "redis"
#: For so long it is known when standings were found fresh, in seconds.
FRESH_KEPT: Final = 24 * 3600

Known = TypeVar("Known")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the service: whether it is alive, None where nobody can know, and how old its last sign of life is."""

    name: str
    alive: bool | None
    age: float | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """How the service does. What cannot be known while the database or Redis is away is None.

    `answered`: how long the database took for a question, in seconds. `stale`: for how long the live standings have
    been behind, those of the event or of the one that has waited longest. `phones` hold a place. `room`: free bytes in
    the data folder. `shed`: how many found no turn within the last minutes, by kind.
    """

    parts: tuple[Part, ...]
    answered: float | None
    queues: tuple[Queue, ...] | None
    stale: timedelta | None
    streams: Streams | None
    phones: int | None
    copies: Copies
    room: int
    full: bool
    shed: Mapping[str, int] | None


def look(at: datetime, event: Tournament | None = None) -> Running:
    """Ask every part; at the worst it takes as long as a server that does not answer is waited for, some seconds."""
    began = time.monotonic()
    database = health.database_answers()
    answered = time.monotonic() - began if database else None
    away = bool(settings.REDIS_URL) and not health.redis_answers()
    parts = [Part(DATABASE, database)]
    if settings.REDIS_URL:
        parts.append(Part(REDIS, not away))
    parts += [_of_signs(signs.of_queue(str(queue.name)), away=away) for queue in settings.CELERY_TASK_QUEUES]
    parts.append(_of_signs(signs.BEAT, away=away))
    return Running(
        parts=tuple(parts),
        answered=answered,
        queues=None if away else _if_known(lambda: tuple(queues())),
        stale=_if_known(lambda: _stale(at, event, away=away)) if database else None,
        streams=None if away else _if_known(open_streams),
        phones=_if_known(lambda: phones_with_a_place(event)) if database else None,
        copies=state_of_copies(),
        room=shutil.disk_usage(settings.DATA_DIR).free,
        full=not health.has_room(),
        shed=None if away else _if_known(shed_lately),
    )


def _of_signs(name: str, *, away: bool) -> Part:
    """Signs of life travel through Redis: without it nobody knows."""
    age = None if away else signs.age(name)
    return Part(name, None if away else age is not None and age < signs.SILENCE_SECONDS, age)


def _stale(at: datetime, event: Tournament | None, *, away: bool) -> timedelta:
    """At most for how long; since when is not written, but whoever looked and found it fresh has noted when."""
    since, key = behind_since(event), f"fresh:{'all' if event is None else event.pk}"
    if not since:
        if not away:
            cache.set(key, at, FRESH_KEPT)
        return timedelta(0)
    seen: datetime | None = None if away else cache.get(key)
    return max(timedelta(0), at - max(min(since), seen or min(since)))


def _if_known(ask: Callable[[], Known]) -> Known | None:
    try:
        return ask()
    except (redis.RedisError, OSError, Error):
        return None

"""Counters that end by themselves. Every limit of the service counts here and nowhere else.

They stand in the cache, and while that is away in the database: a limit never opens because a server stopped. A counter
that moves there begins anew, once.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from redis.exceptions import RedisError

from ..models import Counter

logger = logging.getLogger(__name__)


def count(key: str, seconds: int) -> int:
    """Count one; how many so far. The counter ends `seconds` after its first one. Atomic: of a thousand that count at
    once no two get the same number."""
    try:
        return _count_in_cache(key, seconds)
    except RedisError as error:
        logger.warning("tries are counted in the database: %s", error, extra={"sparing": "redis"})
        return _count_in_database(key, seconds, timezone.now())


def uncount(key: str) -> None:
    """Take one off again that turned out to be none; nothing where the counter has ended."""
    try:
        with suppress(ValueError):
            cache.decr(key)
    except RedisError:
        Counter.objects.filter(key=key, number__gt=0).update(number=F("number") - 1)


def forget(*, at: datetime) -> None:
    """Remove the counters in the database that have ended."""
    Counter.objects.filter(ends_at__lt=at).delete()


def _count_in_cache(key: str, seconds: int) -> int:
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it ended in between
        cache.add(key, 1, seconds)
        return 1


def _count_in_database(key: str, seconds: int, at: datetime) -> int:
    ends = at + timedelta(seconds=seconds)
    with transaction.atomic():
        Counter.objects.get_or_create(key=key, defaults={"ends_at": ends})
        counter = Counter.objects.select_for_update().get(key=key)
        if not at < counter.ends_at <= ends:  # it has ended, or the clock was set back
            counter.number, counter.ends_at = 0, ends
        counter.number += 1
        counter.save()
    return counter.number

"""Redis, asked about the service itself."""

from __future__ import annotations

import os
from functools import lru_cache

import redis
from django.conf import settings


def client() -> redis.Redis:
    """The client of this process for the Redis of the service."""
    return _client(settings.REDIS_URL)


@lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)


os.register_at_fork(after_in_child=_client.cache_clear)

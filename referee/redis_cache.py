"""The cache of a federation. What it keeps may be gone at any time; while Redis is away, everything is gone."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.exceptions import RedisError

from tournaments.acts.resting import asking

log = logging.getLogger(__name__)


class Client(RedisCacheClient):
    """One client for each pool of connections: Django makes one for each question, which costs more than asking it."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]
        clients: dict[Any, Redis] = self.__dict__.setdefault("clients", {})
        if pool not in clients:
            clients[pool] = self._client(connection_pool=pool)  # type: ignore[attr-defined]
        return clients[pool]


class Cache(RedisCache):
    """Reading finds nothing and keeping keeps nothing while Redis is away; what has to be sure raises RedisError."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._class = Client

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            with asking():
                return super().get(key, default, version)
        except RedisError as error:
            _lost(error)
            return default

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        try:
            with asking():
                super().set(key, value, timeout, version)
        except RedisError as error:
            _lost(error)

    def delete(self, key: str, version: int | None = None) -> bool:
        try:
            with asking():
                return bool(super().delete(key, version))
        except RedisError as error:
            _lost(error)
            return False

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        with asking():
            return bool(super().add(key, value, timeout, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        with asking():
            return int(super().incr(key, delta, version))


def _lost(error: RedisError) -> None:
    log.warning("the cache is away: %s", error, extra={"sparing": "redis"})

"""Public pages between the processes that make them: kept in Redis for some seconds, so that a page of one version of
its event is made once and packed once, however many processes are asked for it.

Whoever finds nothing makes it, and says so first; another one who asks meanwhile waits for it a moment. Redis may be
gone, or empty: then every process makes its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable
from typing import Any, Final

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from tournaments.acts.resting import asking

#: A whole answer: its status, its headers, its body.
Whole = tuple[int, list[tuple[bytes, bytes]], bytes]

#: How long a page is kept, and at most waited for while another process makes it; how long that may take, in seconds.
KEPT_SECONDS: Final = 5.0
WAITS: Final = 1.0
MAKING: Final = 2.0
_LOOKS_EVERY: Final = 0.02
#: Larger pages are kept by each process alone.
MOST_BYTES: Final = 2**20

_lost = (RedisError, OSError)
logger = logging.getLogger(__name__)


def name_of(*depends: Any) -> str:
    """The name of a page by all that it depends on; every release has its own."""
    text = json.dumps([settings.VERSION, depends], default=repr)
    return f"referee:page:{hashlib.sha256(text.encode()).hexdigest()}"


class Bodies:
    """The pages that any process of the service has made; used on one event loop."""

    def __init__(self, client: Callable[[], Any] | None = None) -> None:
        self._client_of = client or (lambda: redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_timeout=1))
        self._client: Any = None

    async def find(self, name: str) -> Whole | None:
        """The page, if another process has made it or is about to; None: make it, and then `keep` or `leave` it."""
        try:
            with asking():
                return await self._find(name)
        except _lost as error:
            _away(error)
            return None

    async def keep(self, name: str, whole: Whole) -> None:
        """For other processes, when it was made."""
        status, headers, body = whole
        if len(body) > MOST_BYTES:
            await self.leave(name)
            return
        head = json.dumps([status, [[one.decode("latin-1"), other.decode("latin-1")] for one, other in headers]])
        try:
            with asking():
                await self._redis.set(name, head.encode() + b"\n" + body, px=int(1000 * KEPT_SECONDS))
        except _lost as error:
            _away(error)

    async def leave(self, name: str) -> None:
        """What was made is not for others: nobody waits for it any longer."""
        try:
            with asking():
                await self._redis.delete(_making(name))
        except _lost as error:
            _away(error)

    @property
    def _redis(self) -> Any:
        if self._client is None:
            self._client = self._client_of()
        return self._client

    async def _find(self, name: str) -> Whole | None:
        async with self._redis.pipeline(transaction=False) as both:
            both.get(name)
            both.set(_making(name), 1, px=int(1000 * MAKING), nx=True)
            kept, first = await both.execute()
        loop = asyncio.get_running_loop()
        end = loop.time() + WAITS
        while kept is None and not first and loop.time() < end:
            await asyncio.sleep(_LOOKS_EVERY)
            # both at one moment: what is kept was so before it was left
            kept, still = await self._redis.mget(name, _making(name))
            first = still is None
        return None if kept is None else _whole(kept)


def _making(name: str) -> str:
    return f"{name}:making"


def _whole(kept: bytes) -> Whole:
    head, _, body = kept.partition(b"\n")
    status, headers = json.loads(head)
    return status, [(one.encode("latin-1"), other.encode("latin-1")) for one, other in headers], body


def _away(error: Exception) -> None:
    logger.warning("pages are not shared between processes: %s", error, extra={"sparing": "redis"})

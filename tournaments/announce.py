"""Tells open pages that something changed, never what: the page fetches the fragment it shows.

With REDIS_URL set, messages travel over one Redis channel to every process of the service; on one laptop they stay in
the process.
A listener belongs to the event loop of the page's stream. Losing a message is harmless: pages poll when a stream ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import redis
import redis.asyncio
from django.conf import settings
from django.db import transaction

from .models import Tournament

QUEUE_SIZE = 20
RECONNECT_SECONDS = 1.0
READY_SECONDS = 2.0

What = Literal["standings", "board", "sitting", "round", "job", "attendance"]
Message = dict[str, object]

logger = logging.getLogger(__name__)


def event_topic(slug: str) -> str:
    return f"event:{slug}"


def sitting_topic(sitting_id: int) -> str:
    return f"sitting:{sitting_id}"


def announce(tournament_id: int, what: What, id: int | None = None, number: int | None = None) -> None:
    """After the running transaction commits, tell the pages of an event (and of a sitting) that `what` changed.

    `id` is the sitting or round, `number` the version that is now true. Never raises: a result that is saved must
    not fail because nobody could be told.
    """
    transaction.on_commit(lambda: _announce(tournament_id, what, id, number), robust=True)


def announce_tables(sitting_ids: Iterable[int]) -> None:
    """After the running transaction commits, tell the phones at these tables, which only hear of their own sitting."""
    ids = list(sitting_ids)
    transaction.on_commit(lambda: _announce_tables(ids), robust=True)


def _announce_tables(ids: list[int]) -> None:
    for pk in ids:
        publish(sitting_topic(pk), {"what": "round", "id": pk, "number": None})


def _announce(tournament_id: int, what: What, id: int | None, number: int | None) -> None:
    message: Message = {"what": what, "id": id, "number": number}
    publish(event_topic(_slug(tournament_id)), message)
    if what == "sitting" and id is not None:
        publish(sitting_topic(id), message)


@lru_cache(maxsize=1024)
def _slug(tournament_id: int) -> str:
    return str(Tournament.objects.values_list("slug", flat=True).get(pk=tournament_id))


def publish(topic: str, message: Message) -> None:
    """Send a message to every listener of `topic`, in this process or through Redis."""
    if not settings.REDIS_URL:
        hub.deliver(topic, message)
        return
    try:
        _redis().publish(channel(), json.dumps({"topic": topic, "message": message}))
    except redis.RedisError as error:
        logger.warning("announcement lost, pages will poll: %s", error)


def channel() -> str:
    """The channel of this service: Redis is heard in all its databases, so it is named by ours."""
    database = redis.connection.parse_url(settings.REDIS_URL).get("db", 0)
    return f"referee:live:{database}"


@lru_cache(maxsize=1)
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1)


@dataclass(eq=False)
class Listener:
    """One open page. `get` waits for the next message."""

    topic: str
    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[Message] = field(default_factory=lambda: asyncio.Queue(maxsize=QUEUE_SIZE))

    async def get(self) -> Message:
        return await self.queue.get()

    def put(self, message: Message) -> None:
        # a slow reader loses the oldest: the newest message makes it fetch everything anyway
        if self.queue.full():
            self.queue.get_nowait()
        self.queue.put_nowait(message)


@dataclass(frozen=True, slots=True)
class _Reader:
    task: asyncio.Task[None]
    subscribed: asyncio.Event


class Hub:
    """The listeners of this process by topic. Safe to feed from any thread."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._lock = threading.Lock()
        self._readers: dict[asyncio.AbstractEventLoop, _Reader] = {}

    @property
    def size(self) -> int:
        with self._lock:
            return sum(len(listeners) for listeners in self._listeners.values())

    def join(self, topic: str) -> Listener:
        """Listen to a topic; call inside the event loop that will read."""
        loop = asyncio.get_running_loop()
        listener = Listener(topic, loop)
        with self._lock:
            self._listeners[topic].add(listener)
            reader = self._readers.get(loop)
            if settings.REDIS_URL and (reader is None or reader.task.done()):
                self._readers = {known: kept for known, kept in self._readers.items() if not known.is_closed()}
                subscribed = asyncio.Event()
                self._readers[loop] = _Reader(loop.create_task(self._read_redis(loop, subscribed)), subscribed)
        return listener

    async def ready(self) -> None:
        """Wait (briefly) until messages reach this event loop, so that nothing announced from now on is missed."""
        reader = self._readers.get(asyncio.get_running_loop())
        if reader is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.subscribed.wait(), READY_SECONDS)

    def leave(self, listener: Listener) -> None:
        with self._lock:
            listeners = self._listeners.get(listener.topic)
            if listeners is not None:
                listeners.discard(listener)
                if not listeners:
                    del self._listeners[listener.topic]
            if not any(known.loop is listener.loop for group in self._listeners.values() for known in group):
                reader = self._readers.pop(listener.loop, None)
                if reader is not None:
                    reader.task.cancel()

    def deliver(self, topic: str, message: Message, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """Hand a message to the listeners of a topic (of one event loop, or of all)."""
        with self._lock:
            listeners = [known for known in self._listeners.get(topic, ()) if loop is None or known.loop is loop]
        for listener in listeners:
            with suppress(RuntimeError):  # its loop has just been closed
                listener.loop.call_soon_threadsafe(listener.put, message)

    async def _read_redis(self, loop: asyncio.AbstractEventLoop, subscribed: asyncio.Event) -> None:
        """One subscription a process (strictly: an event loop), fanned out to its listeners; reconnects for ever."""
        while True:
            client = redis.asyncio.Redis.from_url(settings.REDIS_URL)
            try:
                async with client.pubsub() as subscription:
                    await subscription.subscribe(channel())
                    async for item in subscription.listen():
                        if item["type"] == "subscribe":
                            subscribed.set()
                        elif item["type"] == "message":
                            envelope = json.loads(item["data"])
                            self.deliver(envelope["topic"], envelope["message"], loop)
            except (redis.RedisError, OSError) as error:
                subscribed.clear()
                logger.warning("live subscription lost, trying again: %s", error)
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                with suppress(redis.RedisError, OSError):
                    await client.aclose()


hub = Hub()

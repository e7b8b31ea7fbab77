"""The open live streams of one process: who listens to what, and what each of them is sent.

One event loop, one subscription to the announcements, one ping for all. A message is encoded once, by the process that
says it, and handed to every listener as bytes; what a listener does with them (`Send`) is the business of the stream
that joined. Nothing here touches the database, and an idle listener costs no task of its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from functools import lru_cache
from types import coroutine
from typing import Any

import redis
import redis.asyncio
from django.conf import settings

PING_SECONDS = 15.0
#: What a slow reader has not taken yet. Of more nothing is kept: a hello makes its page fetch everything it shows.
WAITING_MOST = 20
RECONNECT_SECONDS = 1.0
READY_SECONDS = 2.0
#: The clocks of the process that drew a page and of this one may differ by so much.
CLOCKS_DIFFER = 1.0
#: Of so many topics it is remembered when they last moved; then the memory starts anew.
TOPICS_MOST = 50_000

PING = b": ping\n\n"
HELLO = b'data: {"what":"hello"}\n\n'
#: The last words of a stream whose pass is over: the page asks for another.
OVER = b'data: {"what":"over"}\n\n'
VERSION_BYTES = 8
#: Begins the topics that say whose passes are over; what follows is the holder.
HOLDER = "holder:"
#: So long it is remembered whose passes are over: no shorter than a pass lives.
OVER_KEPT = 3600.0

Message = Mapping[str, object]
Send = Callable[[bytes], Awaitable[None]]

logger = logging.getLogger(__name__)


def encoded(message: Message) -> bytes:
    """A message as one event of a stream."""
    return f"data: {json.dumps(message, separators=(',', ':'))}\n\n".encode()


def encoded_for_all(message: Message, *, public: bool) -> bytes:
    """A message as those with a pass are sent it; then, where it is public, as strangers are: only what kind it is, and
    a version, which nobody can guess before it is said: pages fetched under it are newer than this message.
    Nothing where no open page has to fetch."""
    if message["what"] is None:
        return b""
    told = {name: value for name, value in message.items() if name != "v"}
    bare = {"what": message["what"], "v": message.get("v") or new_version()}
    return encoded(told) + (encoded(bare) if public else b"")


def new_version() -> str:
    return secrets.token_hex(VERSION_BYTES)


def version_in(chunk: bytes) -> str:
    """The version that strangers were told with a message, as `encoded_for_all` gave it."""
    return str(json.loads(chunk.removeprefix(b"data: "))["v"])


def channel(topic: str) -> str:
    """The channel of a topic: Redis is heard in all its databases, so it is named by ours."""
    return f"referee:live:{_database(settings.REDIS_URL)}:{topic}"


@lru_cache(maxsize=8)
def _database(url: str) -> int:
    return int(redis.connection.parse_url(url).get("db", 0))


def begun(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run it as far as it goes without waiting, which is mostly to its end; what is left goes on as a task.

    To make a task of each word to each reader took longer than to say it.
    """
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None

    async def go_on() -> None:
        await _rest(work, waits_for)

    return asyncio.get_running_loop().create_task(go_on())


@coroutine
def _rest(work: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """A coroutine that has come to its first wait, from there on."""
    with suppress(StopIteration):
        while True:
            try:
                said = yield waits_for
            except BaseException as error:  # whatever ends its wait is its own to handle
                waits_for = work.throw(error)
            else:
                waits_for = work.send(said)


class Listener:
    """One open stream. Those with a `holder` hear everything of their topic, others only what strangers may know.

    `end` ends the stream; `over` says that its pass was the reason.
    """

    __slots__ = ("_end", "_send", "_waiting", "_writing", "holder", "over", "topic")

    def __init__(self, topic: str, send: Send, *, holder: str = "", end: Callable[[], object] = lambda: None) -> None:
        self.topic = topic
        self.holder = holder
        self.over = False
        self._end = end
        self._send = send
        self._waiting: list[bytes] = []
        self._writing: asyncio.Task[None] | None = None

    def put(self, chunk: bytes) -> None:
        """Send it without waiting for the reader; one who takes nothing is told to ask anew."""
        if len(self._waiting) >= WAITING_MOST:
            self._waiting = [HELLO]
        else:
            self._waiting.append(chunk)
        if self._writing is None:
            self._writing = begun(self._write())

    def close(self) -> None:
        if self._writing is not None:
            self._writing.cancel()

    def end(self) -> None:
        """Its holder may hear it no longer."""
        self.over = True
        self._end()

    @property
    def trusted(self) -> bool:
        return bool(self.holder)

    async def _write(self) -> None:
        try:
            while self._waiting:
                chunks = b"".join(self._waiting)
                self._waiting.clear()
                with suppress(OSError):  # the reader has gone; its stream is told of that as well
                    await self._send(chunks)
        except Exception:
            # whoever is told next hears it all the same
            logger.exception("a live stream failed")
        finally:
            self._writing = None


class Hub:
    """The listeners of this process. It belongs to the event loop of the first of them; `deliver` is for any thread."""

    def __init__(self) -> None:
        self._listeners: dict[tuple[str, bool], set[Listener]] = defaultdict(set)
        self._moved: dict[str, float] = {}
        self._versions: dict[str, tuple[str, float]] = {}
        self._over: dict[str, float] = {}
        self._hears_since: float | None = None
        self._ready = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def size(self) -> int:
        return sum(len(group) for group in self._listeners.values())

    def listen(self) -> None:
        """Hear announcements from now on, on the running loop, also while nobody has a stream open."""
        self._start()

    def still(self, topic: str, since: float) -> bool:
        """Whether everything that was said since then (seconds of the clock) was heard, and nothing of this topic."""
        heard = self._hears_since is not None and self._hears_since < since
        return heard and self._moved.get(topic, 0.0) < since

    def version(self, topic: str) -> tuple[str, float]:
        """The version that strangers were told last of a topic, and when (seconds of the clock); "" when none."""
        return self._versions.get(topic, ("", 0.0))

    async def join(self, listener: Listener, since: float | None = None) -> None:
        """Listen from now on. `since`: when the listener's page was drawn (seconds of the clock); it is greeted with a
        hello, which makes it look once more, unless it is sure that nothing it hears of has moved meanwhile."""
        self._start()
        self._listeners[listener.topic, listener.trusted].add(listener)
        if since is not None and self.is_over(listener.holder, since):
            listener.end()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ready.wait(), READY_SECONDS)
        if since is None or self._missed(listener.topic, since - CLOCKS_DIFFER):
            listener.put(HELLO)

    def leave(self, listener: Listener) -> None:
        listener.close()
        group = self._listeners.get((listener.topic, listener.trusted))
        if group is not None:
            group.discard(listener)
            if not group:
                del self._listeners[listener.topic, listener.trusted]

    def deliver(self, topic: str, message: Message, *, public: bool) -> None:
        """Tell the listeners of a topic; strangers only of what is `public`, and then only what kind of thing moved."""
        if topic.startswith(HOLDER):
            self._note_over(topic.removeprefix(HOLDER), time.time())
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed
                chunks = encoded_for_all(message, public=public)
                self._loop.call_soon_threadsafe(self._deliver, topic, chunks, time.time())

    def is_over(self, holder: str, drawn: float) -> bool:
        """Whether a pass that was drawn then (seconds of the clock) is over, though its time is not."""
        at = self._over.get(holder)
        return at is not None and drawn <= at + CLOCKS_DIFFER

    def stop(self) -> None:
        """End the tasks of the hub; call on its loop."""
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()
        self._loop = None

    def _start(self) -> None:
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._tasks.append(self._loop.create_task(self._ping()))
        if settings.REDIS_URL:
            self._tasks.append(self._loop.create_task(self._read_redis()))
        else:
            self._hear()

    def _hear(self) -> None:
        self._moved.clear()
        self._versions.clear()
        self._hears_since = time.time()
        self._ready.set()

    def _missed(self, topic: str, since: float) -> bool:
        return self._hears_since is None or since < self._hears_since or since < self._moved.get(topic, 0.0)

    def _note_over(self, holder: str, at: float) -> None:
        self._over = {one: since for one, since in self._over.items() if at - since < OVER_KEPT} | {holder: at}

    def _end_streams(self, holder: str) -> None:
        for listener in [one for group in self._listeners.values() for one in group if one.holder == holder]:
            listener.end()

    def _deliver(self, topic: str, chunks: bytes, at: float) -> None:
        """Hand on what was said of a topic (`encoded_for_all`)."""
        if topic.startswith(HOLDER):
            self._note_over(topic.removeprefix(HOLDER), at)
            self._end_streams(topic.removeprefix(HOLDER))
            return
        if len(self._moved) >= TOPICS_MOST:
            self._hear()
        self._moved[topic] = at
        whole, end, bare = chunks.partition(b"\n\n")
        if bare:
            self._versions[topic] = (version_in(bare), at)
        for trusted, chunk in ((True, whole + end), (False, bare)):
            for listener in self._listeners.get((topic, trusted), ()) if chunk else ():
                listener.put(chunk)

    def _tell_all(self, chunk: bytes) -> None:
        for group in self._listeners.values():
            for listener in group:
                listener.put(chunk)

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            self._tell_all(PING)

    async def _read_redis(self) -> None:
        """One subscription a process; reconnects for ever. What was said meanwhile is lost: every page looks again."""
        while True:
            client = redis.asyncio.Redis.from_url(settings.REDIS_URL)
            try:
                async with client.pubsub() as subscription:
                    every = channel("")
                    await subscription.psubscribe(f"{every}*")
                    async for item in subscription.listen():
                        if item["type"] == "psubscribe":
                            again = self._ready.is_set()
                            self._hear()
                            if again:
                                self._tell_all(HELLO)
                        elif item["type"] == "pmessage":
                            topic = item["channel"].decode().removeprefix(every)
                            self._deliver(topic, item["data"], time.time())
            except (redis.RedisError, OSError) as error:
                self._hears_since = None
                logger.warning("live subscription lost, trying again: %s", error, extra={"sparing": "subscription"})
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                with suppress(redis.RedisError, OSError):
                    await client.aclose()


hub = Hub()

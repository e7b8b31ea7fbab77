"""The feed of an event, kept open: every line as it comes, with its number as the cursor (server-sent events).

Here a stream tells what happened, so it has to be read. One thread of the process reads for all of its streams, once
for each event and each piece of news; lines that just came are kept, and handed to everybody from memory. Who comes
with an old cursor is given pages of the database by that same thread, in turn with the others.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db import DatabaseError, connections

from tournaments.acts.announce import feed_topic
from tournaments.acts.hub import PING, Hub, Listener
from tournaments.log.feed import feed_of, newest_line
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    Write = Callable[[bytes], Awaitable[None]]

logger = logging.getLogger(__name__)

#: Lines that came last, kept for everybody, and lines that are read at once.
KEPT: Final = 500
PAGE: Final = 200
#: Without an announcement it is looked so often all the same, in seconds: one may be lost.
LOOK_SECONDS: Final = 15.0

#: A line of the feed: its number, and the event of the stream.
Line = tuple[int, bytes]


def read_lines(event_id: int, after: int, limit: int = PAGE) -> list[Line]:
    """Lines of the feed after that number, read now."""
    event = Tournament.objects.filter(pk=event_id).first()
    found = [] if event is None else feed_of(event, after, limit)
    return [(int(one["number"]), _encoded(one)) for one in found]


def read_event(slug: str) -> tuple[int, int] | None:
    """The id of an event, and the number of its last line (-1: none); None where there is no such event."""
    event = Tournament.objects.filter(slug=slug).first()
    return None if event is None else (event.pk, newest_line(event))


def _encoded(line: dict[str, Any]) -> bytes:
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    return f"id: {line['number']}\ndata: {text}\n\n".encode()


class Tail:
    """The end of one event's feed, as long as somebody reads it."""

    def __init__(self, event_id: int, last: int) -> None:
        self.event_id = event_id
        self.readers = 0
        #: All lines after `begin` up to `last` are kept.
        self.begin = self.last = last
        self._lines: deque[Line] = deque()
        self._changed = asyncio.Event()
        self._moved = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def add(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._lines.append(line)
            self.last = line[0]
        while len(self._lines) > KEPT:
            self.begin = self._lines.popleft()[0]
        self._changed.set()
        self._changed = asyncio.Event()

    def after(self, number: int) -> list[Line] | None:
        """What is kept after that line; None where it is too long ago."""
        return None if number < self.begin else [line for line in self._lines if line[0] > number]

    async def news(self, seconds: float) -> None:
        """Wait until there is more, or for so long."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)

    async def moved(self, _chunk: bytes) -> None:
        """The feed has grown: look."""
        self._moved.set()

    async def until_moved(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), LOOK_SECONDS)
        self._moved.clear()


class Feeds:
    """The feeds that are read in this process; used on one event loop only."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tails: dict[str, Tail] = {}
        self._reading: ThreadPoolExecutor | None = None

    async def tail(self, slug: str) -> Tail:
        """The end of that event's feed, held until it is let go. LookupError where there is no such event."""
        if slug not in self._tails:
            known = await self._read(read_event, slug)
            if known is None:
                raise LookupError(slug)
            if slug not in self._tails:  # nobody else was quicker
                tail = self._tails[slug] = Tail(*known)
                tail.task = asyncio.create_task(self._follow(slug, tail))
        self._tails[slug].readers += 1
        return self._tails[slug]

    def let_go(self, slug: str, tail: Tail) -> None:
        tail.readers -= 1
        if not tail.readers and self._tails.get(slug) is tail:
            del self._tails[slug]
            if tail.task is not None:
                tail.task.cancel()

    async def lines(self, tail: Tail, after: int) -> list[Line]:
        """The next lines after that one: from memory, else a page of the database."""
        kept = tail.after(after)
        return await self._read(read_lines, tail.event_id, after) if kept is None else kept

    async def _follow(self, slug: str, tail: Tail) -> None:
        listener = Listener(feed_topic(slug), tail.moved)
        try:
            await self._hub.join(listener)
            while True:
                try:
                    while lines := await self._read(read_lines, tail.event_id, tail.last):
                        tail.add(lines)
                except DatabaseError as error:
                    logger.warning("feed not read, trying again: %s", error, extra={"sparing": "feed"})
                await tail.until_moved()
        finally:
            self._hub.leave(listener)

    async def _read(self, what: Callable[..., Any], *of: Any) -> Any:
        if self._reading is None:
            self._reading = ThreadPoolExecutor(1, thread_name_prefix="feeds")
        return await asyncio.get_running_loop().run_in_executor(self._reading, partial(_closing, what, *of))


def _closing(what: Callable[..., Any], *of: Any) -> Any:
    """Reads are far apart: none leaves a connection open."""
    try:
        return what(*of)
    finally:
        connections.close_all()


async def tell(feeds: Feeds, tail: Tail, after: int, write: Write, ping: float) -> None:
    """Write every line after that number, as it comes, for ever; a sign of life where none comes."""
    while True:
        lines = await feeds.lines(tail, after)
        if lines:
            await write(b"".join(chunk for _, chunk in lines))
            after = lines[-1][0]
        elif after >= tail.last:
            before = tail.last
            await tail.news(ping)
            if tail.last == before:
                await write(PING)
        else:
            # the line is past the last one that is kept, and not yet to be read: look again soon
            await tail.news(1.0)

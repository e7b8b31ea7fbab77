"""Live streams (server-sent events): an ASGI application of its own, beside Django's.

A stream costs one connection and one waiting coroutine: no thread, no database (the feed has one of each for all its
readers, `feed_streams`), no middleware. Who listens is decided once, when it opens: with a pass from a page (officials,
phones that hold a place) it hears everything of its event or sitting, without one only what strangers may know.
Strangers are counted, by address and in all, so that they can never take the places of those with a pass; whoever finds
no place is refused, and the page asks slowly by itself (`live.js`).
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from referee.parts.live import Pass, read_pass, topic_of
from referee.running import sums
from referee.running.sums import Streams
from referee.serving import descriptors
from referee.serving.feed_streams import Feeds, tell
from tournaments.acts.hub import OVER, PING_SECONDS, Listener, hub
from tournaments.acts.meters import stream_refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, MutableMapping

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PREFIX = "/live/"
LIFETIME_SECONDS = 30 * 60.0
RETRY = b"retry: 2000\n\n"

#: Never more streams than this in one process, however many descriptors there are.
MOST = 20_000
#: Descriptors that are not for streams: pages, the database, Redis, files.
OTHER_DESCRIPTORS = 200
#: The part of all streams that is kept for those with a pass.
RESERVED = 0.25
#: Streams of one pass holder: a few open pages.
MOST_OF_HOLDER = 20

logger = logging.getLogger(__name__)

_FEED = re.compile(r"/live/feed/(?P<slug>[-\w]+)/", re.ASCII)
_NUMBER = re.compile(r"-1|[0-9]{1,18}", re.ASCII)
_ADDRESS = re.compile(r"/live/(?P<kind>event|sitting)/(?P<name>[-\w]+)/", re.ASCII)
_WORDS = {
    400: "Bad request",
    403: "This pass is over",
    404: "No such stream",
    405: "Only GET",
    429: "Too many streams from your address: ask the page instead",
    503: "Too many streams: ask the page instead",
}
_STREAM = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-store"),
    (b"x-accel-buffering", b"no"),
]


#: As of the API: pages of other sites may read what anybody may.
_FOR_ALL = (b"access-control-allow-origin", b"*")


class Refused(Exception):
    """No stream, with this status."""

    def __init__(self, status: int) -> None:
        self.status = status


@dataclass
class Places:
    """Who holds how many streams of this process; used on one event loop only."""

    most: int = 0
    held: Counter[str] = field(default_factory=Counter)
    strangers: int = 0
    open: int = 0

    @contextmanager
    def place(self, known: Pass | None, address: str) -> Iterator[None]:
        """A place for one stream while the block lasts. Raises Refused: 429 for this holder or address, 503 for all."""
        holder = known.holder if known else address
        if self.held.total() >= self.most or (known is None and self.strangers >= self.most * (1 - RESERVED)):
            raise Refused(503)
        if self.held[holder] >= (MOST_OF_HOLDER if known else settings.STREAMS_PER_ADDRESS):
            raise Refused(429)
        self.held[holder] += 1
        self.strangers += known is None
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1
            self.strangers -= known is None
            self.held[holder] -= 1
            if not self.held[holder]:
                del self.held[holder]


feeds = Feeds(hub)
_open: set[asyncio.Task[None]] = set()
places = Places(most=min(MOST, descriptors.raised() - OTHER_DESCRIPTORS))
sums.tell_streams(lambda: Streams(places.open, places.strangers))


def close() -> None:
    """End all streams in order, so that the service can stop at once; call on their event loop."""
    for task in _open:
        task.cancel()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """One request for a stream; `/health` besides, for who keeps the process of the streams alive."""
    if scope["type"] != "http":
        return
    if scope["path"].startswith("/health"):
        await _answer(send, 200, b'{"status": "ok"}', b"application/json")
        return
    sums.keep_sending()
    try:
        if (slug := _feed_asked(scope)) is not None:
            await _feed(slug, _cursor(scope), scope, receive, send)
            return
        kind, name, known = _asked(scope)
        with places.place(known, _reader(scope)):
            await _stream(topic_of(kind, name), known, receive, send)
    except Refused as refused:
        if refused.status in (429, 503):
            sparing = {"sparing": f"streams {refused.status}"}
            stream_refused(refused.status)
            logger.warning("live stream refused (%s): %s", refused.status, _WORDS[refused.status], extra=sparing)
        await _answer(send, refused.status, _WORDS[refused.status].encode())


def _asked(scope: Scope) -> tuple[str, str, Pass | None]:
    """The kind and the name of the stream that is asked for, and the pass to it."""
    _refuse_other_hosts(scope)
    found = _ADDRESS.fullmatch(scope["path"])
    if found is None or (found["kind"] == "sitting" and not re.fullmatch(r"[0-9]{1,18}", found["name"])):
        raise Refused(404)
    if scope["method"] != "GET":
        raise Refused(405)
    given = parse_qs(scope["query_string"].decode("latin-1")).get("pass")
    known = read_pass(scope["path"], given[0], time.time()) if given else None
    if given and (known is None or hub.is_over(known.holder, known.drawn)):
        raise Refused(403)
    return found["kind"], found["name"], known


def _refuse_other_hosts(scope: Scope) -> None:
    headers = dict(scope["headers"])
    domain = split_domain_port(headers.get(b"host", b"").decode("latin-1"))[0]
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        raise Refused(400)


def _feed_asked(scope: Scope) -> str | None:
    """The event whose feed is asked for; None where another stream is."""
    found = _FEED.fullmatch(scope["path"])
    if found is None:
        return None
    _refuse_other_hosts(scope)
    if scope["method"] != "GET":
        raise Refused(405)
    return found["slug"]


def _cursor(scope: Scope) -> int:
    """The number of the last line that the reader has: what its browser says when it comes back, else `after`."""
    said = dict(scope["headers"]).get(b"last-event-id", b"").decode("latin-1")
    text = said or parse_qs(scope["query_string"].decode("latin-1")).get("after", ["-1"])[0]
    if not _NUMBER.fullmatch(text):
        raise Refused(400)
    return int(text)


def _reader(scope: Scope) -> str:
    """The reader's address; of IPv6 the network, which one reader has for himself."""
    host = (scope.get("client") or ("",))[0]
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or int(address) >> 64)
    return str(address)


async def _feed(slug: str, after: int, scope: Scope, receive: Receive, send: Send) -> None:
    """The feed of an event to one reader, who is told no more than any stranger."""

    async def write(chunk: bytes) -> None:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    with places.place(None, _reader(scope)):
        try:
            tail = await feeds.tail(slug)
        except LookupError:
            raise Refused(404) from None
        own = asyncio.current_task()
        assert own is not None
        _open.add(own)
        tasks: list[asyncio.Task[None]] = []
        try:
            await send({"type": "http.response.start", "status": 200, "headers": [*_STREAM, _FOR_ALL]})
            await write(RETRY)
            tasks += [asyncio.create_task(one) for one in (gone(), tell(feeds, tail, after, write, PING_SECONDS))]
            await asyncio.wait(tasks, timeout=LIFETIME_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            pass  # the service stops (`close`)
        finally:
            _open.discard(own)
            await _ended(tasks)
            feeds.let_go(slug, tail)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _ended(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception) and not isinstance(outcome, OSError):
            logger.error("a stream of a feed failed", exc_info=outcome)


async def _stream(topic: str, known: Pass | None, receive: Receive, send: Send) -> None:
    """One stream until its reader goes, its pass (a stranger's: half an hour) is over, or the service stops."""

    async def write(chunk: bytes) -> None:
        await send({"type": "http.response.body", "body": chunk, "more_body": True})

    await send({"type": "http.response.start", "status": 200, "headers": _STREAM})
    await write(RETRY)
    task = asyncio.current_task()
    assert task is not None
    _open.add(task)
    listener = Listener(topic, write, holder=known.holder if known else "", end=task.cancel)
    lasts = known.ends - time.time() if known else LIFETIME_SECONDS
    try:
        async with asyncio.timeout(lasts):
            await hub.join(listener, known.drawn if known else None)
            while (await receive())["type"] != "http.disconnect":
                pass
    except TimeoutError:
        await _end(listener, send, OVER if known else b"")
    except asyncio.CancelledError:
        # the pass is over, or the service stops (`close`)
        await _end(listener, send, OVER if listener.over else b"")
    finally:
        _open.discard(task)
        hub.leave(listener)


async def _end(listener: Listener, send: Send, last: bytes) -> None:
    """An orderly end, after which the browser comes back."""
    hub.leave(listener)
    await send({"type": "http.response.body", "body": last, "more_body": False})


async def _answer(send: Send, status: int, body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> None:
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if status == 405:
        headers.append((b"allow", b"GET"))
    if status in (429, 503):
        headers.append((b"retry-after", b"60"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

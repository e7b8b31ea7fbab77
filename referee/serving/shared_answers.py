"""Public pages are made once for everybody who asks for the same one while nothing of its event moves.

When something is announced, every open page of an event asks for its changed part in the same moment. A page that was
made is kept until its event moves again: the hub hears every act of the service. Should an announcement be lost, or
time alone change a page, it is some seconds old at most. While one is being made, who asks for the same waits for it: a
page is never worked out more than once at a time, however many look at it; nor all the time, for phones enter hands
meanwhile. Nobody gets a page that is older than the last announcement before his question.

Once a version was told, a page that one process has made since is given by the others as well (`bodies`).

Open pages ask for their changed part under the version that the announcement told them (``v``). While that version is
the newest, and the part was made after it, the answer is good for ever and for every cache on the way: its address
will never be asked for something newer. Under any other version nothing may be kept.

The whole page is kept for a second by the proxy that is shipped, which may give it for one more while it asks anew; a
part without a version it never keeps, for that is what a page asks for to be sure of the moment.

Whoever is signed in is answered by himself, and no cache keeps it. Of everybody else's request only what a page may
depend on goes on to Django, and no cookie does: nothing personal can come into a page that is shared.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, Protocol

from django.conf import settings

from referee.requests import takes_gzip
from referee.serving.bodies import KEPT_SECONDS, Bodies, name_of
from tournaments.acts.announce import event_topic
from tournaments.acts.hub import hub

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Key = tuple[Any, ...]

#: How many times longer than a page took it rests before it is made anew, and how long at most, in seconds.
RESTS: Final = 2.0
REST_MOST: Final = 1.0
#: How many bytes of pages a process keeps, each as long as its event does not move and for `KEPT_SECONDS` at most.
KEPT_BYTES: Final = 32 * 2**20

#: What only reads; ``HEAD`` is told of the page what ``GET`` is, without it.
_READS: Final = frozenset({"GET", "HEAD"})
#: Cookies of somebody who is not answered like everybody: he is signed in, or is to be told something once.
_PERSONAL: Final = frozenset({settings.SESSION_COOKIE_NAME, f"{settings.COOKIE_PREFIX}messages"})
#: What of a request goes on to Django. No cookie does: the look that somebody has chosen is set in his browser.
_PASSED_ON: Final = frozenset({b"accept", b"accept-encoding", b"accept-language", b"host", b"x-forwarded-proto"})
#: What a 304 does not repeat.
_OF_THE_BODY: Final = frozenset({b"content-length", b"content-type", b"content-encoding"})
#: The changed part of a page under a version, the last thing in its address.
_VERSIONED: Final = re.compile(rb"(?P<part>(?:.*&)?part=live(?:&.*)?)&v=(?P<version>[0-9a-f]{1,64})", re.DOTALL)
#: How the part is kept that its version names, and any other; a copy lives an hour at most.
FOR_EVER: Final = b"public, max-age=3600, immutable"
NEVER: Final = b"no-store"
#: A whole page that may be kept and is asked for each time; to the proxy that is shipped it says more. Before
#: ``Cache-Control``: nginx until 1.22 takes the first of both for the rule.
ASK_AGAIN: Final = b"public, no-cache"
A_SECOND: Final = ((b"x-accel-expires", b"1"), (b"cache-control", b"public, no-cache, stale-while-revalidate=1"))
_PART: Final = re.compile(rb"(?:.*&)?part=live(?:&.*)?", re.DOTALL)
_EVENT: Final = re.compile(r"/(?:zh|en)/e/([-\w]+)/", re.ASCII)


class Moves(Protocol):
    """Who knows whether anything was said of a topic: the hub of the process."""

    def listen(self) -> None: ...

    def still(self, topic: str, since: float) -> bool: ...

    def version(self, topic: str) -> tuple[str, float]: ...


@dataclass(frozen=True, slots=True)
class Made:
    """An answer as Django gave it. `began`: when its making began, by the clock; nothing in it is older."""

    status: int
    headers: Headers
    body: bytes
    began: float

    @property
    def shared(self) -> bool:
        """Whether others may have it: it is a page, and sets no cookie, which would be for who asked first."""
        return self.status == 200 and self.header(b"set-cookie") is None

    @property
    def for_all(self) -> bool:
        """Whether who waited for it together is answered together: a page, or that nobody can be answered just now."""
        return self.shared or self.status == 503

    def header(self, name: bytes) -> bytes | None:
        return next((value for known, value in self.headers if known.lower() == name), None)

    def is_known(self, tags: bytes) -> bool:
        """Whether the reader has it already, by the entity tags that he names; ``*`` names whatever there is."""
        if tags.strip() == b"*":
            return True
        tag = self.header(b"etag")
        return tag is not None and _plain(tag) in {_plain(one) for one in tags.split(b",")}


@dataclass(frozen=True, slots=True)
class Question:
    """What a page depends on, and of which event it tells ("": of none).

    `version`: under which its changed part is asked for (None: under none); `query` is the address without it.
    """

    key: Key
    headers: Headers
    topic: str
    query: bytes
    version: str | None

    @property
    def whole(self) -> bool:
        """Whether it asks for a page of an event, and not for its changing part."""
        return bool(self.topic) and self.version is None and _PART.fullmatch(self.query) is None

    @property
    def unheard(self) -> Question:
        """The same of somebody who knows a version that did not reach this process yet: nothing kept will do for him,
        and what is made for him is not kept."""
        return replace(self, key=(*self.key, "unheard"), topic="")

    @classmethod
    def of(cls, scope: Scope) -> Question | None:
        """None: he who asks is answered by himself."""
        given: Headers = scope["headers"]
        cookies = _cookies(given)
        if scope["method"] not in _READS or _PERSONAL & cookies.keys() or any(name == b"range" for name, _ in given):
            return None
        found = _VERSIONED.fullmatch(scope["query_string"])
        query: bytes = found["part"] if found else scope["query_string"]
        headers = [(name, value) for name, value in given if name in _PASSED_ON]
        event = _EVENT.match(scope["path"])
        # every browser has an Accept of its own for the same page, and no public page has more than one kind
        depends = frozenset(
            (name, _packing(value) if name == b"accept-encoding" else value)
            for name, value in headers
            if name not in (b"accept", b"accept-language")
        )
        version = found["version"].decode() if found else None
        return cls((scope["path"], query, depends), headers, event_topic(event[1]) if event else "", query, version)


class Shared:
    """An application in front of `inner`, for addresses that everybody may read; `bodies`: those of all processes."""

    def __init__(self, inner: App, moves: Moves = hub, bodies: Bodies | None = None) -> None:
        self._inner = inner
        self._moves = moves
        self._bodies = bodies
        self._kept: OrderedDict[Key, Made] = OrderedDict()
        self._size = 0
        self._making: dict[Key, asyncio.Future[None]] = {}
        self._resting: dict[Key, asyncio.Future[None]] = {}
        self._next: dict[Key, asyncio.Task[Made]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Question.of(scope)
        if asked is None:
            await self._inner(scope, receive, _kept_by_nobody_else(send))
            return
        self._moves.listen()
        wanted = asked if asked.version in (None, self._moves.version(asked.topic)[0]) else asked.unheard
        made, first = self._kept_for(wanted), False
        if made is None:
            task = self._next.get(wanted.key)
            first = task is None
            if task is None:
                task = self._next[wanted.key] = asyncio.create_task(self._made_next(wanted, scope))
            made = await asyncio.shield(task)
        if not (made.for_all or first):
            await self._inner(scope, receive, _kept_by_nobody_else(send))
            return
        await _give(made, scope, send, self._kept_how(asked, made), whole=asked.whole)

    async def _made_next(self, asked: Question, scope: Scope) -> Made:
        """The page that is being made, if it will do when it is done; else one made after the last who waits for it."""
        key = asked.key
        if making := self._making.get(key):
            await making
        if made := self._kept_for(asked):
            del self._next[key]
            return made
        if resting := self._resting.get(key):
            await resting
        del self._next[key]
        loop = asyncio.get_running_loop()
        making, resting = self._making[key], self._resting[key] = loop.create_future(), loop.create_future()
        began = loop.time()
        try:
            made = await self._make(asked, scope)
            self._keep(asked, made)
        finally:
            del self._making[key]
            making.set_result(None)
            loop.call_later(min(REST_MOST, RESTS * (loop.time() - began)), self._rested, key, resting)
        return made

    async def _make(self, asked: Question, scope: Scope) -> Made:
        """The page, as another process has made it since its event moved, or made here."""
        version, told = self._moves.version(asked.topic)
        # in order behind what was told, before anything said later
        since = math.nextafter(told, math.inf)
        if self._bodies is None or not version or not self._moves.still(asked.topic, since):
            return await self._made_here(asked, scope)
        name = name_of(version, asked.key[0], asked.key[1], sorted(asked.key[2]))
        if found := await self._bodies.find(name):
            return Made(*found, since)
        made = None
        try:
            made = await self._made_here(asked, scope)
        finally:
            if made is not None and made.shared and told < made.began and self._moves.still(asked.topic, since):
                await self._bodies.keep(name, (made.status, made.headers, made.body))
            else:
                await self._bodies.leave(name)
        return made

    async def _made_here(self, asked: Question, scope: Scope) -> Made:
        began, said = time.time(), list[Message]()

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            said.append(message)

        as_asked = {**scope, "method": "GET", "headers": asked.headers, "query_string": asked.query}
        await self._inner(as_asked, receive, send)
        body = b"".join(message.get("body", b"") for message in said)
        return Made(said[0]["status"], list(said[0]["headers"]), body, began)

    def _kept_how(self, asked: Question, made: Made) -> bytes | None:
        """What caches on the way may do with an answer; None: what the page says of itself."""
        if asked.version is None:
            return None
        newest, told = self._moves.version(asked.topic)
        return FOR_EVER if made.shared and asked.version == newest and told < made.began else NEVER

    def _kept_for(self, asked: Question) -> Made | None:
        made = self._kept.get(asked.key)
        if made is None:
            return None
        if 0 <= time.time() - made.began <= KEPT_SECONDS and self._moves.still(asked.topic, made.began):
            return made
        self._drop(asked.key)
        return None

    def _keep(self, asked: Question, made: Made) -> None:
        self._drop(asked.key)
        if not (asked.topic and made.shared):
            return
        self._kept[asked.key] = made
        self._size += len(made.body)
        while self._size > KEPT_BYTES:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Key) -> None:
        made = self._kept.pop(key, None)
        self._size -= len(made.body) if made else 0

    def _rested(self, key: Key, resting: asyncio.Future[None]) -> None:
        del self._resting[key]
        resting.set_result(None)


def _kept_by_nobody_else(send: Send) -> Send:
    """What one reader is answered by himself is kept by his browser alone."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = message["headers"]
            message = {**message, "headers": _instead(headers, _private(headers))}
        await send(message)

    return sent


def _private(headers: Headers) -> bytes:
    return _how(headers).replace(b"public", b"private")


def _how(headers: Headers) -> bytes:
    """What an answer says of itself to caches."""
    return next((value for name, value in headers if name.lower() == b"cache-control"), b"no-cache")


def _instead(headers: Headers, how: bytes) -> Headers:
    """The headers with another rule for caches."""
    return [*(one for one in headers if one[0].lower() != b"cache-control"), (b"cache-control", how)]


def _for_all(headers: Headers, how: bytes | None, *, whole: bool) -> Headers:
    """The headers of what everybody may have: no cookie was passed on, so it depends on none."""
    headers = [*(one for one in headers if one[0].lower() != b"vary"), (b"vary", b"Accept-Encoding")]
    if how is not None:
        return _instead(headers, how)
    if whole and _how(headers) == ASK_AGAIN:
        return [*(one for one in headers if one[0].lower() != b"cache-control"), *A_SECOND]
    return headers


async def _give(made: Made, scope: Scope, send: Send, how: bytes | None, *, whole: bool) -> None:
    """Send the page, or that the reader has it. `how` it may be kept, where the page itself does not say."""
    tags = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
    if made.shared:
        headers = _for_all(made.headers, how, whole=whole)
    else:
        headers = _instead(made.headers, how or _private(made.headers))
    if made.shared and tags and made.is_known(tags):
        headers = [one for one in headers if one[0].lower() not in _OF_THE_BODY]
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    await send({"type": "http.response.start", "status": made.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else made.body})


def _packing(encodings: bytes) -> bytes:
    """How an answer is packed for this `Accept-Encoding`."""
    return b"gzip" if takes_gzip(encodings.decode("latin-1")) else b""


def _plain(tag: bytes) -> bytes:
    """An entity tag as it is compared: packed or not, it names the same page."""
    return tag.strip().removeprefix(b"W/")


def _cookies(headers: Headers) -> dict[str, str]:
    """The cookies by name; one that nobody can read leaves those before it."""
    found: SimpleCookie = SimpleCookie()
    for name, value in headers:
        if name == b"cookie":
            try:
                found.load(value.decode("latin-1"))
            except CookieError:
                continue
    return {name: morsel.coded_value for name, morsel in found.items()}

"""Many who ask for the same public page at once are given one answer, made after the last of them asked.

When something is announced, every open page of an event asks for its changed part in the same moment. While one answer
is being made, who asks for the same waits for the next one: so nobody gets an answer older than his question, and a
page is never worked out more than once at a time, however many look at it; nor all the time, for phones enter hands
meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Key = tuple[Any, ...]

#: How many times longer than an answer took its page rests before the next one, and how long at most, in seconds.
RESTS = 2.0
REST_MOST = 1.0

#: What of a request an answer may depend on, beside its address.
_HEADERS = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"accept-language",
        b"cookie",
        b"host",
        b"if-modified-since",
        b"if-none-match",
        b"range",
        b"x-forwarded-proto",
    }
)


class Shared:
    """An application in front of `inner`, for addresses that everybody may read."""

    def __init__(self, inner: App) -> None:
        self._inner = inner
        self._busy: dict[Key, asyncio.Future[None]] = {}
        self._made_next: dict[Key, asyncio.Task[list[Message]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await self._inner(scope, receive, send)
            return
        own = frozenset(header for header in scope["headers"] if header[0] in _HEADERS)
        key = (scope["path"], scope["query_string"], own)
        task = self._made_next.get(key)
        first = task is None
        if task is None:
            task = self._made_next[key] = asyncio.create_task(self._make(key, scope))
        answer = await asyncio.shield(task)
        if not first and _is_personal(answer):
            await self._inner(scope, receive, send)
            return
        for message in answer:
            await send(message)

    async def _make(self, key: Key, scope: Scope) -> list[Message]:
        if before := self._busy.get(key):
            await before
        del self._made_next[key]
        loop = asyncio.get_running_loop()
        busy = self._busy[key] = loop.create_future()
        began = loop.time()
        answer: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            answer.append(message)

        try:
            await self._inner(scope, receive, send)
        finally:
            loop.call_later(min(REST_MOST, RESTS * (loop.time() - began)), self._free, key, busy)
        return answer

    def _free(self, key: Key, busy: asyncio.Future[None]) -> None:
        del self._busy[key]
        busy.set_result(None)


def _is_personal(answer: list[Message]) -> bool:
    """Whether it sets a cookie, which is for who asked first."""
    return any(name.lower() == b"set-cookie" for name, _ in answer[0]["headers"])

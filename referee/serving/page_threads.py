"""Pages run on threads: a request is handed to one in one piece, and its answer comes back in one piece.

The adapter that is made for everything passes each part of a request and of an answer between the event loop and the
thread, and waits for each; that cost as much as a third of a short answer. It still takes bodies that are large. A body
that comes without its length (`Transfer-Encoding: chunked`) is read here and then has one, for Django reads no further
than the length that is stated. Of a long answer what is ready is sent while the rest is made. Who goes first when all
threads are taken, and who is refused, is decided before (`turns`).
"""

from __future__ import annotations

import asyncio
import contextvars
import io
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, cast

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import build_environ

from referee.serving.shed import refuse
from referee.serving.turns import Shed, Turns, kind_of

#: Bytes of a body that is read before its request goes to a thread; bytes of an answer that are kept together.
SHORT_BODY: Final = 1_000_000
TOGETHER: Final = 256_000

Head = tuple[int, list[tuple[bytes, bytes]]]


class PageThreads:
    """Runs a WSGI application on threads of its own. Without `turns` nobody is refused, and who came first is first."""

    def __init__(self, pages: Any, workers: int, turns: Turns | None = None) -> None:
        self._pages = pages
        self._turns = turns
        self._in_parts = WSGIMiddleware(pages, workers=workers)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._in_parts(scope, receive, send)
        elif _is_short(scope["headers"]):
            await self._whole(scope, receive, send)
        else:
            await self._in_turn(scope, send, self._in_parts, scope, receive, send)

    async def _whole(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = bytearray(), True
        while more and len(body) <= SHORT_BODY:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        environ = build_environ(scope, cast("Any", io.BytesIO(bytes(body))))
        if "HTTP_TRANSFER_ENCODING" in environ and len(body) <= SHORT_BODY:
            environ["CONTENT_LENGTH"] = str(len(body))
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        answer = _Answer(lambda message: asyncio.run_coroutine_threadsafe(send(message), loop).result())

        def make() -> Awaitable[None]:
            return loop.run_in_executor(self._in_parts.executor, context.run, answer.make, self._pages, environ)

        if await self._in_turn(scope, send, make):
            for message in answer.rest():
                await send(message)

    async def _in_turn(self, scope: Any, send: Any, run: Callable[..., Awaitable[None]], *given: Any) -> bool:
        """Run it when its turn has come; False: it never came, and that was answered."""
        if self._turns is None:
            await run(*given)
            return True
        kind = kind_of(scope)
        try:
            async with self._turns.turn(kind):
                await run(*given)
        except Shed:
            await refuse(kind, scope, send)
            return False
        return True


def _is_short(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    length = dict(headers).get(b"content-length", b"0")
    return length.isdigit() and len(length) < 8 and int(length) <= SHORT_BODY


class _Answer:
    """What a WSGI application answers, as messages of ASGI."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        self._send = send
        self._head: Head | None = None
        self._begun = False
        self._body = bytearray()

    def make(self, pages: Any, environ: Any) -> None:
        """Run the application; on its thread."""
        chunks = pages(environ, self._start)
        try:
            for chunk in chunks:
                self._body += chunk
                if len(self._body) > TOGETHER:
                    for message in self._ready(more=True):
                        self._send(message)
        finally:
            if hasattr(chunks, "close"):
                chunks.close()

    def rest(self) -> list[Any]:
        """What has not been sent yet."""
        return self._ready(more=False)

    def _start(self, status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
        # Django begins a cookie with a blank, which no header may
        named = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]
        self._head = (int(status.split(" ", 1)[0]), named)

    def _ready(self, *, more: bool) -> list[Any]:
        messages: list[Any] = []
        if not self._begun:
            assert self._head is not None, "an answer begins with its status"
            messages.append({"type": "http.response.start", "status": self._head[0], "headers": self._head[1]})
            self._begun = True
        messages.append({"type": "http.response.body", "body": bytes(self._body), "more_body": more})
        self._body.clear()
        return messages

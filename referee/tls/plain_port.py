"""The plain port of a laptop that speaks TLS: it leads to https, and lets through what has to come before that.

A page is led on; a program is told and not led, for it would go on sending its token in the clear (ASVS 4.1.2). What is
let through: how a phone comes to trust the authority, with the files of that page; the channel of a second laptop,
which is encrypted by itself; and whether the service is well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Inside = Callable[[Any, Any, Any], Awaitable[None]]

THROUGH: Final = ("/trust/", "/zh/trust/", "/en/trust/", "/static/", "/follow/", "/health", "/preferences/")
_SENTENCE: Final = "This is not done over plain http. Use {}"
FOR_PROGRAMS: Final = ("/api/", "/live/", "/metrics")


class PlainPort:
    """Around the whole service, on the plain port."""

    def __init__(self, inside: Inside) -> None:
        self._inside = inside

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or path.startswith(THROUGH):
            await self._inside(scope, receive, send)
            return
        is_page = scope["method"] in ("GET", "HEAD") and not path.startswith(FOR_PROGRAMS)
        if is_page:
            to = "/trust/" if settings.TLS == "own" else f"{settings.PUBLIC_URL}/"
            await _answer(send, 302, [(b"location", to.encode())])
        else:
            await _answer(
                send, 403, [(b"content-type", b"text/plain; charset=utf-8")], _SENTENCE.format(settings.PUBLIC_URL)
            )


async def _answer(send: Any, status: int, headers: list[tuple[bytes, bytes]], body: str = "") -> None:
    text = body.encode()
    headers = [*headers, (b"content-length", str(len(text)).encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})

"""What is answered to a request that found no turn (`turns`): 503, a sentence, and when to ask again.

It is made without a thread, middleware, a session or the database: those are what there is too little of. When to ask
again differs from answer to answer, so that those who were refused together do not come back together.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from django.template.loader import render_to_string

from referee.running import lately
from referee.serving.turns import API, Kind
from tournaments.acts.failures import BUSY, SAFE_METHODS

#: After how many seconds each kind is to ask again: from, to.
AGAIN: Final[Mapping[Kind, tuple[int, int]]] = {
    Kind.PEOPLE: (2, 4),
    Kind.PROGRAMS: (4, 8),
    Kind.READERS: (5, 15),
}
#: What each kind is called where it is counted.
WORDS: Final[Mapping[Kind, str]] = {Kind.PEOPLE: "people", Kind.PROGRAMS: "programs", Kind.READERS: "readers"}
_JSON, _PAGE = b"application/json", b"text/html; charset=utf-8"
#: The page's own rule of what it may load: our sheets.
_POLICY: Final = (
    b"default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)

logger = logging.getLogger(__name__)


async def refuse(kind: Kind, scope: Mapping[str, Any], send: Callable[[Any], Awaitable[None]]) -> None:
    """Answer a request that found no turn, and count it."""
    word = WORDS[kind]
    lately.shed(word)
    logger.warning("no thread was free in time: %s", word, extra={"sparing": f"shed {word}"})
    wait = random.randint(*AGAIN[kind])  # noqa: S311 - no secret: it spreads those who come back
    body, content_type = _said(scope, wait)
    headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"retry-after", str(wait).encode()),
        (b"content-security-policy", _POLICY),
        (b"x-content-type-options", b"nosniff"),
    ]
    if _is_shared(scope):
        headers += [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", b"Retry-After")]
    await send({"type": "http.response.start", "status": BUSY.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _said(scope: Mapping[str, Any], wait: int) -> tuple[bytes, bytes]:
    if scope["path"].startswith(API):
        return _envelope(), _JSON
    if dict(scope["headers"]).get(b"accept", b"").startswith(_JSON):
        return _sentence(), _JSON
    return _page(wait, looked_at=scope["method"] in SAFE_METHODS), _PAGE


@cache
def _envelope() -> bytes:
    from api.common.errors import of_failure

    return json.dumps(of_failure(BUSY), ensure_ascii=False).encode()


@cache
def _sentence() -> bytes:
    """In both languages: which one the reader has chosen is known behind the middleware only."""
    both = " · ".join(BUSY.message.values())
    return json.dumps({"code": BUSY.code, "message": both}, ensure_ascii=False).encode()


@cache
def _page(wait: int, *, looked_at: bool) -> bytes:
    return render_to_string("failure.html", {"failure": replace(BUSY, wait=wait), "looked_at": looked_at}).encode()


def _is_shared(scope: Mapping[str, Any]) -> bool:
    """Whether a page of another site may read it, as it may what was asked for (`api.common.sharing`)."""
    given = {name for name, _ in scope["headers"]}
    return scope["path"].startswith(API) and scope["method"] in ("GET", "HEAD") and b"authorization" not in given

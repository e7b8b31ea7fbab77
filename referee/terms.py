"""The highest term a browser saw, carried by a cookie to whichever laptop has the address of the cards.

A laptop that took over gives its signed terms to every phone and desk that comes. When the one before is plugged in
again under the same address, the first of them tells it so: from then on it writes nothing to those events
(`tournaments.following.terms.heard`, which believes only a laptop that was paired).
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils import timezone

from tournaments.following import terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

COOKIE: Final = f"{settings.COOKIE_PREFIX}terms"
#: Pages whose readers may write.
PLACES: Final = ("/t/", "/table/", "/me/", "/desk/")
#: So many terms travel, the newest; a cookie holds no more.
MOST: Final = 5
MOST_BYTES: Final = 8192
_SECONDS: Final = 30 * 24 * 3600


class Terms:
    """Middleware: hears of later terms, and tells of those that began here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PLACES):
            return self.get_response(request)
        told, ours = request.COOKIES.get(COOKIE, ""), carried()
        if told and told != ours:
            for one in read(told):
                terms.heard(one, timezone.now())
        response = self.get_response(request)
        if ours and told != ours:
            response.set_cookie(
                COOKIE, ours, max_age=_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure()
            )
        return response


def carried() -> str:
    """The terms that began here, as a cookie holds them; empty where none did."""
    said = list(terms.ours())[-MOST:]
    if not said:
        return ""
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(said).encode(), 9)).decode()


def read(text: str) -> list[str]:
    """The terms in a cookie, each as it was said; none where it cannot be read."""
    try:
        opened = zlib.decompressobj()
        said = json.loads(opened.decompress(base64.urlsafe_b64decode(text), MOST_BYTES))
    except (ValueError, zlib.error):
        return []
    return [json.dumps(one) for one in said[:MOST]] if isinstance(said, list) else []

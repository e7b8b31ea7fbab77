"""Whom this browser was let in as before: its wrong tries are counted apart from those of strangers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core import signing

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

COOKIE: Final = f"{settings.COOKIE_PREFIX}known"
SALT: Final = "referee.parts.known_browser"
_YEAR: Final = 365 * 24 * 3600
_MOST: Final = 8
_STATED: Final = 200


def address_of(request: HttpRequest) -> str:
    """Where a request came from, for counting tries."""
    return str(request.META.get("REMOTE_ADDR", ""))


def stated_browser(request: HttpRequest) -> str:
    """What a browser says of itself, for its person to know it again."""
    return request.headers.get("User-Agent", "")[:_STATED]


def known_as(request: HttpRequest) -> tuple[str, ...]:
    """Who was let in here, as in ``user:5`` or ``code:12``; the last one last."""
    try:
        kept = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=_YEAR)
    except signing.BadSignature:
        return ()
    return tuple(kept)


def people_known(request: HttpRequest) -> frozenset[int]:
    """The ids of those who signed in here."""
    kinds = (one.partition(":") for one in known_as(request))
    return frozenset(int(number) for kind, _, number in kinds if kind == "user")


def last_known(request: HttpRequest) -> str:
    """Who was let in here last; empty: nobody. Whoever drops the cookie and enters again is still the same one."""
    return (known_as(request) or ("",))[-1]


def remember(request: HttpRequest, response: HttpResponseBase, who: str) -> None:
    """Note on this browser that `who` was let in."""
    kept = [*(one for one in known_as(request) if one != who), who][-_MOST:]
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=SALT),
        max_age=_YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )

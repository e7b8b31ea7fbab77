"""Counting wrong tries per address with an atomic counter, so that codes and passwords cannot be guessed.

Only failures and calls without credentials count: two hundred phones behind one address of a hall are never locked out.
"""

from __future__ import annotations

from django.core.cache import cache
from rest_framework.request import Request

from .errors import TooFast

WINDOW = 60


def address_of(request: Request) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))


def refuse_if_over(request: Request, what: str, limit: int) -> None:
    """429 when this address failed `limit` times in the window."""
    if (cache.get(_key(request, what)) or 0) >= limit:
        raise TooFast(WINDOW)


def count(request: Request, what: str) -> int:
    """Count one try of this address; the number so far in the window."""
    key = _key(request, what)
    cache.add(key, 0, WINDOW)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out in between
        cache.add(key, 1, WINDOW)
        return 1


def spend(request: Request, what: str, limit: int) -> None:
    """Count one call of this address, and refuse what is over the limit: of a thousand at once, `limit` pass."""
    if count(request, what) > limit:
        raise TooFast(WINDOW)


def _key(request: Request, what: str) -> str:
    return f"limit:{what}:{address_of(request)}"

"""Every request has a number, which stands in each line of the log that is about it, also in what a worker logs of the
tasks that it asked for; and how long each address takes is counted.

A proxy may give the number (`X-Request-ID`); the answer says it again, unless caches keep that answer for others.
"""

from __future__ import annotations

import re
import secrets
import time
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from tournaments.acts import meters
from tournaments.acts.admission import Actor

from . import sums

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from django.http import HttpRequest

#: What a line of the log calls the number, and under what name a task carries it.
NUMBER: Final = "request_id"
HEADER: Final = "X-Request-ID"
#: What a line about a refused request calls who asked: `user:5`, `device:7`, or nobody.
WHO: Final = "who"
REFUSED: Final = 400
_ALLOWED: Final = re.compile(r"[0-9A-Za-z._-]{8,64}")
#: Addresses that lead nowhere, and files.
_NOWHERE, _STATIC = "none", "static"


def numbered(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Middleware, the outermost: gives the request its number and notes how long its answer took.

    The number is not taken away at the end, for Django logs a refused request after all middleware; each request runs
    in a context of its own.
    """

    def answer(request: HttpRequest) -> Any:
        sums.keep_sending()
        clear_contextvars()
        number = _number_of(request)
        bind_contextvars(**{NUMBER: number})
        began = time.monotonic()
        response = get_response(request)
        meters.answered(_route_of(request), response.status_code, time.monotonic() - began)
        if response.status_code >= REFUSED:
            bind_contextvars(**{WHO: who_asked(request)})
        if "public" not in response.headers.get("Cache-Control", ""):
            response.headers[HEADER] = number
        return response

    return answer


def _number_of(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "")
    return given if _ALLOWED.fullmatch(given) else secrets.token_hex(8)


def who_asked(request: HttpRequest) -> str:
    """Whose credential came with the request, as far as it was read: nothing is read for this."""
    actor = getattr(request, "auth", None)
    if isinstance(actor, Actor):
        return actor.scope
    user = getattr(request, "_cached_user", None)
    return f"user:{user.pk}" if user is not None and user.is_authenticated else "nobody"


def _route_of(request: HttpRequest) -> str:
    """The name of the address: never what stands in it."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or _NOWHERE
    return _STATIC if request.path_info.startswith(settings.STATIC_URL) else _NOWHERE


# Tasks


def give(headers: MutableMapping[str, Any]) -> None:
    """A task that is being sent takes the number of the request that asks for it with it."""
    if (number := get_contextvars().get(NUMBER)) is not None:
        headers[NUMBER] = number


def take(number: str | None, task: str, task_id: str) -> None:
    """A worker begins a task: what it logs and sends from now on is about it."""
    clear_contextvars()
    known = {} if number is None else {NUMBER: number}
    bind_contextvars(task=task, task_id=task_id, **known)


def put_down() -> None:
    """The task is over."""
    clear_contextvars()

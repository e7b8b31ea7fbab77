"""Failures as a page or as JSON: what goes wrong unforeseen, wherever, is answered here (for the API: its errors).

The page is one file without the database, the session or the reader's settings, for none of them may be there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

from referee.parts.words import in_language
from tournaments.acts.failures import BROKEN, SAFE_METHODS, failure_of, may_have_written, noting

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from tournaments.acts.failures import Failure


def note_writes(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Middleware: notes on each request whether it wrote, for what a failure may say."""

    def answer(request: HttpRequest) -> Any:
        with noting(connection, request):
            return get_response(request)

    return answer


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler of errors that nobody foresaw: called while the error is being handled."""
    error = sys.exc_info()[1]
    failure = BROKEN if error is None else failure_of(error, wrote=may_have_written(request))
    response = _json(request, failure) if _wants_json(request) else _page(request, failure)
    response["Cache-Control"] = "no-store"
    if failure.wait is not None:
        response["Retry-After"] = str(failure.wait)
    return response


def _json(request: HttpRequest, failure: Failure) -> HttpResponse:
    if request.path.startswith("/api/"):
        from api.common.errors import of_failure

        return JsonResponse(of_failure(failure), status=failure.status)
    return JsonResponse({"code": failure.code, "message": in_language(failure.message)}, status=failure.status)


def _page(request: HttpRequest, failure: Failure) -> HttpResponse:
    shown = {"failure": failure, "looked_at": request.method in SAFE_METHODS}
    return HttpResponse(render_to_string("failure.html", shown), status=failure.status)


def _wants_json(request: HttpRequest) -> bool:
    return request.path.startswith("/api/") or request.headers.get("Accept", "").startswith("application/json")

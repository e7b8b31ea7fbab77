"""What pages of other sites may read (CORS): whatever anybody reads without a credential, and nothing else.

A fixed ``*`` never goes with credentials: a browser sends no cookie to it and hands over no answer that came for one,
and the API reads none. `Authorization` is not among the headers that a page elsewhere may send.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase
from rest_framework.request import Request

#: What a page elsewhere may send besides what every page may, and what it may read of an answer.
SENT: Final = "If-None-Match"
SHOWN: Final = "ETag, Retry-After, X-Request-ID"
#: Seconds for which a browser need not ask again.
KEPT_SECONDS: Final = 3600
READS: Final = ("GET", "HEAD")


def share(request: Request, response: HttpResponseBase) -> None:
    """Let pages of other sites read an answer to who showed no credential."""
    if request.method in READS and "HTTP_AUTHORIZATION" not in request.META:
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = SHOWN
    elif request.method == "OPTIONS":
        _answer_preflight(request, response)


def _answer_preflight(request: Request, response: HttpResponseBase) -> None:
    """A browser asks before it reads with such a header; of writes nothing is said, so that it sends none."""
    if request.headers.get("Access-Control-Request-Method") not in READS:
        return
    response["Access-Control-Allow-Origin"] = "*"
    response["Access-Control-Allow-Methods"] = ", ".join(READS)
    response["Access-Control-Allow-Headers"] = SENT
    response["Access-Control-Max-Age"] = str(KEPT_SECONDS)

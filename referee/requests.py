"""Requests as this service takes them: everything is UTF-8, and nothing is larger than the largest file.

Django decodes the query and the form of a request by whatever codec the sender's Content-Type names, and does so while
the request is being made, before any middleware: utf-7 or rot13 would fail where nothing can answer. So the header is
only read here, never followed, and a request that names another encoding is refused in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.http import parse_header_parameters

#: The names under which UTF-8, or what is the same there, is stated.
UTF_8 = frozenset({"", "utf-8", "utf8", "us-ascii", "ascii"})
#: What stands for a header that cannot be read at all.
UNREADABLE = "unreadable"
#: Bytes of a body at most: an event file with the form around it. More is refused before any of it is read.
LARGEST_BODY = 65_000_000

#: How a reader says that he wants nothing that is packed so.
_NO_GZIP = re.compile(r"\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.IGNORECASE)


def takes_gzip(encodings: str) -> bool:
    """Whether an `Accept-Encoding` names gzip, and not with the weight of 0 that refuses it."""
    return "gzip" in encodings and _NO_GZIP.search(encodings) is None


class PageRequest(WSGIRequest):
    """A request whose header names no codec that is used."""

    def _set_content_type_params(self, meta: Mapping[str, Any]) -> None:
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except (ValueError, LookupError):
            self.content_type, self.content_params = "", {"charset": UNREADABLE}


def utf8_only(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: what is said to be in another encoding than UTF-8 is refused with 415 and a sentence."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        stated = str((request.content_params or {}).get("charset", ""))
        if stated.strip().lower() in UTF_8:
            return get_response(request)
        return _refused(request, "unreadable_charset", 415)

    return answer


def packed_for_who_takes_it(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: who refuses gzip is not sent it. Django and WhiteNoise look for the word, not for its weight."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        encodings = request.META.get("HTTP_ACCEPT_ENCODING", "")
        if "gzip" in encodings and not takes_gzip(encodings):
            del request.META["HTTP_ACCEPT_ENCODING"]
        return get_response(request)

    return answer


def not_too_large(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: a body that nobody here would take is refused with 413 and a sentence, by the size that is stated.

    One whose size is not known is refused with 411: nothing of it would be read, and the act be done as if it were
    empty.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        stated = str(request.META.get("CONTENT_LENGTH") or "")
        if not stated and "HTTP_TRANSFER_ENCODING" in request.META:
            return _refused(request, "length_required", 411)
        if not (stated.isascii() and stated.isdigit()) or (len(stated) < 10 and int(stated) <= LARGEST_BODY):
            return get_response(request)
        return _refused(request, "too_large", 413, most=LARGEST_BODY // 1_000_000 - 1)

    return answer


def _refused(request: HttpRequest, code: str, status: int, **words: Any) -> HttpResponseBase:
    """A sentence: for programs in the envelope of the API, for people on a page."""
    if request.path_info.startswith("/api/"):
        from api.common.errors import envelope, sentence_of

        return JsonResponse(envelope(code, sentence_of(code)), status=status)
    return render(request, f"{status}.html", words, status=status)

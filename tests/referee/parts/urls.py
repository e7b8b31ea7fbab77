"""Addresses of the tests' own small site: all parts on one page, a live list with its stream."""

from __future__ import annotations

import itertools
import queue
from types import SimpleNamespace
from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseServerError, StreamingHttpResponse
from django.template import engines
from django.urls import include, path

from referee.parts.navigation import BARS, SITE
from tests.referee.parts import styleguide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest
    from django.urls import URLPattern, URLResolver


class LiveList:
    """What the live page shows; a test changes it and rings the bell."""

    def __init__(self) -> None:
        self.rows: dict[str, str] = {}
        self.fetched = 0
        self.drawn = 0
        self.streaming = True
        self.asked_by: list[str] = []
        self.listeners: list[queue.Queue[str]] = []

    def set(self, **rows: str) -> None:
        self.rows = rows

    def ring(self, what: str = "board") -> None:
        for listener in self.listeners:
            listener.put(what)

    def stream(self) -> Iterator[bytes]:
        listener: queue.Queue[str] = queue.Queue()
        self.listeners.append(listener)
        yield b'data: {"what":"hello"}\n\n'
        for _ in itertools.count():
            what = listener.get()
            if what == "end":
                return
            yield f'data: {{"what":"{what}"}}\n\n'.encode()


live = LiveList()

FRAGMENT = """<ul>{% for key, text in rows.items %}
<li data-key="{{ key }}" data-say="{{ text }}">{{ text }} <button>act</button><input name="{{ key }}">
<details><summary>more</summary><form>{% csrf_token %}</form></details><time>{{ fetched }}</time></li>
{% endfor %}</ul>"""
PAGE = (
    """{% extends "base_desk.html" %}{% block title %}Live{% endblock %}{% block content %}<h1>Live</h1>
<section id="board" data-live-url="/live/event/x/?pass={{ pass_number }}" data-fragment-url="/fragment/"
data-live-what="board">"""
    + FRAGMENT
    + "</section>{% endblock %}"
)


def _page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(styleguide.render(request))


def _live_page(request: HttpRequest) -> HttpResponse:
    live.drawn += 1
    context = {
        "pass_number": live.drawn,
        "rows": live.rows,
        "tournament": SimpleNamespace(slug="cup", name="橙湖杯 2026", name_latin="Chenghu Cup 2026"),
        "current": "entrants",
    }
    return HttpResponse(engines["django"].from_string(PAGE).render(context, request))


def _fragment(request: HttpRequest) -> HttpResponse:
    live.fetched += 1
    return HttpResponse(
        engines["django"].from_string(FRAGMENT).render({"rows": live.rows, "fetched": live.fetched}, request)
    )


def _stream(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    live.asked_by.append(request.GET.get("pass", ""))
    if not live.streaming:
        return HttpResponseServerError()
    # said to be packed already, so that nobody packs it: a packer keeps events back
    whole = {"Content-Encoding": "identity"}
    return StreamingHttpResponse(live.stream(), content_type="text/event-stream", headers=whole)


def _bar(bar: str, prefix: str, *more: URLPattern) -> URLResolver:
    """Made-up addresses for every link of a bar."""
    links = [*(path(f"{prefix}{key}/", _page, name=key) for key, _label in BARS[bar]), *more]
    return path(f"{bar}/", include((links, bar)))


_site = [path(f"<str:language>/{key}/", _page, name=key) for key, _label in SITE]
urlpatterns = [
    _bar("desk", "<slug:event>/"),
    _bar("public", "<str:language>/<slug:event>/", *_site),
    path("table/", include(([path("places/", _page, name="places")], "table"))),
    path("", include("referee.parts.urls")),
    path("style/", _page),
    path("zh/style/", _page),
    path("en/style/", _page),
    path("live-page/", _live_page),
    path("fragment/", _fragment),
    path("live/event/x/", _stream),
]

"""What every public page does alike: language from the address, its live part, caching without cookies."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate
from django.views.decorators.http import conditional_page, require_safe

from referee.parts.clock import shown_clock
from referee.parts.offline import keep
from tournaments.models import Round, Tournament
from tournaments.sittings.clock import round_clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

TAGS: Final = {"zh": "zh-hans", "en": "en"}
#: May be kept, but is asked for again every time: live pages are true within two seconds.
ASK_AGAIN: Final = "public, no-cache"
#: Frozen: only names, a replacement and the look of the page can still change.
FROZEN: Final = "public, max-age=30"


class Language:
    """The language part of an address: ``zh`` or ``en``."""

    regex = "zh|en"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def page(
    template: str, *, live: bool = False, cache: str = ASK_AGAIN, kept: bool = False
) -> Callable[..., Callable[..., HttpResponseBase]]:
    """A view that gives the context of ``public/<template>.html`` (or a whole response) becomes a page.

    The worker of a phone may keep a `kept` page, which says nothing but rules.
    A `live` page answers ``?part=live`` with its changing part alone, ``public/_<template>.html``.
    The entity tag is made of the finished page, so it moves with language, theme, suits and names.
    """

    def wrap(view: Callable[..., Any]) -> Callable[..., HttpResponseBase]:
        @require_safe
        @conditional_page
        @wraps(view)
        def shown(request: HttpRequest, language: str, **known: Any) -> HttpResponseBase:
            # not undone afterwards: an error page speaks the same language; the next request sets its own
            activate(TAGS[language])
            answer = view(request, **known)
            if not isinstance(answer, HttpResponseBase):
                part = "_" if live and request.GET.get("part") == "live" else ""
                answer = render(request, f"public/{part}{template}.html", {"language": language} | answer)
            answer.setdefault("Cache-Control", cache)
            answer["Content-Language"] = "zh-Hans" if language == "zh" else "en"
            patch_vary_headers(answer, ["Cookie"])
            if kept and answer.status_code == HTTPStatus.OK:
                keep(answer, "rules")
            return answer

        return shown

    return wrap


def pdf(data: bytes, name: str) -> HttpResponse:
    """Paper, opened in the browser; `name` is made of a slug and plain letters only."""
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(data, content_type="application/pdf", headers=headers)


def event_page(
    template: str, current: str = "", *, live: bool = False, cache: str = ASK_AGAIN, kept: bool = False
) -> Callable[..., Callable[..., HttpResponseBase]]:
    """A page of one event: the view gets the tournament, `current` is its place in the bar."""

    def wrap(view: Callable[..., Any]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def found(request: HttpRequest, event: str, **known: Any) -> Any:
            tournament = get_object_or_404(Tournament, slug=event)
            answer = view(request, tournament, **known)
            if isinstance(answer, HttpResponseBase):
                return answer
            now = timezone.now()
            common = {"tournament": tournament, "current": current, "profile": tournament.profile, "now": now}
            shown_round = answer.get("round")
            clock = round_clock(shown_round) if isinstance(shown_round, Round) else None
            return common | {"clock": shown_clock(clock, now)} | answer

        return page(template, live=live, cache=cache, kept=kept)(found)

    return wrap

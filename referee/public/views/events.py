"""The front door, the list of events, and an event as it stands now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from referee.parts.words import page_language
from referee.public.page import event_page, page
from referee.public.presenters import home, share
from referee.public.presenters.event import now

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


@require_safe
def front_door(request: HttpRequest) -> HttpResponse:
    """To the events in the reader's language: the one chosen here before, else the browser's, else English."""
    response = HttpResponseRedirect(reverse("public:events", kwargs={"language": page_language()}))
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@page("events")
def events(request: HttpRequest) -> dict[str, Any]:
    return home.page(everything=request.GET.get("past") == "all")


@event_page("event", "event", live=True)
def event(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    shown = now(tournament, request.GET.get("q", ""))
    return shown | {"share": share.later(share.of_event, tournament, shown)}

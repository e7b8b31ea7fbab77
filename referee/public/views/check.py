"""For the hall and for auditors: the projector, and how anybody checks the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.public.page import event_page
from referee.public.presenters import check as presenter

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("screen", live=True)
def screen(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return presenter.screen(tournament, request.GET.get("show", ""))


@event_page("check")
def check(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return presenter.check(tournament)

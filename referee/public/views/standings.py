"""Standings: the live table, and published ones, which never change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse

from referee.public import find
from referee.public.page import FROZEN, event_page, pdf
from referee.public.presenters import share, standings
from referee.public.presenters.statistics import page as of_hands
from tournaments.transfer.paper.lists import publication_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("standings", "standings", live=True)
def live(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    if request.GET.get("stage") == "all":
        return standings.overall(tournament)
    stage = find.stage(tournament, request.GET.get("stage"))
    return standings.live(tournament, stage, request.GET)


@event_page("statistics", live=True)
def statistics(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return of_hands(tournament)


@event_page("publication", "standings")
def published(request: HttpRequest, tournament: Tournament, number: int) -> dict[str, Any]:
    found = find.publication(tournament, number)
    return standings.published(found, request.GET) | {"share": share.later(share.of_publication, found)}


@event_page("publication", cache=FROZEN)
def document(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The frozen text, byte for byte: its SHA-256 is the digest."""
    text = find.publication(tournament, number).document
    return HttpResponse(text.encode(), content_type="application/json; charset=utf-8")


@event_page("publication", cache=FROZEN)
def paper(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The published table as it hangs in the hall."""
    return pdf(publication_pdf(find.publication(tournament, number)), f"{tournament.slug}-standings-{number}")

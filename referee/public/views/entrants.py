"""Who plays, one entrant's way through the event, and those whom somebody follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.public import find
from referee.public.page import event_page
from referee.public.presenters import follow, share
from referee.public.presenters.entrant import page
from referee.public.presenters.entrants import listed

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("entrants", "entrants")
def entrants(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return listed(tournament, request.GET)


@event_page("entrant", "entrants", live=True)
def entrant(request: HttpRequest, tournament: Tournament, number: int) -> dict[str, Any]:
    found = find.entrant(tournament, number)
    shown = page(found)
    return shown | {"share": share.later(share.of_entrant, found, shown)}


@event_page("follow", "entrants", live=True)
def followed(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return follow.page(tournament, request.GET.get("n", ""))

"""Who plays, and one entrant's way through the event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.public import find
from referee.public.page import event_page
from referee.public.presenters import share
from referee.public.presenters.entrant import listed, page

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("entrants", "entrants")
def entrants(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return listed(tournament, request.GET.get("q", ""), request.GET.get("page"))


@event_page("entrant", "entrants", live=True)
def entrant(request: HttpRequest, tournament: Tournament, number: int) -> dict[str, Any]:
    found = find.entrant(tournament, number)
    shown = page(found)
    return shown | {"share": share.later(share.of_entrant, found, shown)}

"""What was ruled at an event, by clause and without names, and what its penalty schedule says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.public.page import event_page
from referee.public.presenters import rulings as presenter

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("rulings", "rulings")
def rulings(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return presenter.digest(tournament)

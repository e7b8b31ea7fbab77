"""What was ruled at an event, by clause and without names, and what its penalty schedule says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import override

from referee.parts.rulings import on_paper
from referee.public.page import event_page, pdf
from referee.public.presenters.rulings import digest
from tournaments.transfer.paper.rulings import rulings_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


@event_page("rulings", "rulings")
def rulings(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return digest(tournament)


@event_page("rulings")
def paper(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The digest on paper, in the language of the event's paper."""
    with override(tournament.language):
        data = rulings_pdf(tournament, on_paper)
    return pdf(data, f"{tournament.slug}-rulings")

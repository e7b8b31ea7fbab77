"""One board of duplicate at all tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.public import find
from referee.public.page import event_page
from referee.public.presenters import boards

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("board", "standings")
def board(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> dict[str, Any]:
    return boards.page(find.stage(tournament, str(stage)), number)

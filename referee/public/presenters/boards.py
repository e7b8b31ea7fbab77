"""Boards of duplicate for everybody: which may be seen, and one at all tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse

from referee.parts.board_sheets import sheet_of, with_steps
from referee.parts.words import page_language
from referee.public.presenters.deals import hands
from tournaments.boards.reads import boards_for_all
from tournaments.models.events import ON_BOARDS

if TYPE_CHECKING:
    from tournaments.models import Stage


def sheets_of(stage: Stage) -> dict[int, str]:
    """The addresses of the boards of a stage that everybody may see at all tables, by number."""
    if stage.format not in ON_BOARDS:
        return {}
    known = {"language": page_language(), "event": stage.tournament.slug, "stage": stage.number}
    return {number: reverse("public:board", kwargs={**known, "number": number}) for number in boards_for_all(stage)}


def page(stage: Stage, number: int) -> dict[str, Any]:
    """A board at all tables; as unknown as a board that is not there while somebody may still have to play it."""
    sheets = sheets_of(stage)
    sheet = sheet_of(stage, number) if number in sheets else None
    if sheet is None:
        raise Http404
    return {"stage": stage, "sheet": with_steps(sheet), "sheets": sheets, "hands": hands(stage, number)}

"""The deals of boards for everybody: what was promised, the lot, and when they are shown every hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from referee.public import find
from referee.public.page import event_page, pdf
from referee.public.presenters import deals as presenter
from referee.public.presenters.deals import SCRIPT
from tournaments.transfer.paper.deals import hand_records_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import Tournament


@event_page("deals", "standings")
def deals(request: HttpRequest, tournament: Tournament, stage: int) -> dict[str, Any]:
    return presenter.page(find.stage(tournament, str(stage)))


@event_page("deals", "standings")
def records(request: HttpRequest, tournament: Tournament, stage: int, number: int) -> HttpResponse:
    """The hand records of a dealing that is shown."""
    of = find.stage(tournament, str(stage))
    one = presenter.shown(of, number)
    if one is None or one.row.shown_at is None:
        raise Http404
    name = f"{tournament.slug}-hand-records-{one.row.first_board}-{one.row.last_board}"
    return pdf(hand_records_pdf(of, one.boards.values(), one.row.shown_at), name)


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The program by which anybody deals the boards again."""
    headers = {"Content-Disposition": 'inline; filename="deals.py"', "Cache-Control": "public, max-age=300"}
    return HttpResponse(SCRIPT, content_type="text/plain; charset=utf-8", headers=headers)

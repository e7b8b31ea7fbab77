"""Standings at the desk: the live table, publishing it as a numbered document, what was published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.guard import SeeOther, official
from referee.desk.presenters import publishing, stages
from referee.desk.presenters.refusals import refusal as shown_refusal
from referee.parts.downloads import download
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.standings import runs
from tournaments.standings.publications import chain_in, points_in
from tournaments.standings.settled import state_of
from tournaments.standings.shown import publication_list, publication_rows
from tournaments.transfer.paper.lists import standings_pdf
from tournaments.transfer.standings import standings_csv, standings_xlsx

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Stage


@official(Act.SEE_DESK)
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The live table; with ``?part=live`` only what follows the event."""
    template = "desk/_standings.html" if request.GET.get("part") == "live" else "desk/standings.html"
    return render(request, template, page(desk, "standings") | publishing.live(desk, request.GET.get("stage")))


@official(Act.PUBLISH, "GET", "POST")
def publish(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Read what is open, type the number of the round, publish. A table once published never changes."""
    asked = request.POST.get("stage") or request.GET.get("stage")
    shown = page(desk, "standings") | publishing.open_questions(desk, asked)
    if shown["round"] is None:
        return render(request, "desk/publish.html", shown)
    if request.method == "GET":
        return render(request, "desk/publish.html", shown)
    typed, reason = request.POST.get("round", "").strip(), request.POST.get("reason", "")
    shown |= {"typed": typed, "reason": reason}
    if typed != str(shown["round"].number):
        shown |= {"wrong_round": _("Type the number of the round, %(n)s.") % {"n": shown["round"].number}}
        return render(request, "desk/publish.html", shown, status=422)
    try:
        made = runs.publish(
            stage_id=shown["stage"].pk,
            round_id=shown["round"].pk,
            actor=desk.actor,
            at=desk.now,
            expected_number=whole(request.POST.get("number", "")) if request.POST.get("number") else None,
            supersedes=shown["supersedes"].pk if shown["supersedes"] else None,
            reason=reason,
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return render(request, "desk/publish.html", shown | shown_refusal(refusal), status=refusal.status)
    known = {"event": desk.tournament.slug, "number": made.number}
    return SeeOther(reverse("desk:publication", kwargs=known))


@official(Act.PUBLISH, "POST")
def lots(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Record lots that were drawn by hand in the hall among those who share places."""
    stage = publishing.stage_of(desk, request.POST.get("stage"))
    try:
        runs.record_drawn_lots(
            stage_id=stage.pk,
            actor=desk.actor,
            at=desk.now,
            order=[pk for drawn in stages.lots_typed(request.POST) for pk in drawn],
            reason=request.POST.get("reason", ""),
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        shown = publishing.live(desk, str(stage.number), request.POST) | shown_refusal(refusal)
        return render(request, "desk/standings.html", page(desk, "standings") | shown, status=refusal.status)
    messages.success(request, _("The lots are recorded."))
    return SeeOther(f"{reverse('desk:standings', kwargs={'event': desk.tournament.slug})}?stage={stage.number}")


@official(Act.SEE_DESK)
def publications(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {"publications": publication_list(desk.tournament, desk.now)}
    return render(request, "desk/publications.html", page(desk, "publications") | shown)


@official(Act.SEE_DESK)
def publication(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    document = find.publication(desk.tournament, number)
    frozen = runs.publication_document(document)
    chain = chain_in(frozen)
    shown = {
        "publication": document,
        "replaced_by": document.tournament.publications.filter(supersedes=document).first(),
        "state": state_of(document, desk.now),
        "columns": publishing.columns(chain, points_in(frozen)),
        "rows": publishing.cells(publication_rows(document), chain),
    }
    return render(request, "desk/publication.html", page(desk, "publications") | shown)


@official(Act.SEE_DESK)
def export_csv(request: HttpRequest, desk: Desk) -> HttpResponse:
    stage = publishing.stage_of(desk, request.GET.get("stage"))
    return download(standings_csv(stage), _name(stage, "standings", "csv"), "text/csv; charset=utf-8")


@official(Act.SEE_DESK)
def export_xlsx(request: HttpRequest, desk: Desk) -> HttpResponse:
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    stage = publishing.stage_of(desk, request.GET.get("stage"))
    return download(standings_xlsx(stage), _name(stage, "standings", "xlsx"), kind)


@official(Act.SEE_DESK)
def export_pdf(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The live table of a stage on paper, marked as live."""
    stage = publishing.stage_of(desk, request.GET.get("stage"))
    return download(standings_pdf(stage), _name(stage, "live", "pdf"), "application/pdf")


def _name(stage: Stage, what: str, ending: str) -> str:
    return f"{stage.tournament.slug}-stage-{stage.number}-{what}.{ending}"


def page(desk: Desk, current: str) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": current}

"""Long work at the desk: how far it is, what it came to, and the file it made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from referee.desk.guard import official
from referee.parts.downloads import download
from tournaments.acts import jobs
from tournaments.acts.access import Act
from tournaments.models import Job, Round, Stage
from tournaments.stages.trying import ADVICE
from tournaments.transfer.job_kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk

#: Where a page leads when the work is done, by kind: a page of the round that it is about.
ROUND_PAGES: Final[Mapping[str, str]] = {"draw_round": "desk:pair", "score_sheets": "desk:round_board"}


@official(Act.SEE_DESK)
def job(request: HttpRequest, desk: Desk, job: int) -> HttpResponse:
    return render(request, "desk/job.html", shown(desk, _found(desk, job)))


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk, job: int) -> HttpResponse:
    return render(request, "desk/_job.html", shown(desk, _found(desk, job)))


@official(Act.SEE_DESK)
def file(request: HttpRequest, desk: Desk, job: int) -> HttpResponse:
    """The PDF that the work made."""
    made = _found(desk, job)
    if made.content is None:
        raise Http404
    return download(bytes(made.content), f"{desk.tournament.slug}-{made.kind}-{made.pk}.pdf", "application/pdf")


def shown(desk: Desk, one: Job) -> dict[str, Any]:
    """What `desk/_job.html` shows; any desk page may hold it."""
    known = {"event": desk.tournament.slug, "job": one.pk}
    on = Round.objects.filter(tournament=desk.tournament, pk=one.subject).first() if one.kind in ROUND_PAGES else None
    onward = (
        None if on is None else reverse(ROUND_PAGES[one.kind], kwargs={"event": known["event"], "number": on.number})
    )
    if one.kind == ADVICE and (stage := Stage.objects.filter(tournament=desk.tournament, pk=one.subject).first()):
        onward = reverse("desk:advice", kwargs={"event": known["event"], "number": stage.number})
    return {
        "desk": desk,
        "tournament": desk.tournament,
        "current": "pairing",
        "job": one,
        "job_name": KINDS[one.kind].name if one.kind in KINDS else {"en": one.kind, "zh": one.kind},
        "job_round": on,
        "job_progress": jobs.progress_of(one),
        "job_live": reverse("desk:job_live", kwargs=known),
        "job_file": reverse("desk:job_file", kwargs=known) if one.content is not None else None,
        "job_onward": onward,
    }


def _found(desk: Desk, number: int) -> Job:
    return get_object_or_404(Job, tournament=desk.tournament, pk=number)

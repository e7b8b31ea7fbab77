"""A whole event from its export: a worker checks the file, then its sender has it kept as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from referee.desk.forms.events import EventFileForm
from referee.desk.guard import SeeOther, person, signed_in
from referee.once import not_done
from referee.parts.words import in_language
from tournaments.acts import jobs
from tournaments.acts.admission import Actor
from tournaments.acts.errors import NotFound, Refusal
from tournaments.transfer import uploads
from tournaments.transfer.job_kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from scoring.hands.findings import Finding
    from tournaments.models import Job

#: So many of the files that somebody sent last are listed.
LISTED = 5


@signed_in("GET", "POST")
def import_event(request: HttpRequest) -> HttpResponse:
    """Send a file; what becomes of it is shown on its own page."""
    sent = request.method == "POST"
    form = EventFileForm(request.POST if sent else None, request.FILES if sent else None)
    findings: Sequence[Finding] = ()
    if sent and form.is_valid():
        try:
            return SeeOther(_address(_send(request, form)))
        except Refusal as refusal:
            findings = refusal.findings
            if not findings:
                form.add_refusal(refusal)
    before = [_shown(one) for one in jobs.own(_actor(request))[:LISTED]]
    shown = {"form": form, "findings": findings, "before": before}
    return render(request, "desk/import_event.html", shown, status=422 if form.errors or findings else 200)


@signed_in("GET")
def event_file(request: HttpRequest, job: int) -> HttpResponse:
    return render(request, "desk/event_file.html", _shown(_found(request, job)))


@signed_in("GET")
def live(request: HttpRequest, job: int) -> HttpResponse:
    return render(request, "desk/_event_file.html", _shown(_found(request, job)))


@signed_in("POST", page="desk:import_event")
def take(request: HttpRequest, job: int) -> HttpResponse:
    try:
        return SeeOther(_address(uploads.take(job_id=job, actor=_actor(request), at=timezone.now())))
    except NotFound:
        raise Http404 from None
    except Refusal as refusal:
        messages.error(request, in_language(refusal.message))
        return not_done(SeeOther(reverse("desk:import_event")))


def _send(request: HttpRequest, form: EventFileForm) -> Job:
    slug = form.cleaned_data["slug"] or None
    return uploads.send(file=form.cleaned_data["file"], slug=slug, actor=_actor(request), at=timezone.now())


def _shown(one: Job) -> dict[str, Any]:
    """What `desk/_event_file.html` shows of a check or a taking."""
    shown = {
        "job": one,
        "job_name": KINDS[one.kind].name,
        "job_progress": jobs.progress_of(one),
        "address": _address(one),
        "checked": one.kind == uploads.CHECK,
    }
    if one.kind == uploads.CHECK and one.result is not None:
        report, taking = one.result["certificate"], uploads.taking_of(one)
        shown["verdicts"] = [
            {"word": word, "count": report["counts"][name]} for name, word in report["verdicts"].items()
        ]
        shown["taking"] = taking and _address(taking)
    return shown


def _found(request: HttpRequest, job: int) -> Job:
    return get_object_or_404(jobs.own(_actor(request)), pk=job)


def _address(one: Job) -> str:
    return reverse("desk:event_file", kwargs={"job": one.pk})


def _actor(request: HttpRequest) -> Actor:
    return Actor(user=person(request))

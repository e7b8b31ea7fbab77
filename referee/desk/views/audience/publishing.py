"""A publication that waits its minute: how long still, at once, or stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from referee.desk.act_views import ActView
from referee.desk.guard import official
from referee.parts.formats import clock
from tournaments.acts.access import Act
from tournaments.models import Job, Round
from tournaments.standings.waiting import PUBLISH, publish_now, stop

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SEE_DESK)
def page(request: HttpRequest, desk: Desk, job: int) -> HttpResponse:
    return render(request, "desk/publishing.html", _shown(desk, _found(desk, job)))


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk, job: int) -> HttpResponse:
    return render(request, "desk/_publishing.html", _shown(desk, _found(desk, job)))


class OnPublishing(ActView):
    """An act on a publication that waits, whose form stands on its page."""

    def look_up(self) -> None:
        self.job = _found(self.desk, self.kwargs["job"])

    def back(self) -> str:
        return reverse("desk:publishing", kwargs={"event": self.desk.tournament.slug, "job": self.job.pk})

    def page(self) -> HttpResponse:
        shown = _shown(self.desk, _found(self.desk, self.job.pk))
        return render(self.request, "desk/publishing.html", shown)


class Now(OnPublishing):
    right = Act.PUBLISH

    def act(self) -> None:
        self.job = publish_now(**self.by, job_id=self.job.pk)

    def back(self) -> str:
        if self.job.result is None:
            return super().back()
        known = {"event": self.desk.tournament.slug, "number": self.job.result["publication"]}
        return reverse("desk:publication", kwargs=known)


class Stop(OnPublishing):
    right, done = Act.STOP_PUBLISHING, gettext_lazy("Stopped. Nothing was published.")

    def act(self) -> None:
        stop(**self.by, job_id=self.job.pk)


def _shown(desk: Desk, job: Job) -> dict[str, Any]:
    due = job.due_at or job.asked_at
    return {
        "desk": desk,
        "tournament": desk.tournament,
        "current": "standings",
        "job": job,
        "round": Round.objects.select_related("stage").get(pk=job.subject),
        "ends": int(due.timestamp()),
        "left": clock(max(0, round((due - desk.now).total_seconds()))),
        "may_publish": desk.may(Act.PUBLISH),
    }


def _found(desk: Desk, number: int) -> Job:
    return get_object_or_404(Job.objects.defer("content"), tournament=desk.tournament, kind=PUBLISH, pk=number)

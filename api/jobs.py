"""Long work: how far it is and what it came to."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts import jobs
from tournaments.acts.access import Act
from tournaments.models import Job
from tournaments.transfer.job_kinds import KINDS

from .answers.jobs import JobAnswer
from .common.describe import described
from .common.views import Endpoint, found


class OneJob(Endpoint):
    @described("How far a piece of long work is, and what it came to", answer=JobAnswer)
    def get(self, request: Request, slug: str, job: int) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        return Response(document(found(Job.objects.filter(tournament=event).defer("content"), pk=job)))


def document(one: Job) -> dict[str, Any]:
    """A job: `state` is open, done or refused; `progress` is null while nobody knows."""
    progress = jobs.progress_of(one)
    return {
        "id": one.pk,
        "kind": one.kind,
        "name": dict(KINDS[one.kind].name) if one.kind in KINDS else None,
        "asked_at": one.asked_at.isoformat(),
        "due_at": one.due_at and one.due_at.isoformat(),
        "done_at": one.done_at and one.done_at.isoformat(),
        "state": "open" if one.done_at is None else "done" if one.refusal is None else "refused",
        "progress": progress and {"step": dict(progress.step), "done": progress.done, "of": progress.of},
        "result": one.result,
        "refusal": one.refusal,
    }

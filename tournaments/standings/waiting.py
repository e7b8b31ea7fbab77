"""A publication that waits a minute: asked for, done by a worker when the minute is over, at once, or stopped.

What would refuse it is refused when it is asked for, and looked at again when it is done: where something was counted
meanwhile the organiser has not seen that table, and nothing is published. What is published is never taken back.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction

from ..acts import jobs
from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Change, Line, commit
from ..acts.errors import NotFound, Refusal
from ..acts.jobs import Made, Tell, Work
from ..models import Job, Round, Tournament
from .runs import asked_for, publish

PUBLISH: Final = "publish"
#: How long a publication waits.
WAIT: Final = timedelta(minutes=1)


def publish_later(
    *,
    stage_id: int,
    round_id: int,
    actor: Actor,
    at: datetime,
    expected_number: int | None = None,
    supersedes: int | None = None,
    reason: str = "",
) -> Job:
    """As `publish`, when `WAIT` is over; the job that waits. One that waits for this round already is the answer."""
    asked: dict[str, Any] = {
        "stage_id": stage_id,
        "round_id": round_id,
        "expected_number": expected_number,
        "supersedes": supersedes,
        "reason": reason,
    }
    with transaction.atomic():
        found = asked_for(**asked, actor=actor)
        return jobs.ask(
            tournament_id=found.event.pk,
            kind=PUBLISH,
            subject=round_id,
            act=Act.PUBLISH,
            actor=actor,
            at=at,
            due=at + WAIT,
            **asked,
        )


def publish_now(*, job_id: int, actor: Actor, at: datetime) -> Job:
    """Do not wait any longer: published by who says so. The job as it ended; one that has ended stays as it is.

    Refused as `publish` is, which ends the job.
    """
    require(actor, Act.PUBLISH, tournament=_job(job_id).tournament)
    jobs.do_now(job_id=job_id, work=WORK, actor=actor, at=at)
    return _job(job_id)


def stop(*, job_id: int, actor: Actor, at: datetime) -> Job:
    """Publish nothing. Refused: `too_late_to_stop`, when the job has ended."""
    with transaction.atomic():
        job = _job(job_id, lock=True)
        admitted = require(actor, Act.STOP_PUBLISHING, tournament=job.tournament)
        if job.done_at is not None:
            raise Refusal("too_late_to_stop")
        round_ = Round.objects.filter(pk=job.subject).first()
        line = Line(Act.STOP_PUBLISHING, reason=job.arguments["reason"], round=round_)
        commit(Change(admitted, None, lines=(line,)), actor, at)
        why = Refusal("stopped")
        jobs.end(job.pk, at=at, refusal={"code": why.code, "message": why.message})
    return _job(job_id)


def waiting_in(event: Tournament) -> list[Job]:
    """The publications that wait, the newest first."""
    return jobs.open_jobs(event, PUBLISH)


def _job(job_id: int, *, lock: bool = False) -> Job:
    rows = Job.objects.select_for_update(of=("self",)) if lock else Job.objects
    found = rows.select_related("tournament").filter(pk=job_id, kind=PUBLISH).first()
    if found is None:
        raise NotFound()
    return found


def _prepare(job: Job, tell: Tell) -> None:
    """Nothing takes long before it is written."""


def _finish(job: Job, nothing: None, actor: Actor, at: datetime) -> Made:
    given = {name: job.arguments[name] for name in ("stage_id", "round_id", "expected_number", "supersedes", "reason")}
    made = publish(**given, actor=actor, at=at)
    en, zh = f"Published as no. {made.number}.", f"已公布为第 {made.number} 号。"
    return Made({"publication": made.number, "round": made.round.number, "words": {"en": en, "zh": zh}})


WORK = Work({"en": "Publication of the standings", "zh": "公布名次"}, _prepare, _finish)

"""Long work outside the request that asked for it: asked for once, done by a worker, how far it is shown meanwhile.

A kind of work has two halves: `prepare` does what takes long, outside any transaction, and tells how far it is;
`finish` writes, in the transaction that marks the job done. So a job may be begun twice, be lost with its worker or
come late: it has one effect or none. The sweep sends again what gave no sign of life; after `MOST_TRIES` it ends with
a refusal. How far a job is stands in the cache and is announced as "job"; losing it is harmless. A job without an event
belongs to who asked for it: nobody is told, its page asks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from ..models import Job, Tournament, User
from . import meters
from .access import Act
from .admission import Actor, require
from .announce import announce
from .errors import NotFound, Refusal
from .resting import AWAY, asking

WORK_TASK = "tournaments.tasks.work"
#: How long a sign of life holds, and how often a job at work gives one, in seconds.
SIGN_SECONDS = 45
SIGN_EVERY = 15
#: A job without a sign of life for so long is sent again.
LOST_AFTER = timedelta(seconds=10)
MOST_TRIES = 4
#: How long a finished job and its file are kept.
KEPT = timedelta(days=1)
#: Pages hear of progress at most so often, in seconds.
PACE = 0.25

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: `done` of `of` units of the step it is at, said in both languages."""

    step: Mapping[str, str]
    done: int = 0
    of: int = 0


#: Tells how far a job is: the step in words, and perhaps how many of how many.
Tell = Callable[[Mapping[str, str], int, int], None]


@dataclass(frozen=True, slots=True)
class Made:
    """What a job came to: a small result for the page, and perhaps a file."""

    result: Mapping[str, Any]
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of long work: its name, and its two halves as the module says."""

    name: Mapping[str, str]
    prepare: Callable[[Job, Tell], Any]
    finish: Callable[[Job, Any, Actor, datetime], Made]


def ask(
    *,
    tournament_id: int | None,
    kind: str,
    subject: int,
    act: Act,
    actor: Actor,
    at: datetime,
    due: datetime | None = None,
    **arguments: Any,
) -> Job:
    """Ask for a piece of work that `actor` may do himself (`act`); the one that is open when there is one already.

    `tournament_id` is None where the work is about no event yet. `due`: no worker begins it before; the sweep sends it
    then.
    """
    if due is not None:
        arguments["due_at"] = due.isoformat()
    event = None if tournament_id is None else Tournament.objects.filter(pk=tournament_id).first()
    if event is None and tournament_id is not None:
        raise NotFound()
    require(actor, act, tournament=event)
    made = {"tournament": event, "arguments": arguments, "asked_by": actor.user, "asked_at": at}
    job, _ = Job.objects.get_or_create(kind=kind, subject=subject, done_at=None, defaults=made)
    if job.due_at is None:
        transaction.on_commit(lambda: _send(job.pk), robust=True)
    _announce(tournament_id, job.pk)
    return job


def own(actor: Actor) -> QuerySet[Job]:
    """The jobs that are about no event and that `actor` asked for: his affair and nobody else's."""
    if actor.user is None:
        return Job.objects.none()
    return Job.objects.filter(tournament=None, asked_by=actor.user).defer("content")


def run(*, job_id: int, kinds: Mapping[str, Work], at: datetime) -> bool:
    """Do an open job; False when there is nothing to do, or not yet. `kinds` are the kinds of work that are known."""
    job = _begin(job_id, at)
    if job is None:
        return False
    work = kinds[job.kind]
    try:
        with _signs_of_life(_Teller(job)) as tell:
            value = work.prepare(job, tell)
            return _finish(job, work, value)
    except Refusal as refusal:
        meters.refused(refusal)
        return end(job.pk, at=timezone.now(), refusal=_kept(refusal))


def do_now(*, job_id: int, work: Work, actor: Actor, at: datetime) -> bool:
    """Do an open job at once, in the name of `actor`, whether it is due or not; False when it has ended.

    A refusal ends it and is raised.
    """
    job = Job.objects.filter(pk=job_id, done_at=None).first()
    if job is None:
        return False
    try:
        return _finish(job, work, work.prepare(job, lambda step, done, of: None), actor, at)
    except Refusal as refusal:
        end(job.pk, at=at, refusal=_kept(refusal))
        raise


def _kept(refusal: Refusal) -> dict[str, Any]:
    """A refusal as a job keeps it; with every problem of a file where it is one of a file."""
    kept: dict[str, Any] = {"code": refusal.code, "message": refusal.message}
    if refusal.findings:
        kept |= {"field": refusal.field, "findings": [one.to_json() for one in refusal.findings]}
    return kept


def _begin(job_id: int, at: datetime) -> Job | None:
    with transaction.atomic():
        job = Job.objects.select_for_update(of=("self",)).filter(pk=job_id, done_at=None).first()
        if job is None or (job.due_at is not None and job.due_at > at):
            return None
        job.tries, job.begun_at = job.tries + 1, at
        job.save(update_fields=["tries", "begun_at"])
    if job.tries <= MOST_TRIES:
        return job
    message = {
        "en": f"This failed {MOST_TRIES} times. Try again; if it fails once more, tell whoever runs the service.",
        "zh": f"已经失败 {MOST_TRIES} 次。请再试；还不行请联系运行服务的人。",
    }
    end(job.pk, at=timezone.now(), refusal={"code": "gave_up", "message": message})
    return None


def _finish(job: Job, work: Work, value: Any, actor: Actor | None = None, at: datetime | None = None) -> bool:
    """Written in the name of who asked and at the time it is, where nobody says otherwise."""
    if actor is None:
        actor = Actor(user=User.objects.get(pk=job.asked_by_id)) if job.asked_by_id else Actor()
    with transaction.atomic():
        held = Job.objects.select_for_update(of=("self",)).filter(pk=job.pk, done_at=None).first()
        if held is None:  # another worker was quicker
            return False
        at = at or timezone.now()
        made = work.finish(held, value, actor, at)
        Job.objects.filter(pk=job.pk).update(done_at=at, result=dict(made.result), content=made.content)
        _announce(job.tournament_id, job.pk)
    return True


def end(job_id: int, *, at: datetime, refusal: Mapping[str, Any]) -> bool:
    """End an open job without doing it; False when it had ended."""
    with transaction.atomic():
        ended = Job.objects.filter(pk=job_id, done_at=None).update(done_at=at, refusal=refusal)
        event = Job.objects.values_list("tournament_id", flat=True).get(pk=job_id)
        _announce(event, job_id)
    return bool(ended)


class _Teller:
    """Keeps how far a job is where pages look, and announces it at the pace of pages."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.told: Progress | None = None
        self.last = 0.0

    def __call__(self, step: Mapping[str, str], done: int = 0, of: int = 0) -> None:
        now = time.monotonic()
        # a new step is always told: it may be the long one
        if self.told is not None and step == self.told.step and now - self.last < PACE and done < of:
            return
        self.told, self.last = Progress(step, done, of), now
        self.keep()
        _announce(self.job.tournament_id, self.job.pk)

    def keep(self) -> None:
        if self.told is not None:
            _keep(self.job.pk, self.told)


@contextmanager
def _signs_of_life(tell: _Teller) -> Iterator[_Teller]:
    """What was told last stays fresh while the work goes on, however long a step takes; it ends with the worker."""
    over = threading.Event()

    def sign() -> None:
        while not over.wait(SIGN_EVERY):
            tell.keep()

    thread = threading.Thread(target=sign, name=f"job-{tell.job.pk}", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        over.set()
        thread.join()


def _announce(tournament_id: int | None, job_id: int) -> None:
    if tournament_id is not None:
        announce(tournament_id, "job", job_id)


def _keep(job_id: int, progress: Progress) -> None:
    cache.set(_key(job_id), (dict(progress.step), progress.done, progress.of), SIGN_SECONDS)


def progress_of(job: Job) -> Progress | None:
    """How far an open job is; None while it waits for a worker, when it is done, or when nobody knows."""
    if job.done_at is not None:
        return None
    known = cache.get(_key(job.pk))
    return None if known is None else Progress(*known)


def open_jobs(event: Tournament, kind: str | None = None) -> list[Job]:
    """The open jobs of an event, the newest first."""
    rows = Job.objects.filter(tournament=event, done_at=None).defer("content")
    return list(rows if kind is None else rows.filter(kind=kind))


def sweep(*, at: datetime) -> list[int]:
    """Send every open job that has become due, and again those that give no sign of life; forget those done long ago.
    The ids sent."""
    Job.objects.filter(done_at__lt=at - KEPT).delete()
    lost = []
    for job in Job.objects.filter(done_at=None).defer("content"):
        if job.due_at is not None and job.due_at > at:
            continue
        # a time that is still to come was written before the clock was set back, and proves nothing
        fresh = any(at - LOST_AFTER <= moment <= at for moment in (job.asked_at, job.begun_at) if moment is not None)
        if not fresh and progress_of(job) is None:
            lost.append(job.pk)
    return [job_id for job_id in lost if _send(job_id)]


def _send(job_id: int) -> bool:
    try:
        with asking():
            current_app.send_task(WORK_TASK, args=[job_id], retry=False, ignore_result=True)
    except AWAY as error:
        logger.warning("job %s not sent, the sweep will: %s", job_id, error, extra={"sparing": "redis"})
        return False
    return True


def _key(job_id: int) -> str:
    return f"job:{job_id}"

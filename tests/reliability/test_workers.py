"""A federation: PostgreSQL, Redis and worker processes. What is lost between a commit and its recalculation heals."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from celery import current_app
from django.conf import settings
from django.db import connection
from django.utils import timezone

from tests.reliability.conftest import Workers
from tests.tournaments.factories import Hall, hall
from tournaments.acts import doorbell, jobs
from tournaments.acts.access import Act
from tournaments.acts.announce import event_topic
from tournaments.acts.doorbell import stale_number
from tournaments.acts.hub import channel
from tournaments.ledger.officials_entries import end_sitting, reopen_sitting
from tournaments.models import Job, Recalculation, Sitting, SittingPhase, StandingsRun
from tournaments.transfer.job_kinds import SCORE_SHEETS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres, pytest.mark.long]

HEALED_WITHIN = 60
Until = Callable[..., None]


def act(here: Hall, at: int = 0) -> None:
    """One act that moves standings, at the table of that number: its match ends, or goes on after all."""
    place = Sitting.objects.get(pk=here.sittings[at].pk)
    given: dict[str, Any] = {"sitting_id": place.pk, "at": here.event.created_at, "expected_revision": place.revision}
    if place.phase == SittingPhase.FINISHED:
        reopen_sitting(actor=here.chief, reason="The wrong table", **given)
    else:
        end_sitting(actor=here.referee, reason="time", **given)


def fresh(here: Hall) -> bool:
    here.event.refresh_from_db()
    return bool(Recalculation.objects.get(tournament=here.event).covered_number == stale_number(here.event.pk))


@contextmanager
def sweeping() -> Iterator[None]:
    """Beat, as it runs beside the workers."""
    from referee.celery import app
    from referee.embedded import beat

    with beat(app):
        yield


def test_worker_killed_with_the_task_unread(workers: Workers, until: Until) -> None:
    here = hall()
    first = workers.start()
    act(here)
    until(lambda: fresh(here))
    first.send_signal(signal.SIGSTOP)
    act(here)
    workers.kill(first)
    assert not fresh(here)
    with sweeping():
        workers.start()
        until(lambda: fresh(here), HEALED_WITHIN)


def test_long_work_of_a_killed_worker_is_done_by_the_next(workers: Workers, until: Until) -> None:
    """The job is asked for once, lost with its worker, and found by the sweep; it has one result."""
    here = hall()
    first = workers.start()
    first.send_signal(signal.SIGSTOP)
    facts: dict[str, Any] = {"kind": SCORE_SHEETS, "subject": here.round.pk, "act": Act.SEE_DESK}
    long_ago = timezone.now() - 2 * jobs.LOST_AFTER
    job = jobs.ask(tournament_id=here.event.pk, actor=here.referee, at=long_ago, **facts)
    workers.kill(first)
    assert jobs.ask(tournament_id=here.event.pk, actor=here.referee, at=long_ago, **facts).pk == job.pk
    with sweeping():
        workers.start()
        until(lambda: Job.objects.get(pk=job.pk).done_at, 60)
    done = Job.objects.get(pk=job.pk)
    assert done.refusal is None
    assert bytes(done.content or b"").startswith(b"%PDF")


def test_worker_killed_in_the_middle_of_a_recalculation(workers: Workers, until: Until) -> None:
    """The half-done work is rolled back by the database and done again by the next worker."""
    here = hall()
    first = workers.start()
    with standings_held():
        act(here)
        until(somebody_waits)
        workers.kill(first)
    assert not fresh(here)
    with sweeping():
        workers.start()
        until(lambda: fresh(here), HEALED_WITHIN)
    assert StandingsRun.objects.get().covers == stale_number(here.event.pk)


def test_redis_emptied(workers: Workers, until: Until) -> None:
    here = hall()
    act(here)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.llen("celery") == 1
        client.flushdb()
    with sweeping():
        workers.start()
        until(lambda: fresh(here), HEALED_WITHIN)


def test_delivered_twice_and_late(celery_worker: None, until: Until) -> None:
    here = hall()
    act(here)
    until(lambda: fresh(here))
    run = StandingsRun.objects.get()
    with told(here) as numbers:
        for _ in range(5):
            current_app.send_task(doorbell.RECALCULATE_TASK, args=[here.event.pk])
        act(here)
        until(lambda: fresh(here))
        current_app.send_task(doorbell.RECALCULATE_TASK, args=[here.event.pk])
        time.sleep(0.5)
    assert len(numbers) == 1, "only what had changed was announced"
    after = StandingsRun.objects.get()
    assert (after.covers, after.rows == run.rows) == (run.covers + 1, False)


def test_many_entries_few_recalculations(celery_worker: None, until: Until) -> None:
    """A slice of the soak's thousand entries in ten seconds."""
    few_recalculations(until, entries=60)


def few_recalculations(until: Until, *, entries: int) -> tuple[float, int]:
    """So many acts that move standings, as fast as can be: how long it took, and the recalculations they caused."""
    here = hall(tables=min(entries // 5, 200))
    began = time.monotonic()
    with told(here) as numbers:
        for number in range(entries):
            act(here, number % len(here.sittings))
        took = time.monotonic() - began
        until(lambda: fresh(here))
        # the last of them comes when the entries are in
        whole = time.monotonic() - began
    assert len(numbers) <= whole / doorbell.PACE + 2, f"{len(numbers)} recalculations in {whole:.1f} s"
    assert numbers == sorted(numbers), "what is covered never goes back"
    return took, len(numbers)


@contextmanager
def told(here: Hall) -> Iterator[list[int]]:
    """The numbers of the recalculations that were announced to this event."""
    numbers: list[int] = []
    topic = channel(event_topic(here.event.slug))

    def hear(message: dict[str, Any]) -> None:
        said = json.loads(message["data"].partition(b"\n\n")[0].removeprefix(b"data: "))
        if said["what"] == "standings":
            numbers.append(said["number"])

    with redis.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as subscription:
        subscription.subscribe(**{topic: hear})
        listener = subscription.run_in_thread(sleep_time=0.02)
        try:
            yield numbers
            time.sleep(0.2)
        finally:
            listener.stop()
            listener.join()


@contextmanager
def standings_held() -> Iterator[None]:
    """Nobody can write a standings run until the block ends."""
    holder = connection.copy()
    try:
        with transaction_of(holder) as cursor:
            cursor.execute("LOCK TABLE tournaments_standingsrun IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        holder.close()


@contextmanager
def transaction_of(own: Any) -> Iterator[Any]:
    own.set_autocommit(False)
    with own.cursor() as cursor:
        yield cursor
    own.rollback()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return bool(cursor.fetchone()[0])

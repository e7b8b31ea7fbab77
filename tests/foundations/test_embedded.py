"""The worker of one laptop goes on working, whatever befalls it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from celery.beat import Scheduler, Service
from celery.worker import WorkController
from kombu.exceptions import OperationalError

from referee import celery, embedded
from referee.celery import app
from tournaments.acts import doorbell, jobs
from tournaments.standings import runs


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_gives_up_is_followed_by_another(
    monkeypatch: pytest.MonkeyPatch, until: Callable[..., None]
) -> None:
    started: list[WorkController] = []
    start = WorkController.start

    def noted(controller: WorkController) -> Any:
        started.append(controller)
        return start(controller)

    monkeypatch.setattr(WorkController, "start", noted)
    monkeypatch.setattr(embedded, "RESTART_SECONDS", 0.05)
    with embedded.worker(app):
        started[0].stop(exitcode=1)  # what Celery does with an unrecoverable error
        until(lambda: len(started) == 2)
        until(lambda: started[1].consumer is not None)
    assert len(started) == 2


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_worker_or_beat_that_raises_is_followed_by_another(
    monkeypatch: pytest.MonkeyPatch, until: Callable[..., None]
) -> None:
    starts = {WorkController: 0, Service: 0}

    def failing_once(kind: Any) -> Callable[..., Any]:
        start = kind.start

        def noted(self: Any, *args: Any) -> Any:
            starts[kind] += 1
            if starts[kind] == 1:
                raise OSError("broken")
            return start(self, *args)

        return noted

    for kind in starts:
        monkeypatch.setattr(kind, "start", failing_once(kind))
    monkeypatch.setattr(embedded, "RESTART_SECONDS", 0.05)
    with embedded.worker(app), embedded.beat(app):
        until(lambda: all(count == 2 for count in starts.values()))
    assert "beat" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.long
def test_live_standings_do_not_wait_for_two_pieces_of_long_work(
    celery_worker: None, monkeypatch: pytest.MonkeyPatch, until: Callable[..., None]
) -> None:
    done, over = list[str](), threading.Event()
    monkeypatch.setattr(jobs, "run", lambda **_: over.wait(60) and done.append("long"))
    monkeypatch.setattr(runs, "recalculate", lambda **_: done.append("standings"))
    for number in range(2):
        app.send_task(jobs.WORK_TASK, args=[number])
    app.send_task(doorbell.RECALCULATE_TASK, args=[1])
    until(lambda: done)
    assert done == ["standings"]
    over.set()
    until(lambda: len(done) == 3)


def test_the_sweep_does_not_follow_the_clock_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is set back by an hour: the next sweep still comes when it is due, by the seconds that went by."""
    scheduler = Scheduler(app)
    scheduler.populate_heap()
    entry = scheduler.schedule["sweep"]
    wall, steady = type(app).now, celery.time.monotonic()
    monkeypatch.setattr(type(app), "now", lambda self: wall(self) - timedelta(hours=1))
    monkeypatch.setattr(celery.time, "monotonic", lambda: steady + 1)
    due, wait = entry.is_due()
    assert not due
    assert wait <= celery.SWEEP_SECONDS
    assert scheduler.tick() <= celery.SWEEP_SECONDS
    monkeypatch.setattr(celery.time, "monotonic", lambda: steady + celery.SWEEP_SECONDS + 1)
    assert entry.is_due()[0]


@pytest.mark.long
def test_a_broker_that_is_away_is_asked_again_soon() -> None:
    waits: list[float] = []

    def noted(error: Exception, wait: float) -> None:
        waits.append(wait)
        if len(waits) == 2:
            raise InterruptedError

    with app.connection("redis://127.0.0.1:1/0") as connection, pytest.raises((InterruptedError, OperationalError)):
        connection.ensure_connection(noted)
    assert waits == [celery.MOST_PATIENCE] * 2

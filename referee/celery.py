"""The Celery app. Its settings are the CELERY_ block of the project's settings."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import kombu
from celery import Celery, bootsteps
from celery.app.amqp import AMQP
from celery.schedules import schedule
from celery.signals import (
    beat_init,
    before_task_publish,
    heartbeat_sent,
    task_postrun,
    task_prerun,
    worker_process_shutdown,
)
from celery.states import SUCCESS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

SWEEP: Final = "tournaments.tasks.sweep"
SWEEP_SECONDS: Final = 5.0
#: How often it is asked whether a copy of the database is due.
COPY_SECONDS: Final = 20.0
#: So many sweeps may wait unread; the times of senders and readers may differ by as much.
UNREAD: Final = timedelta(hours=2)
MOST_PATIENCE: Final = 2.0


class Connection(kombu.Connection):
    """Asks for a broker that is away every other second; the library waits longer and longer, up to half a minute."""

    def _ensure_connection(self, *args: Any, **kwargs: Any) -> Any:
        return super()._ensure_connection(*args, **{**kwargs, "interval_max": MOST_PATIENCE})


class Amqp(AMQP):
    """With that connection."""

    Connection = Connection


_began, _since = datetime.now(UTC), time.monotonic()


def steady_now() -> datetime:
    """The time as it goes on from the start of this process, whatever happens to the clock of the machine."""
    return _began + timedelta(seconds=time.monotonic() - _since)


app = Celery("referee", amqp=Amqp)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["tournaments"])
app.conf.beat_schedule = {
    "sweep": {
        "task": SWEEP,
        "schedule": schedule(SWEEP_SECONDS, nowfun=steady_now),
        "options": {"expires": UNREAD.total_seconds()},
    },
    "copy": {
        "task": "tournaments.tasks.copy",
        "schedule": schedule(COPY_SECONDS, nowfun=steady_now),
        "options": {"expires": COPY_SECONDS},
    },
}


# A worker and beat have no port to ask. Each touches a file while it does its work; `python -m referee.alive` reads it.


def mark_alive(name: str) -> None:
    """Touch the sign of life of ``worker`` or ``beat`` in the data folder."""
    from django.conf import settings

    Path(settings.DATA_DIR, f"{name}.alive").touch()


@heartbeat_sent.connect
def _worker_lives(**_: Any) -> None:
    mark_alive("worker")


@beat_init.connect
def _beat_begins(**_: Any) -> None:
    from referee.running import sums

    sums.keep_sending()
    before_task_publish.connect(_beat_lives)


def _beat_lives(**_: Any) -> None:
    mark_alive("beat")


# The same where all processes look, for the page of the desk and `/metrics`. Nobody but beat sends the sweep.


class LeavesSigns(bootsteps.StartStopStep):
    """Part of a worker that is connected to its queues: leaves a sign of life for each of them."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **_: Any) -> None:
        super().__init__(consumer)
        self._timer: Any = None

    def start(self, consumer: Any) -> None:
        from referee.running import signs, sums

        sums.keep_sending()
        names = [signs.of_queue(name) for name in consumer.app.amqp.queues.consume_from]

        def leave() -> None:
            for name in names:
                signs.leave(name)

        leave()
        self._timer = consumer.timer.call_repeatedly(signs.EVERY_SECONDS, leave)

    def stop(self, consumer: Any) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()


app.steps["consumer"].add(LeavesSigns)


# What a task is about, for the log and the counters


@before_task_publish.connect
def _sends(headers: dict[str, Any], sender: str = "", **_: Any) -> None:
    from referee.running import numbers, queues, signs

    headers[queues.SENT_AT] = time.time()
    numbers.give(headers)
    if sender == SWEEP:
        signs.leave(signs.BEAT)


@task_prerun.connect
def _begins(task: Any, task_id: str, **_: Any) -> None:
    from referee.running import numbers, sums

    sums.keep_sending()
    numbers.take(getattr(task.request, numbers.NUMBER, None), task.name, task_id)
    task.request.began = time.monotonic()


@task_postrun.connect
def _ends(task: Any, state: str | None = None, **_: Any) -> None:
    from referee.running import numbers
    from tournaments.acts import meters

    seconds = time.monotonic() - getattr(task.request, "began", time.monotonic())
    meters.worked(task.name, "done" if state == SUCCESS else "failed", seconds)
    numbers.put_down()


@worker_process_shutdown.connect
def _process_ends(**_: Any) -> None:
    from referee.running import sums

    sums.stop_sending()

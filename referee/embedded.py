"""A Celery worker and beat on threads of this process, for one laptop and for the tests."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from celery.beat import Scheduler, Service
from celery.worker import WorkController, state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery

log = logging.getLogger(__name__)

READY_SECONDS: Final = 30.0
RESTART_SECONDS: Final = 0.5
# two pieces of long work and one task for other servers leave one for live standings; in a federation these have
# workers of their own
THREADS: Final = 4
# beat sleeps this long at a time, so stopping it never takes longer
TICK_SECONDS: Final = 1


class WorkerNotReady(RuntimeError):
    """The worker did not come up."""


@contextmanager
def worker(app: Celery) -> Iterator[None]:
    """Work off tasks until the block ends; then running tasks finish first (a warm stop). One at a time a process."""
    ready = threading.Event()

    def is_ready(_: Any) -> None:
        ready.set()

    stopping = threading.Event()

    def work() -> None:
        """A worker that gives up (an error Celery calls unrecoverable) is followed by another: nobody would see it."""
        while not stopping.is_set():
            try:
                # the command-line worker class would install signal handlers, which only the main thread may
                controller = WorkController(
                    app=app,
                    pool="threads",
                    concurrency=THREADS,
                    hostname="embedded@localhost",
                    without_heartbeat=True,
                    without_mingle=True,
                    without_gossip=True,
                    ready_callback=is_ready,
                )
                controller.start()
            except Exception:
                log.exception("the worker failed")
            if not stopping.wait(RESTART_SECONDS):
                log.error("the worker gave up; another one starts")

    app.finalize()
    app.set_current()
    app.set_default()
    thread = threading.Thread(target=work, name="worker", daemon=True)
    thread.start()
    try:
        if not ready.wait(READY_SECONDS):
            raise WorkerNotReady(f"The worker was not ready within {READY_SECONDS:.0f} seconds.")
        yield
    finally:
        stopping.set()
        _stop_with(0)
        thread.join()
        _stop_with(None)


def _stop_with(code: int | None) -> None:
    """Ask the workers of this process to end with an exit code; None lets the next one run."""
    state.should_stop = code  # type: ignore[assignment]


@contextmanager
def beat(app: Celery) -> Iterator[None]:
    """Send the tasks of the schedule until the block ends. The schedule stays in memory: it is the settings' own."""
    stopping = threading.Event()
    running: list[Service] = []

    def tick() -> None:
        """Without beat nothing that was lost is found again, so one that fails is followed by another."""
        while not stopping.is_set():
            running[:] = [Service(app, max_interval=TICK_SECONDS, scheduler_cls=Scheduler)]
            if stopping.is_set():
                return
            try:
                running[0].start()
            except Exception:
                log.exception("beat failed; another one starts")
            stopping.wait(RESTART_SECONDS)

    thread = threading.Thread(target=tick, name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        for service in running:
            service.stop(wait=False)
        thread.join()

"""What this process has done so far, counted for whoever operates the service: acts, refusals, requests, tasks, errors.

Labels are words of the program only (an act, a code, the name of an address or a task), never a name or an id of a
person or an event. `referee.running` adds up the processes and shows the sums.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

from .errors import Refusal

#: Upper ends of the classes of answers, in seconds.
ANSWERS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: The same of background work.
WORK: Final = (0.05, 0.25, 1.0, 5.0, 30.0, 120.0, 600.0)
#: The act of a block that was refused before it said which one it is.
NOT_SAID: Final = "not_said"

disable_created_metrics()


class Meters:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.acts = self._counter("acts", "Acts by kind and by how they ended.", "act", "outcome")
        self.refusals = self._counter("refusals", "Refusals that were answered, by code.", "code")
        self.requests = self._counter("requests", "Answers by address and kind of status.", "route", "status")
        self.streams_refused = self._counter("streams_refused", "Live streams that found no place.", "status")
        self.shed = self._counter("shed", "Requests for which no thread was free in time, by who asked.", "kind")
        self.tasks = self._counter("tasks", "Background tasks by name and by how they ended.", "task", "outcome")
        self.errors = self._counter("errors", "Errors that were logged, by the part that logged them.", "logger")
        self.request_seconds = self._times("request_seconds", "How long answers took, by address.", ANSWERS, "route")
        self.task_seconds = self._times("task_seconds", "How long background tasks took, by name.", WORK, "task")

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"referee_{name}", about, labels, registry=self.registry)

    def _times(self, name: str, about: str, ends: tuple[float, ...], label: str) -> Histogram:
        return Histogram(f"referee_{name}", about, (label,), registry=self.registry, buckets=ends)


_meters = Meters()


def meters() -> Meters:
    """The counters of this process."""
    return _meters


def _begin_anew() -> None:
    global _meters
    _meters = Meters()


# what the parent has counted is the parent's to tell
os.register_at_fork(after_in_child=_begin_anew)


@dataclass
class Acting:
    """An act that is being carried out: its name, once that is known, and how it ended."""

    act: str
    outcome: str = "failed"


_acting: ContextVar[Acting | None] = ContextVar("acting", default=None)


@contextmanager
def acting(act: str = NOT_SAID) -> Iterator[Acting]:
    """Around an act: counts it by how it ends, ``done``, ``refused`` or ``failed``; a block that found it done before
    says ``repeated``. Inside another act it counts nothing, for that is the one that was asked for."""
    if (outer := _acting.get()) is not None:
        yield outer
        return
    one = Acting(str(act))
    before = _acting.set(one)
    try:
        yield one
        if one.outcome == "failed":
            one.outcome = "done"
    except Refusal as refusal:
        one.outcome = "refused"
        refused(refusal)
        raise
    finally:
        _acting.reset(before)
        _meters.acts.labels(one.act, one.outcome).inc()


def asked_for(act: str) -> None:
    """Say which act it is that is being carried out; the first that is said counts."""
    one = _acting.get()
    if one is not None and one.act == NOT_SAID:
        one.act = str(act)


def refused(refusal: Refusal) -> None:
    """Count a refusal by its code; once, however many doors it goes through."""
    if not refusal.counted:
        refusal.counted = True
        refused_with(refusal.code)


def refused_with(code: str) -> None:
    """Count what a door refuses by itself: a body that cannot be read, say."""
    _meters.refusals.labels(code).inc()


def answered(route: str, status: int, seconds: float) -> None:
    """Count an answer: the name of its address, its HTTP status, how long it took."""
    _meters.requests.labels(route, f"{status // 100}xx").inc()
    _meters.request_seconds.labels(route).observe(seconds)


def stream_refused(status: int) -> None:
    _meters.streams_refused.labels(str(status)).inc()


def shed(kind: str) -> None:
    """Count a request that was refused because too many asked: by whom."""
    _meters.shed.labels(kind).inc()


def error_logged(logger: str) -> None:
    _meters.errors.labels(logger).inc()


def worked(task: str, outcome: str, seconds: float) -> None:
    """Count a background task: its name, ``done`` or ``failed``, how long it took."""
    _meters.tasks.labels(task, outcome).inc()
    _meters.task_seconds.labels(task).observe(seconds)

"""The counters of all processes, added up.

Each process counts for itself (`tournaments.acts.meters`) and adds what is new to sums in Redis, every few seconds and
when it stops. So the sums only grow, whoever starts or ends; a process that is killed takes a few seconds of counting
with it. While Redis is away everybody keeps what is new, and there are no sums: a gap says more than half of them. On
one laptop, without Redis, the process is all there is.
"""

from __future__ import annotations

import atexit
import json
import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import redis
from django.conf import settings
from prometheus_client import Metric
from prometheus_client.samples import Sample

from tournaments.acts import resting
from tournaments.acts.meters import meters

from . import lately
from .connection import client

SEND_SECONDS: Final = 5.0
#: What a process said last of its open streams, and of whom it refused, holds so long, in seconds.
STREAMS_HOLD: Final = 15.0
_SUMS: Final = "referee:sums"
_STREAMS: Final = "referee:streams"
_SHED: Final = "referee:shed"
_ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "counter": ("_total",),
    "histogram": ("_bucket", "_sum", "_count"),
}


@dataclass(frozen=True, slots=True)
class Streams:
    """Open live streams, and how many of them are strangers'."""

    open: int
    strangers: int


@dataclass
class _Here:
    """What this process has told so far."""

    name: str = field(default_factory=lambda: secrets.token_hex(8))
    lock: threading.Lock = field(default_factory=threading.Lock)
    sent: dict[str, float] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None


_here = _Here()
_streams_here: Callable[[], Streams] = lambda: Streams(0, 0)  # noqa: E731


def _begin_anew() -> None:
    global _here
    _here = _Here()


os.register_at_fork(after_in_child=_begin_anew)


def tell_streams(of_this_process: Callable[[], Streams]) -> None:
    """Say who knows the streams of this process; it is asked from another thread."""
    global _streams_here
    _streams_here = of_this_process


def keep_sending() -> None:
    """From now on this process adds what it counts to the sums. Called again it does nothing."""
    if not settings.REDIS_URL or _here.thread is not None:
        return
    with _here.lock:
        if _here.thread is None:
            _here.thread = threading.Thread(target=_send_on, args=(_here,), name="sums", daemon=True)
            _here.thread.start()
            atexit.register(stop_sending)


def stop_sending() -> None:
    """The process ends: what it still has is added, and its streams are nobody's."""
    if _here.thread is None or _here.over.is_set():
        return
    _here.over.set()
    with suppress(redis.RedisError, OSError):
        send()
        client().hdel(_STREAMS, _here.name)
        client().hdel(_SHED, _here.name)


def _send_on(here: _Here) -> None:
    while not here.over.wait(SEND_SECONDS):
        if settings.REDIS_URL and not resting.rests():
            with suppress(redis.RedisError, OSError):
                send()


def send() -> None:
    """Add what this process has counted since the last time. Raises RedisError; then nothing was added."""
    with _here.lock:
        now = {_name(one): one.value for metric in meters().registry.collect() for one in metric.samples}
        sent = _here.sent
        streams = _streams_here()
        with client().pipeline() as pipeline:
            for name, value in now.items():
                if sent.get(name) != value:
                    pipeline.hincrbyfloat(_SUMS, name, value - sent.get(name, 0.0))
            pipeline.hset(_STREAMS, _here.name, json.dumps([time.time(), streams.open, streams.strangers]))
            pipeline.hset(_SHED, _here.name, json.dumps([time.time(), dict(lately.here())]))
            pipeline.execute()
        _here.sent = now


def sums() -> list[Metric]:
    """What all processes have counted. Raises RedisError while nobody knows."""
    known = list(meters().registry.collect())
    if not settings.REDIS_URL:
        return known
    send()
    added: dict[str, list[Sample]] = {}
    for name, value in client().hgetall(_SUMS).items():
        sample, labels = json.loads(name)
        added.setdefault(sample, []).append(Sample(sample, labels, float(value)))
    return [_sum_of(metric, added) for metric in known]


def open_streams() -> Streams:
    """The open streams of all processes, some seconds ago. Raises RedisError while nobody knows."""
    if not settings.REDIS_URL:
        return _streams_here()
    fresh = _said_by_processes(_STREAMS)
    return Streams(sum(one for one, _ in fresh), sum(strangers for _, strangers in fresh))


def shed_lately() -> Mapping[str, int]:
    """Whom all processes refused within the last minutes (`lately`), by kind. Raises RedisError while nobody knows."""
    if not settings.REDIS_URL:
        return lately.here()
    return sum((Counter(kinds) for (kinds,) in _said_by_processes(_SHED)), Counter[str]())


def _said_by_processes(name: str) -> list[list[Any]]:
    """What each process said last, without those that are silent; the long gone are forgotten."""
    known, now = client(), time.time()
    said = {process: json.loads(text) for process, text in known.hgetall(name).items()}
    if gone := [process for process, (at, *_) in said.items() if abs(now - at) > 4 * STREAMS_HOLD]:
        known.hdel(name, *gone)
    return [rest for at, *rest in said.values() if abs(now - at) < STREAMS_HOLD]


def _sum_of(metric: Metric, added: Mapping[str, Iterable[Sample]]) -> Metric:
    summed = Metric(metric.name, metric.documentation, metric.type)
    for ending in _ENDINGS[metric.type]:
        summed.samples += sorted(added.get(metric.name + ending, ()), key=_place)
    return summed


def _place(sample: Sample) -> tuple[list[tuple[str, str]], float]:
    """By its labels, classes of times by their upper ends."""
    labels = sorted((name, value) for name, value in sample.labels.items() if name != "le")
    return labels, float(sample.labels.get("le", 0))


def _name(sample: Sample) -> str:
    return json.dumps([sample.name, sample.labels], sort_keys=True)

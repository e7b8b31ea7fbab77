"""What waits for a worker: how many tasks stand in a queue, and how long the oldest has."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from .connection import client

#: The header of a task that says when it was sent, in seconds of the clock.
SENT_AT: Final = "sent_at"


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue by name: tasks that nobody has begun, and for how many seconds the oldest has waited."""

    name: str
    waiting: int
    oldest: float


def queues() -> list[Queue]:
    """Every queue. Raises RedisError while nobody knows."""
    names = [str(queue.name) for queue in settings.CELERY_TASK_QUEUES]
    now = time.time()
    if settings.REDIS_URL:
        return [_in_redis(name, now) for name in names]
    return [_in_folder(name, now) for name in names]


def _in_redis(name: str, now: float) -> Queue:
    # tasks come in at the left and are taken at the right
    with client().pipeline() as pipeline:
        pipeline.llen(name)
        pipeline.lindex(name, -1)
        waiting, oldest = pipeline.execute()
    return Queue(name, waiting, 0.0 if oldest is None else max(0.0, now - _sent_at(json.loads(oldest), now)))


def _sent_at(task: dict[str, Any], now: float) -> float:
    return float(task.get("headers", {}).get(SENT_AT) or now)


def _in_folder(name: str, now: float) -> Queue:
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    written = []
    for file in folder.glob(f"*.{name}.msg"):
        try:
            written.append(file.stat().st_mtime)
        except FileNotFoundError:  # it has just been taken
            continue
    return Queue(name, len(written), max(0.0, now - min(written, default=now)))

"""Signs of life. A worker, for each queue it serves, and beat leave one every few seconds where all processes look."""

from __future__ import annotations

import time
from typing import Final

from django.core.cache import cache

#: How often a worker leaves one, in seconds; beat does with every sweep it sends.
EVERY_SECONDS: Final = 2.0
#: After so long without one it is taken for gone.
SILENCE_SECONDS: Final = 10.0
#: For so long it is known when the last one was left.
KEPT_SECONDS: Final = 24 * 3600
BEAT: Final = "beat"


def of_queue(queue: str) -> str:
    """Who works off a queue."""
    return f"worker_{queue}"


def leave(name: str) -> None:
    """Leave a sign of life now."""
    cache.set(_key(name), time.time(), KEPT_SECONDS)


def age(name: str) -> float | None:
    """How old the last sign is, in seconds; None when none is known. One of the future proves nothing: its clock was
    set back since, and it would have left another."""
    left = cache.get(_key(name))
    seconds = None if left is None else time.time() - left
    return None if seconds is None or seconds < -SILENCE_SECONDS else max(0.0, seconds)


def _key(name: str) -> str:
    return f"alive:{name}"

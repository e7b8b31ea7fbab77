"""A Redis that does not answer is left alone for some seconds, so that not every request waits for its time-outs.

What it is asked for can be lost without harm (`announce`, `doorbell`, `jobs`) or is done otherwise (`counting`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from kombu.exceptions import KombuError
from redis.exceptions import RedisError

#: How long it is left alone, in seconds.
REST: Final = 5.0
#: What asking Redis, directly or as the broker, may come to.
AWAY: Final = (RedisError, KombuError, OSError)

_until = 0.0


class Resting(RedisError):
    """It did not answer a moment ago and is not asked now."""

    def __init__(self) -> None:
        super().__init__("Redis did not answer a moment ago and is left alone for some seconds")


@contextmanager
def asking() -> Iterator[None]:
    """Around whatever asks Redis. Raises one of `AWAY`; `Resting`, at once, when the last one did not answer."""
    global _until
    if rests():
        raise Resting()
    try:
        yield
    except AWAY:
        _until = time.monotonic() + REST
        raise


def rests() -> bool:
    """Whether it is left alone now."""
    return time.monotonic() < _until


def wake() -> None:
    """Ask again at once."""
    global _until
    _until = 0.0

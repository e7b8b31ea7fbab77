"""One measured figure beside the limit measured in the same run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Figure:
    """`ratio` is `ours` as a share or multiple of `limit`. `aim` is its bound (an upper one if `less`), if any."""

    what: str
    ours: str
    limit: str
    ratio: float
    aim: float | None = None
    less: bool = False

    def line(self) -> str:
        figures = f"{self.what:<52}{self.ours:>16}{self.limit:>16}{self.ratio:>9.3f}"
        if self.aim is None:
            return figures
        reached = self.ratio <= self.aim if self.less else self.ratio >= self.aim
        return f"{figures}  aim {'<=' if self.less else '>='} {self.aim:g}: {'reached' if reached else 'not reached'}"


HEAD = f"{'':<52}{'ours':>16}{'limit':>16}{'ratio':>9}"


def seconds(act: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes."""
    began = clock()
    act()
    return clock() - began


def in_turn(*acts: Callable[[], Any], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """Median seconds of each act, taken alternately, so that a busy moment of the machine hits all of them.

    Every act begins without garbage of another, and pays for its own. By the clock `time.process_time` they are
    seconds of one core, whatever else runs.
    """
    taken: list[list[float]] = [[] for _ in acts]
    for _ in range(times):
        for act, kept in zip(acts, taken, strict=True):
            gc.collect()
            kept.append(seconds(act, clock))
    return [median(kept) for kept in taken]

"""Measured figures beside a limit measured in the same run, and the table of several runs."""

from __future__ import annotations

import gc
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


class NotNow(Exception):
    """What a part needs cannot be had of this machine now; the other parts are measured all the same."""


@dataclass(frozen=True)
class Figure:
    """`ratio` is `ours` as a share or multiple of `limit`. `aim` is its bound (an upper one if `less`), if any.

    `what` begins with the number of its row in docs/performance.md (``P9 follow check, new position``), if any.
    """

    what: str
    ours: str
    limit: str
    ratio: float
    aim: float | None = None
    less: bool = False

    def line(self) -> str:
        figures = f"{self.what:<64}{self.ours:>16}{self.limit:>16}{self.ratio:>10.4g}"
        return figures + (f"  {self.goal} {self.verdict(self.ratio)}" if self.goal else "")

    @property
    def goal(self) -> str:
        return "" if self.aim is None else f"{'<=' if self.less else '>='} {self.aim:g}"

    def verdict(self, ratio: float) -> str:
        if self.aim is None:
            return ""
        return "reached" if (ratio <= self.aim if self.less else ratio >= self.aim) else "not reached"


HEAD = f"{'':<64}{'ours':>16}{'limit':>16}{'ratio':>10}"
NUMBERED = re.compile(r"P(\d+)(\w*)")


def load() -> float:
    """How many programs waited for a core in the last minute, on average."""
    return os.getloadavg()[0]


def table(runs: Sequence[Sequence[Figure]]) -> str:
    """Every figure in the order of its number, with the ratio of each run; the middle one is held against the goal."""
    ratios: dict[str, list[float]] = {}
    for figure in (figure for run in runs for figure in run):
        ratios.setdefault(figure.what, []).append(figure.ratio)
    lines = ["| figure | ours | limit | ratio of each run | goal | |", "|---|---|---|---|---|---|"]
    last = {figure.what: figure for run in runs for figure in run}
    for figure in sorted(last.values(), key=lambda one: _place(one.what)):
        found = ratios[figure.what]
        each = " / ".join(f"{ratio:.3g}" for ratio in found)
        cells = (figure.what, figure.ours, figure.limit, each, figure.goal, figure.verdict(median(found)))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _place(what: str) -> tuple[int, str]:
    """Where a row stands: by its number, those without one after them, in the order in which they were measured."""
    found = NUMBERED.match(what)
    return (int(found[1]), found[2]) if found else (1_000, "")


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

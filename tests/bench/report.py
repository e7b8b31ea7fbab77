"""One measured figure beside the limit measured in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Figure:
    """`ratio` is `ours` as a share or multiple of `limit`; `aim` is the bound, and `less` says on which side it lies."""

    what: str
    ours: str
    limit: str
    ratio: float
    aim: float
    less: bool = False

    @property
    def reached(self) -> bool:
        return self.ratio <= self.aim if self.less else self.ratio >= self.aim

    def line(self) -> str:
        sign = "<=" if self.less else ">="
        return (
            f"{self.what:<52}{self.ours:>20}{self.limit:>22}{self.ratio:>9.3f}  aim {sign} {self.aim:<7g}"
            f"{'reached' if self.reached else 'MISSED'}"
        )


HEAD = f"{'':<52}{'ours':>20}{'limit':>22}{'ratio':>9}"


def seconds(act: Callable[[], Any]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def in_turn(*acts: Callable[[], Any], times: int = 5) -> list[float]:
    """Median seconds of each act, taken alternately, so that a busy moment of the machine hits all of them."""
    taken: list[list[float]] = [[] for _ in acts]
    for _ in range(times):
        for act, kept in zip(acts, taken, strict=True):
            kept.append(seconds(act))
    return [median(kept) for kept in taken]

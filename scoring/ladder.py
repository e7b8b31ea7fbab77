"""The ladder: the ordered levels of a profile, climbing, must-play levels and the finish.

Climbing never walks level by level, so a gain of 33,554,433 levels costs no more than one of 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from scoring.values import FLAG, Level

MustMode = Literal["none", "no_skip", "must_defend"]
Finish = Literal["pass_A", "reach_A", "wrap"]
PassA = Literal["held", "any"]


@dataclass(frozen=True, slots=True)
class Climb:
    """Where a gain leads.

    `level` is None past the last level; `stopped_at` names the must-play level that cut the gain;
    `finished` says that the climb wins the match (past the last level, or at it under `reach_A`).
    """

    level: Level | None
    stopped_at: Level | None = None
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Ladder:
    """Levels from lowest to highest with the rules of climbing them.

    must_mode `no_skip`: a gain may not pass over a must-play level (不能跳过); `must_defend`: a must-play level is
    left only by holding the deal at it (坐庄打过). finish `pass_A`: climbing past the last level wins, `reach_A`:
    reaching it wins, `wrap`: after the last comes the first. pass_a `held`: past the last level only by holding the
    deal at it; `any`: by any gain. The last levels are `beyond` the ordinary ones (打王、打无主、扛旗): under `held`
    the last ordinary level and each of these is left only by holding the deal at it; the flag always is.
    """

    levels: tuple[Level, ...]
    must_play: tuple[Level, ...] = ()
    must_mode: MustMode = "none"
    finish: Finish = "pass_A"
    pass_a: PassA = "held"  # noqa: S105 - a rule
    beyond: tuple[Level, ...] = ()
    _index: dict[Level, int] = field(init=False, repr=False, compare=False)
    _kept: Callable[[Level, int, bool], Climb] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {level: i for i, level in enumerate(self.levels)})
        object.__setattr__(self, "_kept", lru_cache(maxsize=1024)(self._climb))

    def __contains__(self, level: object) -> bool:
        return level in self._index

    def __iter__(self) -> Iterator[Level]:
        return iter(self.levels)

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def first(self) -> Level:
        return self.levels[0]

    @property
    def last(self) -> Level:
        return self.levels[-1]

    @property
    def top(self) -> Level:
        """The last of the ordinary levels (A), which others may follow."""
        return self.levels[-1 - len(self.beyond)]

    def index(self, level: Level | None) -> int:
        """Steps above the first level; None, past the last level, is one step above it. KeyError off the ladder."""
        return len(self.levels) if level is None else self._index[level]

    def climb(self, level: Level, levels: int, *, held: bool) -> Climb:
        """Where a side at `level` stands after winning `levels` (0 or more).

        `held` is True for the dealer side that kept the deal, False for attackers.
        """
        return self._kept(level, levels, held)

    def _climb(self, level: Level, levels: int, held: bool) -> Climb:
        assert levels >= 0
        if levels == 0:
            return Climb(level)
        start = self._index[level]
        if not held and self._only_by_holding(level):
            return Climb(level, stopped_at=level)
        stop = self._first_stop(start, levels)
        if stop is not None:
            return self._at(stop, stopped_at=self.levels[stop])
        return self._at(start + levels)

    def fall(self, level: Level, levels: int) -> Level:
        """`levels` steps down, never below the first level; negative counts climb, never past the last one.

        Nobody climbs to the flag so: it is reached by passing the level before it.
        """
        highest = len(self.levels) - 1
        if self.last == FLAG and level != FLAG:
            highest -= 1
        return self.levels[max(0, min(highest, self._index[level] - levels))]

    def _only_by_holding(self, level: Level) -> bool:
        if self.must_mode == "must_defend" and level in self.must_play:
            return True
        return level in self._held

    @property
    def _held(self) -> tuple[Level, ...]:
        """The levels from the last ordinary one on that are left only by holding the deal at them."""
        if self.finish == "pass_A" and self.pass_a == "held":  # noqa: S105 - a rule
            return self.levels[-1 - len(self.beyond) :]
        return (FLAG,) if self.last == FLAG else ()

    def _first_stop(self, start: int, levels: int) -> int | None:
        """The nearest level above `start` that a gain of `levels` would jump over though it must be played."""
        musts = set(self.must_play) if self.must_mode != "none" else set()
        musts.update(self._held)
        size = len(self.levels)
        ahead = []
        for must in musts:
            distance = self._index[must] - start
            if distance <= 0:
                if self.finish != "wrap":
                    continue
                distance += size
            if distance < levels:
                ahead.append(distance)
        return (start + min(ahead)) % size if ahead else None

    def _at(self, index: int, stopped_at: Level | None = None) -> Climb:
        size = len(self.levels)
        if self.finish == "wrap":
            return Climb(self.levels[index % size], stopped_at)
        if self.finish == "reach_A":
            top = index >= size - 1
            return Climb(self.levels[min(index, size - 1)], stopped_at, finished=top)
        if index >= size:
            return Climb(None, stopped_at, finished=True)
        return Climb(self.levels[index], stopped_at)

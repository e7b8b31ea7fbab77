"""The level table: from the attackers' total to the levels won and the deal (升级规则)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from scoring.values import Role

NegativeTotal = Literal["floor_zero", "extend"]

#: Every total is a multiple of this many points.
GRAIN = 5


@dataclass(frozen=True, slots=True)
class Band:
    """Totals `low` to `high` (both included) with one result."""

    low: int
    high: int
    role: Role
    levels: int
    deal_changes_hands: bool


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A row of an explicit table; None leaves that end open."""

    low: int | None
    high: int | None
    role: Role
    levels: int


@dataclass(frozen=True, slots=True)
class LevelTable:
    """Threshold and step (inventory §4), or explicit rows, with what happens below zero and above the caps."""

    threshold: int
    step: int
    negative_total: NegativeTotal
    score_cap: int | None
    levels_cap: int | None
    rows: tuple[LevelRow, ...] | None
    score_floor: int | None = None

    def settle(self, total: int) -> int:
        """The total that counts for levels: first the cap, then the floor."""
        if self.score_cap is not None:
            total = min(total, self.score_cap)
        if self.negative_total == "floor_zero":
            total = max(total, 0)
        return total if self.score_floor is None else max(total, self.score_floor)

    def look_up(self, total: int) -> tuple[Role, int]:
        """Who gains how many levels for a settled total. Attackers gaining 0 take the deal all the same."""
        role, levels = self._by_rows(total) if self.rows is not None else self._by_steps(total)
        return role, levels if self.levels_cap is None else min(levels, self.levels_cap)

    def topic(self, total: int) -> str:
        """The topic of the clause that decides a settled total."""
        if total < 0:
            return "table.negative"
        if total == 0:
            return "table.zero"
        if total < self.threshold:
            return "table.below"
        return "table.line" if self.look_up(total)[1] == 0 else "table.above"

    def bands(self, low: int, high: int) -> tuple[Band, ...]:
        """The bands that tile `low` to `high` without gap or overlap; both are multiples of 5."""
        if low % GRAIN or high % GRAIN or low > high:
            raise ValueError("bands run from one multiple of 5 up to another")
        bands: list[Band] = []
        start, result = low, self.look_up(self.settle(low))
        for total in range(low + GRAIN, high + GRAIN, GRAIN):
            here = self.look_up(self.settle(total))
            if here != result:
                bands.append(_band(start, total - GRAIN, result))
                start, result = total, here
        bands.append(_band(start, high, result))
        return tuple(bands)

    def _by_steps(self, total: int) -> tuple[Role, int]:
        if total >= self.threshold:
            return Role.ATTACKERS, (total - self.threshold) // self.step
        if total > 0:
            return Role.DEALER, -((total - self.threshold) // self.step)
        clean_sweep = -(-self.threshold // self.step) + 1
        return Role.DEALER, clean_sweep - (total // self.step)

    def _by_rows(self, total: int) -> tuple[Role, int]:
        assert self.rows is not None
        for row in self.rows:
            if row.high is None or total <= row.high:
                return row.role, row.levels
        raise AssertionError("a checked table is open at the top")


def _band(low: int, high: int, result: tuple[Role, int]) -> Band:
    role, levels = result
    return Band(low, high, role, levels, deal_changes_hands=role is Role.ATTACKERS)


def table_problem(rows: Sequence[LevelRow]) -> str | None:
    """Why explicit rows do not make a table; None when they tile and never turn back."""
    if not rows or rows[0].low is not None or rows[-1].high is not None:
        return "the first row must be open below and the last open above"
    for before, after in pairwise(rows):
        if before.high is None or after.low is None or after.low - before.high != GRAIN:
            return f"rows must follow each other in steps of {GRAIN} points"
        if _worth(after) <= _worth(before):
            return "more points must never be worth less to the attackers"
    for row in rows:
        if row.role is Role.DEALER and row.levels < 1:
            return "a dealer side that keeps the deal gains at least one level"
        if row.low is not None and row.low % GRAIN:
            return f"a row starts at a multiple of {GRAIN}"
        if row.low is not None and row.high is not None and row.high < row.low:
            return "a row runs upwards"
    return None


def _worth(row: LevelRow) -> int:
    return row.levels if row.role is Role.ATTACKERS else -row.levels

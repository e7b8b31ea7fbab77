"""A movement that compares its pairs as evenly as the search finds: who sits North-South at which table is chosen.

The rounds of a Mitchell, or the first rounds of a Howell, say who meets where over which boards; turning a table
changes with whom both pairs are compared, and nothing else. The search is bounded by a number of steps, never by a
clock, so that the same seed gives the same movement anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from scoring.hands.findings import Refused, refusal
from tournaments.draws.movements import (
    HOWELL_PAIRS,
    MITCHELL_PAIRS,
    Movement,
    Play,
    arrow_switched,
    balance,
    howell,
    mitchell,
)

#: How many influences of one table on another a search may look at; under two seconds.
_MOST_STEPS = 600_000
#: Searches from tables turned by chance, beside those from the plain movement and from a few arrows at its end.
_STARTS = 24


@lru_cache(maxsize=64)
def balanced(pairs: int, rounds: int | None = None, seed: str = "") -> Movement:
    """The most even movement found for so many pairs and rounds (None: as many as a Mitchell has).

    Of those that do not share boards within a round the one with the least spread of influence; where all share, of
    all. Refused outside `MITCHELL_PAIRS`, or with more rounds than there can be.
    """
    if pairs not in MITCHELL_PAIRS:
        mitchell(pairs)  # says why not
    tables = (pairs + 1) // 2
    of_mitchell = tables if tables % 2 else tables - 1
    of_howell = pairs - 1 + pairs % 2 if pairs in HOWELL_PAIRS else 0
    wanted, most = of_mitchell if rounds is None else rounds, max(of_mitchell, of_howell)
    if not 1 <= wanted <= most:
        en, zh = f"{pairs} pairs play 1 to {most} rounds so.", f"{pairs} 对按此移位可打 1 到 {most} 轮。"
        raise Refused([refusal("too_many_rounds", "rounds", en, zh, most=most)])
    bases = [mitchell(pairs, wanted)] if wanted <= of_mitchell else []
    if wanted <= of_howell:
        bases.append(replace(howell(pairs), rounds=howell(pairs).rounds[:wanted]))
    named = f"balance/1/{seed}/{pairs}/{wanted}"
    found = [_turned(base, Random(f"{named}/{at}")) for at, base in enumerate(bases)]  # noqa: S311
    return found[0] if len(found) == 1 else min(found, key=_worth)


def _worth(movement: Movement) -> tuple[bool, object, int]:
    figures = balance(movement)
    return (figures.shared > 1, figures.spread, figures.shared)


def _turned(base: Movement, rng: Random) -> Movement:
    """The movement with those tables turned that make influence most even."""
    search, arrow = _Search(base), arrow_switched(base, (len(base.rounds) + 4) // 8)
    found = [search.improved([False] * len(search.plays), rng)]
    found.append(search.improved([one.ns != two.ns for one, two in zip(_plays(arrow), search.plays, strict=True)], rng))
    for _ in range(_STARTS):
        if search.steps >= _MOST_STEPS:
            break
        found.append(search.improved([rng.random() < 0.5 for _ in search.plays], rng))
    return search.made(min(found)[1])


def _plays(movement: Movement) -> list[Play]:
    return [play for plays in movement.rounds for play in plays]


class _Search:
    """Turning tables one by one, with what each turn does to the sum of squares of the influences."""

    def __init__(self, base: Movement) -> None:
        self.base, self.plays, self.steps = base, _plays(base), 0
        by_boards: dict[int, list[int]] = {}
        for number, play in enumerate(self.plays):
            by_boards.setdefault(play.boards, []).append(number)
        self.together = [
            [other for other in by_boards[play.boards] if other != at] for at, play in enumerate(self.plays)
        ]

    def improved(self, turned: Sequence[bool], rng: Random) -> tuple[int, list[bool]]:
        """Turns as long as one makes influence more even, in a new order each time around; the sum of the squares of
        all influences then, which is least where their spread is."""
        now, order = list(turned), list(range(len(self.plays)))
        weights = self._weights(now)
        better = True
        while better and self.steps < _MOST_STEPS:
            better = False
            rng.shuffle(order)
            for at in order:
                if self._gain(at, now, weights) < 0:
                    self._turn(at, now, weights)
                    better = True
        return sum(weight * weight for row in weights for weight in row), now

    def made(self, turned: Sequence[bool]) -> Movement:
        """The movement with these tables turned."""
        which = iter(turned)
        rounds = tuple(
            tuple(replace(play, ns=play.ew, ew=play.ns) if next(which) else play for play in plays)
            for plays in self.base.rounds
        )
        return replace(self.base, rounds=rounds)

    def _sides(self, at: int, turned: Sequence[bool]) -> tuple[int, int]:
        play = self.plays[at]
        return (play.ew, play.ns) if turned[at] else (play.ns, play.ew)

    def _weights(self, turned: Sequence[bool]) -> list[list[int]]:
        """The influence of every pair on every other, as `balance` counts it."""
        weights = [[0] * self.base.pairs for _ in range(self.base.pairs)]
        for at in range(len(self.plays)):
            ns, ew = self._sides(at, turned)
            for one, other in ((ns, ew), (ew, ns)):
                weights[one][other] += len(self.together[at])
            for number in self.together[at]:
                north, east = self._sides(number, turned)
                for one, other, sign in ((ns, north, 1), (ew, east, 1), (ns, east, -1), (ew, north, -1)):
                    weights[one][other] += sign
        return weights

    def _gain(self, at: int, turned: Sequence[bool], weights: Sequence[Sequence[int]]) -> int:
        """What turning a table adds to the sum of squares; the sum of the influences stays."""
        ns, ew = self._sides(at, turned)
        total = 0
        for number in self.together[at]:
            north, east = self._sides(number, turned)
            # each influence changes by two: (w - 2s)² - w² = 4 - 4sw
            total += 16 - 4 * (weights[ns][north] + weights[ew][east] - weights[ns][east] - weights[ew][north])
        self.steps += len(self.together[at])
        return total

    def _turn(self, at: int, turned: list[bool], weights: list[list[int]]) -> None:
        ns, ew = self._sides(at, turned)
        for number in self.together[at]:
            north, east = self._sides(number, turned)
            for one, other, sign in ((ns, north, -2), (ew, east, -2), (ns, east, 2), (ew, north, 2)):
                weights[one][other] += sign
                weights[other][one] += sign
        turned[at] = not turned[at]

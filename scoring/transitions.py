"""The rules as one table: standing × outcome → standing, for folding many plain hands fast.

The table is filled by the function that plays a hand in the fold, so it holds no rule of its own. It serves
benchmarks, simulations and audits of hands that have totals only: no hook, no annulments, no penalties.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from scoring.findings import Refused, finding
from scoring.outcomes import LevelResult, hand_outcome
from scoring.profiles import Profile
from scoring.sheets import TOTAL, off_grain
from scoring.states import Opening
from scoring.values import Level, Role, Seat, Side

_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after plain hands. `winner` passed the last level, or reached it under `reach_A`."""

    ns: Level
    ew: Level
    next_dealer: Seat
    winner: Side | None = None


class Transitions:
    """The table of one profile: `rows[state][column]` is the next state, `columns[total]` the column of a total."""

    def __init__(self, profile: Profile) -> None:
        self.columns = _Columns(profile)
        self.standings = [Standing(ns, ew, seat) for seat in Seat for ns in profile.ladder for ew in profile.ladder]
        self.numbers = {standing: number for number, standing in enumerate(self.standings)}
        plain = tuple(self.standings)
        rows = [[self._next(profile, standing, result) for result in self.columns.results] for standing in plain]
        self.over = len(self.standings)
        after_the_end = [self.over] * len(self.columns.results)
        self.rows = rows + [after_the_end] * (self.over - len(plain) + 1)

    def _next(self, profile: Profile, standing: Standing, result: LevelResult) -> int:
        levels = {Side.NS: standing.ns, Side.EW: standing.ew}
        outcome = hand_outcome(profile, dealer=standing.next_dealer, levels=levels, result=result, reasons=False)
        after = Standing(outcome.levels[Side.NS], outcome.levels[Side.EW], outcome.next_dealer, outcome.winner)
        if after not in self.numbers:
            self.numbers[after] = len(self.standings)
            self.standings.append(after)
        return self.numbers[after]


class _Columns(dict[int, int]):
    """Total → column, worked out once for each total."""

    def __init__(self, profile: Profile) -> None:
        super().__init__()
        self.profile = profile
        rounds = 2 * len(profile.ladder)
        attackers = [LevelResult(Role.ATTACKERS, levels, deal_changes_hands=True) for levels in range(rounds + 1)]
        dealer = [LevelResult(Role.DEALER, levels, deal_changes_hands=False) for levels in range(1, rounds + 1)]
        self.results = attackers + dealer
        self._numbers = {(result.winner_role, result.levels): i for i, result in enumerate(self.results)}

    def __missing__(self, total: int) -> int:
        wrong = list(off_grain(self.profile, total, TOTAL, "total"))
        if wrong:
            raise Refused(wrong)
        role, levels = self.profile.table.look_up(self.profile.table.settle(total))
        column = self._numbers[role, self._within_two_rounds(levels)]
        if len(self) < _MOST_KEPT:
            self[total] = column
        return column

    def _within_two_rounds(self, levels: int) -> int:
        """A gain that leads to the same level: beyond two rounds of the ladder only the place in the round matters."""
        size = len(self.profile.ladder)
        return levels if levels <= 2 * size else size + 1 + (levels - size - 1) % size


@lru_cache(maxsize=32)
def transitions(profile: Profile) -> Transitions:
    """The table of a profile, made once."""
    return Transitions(profile)


def fold_totals(profile: Profile, opening: Opening, totals: Iterable[int]) -> Standing:
    """The standing after hands of which only the attackers' totals are known (signed points, after adding up).

    Agrees with `sittings.fold` over sheets with these totals. Refused: `dealer_missing`, `not_a_multiple_of_5`,
    `match_over`.
    """
    if opening.first_dealer is None:
        raise Refused([finding("dealer_missing", "dealer", profile=profile, topic="first_deal")])
    table = transitions(profile)
    rows, columns = table.rows, table.columns
    state = table.numbers[Standing(opening.levels[Side.NS], opening.levels[Side.EW], opening.first_dealer)]
    for total in totals:
        state = rows[state][columns[total]]
    if state == table.over:
        raise Refused([finding("match_over", "kind", profile=profile, topic="finish")])
    return table.standings[state]

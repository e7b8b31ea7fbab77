"""The rules as one table: standing × outcome → standing, for folding many plain hands fast.

The table is filled by the function that plays a hand in the fold, so it holds no rule of its own. It serves
benchmarks, simulations and audits of hands that have totals only: no hook, no annulments, no penalties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from scoring.findings import Refused, finding
from scoring.outcomes import LevelResult, hand_outcome
from scoring.profiles import Profile
from scoring.profiles.level_table import GRAIN, LevelTable
from scoring.sheets import TOTAL, off_grain
from scoring.states import Opening
from scoring.values import FLAG, Level, Role, Seat, Side

_MOST_KEPT = 10_000

_Gain = tuple[Role, int]
_Results = tuple[LevelResult, LevelResult]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after plain hands. `winner` passed the last level, or reached it under `reach_A`.

    `failures` are the failures running at the flag, N–S then E–W.
    """

    ns: Level
    ew: Level
    next_dealer: Seat
    winner: Side | None = None
    failures: tuple[int, int] = (0, 0)


class Transitions:
    """The table of one profile: `rows[state][column]` is the next state, `columns[total]` the column of a total."""

    def __init__(self, profile: Profile) -> None:
        self.columns = _Columns(profile)
        self.standings = list(_standings(profile))
        self.numbers = {standing: number for number, standing in enumerate(self.standings)}
        plain = tuple(self.standings)
        rows = [[self._next(profile, standing, result) for result in self.columns.results] for standing in plain]
        self.over = len(self.standings)
        after_the_end = [self.over] * len(self.columns.results)
        self.rows = rows + [after_the_end] * (self.over - len(plain) + 1)

    def _next(self, profile: Profile, standing: Standing, results: _Results) -> int:
        levels = {Side.NS: standing.ns, Side.EW: standing.ew}
        plain, at_flag = results
        outcome = hand_outcome(
            profile,
            dealer=standing.next_dealer,
            levels=levels,
            result=at_flag if levels[standing.next_dealer.side] == FLAG else plain,
            failures=dict(zip(Side, standing.failures, strict=True)),
            reasons=False,
        )
        failures = outcome.flag_failures
        after = Standing(
            outcome.levels[Side.NS],
            outcome.levels[Side.EW],
            outcome.next_dealer,
            outcome.winner,
            (failures[Side.NS], failures[Side.EW]),
        )
        if after not in self.numbers:
            self.numbers[after] = len(self.standings)
            self.standings.append(after)
        return self.numbers[after]


def _standings(profile: Profile) -> Iterator[Standing]:
    """Every standing between two hands; a side at the flag may have failed there before."""
    places = [(level, failed) for level in profile.ladder for failed in range(_most_failed(profile, level) + 1)]
    for seat in Seat:
        for ns, ns_failed in places:
            for ew, ew_failed in places:
                yield Standing(ns, ew, seat, failures=(ns_failed, ew_failed))


def _most_failed(profile: Profile, level: Level) -> int:
    return profile.flag_failures - 1 if level == FLAG else 0


class _Columns(dict[int, int]):
    """Total → column, worked out once for each total.

    A column is the results of a total at any level but the flag, and at the flag.
    """

    def __init__(self, profile: Profile) -> None:
        super().__init__()
        self.profile = profile
        rounds = 2 * len(profile.ladder)
        attackers = [(Role.ATTACKERS, levels) for levels in range(rounds + 1)]
        dealer = [(Role.DEALER, levels) for levels in range(1, rounds + 1)]
        pairs = [(plain, plain) for plain in attackers + dealer]
        if profile.flag_line is not None:
            far = profile.step * (rounds + 2)
            totals = range(-far, far + max(profile.threshold, profile.flag_line) + GRAIN, GRAIN)
            pairs = list(dict.fromkeys(self._pair(total) for total in totals))
        self.results = [(_result(*plain), _result(*at_flag)) for plain, at_flag in pairs]
        self._numbers = {pair: i for i, pair in enumerate(pairs)}

    def __missing__(self, total: int) -> int:
        wrong = list(off_grain(self.profile, total, TOTAL, "total"))
        if wrong:
            raise Refused(wrong)
        column = self._numbers[self._pair(total)]
        if len(self) < _MOST_KEPT:
            self[total] = column
        return column

    def _pair(self, total: int) -> tuple[_Gain, _Gain]:
        return self._gain(self.profile.table, total), self._gain(self.profile.flag_table, total)

    def _gain(self, table: LevelTable, total: int) -> _Gain:
        role, levels = table.look_up(table.settle(total))
        return role, self._within_two_rounds(levels)

    def _within_two_rounds(self, levels: int) -> int:
        """A gain that leads to the same level: beyond two rounds of the ladder only the place in the round matters."""
        size = len(self.profile.ladder)
        return levels if levels <= 2 * size else size + 1 + (levels - size - 1) % size


def _result(role: Role, levels: int) -> LevelResult:
    return LevelResult(role, levels, deal_changes_hands=role is Role.ATTACKERS)


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

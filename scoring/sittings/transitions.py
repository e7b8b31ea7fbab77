"""The rules as one table: standing × total → standing, for folding many plain hands fast.

The table is filled, as totals come up, by the function that plays a hand in the fold, so it holds no rule of its own.
It serves benchmarks, simulations and audits of hands that have totals only: no hook, no annulments, no penalties.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import getitem

from scoring.hands.findings import Refused, finding
from scoring.hands.outcomes import hand_outcome, level_result
from scoring.hands.sheets import TOTAL, off_grain
from scoring.profiles import Profile
from scoring.sittings.states import Opening
from scoring.values import Level, Seat, Side

_MOST_KEPT = 1_000


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


class Row(dict[int, "Row"]):
    """One standing (None: a hand was played after the end): total → the row of the standing after it.

    A total that was met is one lookup from there on, without a step of Python.
    """

    __slots__ = ("standing", "table")

    def __init__(self, table: Transitions, standing: Standing | None) -> None:
        self.table = table
        self.standing = standing

    def __missing__(self, total: int) -> Row:
        row = self.table.after(self.standing, total)
        if len(self) < _MOST_KEPT:
            self[total] = row
        return row


class Transitions:
    """The table of one profile."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._rows: dict[Standing | None, Row] = {}
        self._openings: dict[tuple[str, str, Seat], Row] = {}

    def opening(self, opening: Opening) -> Row:
        """The row a match begins at; Refused (`dealer_missing`) while the first deal is contested."""
        ns, ew, dealer = opening.levels[Side.NS], opening.levels[Side.EW], opening.first_dealer
        if dealer is None:
            raise Refused([finding("dealer_missing", "dealer", profile=self._profile, topic="first_deal")])
        key = (ns.rank, ew.rank, dealer)
        row = self._openings.get(key)
        if row is None:
            row = self._openings[key] = self._row(Standing(ns, ew, dealer))
        return row

    def after(self, standing: Standing | None, total: int) -> Row:
        """The row after a hand; Refused (`not_a_multiple_of_5`)."""
        wrong = list(off_grain(self._profile, total, TOTAL, "total"))
        if wrong:
            raise Refused(wrong)
        if standing is None or standing.winner is not None:
            return self._row(None)
        return self._row(self._played(standing, total))

    def _played(self, standing: Standing, total: int) -> Standing:
        levels = {Side.NS: standing.ns, Side.EW: standing.ew}
        result = level_result(self._profile, total, level=levels[standing.next_dealer.side], reasons=False)
        outcome = hand_outcome(
            self._profile,
            dealer=standing.next_dealer,
            levels=levels,
            result=result,
            failures=dict(zip(Side, standing.failures, strict=True)),
            reasons=False,
        )
        after, failures = outcome.levels, outcome.flag_failures
        return Standing(
            after[Side.NS],
            after[Side.EW],
            outcome.next_dealer,
            outcome.winner,
            (failures[Side.NS], failures[Side.EW]),
        )

    def _row(self, standing: Standing | None) -> Row:
        row = self._rows.get(standing)
        if row is None:
            row = self._rows[standing] = Row(self, standing)
        return row


@lru_cache(maxsize=32)
def transitions(profile: Profile) -> Transitions:
    """The table of a profile, made once."""
    return Transitions(profile)


def fold_totals(profile: Profile, opening: Opening, totals: Iterable[int]) -> Standing:
    """The standing after hands of which only the attackers' totals are known (signed points, after adding up).

    Agrees with `sittings.fold` over sheets with these totals. Refused: `dealer_missing`, `not_a_multiple_of_5`,
    `match_over`.
    """
    standing = reduce(getitem, totals, transitions(profile).opening(opening)).standing
    if standing is None:
        raise Refused([finding("match_over", "kind", profile=profile, topic="finish")])
    return standing

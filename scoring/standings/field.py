"""The field (参赛方与成绩): entrants and results prepared once for all tie-breaks, as whole numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from types import MappingProxyType
from typing import TypedDict, Unpack

from scoring.ladder import Ladder
from scoring.standings.match_scores import PASSED, STANDARD_LADDER, Outcome
from scoring.standings.results import EntrantId, ExtraMatch, Result, with_average_byes
from scoring.values import RANKS

#: What a tie-break measures for one entrant, as whole numbers; larger is better unless `fewer_first`.
Measure = int | tuple[int, ...]


class MissingData(LookupError):
    """A tie-break of the chain needs data that nobody gave; `code` is the tie-break."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Facts(TypedDict, total=False):
    """What a table rests on besides its results: `standings.rank` says what each is."""

    ladder: Ladder
    penalties: Mapping[EntrantId, int]
    fines: Mapping[EntrantId, Fraction]
    seed: str | None
    drawn: Sequence[EntrantId]
    carried: Mapping[EntrantId, Fraction]
    excluded: Collection[EntrantId]


class MatchFacts(Facts, total=False):
    """And what only entrants have that meet one another."""

    board_points: Mapping[EntrantId, Fraction | int] | None
    extra_matches: Sequence[ExtraMatch]
    average_byes: bool
    points_are: str | None


class Field:
    """Entrants and results, prepared once for all tie-breaks. Entrants are positions in `entrants` from here on."""

    def __init__(self, entrants: Sequence[EntrantId], results: Sequence[Result], **facts: Unpack[MatchFacts]) -> None:
        self.entrants = tuple(entrants)
        self.results = with_average_byes(results) if facts.get("average_byes") else results
        self.index = {entrant: i for i, entrant in enumerate(self.entrants)}
        self.ladder = facts.get("ladder", STANDARD_LADDER)
        self.penalties = facts.get("penalties", {})
        self.board_points = facts.get("board_points")
        self.fines = facts.get("fines", {})
        self.extra_matches = facts.get("extra_matches", ())
        self.seed = facts.get("seed")
        self.drawn = facts.get("drawn", ())
        self.carried = facts.get("carried", {})
        self.excluded = frozenset(facts.get("excluded", ()))
        self.points_are = facts.get("points_are")

    @cached_property
    def unit(self) -> int:
        """Common denominator of all scores, fines, points brought along and board points: a scaled score is the score
        times this."""
        denominators = {score.denominator for score in (*self.fines.values(), *self.carried.values())}
        denominators.update(score.denominator for score in (self.board_points or {}).values())
        return lcm(*denominators, *self._denominators())

    def _denominators(self) -> set[int]:
        denominators = {r.home_score.denominator for r in self.results}
        denominators.update(r.away_score.denominator for r in self.results)
        return denominators

    def scaled(self, score: Fraction | int) -> int:
        return score.numerator * (self.unit // score.denominator)

    @cached_property
    def points(self) -> list[int]:
        """Scaled points by entrant: match scores less fines."""
        if not self.fines:
            return self.scores
        fines = [self.scaled(self.fines.get(entrant, 0)) for entrant in self.entrants]
        return [score - fine for score, fine in zip(self.scores, fines, strict=True)]

    @cached_property
    def scores(self) -> list[int]:
        """Scaled sum of match scores by entrant with what it brought along, before fines."""
        unit, index = self.unit, self.index
        total = self.brought
        for r in self.results:
            score = r.home_score
            total[index[r.home]] += score.numerator * (unit // score.denominator)
            if r.away is not None:
                score = r.away_score
                total[index[r.away]] += score.numerator * (unit // score.denominator)
        return total

    @property
    def brought(self) -> list[int]:
        """Scaled points that each entrant brought along from the stage before."""
        if not self.carried:
            return [0] * len(self.entrants)
        return [self.scaled(self.carried.get(entrant, 0)) for entrant in self.entrants]

    @cached_property
    def steps(self) -> Mapping[str, int]:
        """Final level, as text, to its number: its step on the ladder plus the number of the first level (2 = 2).

        Without levels there is nothing to number.
        """
        if not self.ladder:
            return MappingProxyType({})
        base = RANKS.index(self.ladder.first.rank) + 2
        steps = {level.rank: base + i for i, level in enumerate(self.ladder)}
        steps[PASSED] = base + len(self.ladder)
        return MappingProxyType(steps)

    @cached_property
    def matches(self) -> list[list[Result]]:
        """The matches of each entrant against another one, in the order given."""
        found: list[list[Result]] = [[] for _ in self.entrants]
        for r in self.results:
            if r.away is not None:
                found[self.index[r.home]].append(r)
                found[self.index[r.away]].append(r)
        return found

    @cached_property
    def rounds_back(self) -> list[int]:
        """Numbers of the rounds with results, the last first."""
        return sorted({r.round for r in self.results}, reverse=True)

    @property
    def wins(self) -> list[int]:
        """Matches won by entrant."""
        won = [0] * len(self.entrants)
        for r in self.results:
            if r.winner is not None:
                won[self.index[r.winner]] += 1
        return won

    @property
    def sum_levels(self) -> list[int]:
        """Own final levels of all matches played, summed by entrant."""
        total, index, steps = [0] * len(self.entrants), self.index, self.steps
        for r in self.results:
            if r.outcome == Outcome.PLAYED and r.away is not None and r.home_level and r.away_level:
                total[index[r.home]] += steps[r.home_level]
                total[index[r.away]] += steps[r.away_level]
        return total

    @property
    def scores_back(self) -> list[tuple[int, ...]]:
        """Scaled scores by entrant, one for each of `rounds_back`."""
        column = {number: i for i, number in enumerate(self.rounds_back)}
        scores = [[0] * len(column) for _ in self.entrants]
        for r in self.results:
            scores[self.index[r.home]][column[r.round]] += self.scaled(r.home_score)
            if r.away is not None:
                scores[self.index[r.away]][column[r.round]] += self.scaled(r.away_score)
        return [tuple(row) for row in scores]

    @property
    def hands_won(self) -> list[int]:
        """Hands won by entrant; MissingData, for matches of two do not tell."""
        if self.results:
            raise MissingData("hands_won")
        return [0] * len(self.entrants)

    def between(self, group: Sequence[int]) -> list[Result]:
        """The matches that the entrants of the group played among themselves."""
        inside = {self.entrants[i] for i in group}
        return [r for i in group for r in self.matches[i] if r.home == self.entrants[i] and r.away in inside]

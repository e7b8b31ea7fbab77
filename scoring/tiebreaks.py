"""Tie-breaks: small objects with a code and a name, folded by `standings` in the organiser's order.

| code | what it measures | practice |
|---|---|---|
| `points` | sum of match scores | every chain |
| `wins` | matches won, forfeits included, byes not | Swiss 3 |
| `opponents` | final points of all opponents, summed; a bye counts as one with the side's own points | Swiss 2 |
| `head_to_head` | points between two tied entrants that met | Swiss 4, round robin |
| `mini_group` | points among the tied, when all of them met equally often | round robin |
| `mini_net` | level difference among the tied, likewise | round robin |
| `net_levels` | level difference over all matches played | both |
| `sum_levels` | sum of own final levels (2 = 2 … A = 14, past A = 15) | both |
| `last_round_back` | score of the last round, then of the one before it, and so on | 15 ± difference |
| `penalties` | penalties received, fewer first | round robin |
| `board_points` | net board points, given by the caller | duplicate |
| `hands_won` | hands won at all tables, given with the results of individual games | individual games |
| `lots` | place in a draw repeatable from its seed | last resort |

Forfeits count for points and wins but give no level difference; byes give neither wins nor levels. All arithmetic is on
whole numbers: scores are scaled by their common denominator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from types import MappingProxyType

from scoring.ladder import Ladder
from scoring.match_scores import PASSED, STANDARD_LADDER, Outcome
from scoring.results import EntrantId, Result
from scoring.scales import both
from scoring.values import RANKS, Text

PLAYED = Outcome.PLAYED

#: What a tie-break measures for one entrant, as whole numbers; larger is better unless `fewer_first`.
Measure = int | tuple[int, ...]


class MissingData(LookupError):
    """A tie-break of the chain needs data that nobody gave; `code` is the tie-break."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Field:
    """Entrants and results, prepared once for all tie-breaks. Entrants are positions in `entrants` from here on."""

    def __init__(
        self,
        entrants: Sequence[EntrantId],
        results: Sequence[Result],
        *,
        ladder: Ladder = STANDARD_LADDER,
        penalties: Mapping[EntrantId, int] | None = None,
        board_points: Mapping[EntrantId, int] | None = None,
        seed: str | None = None,
    ) -> None:
        self.entrants = tuple(entrants)
        self.results = results
        self.index = {entrant: i for i, entrant in enumerate(self.entrants)}
        self.ladder = ladder
        self.penalties = penalties or {}
        self.board_points = board_points
        self.seed = seed

    @cached_property
    def unit(self) -> int:
        """Common denominator of all scores: a scaled score is the score times this."""
        denominators = {r.home_score.denominator for r in self.results}
        denominators.update(r.away_score.denominator for r in self.results)
        return lcm(*denominators)

    def scaled(self, score: Fraction) -> int:
        return score.numerator * (self.unit // score.denominator)

    @cached_property
    def points(self) -> list[int]:
        """Scaled sum of match scores by entrant."""
        unit, index = self.unit, self.index
        total = [0] * len(self.entrants)
        for r in self.results:
            score = r.home_score
            total[index[r.home]] += score.numerator * (unit // score.denominator)
            if r.away is not None:
                score = r.away_score
                total[index[r.away]] += score.numerator * (unit // score.denominator)
        return total

    @cached_property
    def steps(self) -> Mapping[str, int]:
        """Final level, as text, to its number: its step on the ladder plus the number of the first level (2 = 2)."""
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
            if r.outcome == PLAYED and r.away is not None and r.home_level and r.away_level:
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


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break. `measure` gives a number for every entrant of the field.

    `in_points`: the numbers are scaled scores. `last_resort`: it is drawn only for those still tied.
    """

    code: str
    title: Text
    measure: Callable[[Field], Sequence[Measure]]
    in_points: bool = False
    fewer_first: bool = False
    last_resort: bool = False


@dataclass(frozen=True, slots=True)
class AmongTied:
    """A tie-break that depends on who is tied. `measure` gives numbers for the group in its order, or None when it
    does not apply to this group. When it splits a group, what remains tied starts again at the first one of these."""

    code: str
    title: Text
    measure: Callable[[Field, Sequence[int]], Sequence[int] | None]
    in_points: bool = False


def _points(field: Field) -> Sequence[int]:
    return field.points


def _wins(field: Field) -> Sequence[int]:
    return field.wins


def _opponents(field: Field) -> Sequence[int]:
    points, index = field.points, field.index
    total = [0] * len(points)
    for r in field.results:
        home = index[r.home]
        if r.away is None:
            total[home] += points[home]
        else:
            away = index[r.away]
            total[home] += points[away]
            total[away] += points[home]
    return total


def _net_of(field: Field, results: Sequence[Result]) -> list[int]:
    net, index, steps = [0] * len(field.entrants), field.index, field.steps
    for r in results:
        if r.outcome == PLAYED and r.away is not None and r.home_level and r.away_level:
            difference = steps[r.home_level] - steps[r.away_level]
            net[index[r.home]] += difference
            net[index[r.away]] -= difference
    return net


def _net_levels(field: Field) -> Sequence[int]:
    return _net_of(field, field.results)


def _sum_levels(field: Field) -> Sequence[int]:
    return field.sum_levels


def _last_round_back(field: Field) -> Sequence[tuple[int, ...]]:
    return field.scores_back


def _hands_won(field: Field) -> Sequence[int]:
    return field.hands_won


def _penalties(field: Field) -> Sequence[int]:
    return [field.penalties.get(entrant, 0) for entrant in field.entrants]


def _board_points(field: Field) -> Sequence[int]:
    if field.board_points is None:
        raise MissingData("board_points")
    return [field.board_points.get(entrant, 0) for entrant in field.entrants]


def _lots(field: Field) -> Sequence[int]:
    """Draw numbers from 1: entrants in the order of SHA-256 of seed and id."""

    def digest(i: int) -> bytes:
        return hashlib.sha256(f"{field.seed}:{field.entrants[i]}".encode()).digest()

    numbers = [0] * len(field.entrants)
    for number, i in enumerate(sorted(range(len(field.entrants)), key=digest), start=1):
        numbers[i] = number
    return numbers


def _met_equally(field: Field, group: Sequence[int]) -> bool:
    """Whether every two of the group met, all equally often: else a comparison would not be on an equal basis."""
    met: dict[frozenset[EntrantId], int] = {}
    for r in field.between(group):
        if r.away is not None:
            pair = frozenset((r.home, r.away))
            met[pair] = met.get(pair, 0) + 1
    return len(met) == len(group) * (len(group) - 1) // 2 and len(set(met.values())) == 1


def _points_between(field: Field, group: Sequence[int]) -> list[int]:
    got = dict.fromkeys(group, 0)
    for r in field.between(group):
        if r.away is not None:
            got[field.index[r.home]] += field.scaled(r.home_score)
            got[field.index[r.away]] += field.scaled(r.away_score)
    return [got[i] for i in group]


def _head_to_head(field: Field, group: Sequence[int]) -> Sequence[int] | None:
    if len(group) != 2 or not field.between(group):
        return None
    return _points_between(field, group)


def _mini_group(field: Field, group: Sequence[int]) -> Sequence[int] | None:
    return _points_between(field, group) if _met_equally(field, group) else None


def _mini_net(field: Field, group: Sequence[int]) -> Sequence[int] | None:
    if not _met_equally(field, group):
        return None
    net = _net_of(field, field.between(group))
    return [net[i] for i in group]


TIEBREAKS: Mapping[str, TieBreak | AmongTied] = MappingProxyType(
    {
        tiebreak.code: tiebreak
        for tiebreak in (
            TieBreak("points", both("points", "场分"), _points, in_points=True),
            TieBreak("wins", both("wins", "胜场"), _wins),
            TieBreak("opponents", both("opponent points", "对手分"), _opponents, in_points=True),
            AmongTied("head_to_head", both("head to head", "相互对局"), _head_to_head, in_points=True),
            AmongTied("mini_group", both("points among the tied", "同分者间场分"), _mini_group, in_points=True),
            AmongTied("mini_net", both("net levels among the tied", "同分者间净级"), _mini_net),
            TieBreak("net_levels", both("net levels", "净级"), _net_levels),
            TieBreak("sum_levels", both("sum of levels", "级数和"), _sum_levels),
            TieBreak("last_round_back", both("later rounds first", "末轮往前"), _last_round_back, in_points=True),
            TieBreak("penalties", both("penalties", "处罚"), _penalties, fewer_first=True),
            TieBreak("board_points", both("net board points", "牌副净分"), _board_points),
            TieBreak("hands_won", both("hands won", "胜副"), _hands_won),
            TieBreak("lots", both("lots", "抽签"), _lots, fewer_first=True, last_resort=True),
        )
    }
)

#: The chains of practice, by kind of event.
CHAINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "swiss": ("points", "opponents", "wins", "head_to_head", "net_levels", "sum_levels", "lots"),
        "round_robin": ("points", "mini_group", "mini_net", "net_levels", "sum_levels", "penalties", "lots"),
        "base15": ("points", "last_round_back", "lots"),
        "duplicate": ("points", "opponents", "head_to_head", "board_points", "lots"),
        "individual": ("points", "wins", "hands_won", "last_round_back", "penalties", "lots"),
        "individual_levels": ("points", "sum_levels", "wins", "hands_won", "last_round_back", "penalties", "lots"),
    }
)

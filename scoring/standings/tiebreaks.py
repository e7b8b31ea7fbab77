"""Tie-breaks: small objects with a code and a name, folded by `standings` in the organiser's order.

| code | what it measures | practice |
|---|---|---|
| `points` | sum of match scores | every chain |
| `wins` | matches won, forfeits included, byes not | Swiss 3 |
| `opponents` | final points of all opponents, summed; a bye counts as one with the side's own points | Swiss 2 |
| `opponents_played` | the same, but a forfeit counts like a bye | where absence should hurt nobody else |
| `head_to_head` | points between two tied entrants that met | Swiss 4, round robin |
| `mini_group` | points among the tied, when all of them met equally often | round robin |
| `mini_net` | level difference among the tied, likewise | round robin |
| `net_levels` | level difference over all matches played | both |
| `sum_levels` | sum of own final levels (2 = 2 … A = 14, each further step of the ladder 1 more) | both |
| `last_round_back` | score of the last round, then of the one before it, and so on | 15 ± difference |
| `best_scores` | the best score of a round, then the second best, and so on | 13 ± difference |
| `penalties` | penalties received, fewer first | round robin |
| `board_points` | net board points, given by the caller | duplicate |
| `hands_won` | hands won at all tables, given with the results of individual games | individual games |
| `extra_match` | extra matches among the tied; while they are not played, the tie stays open | round robin 6 |
| `lots` | place in a draw repeatable from its seed | last resort |

Forfeits count for points and wins but give no level difference; byes give neither wins nor levels. Points are after
fines, but what opponents are worth to others is not: a fine is the guilty side's alone. Points brought along from the
stage before count like those of a round before the first. Excluded entrants count as opponents, without a place. All
arithmetic is on whole numbers: scores are scaled by their common denominator.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from types import MappingProxyType
from typing import TypedDict, Unpack

from scoring.hands.findings import Finding, finding, refusal
from scoring.ladder import Ladder
from scoring.standings.match_scores import PASSED, STANDARD_LADDER, Outcome
from scoring.standings.results import EntrantId, ExtraMatch, Result, with_average_byes
from scoring.standings.scales import Scale
from scoring.values import RANKS, Text, readable
from scoring.wording import MINUS, both

PLAYED = Outcome.PLAYED

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
    by_levels: bool = False


@dataclass(frozen=True, slots=True)
class AmongTied:
    """A tie-break that depends on who is tied. `measure` gives numbers for the group in its order, or None when it
    does not apply to this group. When it splits a group, what remains tied starts again at the first one of these.

    `waits`: it is played for, after the others; as long as it does not apply, a tie that matters stays open.
    """

    code: str
    title: Text
    measure: Callable[[Field, Sequence[int]], Sequence[int] | None]
    in_points: bool = False
    by_levels: bool = False
    waits: bool = False


def _points(field: Field) -> Sequence[int]:
    return field.points


def _wins(field: Field) -> Sequence[int]:
    return field.wins


def _opponents(field: Field) -> Sequence[int]:
    scores, index = field.scores, field.index
    total = [0] * len(scores)
    for r in field.results:
        home = index[r.home]
        if r.away is None:
            total[home] += scores[home]
        else:
            away = index[r.away]
            total[home] += scores[away]
            total[away] += scores[home]
    return total


def _opponents_played(field: Field) -> Sequence[int]:
    scores, index = field.scores, field.index
    total = [0] * len(scores)
    for r in field.results:
        home, away = index[r.home], None if r.away is None else index[r.away]
        opponent = away if r.outcome == PLAYED else None
        total[home] += scores[home if opponent is None else opponent]
        if away is not None:
            total[away] += scores[away if opponent is None else home]
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
    if not field.carried:
        return field.scores_back
    # what was brought along stands before the first round, so it is looked at last
    return [(*row, brought) for row, brought in zip(field.scores_back, field.brought, strict=True)]


def _best_scores(field: Field) -> Sequence[tuple[int, ...]]:
    return [tuple(sorted(row, reverse=True)) for row in field.scores_back]


def _hands_won(field: Field) -> Sequence[int]:
    return field.hands_won


def _penalties(field: Field) -> Sequence[int]:
    return [field.penalties.get(entrant, 0) for entrant in field.entrants]


def _board_points(field: Field) -> Sequence[int]:
    if field.board_points is None:
        raise MissingData("board_points")
    return [field.scaled(field.board_points.get(entrant, 0)) for entrant in field.entrants]


def _lots(field: Field) -> Sequence[int]:
    """Draw numbers from 1: entrants in the order of SHA-256 of seed and id, or as drawn by hand (0: not drawn)."""
    if field.drawn:
        by_hand = {entrant: number for number, entrant in enumerate(field.drawn, start=1)}
        return [by_hand.get(entrant, 0) for entrant in field.entrants]

    def digest(i: int) -> bytes:
        return hashlib.sha256(f"{field.seed}:{field.entrants[i]}".encode()).digest()

    numbers = [0] * len(field.entrants)
    for number, i in enumerate(sorted(range(len(field.entrants)), key=digest), start=1):
        numbers[i] = number
    return numbers


def _met_equally(field: Field, group: Sequence[int]) -> bool:
    """Whether every two of the group met, all equally often: else a comparison would not be on an equal basis."""
    return _all_equally((frozenset((r.home, r.away)) for r in field.between(group) if r.away is not None), len(group))


def _all_equally(pairs: Iterable[frozenset[EntrantId]], size: int) -> bool:
    met = Counter(pairs)
    return len(met) == size * (size - 1) // 2 and len(set(met.values())) == 1


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


def _extra_match(field: Field, group: Sequence[int]) -> Sequence[int] | None:
    """Extra matches won, when all of the group played them with one another."""
    inside = {field.entrants[i] for i in group}
    played = [one for one in field.extra_matches if one.home in inside and one.away in inside]
    if not _all_equally((frozenset((one.home, one.away)) for one in played), len(group)):
        return None
    won = Counter(one.winner for one in played if one.winner is not None)
    return [won[field.entrants[i]] for i in group]


TIEBREAKS: Mapping[str, TieBreak | AmongTied] = MappingProxyType(
    {
        tiebreak.code: tiebreak
        for tiebreak in (
            TieBreak("points", both("points", "场分"), _points, in_points=True),
            TieBreak("wins", both("wins", "胜场"), _wins),
            TieBreak("opponents", both("opponent points", "对手分"), _opponents, in_points=True),
            TieBreak(
                "opponents_played", both("played opponents' points", "实赛对手分"), _opponents_played, in_points=True
            ),
            AmongTied("head_to_head", both("head to head", "相互对局"), _head_to_head, in_points=True),
            AmongTied("mini_group", both("points among the tied", "同分者间场分"), _mini_group, in_points=True),
            AmongTied("mini_net", both("net levels among the tied", "同分者间净级"), _mini_net, by_levels=True),
            TieBreak("net_levels", both("net levels", "净级"), _net_levels, by_levels=True),
            TieBreak("sum_levels", both("sum of levels", "级数和"), _sum_levels, by_levels=True),
            TieBreak("last_round_back", both("later rounds first", "末轮往前"), _last_round_back, in_points=True),
            TieBreak("best_scores", both("best rounds first", "单轮最高分"), _best_scores, in_points=True),
            TieBreak("penalties", both("penalties", "处罚"), _penalties, fewer_first=True),
            TieBreak("board_points", both("net board points", "牌副净分"), _board_points, in_points=True),
            TieBreak("hands_won", both("hands won", "胜副"), _hands_won),
            AmongTied("extra_match", both("extra match", "加赛"), _extra_match, waits=True),
            TieBreak("lots", both("lots", "抽签"), _lots, fewer_first=True, last_resort=True),
        )
    }
)

_NET_IMPS = both("net IMPs", "净 IMP")
#: What points can be besides match scores of plain differences, with the names that tables and sentences then give to
#: the tie-breaks that count them.
POINTS_ARE: Mapping[str, Mapping[str, Text]] = MappingProxyType(
    {
        "matchpoints": {"points": both("per cent over the average", "高出平均的百分点")},
        "cross_imp": {"points": both("cross-IMPs", "交叉 IMP")},
        "cross_levels": {"points": both("levels over the other tables", "对各桌的级差")},
        "imps": {"points": both("IMPs", "IMP"), "board_points": _NET_IMPS},
        "victory_points": {"points": both("victory points", "胜利分"), "board_points": _NET_IMPS},
        "points_by_imps": {"board_points": _NET_IMPS},
    }
)


def title_of(code: str, points_are: str | None = None) -> Text:
    """The name of a tie-break; that of points may be their own."""
    own = {} if points_are is None else POINTS_ARE[points_are]
    return own.get(code, TIEBREAKS[code].title)


#: What a tie-break can measure that is a gain or a loss.
_SIGNED = frozenset({"net_levels", "mini_net", "board_points"})


def figure(code: str, text: str) -> str:
    """What a tie-break measured, from its exact text, as tables for people have it: ``+3`` where it is a gain."""
    shown = readable(text).replace("-", MINUS)
    return f"+{shown}" if shown and code in _SIGNED and not shown.startswith(MINUS) else shown


#: The chains of practice, by kind of event.
CHAINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "swiss": ("points", "opponents", "wins", "head_to_head", "net_levels", "sum_levels", "lots"),
        "round_robin": ("points", "mini_group", "mini_net", "net_levels", "sum_levels", "penalties", "lots"),
        "round_robin_extra": ("points", "mini_group", "extra_match", "lots"),
        "round_robin_net": ("points", "mini_net", "net_levels", "sum_levels", "penalties", "lots"),
        "base15": ("points", "last_round_back", "lots"),
        "base13": ("points", "head_to_head", "wins", "best_scores", "lots"),
        "duplicate": ("points", "opponents", "head_to_head", "board_points", "lots"),
        "individual": ("points", "wins", "hands_won", "last_round_back", "penalties", "lots"),
        "individual_levels": ("points", "sum_levels", "wins", "hands_won", "last_round_back", "penalties", "lots"),
    }
)


def chain_findings(chain: Sequence[object], scale: Scale | None = None) -> list[Finding]:
    """What is wrong with a chain of tie-breaks, all at once; with a scale also what that scale does not give."""
    found: list[Finding] = []
    seen: set[str] = set()
    for i, code in enumerate(chain):
        at = f"chain.{i}"
        if not isinstance(code, str) or code not in TIEBREAKS:
            found.append(finding("unknown_tiebreak", at))
            continue
        item, following = TIEBREAKS[code], chain[i + 1 :]
        en, zh = item.title["en"], item.title["zh"]
        if code in seen:
            found.append(
                refusal("tiebreak_twice", at, f"The tie-break {en} is there twice.", f"小分项{zh}出现了两次。")
            )
        elif isinstance(item, TieBreak) and item.last_resort and following:
            text = "Lots decide every tie: nothing after them could."
            found.append(refusal("lots_not_last", at, text, "抽签必能分出先后，后面不能再有小分项。"))
        elif isinstance(item, AmongTied) and item.waits and any(code != "lots" for code in following):
            text = "An extra match comes after every other tie-break; only lots may follow."
            found.append(refusal("extra_match_not_last", at, text, "加赛须在其他小分项之后，其后只能抽签。"))
        elif scale is not None and item.by_levels and scale.by_hands:
            text = f"Hand points are no levels: there is no {en} to compare."
            found.append(refusal("levels_not_here", at, text, f"按各副积分计分没有级数，不能比{zh}。"))
        seen.add(code)
    return found


def default_chain(chain: Sequence[str], scale: Scale | None) -> tuple[str, ...]:
    """The usual chain without what this scale does not give."""
    return tuple(code for code in chain if not (scale is not None and scale.by_hands and TIEBREAKS[code].by_levels))

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from scoring.standings.field import Field, Measure, MissingData
from scoring.standings.match_scores import Outcome
from scoring.standings.results import EntrantId, Result
from scoring.values import Text
from scoring.wording import both


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
        opponent = away if r.outcome == Outcome.PLAYED else None
        total[home] += scores[home if opponent is None else opponent]
        if away is not None:
            total[away] += scores[away if opponent is None else home]
    return total


def _net_of(field: Field, results: Sequence[Result]) -> list[int]:
    net, index, steps = [0] * len(field.entrants), field.index, field.steps
    for r in results:
        if r.outcome == Outcome.PLAYED and r.away is not None and r.home_level and r.away_level:
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

    everyone = range(len(field.entrants))
    numbers = {i: number for number, i in enumerate(sorted(everyone, key=digest), start=1)}
    return [numbers[i] for i in everyone]


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

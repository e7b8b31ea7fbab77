"""Swiss rounds (瑞士移位): one cheapest perfect matching under costs in tiers, each with its reason.

Who may meet whom, and what it costs, is said by the `Field`. Here it is solved: the cheapest round or why there is
none, the cheapest with one meeting forced, and what a round costs that somebody else made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from scoring.hands.findings import Refused, refusal
from scoring.standings.results import EntrantId
from scoring.values import Text
from scoring.wording import both
from tournaments.draws.matching import Costs, DoesNotFit, Edges, best_matching
from tournaments.draws.pairing import Pairing
from tournaments.draws.swiss_field import Field, Meeting, Rule, Tier
from tournaments.plans.plan import Force

#: Up to so many entrants everybody may meet everybody; beyond, those near the opponent the order would give.
ALL_MEET = 200
#: How many places around that opponent are looked at; twice as many when no round is found, up to so many meetings.
WIDTH, MOST_EDGES = 24, 1_000_000


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A round: meetings in the order of tables, the bye last; `total` is what it costs by tier."""

    meetings: tuple[Meeting, ...]

    @property
    def total(self) -> Costs:
        return tuple(map(sum, zip(*(meeting.costs for meeting in self.meetings), strict=True)))

    @property
    def pairing(self) -> Pairing:
        return Pairing(
            tuple((one.home, one.away) for one in self.meetings if one.away is not None),
            tuple(one.home for one in self.meetings if one.away is None),
        )


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No round keeps all rules. `rules` are those each of which alone stands in the way."""

    rules: tuple[Rule, ...]
    reason: Text


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What a round costs with one meeting forced, beside the best. `tier` is the first in which it is dearer; None
    when it costs the same. `forbids` names the rules that keep the two apart outright."""

    best: Costs
    forced: SwissRound | Infeasible
    tier: Tier | None
    forbids: tuple[Rule, ...] = ()


def swiss_round(of: Field) -> SwissRound | Infeasible:
    """The cheapest round, or why there is none. Refused when the scores are too fine for the solver's numbers."""
    return _solved(of, frozenset(), ())


def why_not(of: Field, one: EntrantId, other: EntrantId | None, best: SwissRound) -> WhyNot:
    """The cheapest round in which these two meet (`other` None: in which `one` has the bye), beside the best."""
    upper, lower = sorted((of.place(one), of.place(other)))
    if upper == lower or (lower == of.nobody and of.size % 2 == 0):
        en, zh = (
            "These two cannot meet: name two entrants; a bye needs an odd number.",
            "这两方不能对阵：请写两个参赛方；单数才有轮空。",
        )
        raise Refused([refusal("no_such_meeting", "why_not", en, zh)])
    forbids = of.forbids(upper, lower)
    forced = _solved(of, frozenset((upper, lower)), ((upper, lower),))
    if isinstance(forced, Infeasible):
        return WhyNot(best.total, forced, None, forbids)
    dearer = (tier for tier in Tier if forced.total[tier] != best.total[tier])
    return WhyNot(best.total, forced, next(dearer, None), forbids)


def judged(of: Field, pairing: Pairing) -> SwissRound:
    """A sound pairing, whoever made it, with its costs; seats as given. Refused when it names a stranger."""
    named = [*pairing.pairs, *((entrant, None) for entrant in pairing.byes)]
    pairs = [(min(places), max(places)) for places in ((of.place(home), of.place(away)) for home, away in named)]
    costs = of.costs(pairs)
    return SwissRound(tuple(Meeting(home, away, one) for (home, away), one in zip(named, costs, strict=True)))


def _solved(of: Field, without: frozenset[int], forced: Sequence[tuple[int, int]]) -> SwissRound | Infeasible:
    """The cheapest round around the forced pairs; further afield only where there is none near by."""
    for width in _widths(of.size):
        pairs = _matched(of, width, without)
        if pairs is not None:
            return _seated(of, [*pairs, *forced])
    return _infeasible(of, without)


def _widths(size: int) -> list[int]:
    if size <= ALL_MEET:
        return [size]
    widths = [WIDTH]
    while widths[-1] < size and 2 * size * 2 * widths[-1] <= MOST_EDGES:
        widths.append(2 * widths[-1])
    return widths


def _matched(of: Field, width: int, without: frozenset[int]) -> list[tuple[int, int]] | None:
    playing = [place for place in range(of.size + of.size % 2) if place not in without]
    node = np.zeros(of.size + 1, np.int64)
    node[playing] = np.arange(len(playing))
    edges = of.edges(width, without)
    try:
        pairs = best_matching(len(playing), Edges(node[edges.one], node[edges.other], edges.tiers))
    except DoesNotFit as error:
        en = f"The scores are too fine to be drawn by ({error.bits} bits): round them."
        zh = f"分数位数太多，无法编排（{error.bits} 位）：请先取整。"
        raise Refused([refusal("scores_too_fine", "scores", en, zh, bits=error.bits)]) from error
    return None if pairs is None else [(playing[one], playing[other]) for one, other in pairs]


def _seated(of: Field, pairs: Iterable[tuple[int, int]]) -> SwissRound:
    """Tables by the better score of a pair, then the other, then the better place; the bye last."""

    def key(pair: tuple[int, int]) -> tuple[int, int, int, int]:
        upper, lower = pair
        if lower == of.nobody:
            return (1, 0, 0, 0)
        return (0, -of.scores[upper], -of.scores[lower], upper)

    return SwissRound(of.meetings(sorted(pairs, key=key)))


def _infeasible(of: Field, without: frozenset[int]) -> Infeasible:
    """Which rules of force `must`, each taken back alone, would let a round be drawn."""
    must = [rule for rule, force in of.rules.items() if force is Force.MUST]
    kept, found = of.rules, []
    try:
        for rule in must:
            of.rules = {**kept, rule: Force.PREFER}
            if _matched(of, _widths(of.size)[-1], without) is not None:
                found.append(rule)
    finally:
        of.rules = kept
    standing = found or must
    en = " or ".join(_WORDS[rule]["en"] for rule in standing)
    zh = "或".join(_WORDS[rule]["zh"] for rule in standing)
    if found:
        return Infeasible(
            tuple(found), both(f"No round is possible unless {en} is allowed.", f"除非允许{zh}，否则无法编排。")
        )
    return Infeasible((), both(f"No round is possible even if {en} alone is allowed.", f"即使只允许{zh}，也无法编排。"))


_WORDS: Mapping[Rule, Text] = MappingProxyType(
    {
        Rule.KEPT_APART: both("a meeting of two who must be kept apart", "必须回避的双方相遇"),
        Rule.NO_REMATCH: both("a rematch", "再次相遇"),
        Rule.ONE_BYE: both("a second bye", "第二次轮空"),
        Rule.UNITS_APART: both("a meeting within one unit", "同单位相遇"),
    }
)

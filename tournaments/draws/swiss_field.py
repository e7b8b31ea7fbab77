"""The field of a Swiss round (瑞士移位): everybody in the one order, and what every meeting costs, tier by tier.

Entrants stand in one order, by score and then by rank; nothing else about them (ids, the order they are told in)
plays a part. A bye (轮空) is a meeting with nobody. What each tier counts is said at `Tier`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from scoring.hands.findings import Refused, refusal
from scoring.standings.results import EntrantId
from tournaments.draws.apart import Apart, Wish
from tournaments.draws.matching import Column, Costs, Edges
from tournaments.draws.pairing import Pairing
from tournaments.plans.plan import Force

#: Scores below this are squared in machine words.
_WORD_SCORE = 1 << 30
_MOST_FLOATS, _MOST_BALANCE, _LOT_BITS = 3, 5, 14


class Tier(IntEnum):
    """The tiers from the gravest on. Of a whole round each is the sum over its pairs.

    KEPT_APART: 1 when the two must be kept apart. REMATCH: how often the two met. BYE: how many byes the one with the
    bye had. RATHER_APART: 1 when the two are rather kept apart. UNIT: 1 when both are of one unit.
    BYE_SCORE: how far the one with the bye stands above the lowest score. SCORE: the difference of scores squared, in
    the largest unit that all differences are multiples of. FLOAT: how often the upper one was already paired with a
    lower score (or had a bye), and the lower one with a higher, at most three times each. SEAT: the squares of home
    rounds less away rounds after this one. SEEDING: places away from the opponent the order gives: in a group of
    equal score the upper half meets the lower half, doubled, one more inside a half; else the neighbour. LOT: a fixed
    number of every two places that tells apart what is equal so far.
    """

    KEPT_APART = 0
    REMATCH = 1
    BYE = 2
    RATHER_APART = 3
    UNIT = 4
    BYE_SCORE = 5
    SCORE = 6
    FLOAT = 7
    SEAT = 8
    SEEDING = 9
    LOT = 10


#: The tiers of draws in which nobody is kept apart: draws from before that could be said know no others.
USUAL_TIERS = tuple(tier for tier in Tier if tier not in (Tier.KEPT_APART, Tier.RATHER_APART))


class Rule(StrEnum):
    """The rules whose force the event chooses (DEFAULT_RULES), and that some two must be kept apart."""

    KEPT_APART = "kept_apart"
    NO_REMATCH = "no_rematch"
    ONE_BYE = "one_bye"
    UNITS_APART = "units_apart"


_TIER_OF = MappingProxyType(
    {
        Rule.KEPT_APART: Tier.KEPT_APART,
        Rule.NO_REMATCH: Tier.REMATCH,
        Rule.ONE_BYE: Tier.BYE,
        Rule.UNITS_APART: Tier.UNIT,
    }
)
DEFAULT_RULES: Mapping[Rule, Force] = MappingProxyType(
    {Rule.NO_REMATCH: Force.MUST, Rule.ONE_BYE: Force.MUST, Rule.UNITS_APART: Force.PREFER}
)


NOBODY: Apart = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant before the round. `rank` is its place in the seeding or the standings, another for everybody."""

    entrant: EntrantId
    rank: int
    score: Fraction = Fraction(0)
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier round. `scores` are those before it; without them nobody is known to have floated in it."""

    pairing: Pairing
    scores: Mapping[EntrantId, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meeting:
    """One pair (a bye has no `away`) and its costs by tier."""

    home: EntrantId
    away: EntrantId | None
    costs: Costs


class _Places(NamedTuple):
    """What is known of every place, by column."""

    scores: Column
    units: Column
    begin: Column
    end: Column
    balance: Column
    byes: Column
    downs: Column
    ups: Column


_NOTHING = Fraction(0)


class Field:
    """Everybody in the one order, and what every meeting costs. Refused with fewer than two, or an id or rank twice."""

    def __init__(
        self,
        standings: Iterable[Standing],
        earlier: Sequence[Earlier] = (),
        rules: Mapping[Rule, Force] = DEFAULT_RULES,
        apart: Apart = NOBODY,
    ) -> None:
        self.standings = sorted(standings, key=lambda one: (-one.score, one.rank))
        _refuse_bad(self.standings)
        must = Force.MUST if Wish.MUST in apart.values() else Force.OFF
        self.rules = {**DEFAULT_RULES, **rules, Rule.KEPT_APART: must}
        self.places = {one.entrant: place for place, one in enumerate(self.standings)}
        self.tiers = tuple(Tier) if apart else USUAL_TIERS
        self.apart = {wish: self._places_of(pair for pair, one in apart.items() if one is wish) for wish in Wish}
        size = self.size = len(self.standings)
        self.nobody = size
        self.scores = _whole([one.score for one in self.standings])
        self.groups = _groups(self.scores)
        self.met: dict[tuple[int, int], int] = {}
        self.byes, self.balance = [0] * size, [0] * size
        self.downs, self.ups = [0] * size, [0] * size
        self.seats: list[list[int]] = [[] for _ in range(size)]
        for one in earlier:
            self._note(one)

    def _places_of(self, pairs: Iterable[frozenset[EntrantId]]) -> dict[tuple[int, int], int]:
        """Once for each two places; of pairs that play in this round."""
        found = [sorted(self.places[one] for one in pair if one in self.places) for pair in pairs]
        return {(places[0], places[1]): 1 for places in found if len(places) == 2}

    def _note(self, one: Earlier) -> None:
        for home, away in one.pairing.pairs:
            places = [self.places.get(home), self.places.get(away)]
            difference = (one.scores.get(home, _NOTHING) - one.scores.get(away, _NOTHING)).numerator
            for place, seat, above in zip(places, (1, -1), (difference, -difference), strict=True):
                if place is not None:
                    self.balance[place] += seat
                    self.seats[place].append(seat)
                    self.downs[place] += above > 0
                    self.ups[place] += above < 0
            if places[0] is not None and places[1] is not None:
                pair = (min(places[0], places[1]), max(places[0], places[1]))
                self.met[pair] = self.met.get(pair, 0) + 1
        for entrant in one.pairing.byes:
            place = self.places.get(entrant)
            if place is not None:
                self.byes[place] += 1
                self.downs[place] += 1

    def costs(self, meetings: Sequence[tuple[int, int]]) -> list[Costs]:
        """What each meeting of two places costs by tier, the upper one first; `nobody` is the lowest of all."""
        pairs = np.array(meetings, np.int64).reshape(-1, 2)
        return list(zip(*(tier.tolist() for tier in self._columns(pairs[:, 0], pairs[:, 1])), strict=True))

    def forbids(self, upper: int, lower: int) -> tuple[Rule, ...]:
        """The rules of force `must` that keep two places apart."""
        (costs,) = self.costs([(upper, lower)])
        return tuple(rule for rule, tier in _TIER_OF.items() if self.rules[rule] is Force.MUST and costs[tier])

    def edges(self, width: int, without: frozenset[int] = frozenset()) -> Edges:
        """Who may meet whom at what cost, in the one order; `width` places around the opponent the order gives."""
        playing = [upper for upper in range(self.size) if upper not in without]
        near = [(upper, lower) for upper in playing for lower in self._near(upper, width) if lower not in without]
        pairs = np.array(near, np.int64).reshape(-1, 2)
        edges = Edges(pairs[:, 0], pairs[:, 1], self._columns(pairs[:, 0], pairs[:, 1]))
        must = [tier for rule, tier in _TIER_OF.items() if self.rules[rule] is Force.MUST]
        allowed = np.ones(len(edges), bool)
        for tier in must:
            allowed &= edges.tiers[tier] == 0
        return Edges(edges.one[allowed], edges.other[allowed], tuple(tier[allowed] for tier in edges.tiers))

    def _columns(self, upper: Column, lower: Column) -> tuple[Column, ...]:
        """What many meetings cost, tier by tier, as `Tier` says."""
        known, bye = self._places, lower == self.nobody
        none = np.zeros(len(upper), np.int64)
        difference = known.scores[upper] - known.scores[lower]
        apart = self.rules[Rule.UNITS_APART] is not Force.OFF
        # seated the better way round: who had more home rounds is away
        high = np.maximum(known.balance[upper], known.balance[lower])
        low = np.minimum(known.balance[upper], known.balance[lower])
        seat = np.minimum(abs(high - 1), _MOST_BALANCE) ** 2 + np.minimum(abs(low + 1), _MOST_BALANCE) ** 2
        half = (known.end[upper] - known.begin[upper]) // 2
        inside = (upper - known.begin[upper] < half) == (lower - known.begin[upper] < half)
        seeding = np.where(
            lower >= known.end[upper], 2 * (lower - upper - 1), 2 * abs(lower - upper - half) + inside.astype(np.int64)
        )
        alike = (known.units[upper] == known.units[lower]) & (known.units[upper] > 0)
        return (
            self._counted(self.apart[Wish.MUST], upper, lower),
            self._counted(self.met, upper, lower) if self.rules[Rule.NO_REMATCH] is not Force.OFF else none,
            np.where(bye, known.byes[upper], 0) if self.rules[Rule.ONE_BYE] is not Force.OFF else none,
            self._counted(self.apart[Wish.RATHER], upper, lower),
            (alike & ~bye).astype(np.int64) if apart else none,
            np.where(bye, known.scores[upper] - self.scores[-1], 0),
            np.where(bye, 0, difference * difference),
            np.where(bye, known.downs[upper], np.where(difference != 0, known.downs[upper] + known.ups[lower], 0)),
            np.where(bye, 0, seat),
            np.where(bye, 2 * (self.size - 1 - upper), seeding),
            _lots(upper, lower),
        )

    @cached_property
    def _places(self) -> _Places:
        """What is known of each place, by column; `nobody` comes last."""
        units: dict[str, int] = {}
        codes = [units.setdefault(one.unit, len(units) + 1) if one.unit else 0 for one in self.standings]

        def column(values: Iterable[int], kind: type = np.int64) -> Column:
            return np.array([*values, 0], kind)

        return _Places(
            # scores whose squares need more than a machine word stay Python's own numbers
            scores=column(self.scores, np.int64 if max(self.scores) < _WORD_SCORE else object),
            units=column(codes),
            begin=column(begin for begin, _ in self.groups),
            end=column(end for _, end in self.groups),
            balance=column(self.balance),
            byes=column(self.byes),
            downs=np.minimum(column(self.downs), _MOST_FLOATS),
            ups=np.minimum(column(self.ups), _MOST_FLOATS),
        )

    def _counted(self, of: Mapping[tuple[int, int], int], upper: Column, lower: Column) -> Column:
        """The number that each two places have in a table; 0 where they have none."""
        if not of:
            return np.zeros(len(upper), np.int64)
        keys, times = zip(*sorted((one * self.size + other, count) for (one, other), count in of.items()), strict=True)
        wanted, known = upper * self.size + lower, np.array(keys, np.int64)
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        # nobody is no entrant: its key could be another pair's
        there = (known[place] == wanted) & (lower < self.nobody)
        return np.where(there, np.array(times, np.int64)[place], 0)

    def _near(self, upper: int, width: int) -> Iterator[int]:
        """Places below `upper` that it may meet, in order."""
        last = self.nobody + self.size % 2
        if width >= self.size:
            yield from range(upper + 1, last)
            return
        begin, end = self.groups[upper]
        opposite = upper + (end - begin) // 2
        near_by = range(upper + 1, min(upper + width + 1, self.size))
        across = range(max(near_by.stop, opposite - width), min(opposite + width + 1, end))
        yield from near_by
        yield from across
        if last > self.nobody:
            yield self.nobody

    def meetings(self, pairs: Sequence[tuple[int, int]]) -> tuple[Meeting, ...]:
        """Pairs of places as meetings, seated: who had more away rounds is at home; then who was away when they last
        differed; then the upper one on every other place of the order."""
        return tuple(
            Meeting(*self._seats(upper, lower), costs)
            for (upper, lower), costs in zip(pairs, self.costs(pairs), strict=True)
        )

    def _seats(self, upper: int, lower: int) -> tuple[EntrantId, EntrantId | None]:
        """Home and away; a bye has no away."""
        if lower == self.nobody:
            return self.standings[upper].entrant, None
        home, away = (upper, lower) if self._upper_at_home(upper, lower) else (lower, upper)
        return self.standings[home].entrant, self.standings[away].entrant

    def _upper_at_home(self, upper: int, lower: int) -> bool:
        if self.balance[upper] != self.balance[lower]:
            return self.balance[upper] < self.balance[lower]
        for mine, theirs in zip(reversed(self.seats[upper]), reversed(self.seats[lower]), strict=False):
            if mine != theirs:
                return mine < theirs
        return upper % 2 == 0

    def place(self, entrant: EntrantId | None) -> int:
        """The place of an entrant, `nobody` for None; Refused when it does not play."""
        if entrant is None:
            return self.nobody
        if entrant not in self.places:
            en, zh = f"{entrant} is not in this round.", f"{entrant} 不在本轮中。"
            raise Refused([refusal("unknown_entrant", "entrants", en, zh, entrant=entrant)])
        return self.places[entrant]


def _refuse_bad(standings: Sequence[Standing]) -> None:
    found = []
    if len(standings) < 2:
        found.append(refusal("too_few_entrants", "entrants", "A round needs two entrants.", "至少要有两个参赛方。"))
    ids: set[EntrantId] = set()
    ranks: set[int] = set()
    for one in standings:
        if one.entrant in ids:
            en, zh = f"{one.entrant} is there twice.", f"{one.entrant} 出现了两次。"
            found.append(refusal("entrant_twice", "entrants", en, zh, entrant=one.entrant))
        elif one.rank in ranks:
            en, zh = f"Rank {one.rank} is there twice.", f"名次 {one.rank} 出现了两次。"
            found.append(refusal("rank_twice", "entrants", en, zh, rank=one.rank))
        ids.add(one.entrant)
        ranks.add(one.rank)
    if found:
        raise Refused(found)


def _whole(scores: Sequence[Fraction]) -> list[int]:
    """Scores above the lowest, in the largest unit that makes all of them whole."""
    low = min(scores)
    parts = lcm(*(score.denominator for score in scores))
    above = [int((score - low) * parts) for score in scores]
    unit = gcd(*above) or 1
    return [score // unit for score in above]


def _groups(scores: Sequence[int]) -> list[tuple[int, int]]:
    """For every place the first place of its group of equal score, and the first after it."""
    found: list[tuple[int, int]] = []
    begin = 0
    for place in range(1, len(scores) + 1):
        if place == len(scores) or scores[place] != scores[begin]:
            found += [(begin, place)] * (place - begin)
            begin = place
    return found


def _lots(upper: Column, lower: Column) -> Column:
    """A number below 16,384 for each two places that depends on them alone and follows no order: multiplied and shifted
    in 64 bits, which wrap by themselves."""
    word = (upper.astype(np.uint64) << np.uint64(32) | lower.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ word >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    return ((word ^ word >> np.uint64(32)) >> np.uint64(7) & np.uint64((1 << _LOT_BITS) - 1)).astype(np.int64)

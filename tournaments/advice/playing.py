"""Made-up matches: two strengths in, levels, winner, hands and seconds out.

What follows from a total is the product's own: levels and deals by the table of the profile, the end of a match, its
score. The totals are a model, said in `Model`. Only whole numbers are drawn, so the same seed gives the same matches on
every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import NamedTuple

from scoring.profiles import Profile
from scoring.sittings.endings import decide
from scoring.sittings.states import Opening
from scoring.sittings.transitions import Row, Standing, Transitions
from scoring.standings.match_scores import PASSED, score
from scoring.standings.results import Result
from scoring.standings.scales import SCALES, Party
from scoring.values import Seat, Side
from tournaments.draws.swiss_field import Rule
from tournaments.plans.plan import Carry, Force, Plan

KNOCKOUT, GROUPS = "ko_timed", "groups_rr"
#: Points of the cards of two decks, of which totals are made up.
TWO_DECKS = 200
#: More hands than any match has; only so many equal ones can follow each other.
MOST_HANDS = 200
_SEATS = tuple(Seat)


@dataclass(frozen=True, slots=True)
class Model:
    """How sides play, as far as a trial needs it.

    The strength of a side is the number of heads in 64 tosses, less 32. Of the 200 points of two decks the attackers of
    a hand get 75 on average against a side as strong, 40 more or less in two hands of three; each point of strength
    between the sides moves that by `spread` points and a quarter. Of other decks it is the same share. A hand takes
    `pace` seconds, a quarter more or less in two hands of three. In `calls` of a thousand hands a referee is called,
    for `ruling` seconds.
    """

    pace: int = 360
    spread: int = 2
    calls: int = 30
    ruling: int = 240

    def strength(self, chance: Random) -> int:
        return chance.getrandbits(64).bit_count() - 32

    def total(self, chance: Random, attackers: int, dealers: int, of: int) -> int:
        """The attackers' points of a hand whose cards have so many (`of`), with what a dig adds: a multiple of 5."""
        return self.points(chance.getrandbits(256).bit_count() - 128, attackers - dealers, of)

    def points(self, luck: int, stronger: int, of: int) -> int:
        """The same where `luck` is given, in fives of two decks around the average, and how much stronger the attackers
        are."""
        return 5 * (min(56, max(0, 15 + luck + stronger * self.spread // 4)) * of // TWO_DECKS)

    def seconds(self, chance: Random) -> int:
        return self.pace * max(2, chance.getrandbits(16).bit_count()) // 8


@dataclass(frozen=True, slots=True)
class Form:
    """What of a stage a trial needs: the fields of the stage under their own names.

    `minutes` or `hands` end a match; with neither it is played until a side passes the last level. `groups` are as many
    as a field is dealt into, or `group_of` the size of one. `qualify` of each group of the stage before (or of its one
    table) come into this one, all where it is None; `carry` says what they bring.
    """

    profile: Profile
    format: str
    match_score: str
    chain: tuple[str, ...]
    tie_rule: str
    rounds: int
    minutes: int | None = None
    hands: int | None = None
    lead_levels: int | None = None
    rules: Mapping[Rule, Force] = field(default_factory=dict)
    groups: int | None = None
    group_of: int | None = None
    qualify: int | None = None
    carry: Carry = Carry.NONE
    #: Of a stage on boards: how many a round has, and what they are compared by.
    plan: Plan | None = None

    def groups_of(self, entrants: int) -> int:
        """Into how many groups so many are dealt: as said, or as the size asks for; two at least in one."""
        asked = self.groups or (-(-entrants // self.group_of) if self.group_of else 1)
        return max(1, min(asked, entrants // 2))

    def through(self, entrants: int, qualify: int) -> int:
        """How many of so many come into the next stage, where so many of each group do, or of the one table."""
        many = self.groups_of(entrants) if self.format == GROUPS else 1
        return sum(min(qualify, (entrants + along) // many) for along in range(many))


class Played(NamedTuple):
    """How a match went. Levels are ranks or "passed"; `decided_by` says whether time was needed to end it."""

    home_level: str
    away_level: str
    winner: Party | None
    hands: int
    seconds: int
    full: bool
    #: Of a match on boards what they came to for home, and what they cost away where that differs.
    net: Fraction | None = None
    away_net: Fraction | None = None


class Play:
    """Plays matches of one form; what a score is worth is worked out once for each pair of final levels."""

    def __init__(self, form: Form, model: Model) -> None:
        self.form, self.model = form, model
        self._worth: dict[tuple[str, str, str, Party | None], tuple[Fraction, Fraction]] = {}

    @cached_property
    def _openings(self) -> Sequence[Row]:
        """How a match begins, by who deals first."""
        table, first = Transitions(self.form.profile), next(iter(self.form.profile.ladder))
        return [table.opening(Opening(dict.fromkeys(Side, first), seat)) for seat in _SEATS]

    def match(self, chance: Random, home: int, away: int) -> Played:
        """A match of two sides of these strengths; home sits north and south."""
        form, model = self.form, self.model
        limit = None if form.minutes is None else 60 * form.minutes
        of = form.profile.points_max
        row = self._openings[chance.getrandbits(2)]
        hands = seconds = 0
        reached = {Side.NS: 0, Side.EW: 0}
        while True:
            standing = row.standing
            assert standing is not None
            ended = self._ended(standing, hands, seconds, limit)
            if ended is not None and not (ended.waits and hands < MOST_HANDS):
                break
            ns_deals = standing.next_dealer.side is Side.NS
            attackers, dealers = (away, home) if ns_deals else (home, away)
            total = model.total(chance, attackers, dealers, of)
            row = row[total]
            seconds += model.seconds(chance)
            hands += 1
            if row.standing is not None:
                for side in Side:
                    if _level(row.standing, side) != _level(standing, side):
                        reached[side] = hands
        return self._finished(chance, standing, ended, hands, seconds, reached)

    def _ended(self, standing: Standing, hands: int, seconds: int, limit: int | None) -> _Ending | None:
        """Whether the match is over before its next hand."""
        form = self.form
        if standing.winner is not None:
            return _Ending(full=True)
        lead = abs(self._lead(standing))
        if form.lead_levels is not None and lead >= form.lead_levels:
            return _Ending(full=True)
        over = (limit is not None and seconds >= limit) or (form.hands is not None and hands >= form.hands)
        return _Ending(full=False, waits=lead == 0 and form.tie_rule == "extra_hand") if over else None

    def _finished(
        self, chance: Random, standing: Standing, ended: _Ending, hands: int, seconds: int, reached: Mapping[Side, int]
    ) -> Played:
        winner: Side | None = standing.winner
        if winner is None:
            first = None
            if reached[Side.NS] != reached[Side.EW]:
                first = min(Side, key=lambda side: reached[side])
            verdict = decide(
                self._lead(standing), self.form.tie_rule, on_stage=standing.next_dealer.side, reached_first=first
            )
            winner = verdict.winner
            if winner is None and (not verdict.draw or self.form.format == KNOCKOUT):
                winner = (Side.NS, Side.EW)[chance.getrandbits(1)]
        party = None if winner is None else Party.HOME if winner is Side.NS else Party.AWAY
        return Played(
            self._reached(standing, Side.NS), self._reached(standing, Side.EW), party, hands, seconds, ended.full
        )

    def _lead(self, standing: Standing) -> int:
        ladder = self.form.profile.ladder
        return ladder.index(standing.ns) - ladder.index(standing.ew)

    def _reached(self, standing: Standing, side: Side) -> str:
        return PASSED if standing.winner is side else _level(standing, side)

    def other_scales(self) -> list[str]:
        """The match scores by which the same matches could be counted."""
        return [
            code
            for code, scale in SCALES.items()
            if code != self.form.match_score and not scale.by_hands and not scale.in_imps
        ]

    def result(self, round_: int, home: int, away: int, played: Played, scale: str | None = None) -> Result:
        """The match as standings see it, by the form's scale or another one."""
        worth = self.worth(scale or self.form.match_score, played)
        winner = {Party.HOME: home, Party.AWAY: away}.get(played.winner) if played.winner else None
        return Result(round_, home, away, *worth, played.home_level, played.away_level, winner=winner)

    def worth(self, scale: str, played: Played) -> tuple[Fraction, Fraction]:
        """What a match is worth to both sides on a scale."""
        levels = (played.home_level, played.away_level)
        # the tie rule only decides what is level
        by_rule = played.winner if levels[0] == levels[1] else None
        key = (scale, *levels, by_rule)
        if key not in self._worth:
            found = score(scale, home=levels[0], away=levels[1], by_tie_rule=by_rule, ladder=self.form.profile.ladder)
            self._worth[key] = (found.home, found.away)
        return self._worth[key]

    @cached_property
    def bye(self) -> Fraction:
        return score(self.form.match_score, home=None, away=None, outcome="bye").home


class _Ending(NamedTuple):
    """A match is over: `full` before its time, `waits` for one more hand that decides."""

    full: bool
    waits: bool = False


def _level(standing: Standing, side: Side) -> str:
    return (standing.ns if side is Side.NS else standing.ew).rank

"""Made-up matches on boards: teams of four in two rooms, and pairs whose boards are compared over all tables.

What the results of a board are worth is the product's own (`plans.boards`). The cards of a board are the same at every
table: three quarters of what varies belong to the board, the rest to the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import NamedTuple

from scoring.cards.dealing import header
from scoring.hands.outcomes import level_result
from scoring.sittings.endings import decide
from scoring.sittings.states import FixedHand
from scoring.standings.match_scores import hand_points, score
from scoring.standings.results import Result
from scoring.standings.scales import SCALES, Party
from scoring.values import Level, Side
from tournaments.draws.balancing import balanced
from tournaments.draws.movements import Movement, arrow_switched, howell, mitchell
from tournaments.plans.boards import (
    FieldMatch,
    PairTable,
    Room,
    compare,
    in_field,
    in_imps,
    in_levels,
)
from tournaments.plans.boards import Played as OnBoard
from tournaments.plans.plan import MovementKind, Plan

from .playing import Form, Model, Play, Played

TEAMS, PAIRS = "dup_teams", "dup_pairs"
FORMATS = (TEAMS, PAIRS)
#: Of the 256 tosses that make the points of a hand, how many are those of the board.
_OF_THE_BOARD = 192


class Board(NamedTuple):
    """A board as dealt: its number, who deals, and what its cards give the attackers, in fives around their average."""

    number: int
    dealing: Side
    luck: int


class BoardPlay(Play):
    """Plays matches on boards; nobody climbs, and no clock ends them."""

    def __init__(self, form: Form, model: Model) -> None:
        super().__init__(form, model)
        assert form.plan is not None
        self.plan: Plan = form.plan
        self.boards_a_round = form.plan.boards or 1
        self._points: dict[int, int] = {}

    def dealt(self, chance: Random, numbers: Sequence[int]) -> list[Board]:
        luck = (chance.getrandbits(_OF_THE_BOARD).bit_count() - _OF_THE_BOARD // 2 for _ in numbers)
        return [Board(number, header(number)[1].side, one) for number, one in zip(numbers, luck, strict=True)]

    def room(self, chance: Random, boards: Sequence[Board], ns: int, ew: int, home: Side) -> Room:
        """These boards at one table, by two sides of these strengths."""
        tosses, played = 256 - _OF_THE_BOARD, {}
        for one in boards:
            attackers, dealers = (ew, ns) if one.dealing is Side.NS else (ns, ew)
            own = chance.getrandbits(tosses).bit_count() - tosses // 2
            total = self.model.points(one.luck + own, attackers - dealers, self.form.profile.points_max)
            worth = self._worth_of(total)
            seen = worth if one.dealing is Side.EW else -worth
            played[one.number] = OnBoard(one.dealing, seen, total)
        return Room(home, tuple(one.number for one in boards), played, {}, finished=True)

    def _worth_of(self, total: int) -> int:
        """The hand points of the attackers by the table of the profile."""
        if total not in self._points:
            got = level_result(self.form.profile, total, reasons=False)
            self._points[total] = hand_points(deal_changes_hands=got.deal_changes_hands, levels=got.levels)
        return self._points[total]

    def seconds_of(self, chance: Random) -> int:
        return sum(self.model.seconds(chance) for _ in range(self.boards_a_round))

    def match(self, chance: Random, home: int, away: int) -> Played:
        """A match of two teams: home sits N–S in the open room and E–W in the closed one."""
        boards = self.dealt(chance, range(1, self.boards_a_round + 1))
        rooms = [
            self.room(chance, boards, home, away, Side.NS),
            self.room(chance, boards, away, home, Side.EW),
        ]
        seen = compare(rooms, self.plan, self.form.profile, _deals(boards))
        seconds = max(self.seconds_of(chance), self.seconds_of(chance))
        winner = _winner(seen.home)
        if winner is None and not decide(0, self.form.tie_rule, on_stage=None).draw:
            winner = (Party.HOME, Party.AWAY)[chance.getrandbits(1)]
        return Played("", "", winner, self.boards_a_round, seconds, full=False, net=seen.home)

    def result(self, round_: int, home: int, away: int, played: Played, scale: str | None = None) -> Result:
        code = scale or self.form.match_score
        net, other = played.net or Fraction(0), played.away_net
        own = self._scored(code, net, played.winner)
        both = own if other is None else (own[0], self._scored(code, other, played.winner)[1])
        winner = {Party.HOME: home, Party.AWAY: away}.get(played.winner) if played.winner else None
        return Result(round_, home, away, *both, winner=winner)

    def _scored(self, scale: str, net: Fraction, winner: Party | None) -> tuple[Fraction, Fraction]:
        lot = winner if net == 0 else None
        found = score(scale, home=None, away=None, by_tie_rule=lot, hand_points=net, boards=self.boards_a_round)
        return found.home, found.away

    def other_scales(self) -> list[str]:
        """The match scores by which the same boards could be counted."""
        if self.form.format == PAIRS:
            return [code for code in SCALES if code != self.form.match_score and self._fits(code)]
        return [
            code
            for code, one in SCALES.items()
            if code != self.form.match_score and (one.counts_wins_only or self._fits(code))
        ]

    def _fits(self, code: str) -> bool:
        scale = SCALES[code]
        if not scale.by_boards:
            return scale.by_hands
        return in_imps(self.plan) if scale.in_imps else in_levels(self.plan) and self._is_difference

    @property
    def _is_difference(self) -> bool:
        return self.form.format == TEAMS or self.plan.board_scale == "cross_imp"

    def field(
        self, chance: Random, strengths: Sequence[int], order: Sequence[int]
    ) -> list[tuple[tuple[int, int, Played], ...]]:
        """All rounds of a movement of pairs, each table with what its boards came to over all tables."""
        movement = laid_out(self.plan, len(order), self.form.rounds)
        sets = {play.boards for plays in movement.rounds for play in plays}
        many = self.boards_a_round
        dealt = {one: self.dealt(chance, range(one * many + 1, (one + 1) * many + 1)) for one in sorted(sets)}
        tables = [
            (number, order[play.ns], order[play.ew], dealt[play.boards])
            for number, plays in enumerate(movement.rounds)
            for play in plays
        ]
        rooms = [
            PairTable(at, self.room(chance, boards, strengths[ns], strengths[ew], Side.NS))
            for at, (_, ns, ew, boards) in enumerate(tables)
        ]
        every = [board for boards in dealt.values() for board in boards]
        got = in_field(rooms, self.plan, self.form.profile, _deals(every))
        rounds: list[list[tuple[int, int, Played]]] = [[] for _ in movement.rounds]
        for at, (number, ns, ew, _) in enumerate(tables):
            rounds[number].append((ns, ew, self._of_field(chance, got[at])))
        return [tuple(one) for one in rounds]

    def _of_field(self, chance: Random, match: FieldMatch) -> Played:
        home, away = match.ahead
        return Played("", "", _winner(home), self.boards_a_round, self.seconds_of(chance), full=False, net=home,
                      away_net=-away)  # fmt: skip


def _winner(net: Fraction) -> Party | None:
    return None if net == 0 else Party.HOME if net > 0 else Party.AWAY


def _deals(boards: Sequence[Board]) -> Mapping[int, FixedHand]:
    return {one.number: _deal(one.number) for one in boards}


@lru_cache(maxsize=1024)
def _deal(number: int) -> FixedHand:
    level, dealer = header(number)
    return FixedHand(Level(level), dealer)


@lru_cache(maxsize=64)
def laid_out(plan: Plan, pairs: int, rounds: int) -> Movement:
    """The movement of a stage for so many pairs. Refused where there is none."""
    kind = plan.movement or MovementKind.MITCHELL
    if kind is MovementKind.HOWELL:
        made = howell(pairs)
    elif kind is MovementKind.BALANCED:
        made = balanced(pairs, rounds, "advice")
    else:
        made = mitchell(pairs, rounds)
    return arrow_switched(made, plan.arrow) if plan.arrow else made

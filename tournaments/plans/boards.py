"""Matches on boards (复式): teams of four, both rooms side by side; pairs, compared over all tables. Pure values.

Home sits N–S in the open room and E–W in the closed one. A board is compared by what the stage's plan says: hand points
(the deal counts one level) or the attackers' points. An official's mark stands in place of what was played; the two
teams may then have scores that do not sum to nothing, so each has a total of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.boards.scores import (
    HALF,
    IMPS_OF_TEN_PERCENT,
    Artificial,
    Assigned,
    BoardScale,
    Mark,
    TableResult,
    board_against_board,
    cross_imps,
    datum,
    imps,
    neuberg,
    seen_by_ns,
    top_of,
)
from scoring.profiles import Profile
from scoring.questions.boards import read_mark
from scoring.sittings.states import FixedHand, SittingState
from scoring.standings.match_scores import hand_points
from scoring.standings.results import EntrantId
from scoring.standings.scales import Scale
from scoring.values import Side

from .plan import BoardMeasure, BoardWorth, Plan

#: What ten per cent are worth where an artificial score stands beside differences: one level.
TEN_PERCENT: Mapping[BoardMeasure, Fraction] = {
    BoardMeasure.HAND_POINTS: Fraction(1),
    BoardMeasure.ATTACKERS_POINTS: Fraction(40),
}
HOME, AWAY = "home", "away"


@dataclass(frozen=True, slots=True)
class Played:
    """What a board came to in one room: points seen by N–S, attackers' points, and the side that dealt."""

    dealer_side: Side
    hand_points: int
    attackers_points: int


@dataclass(frozen=True, slots=True)
class Marks:
    """An official's score in place of what was played: a mark of the protocol's `board_scores` for each side."""

    ns: Mapping[str, Any]
    ew: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Room:
    """One room of a match: where home sits, its boards as played in order, what they came to, what was put instead."""

    home_side: Side
    numbers: tuple[int, ...]
    played: Mapping[int, Played]
    marks: Mapping[int, Marks]
    finished: bool

    def has(self, number: int) -> bool:
        """Whether this board has a score in this room."""
        return number in self.played or number in self.marks


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board of a match: what it gives both teams; None where it is not scored in both rooms."""

    number: int
    home: Fraction | None = None
    away: Fraction | None = None


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """A match on boards: its lines, the sums of both teams, and whether nothing is missing.

    `waiting` are boards scored in one room only when both rooms are done: an official has to adjust them. A board that
    neither room played does not count.
    """

    lines: tuple[BoardLine, ...]
    home: Fraction
    away: Fraction
    finished: bool
    waiting: tuple[int, ...]

    @property
    def counted(self) -> int:
        """How many boards have a score."""
        return sum(line.home is not None for line in self.lines)

    @property
    def complete(self) -> bool:
        return self.finished and not self.waiting and self.counted > 0


def played_of(state: SittingState, numbers: Sequence[int]) -> dict[int, Played]:
    """What the boards came to in the order they were played at a sitting."""
    hands = [one for one in state.entries if one.winner_role is not None and one.dealer is not None]
    found = {}
    for number, one in zip(numbers, hands, strict=False):
        assert one.dealer is not None
        dealing = one.dealer.side
        points = hand_points(deal_changes_hands=one.deal_changes_hands, levels=one.levels_won)
        total = 0 if one.total is None else int(one.total.raw)
        found[number] = Played(dealing, seen_by_ns(dealing, points), total)
    return found


def compare(rooms: Sequence[Room], plan: Plan, profile: Profile, deals: Mapping[int, FixedHand]) -> BoardMatch:
    """Both rooms of a match board by board. `deals` are the boards of the stage by number."""
    opened, closed = sorted(rooms, key=lambda room: room.home_side is not Side.NS)
    lines, waiting = [], []
    for number in sorted(opened.numbers):
        if opened.has(number) and closed.has(number):
            results = (_table(opened, number, plan, profile, deals), _table(closed, number, plan, profile, deals))
            got = board_against_board(
                results, BoardScale(plan.board_scale or "difference"), ten_percent=ten_percent(plan)
            )
            lines.append(BoardLine(number, got[HOME] - par(plan), got[AWAY] - par(plan)))
        else:
            lines.append(BoardLine(number))
            if opened.has(number) != closed.has(number):
                waiting.append(number)
    return BoardMatch(
        lines=tuple(lines),
        home=sum((line.home for line in lines if line.home is not None), Fraction(0)),
        away=sum((line.away for line in lines if line.away is not None), Fraction(0)),
        finished=opened.finished and closed.finished,
        waiting=tuple(waiting),
    )


def datum_of(
    rooms: Sequence[Room], number: int, plan: Plan, profile: Profile, deals: Mapping[int, FixedHand]
) -> Fraction | None:
    """The average of a board over these tables, as North-South see it; None where none has a result."""
    return datum([_table(room, number, plan, profile, deals) for room in rooms if room.has(number)])


def ten_percent(plan: Plan) -> Fraction:
    """What ten per cent over the average are worth on the plan's scale."""
    return IMPS_OF_TEN_PERCENT if in_imps(plan) else TEN_PERCENT[plan.measure]


def in_imps(plan: Plan) -> bool:
    """Whether boards are scored in international match points. Levels compared with all others stay levels: the table
    of IMPs is one of points."""
    by_points = plan.measure is BoardMeasure.ATTACKERS_POINTS
    return plan.board_scale is BoardWorth.IMP or (plan.board_scale is BoardWorth.CROSS_IMP and by_points)


def in_levels(plan: Plan) -> bool:
    """Whether boards are compared by their levels as they are, in both rooms or with all others."""
    by_levels = plan.measure is BoardMeasure.HAND_POINTS
    return by_levels and plan.board_scale in (None, BoardWorth.DIFFERENCE, BoardWorth.CROSS_IMP)


def points_of_field(plan: Plan, scale: Scale) -> str:
    """What pairs are ranked by where their boards are summed: a name of the kernel's (`chains.POINTS_ARE`)."""
    if scale.by_boards:
        return "victory_points" if scale.in_imps else "victory_points_of_levels"
    if plan.board_scale is not BoardWorth.CROSS_IMP:
        return "matchpoints"
    return "cross_imp" if in_imps(plan) else "cross_levels"


def points_of_teams(plan: Plan, scale: Scale) -> str | None:
    """What teams are ranked by where their boards are scored in IMPs or make victory points, as `points_of_field` says
    it of pairs."""
    if scale.by_boards:
        return "victory_points" if scale.in_imps else "victory_points_of_levels"
    if plan.board_scale is not BoardWorth.IMP:
        return None
    return "imps" if scale.by_hands else "points_by_imps"


def par(plan: Plan) -> int:
    """What an equal board gives each team: taken off, so that sums above nothing win."""
    return 1 if plan.board_scale is BoardWorth.WINS else 0


def mark_of(
    data: Mapping[str, Any], plan: Plan, profile: Profile, deal: FixedHand, dealer_side: Side, path: str = "mark"
) -> Mark:
    """A mark in JSON as the kernel's value; Refused with every finding."""
    return read_mark(data, dealer_side, plan.measure.value, profile, deal.level, path)


@dataclass(frozen=True, slots=True)
class PairTable:
    """One table of duplicate pairs (复式双人赛): its match, and its only room. Home sits N–S."""

    match: int
    room: Room


#: What both pairs of a match have of a board, home first.
Both = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """What both pairs of a match have of its scored boards, home first: in per cent of the most matchpoints, or the
    average of all comparisons of a board (`crossed`)."""

    boards: Mapping[int, Both]
    crossed: bool

    @property
    def whole(self) -> Both:
        """The average of the boards in per cent; of averaged comparisons the sum."""
        home, away = (sum((got[at] for got in self.boards.values()), Fraction(0)) for at in (0, 1))
        return (home, away) if self.crossed else (home / len(self.boards), away / len(self.boards))

    @property
    def ahead(self) -> Both:
        """How far each pair is over or under the average of the field: what the match counts. Who sits out has nothing
        more or less."""
        home, away = self.whole
        return (home, away) if self.crossed else (home - HALF, away - HALF)


def in_field(
    tables: Sequence[PairTable], plan: Plan, profile: Profile, deals: Mapping[int, FixedHand]
) -> dict[int, FieldMatch]:
    """What each match of pairs comes to by its boards, each compared over all tables that have it. A match without a
    scored board is left out.

    Matchpoints: where some tables have no result, by Neuberg for as many as have the board. Otherwise each result is
    compared with every other one, and the comparisons there are are averaged; the only result of a board is worth
    nothing more or less.
    """
    having: dict[int, list[PairTable]] = {}
    for table in tables:
        for number in table.room.numbers:
            having.setdefault(number, []).append(table)
    crossed = plan.board_scale is BoardWorth.CROSS_IMP
    found: dict[int, dict[int, Both]] = {}
    for number, here in sorted(having.items()):
        scored = [one for one in here if one.room.has(number)]
        results = [_table(one.room, number, plan, profile, deals, str(one.match)) for one in scored]
        if not results:
            continue
        if crossed:
            scores = cross_imps(results, imps if in_imps(plan) else int, ten_percent=ten_percent(plan))
        else:
            scores = _percentages(results, len(here))
        for one, result in zip(scored, results, strict=True):
            ns, ew = scores[result.ns], scores[result.ew]
            found.setdefault(one.match, {})[number] = (ns, ew) if one.room.home_side is Side.NS else (ew, ns)
    return {match: FieldMatch(boards, crossed) for match, boards in found.items()}


def _percentages(results: Sequence[TableResult], expected: int) -> dict[EntrantId, Fraction]:
    """What each pair has of the most matchpoints that a board gives with as many results as expected, in per cent."""
    scores, top = neuberg(results, expected=expected), top_of(expected)
    marks = {pair: mark for one in results for pair, mark in ((one.ns, one.ns_mark), (one.ew, one.ew_mark))}
    return {pair: _percent(mark, scores[pair], top) for pair, mark in marks.items()}


def _percent(mark: Mark, score: Fraction, top: Fraction) -> Fraction:
    """Matchpoints in per cent of the top; at a single table there is nothing to compare with."""
    if top:
        return 100 * score / top
    return mark.percent if isinstance(mark, Artificial) else HALF


def _table(
    room: Room,
    number: int,
    plan: Plan,
    profile: Profile,
    deals: Mapping[int, FixedHand],
    match: str = "",
) -> TableResult:
    home, away = f"{match}{HOME}", f"{match}{AWAY}"
    ns, ew = (home, away) if room.home_side is Side.NS else (away, home)
    marks, played = room.marks.get(number), room.played.get(number)
    if marks is not None:
        deal = deals[number]
        dealing = played.dealer_side if played is not None else dealer_side_of(deal)
        both = [mark_of(one, plan, profile, deal, dealing) for one in (marks.ns, marks.ew)]
        return TableResult(ns, ew, both[0], both[1])
    assert played is not None
    value = played.hand_points
    if plan.measure is BoardMeasure.ATTACKERS_POINTS:
        value = seen_by_ns(played.dealer_side, played.attackers_points)
    mark = Assigned(((value, Fraction(1)),))
    return TableResult(ns, ew, mark, mark)


def dealer_side_of(deal: FixedHand) -> Side:
    """Whose deal a board is; boards always have a dealer."""
    assert deal.dealer is not None
    return deal.dealer.side

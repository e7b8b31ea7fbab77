"""An event of one stage or several, played through from its draw to its table with made-up sides (`playing`).

Draws and standings are the product's own. All chance comes from one seed: the same trials, always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import NamedTuple, cast

from scoring.individual.standings import IndividualResult, rank_individuals
from scoring.standings.match_scores import Outcome
from scoring.standings.ranked import RankedRow
from scoring.standings.ranking import rank
from scoring.standings.results import EntrantId, Result
from scoring.standings.scales import Party
from tournaments.draws.danish import danish_round
from tournaments.draws.knockout import first_slots
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_robin import round_robin
from tournaments.draws.swiss import Infeasible, swiss_round
from tournaments.draws.swiss_field import Earlier, Field, Rule, Standing
from tournaments.plans.plan import Carry, Force

from .boards import PAIRS, TEAMS, BoardPlay
from .playing import Form, Model, Play, Played
from .singles import SINGLES, SinglePlay

AnyResult = Result | IndividualResult
#: With fewer a stage that follows is not played.
FEWEST_THROUGH = 2


class Table(NamedTuple):
    """A table of a stage, that of a group or of all: who is in it, its results, its matches of two sides by round
    (from 1), home before away."""

    members: tuple[int, ...]
    results: tuple[AnyResult, ...]
    matches: tuple[tuple[int, int, int, Played], ...] = ()


class Match(NamedTuple):
    """Who met, home before away or single players by their seats, and how it went."""

    who: tuple[int, ...]
    played: Played


@dataclass(frozen=True, slots=True)
class Trial:
    """An event as it went. Sides are numbered from 0 in order of strength, the strongest first.

    `matches` by round as they were played, in all stages; `tables` those of the first stage (none of a knockout),
    `places` the place of each side (tied sides share it, and so do those of one rank in groups), `splits` the tie-break
    that parted each two neighbours of a table that were tied, `first_by` the one that parted the first two (None:
    points did), `tied_on_points` how many had the most points; both are of the last stage.
    """

    strengths: tuple[int, ...]
    matches: tuple[tuple[Match, ...], ...]
    tables: tuple[Table, ...]
    places: tuple[int, ...]
    splits: tuple[str, ...] = ()
    first_by: str | None = None
    tied_on_points: int = 1


def trials(play: Play, entrants: int, events: int, seed: str, then: Sequence[Play] = ()) -> Iterator[Trial]:
    """So many events of so many sides, each with strengths of its own; `then` are the stages after the first."""
    model = play.model
    for number in range(events):
        chance = Random(f"{seed}/{number}")  # noqa: S311 - chance, not secrecy
        strengths = tuple(sorted((model.strength(chance) for _ in range(entrants)), reverse=True))
        stage = _stage(_Course(play, strengths, _by_lot(entrants, chance)), chance)
        yield _whole(stage, [stage, *_later(stage, then, strengths, chance)], strengths)


def table(
    form: Form,
    members: Sequence[int],
    results: Sequence[AnyResult],
    chain: Sequence[str],
    carried: Mapping[EntrantId, Fraction] = MappingProxyType({}),
) -> tuple[RankedRow, ...]:
    """The table of these results by a chain, with what is carried; what lots decide is decided."""
    ladder = form.profile.ladder
    if form.format == SINGLES:
        tables = cast(Sequence[IndividualResult], results)
        return rank_individuals(chain, members, tables, ladder=ladder, seed="lots", carried=carried)
    return rank(chain, members, cast(Sequence[Result], results), ladder=ladder, seed="lots", carried=carried)


def places(rows: Sequence[RankedRow]) -> dict[EntrantId, int]:
    """The place of each side."""
    return {row.entrant: row.rank or 0 for row in rows}


@dataclass(frozen=True, slots=True)
class _Stage:
    """A stage as it went: its field in order of place, the places, and what `Trial` says of it."""

    form: Form
    places: dict[int, int]
    matches: tuple[tuple[Match, ...], ...]
    tables: tuple[Table, ...] = ()
    splits: tuple[str, ...] = ()
    first_by: str | None = None
    tied_on_points: int = 1

    def through(self, qualify: int | None) -> list[int]:
        """Who comes into the next stage: the first of each group, in order of place."""
        order = sorted(self.places, key=lambda one: self.places[one])
        if qualify is None:
            return order
        groups = [one.members for one in self.tables] if len(self.tables) > 1 else [tuple(order)]
        chosen = {one for group in groups for one in sorted(group, key=lambda one: self.places[one])[:qualify]}
        return [one for one in order if one in chosen]


@dataclass
class _Course:
    """A stage while it is played: what the next draw looks at. `order` is its field as lots or places put it.

    `results` begin with what is carried from the stage before.
    """

    play: Play
    strengths: tuple[int, ...]
    order: list[int]
    matches: list[tuple[Match, ...]] = field(default_factory=list)
    results: list[AnyResult] = field(default_factory=list)
    earlier: list[Earlier] = field(default_factory=list)
    scores: dict[EntrantId, Fraction] = field(default_factory=dict)
    carried: dict[EntrantId, Fraction] = field(default_factory=dict)

    def meet(self, home: int, away: int, chance: Random) -> Match:
        return Match((home, away), self.play.match(chance, self.strengths[home], self.strengths[away]))

    def round(self, drawn: Pairing, chance: Random) -> None:
        """Everybody of a draw plays, and it counts."""
        number, nothing = len(self.matches) + 1, Fraction(0)
        self.earlier.append(Earlier(drawn, dict(self.scores)))
        matches = tuple(self.meet(int(home), int(away), chance) for home, away in drawn.pairs)
        self.record(
            matches, [Result(number, one, None, self.play.bye, nothing, outcome=Outcome.BYE) for one in drawn.byes]
        )

    def record(self, matches: tuple[Match, ...], byes: Sequence[Result] = ()) -> None:
        """Matches that were played count, and so do byes."""
        number = len(self.matches) + 1
        for (home, away), played in matches:
            self.count(self.play.result(number, home, away, played))
        for bye in byes:
            self.count(bye)
        self.matches.append(matches)

    def count(self, result: AnyResult) -> None:
        self.results.append(result)
        for one, score in points_in(result):
            self.scores[one] = self.scores.get(one, Fraction(0)) + score

    def standing(self) -> list[int]:
        """The field by the table so far; before the first round, and who is tied, as lots put it."""
        if not self.results:
            return self.order
        place = places(self.table())
        return sorted(self.order, key=lambda one: place[one])

    def table(self) -> tuple[RankedRow, ...]:
        return table(self.play.form, self.order, self.results, self.play.form.chain, self.carried)

    def ended(self) -> _Stage:
        rows = self.table()
        splits = tuple(row.split.code for row in rows if row.split is not None)
        totals = [self.scores.get(one, Fraction(0)) + self.carried.get(one, Fraction(0)) for one in self.order]
        met = [(number, one) for number, matches in enumerate(self.matches, start=1) for one in matches]
        played = tuple((number, *one.who[:2], one.played) for number, one in met if len(one.who) == 2)
        return _Stage(
            self.play.form, {int(one): place for one, place in places(rows).items()}, tuple(self.matches),
            (Table(tuple(self.order), tuple(self.results), played),), splits,
            rows[0].split.code if rows[0].split is not None else None,
            sum(score == max(totals) for score in totals),
        )  # fmt: skip


def _stage(course: _Course, chance: Random) -> _Stage:
    return _EVENTS[course.play.form.format](course, chance)


def _later(first: _Stage, then: Sequence[Play], strengths: tuple[int, ...], chance: Random) -> Iterator[_Stage]:
    """The stages after the first, each played by those who come through."""
    before = first
    for play in then:
        order = before.through(play.form.qualify)
        if len(order) < FEWEST_THROUGH:
            return
        course = _Course(play, strengths, order)
        results = [one for table in before.tables for one in table.results]
        if play.form.carry is Carry.POINTS:
            course.carried = _points(order, results)
        elif play.form.carry is Carry.BETWEEN:
            course.carried = _points(order, [one for one in results if _is_between(one, order)])
        before = _stage(course, chance)
        yield before


def points_in(result: AnyResult) -> list[tuple[EntrantId, Fraction]]:
    """Who gets what by a result; of a bye only who has it."""
    if isinstance(result, IndividualResult):
        return list(result.scores.items())
    home = (result.home, result.home_score)
    return [home] if result.away is None else [home, (result.away, result.away_score)]


def _is_between(result: AnyResult, order: Sequence[int]) -> bool:
    """Whether several met, and all of them are among these."""
    who = {one for one, _ in points_in(result)}
    return len(who) > 1 and who <= set(order)


def _points(order: Sequence[int], results: Sequence[AnyResult]) -> dict[EntrantId, Fraction]:
    """The points that each of these has from these results."""
    found: dict[EntrantId, Fraction] = dict.fromkeys(order, Fraction(0))
    for one in results:
        for entrant, score in points_in(one):
            if entrant in found:
                found[entrant] += score
    return found


def _whole(first: _Stage, stages: Sequence[_Stage], strengths: tuple[int, ...]) -> Trial:
    """All stages as one event: who did not come through stands behind those who did, as the stage before had it."""
    found: dict[int, int] = {}
    for stage in stages:
        found |= stage.places
    last = stages[-1]
    return Trial(
        strengths, tuple(matches for stage in stages for matches in stage.matches), first.tables,
        tuple(found[one] for one in range(len(strengths))), tuple(code for one in stages for code in one.splits),
        last.first_by, last.tied_on_points,
    )  # fmt: skip


def _swiss(course: _Course, chance: Random) -> _Stage:
    for _ in range(course.play.form.rounds):
        order, nothing = course.standing(), Fraction(0)
        standing = [Standing(one, place, course.scores.get(one, nothing)) for place, one in enumerate(order)]
        drawn = swiss_round(Field(standing, course.earlier, course.play.form.rules))
        if isinstance(drawn, Infeasible):  # what cannot be kept is broken as rarely as can be
            drawn = swiss_round(Field(standing, course.earlier, dict.fromkeys(Rule, Force.PREFER)))
        assert not isinstance(drawn, Infeasible)
        course.round(drawn.pairing, chance)
    return course.ended()


def _danish(course: _Course, chance: Random) -> _Stage:
    for _ in range(course.play.form.rounds):
        course.round(danish_round(course.standing(), [one.pairing for one in course.earlier]), chance)
    return course.ended()


def _all_meet(course: _Course, chance: Random) -> _Stage:
    for drawn in round_robin(course.order):
        course.round(drawn, chance)
    return course.ended()


def _knockout(course: _Course, chance: Random) -> _Stage:
    """A bracket by lot, or seeded by the places of the stage before; who goes out in one round shares the place."""
    slots: list[int | None] = [None if one is None else int(one) for one in first_slots(course.order)]
    place = dict.fromkeys(course.order, 1)
    while len(slots) > 1:
        left = sum(one is not None for one in slots)
        matches, through = list[Match](), list[int | None]()
        for home, away in zip(slots[::2], slots[1::2], strict=True):
            if home is None or away is None:
                through.append(home if away is None else away)
                continue
            matches.append(course.meet(home, away, chance))
            won = matches[-1].played.winner is Party.HOME
            through.append(home if won else away)
            place[away if won else home] = left - len(slots) // 2 + 1
        course.matches.append(tuple(matches))
        slots = through
    return _Stage(course.play.form, place, tuple(course.matches))


def _in_groups(course: _Course, chance: Random) -> _Stage:
    """Groups dealt to and fro, a round robin in each; those of one rank share the place."""
    many = course.play.form.groups_of(len(course.order))
    dealt: list[list[int]] = [[] for _ in range(many)]
    for at, one in enumerate(course.order):
        turn, along = divmod(at, many)
        dealt[along if turn % 2 == 0 else many - 1 - along].append(one)
    groups = [
        _all_meet(_Course(course.play, course.strengths, members, carried=course.carried), chance) for members in dealt
    ]
    rounds = max(len(group.matches) for group in groups)
    matches = [
        tuple(match for group in groups for played in group.matches[n : n + 1] for match in played)
        for n in range(rounds)
    ]
    ranks = {one: place for group in groups for one, place in group.places.items()}
    better = {rank: 1 + sum(other < rank for other in ranks.values()) for rank in set(ranks.values())}
    return _Stage(
        course.play.form,
        {one: better[rank] for one, rank in ranks.items()},
        tuple(matches),
        tuple(group.tables[0] for group in groups),
        tuple(code for group in groups for code in group.splits),
    )


def _teams(course: _Course, chance: Random) -> _Stage:
    """The rounds of a round robin, as far as they are played."""
    for drawn in round_robin(course.order)[: course.play.form.rounds]:
        course.round(drawn, chance)
    return course.ended()


def _pairs(course: _Course, chance: Random) -> _Stage:
    """A movement; what a match came to is known when all tables have played its boards."""
    assert isinstance(course.play, BoardPlay)
    for matches in course.play.field(chance, course.strengths, course.order):
        course.record(tuple(Match((home, away), played) for home, away, played in matches))
    return course.ended()


def _evening(course: _Course, chance: Random) -> _Stage:
    """Single players, seated anew each round; a table gives each of them a score of his own."""
    assert isinstance(course.play, SinglePlay)
    for number, seating in enumerate(course.play.seatings(len(course.order)), start=1):
        matches = []
        for seats in seating.tables:
            players = tuple(course.order[int(seat)] for seat in seats)
            result, played = course.play.table(chance, number, players, [course.strengths[one] for one in players])
            course.count(result)
            matches.append(Match(players, played))
        course.matches.append(tuple(matches))
    return course.ended()


_EVENTS: dict[str, Callable[[_Course, Random], _Stage]] = {
    "swiss_timed": _swiss,
    "danish": _danish,
    "rr": _all_meet,
    "groups_rr": _in_groups,
    "ko_timed": _knockout,
    TEAMS: _teams,
    PAIRS: _pairs,
    SINGLES: _evening,
}
FORMATS = tuple(_EVENTS)


def play_of(form: Form, model: Model) -> Play:
    """What plays the matches of a form: on boards, single players at tables, or from level to level."""
    if form.format == SINGLES:
        return SinglePlay(form, model)
    return BoardPlay(form, model) if form.format in (TEAMS, PAIRS) else Play(form, model)


def _by_lot(entrants: int, chance: Random) -> list[int]:
    order = list(range(entrants))
    chance.shuffle(order)
    return order

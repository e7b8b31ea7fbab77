"""One stage of an event, played through from its draw to its table with made-up sides (`playing`).

Draws and standings are the product's own. All chance comes from one seed: the same trials, always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from scoring.standings.match_scores import Outcome
from scoring.standings.ranked import RankedRow
from scoring.standings.ranking import rank
from scoring.standings.results import EntrantId, Result
from scoring.standings.scales import Party
from tournaments.draws.danish import danish_round
from tournaments.draws.knockout import first_slots
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_robin import round_robin
from tournaments.draws.swiss import Earlier, Field, Infeasible, Rule, Standing, swiss_round
from tournaments.plans.plan import Force

from .playing import Form, Play, Played


@dataclass(frozen=True, slots=True)
class Trial:
    """An event as it went. Sides are numbered from 0 in order of strength, the strongest first.

    `matches` by round as they were played, `results` as standings see them (none of a knockout), `places` the place of
    each side (tied sides share it), `splits` the tie-break that parted each two neighbours of the table that were tied,
    `first_by` the one that parted the first two (None: points did), `tied_on_points` how many had the most points.
    """

    strengths: tuple[int, ...]
    matches: tuple[tuple[tuple[int, int, Played], ...], ...]
    results: tuple[Result, ...]
    places: tuple[int, ...]
    splits: tuple[str, ...] = ()
    first_by: str | None = None
    tied_on_points: int = 1


def trials(play: Play, entrants: int, events: int, seed: str) -> Iterator[Trial]:
    """So many events of so many sides, each with strengths of its own."""
    event, model = _EVENTS[play.form.format], play.model
    for number in range(events):
        chance = Random(f"{seed}/{number}")  # noqa: S311 - chance, not secrecy
        strengths = sorted((model.strength(chance) for _ in range(entrants)), reverse=True)
        yield event(_Course(play, tuple(strengths), _by_lot(entrants, chance)), chance)


def table(form: Form, entrants: int, results: Sequence[Result], chain: Sequence[str]) -> tuple[RankedRow, ...]:
    """The table of these results by a chain; what lots decide is decided."""
    return rank(chain, range(entrants), results, ladder=form.profile.ladder, seed="lots")


def places(rows: Sequence[RankedRow]) -> tuple[int, ...]:
    """The place of each side."""
    return tuple(place for _, place in sorted((row.entrant, row.rank or 0) for row in rows))


Match = tuple[int, int, Played]


@dataclass
class _Course:
    """An event while it is played: what the next draw looks at. `order` is the field as lots put it."""

    play: Play
    strengths: tuple[int, ...]
    order: list[int]
    matches: list[tuple[Match, ...]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    earlier: list[Earlier] = field(default_factory=list)
    scores: dict[EntrantId, Fraction] = field(default_factory=dict)

    def meet(self, home: int, away: int, chance: Random) -> Match:
        return home, away, self.play.match(chance, self.strengths[home], self.strengths[away])

    def round(self, drawn: Pairing, chance: Random) -> None:
        """Everybody of a draw plays, and it counts."""
        number, nothing = len(self.matches) + 1, Fraction(0)
        self.earlier.append(Earlier(drawn, dict(self.scores)))
        matches = tuple(self.meet(int(home), int(away), chance) for home, away in drawn.pairs)
        found = [self.play.result(number, *match) for match in matches]
        found += [Result(number, one, None, self.play.bye, nothing, outcome=Outcome.BYE) for one in drawn.byes]
        for one in found:
            self.scores[one.home] = self.scores.get(one.home, nothing) + one.home_score
            if one.away is not None:
                self.scores[one.away] = self.scores.get(one.away, nothing) + one.away_score
        self.results += found
        self.matches.append(matches)

    def standing(self) -> list[int]:
        """The field by the table so far; before the first round, and who is tied, as lots put it."""
        if not self.results:
            return self.order
        place = places(table(self.play.form, len(self.order), self.results, self.play.form.chain))
        return sorted(self.order, key=lambda one: place[one])

    def ended(self) -> Trial:
        form = self.play.form
        rows = table(form, len(self.order), self.results, form.chain)
        splits = tuple(row.split.code for row in rows if row.split is not None)
        most = max(self.scores.values())
        return Trial(
            self.strengths, tuple(self.matches), tuple(self.results), places(rows), splits,
            rows[0].split.code if rows[0].split is not None else None,
            sum(score == most for score in self.scores.values()),
        )  # fmt: skip


def _swiss(course: _Course, chance: Random) -> Trial:
    for _ in range(course.play.form.rounds):
        order, nothing = course.standing(), Fraction(0)
        standing = [Standing(one, place, course.scores.get(one, nothing)) for place, one in enumerate(order)]
        drawn = swiss_round(Field(standing, course.earlier, course.play.form.rules))
        if isinstance(drawn, Infeasible):  # what cannot be kept is broken as rarely as can be
            drawn = swiss_round(Field(standing, course.earlier, dict.fromkeys(Rule, Force.PREFER)))
        assert not isinstance(drawn, Infeasible)
        course.round(drawn.pairing, chance)
    return course.ended()


def _danish(course: _Course, chance: Random) -> Trial:
    for _ in range(course.play.form.rounds):
        course.round(danish_round(course.standing(), [one.pairing for one in course.earlier]), chance)
    return course.ended()


def _all_meet(course: _Course, chance: Random) -> Trial:
    for drawn in round_robin(course.order):
        course.round(drawn, chance)
    return course.ended()


def _knockout(course: _Course, chance: Random) -> Trial:
    """A bracket by lot; who goes out in one round shares the place."""
    slots: list[int | None] = [None if one is None else int(one) for one in first_slots(course.order)]
    place = [1] * len(course.order)
    while len(slots) > 1:
        left = sum(one is not None for one in slots)
        matches, through = list[Match](), list[int | None]()
        for home, away in zip(slots[::2], slots[1::2], strict=True):
            if home is None or away is None:
                through.append(home if away is None else away)
                continue
            matches.append(course.meet(home, away, chance))
            won = matches[-1][2].winner is Party.HOME
            through.append(home if won else away)
            place[away if won else home] = left - len(slots) // 2 + 1
        course.matches.append(tuple(matches))
        slots = through
    return Trial(course.strengths, tuple(course.matches), (), tuple(place))


_EVENTS: dict[str, Callable[[_Course, Random], Trial]] = {
    "swiss_timed": _swiss,
    "danish": _danish,
    "rr": _all_meet,
    "ko_timed": _knockout,
}
FORMATS = tuple(_EVENTS)


def _by_lot(entrants: int, chance: Random) -> list[int]:
    order = list(range(entrants))
    chance.shuffle(order)
    return order

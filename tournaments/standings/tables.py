"""The tables of a stage as values: a basis becomes tables, a table its rows, and the question that leads to them.

Nothing is read here, so that the tables come out the same from the database and from an export. One stage has one
table, or one for each of its groups; a knockout is ranked by how far one came.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, cast

from scoring.individual.standings import (
    IndividualResult,
    answer_individual_standings,
    rank_individuals,
)
from scoring.ladder import Ladder
from scoring.profiles import Profile
from scoring.standings import ranking
from scoring.standings.field import Facts, MatchFacts
from scoring.standings.going_on import GoingOn
from scoring.standings.knockout import KnockoutMatch, KnockoutRow, answer_knockout, rank_knockout
from scoring.standings.ranked import NOTHING_AT_STAKE, RankedRow, Stakes
from scoring.standings.results import EntrantId, ExtraMatch, Result
from scoring.standings.tables import answer_standings
from scoring.values import exact

from .results import Results, who_played


class Competitor(NamedTuple):
    """An entrant in the field of a stage: `annulled` left before half of this round robin, `excluded` was ruled out of
    the placing, `withdrawn` plays no more."""

    entrant: int
    number: int
    group: int | None
    withdrawn: bool = False
    annulled: bool = False
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a stage in the making: who is in it and what counts. See scoring.standings for the fields."""

    group: int | None
    annulled: tuple[int, ...]
    chain: tuple[str, ...]
    entrants: tuple[int, ...]
    results: Results
    ladder: Ladder
    individual: bool = False
    penalties: Mapping[EntrantId, int] = field(default_factory=dict)
    fines: Mapping[EntrantId, Fraction] = field(default_factory=dict)
    board_points: Mapping[EntrantId, Fraction] | None = None
    carried: Mapping[EntrantId, Fraction] = field(default_factory=dict)
    extra: tuple[ExtraMatch, ...] = ()
    excluded: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    average_byes: bool = False
    stakes: Stakes = NOTHING_AT_STAKE
    seed: str | None = None
    points_are: str | None = None

    def rows(self) -> tuple[RankedRow, ...]:
        """The table, best first; who is excluded comes last."""
        if self.individual:
            tables = cast(list[IndividualResult], self.results)
            return rank_individuals(self.chain, self.entrants, tables, stakes=self.stakes, **self._facts())
        matches = cast(list[Result], self.results)
        return ranking.rank(self.chain, self.entrants, matches, stakes=self.stakes, **self._match_facts())

    def going_on(self, results: Mapping[Hashable, Result]) -> GoingOn:
        """The same table, which can go on; `results` are its own by name. CannotGoOn where it cannot."""
        return GoingOn(self.chain, self.entrants, results, stakes=self.stakes, **self._match_facts())

    def _facts(self) -> Facts:
        return {
            "seed": self.seed,
            "penalties": self.penalties,
            "fines": self.fines,
            "drawn": self.drawn,
            "carried": self.carried,
            "excluded": self.excluded,
            "ladder": self.ladder,
        }

    def _match_facts(self) -> MatchFacts:
        return {
            **self._facts(),
            "board_points": self.board_points,
            "extra_matches": self.extra,
            "average_byes": self.average_byes,
            "points_are": self.points_are,
        }

    def question(self) -> dict[str, Any]:
        """The protocol's question that leads to these rows; what is not there is left out."""
        # the scores of a table of single players stand under them, and such keys are texts
        named = [str(one) for one in self.entrants] if self.individual else list(self.entrants)
        question: dict[str, Any] = {
            "op": "standings",
            "chain": list(self.chain),
            "entrants": named,
            "results": [result_json(result) for result in self.results],
        }
        more: dict[str, Any] = {
            "penalties": {str(entrant): count for entrant, count in self.penalties.items()},
            "fines": _exact_by_entrant(self.fines),
            "carried": _exact_by_entrant(self.carried),
            "extra_matches": [one._asdict() for one in self.extra],
            "excluded": [str(one) for one in self.excluded] if self.individual else list(self.excluded),
            "drawn": [str(one) for one in self.drawn] if self.individual else list(self.drawn),
            "byes": "average" if self.average_byes else None,
            "seed": self.seed,
            "points_are": self.points_are,
            "prizes": [exact(prize) for prize in self.stakes.prizes],
        }
        question |= {name: value for name, value in more.items() if value}
        if self.board_points is not None:
            question["board_points"] = _exact_by_entrant(self.board_points)
        if self.stakes.lines is not None:
            question["lines"] = list(self.stakes.lines)
        return question


@dataclass(frozen=True, slots=True)
class KnockoutTable:
    """The table of a knockout: who was in it, and its finished matches."""

    entrants: tuple[int, ...]
    matches: tuple[KnockoutMatch, ...]
    numbers: Mapping[EntrantId, int]
    withdrawn: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()
    stakes: Stakes = NOTHING_AT_STAKE
    group: int | None = None
    annulled: tuple[int, ...] = ()

    def rows(self) -> tuple[KnockoutRow, ...]:
        return rank_knockout(
            self.entrants,
            self.matches,
            withdrawn=self.withdrawn,
            excluded=self.excluded,
            numbers=self.numbers,
            stakes=self.stakes,
        )

    def question(self) -> dict[str, Any]:
        question: dict[str, Any] = {
            "op": "knockout_standings",
            "entrants": list(self.entrants),
            "matches": [match.to_json() for match in self.matches],
            "numbers": {str(entrant): number for entrant, number in self.numbers.items()},
        }
        more: dict[str, Any] = {
            "withdrawn": list(self.withdrawn),
            "excluded": list(self.excluded),
            "prizes": [exact(prize) for prize in self.stakes.prizes],
        }
        question |= {name: value for name, value in more.items() if value}
        if self.stakes.lines is not None:
            question["lines"] = list(self.stakes.lines)
        return question


@dataclass(frozen=True, slots=True)
class Basis:
    """Everything that the tables of a stage follow from.

    `results` are those that count, of this stage and, where they are carried, of the one before; `bracket` the
    finished matches of a knockout; `extra` the extra matches. `lines` None: every place matters.
    """

    knockout: bool
    individual: bool
    chain: tuple[str, ...]
    ladder: Ladder
    competitors: tuple[Competitor, ...]
    results: Results
    bracket: tuple[KnockoutMatch, ...] = ()
    extra: tuple[ExtraMatch, ...] = ()
    penalties: Mapping[int, int] = field(default_factory=dict)
    fines: Mapping[int, Fraction] = field(default_factory=dict)
    board_points: Mapping[int, Fraction] | None = None
    carried: Mapping[int, Fraction] = field(default_factory=dict)
    drawn: tuple[int, ...] = ()
    average_byes: bool = False
    lines: tuple[int, ...] | None = None
    prizes: tuple[Fraction, ...] = ()
    points_are: str | None = None

    def tables(self, seed: str | None = None) -> list[Table | KnockoutTable]:
        """The tables of the stage, by group. Lots are drawn from `seed`; lots drawn by hand always count."""
        if self.knockout:
            return [self._knockout()]
        groups = sorted({one.group for one in self.competitors}, key=lambda group: group or 0)
        if len(groups) == 1:
            return [self._table(groups[0], self.competitors, self.results, seed)]
        inside = {group: [one for one in self.competitors if one.group == group] for group in groups}
        of = {one.entrant: one.group for one in self.competitors}
        results: dict[int | None, list[Any]] = {group: [] for group in groups}
        for result in self.results:
            results[of[_somebody(result)]].append(result)
        return [self._table(group, inside[group], cast(Results, results[group]), seed) for group in groups]

    def ranks(self) -> dict[int, int]:
        """Entrant id -> rank in its table, for everybody who has a place."""
        rows = (row for table in self.tables() for row in table.rows())
        return {int(row.entrant): row.rank for row in rows if row.rank is not None}

    @property
    def stakes(self) -> Stakes:
        return Stakes(self.lines, self.prizes)

    def _table(self, group: int | None, competitors: Sequence[Competitor], results: Results, seed: str | None) -> Table:
        annulled = tuple(one.entrant for one in competitors if one.annulled)
        if annulled and not self.individual:
            gone = set(annulled)
            results = [one for one in cast(list[Result], results) if one.home not in gone and one.away not in gone]
        played = who_played(results)
        ranked = [one for one in competitors if not one.annulled and (not one.withdrawn or one.entrant in played)]
        inside = {one.entrant for one in ranked}
        drawn = tuple(one for one in self.drawn if one in inside)
        chain = self.chain
        if drawn and "lots" not in chain:
            # where the regulation names nothing more, lots drawn by hand still decide what has to be decided
            chain = (*chain, "lots")
        return Table(
            group=group,
            annulled=annulled,
            chain=chain,
            entrants=tuple(one.entrant for one in ranked),
            results=results,
            ladder=self.ladder,
            individual=self.individual,
            penalties=only(self.penalties, inside),
            fines=only(self.fines, inside),
            board_points=None if self.board_points is None else only(self.board_points, inside),
            carried=only(self.carried, inside),
            extra=tuple(one for one in self.extra if one.home in inside and one.away in inside),
            excluded=tuple(one.entrant for one in ranked if one.excluded),
            drawn=drawn,
            average_byes=self.average_byes,
            stakes=self.stakes,
            seed=seed if "lots" in chain and not drawn else None,
            points_are=self.points_are,
        )

    def _knockout(self) -> KnockoutTable:
        played = {party for match in self.bracket for party in (match.home, match.away)}
        ranked = [one for one in self.competitors if not one.withdrawn or one.entrant in played]
        return KnockoutTable(
            entrants=tuple(one.entrant for one in ranked),
            matches=self.bracket,
            numbers={one.entrant: one.number for one in ranked},
            withdrawn=tuple(one.entrant for one in ranked if one.withdrawn),
            excluded=tuple(one.entrant for one in ranked if one.excluded),
            stakes=self.stakes,
        )


def rows_json(tables: Iterable[Table | KnockoutTable]) -> list[dict[str, Any]]:
    """All rows of a stage one after another; in a stage with groups each says its group."""
    return [row_json(row, table.group) for table in tables for row in table.rows()]


def row_json(row: RankedRow | KnockoutRow, group: int | None) -> dict[str, Any]:
    """A row as it is stored."""
    return row.to_json() if group is None else {**row.to_json(), "group": group}


def rows_of_question(question: Mapping[str, Any], profile: Profile) -> list[dict[str, Any]]:
    """The rows that a question of a publication leads to; Refused when it is not sound."""
    asked = {name: value for name, value in question.items() if name != "op"}
    if question.get("op") == "knockout_standings":
        return list(answer_knockout(asked)["rows"])
    if profile.division != "sides":
        return list(answer_individual_standings(asked, profile.ladder)["rows"])
    return list(answer_standings(asked, profile.ladder)["rows"])


def result_json(result: Result | IndividualResult) -> dict[str, Any]:
    """A result as the protocol writes it."""
    if isinstance(result, IndividualResult):
        return {
            "round": result.round,
            "scores": {str(entrant): exact(score) for entrant, score in result.scores.items()},
            "levels": {str(entrant): level for entrant, level in result.levels.items()},
            "winners": [str(entrant) for entrant in result.winners],
            "hands_won": {str(entrant): won for entrant, won in result.hands_won.items()},
        }
    written: dict[str, Any] = {
        "round": result.round,
        "home": result.home,
        "away": result.away,
        "home_score": exact(result.home_score),
        "away_score": exact(result.away_score),
        "outcome": str(result.outcome),
        "winner": result.winner,
    }
    if result.home_level and result.away_level:
        written |= {"home_level": result.home_level, "away_level": result.away_level}
    return written


def _somebody(result: Result | IndividualResult) -> Any:
    return next(iter(result.scores)) if isinstance(result, IndividualResult) else result.home


def only(values: Mapping[Any, Any], inside: Iterable[Any]) -> dict[Any, Any]:
    """What is said of those inside."""
    if not values:
        return {}
    known = set(inside)
    return {entrant: value for entrant, value in values.items() if entrant in known}


def _exact_by_entrant(values: Mapping[EntrantId, Fraction]) -> dict[str, str]:
    return {str(entrant): exact(value) for entrant, value in values.items()}

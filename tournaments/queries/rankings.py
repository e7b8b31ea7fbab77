"""The tables of a stage: from results, fields, rulings and lots to questions that the rules answer with rows.

`Basis` holds everything a stage's tables follow from as plain values, so that they come out the same from the database
and from an export. One stage has one table, or one for each of its groups; a knockout is ranked by how far one came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple, cast

from scoring import standings
from scoring.individual_standings import (
    IndividualResult,
    answer_individual_standings,
    rank_individuals,
)
from scoring.knockout_standings import KnockoutMatch, KnockoutRow, answer_knockout, rank_knockout
from scoring.ladder import Ladder
from scoring.match_scores import Outcome
from scoring.profiles import Profile
from scoring.results import EntrantId, ExtraMatch, Result, hundredths, score_of
from scoring.scales import Bye
from scoring.standings import NOTHING_AT_STAKE, Row, Stakes
from scoring.standings_questions import answer_standings
from scoring.values import exact

from ..models import DrawnLots, Entrant, Match, RoundStatus, Stage, StageFormat
from ..plans import Carry
from .results import (
    MATCH_COLUMNS,
    Results,
    as_result,
    counted_matches,
    open_tables,
    penalties_of,
    results_of,
    results_with,
    who_played,
)
from .rulings import Penalised, penalised
from .stages import field_of, stage_after, stage_before

KNOCKOUTS = frozenset({StageFormat.KO_TIMED.value})
#: Rulings that cost nothing.
_FREE = frozenset({"none", "warning"})


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

    def rows(self) -> tuple[Row, ...]:
        """The table, best first; who is excluded comes last."""
        shared: dict[str, Any] = {
            "seed": self.seed,
            "penalties": self.penalties,
            "fines": self.fines,
            "drawn": self.drawn,
            "carried": self.carried,
            "excluded": self.excluded,
            "stakes": self.stakes,
            "ladder": self.ladder,
        }
        if self.individual:
            return rank_individuals(self.chain, self.entrants, cast(list[IndividualResult], self.results), **shared)
        return standings.rank(
            self.chain,
            self.entrants,
            cast(list[Result], self.results),
            board_points=self.board_points,
            extra_matches=self.extra,
            average_byes=self.average_byes,
            **shared,
        )

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
            penalties=_only(self.penalties, inside),
            fines=_only(self.fines, inside),
            board_points=None if self.board_points is None else _only(self.board_points, inside),
            carried=_only(self.carried, inside),
            extra=tuple(one for one in self.extra if one.home in inside and one.away in inside),
            excluded=tuple(one.entrant for one in ranked if one.excluded),
            drawn=drawn,
            average_byes=self.average_byes,
            stakes=self.stakes,
            seed=seed if "lots" in chain and not drawn else None,
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


class Net(NamedTuple):
    """Hand or board points that each side of a match was ahead by its own scores, in hundredths."""

    home: int
    away: int | None
    home_net: int | None
    away_net: int | None


@dataclass(frozen=True, slots=True)
class StageFacts:
    """One stage as plain values, from the database or from an export.

    `results` are those that give points by round and number, `extra` the extra matches; `for_place` the place that a
    match of a knockout was for, by round and home entrant; `nets` what a chain with board points compares. `penalties`
    are those of single players, `draws` the lots drawn by hand in order; `over` whether all rounds of the stage are.
    """

    stage: Stage
    competitors: tuple[Competitor, ...]
    results: Results
    extra: Sequence[Result] = ()
    for_place: Mapping[tuple[int, EntrantId], int] = field(default_factory=dict)
    nets: Sequence[Net] = ()
    penalties: Mapping[int, int] = field(default_factory=dict)
    draws: Sequence[Sequence[int]] = ()
    over: bool = False


def basis_of(
    stage: Stage, *, up_to_round: int | None = None, over: bool | None = None, ladder: Ladder | None = None
) -> Basis:
    """What the tables of a stage follow from now, after its rounds up to a number.

    `over` says whether all its rounds are (looked up when None). `ladder` is that of other rules than the event's, to
    see what they would change.
    """
    ruled = penalised(stage.tournament)
    facts = [facts_of(stage, ruled, up_to_round=up_to_round, over=over)]
    while facts[-1].stage.directing.carry is not Carry.NONE:
        before = stage_before(facts[-1].stage)
        if before is None:
            break
        before.tournament = stage.tournament
        facts.append(facts_of(before, ruled))
    basis = make_basis(
        facts, [one for one in ruled if up_to_round is None or one.round <= up_to_round], stage_after(stage)
    )
    return basis if ladder is None else replace(basis, ladder=ladder)


def make_basis(facts: Sequence[StageFacts], ruled: Sequence[Penalised], following: Stage | None) -> Basis:
    """The basis of a stage from plain values: `facts` of the stage, then of those before as far as they are carried;
    `ruled` are the penalties of the event that stand, `following` the stage after."""
    stage, plan = facts[0].stage, facts[0].stage.directing
    event = stage.tournament
    here = [one for one in ruled if one.stage == stage.pk]
    knockout = stage.format in KNOCKOUTS
    results = set_by_ruling(facts[0].results, here)
    carried: Mapping[int, Fraction] = {}
    if len(facts) > 1 and plan.carry is Carry.POINTS:
        carried = _only(_points(make_basis(facts[1:], ruled, stage)), {one.entrant for one in facts[0].competitors})
    elif len(facts) > 1 and not event.individual:
        before = make_basis(facts[1:], ruled, stage)
        results = [*_between(before.results, facts[0].competitors), *cast(list[Result], results)]
    penalties = penalties_ruled(here) if "penalties" in stage.chain else {}
    return Basis(
        knockout=knockout,
        individual=event.individual,
        chain=tuple(stage.chain),
        ladder=event.profile.ladder,
        competitors=facts[0].competitors,
        results=results,
        bracket=_bracket(facts[0]) if knockout else (),
        extra=tuple(_extra(one) for one in facts[0].extra if one.away is not None),
        penalties=facts[0].penalties if event.individual else penalties,
        fines=fines_ruled(here),
        board_points=_net_points(facts[0].nets) if "board_points" in stage.chain else None,
        carried=carried,
        drawn=drawn_by_hand(facts[0].draws),
        # until all rounds are over nobody knows the average of the others
        average_byes=plan.bye is Bye.AVERAGE and not event.individual and facts[0].over,
        lines=lines_of(stage, following),
        prizes=plan.prizes,
    )


_PLACED = ("round__number", "home_id", "for_place")
#: The columns of `Net`.
NET_COLUMNS = ("home_id", "away_id", "net_hundredths", "away_net_hundredths")


def facts_of(
    stage: Stage, ruled: Iterable[Penalised], *, up_to_round: int | None = None, over: bool | None = None
) -> StageFacts:
    """A stage from the database, after its rounds up to a number."""
    draws = DrawnLots.objects.filter(stage=stage).order_by("number").values_list("order", flat=True)
    averaged = stage.directing.bye is Bye.AVERAGE
    # only what the stage needs: these rows are many
    counted = counted_matches(stage, up_to_round)
    places = counted.filter(for_place__isnull=False) if stage.format in KNOCKOUTS else counted.none()
    nets = counted.filter(round__extra=False) if "board_points" in stage.chain else counted.none()
    return StageFacts(
        stage=stage,
        competitors=competitors_of(stage, ruled),
        results=results_of(stage, up_to_round=up_to_round),
        extra=[as_result(row) for row in counted.filter(round__extra=True).values_list(*MATCH_COLUMNS)],
        for_place={(number, home): place for number, home, place in places.values_list(*_PLACED)},
        nets=[Net(*row) for row in nets.values_list(*NET_COLUMNS)],
        penalties=penalties_of(stage, up_to_round),
        draws=list(draws),
        over=over if over is not None else averaged and is_over(stage, up_to_round=up_to_round),
    )


def competitors_of(stage: Stage, ruled: Iterable[Penalised] = ()) -> tuple[Competitor, ...]:
    """The field of a stage by number, withdrawn ones included."""
    columns = ("pk", "annulled_in", "excluded_at")
    marked = Entrant.objects.filter(tournament=stage.tournament_id).exclude(annulled_in=None, excluded_at=None)
    rows = list(marked.values_list(*columns))
    annulled = {pk for pk, annulled_in, _ in rows if annulled_in == stage.pk}
    out = {pk for pk, _, excluded in rows if excluded is not None} | excluded_by(ruled)
    return tuple(
        Competitor(
            place.entrant,
            place.number,
            place.group,
            place.withdrawn,
            place.entrant in annulled,
            place.entrant in out,
        )
        for place in sorted(field_of(stage), key=lambda place: place.number)
    )


def excluded_by(ruled: Iterable[Penalised]) -> set[int]:
    """Whom rulings exclude from the placing."""
    return {entrant for one in ruled if one.unit == "exclusion" for entrant in one.guilty}


def _bracket(facts: StageFacts) -> tuple[KnockoutMatch, ...]:
    return tuple(
        _knockout_match(one, facts.for_place.get((one.round, one.home))) for one in cast(list[Result], facts.results)
    )


def with_result(basis: Basis, match: Match, columns: Mapping[str, Any]) -> Basis:
    """The basis as it would be with these columns for one of the stage's matches ("places": those of places)."""
    if match.round.extra:
        parties = {match.home_id, match.away_id}
        others = tuple(one for one in basis.extra if {one.home, one.away} != parties)
        made = _results_of_columns(match, columns)
        return replace(basis, extra=(*others, *(_extra(one) for one in made)))
    if not basis.knockout:
        return replace(basis, results=results_with(basis.results, match, columns))
    number = match.round.number
    others_played = tuple(one for one in basis.bracket if (one.round, one.home) != (number, match.home_id))
    made = _results_of_columns(match, columns)
    return replace(basis, bracket=(*others_played, *(_knockout_match(one, match.for_place) for one in made)))


def _results_of_columns(match: Match, columns: Mapping[str, Any]) -> list[Result]:
    return cast(list[Result], results_with(cast(Results, []), match, columns))


def lines_of(stage: Stage, following: Stage | None) -> tuple[int, ...] | None:
    """The places that decide something: the lines of the plan, and how many come into the next stage; None: all do."""
    qualify = following.directing.qualify if following is not None else None
    lines = {*stage.directing.places, *([] if qualify is None else [qualify])}
    return tuple(sorted(lines)) or None


#: Status and `extra` of an extra round nobody has published.
_ASKED_FOR: Final = (RoundStatus.DRAFT, True)


def is_over(stage: Stage, *, up_to_round: int | None = None) -> bool:
    """Whether all rounds that the stage plans are closed and nothing in it is open.

    An extra round that is only a draft opens nothing: it may have been asked for by mistake.
    """
    rounds = stage.rounds.all() if up_to_round is None else stage.rounds.filter(number__lte=up_to_round)
    known = list(rounds.values_list("status", "extra"))
    closed = sum(status == RoundStatus.CLOSED and not extra for status, extra in known)
    open_rounds = [status for status, extra in known if status != RoundStatus.CLOSED and (status, extra) != _ASKED_FOR]
    if closed < stage.rounds_planned or open_rounds:
        return False
    return not open_tables(stage, up_to_round=up_to_round)


def set_by_ruling(results: Results, ruled: Iterable[Penalised]) -> Results:
    """The results with the match scores that rulings set (not those they add to: these are fines)."""
    sets: dict[tuple[int, EntrantId], Fraction] = {
        (one.round, entrant): score for one in ruled for entrant, score in one.scores.items()
    }
    if not sets:
        return results
    if results and isinstance(results[0], IndividualResult):
        return [
            one._replace(scores={who: sets.get((one.round, who), score) for who, score in one.scores.items()})
            for one in results
        ]
    return [
        one._replace(
            home_score=sets.get((one.round, one.home), one.home_score),
            away_score=one.away_score if one.away is None else sets.get((one.round, one.away), one.away_score),
        )
        for one in cast(list[Result], results)
    ]


def fines_ruled(ruled: Iterable[Penalised]) -> dict[int, Fraction]:
    """Points taken off in the table, by entrant: what rulings add to match points, seen from the other end."""
    fines: dict[int, Fraction] = {}
    for one in ruled:
        if one.unit == "match_points" and one.entry.get("mode") == "add":
            for entrant in one.guilty:
                fines[entrant] = fines.get(entrant, Fraction(0)) - score_of(one.entry["match_points"])
    return {entrant: fine for entrant, fine in fines.items() if fine}


def penalties_ruled(ruled: Iterable[Penalised]) -> dict[int, int]:
    """How often each entrant was penalised: rulings that stand and cost something."""
    return dict(Counter(entrant for one in ruled if one.unit not in _FREE for entrant in one.guilty))


def drawn_by_hand(draws: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The lots drawn by hand in order of the draws: whoever is in a later draw leaves the earlier ones."""
    order: list[int] = []
    for draw in draws:
        order = [one for one in order if one not in draw] + list(draw)
    return tuple(order)


def _knockout_match(result: Result, for_place: int | None) -> KnockoutMatch:
    winner = result.home if result.outcome is Outcome.BYE else result.winner
    return KnockoutMatch(result.round, result.home, result.away, winner, result.outcome, for_place)


def _extra(result: Result) -> ExtraMatch:
    return ExtraMatch(result.home, cast(EntrantId, result.away), result.winner)


def _net_points(nets: Iterable[Net]) -> dict[int, Fraction]:
    """Net hand or board points by entrant over all matches played, each by its own scores."""
    net: dict[int, Fraction] = {}
    for one in nets:
        for entrant, ahead in ((one.home, one.home_net), (one.away, one.away_net)):
            if entrant is not None and ahead is not None:
                net[entrant] = net.get(entrant, Fraction(0)) + hundredths(ahead)
    return net


def points_of(stage: Stage) -> dict[int, Fraction]:
    """All points of a stage by entrant, after fines and with what was brought into it."""
    return _points(basis_of(stage))


def _points(basis: Basis) -> dict[int, Fraction]:
    plain = replace(basis, knockout=False, chain=("points",), drawn=())
    return {
        int(row.entrant): cast(Fraction, row.values["points"])
        for table in plain.tables()
        for row in cast(Table, table).rows()
    }


def _between(results: Results, competitors: Sequence[Competitor]) -> list[Result]:
    """The results of the stage before between those who meet again: in the field now, and in one group."""
    group: dict[EntrantId | None, int | None] = {one.entrant: one.group for one in competitors}
    return [
        one
        for one in cast(list[Result], results)
        if one.home in group and one.away in group and group[one.home] == group[one.away]
    ]


def rows_json(tables: Iterable[Table | KnockoutTable]) -> list[dict[str, Any]]:
    """All rows of a stage one after another; in a stage with groups each says its group."""
    return [
        row.to_json() if table.group is None else {**row.to_json(), "group": table.group}
        for table in tables
        for row in table.rows()
    ]


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


def _only(values: Mapping[Any, Any], inside: Iterable[Any]) -> dict[Any, Any]:
    if not values:
        return {}
    known = set(inside)
    return {entrant: value for entrant, value in values.items() if entrant in known}


def _exact_by_entrant(values: Mapping[EntrantId, Fraction]) -> dict[str, str]:
    return {str(entrant): exact(value) for entrant, value in values.items()}

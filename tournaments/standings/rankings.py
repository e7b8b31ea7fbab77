"""All that the ranking of a stage depends on, as one value (`Basis`): its facts, from the database or an export, the
stages before it and the rulings. `tables` ranks it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from scoring.individual.standings import (
    IndividualResult,
)
from scoring.ladder import Ladder
from scoring.standings.knockout import KnockoutMatch
from scoring.standings.match_scores import Outcome
from scoring.standings.results import EntrantId, ExtraMatch, Result, score_of
from scoring.standings.scales import Bye

from ..acts.text import digest_of
from ..models import DrawnLots, Entrant, Match, RoundStatus, Stage, StageFormat
from ..plans.plan import Carry
from .penalised import FREE, Penalised, penalised
from .results import (
    MATCH_COLUMNS,
    Results,
    as_result,
    counted_matches,
    finer_or_hundredths,
    open_tables,
    penalties_of,
    results_of,
    results_with,
)
from .stage_order import field_of, stage_after, stage_before
from .tables import Basis, Competitor, Table, only, rows_json

KNOCKOUTS = frozenset({StageFormat.KO_TIMED.value})


class Net(NamedTuple):
    """Hand or board points that each side of a match was ahead by its own scores: in hundredths, and in `finer` exactly
    where hundredths do not hold them."""

    home: int
    away: int | None
    home_net: int | None
    away_net: int | None
    finer: Mapping[str, str] | None = None


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
    stage: Stage,
    *,
    up_to_round: int | None = None,
    over: bool | None = None,
    ladder: Ladder | None = None,
    results: Results | None = None,
) -> Basis:
    """What the tables of a stage follow from now, after its rounds up to a number.

    `over` says whether all its rounds are (looked up when None). `ladder` is that of other rules than the event's, to
    see what they would change. `results` are those of the stage where they have been read already.
    """
    ruled = penalised(stage.tournament)
    facts = [facts_of(stage, ruled, up_to_round=up_to_round, over=over, results=results)]
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


def live_table(stage: Stage) -> dict[str, Any]:
    """The live table of a stage as it is now: `rows` group after group, their `digest`, whether it is `provisional`.

    Only the final publication draws lots from the seed.
    """
    rows = rows_json(basis_of(stage).tables())
    return {"rows": rows, "digest": digest_of(rows), "provisional": bool(open_tables(stage))}


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
        carried = only(_points(make_basis(facts[1:], ruled, stage)), {one.entrant for one in facts[0].competitors})
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
        points_are=stage.points_are,
    )


_PLACED = ("round__number", "home_id", "for_place")
#: The columns of `Net`.
NET_COLUMNS = ("home_id", "away_id", "net_hundredths", "away_net_hundredths", "finer_scores")


def facts_of(
    stage: Stage,
    ruled: Iterable[Penalised],
    *,
    up_to_round: int | None = None,
    over: bool | None = None,
    results: Results | None = None,
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
        results=results_of(stage, up_to_round=up_to_round) if results is None else results,
        extra=[as_result(row) for row in counted.filter(round__extra=True).values_list(*MATCH_COLUMNS)],
        for_place={(number, home): place for number, home, place in places.values_list(*_PLACED)},
        nets=[Net(*row) for row in nets.values_list(*NET_COLUMNS)],
        penalties=penalties_of(stage, up_to_round),
        draws=list(draws),
        over=over if over is not None else averaged and is_over(stage, up_to_round=up_to_round),
    )


def competitors_of(stage: Stage, ruled: Iterable[Penalised]) -> tuple[Competitor, ...]:
    """The field of a stage by number, withdrawn ones included."""
    annulled = set(Entrant.objects.filter(annulled_in=stage).values_list("pk", flat=True))
    out = excluded_by(ruled)
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


def is_over(stage: Stage, *, up_to_round: int | None = None) -> bool:
    """Whether all rounds that the stage plans are closed and nothing in it is open."""
    rounds = stage.rounds.all() if up_to_round is None else stage.rounds.filter(number__lte=up_to_round)
    if not rounds_over(rounds.values_list("status", "extra"), stage.rounds_planned):
        return False
    return not open_tables(stage, up_to_round=up_to_round)


def rounds_over(rounds: Iterable[tuple[str, bool]], planned: int) -> bool:
    """Whether all planned rounds are closed and no other is open; `rounds` are status and `extra` of each.

    An extra round that is only a draft opens nothing: it may have been asked for by mistake.
    """
    known = list(rounds)
    closed = sum(status == RoundStatus.CLOSED and not extra for status, extra in known)
    still_open = [one for one in known if one[0] != RoundStatus.CLOSED and one != (RoundStatus.DRAFT, True)]
    return closed >= planned and not still_open


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
    return dict(Counter(entrant for one in ruled if one.unit not in FREE for entrant in one.guilty))


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
        for entrant, name, ahead in ((one.home, "net", one.home_net), (one.away, "away_net", one.away_net)):
            if entrant is not None and ahead is not None:
                net[entrant] = net.get(entrant, Fraction(0)) + finer_or_hundredths(one.finer, name, ahead)
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

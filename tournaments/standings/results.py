"""Finished matches as kernel values: what standings are folded from. Reads match rows and places, never hands."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, cast

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Mod, NullIf

from scoring.individual.standings import IndividualResult
from scoring.standings.match_scores import Outcome
from scoring.standings.results import Result, hundredths, score_of

from ..models import (
    Match,
    MatchOutcome,
    MatchPlace,
    RoundStatus,
    SideChoice,
    Sitting,
    SittingPhase,
    Stage,
    StageFormat,
    StaleCount,
)
from .penalised import appeals_of, open_appeals
from .stage_order import field_of

COUNTED_ROUNDS = (RoundStatus.RUNNING, RoundStatus.CLOSED)


# what a result is made of, of one finished match
MATCH_COLUMNS = (
    "round__number",
    "home_id",
    "away_id",
    "home_hundredths",
    "away_hundredths",
    "home_level",
    "away_level",
    "outcome",
    "winner_side",
    "finer_scores",
)

_OUTCOME = MATCH_COLUMNS.index("outcome")
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
# read some thousand times a table, so looked up here once
_HOME_ABSENT, _AWAY_ABSENT = Outcome.HOME_FORFEIT, Outcome.AWAY_FORFEIT
_HOME_SIDE, _AWAY_SIDE = SideChoice.NS.value, SideChoice.EW.value


def as_result(row: Sequence[Any]) -> Result:
    """The kernel's result of one finished match (a row of `MATCH_COLUMNS`)."""
    number, home, away, home_score, away_score, home_level, away_level, outcome, winner_side, finer = row
    how = _OUTCOMES[outcome]
    if how is _HOME_ABSENT:
        winner = away
    elif how is _AWAY_ABSENT:
        winner = home
    else:
        winner = home if winner_side == _HOME_SIDE else away if winner_side == _AWAY_SIDE else None
    return Result(
        number,
        home,
        away,
        finer_or_hundredths(finer, "home", home_score) if finer else hundredths(home_score),
        finer_or_hundredths(finer, "away", away_score or 0) if finer else hundredths(away_score or 0),
        home_level or None,
        away_level or None,
        how,
        winner,
    )


def finer_or_hundredths(finer: Mapping[str, str] | None, name: str, number: int) -> Fraction:
    """A score of a match: exact as `finer_scores` has it, else its whole hundredths."""
    return score_of(finer[name]) if finer and name in finer else hundredths(number)


#: Finished matches of two sides, or finished tables of single players.
Results = list[Result] | list[IndividualResult]

#: What one place of a finished table comes to.
PLACE_COLUMNS = ("entrant_id", "hundredths", "level", "hands_won", "winner")


def as_table(number: int, rows: Iterable[Sequence[Any]]) -> IndividualResult:
    """The kernel's result of one finished table in round `number` (rows of `PLACE_COLUMNS`)."""
    rows = list(rows)
    return IndividualResult(
        round=number,
        scores={entrant: hundredths(score) for entrant, score, *_ in rows},
        levels={entrant: level for entrant, _, level, *_ in rows if level},
        winners=tuple(entrant for entrant, *_, winner in rows if winner),
        hands_won={entrant: won for entrant, _, _, won, _ in rows},
    )


def results_of(stage: Stage, *, up_to_round: int | None = None) -> Results:
    """Every finished match of the stage's running and closed rounds (up to a round number), by round and number.

    Extra matches give no points and are left out.
    """
    return tables_of(stage, up_to_round) if stage.tournament.individual else matches_of(stage, up_to_round)


def has_results(stage: Stage) -> bool:
    """Whether any match of the stage that counts is finished."""
    if stage.tournament.individual:
        return _finished_places(stage, None).exists()
    return counted_matches(stage).filter(round__extra=False).exists()


def results_among(stage: Stage, entrants: Collection[int] | None) -> Results:
    """The results of these entrants (ids; None: of everybody) and whoever they met."""
    if entrants is None:
        return results_of(stage)
    if stage.tournament.individual:
        return [one for one in tables_of(stage) if not one.scores.keys().isdisjoint(entrants)]
    return _results(counted_matches(stage).filter(Q(home__in=entrants) | Q(away__in=entrants)))


def tables_of(stage: Stage, up_to_round: int | None = None) -> list[IndividualResult]:
    """The finished tables of single players; who sits out has no score."""
    columns = ("round__number", "match__number", *PLACE_COLUMNS)
    rows = _finished_places(stage, up_to_round).order_by("round__number", "match__number", "place")
    grouped = groupby(rows.values_list(*columns), key=lambda row: row[:2])
    return [as_table(number, [row[2:] for row in places]) for (number, _), places in grouped]


def penalties_of(stage: Stage, up_to_round: int | None = None) -> dict[int, int]:
    """How many penalties each single player received at finished tables."""
    found: Counter[int] = Counter()
    if stage.tournament.individual:
        rows = _finished_places(stage, up_to_round).filter(penalties__gt=0)
        for entrant, count in rows.order_by("entrant_id").values_list("entrant_id", "penalties"):
            found[entrant] += count or 0
    return dict(found)


def _finished_places(stage: Stage, up_to_round: int | None) -> QuerySet[MatchPlace]:
    rows = MatchPlace.objects.filter(
        round__stage=stage,
        round__status__in=COUNTED_ROUNDS,
        round__extra=False,
        active=True,
        match__outcome=MatchOutcome.PLAYED,
    )
    return rows if up_to_round is None else rows.filter(round__number__lte=up_to_round)


def counted_matches(stage: Stage, up_to_round: int | None = None) -> QuerySet[Match]:
    """The finished matches of the stage's running and closed rounds that stand, extra ones among them."""
    rows = (
        Match.objects.filter(round__stage=stage, round__status__in=COUNTED_ROUNDS, superseded_in=None)
        .exclude(outcome=MatchOutcome.PENDING)
        .order_by("round__number", "number")
    )
    return rows if up_to_round is None else rows.filter(round__number__lte=up_to_round)


def matches_of(stage: Stage, up_to_round: int | None = None) -> list[Result]:
    """The finished matches of two sides, without extra ones."""
    return _results(counted_matches(stage, up_to_round))


def _results(matches: QuerySet[Match]) -> list[Result]:
    return list(results_by_match(matches).values())


def results_by_match(matches: QuerySet[Match]) -> dict[int, Result]:
    """The results of these matches of two sides by id, without those of extra ones."""
    rows = matches.filter(round__extra=False).annotate(finer=_FINER)
    return {pk: _read(row) for pk, *row in rows.values_list("pk", *MATCH_COLUMNS[:-1], "finer")}


def _read(row: Sequence[Any]) -> Result:
    return as_result(row if row[-1] is None else (*row[:-1], json.loads(row[-1])))


# few matches have finer scores: as a column of JSON each row would pass through a converter of its own
_FINER = NullIf(Cast("finer_scores", TextField()), Value("{}"), output_field=TextField())


def results_at_tables(stage: Stage, slots: Collection[int]) -> dict[int, Result | None] | None:
    """The results of the matches at tables whose acts these counters count (`doorbell.slot_of`), by id; None for a
    match that does not count (any more). None instead of all where one of them is an extra match."""
    tables = Sitting.objects.annotate(slot=Mod("pk", StaleCount.SLOTS)).filter(round__stage=stage, slot__in=slots)
    rows = Match.objects.filter(pk__in=tables.order_by().values("match")).order_by().annotate(finer=_FINER)
    of_match = ("pk", "round__extra", "round__status", "superseded_in", *MATCH_COLUMNS[:-1], "finer")
    found: dict[int, Result | None] = {}
    for pk, extra, status, superseded, *row in rows.values_list(*of_match):
        if extra:
            return None
        counts = status in COUNTED_ROUNDS and superseded is None and row[_OUTCOME] != MatchOutcome.PENDING
        found[pk] = _read(row) if counts else None
    return found


def results_with(results: Results, match: Match, columns: Mapping[str, Any]) -> Results:
    """The results of a stage as they would be with these columns for one of its matches ("places": those of places)."""
    return _tables_with(results, match, columns) if match.individual else _matches_with(results, match, columns)


def _tables_with(results: Results, match: Match, columns: Mapping[str, Any]) -> list[IndividualResult]:
    number, places = match.round.number, list(match.places.all())
    here = {place.entrant_id for place in places}
    tables = cast(list[IndividualResult], results)
    others = [one for one in tables if one.round != number or not here & set(one.scores)]
    if columns["outcome"] == MatchOutcome.PENDING:
        return others
    made = [{**columns["places"][place.place], "entrant_id": place.entrant_id} for place in places]
    return [*others, as_table(number, [[row[name] for name in PLACE_COLUMNS] for row in made])]


def _matches_with(results: Results, match: Match, columns: Mapping[str, Any]) -> list[Result]:
    number, matches = match.round.number, cast(list[Result], results)
    others = [one for one in matches if (one.round, one.home) != (number, match.home_id)]
    if columns["home_hundredths"] is None or match.away_id is None:
        return others
    known = {"round__number": number, "home_id": match.home_id, "away_id": match.away_id}
    row = {**columns, "outcome": str(columns["outcome"]), **known}
    return [*others, as_result([row[name] for name in MATCH_COLUMNS])]


def who_played(results: Results) -> set[Any]:
    """Ids of those with a result."""
    played: set[Any] = set()
    for result in results:
        played.update(result.scores if isinstance(result, IndividualResult) else (result.home, result.away))
    return played


#: Formats in which everybody of a group (or of the whole field) meets everybody.
ALL_MEET = frozenset({StageFormat.ROUND_ROBIN, StageFormat.GROUPS, StageFormat.DUPLICATE_TEAMS})


def before_half(played: int, planned: int) -> bool:
    """Whether fewer than half of the matches of a round robin are played: who leaves then leaves no results behind."""
    return 2 * played < planned


def annuls(stage: Stage, entrant_id: int) -> bool:
    """Whether the results of a side that withdraws now are annulled: before half of its round robin is played.

    Afterwards what it still had to play is forfeited. Forfeits count as played, byes and extra matches do not.
    """
    if stage.format not in ALL_MEET:
        return False
    places = {place.entrant: place for place in field_of(stage)}
    if entrant_id not in places:
        return False
    planned = sum(place.group == places[entrant_id].group for place in places.values()) - 1
    own = Match.objects.filter(
        Q(home=entrant_id) | Q(away=entrant_id),
        round__stage=stage,
        round__extra=False,
        round__status__in=COUNTED_ROUNDS,
        superseded_in=None,
    )
    return before_half(own.exclude(outcome__in=(MatchOutcome.PENDING, MatchOutcome.BYE)).count(), planned)


def open_tables(stage: Stage, *, up_to_round: int | None = None) -> list[dict[str, object]]:
    """What keeps a table of standings provisional, by round and table: sittings in play, in dispute, under appeal."""
    return tables_in_play(stage, up_to_round=up_to_round) + open_appeals(stage, up_to_round=up_to_round)


def tables_in_play(stage: Stage, *, up_to_round: int | None = None) -> list[dict[str, object]]:
    """Those of them that are in play or in dispute."""
    sittings = _in_play(stage).order_by("round__number", "table__number")
    if up_to_round is not None:
        sittings = sittings.filter(round__number__lte=up_to_round)
    return [
        {"round": number, "table": table, "phase": str(phase), "sitting": pk}
        for pk, number, table, phase in sittings.values_list("pk", "round__number", "table__number", "phase")
    ]


@dataclass(frozen=True, slots=True)
class OpenTables:
    """Tables of one round, by number, that keep a table of standings open for the same reason."""

    round: int
    tables: tuple[int, ...]
    appeal: bool


def open_by_round(items: Iterable[Mapping[str, Any]]) -> list[OpenTables]:
    """Open tables by round, in each those without a result before those under appeal."""
    found: dict[tuple[int, bool], set[int]] = defaultdict(set)
    for item in items:
        found[item["round"], item["phase"] == "appeal"].add(item["table"])
    return [OpenTables(number, tuple(sorted(tables)), appeal) for (number, appeal), tables in sorted(found.items())]


def is_provisional() -> Q:
    """Whether anything keeps the live table of a stage provisional, as part of a query of stages."""
    stage = OuterRef("pk")
    return Exists(_in_play(stage)) | Exists(appeals_of(stage))


def _in_play(stage: Stage | OuterRef) -> QuerySet[Sitting]:
    rows = Sitting.objects.filter(round__stage=stage, round__status__in=COUNTED_ROUNDS, active=True)
    over = [outcome for outcome in MatchOutcome.values if outcome != MatchOutcome.PENDING]
    return rows.exclude(phase=SittingPhase.FINISHED).exclude(match__outcome__in=over)

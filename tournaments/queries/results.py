"""Finished matches as kernel values: what standings are folded from. Reads match rows, never hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.match_scores import Outcome
from scoring.results import Result, hundredths

from ..models import Entrant, Match, MatchOutcome, RoundStatus, SideChoice, Sitting, SittingPhase, Stage

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
)

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
# read some thousand times a table, so looked up here once
_HOME_ABSENT, _AWAY_ABSENT = Outcome.HOME_FORFEIT, Outcome.AWAY_FORFEIT
_HOME_SIDE, _AWAY_SIDE = SideChoice.NS.value, SideChoice.EW.value


def as_result(row: Sequence[Any]) -> Result:
    """The kernel's result of one finished match (a row of `MATCH_COLUMNS`)."""
    number, home, away, home_score, away_score, home_level, away_level, outcome, winner_side = row
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
        hundredths(home_score),
        hundredths(away_score or 0),
        home_level or None,
        away_level or None,
        how,
        winner,
    )


def results_of(stage: Stage, *, up_to_round: int | None = None) -> list[Result]:
    """Every finished match of the stage's running and closed rounds (up to a round number), by round and number."""
    rows = (
        Match.objects.filter(round__stage=stage, round__status__in=COUNTED_ROUNDS, superseded_in=None)
        .exclude(outcome=MatchOutcome.PENDING)
        .order_by("round__number", "number")
    )
    if up_to_round is not None:
        rows = rows.filter(round__number__lte=up_to_round)
    return [as_result(row) for row in rows.values_list(*MATCH_COLUMNS)]


def results_with(stage: Stage, results: Sequence[Result], match: Match, columns: Mapping[str, Any]) -> list[Result]:
    """The results of a stage as they would be with these columns for one of its matches."""
    number = match.round.number
    others = [one for one in results if (one.round, one.home) != (number, match.home_id)]
    if columns["home_hundredths"] is None or match.away_id is None:
        return others
    known = {"round__number": number, "home_id": match.home_id, "away_id": match.away_id}
    row = {**columns, "outcome": str(columns["outcome"]), **known}
    return [*others, as_result([row[name] for name in MATCH_COLUMNS])]


def ranked_entrants(stage: Stage, results: Iterable[Result]) -> list[int]:
    """Ids of who is ranked, by number: everybody entered, but not who withdrew without a result."""
    played = {entrant for result in results for entrant in (result.home, result.away)}
    entrants = Entrant.objects.filter(tournament=stage.tournament_id).order_by("number")
    return [pk for pk, withdrawn in entrants.values_list("pk", "withdrawn_at") if withdrawn is None or pk in played]


def open_tables(stage: Stage, *, up_to_round: int | None = None) -> list[dict[str, object]]:
    """What keeps a table of standings provisional: sittings in play, waiting or in dispute, by round and table."""
    sittings = (
        Sitting.objects.filter(round__stage=stage, round__status__in=COUNTED_ROUNDS, active=True)
        .exclude(phase=SittingPhase.FINISHED)
        .exclude(match__outcome__in=[outcome for outcome in MatchOutcome.values if outcome != MatchOutcome.PENDING])
        .order_by("round__number", "table__number")
    )
    if up_to_round is not None:
        sittings = sittings.filter(round__number__lte=up_to_round)
    return [
        {"round": number, "table": table, "phase": str(phase), "sitting": pk}
        for pk, number, table, phase in sittings.values_list("pk", "round__number", "table__number", "phase")
    ]

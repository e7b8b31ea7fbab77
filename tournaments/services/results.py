"""What a fold means for its match: the columns of the result, and the cached state of the sitting."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from scoring import match_scores
from scoring.individual import results_of as results_of_places
from scoring.match_scores import Outcome, Party
from scoring.states import EntryResult, SittingState
from scoring.values import Side

from ..models import MatchOutcome, MatchPlace, Stage
from ..queries.games import IndividualState, State
from .ledgers import Ledger

BY_LOTS = "lots"
FORFEITS = frozenset({MatchOutcome.HOME_FORFEIT, MatchOutcome.AWAY_FORFEIT, MatchOutcome.DOUBLE_FORFEIT})


#: The columns of a match that has no result.
OPEN_RESULT: Mapping[str, Any] = {
    "outcome": MatchOutcome.PENDING,
    "home_level": "",
    "away_level": "",
    "winner_side": "",
    "decided_by": "",
    "home_hundredths": None,
    "away_hundredths": None,
}


def cached_state(state: State) -> dict[str, Any]:
    """What a sitting keeps of its fold: the state without the results of single entries."""
    data = state.to_json()
    del data["entries"]
    return data


def match_result(ledger: Ledger, state: State) -> dict[str, Any]:
    """The columns of a match's result as the fold gives it; pending while it is not over or lots have to decide.

    A lot that was drawn for these levels stays, whatever else is corrected. In an individual game they only say that
    the match is over, and how: see `place_results`.
    """
    if isinstance(state, IndividualState):
        outcome = MatchOutcome.PLAYED if state.finished else MatchOutcome.PENDING
        return {**OPEN_RESULT, "outcome": outcome, "decided_by": (state.end_reason or "") if state.finished else ""}
    drawn = ledger.match.winner_side if ledger.match.decided_by == BY_LOTS else ""
    if drawn and state.finished and state.undecided is not None:
        return decided_by_lot(ledger, state, Side(drawn))
    if not state.finished or state.undecided is not None:
        return dict(OPEN_RESULT)
    if state.decided_by == "forfeit":
        outcome = MatchOutcome.AWAY_FORFEIT if state.winner is Side.NS else MatchOutcome.HOME_FORFEIT
        return unplayed_result(ledger.stage, outcome)
    levels = {side: final_level(state, side) for side in Side}
    by_tie_rule = _party(state.winner) if state.decided_by == "tie_rule" else None
    return played_result(
        ledger, levels, by_tie_rule=by_tie_rule, decided_by=state.decided_by or "", hand_points=hand_points_of(state)
    )


def decided_by_lot(ledger: Ledger, state: SittingState, winner: Side) -> dict[str, Any]:
    """The columns of a match with equal levels that a lot decided."""
    levels = {side: final_level(state, side) for side in Side}
    return played_result(
        ledger, levels, by_tie_rule=_party(winner), decided_by=BY_LOTS, hand_points=hand_points_of(state)
    )


def played_result(
    ledger: Ledger, levels: Mapping[Side, str], *, by_tie_rule: Party | None, decided_by: str, hand_points: int
) -> dict[str, Any]:
    """The columns of a match that was played to these final levels."""
    by_hands = match_scores.SCALES[ledger.stage.match_score].by_hands
    score = match_scores.score(
        ledger.stage.match_score,
        home=levels[Side.NS],
        away=levels[Side.EW],
        by_tie_rule=None if by_hands else by_tie_rule,
        ladder=ledger.profile.ladder,
        hand_points=hand_points if by_hands else None,
    )
    winner = {Party.HOME: Side.NS, Party.AWAY: Side.EW}.get(score.winner) if score.winner is not None else None
    return {
        "outcome": MatchOutcome.PLAYED,
        "home_level": levels[Side.NS],
        "away_level": levels[Side.EW],
        "winner_side": "" if winner is None else str(winner),
        "decided_by": decided_by,
        "home_hundredths": int(score.home * 100),
        "away_hundredths": int(score.away * 100),
    }


def unplayed_result(stage: Stage, outcome: MatchOutcome) -> dict[str, Any]:
    """The columns of a match that a side did not play."""
    score = match_scores.score(stage.match_score, home=None, away=None, outcome=Outcome(str(outcome)))
    winner = {MatchOutcome.HOME_FORFEIT: "EW", MatchOutcome.AWAY_FORFEIT: "NS"}.get(outcome, "")
    return {
        "outcome": outcome,
        "home_level": "",
        "away_level": "",
        "winner_side": winner,
        "decided_by": "forfeit",
        "home_hundredths": int(score.home * 100),
        "away_hundredths": int(score.away * 100),
    }


def place_results(state: State) -> dict[str, dict[str, Any]]:
    """The columns of each place's result by place, empty ones until the match is over; none in a match of two sides."""
    if not isinstance(state, IndividualState):
        return {}
    nothing = {"hundredths": None, "level": "", "hands_won": None, "penalties": None, "winner": None}
    return {
        str(one.place): {
            "hundredths": int(one.score * 100),
            "level": one.level_text or "",
            "hands_won": one.hands_won,
            "penalties": one.penalties,
            "winner": one.winner,
        }
        if state.finished
        else nothing
        for one in results_of_places(state)
    }


def ruled_on_match(ledger: Ledger) -> bool:
    """Whether a forfeit was ruled on the match rather than entered in the ledger."""
    return ledger.match.outcome in FORFEITS and ledger.sitting.state.get("end_reason") != "forfeit"


def final_level(state: SittingState, side: Side) -> str:
    """A side's level at the end: a rank, or "passed"."""
    return match_scores.PASSED if state.passed is side else str(state.levels[side])


def hand_points_of(state: SittingState) -> int:
    """The home side's sum of hand points over the hands that count."""
    return sum(_home_points(result) for result in state.entries if result.winner_role is not None)


def _home_points(result: EntryResult) -> int:
    points = match_scores.hand_points(deal_changes_hands=result.deal_changes_hands, levels=result.levels_won)
    dealing = result.dealer.side if result.dealer is not None else None
    return points if dealing is Side.EW else -points


def _party(side: Side | None) -> Party | None:
    return None if side is None else Party.HOME if side is Side.NS else Party.AWAY


def cache_result(ledger: Ledger, state: State, *, at: datetime) -> bool:
    """Write the match's result as the fold gives it; whether the match is over.

    A forfeit ruled on the match itself stays: the ledger does not know of it.
    """
    match = ledger.match
    if ruled_on_match(ledger):
        return True
    result = match_result(ledger, state)
    if result["outcome"] != MatchOutcome.PENDING or match.outcome != MatchOutcome.PENDING:
        write_result(ledger, result, at=at, places=place_results(state))
    return state.finished


def write_result(
    ledger: Ledger, result: Mapping[str, Any], *, at: datetime, places: Mapping[str, Mapping[str, Any]] | None = None
) -> None:
    """Write a match's result, first what each place has: the database holds that a played match is complete."""
    match = ledger.match
    for place, columns in (places or {}).items():
        MatchPlace.objects.filter(match=match, place=place).update(**columns)
    finished_at = None if result["outcome"] == MatchOutcome.PENDING else match.finished_at or at
    for name, value in {**result, "finished_at": finished_at}.items():
        setattr(match, name, value)
    match.save(update_fields=[*result, "finished_at"])

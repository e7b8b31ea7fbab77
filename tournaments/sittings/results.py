"""What a fold means for its match: the columns of the result, and the cached state of the sitting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from scoring.individual.fold import results_of as results_of_places
from scoring.individual.states import IndividualState
from scoring.sittings.series import Game, levels_of, series_of
from scoring.sittings.states import EntryResult, SittingState
from scoring.standings import match_scores, scales
from scoring.standings.match_scores import Outcome
from scoring.standings.results import is_score
from scoring.standings.scales import Party
from scoring.values import Side, exact

from ..acts.change import Move, MoveAll, Write
from ..boards.reads import marks_of, pair_tables, room_of, rooms_of
from ..boards.results import board_writes, hold_field, hold_match
from ..models import Match, MatchOutcome, MatchPlace, Stage, StageFormat, TieRule
from ..plans.boards import BoardMatch, FieldMatch, PairTable, Room, compare, in_field
from .games import State, two_sides
from .ledgers import Ledger
from .next_games import BY_GAMES, games_of, plays_games

BY_LOTS = "lots"
#: How a match keeps who won: the side of the home entrant, wherever its rooms sit.
_WON_BY = {Party.HOME: Side.NS.value, Party.AWAY: Side.EW.value, None: ""}
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
    "net_hundredths": None,
    "away_net_hundredths": None,
    "finer_scores": {},
}


def match_result(ledger: Ledger, state: State, others: Sequence[Room] | None = None) -> dict[str, Any]:
    """The columns of a match's result as the fold gives it; pending while it is not over or lots have to decide.

    On boards both rooms count: `others` is the other one (None: as it is kept). A lot that was drawn for these levels
    stays, whatever else is corrected. In an individual game they only say that the match is over, and how: see
    `place_results`.
    """
    if isinstance(state, IndividualState):
        outcome = MatchOutcome.PLAYED if state.finished else MatchOutcome.PENDING
        return {**OPEN_RESULT, "outcome": outcome, "decided_by": (state.end_reason or "") if state.finished else ""}
    if plays_games(ledger):
        return _result_of_games(ledger, games_of(ledger, state))
    drawn = ledger.match.winner_side if ledger.match.decided_by == BY_LOTS else ""
    if drawn and ledger.sitting.boards is None and state.finished and state.undecided is not None:
        return decided_by_lot(ledger, state, Side(drawn))
    if by_field(ledger):
        return _result_in_field(ledger, state)
    if ledger.sitting.boards is not None:
        return match_on_boards(ledger, board_match(ledger, state, others))
    if not state.finished or state.undecided is not None:
        return dict(OPEN_RESULT)
    if state.decided_by == "forfeit":
        outcome = MatchOutcome.AWAY_FORFEIT if state.winner is Side.NS else MatchOutcome.HOME_FORFEIT
        return unplayed_result(ledger.stage, outcome)
    by_tie_rule = _party(state.winner) if state.decided_by == "tie_rule" else None
    return _played(ledger, state, by_tie_rule, state.decided_by or "")


def as_stored(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns as the database gives them back: a word of a list of choices is a text."""
    return {name: str(value) if isinstance(value, str) else value for name, value in columns.items()}


def decided_by_lot(ledger: Ledger, state: SittingState, winner: Side) -> dict[str, Any]:
    """The columns of a match with equal levels, or points, that a lot decided."""
    if ledger.sitting.boards is not None:
        return _result_by_points(ledger.stage, Fraction(0), Fraction(0), _party(winner), BY_LOTS)
    return _played(ledger, state, _party(winner), BY_LOTS)


def _played(ledger: Ledger, state: SittingState, by_tie_rule: Party | None, decided_by: str) -> dict[str, Any]:
    points = hand_points_of(state)
    if state.fixed:
        return _result_by_points(ledger.stage, Fraction(points), Fraction(-points), by_tie_rule, decided_by)
    levels = {side: final_level(state, side) for side in Side}
    return played_result(ledger, levels, by_tie_rule=by_tie_rule, decided_by=decided_by, hand_points=points)


def board_match(ledger: Ledger, state: State, others: Sequence[Room] | None = None) -> BoardMatch:
    """Both rooms of a match on boards; this one with `state` as its fold, the other as it is kept."""
    if others is None:
        others = rooms_of(ledger.match, without=ledger.sitting.pk)
    return compare([_own_room(ledger, state), *others], ledger.stage.directing, ledger.profile, ledger.stage.deals)


def by_field(ledger: Ledger) -> bool:
    """Whether the match is one of duplicate pairs, scored over all tables of the stage."""
    return ledger.stage.format == StageFormat.DUPLICATE_PAIRS


def _result_in_field(ledger: Ledger, state: State) -> dict[str, Any]:
    """The columns of a match of pairs: this table with `state` as its fold, the others as they are kept."""
    if not state.finished:
        return dict(OPEN_RESULT)
    own = _own_table(ledger, state)
    tables = [one for one in pair_tables(ledger.stage) if one.match != own.match]
    got = in_field([*tables, own], ledger.stage.directing, ledger.profile, ledger.stage.deals)
    return result_in_field(ledger.stage, got.get(own.match))


def _own_table(ledger: Ledger, state: State) -> PairTable:
    return PairTable(ledger.match.pk, _own_room(ledger, state))


def _own_room(ledger: Ledger, state: State) -> Room:
    marks = ledger.marks if ledger.marks is not None else marks_of(ledger.sitting)
    return room_of(ledger.sitting, two_sides(state), marks)


def result_in_field(stage: Stage, got: FieldMatch | None) -> dict[str, Any]:
    """The columns of a finished match of pairs from what its boards came to over all tables."""
    if got is None:
        return dict(OPEN_RESULT)
    home, away = got.ahead
    return _result_by_points(stage, home, away, None, "boards", len(got.boards))


def hold_scores(ledger: Ledger) -> None:
    """Before the result of a match of pairs is written: hold what all tables of its stage share."""
    if by_field(ledger):
        hold_field(ledger.match)


def field_writes(ledger: Ledger, state: State | None) -> list[Write]:
    """What a board of this table makes of the other finished matches of the stage; only of pairs. `state`: this table
    as it is now folded, None when its match is compared with nobody."""
    if not by_field(ledger):
        return []
    stage, writes = ledger.stage, list[Write]()
    tables = [one for one in pair_tables(stage) if one.match != ledger.match.pk]
    if state is not None and ledger.sitting.active:
        tables.append(_own_table(ledger, state))
    got = in_field(tables, stage.directing, ledger.profile, stage.deals)
    others = Match.objects.filter(round__stage=stage, superseded_in=None, outcome=MatchOutcome.PLAYED)
    for match in others.exclude(pk=ledger.match.pk):
        columns = result_in_field(stage, got.get(match.pk))
        if any(getattr(match, name) != value for name, value in columns.items()):
            writes.append(Move(match, columns))
    return writes


def match_on_boards(ledger: Ledger, boards: BoardMatch) -> dict[str, Any]:
    """The columns of a match on boards: pending until every board has its score; equal sums go to the tie rule."""
    if not boards.complete:
        return dict(OPEN_RESULT)
    level = boards.home == boards.away == 0
    if level and ledger.stage.tie_rule != TieRule.DRAW:
        drawn = ledger.match.winner_side if ledger.match.decided_by == BY_LOTS else ""
        if not drawn:
            return dict(OPEN_RESULT)
        return _result_by_points(ledger.stage, boards.home, boards.away, _party(Side(drawn)), BY_LOTS, boards.counted)
    decided_by = "tie_rule" if level else "boards"
    return _result_by_points(ledger.stage, boards.home, boards.away, None, decided_by, boards.counted)


def _result_by_points(
    stage: Stage, home: Fraction, away: Fraction, by_tie_rule: Party | None, decided_by: str, boards: int = 1
) -> dict[str, Any]:
    """The columns of a match measured in points: each side by its own sum, which differ where scores were split.

    `boards` is how many made them: victory points of IMPs are worth the less the more there were; each side of a match
    of pairs has its own.
    """
    own, other = (
        match_scores.score(
            stage.match_score, home=None, away=None, by_tie_rule=by_tie_rule, hand_points=points, boards=boards
        )
        for points in (home, -away)
    )
    winner = own.winner if own.winner is other.winner else None
    scores = {"home": own.home, "away": other.away, "net": home, "away_net": away}
    return {
        **OPEN_RESULT,
        "outcome": MatchOutcome.PLAYED,
        "winner_side": _WON_BY.get(winner, ""),
        "decided_by": decided_by,
        **{f"{name}_hundredths": round(score * 100) for name, score in scores.items()},
        "finer_scores": finer_scores(scores),
    }


def finer_scores(scores: Mapping[str, Fraction]) -> dict[str, str]:
    """The scores that whole hundredths do not hold, as exact texts of the protocol. One too long for it, as weights of
    many digits make them, counts to the hundredth."""
    return {
        name: exact(score)
        for name, score in scores.items()
        if (score * 100).denominator != 1 and is_score(exact(score), optional=False)
    }


def played_result(
    ledger: Ledger, levels: Mapping[Side, str], *, by_tie_rule: Party | None, decided_by: str, hand_points: int
) -> dict[str, Any]:
    """The columns of a match that was played to these final levels."""
    by_hands = scales.SCALES[ledger.stage.match_score].by_hands
    score = match_scores.score(
        ledger.stage.match_score,
        home=levels[Side.NS],
        away=levels[Side.EW],
        by_tie_rule=None if by_hands else by_tie_rule,
        ladder=ledger.profile.ladder,
        hand_points=hand_points if by_hands else None,
    )
    return {
        **OPEN_RESULT,
        "outcome": MatchOutcome.PLAYED,
        "home_level": levels[Side.NS],
        "away_level": levels[Side.EW],
        "winner_side": _WON_BY.get(score.winner, ""),
        "decided_by": decided_by,
        "home_hundredths": int(score.home * 100),
        "away_hundredths": int(score.away * 100),
    }


def _result_of_games(ledger: Ledger, games: Sequence[Game]) -> dict[str, Any]:
    """The columns of a match of several games: who won most, with the levels of the last game won at the table."""
    series = series_of(games, ledger.stage.directing.best_of)
    if series.winner is None:
        return dict(OPEN_RESULT)
    levels = levels_of(games, series)
    if levels is None:
        outcome = MatchOutcome.AWAY_FORFEIT if series.winner is Party.HOME else MatchOutcome.HOME_FORFEIT
        return {**unplayed_result(ledger.stage, outcome), "decided_by": BY_GAMES}
    by_tie_rule = series.winner if levels[0] == levels[1] else None
    named = {Side.NS: levels[0], Side.EW: levels[1]}
    return played_result(ledger, named, by_tie_rule=by_tie_rule, decided_by=BY_GAMES, hand_points=0)


def unplayed_result(stage: Stage, outcome: MatchOutcome) -> dict[str, Any]:
    """The columns of a match that a side did not play."""
    score = match_scores.score(stage.match_score, home=None, away=None, outcome=Outcome(str(outcome)))
    winner = {MatchOutcome.HOME_FORFEIT: "EW", MatchOutcome.AWAY_FORFEIT: "NS"}.get(outcome, "")
    return {
        **OPEN_RESULT,
        "outcome": outcome,
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
    if plays_games(ledger):
        return ledger.match.outcome in FORFEITS and ledger.match.decided_by != BY_GAMES
    return ledger.match.outcome in FORFEITS and ledger.sitting.state.get("end_reason") != "forfeit"


def final_level(state: SittingState, side: Side) -> str:
    """A side's level at the end: a rank, or "passed"."""
    return match_scores.PASSED if state.passed is side else str(state.levels[side])


def hand_points_of(state: SittingState) -> int:
    """The home side's sum of hand points over the hands that count, with penalties where hands are fixed."""
    if state.fixed:
        return state.hand_points
    return sum(_home_points(result) for result in state.entries if result.winner_role is not None)


def _home_points(result: EntryResult) -> int:
    points = match_scores.hand_points(deal_changes_hands=result.deal_changes_hands, levels=result.levels_won)
    dealing = result.dealer.side if result.dealer is not None else None
    return points if dealing is Side.EW else -points


def _party(side: Side | None) -> Party | None:
    return None if side is None else Party.HOME if side is Side.NS else Party.AWAY


def fold_writes(
    ledger: Ledger, state: State, *, at: datetime, lifted: bool = False, others: Sequence[Room] | None = None
) -> tuple[list[Write], bool]:
    """What a fold of the ledger makes of its boards and its match; whether the match is over.

    A forfeit ruled on the match itself stays unless it is `lifted`: the ledger does not know of it. A match on boards
    is over with both rooms, this one with its boards; what other tables say of them is read here, and held. `others`:
    the other rooms, where they are not as they are kept.
    """
    match, writes = ledger.match, list[Write]()
    if ledger.sitting.boards is not None:
        (hold_field if by_field(ledger) else hold_match)(match)
        writes += board_writes(ledger.sitting, two_sides(state))
    if ruled_on_match(ledger) and not lifted:
        return writes, True
    result = match_result(ledger, state, others)
    if result["outcome"] != MatchOutcome.PENDING or match.outcome != MatchOutcome.PENDING:
        writes += result_writes(match, result, at=at, places=place_results(state))
    return [*writes, *field_writes(ledger, state)], state.finished


def result_writes(
    match: Match, result: Mapping[str, Any], *, at: datetime, places: Mapping[str, Mapping[str, Any]] | None = None
) -> list[Write]:
    """A match's result, first what each place has: the database holds that a played match is complete."""
    finished_at = None if result["outcome"] == MatchOutcome.PENDING else match.finished_at or at
    of_places = [
        MoveAll(MatchPlace, {"match": match, "place": place}, columns) for place, columns in (places or {}).items()
    ]
    return [*of_places, Move(match, {**result, "finished_at": finished_at})]

"""The games of a match of several (三局两胜): their sittings, and how it stands. Nothing for a match of one game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.sittings.series import Game, Series, series_of
from scoring.standings import match_scores
from scoring.standings.scales import Party
from scoring.values import Side

from ..models import Round, Sitting

FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Games:
    """The games at one table in order; `shown` is the sitting that a page is about."""

    shown: Sitting
    sittings: tuple[Sitting, ...]
    best_of: int
    series: Series

    @property
    def won(self) -> Mapping[str, int]:
        """Games won by side of the table."""
        home = Side(self.shown.home_side)
        return {str(home): self.series.won[Party.HOME], str(home.other): self.series.won[Party.AWAY]}

    @property
    def needless(self) -> bool:
        """Whether the game shown comes after the one that decided the match."""
        return self.series.deciding is not None and self.shown.game > self.series.deciding


def games_at(sitting: Sitting) -> Games | None:
    """The games of a sitting's match; None where a match is one game. One query, none for one game."""
    if not _has_games(sitting.round):
        return None
    return _games(sitting, list(Sitting.objects.filter(match=sitting.match_id).order_by("game")))


def games_in(round_: Round) -> dict[int, Games]:
    """The games of every match of a round by the table that plays it; none for matches of one game. One query."""
    if not _has_games(round_):
        return {}
    found: dict[int, list[Sitting]] = {}
    for one in Sitting.objects.filter(round=round_).select_related("table", "round__stage").order_by("game"):
        found.setdefault(one.match_id, []).append(one)
    return {at.table.number: _games(at, games) for games in found.values() for at in games if at.active}


def _has_games(round_: Round) -> bool:
    return round_.stage.directing.best_of > 1 and not round_.tournament.individual


def _games(shown: Sitting, sittings: Sequence[Sitting]) -> Games:
    best_of = shown.round.stage.directing.best_of
    return Games(shown, tuple(sittings), best_of, series_of([game_of(one, one.state) for one in sittings], best_of))


def game_of(sitting: Sitting, state: Mapping[str, Any]) -> Game:
    """One game by its fold as JSON; a game that ended level is decided by what was drawn for its sitting."""
    if not state.get("finished"):
        return Game()
    winner = state.get("winner") or (sitting.decided_side if state.get("undecided") else None)
    home = Side(sitting.home_side)
    if state.get("decided_by") == FORFEIT:
        return Game(_party(winner, home), forfeited=True)
    levels = _level(state, home), _level(state, home.other)
    return Game(_party(winner, home), levels)


def _party(side: str | None, home: Side) -> Party | None:
    return None if not side else Party.HOME if Side(side) is home else Party.AWAY


def _level(state: Mapping[str, Any], side: Side) -> str:
    return match_scores.PASSED if state.get("passed") == side else str(state["levels"][side])

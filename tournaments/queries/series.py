"""The games of a match of several (三局两胜): their sittings, and how it stands. Nothing for a match of one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring import match_scores
from scoring.match_scores import Party
from scoring.series import Game, Series, series_of
from scoring.values import Side

from ..models import Sitting

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
    best_of = sitting.round.stage.directing.best_of
    if best_of == 1 or sitting.round.tournament.individual:
        return None
    found = tuple(Sitting.objects.filter(match=sitting.match_id).order_by("game"))
    return Games(sitting, found, best_of, series_of([game_of(one, one.state) for one in found], best_of))


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

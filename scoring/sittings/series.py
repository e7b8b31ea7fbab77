"""A match of several games (三局两胜): games in their order make the match, the first to win most of them wins it.

What is played after the deciding game counts for nothing; after a correction that may be a whole game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.standings.scales import Party


@dataclass(frozen=True, slots=True)
class Game:
    """One game as far as it goes: who won it (None: open), the levels at its end, whether a side gave it up.

    `levels` are those of home and away, ranks or "passed"; None where nothing was played to an end.
    """

    winner: Party | None = None
    levels: tuple[str, str] | None = None
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """Where a match of several games stands: games won, how many games count, who won the match (None: open)."""

    won: Mapping[Party, int]
    counted: int
    winner: Party | None

    @property
    def deciding(self) -> int | None:
        """The number of the game that decided the match, from 1; None while it is open."""
        return self.counted if self.winner is not None else None


def series_of(games: Sequence[Game], best_of: int) -> Series:
    """Where the games lead, in their order, up to the deciding one or to the first that is open."""
    won, counted = dict.fromkeys(Party, 0), 0
    for game in games[:best_of]:
        if game.winner is None:
            break
        counted += 1
        won[game.winner] += 1
        if 2 * won[game.winner] > best_of:
            return Series(won, counted, game.winner)
    return Series(won, counted, None)


def levels_of(games: Sequence[Game], series: Series) -> tuple[str, str] | None:
    """The levels of a decided match: of the last game that its winner won at the table; None when he won none so."""
    played = (game for game in reversed(games[: series.counted]) if game.winner is series.winner and not game.forfeited)
    return next((game.levels for game in played if game.levels is not None), None)

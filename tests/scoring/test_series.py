"""Matches of several games: who wins, which games count, whose levels stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.sittings.series import Game, levels_of, series_of
from scoring.standings.scales import Party

HOME, AWAY = Party.HOME, Party.AWAY
H, A, OPEN = Game(HOME, ("9", "5")), Game(AWAY, ("4", "J")), Game()
HF, AF = Game(HOME, forfeited=True), Game(AWAY, forfeited=True)

CASES = [
    ([], 3, (0, 0), 0, None, None),
    ([OPEN], 3, (0, 0), 0, None, None),
    ([H], 1, (1, 0), 1, HOME, ("9", "5")),
    ([H], 3, (1, 0), 1, None, None),
    ([H, OPEN], 3, (1, 0), 1, None, None),
    ([H, H], 3, (2, 0), 2, HOME, ("9", "5")),
    ([H, A], 3, (1, 1), 2, None, None),
    ([H, A, A], 3, (1, 2), 3, AWAY, ("4", "J")),
    # what was played after the deciding game counts for nothing
    ([H, H, A], 3, (2, 0), 2, HOME, ("9", "5")),
    # an open game stops the count: what follows it cannot count yet
    ([H, OPEN, H], 3, (1, 0), 1, None, None),
    # a game given up has no levels: those of the winner's last game at the table stand
    ([H, HF], 3, (2, 0), 2, HOME, ("9", "5")),
    ([HF, A, HF], 3, (2, 1), 3, HOME, None),
    ([AF, AF], 3, (0, 2), 2, AWAY, None),
    ([H, A, H, A, A], 5, (2, 3), 5, AWAY, ("4", "J")),
]


@pytest.mark.parametrize(("games", "best_of", "won", "counted", "winner", "levels"), CASES)
def test_series(
    games: list[Game], best_of: int, won: tuple[int, int], counted: int, winner: Party, levels: object
) -> None:
    series = series_of(games, best_of)
    assert (series.won[HOME], series.won[AWAY]) == won
    assert series.counted == counted
    assert series.winner is winner
    if winner is not None:
        assert levels_of(games, series) == levels
        assert series.deciding == counted
    else:
        assert series.deciding is None


@given(st.lists(st.sampled_from([H, A, HF, AF]), max_size=7), st.sampled_from([1, 3, 5, 7]))
def test_the_winner_has_most_of_the_games_and_nobody_wins_twice(games: list[Game], best_of: int) -> None:
    series = series_of(games, best_of)
    assert sum(series.won.values()) == series.counted <= best_of
    if series.winner is None:
        assert 2 * max(series.won.values()) < best_of or series.counted == len(games) < best_of
        return
    assert 2 * series.won[series.winner] == best_of + 1
    assert series_of(games[: series.counted - 1], best_of).winner is None
    assert series_of([*games[: series.counted], *games], best_of) == series
    turned = [Game(AWAY if game.winner is HOME else HOME, game.levels, game.forfeited) for game in games]
    assert {series.winner, series_of(turned, best_of).winner} == {HOME, AWAY}

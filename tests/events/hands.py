"""Hands for events: played out card by card by the simulator from a seed, judged anew by the replay.

Where an event needs a hand of a kind (this side rises, the attackers just take the deal), hands are played until one
comes out so; no total is made up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from scoring.cards.replay import Replay, replay
from scoring.profiles import Profile
from scoring.simulation.hand import simulate
from scoring.simulation.players import Chance
from scoring.standings.match_scores import hand_points
from scoring.values import Card, Level, Role, Seat

T = TypeVar("T")

#: Whether a hand that was played is one that the event needs.
Fits = Callable[[Replay], bool]
#: Hands played at most until one fits; the rarest that is asked for comes once in twenty.
MOST_PLAYED = 1_000


def played(profile: Profile, chance: Chance, dealer: str, level: str, fits: Fits) -> Replay:
    """A hand played whole from the seed; the first that fits."""
    for _ in range(MOST_PLAYED):
        found = replay(profile, simulate(profile, chance, dealer=Seat(dealer), level=Level(level)))
        assert found.complete
        assert not found.findings
        if fits(found):
            return found
    raise AssertionError(f"no hand of {MOST_PLAYED} is such a one")


@dataclass
class Board:
    """The chances of a table that plays a board: the cards lie as they were dealt once, the play is its own."""

    dealt: int
    play: Random

    def shuffle(self, x: list[Card], /) -> None:
        Random(self.dealt).shuffle(x)

    def randrange(self, start: int, stop: int | None = None, /) -> int:
        return self.play.randrange(start, stop)

    def choice(self, seq: Sequence[T], /) -> T:
        return self.play.choice(seq)

    def sample(self, population: Sequence[T], /, k: int) -> list[T]:
        return self.play.sample(population, k)


def any_hand(one: Replay) -> bool:
    return True


def both(one: Fits, other: Fits) -> Fits:
    return lambda found: one(found) and other(found)


def gains(side: str, *, least: int = 1, most: int = 9) -> Fits:
    """The hand is that side's: from so many to so many levels (0: the attackers just take the deal)."""
    return lambda found: winner(found) == side and least <= levels(found) <= most


def just_taken(found: Replay) -> bool:
    """The attackers take the deal and do not rise."""
    assert found.result is not None
    return found.result.winner_role is Role.ATTACKERS and found.result.levels == 0


def as_captured(found: Replay) -> bool:
    """The total is what was captured in tricks: nothing dug, no throw failed."""
    assert found.total is not None
    return int(found.total.raw) == found.sheet.captured_in_tricks


def winner(found: Replay) -> str:
    """The side that a hand belongs to."""
    assert found.dealer is not None
    assert found.result is not None
    dealing = found.dealer.side
    return str(dealing if found.result.winner_role is Role.DEALER else dealing.other)


def levels(found: Replay) -> int:
    assert found.result is not None
    return found.result.levels


def worth(found: Replay, side: str) -> int:
    """The hand points of a hand as that side sees them: one for taking the deal, one for each level."""
    assert found.result is not None
    points = abs(hand_points(deal_changes_hands=found.result.deal_changes_hands, levels=found.result.levels))
    return points if winner(found) == side else -points

"""Who plays: the players of a table with their cards, their habits, and where they take their chances from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from scoring.values import Card, Player

T = TypeVar("T")


class Chance(Protocol):
    """What the players take their chances from, handed in: a seeded `random.Random` is one."""

    def randrange(self, start: int, stop: int = ..., /) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], /, k: int) -> list[T]: ...

    def shuffle(self, x: list[Card], /) -> None: ...


@dataclass(frozen=True, slots=True)
class Habits:
    """How often players do something when they could, in percent."""

    declare: int = 85
    counter: int = 25
    throw: int = 60
    wild_throw: int = 1
    rebel: int = 30
    random_play: int = 10


SENSIBLE: Final = Habits()
RANDOM: Final = Habits(declare=50, counter=50, throw=20, wild_throw=4, rebel=50, random_play=100)


@dataclass(frozen=True, slots=True)
class Players:
    """The players of one hand; `hands` are their cards, which get fewer as they play."""

    rng: Chance
    habits: Habits
    hands: dict[Player, Counter[Card]] = field(default_factory=dict)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

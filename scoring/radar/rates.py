"""How often honest play comes to what: counted by `tools.radar`, kept in honest.json."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import accumulate
from typing import Any, Self

from scoring.radar.seen import Rate

FILE = "honest.json"
#: A revoke slips in once in so many hands of a side or a player: an assumption, for no simulated player errs.
REVOKE_IN = 300


@dataclass(frozen=True)
class Spread:
    """How often each number came up among `of`."""

    values: tuple[int, ...] = ()
    upto: tuple[int, ...] = (0,)
    of: int = 0

    @classmethod
    def counted(cls, counts: Mapping[int, int], of: int) -> Self:
        values = tuple(sorted(counts))
        return cls(values, tuple(accumulate((counts[one] for one in values), initial=0)), of)

    def at_most(self, number: int) -> int:
        return self.upto[bisect_right(self.values, number)]

    def at_least(self, number: int) -> int:
        return self.upto[-1] - self.upto[bisect_left(self.values, number)]


@dataclass(frozen=True)
class Honest:
    """What is known of one profile: figures of hands, climbs in three hands and runs of equal hands by match."""

    figures: Spread = field(default_factory=Spread)
    climbs: Spread = field(default_factory=Spread)
    runs: Spread = field(default_factory=Spread)
    fields: Spread = field(default_factory=Spread)
    returns: Rate | None = None
    measured: Mapping[str, Any] = field(default_factory=dict)

    def flagged(self, kind: str) -> Rate | None:
        """How many honest matches get a flag of this kind."""
        found = self.measured.get("flagged", {}).get(kind)
        return None if found is None else Rate(found, self.measured["matches"], "matches")


def honest_of(data: Mapping[str, Any], shared: Mapping[str, Any]) -> Honest:
    """One profile as the file has it, with what is `shared` by all: boards and returns."""
    boards, returns = shared.get("boards"), shared.get("returns")
    return Honest(
        figures=_spread(data["figures"], data["hands"]),
        climbs=_spread(data["climbs"], data["matches"]),
        runs=_spread(data["runs"], data["matches"]),
        fields=Spread() if boards is None else _spread(boards["apart"], boards["results"]),
        returns=None if returns is None else Rate(returns["not_made"], returns["hands"], "hands"),
        measured=data,
    )


def _spread(counts: Mapping[str, int], of: int) -> Spread:
    return Spread.counted({int(number): times for number, times in counts.items()}, of)


@lru_cache(maxsize=1)
def document() -> Mapping[str, Any]:
    """The file of figures as it was measured."""
    found: Mapping[str, Any] = json.loads((resources.files("scoring.radar") / FILE).read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=64)
def honest(profile: str) -> Honest:
    """What is known of a profile, by its id; nothing of one that was never measured."""
    data = document()
    known = data["profiles"].get(profile)
    return Honest() if known is None else honest_of(known, data)


def binomial_tail(hands: int, times: int, one_in: int) -> float:
    """The chance of so many or more in so many hands, each once in `one_in`."""
    chance = 1 / one_in
    term, less = (1 - chance) ** hands, 0.0
    for number in range(times):
        less += term
        term *= (hands - number) / (number + 1) * chance / (1 - chance)
    return max(0.0, 1 - less)


def median(values: Sequence[int]) -> int:
    """The middle one, of two the lower."""
    return sorted(values)[(len(values) - 1) // 2]

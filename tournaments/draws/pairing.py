"""A pairing as a value: who meets whom in a round, and who sits out (a bye, 轮空)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.standings.results import EntrantId


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round: pairs of (home, away) in table order, and the entrants that have a bye (轮空)."""

    pairs: tuple[tuple[EntrantId, EntrantId], ...]
    byes: tuple[EntrantId, ...] = ()

    def __iter__(self) -> Iterator[EntrantId]:
        """Every entrant named, as often as it is named."""
        for home, away in self.pairs:
            yield home
            yield away
        yield from self.byes

"""Tables in a room as numbers on squared paper: rows from the front, columns from the left. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

#: Halls are about so much wider than deep.
WIDER: Final = 4 / 3


class Place(NamedTuple):
    """Where a table stands; both from 1."""

    row: int
    column: int


class Counted(NamedTuple):
    """A place as somebody counts who walks there: rows and tables, no aisles. `of`: tables in the row."""

    row: int
    table: int
    of: int


class Fixture(NamedTuple):
    """What else is in the hall (see `models.FixtureKind`); it takes a place as a table does."""

    kind: str
    place: Place


@dataclass(frozen=True)
class Plan:
    """Where every table stands, by its number, and what else there is. `saved`: the organiser said so."""

    places: Mapping[int, Place]
    saved: bool = False
    fixtures: tuple[Fixture, ...] = ()

    @property
    def _taken(self) -> Iterator[Place]:
        yield from self.places.values()
        yield from (one.place for one in self.fixtures)

    @cached_property
    def rows(self) -> int:
        return max((one.row for one in self._taken), default=0)

    @cached_property
    def columns(self) -> int:
        return max((one.column for one in self._taken), default=0)

    @cached_property
    def standing(self) -> tuple[int, ...]:
        """The numbers of the tables as one walks along the rows."""
        return tuple(sorted(self.places, key=self.places.__getitem__))

    @cached_property
    def _in_words(self) -> Mapping[int, Counted]:
        taken = Counter(one.row for one in self.places.values())
        rows = {row: number for number, row in enumerate(sorted(taken), start=1)}
        passed: Counter[int] = Counter()
        found = {}
        for number in self.standing:
            row = self.places[number].row
            passed[row] += 1
            found[number] = Counted(rows[row], passed[row], taken[row])
        return found

    def counted(self, table: int) -> Counted:
        return self._in_words[table]


def width_for(count: int) -> int:
    """How many of so many tables stand in a row where nobody said so: wider than deep, the last row as full as can be.

    Of the width nearest to that shape and the next one, the one that leaves fewer places empty.
    """
    near = max(round(math.sqrt(count * WIDER)), 1)
    return min((near, near + 1), key=lambda width: (-count % width, width))


def in_rows(numbers: Sequence[int], width: int, *, snake: bool = False, first: int = 1) -> dict[int, Place]:
    """So many tables a row, by number; every other row from the right in a `snake`. `first`: the row to begin with."""
    places = {}
    for at, number in enumerate(sorted(numbers)):
        row, along = divmod(at, width)
        places[number] = Place(first + row, width - along if snake and row % 2 else along + 1)
    return places


def out_of_the_way(fixtures: Iterable[Fixture], places: Mapping[int, Place]) -> tuple[Fixture, ...]:
    """What else is in the hall where tables come to stand: what they would stand on goes back to the next free row."""
    taken, found = set(places.values()), []
    for kind, place in sorted(fixtures, key=lambda one: one.place):
        while place in taken:
            place = Place(place.row + 1, place.column)
        taken.add(place)
        found.append(Fixture(kind, place))
    return tuple(sorted(found, key=lambda one: one.place))


def completed(numbers: Collection[int], known: Mapping[int, Place], fixtures: tuple[Fixture, ...] = ()) -> Plan:
    """Where these tables stand: as `known`; those that it lacks in rows behind, as wide as the plan. Nothing else is
    known of a hall whose tables are not."""
    said = {number: place for number, place in known.items() if number in numbers}
    missing = [number for number in numbers if number not in said]
    if not said:
        return Plan(in_rows(missing, width_for(len(missing))))
    plan = Plan(said, fixtures=fixtures)
    behind = in_rows(missing, max(plan.columns, width_for(len(missing))), first=plan.rows + 1)
    return Plan(said | behind, saved=True, fixtures=fixtures)

"""The map of the hall: every table where it stands, with its state as a shape, a sign and a word.

Measures are those of the drawing, whose unit is a pixel where a place is `CELL` pixels wide; pages draw it larger or
smaller, and never so small that the words are under 12 pixels (`least`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.states import STATES
from tournaments.hall.layout import Place
from tournaments.models import FixtureKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tournaments.hall.layout import Plan

#: A place with its share of the way around it; the strip at the front; the least width of the drawing in places.
CELL: Final = 128
FRONT: Final = 52
LEAST: Final = 4
#: Pixels of a place at which its words have twelve.
SMALL: Final = 80

#: The shape of a table by its state; all others are squares.
SHAPES: Final[Mapping[str, str]] = {"dispute": "octagon", "referee": "octagon", "call": "disc"}
#: The order of the legend.
ORDER: Final = ("playing", "waiting", "dispute", "call", "referee", "finished", "not_started", "empty")


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a table: a state out of `ORDER`, perhaps a word of its own, and where its page is."""

    state: str
    word: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A table on the map, of plain values alone. `x`, `y`: its middle; `marked`: it is the one that is looked for."""

    number: int
    x: int
    y: int
    state: str
    shape: str
    icon: str
    word: str
    said: str
    address: str
    marked: bool
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Thing:
    """What else is in the hall, drawn by its kind with its word. `x`, `y`: its middle."""

    kind: str
    word: str
    x: int
    y: int
    key: str = ""
    off: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """A line of the legend."""

    state: str
    shape: str
    icon: str
    word: str


@dataclass(frozen=True, slots=True)
class HallPicture:
    """The drawing. `least`: its width in pixels where words are just large enough; `front`: the strip at the front of
    the hall is on it."""

    spots: tuple[Spot, ...]
    things: tuple[Thing, ...]
    legend: tuple[Sign, ...]
    width: int
    height: int
    left: int
    least: int
    front: bool

    @property
    def middle(self) -> int:
        return self.left + self.width // 2


def drawn(
    plan: Plan,
    told: Mapping[int, Told],
    marked: Collection[int] = (),
    spare: int = 0,
    rows: range | None = None,
) -> HallPicture:
    """The map of a plan, or of some of its `rows`; of tables that are not `told` nothing is known. `spare`: free rows
    and columns behind."""
    shown = range(1, plan.rows + 1) if rows is None else rows
    columns = plan.columns + spare
    wide = max(columns, LEAST)
    here = (number for number in plan.standing if plan.places[number].row in shown)
    spots = tuple(_spot(plan, number, told.get(number), number in marked, shown.start) for number in here)
    there = {one.state for one in spots}
    return HallPicture(
        spots=spots,
        things=tuple(thing(*one, first=shown.start) for one in plan.fixtures if one.place.row in shown),
        legend=tuple(Sign(one, _shape(one), _icon(one), _word(one)) for one in ORDER if one in there),
        width=wide * CELL,
        height=FRONT + (len(shown) + spare) * CELL,
        left=-((wide - columns) * CELL // 2),
        least=wide * SMALL,
        front=shown.start == 1,
    )


def thing(kind: str, place: Place | None, *, first: int = 1, key: str = "") -> Thing:
    """What else is in the hall, at a place or, while it has none, `off` the map. `key`: as the desk names it."""
    x, y = _middle(place or Place(1, 1), first)
    return Thing(kind, str(FixtureKind(kind).label), x, y, key, off=place is None)


def _middle(place: Place, first: int) -> tuple[int, int]:
    return (place.column - 1) * CELL + CELL // 2, FRONT + (place.row - first) * CELL + CELL // 2


def place_words(plan: Plan, number: int) -> str:
    """Where a table is, for somebody who walks there from the front: ``row 2, table 3 from the left``."""
    row, table, _of = plan.counted(number)
    return _("row %(row)s, table %(n)s from the left") % {"row": row, "n": table}


def _spot(plan: Plan, number: int, told: Told | None, marked: bool, first: int) -> Spot:
    place = plan.places[number]
    state = "" if told is None else told.state
    word = "" if told is None else told.word or _word(state)
    table = _("Table %(n)s") % {"n": number}
    x, y = _middle(place, first)
    return Spot(
        number=number,
        x=x,
        y=y,
        state=state,
        shape=_shape(state),
        icon="pin" if marked else _icon(state),
        word=word,
        said=_("%(table)s: %(state)s") % {"table": table, "state": word} if word else table,
        address="" if told is None else told.address,
        marked=marked,
        row=place.row,
        column=place.column,
    )


def _shape(state: str) -> str:
    return SHAPES.get(state, "square")


def _icon(state: str) -> str:
    return "" if state in ("", "playing", "empty") else STATES[state].icon


def _word(state: str) -> str:
    if state == "not_started":
        return pgettext("a table on the map", "to start")
    return str(STATES[state].word) if state else ""

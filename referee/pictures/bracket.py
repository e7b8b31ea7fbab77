"""A knockout as a picture: plain geometry for one SVG partial, with the same meetings as lists by round.

Every round is a column. In a bracket a match stands between the two that lead to it; where every round is drawn anew,
the matches of a round stand below each other and lines follow the winners. Lengths are user units at their own size,
so that text stays readable; a wide picture scrolls in its box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.parts.names import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH: Final = 216
HEIGHT: Final = 46
_GAP: Final = 30
_SLOT: Final = 62
_HEAD: Final = 26
_FOOT: Final = 6
_ROOM: Final = 23


@dataclass(frozen=True, slots=True)
class Party:
    """One entrant of a meeting: `entrant` None while nobody is known; `level` is its final level as shown."""

    entrant: int | None
    name: str = ""
    level: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of the knockout. `slot` is its place from the top, from 1 (0: none); `column` its round, from 0.

    `note` says how it ended where levels do not (bye, forfeit); `address` is its page; `third`: for the third place.
    """

    column: int
    slot: int
    upper: Party
    lower: Party
    note: str = ""
    address: str = ""
    third: bool = False


@dataclass(frozen=True, slots=True)
class BoxText:
    """A line of text in a box; `level` stands at its right end."""

    y: int
    text: str
    level: str
    css: str


@dataclass(frozen=True, slots=True)
class Box:
    """A match in the picture, at `x`, `y`; `css` says whether it is drawn yet."""

    x: int
    y: int
    lines: tuple[BoxText, ...]
    css: str


@dataclass(frozen=True, slots=True)
class Head:
    """The word over a column."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """Everything the partial draws, and `rounds`: the word of each column with its meetings, for reading.

    `box` is the width and height of every match.
    """

    width: int
    height: int
    box: tuple[int, int]
    heads: tuple[Head, ...]
    boxes: tuple[Box, ...]
    arms: tuple[str, ...]
    rounds: tuple[tuple[str, tuple[Meeting, ...]], ...]


def draw(meetings: Sequence[Meeting], heads: Sequence[str]) -> Bracket:
    """Lay out the meetings; `heads` are the words of the columns, one for each round up to the last."""
    tree = all(one.slot for one in meetings if not one.third)
    placed = _in_tree(meetings, len(heads)) if tree else _below_each_other(meetings)
    arms = _arms_of_tree(placed, len(heads)) if tree else _arms_of_winners(placed)
    height = max((y for _one, _x, y in placed), default=0) + HEIGHT + _FOOT
    return Bracket(
        width=len(heads) * (WIDTH + _GAP) - _GAP,
        height=height,
        box=(WIDTH, HEIGHT),
        heads=tuple(Head(_x(column), word) for column, word in enumerate(heads)),
        boxes=tuple(_box(one, x, y) for one, x, y in placed),
        arms=tuple(arms),
        rounds=tuple(
            (word, tuple(one for one in meetings if one.column == column)) for column, word in enumerate(heads)
        ),
    )


_Placed = tuple[Meeting, int, int]


def _x(column: int) -> int:
    return column * (WIDTH + _GAP)


def _in_tree(meetings: Sequence[Meeting], columns: int) -> list[_Placed]:
    """Every meeting in the middle of those before it; what is not drawn yet is an empty box."""
    known = {(one.column, one.slot): one for one in meetings if not one.third}
    size = _size(meetings, columns)
    placed = []
    for column in range(columns):
        for slot in range(1, (size >> column) + 1):
            one = known.get((column, slot))
            if one is None and column == 0:
                continue
            meeting = one or Meeting(column, slot, Party(None), Party(None))
            placed.append((meeting, _x(column), _y(column, slot)))
    return placed + [(one, _x(one.column), _y(one.column, 1) + _SLOT + 8) for one in meetings if one.third]


def _size(meetings: Iterable[Meeting], columns: int) -> int:
    """Matches of the first round, a power of two large enough for every slot."""
    most = max((one.slot << one.column for one in meetings if not one.third), default=1)
    size = 1
    while size < most or size < 1 << (columns - 1):
        size *= 2
    return size


def _y(column: int, slot: int) -> int:
    first = _HEAD + ((1 << column) - 1) * _SLOT // 2
    return first + (slot - 1) * (_SLOT << column)


def _below_each_other(meetings: Sequence[Meeting]) -> list[_Placed]:
    placed: list[_Placed] = []
    used: dict[int, int] = {}
    for one in sorted(meetings, key=lambda one: (one.column, one.third, one.slot)):
        row = used.get(one.column, 0)
        used[one.column] = row + 1
        placed.append((one, _x(one.column), _HEAD + row * _SLOT))
    return placed


def _arms_of_tree(placed: Sequence[_Placed], columns: int) -> list[str]:
    """From the middle of every match to the middle of the one that its winner goes to."""
    at = {(one.column, one.slot): y for one, _x_, y in placed if not one.third}
    arms = []
    for (column, slot), y in at.items():
        onwards = at.get((column + 1, (slot + 1) // 2))
        if onwards is not None and column + 1 < columns:
            arms.append(_arm(column, y, column + 1, onwards))
    return arms


def _arms_of_winners(placed: Sequence[_Placed]) -> list[str]:
    arms = []
    for one, _x_, y in placed:
        winner = next((party.entrant for party in (one.upper, one.lower) if party.won), None)
        following = (
            (later, below)
            for later, _x_, below in placed
            if later.column == one.column + 1 and winner in (later.upper.entrant, later.lower.entrant)
        )
        if winner is not None and (found := next(following, None)):
            arms.append(_arm(one.column, y, found[0].column, found[1]))
    return arms


def _arm(column: int, y: int, onwards: int, below: int) -> str:
    start, end = _x(column) + WIDTH, _x(onwards)
    middle = (start + end) // 2
    return f"M{start} {y + HEIGHT // 2}H{middle}V{below + HEIGHT // 2}H{end}"


def _box(one: Meeting, x: int, y: int) -> Box:
    lines = [_line(party, y + 18 + 20 * row) for row, party in enumerate((one.upper, one.lower))]
    if one.lower.entrant is None and one.note:
        lines[1] = BoxText(y + 38, one.note, "", "soft")
    css = "open" if one.upper.entrant is None and one.lower.entrant is None else ""
    return Box(x, y, tuple(lines), css)


def _line(party: Party, y: int) -> BoxText:
    if party.entrant is None:
        return BoxText(y, "…", "", "soft")
    return BoxText(y, shortened(party.name, _ROOM), party.level, "won" if party.won else "")

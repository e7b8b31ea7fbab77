"""A little picture of how a stage is played: plain strokes for one SVG partial, 96 × 56 units wide."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tournaments.models import StageFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tournaments.models import Stage

WIDTH: Final = 96
HEIGHT: Final = 56
_DOT: Final = 4
_MOST_GROUPS: Final = 4


@dataclass(frozen=True, slots=True)
class Picture:
    """`lines` are stroked, `shapes` (entrants, tables) are filled; both are paths with absolute numbers."""

    lines: tuple[str, ...]
    shapes: tuple[str, ...]


def picture_of(stage: Stage) -> Picture:
    """The picture of a stage by its format; groups are drawn as many as there are, up to four."""
    form = StageFormat(stage.format)
    plan = stage.directing
    groups = plan.groups or (_MOST_GROUPS if plan.group_of else None)
    if groups and form is not StageFormat.DUPLICATE_PAIRS:
        return _groups(min(groups, _MOST_GROUPS))
    return _DRAWN[form]()


def _dot(x: int, y: int, r: int = _DOT) -> str:
    return f"M{x - r} {y}A{r} {r} 0 1 1 {x + r} {y}A{r} {r} 0 1 1 {x - r} {y}Z"


def _box(x: int, y: int, width: int, height: int) -> str:
    return f"M{x} {y}H{x + width}V{y + height}H{x}Z"


def _every_two(points: Iterable[tuple[int, int]]) -> Picture:
    """Everybody meets everybody: all points, all chords."""
    known = tuple(points)
    lines = tuple(f"M{a} {b}L{c} {d}" for (a, b), (c, d) in combinations(known, 2))
    return Picture(lines, tuple(_dot(x, y) for x, y in known))


def _groups(number: int) -> Picture:
    """Small squares in which every two meet."""
    columns = number if number < _MOST_GROUPS else 2
    rows = -(-number // columns)
    across, down = WIDTH // columns, HEIGHT // rows
    side = min(across, down) // 2 - 5
    parts = []
    for group in range(number):
        x, y = across * (group % columns) + across // 2, down * (group // columns) + down // 2
        parts.append(
            _every_two([(x - side, y - side), (x + side, y - side), (x - side, y + side), (x + side, y + side)])
        )
    return Picture(
        tuple(line for part in parts for line in part.lines), tuple(dot for part in parts for dot in part.shapes)
    )


def _round_robin() -> Picture:
    return _every_two([(48, 6), (76, 20), (68, 49), (28, 49), (20, 20)])


def _knockout() -> Picture:
    first = (7, 21, 35, 49)
    lines = [f"M14 {upper}H38V{lower}H14" for upper, lower in ((7, 21), (35, 49))]
    lines += ["M38 14H64V42H38", "M64 28H84"]
    return Picture(tuple(lines), (*(_dot(10, y) for y in first), _dot(88, 28, 6)))


def _swiss() -> Picture:
    """Rounds side by side: those with the same score meet."""
    columns, rows = (10, 48, 86), (8, 28, 48)
    lines = ["M10 8L48 8", "M10 8L48 28", "M10 48L48 28", "M10 48L48 48", "M10 28L48 8", "M10 28L48 48"]
    lines += ["M48 8L86 8", "M48 8L86 28", "M48 28L86 8", "M48 28L86 48", "M48 48L86 28", "M48 48L86 48"]
    return Picture(tuple(lines), tuple(_dot(x, y) for x in columns for y in rows))


def _danish() -> Picture:
    """First against second, third against fourth."""
    pairs = ((8, 20), (36, 48))
    lines = [f"M30 {upper}H66V{lower}H30" for upper, lower in pairs]
    return Picture(tuple(lines), tuple(_dot(26, y) for pair in pairs for y in pair))


def _two_rooms() -> Picture:
    """Open and closed room, boards go between."""
    lines = ("M37 20H57", "M52 15L57 20L52 25", "M59 36H39", "M44 31L39 36L44 41")
    return Picture(lines, (_box(8, 12, 26, 32), _box(62, 12, 26, 32)))


def _tables_in_a_row() -> Picture:
    """Pairs move on from table to table."""
    lines = ("M16 44H78", "M72 38L78 44L72 50")
    return Picture(lines, (_box(6, 10, 22, 22), _box(37, 10, 22, 22), _box(68, 10, 22, 22)))


def _single_players() -> Picture:
    """A table with four players around."""
    return Picture(("M36 16H60V40H36Z",), (_dot(48, 7), _dot(48, 49), _dot(27, 28), _dot(69, 28)))


_DRAWN: Final[Mapping[StageFormat, Callable[[], Picture]]] = {
    StageFormat.SWISS_TIMED: _swiss,
    StageFormat.DANISH: _danish,
    StageFormat.ROUND_ROBIN: _round_robin,
    StageFormat.GROUPS: lambda: _groups(_MOST_GROUPS),
    StageFormat.KO_TIMED: _knockout,
    StageFormat.DUPLICATE_TEAMS: _two_rooms,
    StageFormat.DUPLICATE_PAIRS: _tables_in_a_row,
    StageFormat.INDIVIDUAL: _single_players,
}

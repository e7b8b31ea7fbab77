"""A trick drawn from above: all seats around a table, their cards in fans, the order of play numbered.

Units of the drawing are pixels of a narrow phone. Where a fan has no room the cards overlap, then go on in a new row;
ranks stay readable in what is left of a covered card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.adjudicator.verdicts import DECIDING, DIM
from referee.parts.words import SUITS, card_words, in_language, mark
from scoring.values import Place, Seat
from scoring.wording import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.adjudicator.verdicts import Placed
    from scoring.values import Player

WIDTH: Final = 360
CARD: Final = (32, 44)
#: What must stay visible of a covered card, and how far cards that have room are apart.
_LEAST_STEP, _STEP = 17, 35
_RAISE: Final = 7
_ROW: Final = 50
_LABEL, _NOTE = 22, 19
_MIDDLE: Final = 62
_SIDE: Final = 142


@dataclass(frozen=True, slots=True)
class _Table:
    """Who sits where, seen from above: behind the table, at its sides (left and right, row by row), in front."""

    top: Player | None
    sides: tuple[tuple[Player, Player], ...]
    bottom: Player


#: By who sits there; turns go counter-clockwise, to the right of whoever sits in front.
_TABLES: Final[Mapping[tuple[Player, ...], _Table]] = {
    tuple(Seat): _Table(Seat.N, ((Seat.W, Seat.E),), Seat.S),
    tuple(Place)[:4]: _Table(Place.P3, ((Place.P4, Place.P2),), Place.P1),
    tuple(Place): _Table(None, ((Place.P4, Place.P3), (Place.P5, Place.P2)), Place.P1),
}


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card face at its upper left corner; `covered` cards show their left edge alone."""

    code: str
    x: int
    y: int
    state: str
    css: str
    rank: str
    suit: str
    covered: bool


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """One seat: its label above the fan (below it in the south), its note, and the cards."""

    placed: Placed
    x: int
    anchor: str
    label_y: int
    note_y: int
    cards: tuple[DrawnCard, ...]

    @property
    def disc(self) -> tuple[int, int]:
        """Middle of the disc with the place in the order of play; the name stands beside it."""
        middle = {"start": self.x + 9, "middle": self.x - 21, "end": self.x - 9}[self.anchor]
        return middle, self.label_y - 5

    @property
    def name_x(self) -> int:
        """Where the name begins, or ends in the east."""
        return self.disc[0] + (-14 if self.anchor == "end" else 14)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The seats and the size of the whole; `middle` is where the table with its arrow stands."""

    seats: tuple[DrawnSeat, ...]
    height: int
    middle: tuple[int, int]


def draw(placed: Sequence[Placed], players: Sequence[Player] = tuple(Seat)) -> Drawing:
    """The drawing of those who are known of all `players` at the table; seats nobody asks about stay empty."""
    table, by_seat = _TABLES[tuple(players)], {one.seat: one for one in placed}
    y, seats = 4, list[DrawnSeat]()
    if table.top is not None and table.top in by_seat:
        y += _in_middle(seats, by_seat[table.top], y)
    top = y
    for pair in table.sides:
        y += _beside(seats, [by_seat.get(player) for player in pair], y)
    y = max(y, top + _MIDDLE)
    middle = (WIDTH // 2, (top + y) // 2)
    if table.bottom in by_seat:
        y += _in_middle(seats, by_seat[table.bottom], y)
    seats.sort(key=lambda one: one.placed.number)
    return Drawing(tuple(seats), y + 4, middle)


def _in_middle(seats: list[DrawnSeat], placed: Placed, y: int) -> int:
    """Add who sits behind or in front of the table; the height."""
    rows = _rows(placed, WIDTH - 16)
    seats.append(_seat(placed, WIDTH // 2, "middle", y, rows))
    return _tall(rows)


def _beside(seats: list[DrawnSeat], pair: Sequence[Placed | None], y: int) -> int:
    """Add who sits left and right of the table; the height, 0 where nobody does."""
    if not any(pair):
        return 0
    rows = max(_rows(one, _SIDE) for one in pair)
    for placed, x, anchor in zip(pair, (6, WIDTH - 6), ("start", "end"), strict=True):
        if placed is not None:
            seats.append(_seat(placed, x, anchor, y, rows))
    return _tall(rows)


def _tall(rows: int) -> int:
    return _LABEL + _RAISE + rows * _ROW + _NOTE


def _room(width: int) -> int:
    """Cards that one row of a fan can hold."""
    return (width - CARD[0]) // _LEAST_STEP + 1


def _rows(placed: Placed | None, width: int) -> int:
    if placed is None or not placed.cards:
        return 1
    return -(-len(placed.cards) // _room(width))


def _seat(placed: Placed, x: int, anchor: str, y: int, rows: int) -> DrawnSeat:
    width = WIDTH - 16 if anchor == "middle" else _SIDE
    cards: list[DrawnCard] = []
    each = -(-len(placed.cards) // rows) if placed.cards else 0
    for row in range(rows):
        line = placed.cards[row * each : (row + 1) * each]
        cards += _line(line, x, anchor, y + _LABEL + _RAISE + row * _ROW, width)
    own = -(-len(placed.cards) // _room(width)) if placed.cards else 1
    note_y = y + _LABEL + _RAISE + (own if rows == 1 else rows) * _ROW + 10
    return DrawnSeat(placed, x, anchor, y + 15, note_y, tuple(cards))


def _line(cards: Sequence[tuple[str, str]], x: int, anchor: str, y: int, width: int) -> list[DrawnCard]:
    if not cards:
        return []
    step = _STEP if len(cards) == 1 else min(_STEP, (width - CARD[0]) // (len(cards) - 1))
    wide = CARD[0] + step * (len(cards) - 1)
    left = {"start": x, "middle": x - wide // 2, "end": x - wide}[anchor]
    drawn = []
    for i, (code, state) in enumerate(cards):
        raised = _RAISE if state == DECIDING else 0
        rank, suit, css = _face(code)
        covered = step < CARD[0] and i < len(cards) - 1
        drawn.append(DrawnCard(code, left + i * step, y - raised, _STATES.get(state, ""), css, rank, suit, covered))
    return drawn


_STATES: Final[Mapping[str, str]] = {DECIDING: "deciding", DIM: "dim"}


def _face(code: str) -> tuple[str, str, str]:
    """Rank shown, symbol, class."""
    if code == "?":
        return "?", "", "back"
    if code in ("JS", "JB"):
        return "", code, "big-joker" if code == "JB" else "small-joker"
    return code[1:], code[0], SUITS[code[0]][0]


def spoken(placed: Sequence[Placed]) -> str:
    """The drawing in words, seat by seat in the order of play."""
    told = []
    for one in sorted(placed, key=lambda one: one.number):
        cards = " ".join(card_words(code) for code, _ in one.cards if code != "?")
        note = f" ({in_language(one.note)})" if in_language(one.note) else ""
        told.append(f"{one.number}. {in_language(PLAYERS[one.seat])}{mark(':')}{cards}{note}")
    return mark(";").join(told)

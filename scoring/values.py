"""Values of the game: points, levels, seats, sides, roles, cards and shapes.

Every value is immutable and has one text or JSON form that parses back to an equal value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self, TypeVar

#: A text in both languages of the kernel: {"en": ..., "zh": ...}.
Text = Mapping[str, str]

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("S", "H", "C", "D")
#: Levels that follow the ranks where a ladder has them: 打王, 打无主 and, last of all, the flag (扛旗).
AFTER_A = ("joker", "no_trump")
LEVELS = (*RANKS, *AFTER_A, "flag")


class Points(int):
    """Card points (分). Totals are signed and have no upper bound."""

    __slots__ = ()


_NOTHING = Points(0)
_POINTS = {"5": Points(5), "10": Points(10), "K": Points(10)}


class _Word(StrEnum):
    """A value that is a word, and is found in tables as fast as one."""

    __hash__ = str.__hash__


class Side(_Word):
    """A partnership at the table: 南北方 or 东西方."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> Side:
        return Side.EW if self is Side.NS else Side.NS


class Seat(_Word):
    """A place at the table. Turns go counter-clockwise: N, W, S, E."""

    N = "N"
    W = "W"
    S = "S"
    E = "E"

    @property
    def right(self) -> Seat:
        """下家: the neighbour on the right hand, next in turn."""
        return _RIGHT[self]

    @property
    def partner(self) -> Seat:
        """对家: the other player of the same side."""
        return _PARTNER[self]

    @property
    def left(self) -> Seat:
        """上家: the neighbour on the left hand, the one before in turn."""
        return _LEFT[self]

    @property
    def side(self) -> Side:
        return _SIDE[self]


_TURN = (Seat.N, Seat.W, Seat.S, Seat.E)
_RIGHT = {seat: _TURN[(i + 1) % 4] for i, seat in enumerate(_TURN)}
_PARTNER = {seat: _TURN[(i + 2) % 4] for i, seat in enumerate(_TURN)}
_LEFT = {seat: _TURN[(i + 3) % 4] for i, seat in enumerate(_TURN)}
_SIDE = {Seat.N: Side.NS, Seat.S: Side.NS, Seat.W: Side.EW, Seat.E: Side.EW}


class Place(_Word):
    """A place (位) at the table of an individual game, numbered counter-clockwise, four or five of them."""

    P1 = "1"
    P2 = "2"
    P3 = "3"
    P4 = "4"
    P5 = "5"


#: Whoever plays cards: at a seat of two sides, or at a place among single players.
Player = Seat | Place


def seat_of(player: Player) -> Seat:
    """The seat of a player where there are two sides."""
    assert isinstance(player, Seat)
    return player


def side_of(player: Player) -> Side:
    """The side of a player where there are two."""
    return seat_of(player).side


def in_turn(players: Sequence[Player], first: Player) -> tuple[Player, ...]:
    """All of `players`, who sit in turn, beginning with `first`."""
    at = players.index(first)
    return (*players[at:], *players[:at])


class Role(_Word):
    """What a side is in one hand: 庄家方 or 闲家方."""

    DEALER = "dealer"
    ATTACKERS = "attackers"


class Trump(_Word):
    """The trump suit of a hand, or no-trump (无主)."""

    S = "S"
    H = "H"
    C = "C"
    D = "D"
    NT = "NT"


_T = TypeVar("_T")
_ONLY: dict[tuple[object, ...], Any] = {}


def _only(cls: type[_T], *parts: str) -> _T:
    """The one object of a class with these parts."""
    known: _T | None = _ONLY.get((cls, *parts))
    return known if known is not None else _ONLY.setdefault((cls, *parts), object.__new__(cls))


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """A level (级): the rank a side plays, or one of the levels after A. Its order belongs to a ladder.

    There is one object of each, so that equal levels are the same and are compared and looked up as fast as numbers.
    """

    rank: str

    def __new__(cls, rank: str) -> Self:
        if rank not in LEVELS:
            raise ValueError(f"no such level: {rank!r}")
        return _only(cls, rank)

    def __reduce__(self) -> tuple[type[Level], tuple[str]]:
        return Level, (self.rank,)

    def __str__(self) -> str:
        return self.rank

    @property
    def has_no_trump_suit(self) -> bool:
        """Whether the level is played without a trump suit."""
        return self.rank in ("no_trump", "flag")


#: The last level of a ladder with a flag: a deal and a line of its own, won by holding the deal (扛旗).
FLAG = Level("flag")


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """A shape (牌型): `width` equal cards on each of `length` adjacent rungs.

    A single is 1×1, a pair 2×1, a triple 3×1, a quad 4×1; two or more rungs make a tractor. 510K (5, 10 and K of one
    suit) is 1×3.
    """

    width: int
    length: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.width <= 4 or self.length < 1 or (self.width == 1 and self.length not in (1, 3)):
            raise ValueError(f"no such shape: {self.width}×{self.length}")

    @property
    def type(self) -> str:
        if self.length == 1:
            return _SHAPE_NAMES[self.width]
        return "tractor" if self.width > 1 else "510K"

    @property
    def cards(self) -> int:
        """How many cards the shape has."""
        return self.width * self.length

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read `{"type": "pair"}` or `{"type": "tractor", "width": 2, "length": 3}`; ValueError on anything else."""
        if not isinstance(data, Mapping):
            raise ValueError("a shape is an object with a type")
        kind = data.get("type")
        if kind == "tractor":
            width, length = data.get("width"), data.get("length")
            if type(width) is not int or type(length) is not int or width < 2 or length < 2:
                raise ValueError("a tractor has a width of 2 to 4 and a length of at least 2")
            if set(data) - {"type", "width", "length"}:
                raise ValueError("a tractor has type, width and length only")
            return cls(width, length)
        if kind == "510K" and set(data) == {"type"}:
            return cls(1, 3)
        if not isinstance(kind, str) or kind not in _SHAPE_WIDTHS or set(data) != {"type"}:
            raise ValueError("the type of a shape is single, pair, triple, quad, 510K or tractor")
        return cls(_SHAPE_WIDTHS[kind])

    def to_json(self) -> dict[str, object]:
        if self.type != "tractor":
            return {"type": self.type}
        return {"type": "tractor", "width": self.width, "length": self.length}


_SHAPE_NAMES = {1: "single", 2: "pair", 3: "triple", 4: "quad"}
_SHAPE_WIDTHS = {name: width for width, name in _SHAPE_NAMES.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card: suit letter and rank (`SJ`, `H10`), or a joker (`JS` small, `JB` big; their suit is "J").

    As of levels there is one object of each.
    """

    suit: str
    rank: str

    def __new__(cls, suit: str, rank: str) -> Self:
        return _only(cls, suit, rank)

    def __reduce__(self) -> tuple[type[Card], tuple[str, str]]:
        return Card, (self.suit, self.rank)

    @classmethod
    def parse(cls, text: object) -> Self:
        """Read the text form; ValueError on anything else."""
        if isinstance(text, str):
            if text in ("JS", "JB"):
                return cls("J", text[1])
            if text[:1] in SUITS and text[1:] in RANKS:
                return cls(text[0], text[1:])
        raise ValueError("a card is a suit letter and a rank, JS or JB")

    @property
    def is_joker(self) -> bool:
        return self.suit == "J"

    @property
    def points(self) -> Points:
        """5 for a five, 10 for a ten or a king, else 0."""
        return _POINTS.get(self.rank, _NOTHING)

    def __str__(self) -> str:
        return self.suit + self.rank


def exact(number: Fraction | int) -> str:
    """The exact decimal text of a number ("16.73", "2", "-0.5"); one that has no finite decimal is "n/d"."""
    if number.denominator == 1:
        return str(number.numerator)
    value = Fraction(number)
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def readable(text: str) -> str:
    """Exact texts, one or several, as tables for people have them: fractions without end to the nearest hundredth."""
    parts = (exact(Fraction(round(Fraction(part) * 100), 100)) if "/" in part else part for part in text.split(" "))
    return " ".join(parts)

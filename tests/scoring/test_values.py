from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.values import RANKS, SUITS, Card, Level, Points, Seat, Shape, Side, exact

TURN = "NWSE"


@pytest.mark.parametrize("place", range(4))
def test_turns_go_counter_clockwise(place):
    seat = Seat(TURN[place])
    assert seat.right == TURN[(place + 1) % 4]
    assert seat.partner == TURN[(place + 2) % 4]
    assert seat.left == TURN[(place + 3) % 4]
    assert seat.partner.side is seat.side
    assert seat.right.side is seat.side.other


def test_the_right_hand_neighbour_of_south_is_east():
    assert Seat.S.right is Seat.E


@given(st.sampled_from([*(suit + rank for suit in SUITS for rank in RANKS), "JS", "JB"]))
def test_cards_print_and_parse(text):
    card = Card.parse(text)
    assert str(card) == text
    assert card.is_joker == (text in ("JS", "JB"))


@pytest.mark.parametrize(("text", "points"), [("S5", 5), ("H10", 10), ("DK", 10), ("CA", 0), ("JB", 0), ("SJ", 0)])
def test_card_points(text, points):
    assert Card.parse(text).points == Points(points)


@pytest.mark.parametrize("text", ["", "S", "S1", "J", "JJ", "s7", "S07", "10H", "♠7", "S7 ", None, 7, ["S7"], True])
def test_what_is_no_card(text):
    with pytest.raises(ValueError, match="card"):
        Card.parse(text)


SHAPES = [
    ({"type": "single"}, Shape(1), 1),
    ({"type": "pair"}, Shape(2), 2),
    ({"type": "triple"}, Shape(3), 3),
    ({"type": "quad"}, Shape(4), 4),
    ({"type": "tractor", "width": 2, "length": 3}, Shape(2, 3), 6),
    ({"type": "tractor", "width": 3, "length": 2}, Shape(3, 2), 6),
]


@pytest.mark.parametrize(("data", "shape", "cards"), SHAPES)
def test_shapes_round_trip(data, shape, cards):
    assert Shape.from_json(data) == shape
    assert shape.to_json() == data
    assert shape.cards == cards
    assert shape.type == data["type"]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "pair",
        {},
        {"type": "bomb"},
        {"type": ["pair"]},
        {"type": "pair", "width": 2},
        {"type": "tractor"},
        {"type": "tractor", "width": 2},
        {"type": "tractor", "width": 1, "length": 3},
        {"type": "tractor", "width": 2, "length": 1},
        {"type": "tractor", "width": True, "length": 3},
        {"type": "tractor", "width": 2.0, "length": 3},
        {"type": "tractor", "width": 5, "length": 2},
        {"type": "tractor", "width": 2, "length": 2, "suit": "S"},
    ],
)
def test_what_is_no_shape(data):
    with pytest.raises(ValueError, match=r"shape|tractor|type"):
        Shape.from_json(data)


@pytest.mark.parametrize("rank", ["1", "11", "", "a", "JS", "X"])
def test_what_is_no_level(rank):
    with pytest.raises(ValueError, match="level"):
        Level(rank)


def test_sides_and_their_seats():
    assert [seat.side for seat in (Seat.N, Seat.S)] == [Side.NS] * 2
    assert [seat.side for seat in (Seat.W, Seat.E)] == [Side.EW] * 2
    assert Side.NS.other is Side.EW


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2, "2"),
        (0, "0"),
        (-3, "-3"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(1673, 100), "16.73"),
        (Fraction(1, 10), "0.1"),
        (Fraction(-7, 1000), "-0.007"),
        (Fraction(1, 3), "1/3"),
        (Fraction(10, 4), "2.5"),
    ],
)
def test_exact_decimals(number, text):
    assert exact(number) == text


@given(st.fractions())
def test_exact_is_exact(number):
    assert Fraction(exact(number)) == number

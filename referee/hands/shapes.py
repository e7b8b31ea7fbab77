"""Shapes of the last trick in forms and links: one-word codes, read and written in one place, and their keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from referee.parts.words import in_language
from scoring.hands.totals import kitty_multiplier
from scoring.values import Shape
from scoring.wording import shape_name

if TYPE_CHECKING:
    from scoring.profiles import Profile

# Shapes have one-word codes in forms: single, pair, triple, quad, 2x3 (three pairs).


LONGEST_TRACTOR: Final = 6


def code_of(shape: Shape) -> str:
    return f"{shape.width}x{shape.length}" if shape.type == "tractor" else shape.type


def shape_of(code: str) -> dict[str, Any]:
    """The protocol's shape of a code; an unknown code goes to the kernel as it is, to be refused by name."""
    if found := re.fullmatch(r"(?:tractor-)?([0-9]{1,2})[x-]([0-9]{1,2})", code):
        return {"type": "tractor", "width": int(found[1]), "length": int(found[2])}
    return {"type": code}


def short_shapes(profile: Profile) -> tuple[Shape, ...]:
    """The shapes that have their own key: what most last tricks are led with."""
    shapes = {
        1: (Shape(1),),
        2: (Shape(1), Shape(2), Shape(2, 2), Shape(2, 3)),
        3: (Shape(1), Shape(2), Shape(3), Shape(2, 2)),
    }
    return shapes.get(profile.decks, (Shape(1), Shape(2), Shape(3), Shape(4)))


def short_codes(profile: Profile) -> tuple[str, ...]:
    return tuple(code_of(shape) for shape in short_shapes(profile))


def all_shapes(profile: Profile) -> tuple[Shape, ...]:
    """Every shape that a hand of the profile could lead, shortest first."""
    widths = range(1, profile.decks + 1)
    plain = [Shape(width) for width in widths]
    tractors = [
        Shape(width, length)
        for width in widths
        if width > 1 and profile.tractors
        for length in range(2, profile.hand_cards // width + 1)
        if length <= 12
    ]
    special = [Shape(1, 3)] if profile.shape_510k else []
    return tuple(plain + special + sorted(tractors, key=lambda shape: (shape.cards, shape.length)))


def shape_key(profile: Profile, shape: Shape) -> tuple[str, str, int]:
    """Code, word and factor of a shape."""
    return code_of(shape), in_language(shape_name(shape)), kitty_multiplier(profile, [shape])[0]


def shape_choices(profile: Profile) -> list[tuple[str, str]]:
    """Every shape worth naming that can be led to the last trick, by its code: up to six of a kind in a row."""
    shapes = [Shape(width) for width in range(1, profile.decks + 1)]
    shapes += [Shape(1, 3)] if profile.shape_510k else []
    shapes += [
        Shape(width, length)
        for width in range(2, profile.decks + 1)
        for length in range(2, LONGEST_TRACTOR + 1)
        if profile.tractors and width * length <= profile.hand_cards
    ]
    return [(code_of(shape), in_language(shape_name(shape))) for shape in shapes]

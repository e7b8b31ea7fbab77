"""Shapes of the last trick in forms: one-word codes, their keys, their names; and numbers as they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.hands.totals import kitty_multiplier
from scoring.values import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.parts.words import Word
    from scoring.profiles import Profile

MOST_DIGITS: Final = 9
_SHAPES: Final[Mapping[int, Word]] = {
    1: gettext_lazy("single"),
    2: gettext_lazy("pair"),
    3: gettext_lazy("triple"),
    4: gettext_lazy("quad"),
}


def whole_number(text: str) -> int | str:
    """A number as typed; what is none stays text, to be refused by name."""
    sign, digits = (text[0], text[1:]) if text.startswith(("-", "−")) else ("", text)
    if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS:
        return -int(digits) if sign else int(digits)
    return text


# Shapes have one-word codes in forms: single, pair, triple, quad, 2x3 (three pairs).


def code_of(shape: Shape) -> str:
    return f"{shape.width}x{shape.length}" if shape.type == "tractor" else shape.type


def shape_of(code: str) -> Any:
    """The protocol's shape of a code; an unknown code goes to the kernel as it is, to be refused by name."""
    width, cross, length = code.partition("x")
    if cross and width.isdigit() and length.isdigit() and len(code) <= 5:
        return {"type": "tractor", "width": int(width), "length": int(length)}
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


def shape_word(shape: Shape) -> str:
    """``pair``, ``2-pair tractor``, ``tractor of 2 triples``."""
    if shape.type == "510K":
        return "510K"
    if shape.length == 1:
        return str(_SHAPES[shape.width])
    if shape.width == 2:
        numbers = {2: _("2-pair tractor"), 3: _("3-pair tractor")}
        return numbers.get(shape.length) or _("%(n)s-pair tractor") % {"n": shape.length}
    if shape.width == 3:
        return _("tractor of %(n)s triples") % {"n": shape.length}
    return _("tractor of %(n)s quads") % {"n": shape.length}


def shape_key(profile: Profile, shape: Shape) -> tuple[str, str, int]:
    """Code, word and factor of a shape."""
    return code_of(shape), shape_word(shape), kitty_multiplier(profile, [shape])[0]

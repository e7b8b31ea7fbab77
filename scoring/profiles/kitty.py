"""Kitty schemes: by how much the kitty points are multiplied after a dig (抠底倍数).

A scheme is a row of data: how the deciding shape of the led cards is chosen, and a factor for each kind of shape.
`topic` names the clause that gives the factor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.values import Shape


@dataclass(frozen=True, slots=True)
class Factor:
    """A multiplier, the topic of the clause that gives it, and the shape that decided (None: all cards led)."""

    multiplier: int
    topic: str
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way to multiply.

    In a throw the shape with most cards decides (with two decks that is the highest class). `factor` gives the
    multiplier of one shape, `singles_throw` that of a throw of singles only (None: as one single), `by_cards` counts
    all cards led and ignores the rest. `decks` are the deck counts whose shapes the scheme covers.
    """

    decks: tuple[int, ...]
    factor: Callable[[Shape], int]
    singles_throw: int | None = None
    any_throw: int | None = None
    by_cards: Callable[[int], int] | None = None

    def decide(self, shapes: Sequence[Shape]) -> Factor:
        """The factor for the shapes led to the last trick (at least one)."""
        if self.by_cards is not None:
            return Factor(self.by_cards(sum(shape.cards for shape in shapes)), "kitty.cards")
        if len(shapes) > 1:
            if self.any_throw is not None:
                return Factor(self.any_throw, "kitty.throw")
            if self.singles_throw is not None and all(shape.cards == 1 for shape in shapes):
                return Factor(self.singles_throw, "kitty.throw")
        shape = max(shapes, key=lambda one: (one.cards, self.factor(one)))
        return Factor(self.factor(shape), _topic(shape), shape)


def _topic(shape: Shape) -> str:
    if shape.type == "tractor":
        return "kitty.tractor" if shape.width == 2 else "kitty.tractor_of_triples"
    return f"kitty.{shape.type}"


def _pow_pairs(shape: Shape) -> int:
    """Twice the width for each rung: 2^(p+1) for p pairs, 2·3^p for p triples, and quads alike."""
    return int(2 * shape.width**shape.length)


def _four_times_pairs(shape: Shape) -> int:
    return 2 if shape.width == 1 else 4 * shape.length


def _national_2d(shape: Shape) -> int:
    return 2 if shape.width == 1 else 2 * shape.length + 2


def _national_3d(shape: Shape) -> int:
    if shape.length == 1:
        return shape.width + 1
    return shape.length + 3 if shape.width == 2 else 2 * shape.length + 2


SCHEMES: dict[str, Scheme] = {
    "pow_pairs": Scheme((1, 2, 3, 4), _pow_pairs),
    "four_times_pairs": Scheme((1, 2), _four_times_pairs),
    "pow_cards": Scheme((1, 2, 3, 4), lambda shape: 1 << shape.cards, by_cards=lambda cards: 1 << cards),
    "cards_x1": Scheme((1, 2, 3, 4), lambda shape: shape.cards, by_cards=lambda cards: cards),
    "cards_x2": Scheme((1, 2, 3, 4), lambda shape: 2 * shape.cards, by_cards=lambda cards: 2 * cards),
    "national_1d": Scheme((1,), lambda shape: 2, any_throw=3),
    "national_2d": Scheme((2,), _national_2d, singles_throw=3),
    "national_3d": Scheme((3,), _national_3d, singles_throw=3),
    "online_3d": Scheme((3,), _pow_pairs),
}

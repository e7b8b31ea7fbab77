"""What is led: cards of one category in the reading that counts, or a 510K; and what cards make that nobody leads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring import wording
from scoring.cards.order import Category, Counts, Order
from scoring.cards.parsing import default_reading, readings
from scoring.cards.units import SINGLE, Reading, Unit, Want, by_class, unit_cards
from scoring.frozen import quickly_made
from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Shape

#: 5, 10 and K of one suit (炒地皮): a shape of its own, never part of a throw.
FIVE_TEN_KING: Want = (1, 3)
_RANKS_510K = ("5", "10", "K")


@quickly_made
@dataclass(frozen=True, slots=True)
class Lead:
    """What was led: cards of one category in the reading that counts, highest class first.

    `wants` are the shapes of its units, `size` is how many cards it has.
    """

    order: Order
    category: Category
    counts: Counts
    units: Reading
    wants: tuple[Want, ...]
    size: int

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.order.cards(self.counts)

    @property
    def is_throw(self) -> bool:
        return len(self.units) > 1

    def cards_of(self, unit: Unit) -> tuple[Card, ...]:
        return unit_cards(self.category, unit)


def five_ten_king(order: Order, cards: Sequence[Card]) -> Category | None:
    """The category of a 510K, or None. A five that is always a trump may stand in its own suit."""
    if len(cards) != 3 or not order.profile.shape_510k or {card.rank for card in cards} != set(_RANKS_510K):
        return None
    if len({card.suit for card in cards}) != 1:
        return None
    return order.only_category([card for card in cards if str(card) not in order.profile.permanent_ranks])


def read_lead(
    order: Order, cards: Sequence[Card], declared: Sequence[Shape] | None = None, *, field: str = "lead"
) -> Lead:
    """What a lead is. `declared` are the shapes that the leader named, in any order.

    Raises Refused: `no_cards`, `mixed_categories`, `reading_not_there`, `throw_not_here`, `throw_mixed_not_here`,
    `too_large`.
    """
    profile = order.profile
    if not cards:
        raise Refused([finding("no_cards", field)])
    counts = order.count(cards)
    special = five_ten_king(order, cards)
    if special is not None:
        unit = Unit(*FIVE_TEN_KING, tuple(special.faces.index(c) for c in cards if c in special.faces), 0)
        return Lead(order, special, counts, (unit,), (FIVE_TEN_KING,), 3)
    first, *_ = cards
    category = order.category(first)
    own = category.of(counts)
    if sum(own) < len(cards):
        raise Refused([finding("mixed_categories", field, profile=profile, topic="cards.order")])
    units = default_reading(profile, category, own)
    if declared:
        found = readings(category, own)
        wanted = by_class((shape.width, shape.length) for shape in declared)
        fitting = [one for one in found if tuple(unit.want for unit in one) == wanted]
        if not fitting:
            raise Refused([_not_there(profile, found, field)])
        units = fitting[0]
    if len(units) > 1 and not profile.throws_allowed:
        raise Refused([finding("throw_not_here", field, profile=profile, topic="throws")])
    if len(units) > 1 and not profile.throw_mixed and any(unit.want != SINGLE for unit in units):
        raise Refused([finding("throw_mixed_not_here", field, profile=profile, topic="throw.what")])
    return Lead(order, category, counts, units, tuple([unit[:2] for unit in units]), len(cards))


def unsaid(lead: Lead, declared: Sequence[Shape] | None) -> tuple[Reading, ...] | None:
    """The other readings of a throw whose leader should have said which is meant and did not; empty: too many to list.

    None where nothing had to be said.
    """
    if declared or not lead.is_throw or lead.order.profile.parse != "declared":
        return None
    try:
        found = readings(lead.category, lead.category.of(lead.counts))
    except Refused:  # the default needs no list
        return ()
    return tuple(units for units in found if tuple(unit.want for unit in units) != lead.wants) or None


class Made(NamedTuple):
    """A shape and the cards that make it."""

    shape: Shape
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardReadings:
    """What cards make: the reading that counts when nobody says which, and every one there is."""

    best: tuple[Made, ...]
    all: tuple[tuple[Made, ...], ...]
    because: tuple[Reason, ...]


def read_cards(order: Order, cards: Sequence[Card], *, field: str = "cards") -> CardReadings:
    """Every way to read some cards. Raises Refused: `no_cards`, `mixed_categories`, `too_large`."""
    profile = order.profile
    if not cards:
        raise Refused([finding("no_cards", field)])
    if five_ten_king(order, cards) is not None:
        only = (Made(Shape(*FIVE_TEN_KING), tuple(cards)),)
        return CardReadings(only, (only,), profile.cite("cards.510K"))
    category = order.only_category(cards)
    if category is None:
        raise Refused([finding("mixed_categories", field, profile=profile, topic="cards.order")])
    counts = category.of(order.count(cards))
    best = made(category, default_reading(profile, category, counts))
    every = tuple(made(category, units) for units in readings(category, counts))
    return CardReadings(best, every, profile.cite("cards.reading"))


def made(category: Category, units: Reading) -> tuple[Made, ...]:
    return tuple(Made(unit.shape, unit_cards(category, unit)) for unit in units)


def _not_there(profile: Profile, found: Sequence[Reading], field: str) -> Finding:
    readings = wording.readings_named([unit.shape for unit in units] for units in found)
    return finding("reading_not_there", field, profile=profile, topic="cards.reading", readings=readings)

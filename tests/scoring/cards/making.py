"""Short ways to write orders, cards and hands in the tests of the card rules."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from scoring.cards.leads import Lead, read_lead
from scoring.cards.order import Category, Order, order_of
from scoring.cards.units import Reading, unit_cards
from scoring.profiles import build
from scoring.values import Card, Level, Shape, Trump

#: Rules that let one thing go that their base asks for, or ask for it in another order.
ANY_PAIR = {"base": "scn2-2013", "set": {"must_follow_pair": False}}
NO_SHORTER = {"base": "cn-national-2d", "set": {"shorter_run_owed": False}}
PAIRS_ONLY = {"base": "cn-national-2d", "set": {"tractor_from_throw": False}}
TRACTORS_FIRST = {"base": "cn-national-3d", "set": {"follow_order": "tractor_before_triples"}}


def cards(text: str) -> tuple[Card, ...]:
    """Cards from `H8 H8 HJ`."""
    return tuple(Card.parse(word) for word in text.split())


def texts(held: Any) -> list[str]:
    """Cards as sorted texts, to compare sets of cards by."""
    return sorted(map(str, held))


def order(profile: Any = "cn-national-2d", trump: str = "S", level: str | None = "7") -> Order:
    return order_of(build(profile, individual=True), Trump(trump), None if level is None else Level(level))


def lead(at: Order, text: str, *declared: tuple[int, int]) -> Lead:
    return read_lead(at, cards(text), [Shape(*one) for one in declared] or None)


def said(category: Category, units: Reading) -> str:
    """A reading in short: `2x2:HK-HA 1x1:HK`."""
    return " ".join(
        f"{unit.width}x{unit.length}:{'-'.join(map(str, dict.fromkeys(unit_cards(category, unit))))}" for unit in units
    )


def deals(at: Order, size: int, least: int = 1) -> st.SearchStrategy[tuple[Card, ...]]:
    """Different hands from the decks of the order's profile."""
    pool = [card for card in at.place for _ in range(at.profile.decks)]
    return st.lists(st.sampled_from(range(len(pool))), min_size=least, max_size=size, unique=True).map(
        lambda picked: tuple(pool[i] for i in picked)
    )

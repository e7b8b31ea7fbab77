"""What the partner's card says to a lead: help in the suit, nothing, or what the cards alone do not tell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from scoring.cards.order import Category, Order
from scoring.hands.findings import Refused, finding
from scoring.profiles import Reason
from scoring.signals.clauses import cite
from scoring.values import Card

HELP, NOTHING, UNREADABLE = "help", "nothing", "unreadable"


class Said(NamedTuple):
    """`shows` is help, nothing or unreadable; `reason` is a code."""

    shows: str
    reason: str
    because: tuple[Reason, ...]


def top_of(category: Category) -> frozenset[Card]:
    """The largest cards of a category: the ace of a side suit, the king at level A."""
    return frozenset(category.faces[node] for node in category.nodes[-1])


def read_answer(order: Order, lead: Sequence[Card], play: Sequence[Card], direct: Collection[str]) -> Said:
    """What the partner's `play` to this `lead` says, for a side that has agreed on these ranks.

    Raises Refused: `wrong_count`.
    """
    if len(play) != len(lead):
        raise Refused([finding("wrong_count", "play")])
    first, *_ = lead
    suit = order.category(first)
    if suit.is_trumps:
        return Said(NOTHING, "trump_led", cite("direct"))
    if len(lead) > 1:
        return Said(UNREADABLE, "several_cards", cite("question"))
    if first not in top_of(suit):
        return Said(NOTHING, "no_question", cite("question"))
    if order.category(play[0]) is not suit:
        return Said(NOTHING, "not_followed", cite("direct"))
    if play[0].rank in direct:
        return Said(HELP, "agreed_card", cite("direct"))
    return Said(NOTHING, "not_agreed", cite("direct"))

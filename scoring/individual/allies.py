"""The friend of 找朋友: who plays the called card so often, counted copy by copy in the order of play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.individual.entries import Call
from scoring.profiles import Profile, Reason
from scoring.values import Card, Place


@dataclass(frozen=True, slots=True)
class Ally:
    """Who the ally is: a place, the dealer himself, or None while nobody knows. `found_in` is the trick, from 1, in
    which the card fell; `alone` is None while nobody knows."""

    place: Place | None
    found_in: int | None
    alone: bool | None
    because: tuple[Reason, ...]


def find_ally(
    profile: Profile,
    dealer: Place,
    call: Call,
    tricks: Iterable[Sequence[tuple[Place, Sequence[Card]]]],
    *,
    buried: Sequence[Card] = (),
    complete: bool = False,
) -> Ally:
    """The ally after these tricks. `buried` are cards of the kitty that are known, `complete` says that no trick is to
    come: a copy that can no longer be played leaves the dealer alone."""
    seen = 0
    for number, trick in enumerate(tricks, start=1):
        for place, cards in trick:
            seen += sum(card == call.card for card in cards)
            if seen >= call.ordinal:
                return Ally(place, number, place is dealer, profile.cite("ally"))
    playable = profile.decks - sum(card == call.card for card in buried)
    if complete or call.ordinal > playable:
        return Ally(dealer, None, True, profile.cite("ally") + profile.cite("ally.unplayed"))
    return Ally(None, None, None, profile.cite("ally"))

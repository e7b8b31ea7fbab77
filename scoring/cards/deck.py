"""The cards of one or more decks: their faces, their points, and whether a set of cards can exist at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from scoring import wording
from scoring.hands.findings import Finding, finding
from scoring.profiles import Profile
from scoring.values import RANKS, SUITS, Card, Points

SMALL_JOKER, BIG_JOKER = Card("J", "S"), Card("J", "B")

#: The 54 faces of one deck: suit by suit from low to high, then the jokers.
FACES: tuple[Card, ...] = (*(Card(suit, rank) for suit in SUITS for rank in RANKS), SMALL_JOKER, BIG_JOKER)


def points_of(profile: Profile, cards: Iterable[Card]) -> Points:
    """The card points in `cards`; jokers count what the profile gives them."""
    return Points(sum(map(_worth(profile.jokers_worth).__getitem__, cards)))


@lru_cache(maxsize=8)
def _worth(of_jokers: int) -> dict[Card, int]:
    return {card: of_jokers if card.is_joker else int(card.points) for card in FACES}


def check_cards(profile: Profile, groups: Iterable[tuple[str, Iterable[Card]]]) -> Iterator[Finding]:
    """`card_too_often` for each face that `groups` of a field and its cards hold more often than the decks do.

    The finding names the field in which the card was once too many.
    """
    seen: Counter[Card] = Counter()
    told: set[Card] = set()
    for field, cards in groups:
        for card in cards:
            seen[card] += 1
            if seen[card] > profile.decks and card not in told:
                told.add(card)
                yield finding(
                    "card_too_often",
                    field,
                    profile=profile,
                    topic="deal",
                    decks=wording.decks(profile.decks),
                    card=wording.cards_named([card]),
                    times=profile.decks,
                )


def unseen(profile: Profile, seen: Iterable[Card]) -> tuple[Card, ...]:
    """The cards of the profile's decks that are not among `seen`, in the order of the faces."""
    known = Counter(seen)
    return tuple(face for face in FACES for _ in range(profile.decks - known[face]))

"""Before anybody has declared: who draws first (翻看定先), and the kitty turned when nobody declares (翻底)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.cards.deck import check_cards
from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import Profile, Reason
from scoring.values import Card, Level, Seat, Trump

#: 黑红草方, spade, heart, club, diamond: the player to whom the suit of a turned card points, counted counter-clockwise
#: from the first player.
PLACES = {"S": 0, "H": 1, "C": 2, "D": 3}
DRAWERS = ("first_drawer", "second_drawer", "third_drawer", "fourth_drawer")


@dataclass(frozen=True, slots=True)
class Flip:
    """What turned kitty cards decide.

    `trump` None: more cards must be turned. `dealer_place` (first hand only) counts in the order of drawing from 0,
    None: not decided yet. `redeal`: the hand is dealt again and nothing is turned. `turned`: how many cards decided.
    """

    trump: Trump | None
    dealer_place: int | None = None
    redeal: bool = False
    turned: int = 0
    because: tuple[Reason, ...] = ()

    @property
    def is_decided(self) -> bool:
        return self.redeal or self.trump is not None


def first_drawer(turner: Seat, card: Card) -> Seat | None:
    """Who draws first when the youngest player turned that card; None for a joker, which is turned again."""
    return None if card.is_joker else seat_at(turner, PLACES[card.suit])


def seat_at(first: Seat, place: int) -> Seat:
    """The seat so many places counter-clockwise from `first`."""
    seat = first
    for _ in range(place):
        seat = seat.right
    return seat


def flip(profile: Profile, level: Level, kitty: Sequence[Card], *, first_hand: bool) -> Flip:
    """Turn the kitty from the top, where the profile does so; `kitty` are the cards turned so far, top first."""
    if first_hand and profile.no_declare_first == "redeal":
        return Flip(None, redeal=True, because=profile.cite("flip.first_hand"))
    trump, turned = _trump(profile, level, kitty)
    because = profile.cite("flip.trump")
    if trump is Trump.NT and profile.flip_any_joker:
        because += profile.cite("flip.joker")
    if not first_hand or trump is None:
        return Flip(trump, None, turned=turned, because=because)
    place = next((PLACES[card.suit] for card in kitty if not card.is_joker), None)
    # the dealer may take more cards than the trumps did: a joker on top can mean no-trump and names nobody
    if place is None:
        return Flip(None, None, turned=turned, because=because)
    seen = next(i for i, card in enumerate(kitty, 1) if not card.is_joker)
    return Flip(trump, place, turned=max(turned, seen), because=because + profile.cite("flip.first_hand"))


def check_flip(profile: Profile, kitty: Sequence[Card], *, first_hand: bool, field: str) -> Iterator[Finding]:
    """Whether these cards can have been turned at all."""
    yield from check_cards(profile, [(field, kitty)])
    again = first_hand and profile.no_declare_first == "redeal"
    if profile.no_declare == "partner_names" and not again:
        yield finding("flip_not_here", "op", profile=profile, topic="flip.trump")
    if len(kitty) > profile.kitty_cards:
        due, value = profile.kitty_cards, len(kitty)
        yield finding("flip_too_many", field, profile=profile, topic="deal", due=due, value=value)


def judge_flip(profile: Profile, level: Level, kitty: Sequence[Card], *, first_hand: bool, field: str) -> Flip:
    """What the turned cards decide. Raises Refused `flip_more` where they decide nothing yet."""
    said = flip(profile, level, kitty, first_hand=first_hand)
    if not said.is_decided:
        raise Refused([finding("flip_more", field, profile=profile, topic="flip.trump")])
    return said


def _trump(profile: Profile, level: Level, kitty: Sequence[Card]) -> tuple[Trump | None, int]:
    """The trumps and how many cards it took to know them."""
    if profile.no_declare == "third":
        return _deciding(profile, kitty, start=2)
    if profile.no_declare == "first":
        return _deciding(profile, kitty, start=0)
    for i, card in enumerate(kitty, 1):
        if card.is_joker and profile.flip_any_joker and profile.no_trump_allowed:
            return Trump.NT, i
        if card.rank == level.rank and not card.is_joker:
            return Trump(card.suit), i
    if len(kitty) < profile.kitty_cards:
        return None, len(kitty)
    return _deciding(profile, kitty, start=0)[0], len(kitty)


def _deciding(profile: Profile, kitty: Sequence[Card], *, start: int) -> tuple[Trump | None, int]:
    """The suit of the card at `start`; a joker there means no-trump, or the next card where that is not played."""
    for i, card in enumerate(kitty[start:], start + 1):
        if not card.is_joker:
            return Trump(card.suit), i
        if profile.no_trump_allowed:
            return Trump.NT, i
    return None, len(kitty)

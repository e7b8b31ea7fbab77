"""What is shown to declare or to counter (亮、反): its kind, how high it stands, which trumps it makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from scoring.cards.deck import BIG_JOKER, SMALL_JOKER
from scoring.frozen import quickly_made
from scoring.profiles import Profile
from scoring.values import RANKS, SUITS, Card, Level, Seat, Trump

RED_FIVE = Card("H", "5")
#: The kind of a single level card, which declares and never counters.
_SINGLE = "level1"
#: Which joker goes with a level card of that suit where colours must match.
JOKER_OF = {"S": SMALL_JOKER, "C": SMALL_JOKER, "H": BIG_JOKER, "D": BIG_JOKER}


class Strength(NamedTuple):
    """How high a bid stands: the rung of its kind (`rungs`), then its place within the kind."""

    rung: int
    place: int = 0


@quickly_made
@dataclass(frozen=True, slots=True)
class Bid:
    """A declaration or a counter. `cards` are the cards that count, without a joker shown beside them.

    `jokers` are shown beside level cards where the rules ask for it. `late`: made after a burial. `in_order` is False
    for a bid face down that was too low: it costs a fine and makes no trumps.
    """

    by: Seat
    cards: tuple[Card, ...]
    trump: Trump
    strength: Strength
    jokers: tuple[Card, ...] = ()
    late: bool = False
    in_order: bool = True


@lru_cache(maxsize=512)
def counters_of(profile: Profile) -> tuple[str, ...]:
    """The kinds that counter, from low to high, as far as the decks and no-trump allow."""
    return tuple(name for name in profile.counter_ranks if _is_possible(profile, name))


@lru_cache(maxsize=512)
def rungs(profile: Profile) -> tuple[str, ...]:
    """The kinds of bids from low to high: below every counter a single level card."""
    return (_SINGLE, *counters_of(profile))


def _is_possible(profile: Profile, name: str) -> bool:
    kind, count = name[:-1], int(name[-1])
    if kind in ("level", "red_fives"):
        return count <= profile.decks
    copies = 2 * profile.decks if kind == "jokers" else profile.decks
    return profile.no_trump_allowed and count <= copies


def kind_of(profile: Profile, level: Level, cards: tuple[Card, ...]) -> str | None:
    """The highest kind of counter these cards make, or None. Which kinds count is for `counters_of`."""
    count = len(cards)
    names = []
    if all(card.is_joker for card in cards):
        names.append(f"jokers{count}")
    if len(set(cards)) == 1:
        (card,) = set(cards)
        if card.is_joker:
            names.append(f"{'small' if card == SMALL_JOKER else 'big'}{count}")
        else:
            names += [f"level{count}"] * (card.rank == level.rank) + [f"red_fives{count}"] * (card == RED_FIVE)
    kinds = counters_of(profile)
    known = [name for name in names if name in kinds]
    return max(known, key=kinds.index, default=None)


def strength_of(profile: Profile, level: Level, cards: tuple[Card, ...]) -> Strength | None:
    """How high these cards stand as a bid; None when they are none."""
    is_single = [card.rank for card in cards] == [level.rank]
    kind = _SINGLE if is_single else kind_of(profile, level, cards)
    if kind is None:
        return None
    rung, order = rungs(profile).index(kind), profile.counter_suit_order
    return Strength(rung, order.index(suit_shown(cards))) if kind.startswith("level") and order else Strength(rung)


def reinforced(profile: Profile, level: Level, cards: tuple[Card, ...]) -> Strength:
    """How high a declaration of several identical cards stands.

    Where no counter takes so many cards, nothing of its kind could be higher: it stands as a single card does.
    """
    strength = strength_of(profile, level, cards)
    if strength is None:
        return Strength(rungs(profile).index(_SINGLE))
    return Strength(strength.rung, len(SUITS)) if profile.reinforced_blocks == "level_pairs" else strength


def trump_of(cards: tuple[Card, ...], kind: str | None, named: Trump | None) -> Trump | None:
    """The trumps a bid makes: the suit of its cards, no-trump for jokers; red fives take the suit that is named."""
    if kind is not None and kind.startswith("red_fives"):
        return named
    return suit_shown(cards)


def suit_shown(cards: tuple[Card, ...]) -> Trump:
    """The trumps that cards shown make: the suit they share, no-trump for jokers."""
    card, *_ = cards
    return Trump.NT if card.is_joker else Trump(card.suit)


def candidates(profile: Profile, level: Level) -> Iterator[tuple[Card, ...]]:
    """Every set of cards that is a bid of some kind: single level cards first, then the counters from low to high."""
    has_level_cards = level.rank in RANKS
    for suit in SUITS if has_level_cards else ():
        yield from _with_joker(profile, (Card(suit, level.rank),))
    for name in counters_of(profile):
        kind, count = name[:-1], int(name[-1])
        if kind == "level" and has_level_cards:
            for suit in profile.counter_suit_order or SUITS:
                yield from _with_joker(profile, (Card(suit, level.rank),) * count)
        elif kind == "jokers":
            for cards in combinations_with_replacement((SMALL_JOKER, BIG_JOKER), count):
                if max(map(cards.count, cards)) <= profile.decks:
                    yield cards
        elif kind != "level":
            yield ({"small": SMALL_JOKER, "big": BIG_JOKER, "red_fives": RED_FIVE}[kind],) * count


def _with_joker(profile: Profile, cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Level cards with each joker that may be shown beside them, where one must be."""
    if profile.joker_declare == "none":
        yield cards
    elif profile.joker_declare == "colour":
        yield (*cards, JOKER_OF[suit_shown(cards)])
    else:
        yield (*cards, SMALL_JOKER)
        yield (*cards, BIG_JOKER)

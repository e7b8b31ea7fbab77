"""Deals of duplicate boards from a seed, to the byte, so that anybody can deal them again (发牌).

A seed is 32 bytes. Board b reads the words of SHA-256("shengji-board/1" LF, seed, b, block), both numbers as 4 bytes,
from block 0 on: eight words of 32 bits to a block, the high byte first. The canonical text of a deal is five lines: N,
W, S, E with their cards in the order of the faces, and the kitty in the order in which it was dealt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from types import MappingProxyType

from scoring.cards.deck import FACES
from scoring.values import RANKS, SUITS, Card, Seat

#: Cards in hand by the number of decks; what is left is the kitty: 6, 8, 6.
HANDS: Mapping[int, int] = MappingProxyType({1: 12, 2: 25, 3: 39})
SEED_BYTES = 32
MOST_BOARD = MOST_WORD = 2**32 - 1
#: The pockets of a board (牌套): four hands and the kitty.
POCKETS = (*(seat.value for seat in Seat), "kitty")

_CARD = re.compile("JS|JB|[SHCD](?:10|[2-9JQKA])")
_PLACE = {face: place for place, face in enumerate(FACES)}


class WordsUsedUp(Exception):
    """Every word was at or above the limit; `used` of them were taken."""

    def __init__(self, used: int) -> None:
        super().__init__(used)
        self.used = used


@dataclass(frozen=True, slots=True)
class Dealt:
    """A board as dealt. `suit` is for events that prescribe the trump suit too."""

    board: int
    hands: Mapping[Seat, tuple[Card, ...]]
    kitty: tuple[Card, ...]
    level: str
    dealer: Seat
    suit: str

    @property
    def pockets(self) -> dict[str, tuple[Card, ...]]:
        return {**{seat.value: cards for seat, cards in self.hands.items()}, "kitty": self.kitty}

    @property
    def text(self) -> str:
        """The canonical text: five lines, each ended by one LF."""
        return "".join(f"{pocket} {''.join(map(str, cards))}\n" for pocket, cards in self.pockets.items())

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical text, in hex."""
        return sha256(self.text.encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class Difference:
    """A pocket that does not hold what was dealt: cards `missing` and `extra`, in the order of the faces."""

    pocket: str
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]


def commitment(secret: bytes) -> str:
    """What is published of 32 secret bytes before the lot is drawn, in hex; a seed without a lot is its own secret."""
    return sha256(b"shengji-commit/1\n" + secret).hexdigest()


def seed_of(secret: bytes, lot: bytes) -> bytes:
    """The seed of a session: a committed secret of 32 bytes, then a public lot that was drawn after the commitment.

    ValueError for a secret of another length: the end of one could be the beginning of the other.
    """
    if len(secret) != SEED_BYTES:
        raise ValueError(f"a secret has {SEED_BYTES} bytes")
    return sha256(secret + lot).digest()


def words_of(seed: bytes, board: int) -> Iterator[int]:
    """The stream of a board, word by word."""
    start = b"shengji-board/1\n" + seed + board.to_bytes(4, "big")
    for block in count():
        digest = sha256(start + block.to_bytes(4, "big")).digest()
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")


def draw(words: Iterable[int], n: int) -> tuple[int, int]:
    """A number below `n`, each as likely, and how many words it took: a word at or above the largest multiple of `n`
    that 32 bits hold is thrown away. Raises WordsUsedUp."""
    limit, used = 2**32 // n * n, 0
    for word in words:
        used += 1
        if word < limit:
            return word % n, used
    raise WordsUsedUp(used)


def deal(seed: bytes, board: int, decks: int) -> Dealt:
    """Board `board` (from 1) of a seed, with one to three decks."""
    words, cards, each = words_of(seed, board), list(FACES * decks), HANDS[decks]
    for last in range(len(cards) - 1, 0, -1):
        other, _ = draw(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    hands = {seat: in_order(cards[at : 4 * each : 4]) for at, seat in enumerate(Seat)}
    suit, _ = draw(words, len(SUITS))
    level, dealer = header(board)
    return Dealt(board, hands, tuple(cards[4 * each :]), level, dealer, SUITS[suit])


def header(board: int) -> tuple[str, Seat]:
    """The level and the dealer of a board, where the event does not set them otherwise."""
    return RANKS[(board - 1) % len(RANKS)], tuple(Seat)[(board - 1) % len(Seat)]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards in the order of the faces: suit by suit from low to high, then the jokers."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def cards_of(text: str) -> tuple[Card, ...] | None:
    """Cards that are written one after the other without a mark between them; None where something else is there."""
    found = _CARD.findall(text)
    return tuple(map(Card.parse, found)) if "".join(found) == text else None


def differences(dealt: Dealt, found: Mapping[str, Iterable[Card]]) -> tuple[Difference, ...]:
    """The pockets that hold other cards than were dealt, in the order N, W, S, E, kitty."""
    told = []
    for pocket, cards in dealt.pockets.items():
        wanted, here = Counter(cards), Counter(found[pocket])
        if wanted != here:
            told.append(Difference(pocket, in_order((wanted - here).elements()), in_order((here - wanted).elements())))
    return tuple(told)

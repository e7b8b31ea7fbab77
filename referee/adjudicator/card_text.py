"""Cards as people type them: `S7S7`, `s7 s7`, `♠77`, `黑桃77`, `♥88JQK`, `大王 小王`, full-width letters and figures.

A suit holds for the ranks that follow it until another suit comes. The notation of records (every rank with its suit)
is read first, so what the product prints is read as it was meant.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from scoring.values import RANKS, Card

SUIT_WORDS: Final = {
    "黑桃": "S",
    "红桃": "H",
    "红心": "H",
    "梅花": "C",
    "草花": "C",
    "方块": "D",
    "方片": "D",
    "♠": "S",
    "♤": "S",
    "♥": "H",
    "♡": "H",
    "♣": "C",
    "♧": "C",
    "♦": "D",
    "♢": "D",
    "黑": "S",
    "红": "H",
    "梅": "C",
    "草": "C",
    "方": "D",
}
JOKER_WORDS: Final = {"大王": "B", "小王": "S", "大鬼": "B", "小鬼": "S"}
#: More cards than any hand with its kitty holds.
MOST_CARDS: Final = 120

_STRICT = re.compile(r"(?:J[SB]|[SHCD](?:10|[2-9JQKA]))+")
_ONE = re.compile(r"J[SB]|[SHCD](?:10|[2-9JQKA])")
_SEPARATOR = re.compile(r"[\s,;、.·|/]+")
_RANK = re.compile(r"10|[2-9JQKA]")


@dataclass(frozen=True, slots=True)
class TypedCards:
    """The cards read, or the first piece of text that is no card (`wrong`; empty when all were read)."""

    cards: tuple[Card, ...] = ()
    wrong: str = ""


def read_typed(text: str) -> TypedCards:
    """Read the cards somebody typed; nothing typed is no cards."""
    plain = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").replace("\ufe0e", "").upper()
    cards: list[Card] = []
    suit = ""
    for piece in filter(None, _SEPARATOR.split(plain)):
        if _STRICT.fullmatch(piece):
            found = [Card.parse(match) for match in _ONE.findall(piece)]
            suit = "" if found[-1].is_joker else found[-1].suit
        else:
            found, suit, rest = _shorthand(piece, suit)
            if rest:
                return TypedCards(tuple(cards + found), rest[:12])
        cards += found
        if len(cards) > MOST_CARDS:
            return TypedCards(tuple(cards[:MOST_CARDS]), piece[:12])
    return TypedCards(tuple(cards))


def _shorthand(piece: str, suit: str) -> tuple[list[Card], str, str]:
    """Cards of one piece, the suit that holds after it, and what could not be read."""
    cards: list[Card] = []
    at = 0
    # of a text typed too far only the first cards are needed
    while at < len(piece) and len(cards) <= MOST_CARDS:
        word = next((word for word in JOKER_WORDS if piece.startswith(word, at)), None)
        if word is not None:
            cards.append(Card("J", JOKER_WORDS[word]))
            at += len(word)
            continue
        word = next((word for word in SUIT_WORDS if piece.startswith(word, at)), None)
        if word is not None:
            suit, at = SUIT_WORDS[word], at + len(word)
            continue
        if piece[at] in "SHCD":
            suit, at = piece[at], at + 1
            continue
        if piece[at] == "T" and suit:
            cards.append(Card(suit, "10"))
            at += 1
            continue
        rank = _RANK.match(piece, at)
        if rank is None or not suit or rank[0] not in RANKS:
            return cards, suit, piece[at:]
        cards.append(Card(suit, rank[0]))
        at = rank.end()
    return cards, suit, ""


def typed(cards: tuple[Card, ...]) -> str:
    """Cards as a field shows them and as a link carries them: in the notation of records."""
    return "".join(map(str, cards))

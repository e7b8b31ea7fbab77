"""Deals on paper: slips for those who lay the cards into the pockets, and hand records for everybody after play.

A sheet of slips holds one pocket only, so that who deals North sees no card of another hand, even before it is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from scoring.cards.dealing import POCKETS, Dealt
from scoring.values import Card, Seat, Text
from scoring.wording import SEATS

from ...models import Stage
from .typesetting import common, moment, set_pages

_SUITS: Final = ("S", "H", "C", "D")
_JOKERS: Final[Mapping[str, Text]] = {"S": {"zh": "小王", "en": "small joker"}, "B": {"zh": "大王", "en": "big joker"}}
_KITTY: Final[Text] = {"zh": "底牌", "en": "Kitty"}


def slips_pdf(stage: Stage, deals: Iterable[Dealt], at: datetime) -> bytes:
    """Five slips a board: four hands and the kitty, pocket by pocket."""
    deals = list(deals)
    pockets = [
        {"title": _pocket(pocket), "slips": [_slip(one, one.pockets[pocket]) for one in deals]} for pocket in POCKETS
    ]
    return set_pages("deal_slips.typ", _of(stage, at) | {"pockets": pockets}, at)


def hand_records_pdf(stage: Stage, deals: Iterable[Dealt], at: datetime) -> bytes:
    """The four hands, the kitty and the fingerprint of each board."""
    boards = [_record(stage, one) for one in deals]
    return set_pages("hand_records.typ", _of(stage, at) | {"boards": boards}, at)


def _of(stage: Stage, at: datetime) -> dict[str, Any]:
    return common(stage.tournament) | {"stage": stage.name, "time": moment(at, stage.tournament)}


def _pocket(pocket: str) -> Text:
    return _KITTY if pocket == "kitty" else SEATS[Seat(pocket)]


def _slip(one: Dealt, cards: Sequence[Card]) -> dict[str, Any]:
    suits, jokers = rows_of(cards)
    return {
        "board": one.board,
        "suits": suits,
        "jokers": jokers,
        "cards": len(cards),
        "points": sum(card.points for card in cards),
    }


def rows_of(cards: Sequence[Card]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cards suit by suit (`suit`, `ranks`), and the jokers with how many there are (`name`, `count`)."""
    suits = [{"suit": suit, "ranks": [card.rank for card in cards if card.suit == suit]} for suit in _SUITS]
    ranks = [card.rank for card in cards if card.suit == "J"]
    jokers = [{"name": name, "count": ranks.count(rank)} for rank, name in _JOKERS.items() if rank in ranks]
    return suits, jokers


def _record(stage: Stage, one: Dealt) -> dict[str, Any]:
    board = stage.deals.get(one.board)
    level, dealer, trump = one.level, one.dealer, None
    if board is not None:
        level, dealer, trump = str(board.level), board.dealer or one.dealer, board.trump
    hands = {}
    for pocket, cards in one.pockets.items():
        suits, jokers = rows_of(cards)
        hands[pocket] = {"suits": suits, "jokers": jokers}
    return {
        "board": one.board,
        "level": level,
        "dealer": SEATS[Seat(dealer)],
        "trump": None if trump is None else str(trump),
        "hands": hands,
        "kitty": [str(card) for card in one.kitty],
        "fingerprint": one.fingerprint,
    }

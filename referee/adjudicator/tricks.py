"""Tricks of a position: a field for each, with all its cards one after the other from who led on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.hands.findings import finding
from scoring.values import in_turn

from .questions import TRICKS, first_player

if TYPE_CHECKING:
    from scoring.hands.findings import Finding
    from scoring.values import Card, Player

    from .cases import Case

    Trick = tuple[tuple[Player, tuple[Card, ...]], ...]


def tricks_of(case: Case, dealer: Player) -> tuple[list[Trick], list[Finding]]:
    """The tricks up to the first empty field: as many cards for each player, or one each so far; and what is wrong."""
    tricks: list[Trick] = []
    wrong: list[Finding] = []
    players = len(case.profile.seats)
    for name in TRICKS:
        cards = case.cards(name)
        if not cards:
            break
        turn = in_turn(case.profile.seats, case.player(f"{name}_by") or dealer)
        width = 1 if len(cards) < players else len(cards) // players
        if len(cards) > players and len(cards) % players:
            wrong.append(finding("trick_uneven", name, cards=len(cards)))
        parts = [cards[at : at + width] for at in range(0, len(cards), width)]
        tricks.append(tuple(zip(turn, parts, strict=False)))
    return tricks, wrong


def led_by(case: Case, name: str) -> str:
    """Who led a trick as the form shows it: as typed, else the dealer."""
    return case.get(f"{name}_by") or (case.dealer or first_player(case.profile)).value

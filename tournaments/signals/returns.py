"""What a recorded hand tells of the duty to return a lead: by the event's terms and the card of the dealer's side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.cards.records import TrickRecord
from scoring.signals.convention import usable
from scoring.values import Card, Seat, Side

from ..ledger.hands_on_record import Replayed
from ..models import ReturnDuty, Sitting
from .reads import agreed, cards_of, terms_of


@dataclass(frozen=True, slots=True)
class Asked:
    """What the duty of a recorded hand is judged from; of the tricks those before the first that is not wholly known.

    `ranks` is None where the dealer's side has filed no card; `hand` None where the record does not tell all of the
    dealer's cards; `fine` is in points.
    """

    level: str
    trump: str
    dealer: Seat
    ranks: tuple[str, ...] | None
    hand: tuple[Card, ...] | None
    tricks: tuple[tuple[Seat, tuple[Card, ...]], ...]
    strict: bool
    fine: int


def asked_of(seen: Replayed, sitting: Sitting) -> Asked | None:
    """The question of a recorded hand; None where the event asks for no return, the record does not tell who dealt with
    which trumps or no whole trick, or the side has agreed on no card that can be played at this level."""
    terms, replay = terms_of(sitting.round.tournament), seen.replay
    # only a side has a partner who could signal
    if terms.return_duty == ReturnDuty.OFF or not isinstance(replay.dealer, Seat) or replay.trump is None:
        return None
    tricks = _known(seen.record.tricks)
    if not tricks:
        return None
    ranks = _ranks(seen, sitting, replay.dealer)
    if ranks == ():
        return None
    return Asked(
        level=str(replay.level),
        trump=replay.trump.value,
        dealer=replay.dealer,
        ranks=ranks,
        hand=_hand(seen, replay.dealer),
        tricks=tricks,
        strict=terms.return_duty == ReturnDuty.STRICT,
        fine=terms.return_fine,
    )


def _known(tricks: Sequence[TrickRecord]) -> tuple[tuple[Seat, tuple[Card, ...]], ...]:
    """Who led each trick, and its cards player by player, up to the first that is not wholly known."""
    found: list[tuple[Seat, tuple[Card, ...]]] = []
    for trick in tricks:
        cards = tuple(card for play in trick.plays for card in play.laid if card is not None)
        whole = len(trick.plays) == len(Seat) and len(cards) == sum(len(play.laid) for play in trick.plays)
        leader = trick.plays[0].seat if trick.plays else None
        if not whole or not isinstance(leader, Seat):
            break
        found.append((leader, cards))
    return tuple(found)


def _hand(seen: Replayed, dealer: Seat) -> tuple[Card, ...] | None:
    """The dealer's cards before the first trick, where all of them were played on record."""
    laid = [card for trick in seen.record.tricks for play in trick.plays if play.seat is dealer for card in play.laid]
    known = tuple(card for card in laid if card is not None)
    return known if len(known) == len(laid) == seen.replay.profile.hand_cards else None


def _ranks(seen: Replayed, sitting: Sitting, dealer: Seat) -> tuple[str, ...] | None:
    """The ranks of the direct signal of the dealer's side at the level of the hand."""
    match, home = sitting.match, dealer.side == Side(sitting.home_side)
    entrant = match.home_id if home else match.away_id
    card = cards_of([entrant]).get(entrant) if entrant is not None else None
    if card is None:
        return None
    return usable(seen.replay.profile, agreed(card), seen.replay.level)

"""The terms that hold for signals, the cards that hold, and what is wrong with them or missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scoring.hands.findings import Finding
from scoring.signals.convention import Indirect, SignalRules, check_card
from scoring.signals.convention import SignalCard as AgreedCard
from scoring.signals.returning import USUAL_FINE

from ..models import CardAsked, Entrant, ReturnDuty, SignalCard, SignalTerms, Sitting, Tournament


@dataclass(frozen=True, slots=True)
class Terms:
    """What an event asks: as set, else nothing: cards are free and no lead has to be returned."""

    card: str = CardAsked.FREE
    prescribed: tuple[str, ...] = ()
    return_duty: str = ReturnDuty.OFF
    return_fine: int = USUAL_FINE
    number: int = 0

    @property
    def rules(self) -> SignalRules:
        """As the kernel takes them. A system that is prescribed has to be known before play as a card has."""
        prescribed = self.prescribed if self.card == CardAsked.PRESCRIBED else None
        return SignalRules(required=self.card == CardAsked.REQUIRED, prescribed=prescribed)

    @property
    def asks(self) -> bool:
        """Whether every entrant has to file a card."""
        return self.card == CardAsked.REQUIRED


@dataclass(frozen=True, slots=True)
class Filed:
    """An entrant with the card that holds (None: none), and what is wrong with that by the terms that hold."""

    entrant: Entrant
    card: SignalCard | None
    findings: tuple[Finding, ...]


def terms_of(event: Tournament) -> Terms:
    """The terms that hold now."""
    row = SignalTerms.objects.filter(tournament=event).order_by("-number").first()
    if row is None:
        return Terms()
    return Terms(row.card, tuple(row.prescribed), row.return_duty, row.return_fine, row.number)


def agreed(card: SignalCard) -> AgreedCard:
    """A card as the kernel knows it."""
    lines = tuple(
        Indirect(one["topic"], one["by"], tuple(one["ranks"]), one["instead"], one["meaning"]) for one in card.indirect
    )
    return AgreedCard(tuple(card.direct), lines, card.instead)


def findings_of(card: SignalCard | None, terms: Terms) -> tuple[Finding, ...]:
    """What is wrong with the card that an entrant has filed, or with having filed none."""
    if card is None:
        return check_card(None, terms.rules)
    return check_card(agreed(card), terms.rules, "after_start" if card.after_start else "before_play")


def cards_of(entrants: Collection[int]) -> Mapping[int, SignalCard]:
    """The card that holds of each of these entrants, by id; who has filed none is not there."""
    found: dict[int, SignalCard] = {}
    for card in SignalCard.objects.filter(entrant__in=entrants).select_related("entrant").order_by("number"):
        found[card.entrant_id] = card
    return found


def filed_in(event: Tournament) -> list[Filed]:
    """All entrants that have not withdrawn, by number, each with its card."""
    entrants = list(event.entrants.filter(withdrawn_at=None).order_by("number"))
    cards, terms = cards_of([one.pk for one in entrants]), terms_of(event)
    return [Filed(one, cards.get(one.pk), findings_of(cards.get(one.pk), terms)) for one in entrants]


def cards_at(sitting: Sitting) -> list[SignalCard]:
    """The cards of those who sit there, home first."""
    match = sitting.match
    pair = [pk for pk in (match.home_id, match.away_id) if pk is not None]
    cards = cards_of(pair)
    return [cards[pk] for pk in pair if pk in cards]

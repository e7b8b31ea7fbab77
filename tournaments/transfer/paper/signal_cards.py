"""The signal cards of an event on paper: two a page, one for each entrant that has filed one."""

from __future__ import annotations

from typing import Any

from scoring.signals.words import CHANNELS, TOPICS

from ...models import SignalCard, Tournament
from ...signals.reads import filed_in
from .typesetting import common, moment, name_on_paper, set_pages


def signal_cards_pdf(event: Tournament) -> bytes:
    """All cards that hold; the same cards give the same bytes."""
    filed = [(one.entrant, one.card) for one in filed_in(event) if one.card is not None]
    at = max((card.filed_at for _entrant, card in filed), default=event.created_at)
    cards = [_card(event, entrant, card) for entrant, card in filed]
    return set_pages("signal_cards.typ", common(event) | {"cards": cards}, at)


def _card(event: Tournament, entrant: Any, card: SignalCard) -> dict[str, Any]:
    return {
        "number": entrant.number,
        "name": name_on_paper(entrant, event),
        "system": card.system,
        "direct": card.direct,
        "instead": list(card.instead.items()),
        "lines": [
            {"topic": TOPICS[one["topic"]], "by": CHANNELS[one["by"]], "ranks": one["ranks"], "meaning": one["meaning"]}
            for one in card.indirect
        ],
        "notes": card.notes,
        "late": card.after_start,
        "time": moment(card.filed_at, event),
    }

"""Signals: the terms of an event and the cards of its entrants."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework import serializers

from scoring.signals.convention import CHANNELS, TOPICS
from tournaments.models import CardAsked, ReturnDuty, SignalCard
from tournaments.signals.reads import Filed, Terms

from .base import Answer, Document, a_flag, a_list, a_map, a_text, a_time, a_word, an_int, moment
from .events import Brief, brief_answer
from .facts import FindingAnswer


class SignalLine(Answer):
    topic = a_word([(one, one) for one in TOPICS])
    by = a_word([(one, one) for one in CHANNELS])
    ranks = a_list(serializers.CharField())
    instead = a_map(serializers.CharField())
    meaning = a_text()


class SignalCardAnswer(Answer):
    """What an entrant has agreed: ranks of the direct signal, and its other signals."""

    number = an_int()
    direct = a_list(serializers.CharField())
    instead = a_map(serializers.CharField())
    indirect = SignalLine(many=True)
    system = a_text()
    notes = a_text()
    after_start = a_flag()
    filed_at = a_time()


class EntrantSignals(Answer):
    entrant = Brief()
    card = SignalCardAnswer(allow_null=True)
    findings = FindingAnswer(many=True)


class SignalsAnswer(Answer):
    """What the event asks of signals, and who has filed what."""

    card = a_word(CardAsked.choices)
    prescribed = a_list(serializers.CharField())
    return_duty = a_word(ReturnDuty.choices)
    return_fine = an_int()
    entrants = EntrantSignals(many=True)


def signals_answer(terms: Terms, filed: Sequence[Filed]) -> Document:
    return {
        "card": str(terms.card),
        "prescribed": list(terms.prescribed),
        "return_duty": str(terms.return_duty),
        "return_fine": terms.return_fine,
        "entrants": [
            {
                "entrant": brief_answer(one.entrant),
                "card": None if one.card is None else signal_card_answer(one.card),
                "findings": [found.to_json() for found in one.findings],
            }
            for one in filed
        ],
    }


def signal_card_answer(card: SignalCard) -> Document:
    return {
        "number": card.number,
        "direct": card.direct,
        "instead": card.instead,
        "indirect": card.indirect,
        "system": card.system,
        "notes": card.notes,
        "after_start": card.after_start,
        "filed_at": moment(card.filed_at),
    }

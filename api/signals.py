"""Signals: what an event asks of them, the cards of its entrants, a card filed by an official."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.signals.acts import MEANING_LENGTH, NOTES_LENGTH, SYSTEM_LENGTH, Agreement, file_card, set_terms
from tournaments.signals.reads import filed_in, terms_of

from .answers.signals import SignalCardAnswer, SignalsAnswer, signal_card_answer, signals_answer
from .common.describe import described, written
from .common.strict import A_WORD, REASON, Body, Whole, Words
from .common.views import Endpoint
from .entrants import entrant_of


class TermsForm(Body):
    card = Words(A_WORD, help_text="free, card_required or prescribed")
    prescribed = serializers.ListField(child=Words(A_WORD), required=False, max_length=13)
    return_duty = Words(A_WORD, required=False, help_text="off, normal or strict")
    return_fine = Whole(required=False, help_text="points")
    reason = Words(REASON, required=False, allow_blank=True, help_text="needed once a round has begun")


class SignalForm(Body):
    topic = Words(A_WORD)
    by = Words(A_WORD)
    ranks = serializers.ListField(child=Words(A_WORD), required=False, max_length=13)
    instead = serializers.DictField(child=Words(A_WORD), required=False)
    meaning = Words(MEANING_LENGTH, required=False, allow_blank=True)


class CardForm(Body):
    direct = serializers.ListField(child=Words(A_WORD), max_length=13)
    instead = serializers.DictField(child=Words(A_WORD), required=False)
    indirect = serializers.ListField(child=SignalForm(), required=False, max_length=8)
    system = Words(SYSTEM_LENGTH, required=False, allow_blank=True)
    notes = Words(NOTES_LENGTH, required=False, allow_blank=True)
    reason = Words(REASON, required=False, allow_blank=True, help_text="needed once the entrant has begun to play")


class Signals(Endpoint):
    @described("What the event asks of signals, and the card of every entrant", answer=SignalsAnswer)
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        return Response(signals_answer(terms_of(event), filed_in(event)))

    @written("Say what the event asks of signals from now on", body=TermsForm, answer=SignalsAnswer)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SET_SIGNALS)
        set_terms(tournament_id=event.pk, actor=self.actor, at=self.now, **self.body(TermsForm))
        return Response(signals_answer(terms_of(event), filed_in(event)))


class Card(Endpoint):
    @written("File the signal card of an entrant", body=CardForm, status=201, answer=SignalCardAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.FILE_SIGNALS), number)
        fields: dict[str, Any] = self.body(CardForm)
        reason = fields.pop("reason", "")
        filed = file_card(
            entrant_id=entrant.pk, actor=self.actor, at=self.now, agreement=Agreement(**fields), reason=reason
        )
        return Response(signal_card_answer(filed), status=201)

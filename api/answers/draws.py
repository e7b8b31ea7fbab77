"""Draws, their costs, and pairings."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import DrawMethod

from .base import Answer, Sentence, a_flag, a_list, a_text, a_time, a_word, an_int
from .documents import DrawDocument, PairingDocument
from .jobs import JobAnswer


class DrawAnswer(Answer):
    number = an_int()
    method = a_word(DrawMethod.choices)
    reason = a_text()
    drawn_at = a_time()
    digest = a_text()
    sentence = Sentence()
    document = DrawDocument()


class PairingAnswer(Answer):
    number = an_int()
    published_at = a_time()
    reason = a_text()
    digest = a_text(null=True)
    document = PairingDocument(allow_null=True)


class DrawWithPairings(Answer):
    draw = DrawAnswer(allow_null=True)
    pairings = PairingAnswer(many=True)


class Reseated(Answer):
    pairing = an_int()


class DrawMade(Answer):
    """The draw, or the job that draws a large field."""

    draw = DrawAnswer(required=False)
    job = JobAnswer(required=False)


class DrawCosts(Answer):
    """What a pairing breaks, the gravest first; `kept_apart` and `rather_apart` where some are kept apart."""

    kept_apart = an_int(required=False)
    rematch = an_int()
    bye = an_int()
    rather_apart = an_int(required=False)
    unit = an_int()
    bye_score = an_int()
    score = an_int()
    float = an_int()
    seat = an_int()
    seeding = an_int()
    lot = an_int()


class PairCosts(DrawCosts):
    home = an_int()
    away = an_int(null=True)


class WhyNotAnswer(Answer):
    feasible = a_flag()
    forbidden_by = a_list(serializers.CharField())
    dearer_in = a_text(null=True, required=False)
    best = DrawCosts(allow_null=True, required=False)
    pairs = a_list(serializers.ListField(child=serializers.IntegerField()), required=False)
    bye = an_int(null=True, required=False)
    costs = PairCosts(many=True, required=False)
    total = DrawCosts(allow_null=True, required=False)
    sentence = Sentence()

"""Profiles with their clauses and tables, two of them compared, and questions put to the rules."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import serializers

from .base import Answer, Sentence, a_flag, a_list, a_map, a_text, a_word, an_int
from .events import ProfileAnswer
from .facts import Facts, FindingAnswer, ReasonAnswer, Shape
from .forms import OptionValue
from .play import OpeningAnswer
from .words import REFUSAL, ROLES


class ProfileHead(ProfileAnswer):
    game = a_text()
    family = a_text()
    about = Sentence()


class Source(Answer):
    title = a_text()
    section = a_text()
    items = a_list(serializers.CharField(), required=False)
    url = a_text(required=False)


class ClauseAnswer(Answer):
    topic = a_text()
    chapter = a_text(null=True)
    id = a_text()
    text = Sentence()
    source = Source()  # type: ignore[assignment]
    params = a_map(OptionValue())
    stated = a_flag()


class Chapter(Answer):
    name = a_text()
    title = Sentence()
    clauses = a_list(serializers.CharField())


class OptionAnswer(Answer):
    option = a_text()
    title = Sentence()
    value = OptionValue()
    words = Sentence()


class KittyRowAnswer(Answer):
    shapes = Shape(many=True)
    words = Sentence()
    factor = an_int()
    clause = a_text(null=True)


class Ladder(Answer):
    levels = a_list(serializers.CharField())
    must_play = a_list(serializers.CharField())
    must_mode = a_text()
    finish = a_text()
    pass_a = a_text()


class WorkedCaseAnswer(Answer):
    kind = a_text()
    case = Sentence()
    sentence = Sentence()
    levels = Sentence()
    clause = a_text(null=True)
    opening = OpeningAnswer()
    ledger = Facts(many=True)


#: Totals from … to …, null: without an end. (`from` is a word of the language, so this is written as a table.)
_BAND: dict[str, Any] = {
    "from": an_int(null=True),
    "to": an_int(null=True),
    "role": a_word(ROLES),
    "levels": an_int(),
    "deal_changes_hands": a_flag(),
    "clause": a_text(null=True),
}


class ProfileWhole(ProfileHead):
    clauses = ClauseAnswer(many=True)
    chapters = Chapter(many=True)
    options = OptionAnswer(many=True)
    level_bands = inline_serializer("LevelBand", _BAND, many=True)
    kitty_table = KittyRowAnswer(many=True)
    ladder = Ladder()
    worked_cases = WorkedCaseAnswer(many=True)


class TopicCompared(Answer):
    topic = a_text()
    chapter = a_text(null=True)
    a = ClauseAnswer(allow_null=True)
    b = ClauseAnswer(allow_null=True)
    same = a_flag()


class OptionSaid(Answer):
    value = OptionValue()
    words = Sentence()


class OptionCompared(Answer):
    option = a_text()
    title = Sentence()
    a = OptionSaid()
    b = OptionSaid()


class ProfilesCompared(Answer):
    a = ProfileHead()
    b = ProfileHead()
    clauses = TopicCompared(many=True)
    options = OptionCompared(many=True)


class QuestionRefused(Answer):
    code = a_word(REFUSAL)
    field = a_text(null=True)
    message = Sentence()
    findings = FindingAnswer(many=True)


@extend_schema_field({"type": "object", "additionalProperties": True})
class OfOperation(serializers.JSONField):
    """What docs/questions.md says of the operation."""


@extend_schema_field({"oneOf": [{"type": kind} for kind in ("string", "number", "boolean", "null")]})
class AnyId(serializers.JSONField):
    """The `id` of the question, as it came."""


class QuestionAnswer(Answer):
    """Answered, or refused by itself: `answer` with the clauses that decided, or `error`."""

    id = AnyId(required=False)
    answer = OfOperation(required=False)
    because = ReasonAnswer(many=True, required=False)
    error = QuestionRefused(required=False)

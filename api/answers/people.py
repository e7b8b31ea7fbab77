"""Entrants, their import from a file, the roll call and late tables."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from .base import Answer, Sentence, a_flag, a_list, a_map, a_text, a_time, an_int
from .events import Brief
from .forms import SCALAR


class PlayerAnswer(Answer):
    name = a_text()
    name_latin = a_text()


class EntrantAnswer(Brief):
    unit = a_text()
    category = a_text()
    seed = an_int(null=True)
    withdrawn = a_flag()
    players = PlayerAnswer(many=True)


class SkippedRow(Answer):
    row = an_int()
    what = a_text()


class NamedRow(Answer):
    row = an_int()
    name = a_text()


_PLAYER: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}
_PLAYERS: dict[str, Any] = {"type": "array", "items": {"oneOf": [{"type": "string"}, _PLAYER]}}


@extend_schema_field({"type": "array", "items": {"oneOf": [*SCALAR, _PLAYERS]}})
class OldAndNew(serializers.JSONField):
    """What a field was, and what it becomes."""


class ChangedRow(Answer):
    row = an_int()
    fields = a_map(OldAndNew())  # type: ignore[assignment]


class RowProblem(Answer):
    row = an_int(null=True)
    code = a_text()
    field = a_text(null=True)
    message = Sentence()


class ImportAnswer(Answer):
    """What an import would do or did; its digest is the `plan` that carries it out."""

    plan = a_text(null=True)
    head = an_int(null=True)
    columns = a_list(serializers.CharField(allow_null=True))
    not_taken = a_list(serializers.CharField())
    skipped = SkippedRow(many=True)
    new = NamedRow(many=True)
    changed = ChangedRow(many=True)
    same = NamedRow(many=True)
    namesakes = a_list(serializers.IntegerField())
    problems = RowProblem(many=True)


class CheckInAnswer(Answer):
    """A check-in; empty when there was none to take back."""

    entrant = an_int(required=False)
    round = an_int(null=True, required=False)
    arrived_at = a_time(required=False)
    own_code = a_flag(required=False)
    undone_at = a_time(null=True, required=False)


class RollRow(Answer):
    entrant = Brief()
    table = an_int(null=True)
    side = a_text(null=True)
    bye = a_flag()
    arrived_at = a_time(null=True)


class LateParty(Answer):
    side = a_text()
    entrant = Brief()
    minutes = an_int(null=True)
    arrived_at = a_time(null=True)
    ruled = a_flag()


class LateTableAnswer(Answer):
    table = an_int()
    sitting = an_int()
    parties = LateParty(many=True)


class RollCall(Answer):
    there = an_int()
    results = RollRow(many=True)
    late = LateTableAnswer(many=True)

"""Documents that are kept as they were frozen: their own formats, digested as bytes, told here whole."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


def frozen(**named: dict[str, Any]) -> dict[str, Any]:
    """A document of a stated format; what it holds besides is the format's own."""
    named = {"format": {"type": "string"}, **named}
    return {"type": "object", "properties": named, "required": list(named), "additionalProperties": True}


NUMBER: dict[str, Any] = {"type": "integer"}
VALUE: dict[str, Any] = {"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}


@extend_schema_field(frozen(round=NUMBER, stage=NUMBER, method={"type": "string"}))
class DrawDocument(serializers.JSONField):
    """How a round was drawn: the question, its answer and the check (referee/draw/1)."""


@extend_schema_field(frozen(round=NUMBER, stage=NUMBER, number=NUMBER))
class PairingDocument(serializers.JSONField):
    """A published pairing (referee/pairing/1)."""


@extend_schema_field(frozen(round=NUMBER, number=NUMBER))
class PublishedDocument(serializers.JSONField):
    """A published table with the questions its rows answer (referee/standings/…)."""


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "attackers_total": NUMBER,
            "artificial": {"type": "string"},
            "weighted": {
                "type": "array",
                "items": {"type": "object", "additionalProperties": VALUE},
            },
        },
    }
)
class Mark(serializers.JSONField):
    """What an official put in place of a result: a total, totals with weights, or an artificial score."""


@extend_schema_field(
    {
        "type": "object",
        "properties": dict.fromkeys(
            ("round", "table", "phase", "sitting", "call", "ruling", "entry", "correction", "what"), VALUE
        ),
        "additionalProperties": VALUE,
    }
)
class OpenThing(serializers.JSONField):
    """Something that is not settled: a table that plays or waits, a call, a ruling."""


#: A whole event as its organiser exported it.
EXPORT = frozen()

"""What the shapes of all answers are made of."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field, inline_serializer
from rest_framework import serializers


class Answer(serializers.Serializer[Any]):
    """Named fields and no others."""


class Sentence(Answer):
    en = serializers.CharField()
    zh = serializers.CharField()


def a_text(*, null: bool = False, blank: bool = True, required: bool = True) -> serializers.CharField:
    return serializers.CharField(allow_null=null, allow_blank=blank, required=required)


def an_int(*, null: bool = False, required: bool = True) -> serializers.IntegerField:
    return serializers.IntegerField(allow_null=null, required=required)


def a_flag(*, null: bool = False, required: bool = True) -> serializers.BooleanField:
    return serializers.BooleanField(allow_null=null, required=required)


def a_time(*, null: bool = False, required: bool = True) -> serializers.DateTimeField:
    return serializers.DateTimeField(allow_null=null, required=required)


def an_exact(*, null: bool = False, required: bool = True) -> serializers.CharField:
    """A number told as text: a whole one, a decimal, or a fraction like 7/3."""
    help_text = "an exact number as text"
    return serializers.CharField(allow_null=null, required=required, help_text=help_text)


def a_word(choices: Any, *, null: bool = False, blank: bool = False, required: bool = True) -> serializers.ChoiceField:
    """One of these words; of the choices of a model their values."""
    values = [one if isinstance(one, str) else one[0] for one in choices]
    return serializers.ChoiceField(values, allow_null=null, allow_blank=blank, required=required)


def a_list(child: serializers.Field[Any, Any, Any, Any], *, null: bool = False, required: bool = True) -> Any:
    """A list of plain values."""
    return serializers.ListField(child=child, allow_null=null, required=required)


def a_map(child: Any, *, null: bool = False, required: bool = True) -> serializers.DictField:
    """An object whose names are data: places, tie-breaks, entrant numbers."""
    held = child if isinstance(child, serializers.Field) else child()
    return serializers.DictField(child=held, allow_null=null, required=required)


def one_of(name: str, *shapes: type[Answer], null: bool = False) -> Any:
    """One of several shapes."""
    return PolymorphicProxySerializer(
        component_name=name,
        serializers=list(shapes),
        resource_type_field_name=None,
        allow_null=null,
    )


#: What a single value may be: a text, a whole number, yes or no, nothing.
SCALAR: Final[list[dict[str, Any]]] = [{"type": kind} for kind in ("string", "integer", "boolean", "null")]


@extend_schema_field({"oneOf": SCALAR})
class Scalar(serializers.JSONField):
    """A text, a whole number, yes or no, or nothing."""


@cache
def page_of(shape: type[Answer]) -> Any:
    """One page of a list: its rows, and the cursor of the next page."""
    return inline_serializer(f"{shape.__name__}Page", {"results": shape(many=True), "next": a_text(null=True)})


@cache
def list_of(shape: type[Answer]) -> Any:
    """A list that is told whole."""
    return inline_serializer(f"{shape.__name__}List", {"results": shape(many=True)})


#: An answer as it is sent: members by name.
Document = dict[str, Any]


def moment(value: Any) -> str | None:
    return None if value is None else value.isoformat()


def exact(hundredths: int | None) -> str | None:
    """Hundredths as an exact decimal text."""
    if hundredths is None:
        return None
    whole, rest = divmod(abs(hundredths), 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{whole}.{rest:02d}".rstrip("0").rstrip(".") if rest else f"{sign}{whole}"

"""Reading bodies strictly: JSON without surprises, and fields that take exactly their type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django.db.models import CharField, Model
from drf_spectacular.utils import extend_schema_field
from rest_framework import exceptions, parsers, serializers, status
from rest_framework.settings import api_settings

from tournaments.acts.history import REASON_LIMIT
from tournaments.acts.text import finite, no_number
from tournaments.ledger.officials_entries import CLAUSE_LIMIT

BODY_LIMIT = 1_000_000
DEPTH_LIMIT = 40

#: Characters, at most, of what an official gives as a reason, of a clause, of a word of ours (a format, a treatment, a
#: card), and of a code of a table or a player with whatever a camera reads around it.
REASON: Final = REASON_LIMIT
CLAUSE: Final = CLAUSE_LIMIT
A_WORD: Final = 40
A_CODE: Final = 300


def length_of(model: type[Model], name: str) -> int:
    """Characters, at most, that a column of text keeps."""
    field = model._meta.get_field(name)
    assert isinstance(field, CharField), f"{name} is no text"
    assert field.max_length is not None, f"{name} has no greatest length"
    return field.max_length


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class BadJson(exceptions.ParseError):
    """The body cannot be read as strict JSON; `why` is told in English to the programmer behind it."""

    def __init__(self, why: str) -> None:
        super().__init__(why, "bad_json")


class StrictJSONParser(parsers.BaseParser):
    """JSON in UTF-8 without double keys, NaN, infinities, lone surrogates, NUL, or nesting deeper than needed."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        data = stream.read(BODY_LIMIT + 1)
        if len(data) > BODY_LIMIT:
            raise TooLarge()
        return read_json(data)


def read_json(data: bytes) -> Any:
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_no_twins, parse_constant=no_number, parse_float=finite)
        _check(value, 0)
    except RecursionError:
        raise BadJson("nested too deep") from None
    except ValueError as error:
        raise BadJson(str(error)[:120]) from None
    return value


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice")
    return made


def _check(value: Any, depth: int) -> None:
    if depth > DEPTH_LIMIT:
        raise ValueError("nested too deep")
    if isinstance(value, str):
        if "\x00" in value:
            raise ValueError("a text holds NUL")
        value.encode("utf-8")  # a lone surrogate is no character
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check(name, depth)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)


class Words(serializers.CharField):
    """Text and nothing else: a number is not quietly taken for its figures. At most `longest` characters, which the
    schema tells."""

    def __init__(self, longest: int, **known: Any) -> None:
        super().__init__(max_length=longest, **known)
        self.longest = longest

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        text = data.strip() if self.trim_whitespace else data
        if len(text) > self.longest:
            raise serializers.ValidationError([serializers.ErrorDetail(str(self.longest), "text_too_long")])
        return text


class Whole(serializers.IntegerField):
    """A whole number of JSON: no text, no true, no 5.0; never larger than a database can hold."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("min_value", -(2**31))
        kwargs.setdefault("max_value", 2**31 - 1)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class RowNumber(Whole):
    """The number (id) of a row: a laptop's come from a range of its own, all below 2 ** 53."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": 2**53 - 1} | kwargs)


class Flag(serializers.BooleanField):
    """true or false, not "yes" or 1."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


def shaped(shape: Any, *, of: type[serializers.Field[Any, Any, Any, Any]] = serializers.JSONField, **known: Any) -> Any:
    """What the act itself reads and refuses, with all findings; `shape` is what the schema tells of it."""
    return extend_schema_field(shape)(type("Shaped", (of,), {}))(**known)


class Body(serializers.Serializer[Any]):
    """A body with known fields only."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            no_object = [serializers.ErrorDetail("", "not_a_dict")]
            raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: no_object})
        unknown = {name: [serializers.ErrorDetail("", "unknown_field")] for name in data if name not in self.fields}
        if unknown:
            raise serializers.ValidationError(unknown)
        return super().to_internal_value(data)

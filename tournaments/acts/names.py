"""Names inside an answer that is kept: it holds whose name it is, and the name is joined when it is shown again.

So a person can be erased, and no kept answer brings the name back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import Model

MARK = "$name"


class Name(str):
    """A name in an answer; `of` says whose: the model, the row and its field."""

    of: tuple[str, int, str]


def name_of(row: Model, field: str = "name") -> Name:
    """The name in a field of a row, that still knows where it came from."""
    name = Name(getattr(row, field))
    name.of = (row._meta.label_lower, row.pk, field)
    return name


def without_names(value: Any) -> Any:
    """The answer with whose name it is in place of each name."""
    if isinstance(value, Name):
        return {MARK: list(value.of)}
    if isinstance(value, dict):
        return {name: without_names(inner) for name, inner in value.items()}
    return [without_names(inner) for inner in value] if isinstance(value, list | tuple) else value


def with_names(value: Any) -> Any:
    """The answer with the names of today; that of a row that is gone is empty."""
    wanted: dict[str, set[int]] = {}
    for model, pk, _field in _marks(value):
        wanted.setdefault(model, set()).add(pk)
    rows = {model: apps.get_model(model)._default_manager.in_bulk(pks) for model, pks in wanted.items()}

    def joined(one: Any) -> Any:
        if isinstance(one, dict):
            if MARK in one:
                model, pk, field = one[MARK]
                return getattr(rows[model].get(pk), field, "")
            return {name: joined(inner) for name, inner in one.items()}
        return [joined(inner) for inner in one] if isinstance(one, list) else one

    return joined(value)


def _marks(value: Any) -> Iterator[tuple[str, int, str]]:
    if isinstance(value, dict) and MARK in value:
        yield value[MARK]
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _marks(inner)

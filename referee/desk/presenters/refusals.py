"""Findings and refusals on a page of the desk: each by its field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.hands.words import field_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tournaments.acts.errors import Refusal


@dataclass(frozen=True, slots=True)
class Found:
    """A finding where it belongs on the form: `place` is the name of the field."""

    place: str
    message: Mapping[str, str]
    clause: str | None
    blocking: bool = True


def refusal(refused: Refusal) -> dict[str, Any]:
    """A refusal for the page: all findings at once, each by its field."""
    found = shown_findings([item for item in refused.findings if item.blocking])
    if not found:
        found = [Found(place_of(refused.field or ""), refused.message, None)]
    return {"refusal": refused, "findings": found, "bad": {item.place for item in found}}


def shown_findings(findings: Iterable[Any]) -> list[Found]:
    """Findings for a form; where the kernel's sentence names a field by its key, the form's name stands instead."""
    return [Found(place_of(item.field), _named(item), item.clause, item.blocking) for item in findings]


def _named(item: Any) -> dict[str, str]:
    return {tongue: text.replace(item.field, field_word(item.field)) for tongue, text in item.message.items()}


def place_of(field: str) -> str:
    """The name of the form's field that holds a value inside it: ``throw_failures[0].cards`` → ``throw_failures``."""
    return field.split(".")[0].split("[")[0]

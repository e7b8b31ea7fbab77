"""Names as entered; on English pages the Latin name where one is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from referee.parts.words import in_language, page_language
from scoring.values import Place
from scoring.wording import PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping


class Named(Protocol):
    """An entrant, a player or a tournament."""

    name: str
    name_latin: str


def shown_name(thing: Named | None) -> str:
    if thing is None:
        return ""
    return thing.name_latin if thing.name_latin and page_language() == "en" else thing.name


def in_names(sentence: object, names: Mapping[str, str]) -> str:
    """A sentence of the kernel in the page's language, with the players at a table in place of their seats."""
    text = in_language(sentence)
    for place, name in names.items():
        text = text.replace(in_language(PLACES[Place(place)]), name).replace(
            in_language(PLACES[Place(place)]).capitalize(), name
        )
    return text

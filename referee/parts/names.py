"""Names as entered; on English pages the Latin name where one is given."""

from __future__ import annotations

from typing import Protocol

from referee.parts.words import page_language


class Named(Protocol):
    """An entrant, a player or a tournament."""

    name: str
    name_latin: str


def shown_name(thing: Named | None) -> str:
    if thing is None:
        return ""
    return thing.name_latin if thing.name_latin and page_language() == "en" else thing.name

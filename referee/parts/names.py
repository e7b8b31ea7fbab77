"""Names as entered; on English pages the Latin name where one is given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol
from unicodedata import east_asian_width

from referee.parts.words import in_language, page_language
from scoring.values import Place
from scoring.wording import PLACES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Entrant


_HAN = re.compile("[\u3400-\u9fff]")


class Named(Protocol):
    """An entrant, a player or a tournament."""

    name: str
    name_latin: str


def shown_name(thing: Named | None) -> str:
    if not thing:
        return ""
    return thing.name_latin if thing.name_latin and page_language() == "en" else thing.name


def names_its_players(entrant: Entrant) -> bool:
    """Whether the entrant's name already says who plays, as that of most pairs does."""
    name = shown_name(entrant)
    return all(shown_name(player) in name for player in entrant.players.all())


def in_names(sentence: object, names: Mapping[str, str]) -> str:
    """A sentence of the kernel in the page's language, with the players at a table in place of their seats.

    The space that Chinese sets before the digit of a seat goes where a Chinese name stands instead.
    """
    text = in_language(sentence)
    for place, name in names.items():
        seat = in_language(PLACES[Place(place)])
        if _HAN.match(name):
            text = re.sub(f"(?<={_HAN.pattern}) (?={re.escape(seat)})", "", text)
        text = text.replace(seat, name).replace(seat.capitalize(), name)
    return text


def shortened(name: str, room: int) -> str:
    """A name cut to so many columns, its dots included; a Chinese character takes two."""
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in name]
    if sum(widths) <= room:
        return name
    kept = next(n for n in range(len(name)) if sum(widths[: n + 1]) >= room)
    return name[:kept].rstrip(" /") + "…"

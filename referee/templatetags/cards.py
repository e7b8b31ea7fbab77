"""`{% load cards %}`: a trick drawn from above, and sentences of the kernel with their suits in colour."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.utils.html import format_html_join

from referee.parts.words import in_language
from referee.pictures import trick_drawing
from referee.templatetags.referee import card_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.safestring import SafeString

    from referee.adjudicator.verdicts import Placed
    from scoring.values import Player

register = template.Library()

_SIGNS: Final = {"♠": "S", "♥": "H", "♣": "C", "♦": "D"}
#: A card in a sentence of the kernel: its sign, then its rank.
_CARD: Final = re.compile(r"([♠♥♣♦])(10|[2-9JQKA])")


@register.inclusion_tag("partials/trick.html")
def trick_drawing_of(placed: Sequence[Placed], players: Sequence[Player]) -> dict[str, Any]:
    """The players' cards around the table at which all of `players` sit."""
    drawing = trick_drawing.draw(placed, players)
    width, height = trick_drawing.CARD
    return {"drawing": drawing, "wide": width, "high": height, "spoken": trick_drawing.spoken(placed)}


@register.filter
def with_suits(text: object) -> SafeString:
    """A kernel text in the language of the page; suits are drawn, not left to the fonts of the device."""
    return format_html_join("", "{}", ((piece,) for piece in _pieces(in_language(text))))


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for found in _CARD.finditer(text):
        yield text[at : found.start()]
        yield card_text(f"{_SIGNS[found[1]]}{found[2]}")
        at = found.end()
    yield text[at:]

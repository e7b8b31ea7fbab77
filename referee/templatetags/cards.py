"""`{% load cards %}`: a trick drawn from above, and sentences of the kernel with their suits in colour."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from referee.parts import trick_drawing
from referee.parts.words import SUITS, in_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.parts.verdicts import Placed

register = template.Library()

_SIGNS: Final = {"♠": "S", "♥": "H", "♣": "C", "♦": "D"}
#: A card in a sentence of the kernel: its sign, then its rank.
_CARD: Final = re.compile(r"([♠♥♣♦])(10|[2-9JQKA])")


@register.inclusion_tag("partials/trick.html")
def trick_drawing_of(placed: Sequence[Placed]) -> dict[str, Any]:
    """The players' cards around the table."""
    drawing = trick_drawing.draw(placed)
    width, height = trick_drawing.CARD
    return {"drawing": drawing, "wide": width, "high": height, "spoken": trick_drawing.spoken(placed)}


@register.filter
def with_suits(text: object) -> SafeString:
    """A kernel text in the language of the page; suits are drawn, not left to the fonts of the device."""
    return mark_safe(_CARD.sub(_drawn, conditional_escape(in_language(text))))


def _drawn(found: re.Match[str]) -> str:
    code = _SIGNS[found[1]]
    css, word = SUITS[code]
    return format_html(
        '<span class="card-text {}"><svg class="suit {}" role="img" aria-label="{}"><use href="#suit-{}"/></svg>{}</span>',
        css,
        css,
        word,
        code,
        found[2],
    )

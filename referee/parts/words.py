"""The small words of the game in the language of the page (the kernel's own sentences come from its clauses)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring import wording
from scoring.standings.match_scores import PASSED
from scoring.values import LEVELS, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django_stubs_ext import StrPromise

    from scoring.profiles import Profile

    Word = str | StrPromise

# the places at a table of single players
PLACES: Final[Mapping[str, Word]] = {
    "1": _("seat 1"),
    "2": _("seat 2"),
    "3": _("seat 3"),
    "4": _("seat 4"),
    "5": _("seat 5"),
}
# who stands behind an entry: a side, or a place
SIDES: Final[Mapping[str, Word]] = {"NS": _("North–South"), "EW": _("East–West"), **PLACES}
SIDES_SHORT: Final[Mapping[str, Word]] = {"NS": _("N–S"), "EW": _("E–W"), **PLACES}
SEATS: Final[Mapping[str, Word]] = {"N": _("North"), "W": _("West"), "S": _("South"), "E": _("East")}
# whoever plays, as a label: at a seat of two sides, or at a place
PLAYERS: Final[Mapping[str, Word]] = {**SEATS, **{place: capfirst(word) for place, word in PLACES.items()}}
ROLES: Final[Mapping[str, Word]] = {"dealer": _("dealer side"), "attackers": _("attackers")}

# plays that set levels of their own
SPECIALS: Final[Mapping[str, Word]] = {
    "red_fives_declared": _("red fives declared"),
    "red_fives_dug": _("pair of red fives"),
    "dug_510K": _("510K"),
}

# class of the mark, word
SUITS: Final[Mapping[str, tuple[str, Word]]] = {
    "S": ("spades", _("spades")),
    "H": ("hearts", _("hearts")),
    "C": ("clubs", _("clubs")),
    "D": ("diamonds", _("diamonds")),
    "JS": ("joker", _("small joker")),
    "JB": ("joker", _("big joker")),
}
NO_TRUMP: Final[Word] = _("no-trump")

RANKS: Final[Mapping[str, Word]] = {
    "A": pgettext_lazy("rank of a card", "ace"),
    "K": pgettext_lazy("rank of a card", "king"),
    "Q": pgettext_lazy("rank of a card", "queen"),
    "J": pgettext_lazy("rank of a card", "jack"),
}


def page_language() -> str:
    """The language of the page being made: ``"zh"`` or ``"en"``, also the first part of a public address."""
    return "zh" if (get_language() or "").startswith("zh") else "en"


def language_tag() -> str:
    """The value of a ``lang`` attribute: ``"zh-Hans"`` or ``"en"``."""
    return "zh-Hans" if page_language() == "zh" else "en"


#: Between the two figures of a score, which never breaks over a line.
BETWEEN: Final = "\u00a0:\u00a0"
_SCORE: Final = re.compile(r"(?<=[0-9AJQK½]) : (?=[-+−]?[0-9AJQK])")


def unbroken(text: str) -> str:
    """The text with its scores (``8 : 5``) in one piece each, wherever its line ends."""
    return _SCORE.sub(BETWEEN, text) if " : " in text else text


def in_language(text: object) -> str:
    """The page's language out of a kernel ``Text`` (``{"en": …, "zh": …}``); any other value as a string."""
    if isinstance(text, dict) or hasattr(text, "get"):
        return unbroken(str(text.get(page_language()) or text.get("en") or ""))  # type: ignore[union-attr, unused-ignore]
    return "" if text is None else str(text)


# a stretch of the other language on a page of this one
_OTHER: Final = {
    "en": re.compile("([\u3400-\u9fff][\u3000-\u303f\u3400-\u9fff\uff00-\uffef]*)"),
    "zh": re.compile("([A-Za-z]{2,}(?:[ ,.&-]+[A-Za-z]{2,})*)"),
}


def in_tongues(text: str) -> list[str]:
    """The parts of a name, those in the other language than the page marked with their own."""
    tag = "zh-Hans" if page_language() == "en" else "en"
    parts = _OTHER[page_language()].split(text)
    return [
        format_html('<span lang="{}">{}</span>', tag, part) if place % 2 else part for place, part in enumerate(parts)
    ]


def reached(level: object, profile: Profile) -> str:
    """Where a side stands or ended, for ``level_word``: the code of a level; past the last one (None or ``passed``)
    words with its name: ``past A`` · 打过 A, ``past the joker level`` · 打过王."""
    if level is None or str(level) == PASSED:
        return in_language(wording.past(profile.ladder.last))
    return str(level)


def level_word(level: object) -> str:
    """A level as it is shown by itself: a rank, ``joker level`` · 打王, ``flag`` · 扛旗; what is no level is words."""
    text = str(level)
    return in_language(wording.level(Level(text))) if text in LEVELS else text


def playing(level: object) -> str:
    """What a side at that level does: ``playing 5`` · 打 5, ``at the flag`` · 扛旗."""
    text = str(level)
    return in_language(wording.playing(Level(text))) if text in LEVELS else text


def card_words(card: str) -> str:
    """A card as it is read aloud: ``"HJ"`` → jack of hearts, 红桃 J; ``"JB"`` → big joker, 大王."""
    if card in ("JS", "JB"):
        return str(SUITS[card][1])
    suit, rank = card[0], card[1:]
    if page_language() == "zh":
        return f"{SUITS[suit][1]} {rank}"
    return str(_("%(rank)s of %(suit)s")) % {"rank": RANKS.get(rank, rank), "suit": SUITS[suit][1]}


def mark(kind: Literal[":", ",", ";", "list"]) -> str:
    """What stands between two pieces of a page: Chinese has full-width marks, and one of its own within a list."""
    match kind:
        case ":":
            return pgettext("after a name, before what is said of it", ": ")
        case ",":
            return pgettext("joins parts of a sentence", ", ")
        case ";":
            return pgettext("joins two sentences", "; ")
        case _:
            return pgettext("joins items of a list", ", ")


def listed(items: Iterable[object]) -> str:
    """The items of a list in one line."""
    return mark("list").join(str(item) for item in items)


def with_reason(words: str, why: object) -> str:
    """``+5 (late)`` · ``+5（迟到）``; the words alone where no reason was given."""
    if not why:
        return words
    return f"{words}（{why}）" if page_language() == "zh" else f"{words} ({why})"

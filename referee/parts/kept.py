"""Words that a button writes into the record: kept in the language of the event, shown in the language of the page."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy, pgettext_lazy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.parts.words import Word

#: What a party can say with one tap when it sends an entry back.
ALL_WRONG: Final[Mapping[str, Word]] = {
    "points": pgettext_lazy("what is wrong", "Points"),
    "dealer": pgettext_lazy("what is wrong", "Who plays alone"),
    "bid": pgettext_lazy("what is wrong", "The bid"),
    "dealer_or_ally": pgettext_lazy("what is wrong", "Dealer or ally"),
    "last_trick": pgettext_lazy("what is wrong", "Last trick"),
    "shape": pgettext_lazy("what is wrong", "Shape led"),
    "kitty": pgettext_lazy("what is wrong", "Kitty"),
    "trump": pgettext_lazy("what is wrong", "Trump"),
    "dealer_or_level": pgettext_lazy("what is wrong", "Dealer or level"),
    "throw": pgettext_lazy("what is wrong", "Failed throw"),
    "not_finished": pgettext_lazy("what is wrong", "Not finished"),
}


def _words(*without: str) -> Mapping[str, Word]:
    return {code: word for code, word in ALL_WRONG.items() if code not in without}


#: What a side can say, in the order of the keys.
WRONG: Final = _words("dealer", "bid", "dealer_or_ally")
#: What a single player can say, by who plays with whom.
WRONG_ALONE: Final[Mapping[str, Mapping[str, Word]]] = {
    "alone": _words("shape", "dealer_or_ally", "dealer_or_level"),
    "ally": _words("shape", "dealer", "bid", "dealer_or_level"),
    "everyone": _words("shape", "dealer", "bid", "trump", "dealer_or_ally", "dealer_or_level"),
}

#: Why a side calls a referee.
CALLS: Final[Mapping[str, Word]] = {
    "come": gettext_lazy("Just come"),
    "revoke": gettext_lazy("Revoke or wrong card"),
    "throw": gettext_lazy("A throw"),
    "count": gettext_lazy("The points"),
    "record": gettext_lazy("The record is wrong"),
}

#: Why another dealer or level than the record says was played.
UNEXPECTED: Final[Mapping[str, Word]] = {
    "mistake": gettext_lazy("Played so by mistake"),
    "referee": gettext_lazy("A referee said so"),
    "agreed": gettext_lazy("Both sides noticed too late"),
}

#: Why an official settles a hand so, as one tap each.
SETTLED: Final[tuple[Word, ...]] = (
    gettext_lazy("both sides agree"),
    gettext_lazy("the slip shows it"),
    gettext_lazy("seen by the referee"),
    gettext_lazy("cards counted"),
)

#: The reason of an act that undoes another (`tournaments.undoing`).
UNDONE: Final[Word] = gettext_lazy("Undone within the minute")


def kept(word: Word, language: str) -> str:
    """A word as the record of an event in that language keeps it."""
    with translation.override(language):
        return str(word)


def shown(text: str) -> str:
    """What the record keeps, in the language of the page; what somebody wrote himself stays as it is."""
    return str(_known().get(text, text))


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Word]:
    words = (*SETTLED, *CALLS.values(), *UNEXPECTED.values(), *WRONG.values(), *ALL_WRONG.values(), UNDONE)
    return {kept(word, language): word for word in words for language, _ in settings.LANGUAGES}

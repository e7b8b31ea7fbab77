"""The facts of a hand in the words of the page: names of fields, their values, what can be said when sending back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from referee.hands.shapes import shape_word
from referee.parts.words import NO_TRUMP, ROLES, SEATS, SPECIALS, SUITS, card_words, level_word, listed, page_language
from scoring.values import Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from referee.parts.words import Word

ORDER: Final = (
    "kind",
    "reason",
    "dealer",
    "declared_by",
    "level",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "led",
    "kitty_points",
    "last_trick_points",
    "winning_category",
    "winning_play",
    "specials",
    "throw_failures",
    "dark_bids",
    "by",
    "hand_points",
)

FIELDS: Final[Mapping[str, Word]] = {
    "kind": gettext_lazy("Kind"),
    "reason": gettext_lazy("Reason"),
    "dealer": gettext_lazy("Dealer"),
    "ally": gettext_lazy("Ally"),
    "bid": gettext_lazy("Bid"),
    "points": gettext_lazy("Points of each"),
    "last_trick_place": gettext_lazy("Last trick"),
    "declared_by": gettext_lazy("Declared by"),
    "level": gettext_lazy("Level"),
    "trump": gettext_lazy("Trump"),
    "captured_in_tricks": gettext_lazy("Points in tricks"),
    "last_trick_winner": gettext_lazy("Last trick"),
    "led": gettext_lazy("Led to it"),
    "kitty_points": gettext_lazy("Kitty points"),
    "last_trick_points": gettext_lazy("Points in the last trick"),
    "winning_category": gettext_lazy("Won with"),
    "winning_play": gettext_lazy("Won with"),
    "specials": gettext_lazy("Red fives and 510K"),
    "throw_failures": gettext_lazy("Failed throws"),
    "dark_bids": gettext_lazy("Face-down bids out of order"),
    "by": gettext_lazy("Rebel"),
    "hand_points": gettext_lazy("Points in that hand"),
}

ANNULLED: Final[Mapping[str, Word]] = {
    "rebellion": gettext_lazy("Rebellion"),
    "misdeal": gettext_lazy("Misdeal"),
    "redeal": gettext_lazy("Redeal"),
}


def in_order(names: Iterable[str]) -> list[str]:
    """Names of facts in the order of the form."""
    return sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def field_word(name: str) -> str:
    """The name of a fact as the table's pages call it."""
    return str(FIELDS.get(name, name))


def fact_rows(facts: Mapping[str, Any], *, throws: bool = True) -> list[tuple[str, str, str]]:
    """Facts as rows (name, word, value), in the order of the form; of a hand also that no throw failed.

    `throws` says whether the rules have throws.
    """
    names = {name for name in facts if name != "kind"}
    if throws and facts.get("kind") == "hand":
        names.add("throw_failures")
    return [(name, field_word(name), value_words(name, facts)) for name in in_order(names)]


def value_words(name: str, facts: Mapping[str, Any]) -> str:
    """A fact's value in words; "none" where it is left out."""
    value = facts.get(name)
    if value is None or value == []:
        return pgettext("no such thing", "none")
    write = _WRITERS.get(name)
    return write(value) if write is not None else str(value)


def _throws(rows: Iterable[Mapping[str, Any]]) -> str:
    texts = (_("%(role)s, %(n)s cards") % {"role": ROLES[row["side"]], "n": row["cards"]} for row in rows)
    return ("；" if page_language() == "zh" else "; ").join(texts)


def _specials(rows: Iterable[Mapping[str, Any]]) -> str:
    texts = []
    for row in rows:
        if row["event"] == "red_fives_declared":
            texts.append(_("declared by the %(role)s") % {"role": ROLES[row["by"]]})
        else:
            texts.append(_("dug with: %(what)s") % {"what": SPECIALS[row["event"]]})
    return listed(texts)


def _dark_bids(rows: Iterable[Mapping[str, Any]]) -> str:
    return listed(f"{ROLES[row['side']]} ×{row['times']}" for row in rows)


_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "kind": lambda value: {"hand": _("hand"), "annulled": _("void hand")}.get(value, str(value)),
    "reason": lambda value: str(ANNULLED.get(value, value)),
    "dealer": lambda value: str(SEATS[value]),
    "declared_by": lambda value: str(SEATS[value]),
    "level": level_word,
    "by": lambda value: str(SEATS[value]),
    "trump": lambda value: str(NO_TRUMP if value == "NT" else SUITS[value][1]),
    "last_trick_winner": lambda value: _("won by the %(role)s") % {"role": ROLES[value]},
    "led": lambda value: listed(shape_word(Shape.from_json(shape)) for shape in value),
    "winning_category": lambda value: {"trump": _("trumps"), "side": _("a side suit")}[value],
    "winning_play": lambda value: listed(card_words(card) for card in value),
    "specials": _specials,
    "throw_failures": _throws,
    "dark_bids": _dark_bids,
}

"""What a hand's form has to say before it can be sent: one table, by which the server checks and the page asks.

A row is data and nothing else, so that the page can hold a phone without a network to it as well
(`table-required.js` reads the same rows the same way). The rules refuse what the table asks for, and a little less:
they can do without a trump, and without a dealer where one is due; the table writes both down all the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from referee.parts.words import in_language
from scoring.hands.findings import Finding, finding
from scoring.values import FLAG, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from referee.parts.words import Word
    from scoring.profiles import Profile

#: Values by field.
Values = Mapping[str, tuple[str, ...]]
#: The shapes of a longer lead, one of which has to be chosen.
LED_MORE: Final = ("led_1", "led_2", "led_3")
HAND: Final[Values] = {"kind": ("hand",)}
ANNULLED: Final[Values] = {"kind": ("annulled",)}
TRUMP: Final = {"en": "Choose the trump suit, or no-trump.", "zh": "请选主花色，或无主。"}


@dataclass(frozen=True, slots=True)
class Required:
    """One thing to be filled in: one of `fields`, asked while each field of `when` has one of its values, and none
    of `unless` has one of its own.

    Beside the fields of the form, ``kind`` is what is being sent (``hand``, ``annulled``) and ``level`` the level at
    which the hand counts. `at` is the field by which the page says that it is missing, `word` names it in a list.
    """

    fields: tuple[str, ...]
    word: Word
    finding: Finding
    at: str
    when: Values
    unless: Values = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What is missing, as a referee reads it out; the rules' own sentence where it names the field in words."""
        if self.finding.code == "missing":
            return _("%(field)s is missing.") % {"field": self.word}
        return in_language(self.finding.message)


def missing(rows: Iterable[Required], get: Callable[[str], str]) -> list[Required]:
    """The rows that are asked and not filled in; `get` reads a field of the form, "" where it is empty."""

    def holds(values: Values) -> Iterable[bool]:
        return (get(name) in allowed for name, allowed in values.items())

    return [
        row
        for row in rows
        if all(holds(row.when)) and not any(holds(row.unless)) and not any(get(name) for name in row.fields)
    ]


def for_page(rows: Iterable[Required]) -> str:
    """The rows as JSON, in the reader's language."""
    return json.dumps(rows_json(rows), ensure_ascii=False)


def rows_json(rows: Iterable[Required]) -> list[dict[str, Any]]:
    """The rows as the page's script reads them."""
    return [
        {
            "fields": list(row.fields),
            "at": row.at,
            "word": str(row.word),
            "say": row.sentence,
            "when": {name: list(values) for name, values in row.when.items()},
            "unless": {name: list(values) for name, values in row.unless.items()},
        }
        for row in rows
    ]


def of_two_sides(profile: Profile, *, contested: bool) -> list[Required]:
    """What a hand of two sides has to say; `contested`: nobody knows from the record who deals it."""
    at_flag = {"level": (FLAG.rank,)}
    without_suit = {"level": tuple(level.rank for level in profile.ladder if level.has_no_trump_suit)}
    return [
        *(_contested(profile) if contested else ()),
        _trump(unless=without_suit),
        _row("captured_in_tricks", gettext_lazy("Points in tricks"), "missing", HAND),
        _row("last_trick_winner", gettext_lazy("Last trick"), "last_trick_missing", HAND, at_flag),
        *(_dig(profile, at_flag) if profile.last_trick == "kitty" else _last_trick(at_flag)),
        _reason(),
    ]


def of_players(profile: Profile, names: Mapping[str, str]) -> list[Required]:
    """What a hand of single players has to say; `names`: the players by place."""
    if profile.division == "everyone":
        return [
            *(
                _row(f"points_{place}", name, "missing", HAND, path=f"points.{place}")
                for place, name in sorted(names.items())
            ),
            _row("last_trick_place", gettext_lazy("Last trick"), "last_trick_place_missing", HAND),
            _row("kitty_points", gettext_lazy("Kitty points"), "kitty_of_all_missing", HAND),
            _reason(),
        ]
    alone = profile.division == "alone"
    return [
        _row(
            "dealer",
            pgettext_lazy("what is wrong", "Who plays alone") if alone else gettext_lazy("Dealer"),
            "missing",
            HAND,
        ),
        _row("bid", gettext_lazy("Bid"), "bid_unknown", HAND)
        if alone
        else _row("ally", gettext_lazy("Ally"), "missing", HAND),
        _trump(),
        _row("captured_in_tricks", gettext_lazy("Points in tricks"), "missing", HAND),
        _row("last_trick_winner", gettext_lazy("Last trick"), "last_trick_missing", HAND),
        *_dig(profile),
        _reason(),
    ]


def _contested(profile: Profile) -> Iterable[Required]:
    """Who deals: where a declaration takes the deal, whoever declared; a rebellion needs it as well."""
    undeclared: Values = {} if profile.joker_declare == "none" else {"declared_by": ("",)}
    yield _row("dealer", gettext_lazy("Dealer"), "dealer_missing", {**HAND, **undeclared})
    yield _row("dealer", gettext_lazy("Dealer"), "dealer_missing", {**ANNULLED, "annulled_reason": ("rebellion",)})


def _dig(profile: Profile, unless: Values | None = None) -> Iterable[Required]:
    """What multiplies the kitty, once the attackers have dug."""
    dug = {**HAND, "last_trick_winner": (Role.ATTACKERS.value,)}
    yield from _led("shape_missing", dug, unless)
    yield _row("kitty_points", gettext_lazy("Kitty points"), "kitty_missing", dug, unless)
    if profile.dig_trump_only:
        yield _row("winning_category", gettext_lazy("Won with"), "winning_category_missing", dug, unless)


def _last_trick(unless: Values) -> Iterable[Required]:
    """Where the last trick counts by its cards, whoever won it: what was led, and its points."""
    yield from _led("last_led_missing", HAND, unless)
    yield _row("last_trick_points", gettext_lazy("Points in the last trick"), "last_points_missing", HAND, unless)


def _led(code: str, when: Values, unless: Values | None) -> Iterable[Required]:
    word = gettext_lazy("Shape led to the last trick")
    yield _row("led", word, code, when, unless)
    yield Required(LED_MORE, word, finding(code, "led"), "led", {**when, "led": ("more",)}, unless or {})


def _trump(unless: Values | None = None) -> Required:
    said = Finding("trump_missing", "trump", blocking=True, clause=None, message=TRUMP, params={})
    return Required(("trump",), gettext_lazy("Trump"), said, "trump", HAND, unless or {})


def _reason() -> Required:
    return _row("annulled_reason", gettext_lazy("Reason"), "missing", ANNULLED, path="reason")


def _row(
    name: str, word: Any, code: str, when: Values, unless: Values | None = None, *, path: str | None = None
) -> Required:
    """A field that is asked; `path` names it in the facts where they call it otherwise."""
    return Required((name,), word, finding(code, path or name), name, when, unless or {})

"""What a hand's form has to say before it can be sent: one table, by which the server checks and the page asks.

A row is data and nothing else, so that the page can hold a phone without a network to it as well
(`table-required.js` reads the same rows the same way). The rules refuse what the table asks for, and a little less:
they can do without a trump, and without a dealer where one is due; the table writes both down all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as also
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from referee.parts.words import in_language
from scoring.hands import fields
from scoring.hands.fields import BY_NAME, FIELDS, Asked, Field, Kind
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
TRUMP: Final = {"en": "Choose the trump.", "zh": "请选定主牌。"}


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
    unless: Values = also(default_factory=dict)

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


def rows_json(rows: Iterable[Required]) -> list[dict[str, Any]]:
    """The rows as the page's script reads them, in the reader's language."""
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
    dealing = _contested(profile) if contested else ()
    return [*dealing, *(row for one in FIELDS if one.name != "dealer" for row in _rows(one, profile))]


def of_players(profile: Profile, names: Mapping[str, str]) -> list[Required]:
    """What a hand of single players has to say; `names`: the players by place."""
    return [row for one in FIELDS for row in _rows(one, profile, names)]


def _contested(profile: Profile) -> Iterable[Required]:
    """Who deals: where a declaration takes the deal, whoever declared; a rebellion needs it as well."""
    undeclared: Values = {} if profile.joker_declare == "none" else {"declared_by": ("",)}
    dealer = BY_NAME["dealer"]
    yield _row(dealer, "dealer_missing", {**HAND, **undeclared})
    yield _row(dealer, "dealer_missing", {**ANNULLED, "annulled_reason": ("rebellion",)})


def _rows(field: Field, profile: Profile, names: Mapping[str, str] | None = None) -> Iterable[Required]:
    """What is asked of one field by these rules, after the answers before it."""
    code = field.code(profile)
    if code is None or profile.division not in field.games or not field.here(profile):
        return
    if fields.ANNULLED in field.entries and fields.HAND not in field.entries:
        yield _row(field, code, ANNULLED)
        return
    if fields.HAND not in field.entries:
        return
    when, unless = HAND, _unless(field, profile)
    if field.asked is Asked.DIG and profile.last_trick == "kitty" and profile.division != fields.EVERYONE:
        when = {**HAND, "last_trick_winner": (Role.ATTACKERS.value,)}
    if field.kind is Kind.BY_PLACE:
        for place, name in sorted((names or {}).items()):
            said = finding(code, f"{field.name}.{place}")
            yield Required((f"{field.name}_{place}",), name, said, f"{field.name}_{place}", when)
        return
    row = _row(field, code, when, unless, alone=profile.division == fields.ALONE)
    yield row
    if field.kind is Kind.SHAPES:
        yield replace(row, fields=LED_MORE, when={**when, "led": ("more",)})


def _unless(field: Field, profile: Profile) -> Values:
    """The levels at which a field is not asked; single players play none that changes it."""
    if profile.division != fields.SIDES:
        return {}
    if field.kind is Kind.TRUMP:
        return {"level": tuple(level.rank for level in profile.ladder if level.has_no_trump_suit)}
    return {"level": (FLAG.rank,)} if field.asked in (Asked.LAST_TRICK, Asked.DIG) else {}


def _row(field: Field, code: str, when: Values, unless: Values | None = None, *, alone: bool = False) -> Required:
    word: Word = in_language(field.asking or field.word)
    if alone and field.name == "dealer":
        word = pgettext_lazy("what is wrong", "Who plays alone")
    said = (
        Finding(code, field.name, blocking=True, clause=None, message=TRUMP, params={})
        if field.kind is Kind.TRUMP
        else finding(code, field.name)
    )
    at = "annulled_reason" if field.kind is Kind.REASON else field.name
    return Required((at,), word, said, at, when, unless or {})

"""What is written down of a hand in the words of a page: names of fields, their values, two accounts compared.

Names come from `scoring.hands.fields`. A page tells values in its own voice: the desk in few words, a phone as one
would say it, a table of single players with their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from referee.parts.formats import exact, signed
from referee.parts.words import (
    NO_TRUMP,
    PLACES,
    ROLES,
    SEATS,
    SIDES,
    SPECIALS,
    SUITS,
    card_words,
    in_language,
    level_word,
    listed,
    mark,
    with_reason,
)
from scoring.hands import fields
from scoring.hands.fields import Kind
from scoring.values import Role, Shape
from scoring.wording import shape_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.parts.words import Word
    from scoring.profiles import Profile

#: Why a hand does not count.
ANNULLED: Final[Mapping[str, Word]] = {
    "rebellion": gettext_lazy("rebellion"),
    "all_passed": gettext_lazy("nobody bid"),
    "misdeal": gettext_lazy("misdeal"),
    "redeal": gettext_lazy("redeal"),
    "ruling": gettext_lazy("ruling"),
}
ENDS: Final[Mapping[str, Word]] = {
    "time": gettext_lazy("time is over"),
    "hands": gettext_lazy("all hands played"),
    "lead": gettext_lazy("lead in levels"),
    "forfeit": gettext_lazy("a side gives up"),
    "left": gettext_lazy("a player has left"),
}
#: What becomes of later hands that were played at another level or by another dealer than a correction leads to.
TREATED: Final[Mapping[str, Word]] = {
    "recompute": gettext_lazy("Recompute"),
    "let_stand": gettext_lazy("Let the played hands stand"),
    "adjust": gettext_lazy("Adjusted result"),
}
KINDS: Final[Mapping[str, Word]] = {
    "hand": gettext_lazy("hand"),
    "annulled": gettext_lazy("void"),
    "level_penalty": gettext_lazy("level penalty"),
    "penalty": gettext_lazy("penalty of a player"),
    "adjusted": gettext_lazy("adjusted"),
    "end": gettext_lazy("end of the match"),
    "call": gettext_lazy("call"),
    "dispute": gettext_lazy("dispute"),
    "objection": gettext_lazy("objection"),
}
CATEGORIES: Final[Mapping[str, Word]] = {"trump": gettext_lazy("trumps"), "side": gettext_lazy("a side suit")}


def opposed(profile: Profile) -> str:
    """Those who play against the dealer, as the pages call them."""
    if profile.division in (fields.SIDES, fields.ALLY):
        return _("attackers")
    return {4: _("the three"), 5: _("the four")}[profile.players]


def _dealing(profile: Profile) -> str:
    """Who plays with the dealer, as the pages call them."""
    return _("dealer or ally") if profile.division == fields.ALLY else _("the dealer")


def annulled_reasons(profile: Profile) -> dict[str, Word]:
    """Why a hand of this game may not count."""
    here = {"rebellion": profile.division == fields.SIDES, "all_passed": profile.bidding is not None}
    return {code: word for code, word in ANNULLED.items() if here.get(code, True)}


def annulled_keys(profile: Profile) -> dict[str, str]:
    """The same where the table itself says so: a ruling is for officials, a rebellion where the rules have it."""
    barred = {"ruling"} if profile.rebellion else {"ruling", "rebellion"}
    return {code: str(capfirst(word)) for code, word in annulled_reasons(profile).items() if code not in barred}


def field_word(name: str, profile: Profile | None = None, *, brief: bool = False) -> str:
    """The name of a field, or of what holds it (``throw_failures[0].cards``); single players have some of their own."""
    field = fields.BY_NAME.get(name.split(".")[0].split("[")[0])
    if field is None:
        return name
    if profile is None or profile.division == fields.SIDES:
        return in_language(field.short if brief else field.word)
    if profile.division == fields.ALONE and field.name == "dealer":
        return _("Plays alone")
    if profile.division == fields.ALONE and field.name == "captured_in_tricks":
        return _("Points in tricks of %(who)s") % {"who": opposed(profile)}
    return in_language(field.short)


def kind_words(kind: str) -> str:
    """What an entry of the ledger is."""
    return str(KINDS.get(kind, kind))


def trump_words(trump: str) -> str:
    return str(NO_TRUMP if trump == "NT" else SUITS[trump][1]) if trump == "NT" or trump in SUITS else trump


def shape_words(shape: Mapping[str, Any]) -> str:
    """``pair``, ``2-pair tractor``."""
    return in_language(shape_name(Shape.from_json(shape)))


def special_words(special: Mapping[str, str]) -> str:
    """A play that sets levels of its own, in words."""
    if special["event"] == "red_fives_declared":
        return _("declared by the %(role)s") % {"role": ROLES[special["by"]]}
    return _("dug with: %(what)s") % {"what": SPECIALS[special["event"]]}


def _party(party: str) -> str:
    """A side, a seat, a place or a role by itself."""
    return str({**SEATS, **PLACES, **ROLES}.get(party, party))


@dataclass(frozen=True, slots=True)
class Voice:
    """How a page tells the values of a hand: whom it names and how, and whether it speaks or notes."""

    party: Callable[[str], str] = _party
    role: Callable[[str], str] = _party
    speaks: bool = False

    def says(self, name: str, value: Any) -> str:
        """The value of a field in words."""
        if value is None or value in ("", [], {}):
            return pgettext("no such thing", "none") if self.speaks else "–"
        field = fields.BY_NAME.get(name)
        if field is None:
            return str(value)
        return str(_WRITERS.get(field.kind, _plain)(value, self))

    def rows(self, facts: Mapping[str, Any], profile: Profile) -> list[tuple[str, str, str]]:
        """Facts as rows (name, word, value) in order; of a hand of two sides also that no throw failed."""
        names = {name for name in facts if name != "kind"}
        if profile.division == fields.SIDES and profile.throws_allowed and facts.get("kind") == "hand":
            names.add("throw_failures")
        return [
            (name, field_word(name, profile, brief=self.speaks), self.says(name, facts.get(name)))
            for name in fields.in_order(names)
        ]


#: The desk notes.
DESK: Final = Voice()
#: A phone of a side speaks.
PHONE: Final = Voice(role=lambda role: _("won by the %(role)s") % {"role": _party(role)}, speaks=True)


def of_players(profile: Profile, name_of: Callable[[str], str]) -> Voice:
    """A phone at a table of single players; `name_of` gives the player of a place."""
    return Voice(name_of, lambda role: opposed(profile) if role == Role.ATTACKERS else _dealing(profile), speaks=True)


def _plain(value: Any, _voice: Voice) -> str:
    return str(value)


def _number(value: Any, _voice: Voice) -> str:
    """Numbers stand as they were typed but for the sign; the points of a penalty are one number."""
    return str(value).replace("-", "\u2212")


def _by_place(value: Any, voice: Voice) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    return listed(f"{voice.party(place)} {exact(number)}" for place, number in sorted(value.items()))


def _entry(value: str, voice: Voice) -> str:
    return _("void hand") if voice.speaks and value == fields.ANNULLED else kind_words(value)


def _reason(value: str, voice: Voice) -> str:
    word = ANNULLED.get(value) or ENDS.get(value, value)
    return str(capfirst(word)) if voice.speaks else str(word)


def _cards(value: Iterable[str], voice: Voice) -> str:
    return listed(card_words(card) for card in value) if voice.speaks else " ".join(value)


def _shapes(value: Iterable[Mapping[str, Any]], voice: Voice) -> str:
    words = [shape_words(shape) for shape in value]
    return listed(words) if voice.speaks else " + ".join(words)


def _throws(value: Iterable[Mapping[str, Any]], voice: Voice) -> str:
    return mark(";").join(
        _("%(role)s, %(n)s cards")
        % {"role": _party(one["side"]) if "side" in one else voice.party(one.get("place", "")), "n": one["cards"]}
        for one in value
    )


def _call(value: Any, _voice: Voice) -> str:
    return f"{card_words(value['card'])} ×{value.get('ordinal', 1)}" if isinstance(value, Mapping) else str(value)


_WRITERS: Final[Mapping[Kind, Callable[[Any, Voice], str]]] = {
    Kind.ENTRY: _entry,
    Kind.REASON: _reason,
    Kind.DEALER: lambda value, voice: voice.party(value),
    Kind.SEAT: lambda value, voice: voice.party(value),
    Kind.PLAYER: lambda value, voice: voice.party(value),
    Kind.LEVEL: lambda value, _voice: level_word(value),
    Kind.TRUMP: lambda value, _voice: trump_words(value),
    Kind.NUMBER: _number,
    Kind.ROLE: lambda value, voice: voice.role(value),
    Kind.SIDE: lambda value, _voice: str(SIDES.get(value, value)),
    Kind.SHAPES: _shapes,
    Kind.CATEGORY: lambda value, _voice: str(CATEGORIES.get(value, value)),
    Kind.CARDS: _cards,
    Kind.SPECIALS: lambda value, _voice: listed(special_words(one) for one in value),
    Kind.THROWS: _throws,
    Kind.DARK_BIDS: lambda value, _voice: listed(f"{ROLES[one['side']]} ×{one['times']}" for one in value),
    Kind.ADJUSTMENTS: lambda value, _voice: listed(
        with_reason(signed(one["points"]), in_language(one.get("why"))) for one in value
    ),
    Kind.BY_PLACE: _by_place,
    Kind.CALL: _call,
    Kind.FLAG: lambda value, _voice: _("yes") if value else _("no"),
    Kind.TREATMENT: lambda value, _voice: str(TREATED.get(value, value)),
    Kind.TEXT: lambda value, _voice: in_language(value),
}


def compared(
    old: Mapping[str, Any], new: Mapping[str, Any], profile: Profile | None = None
) -> Iterator[tuple[str, str, str, bool]]:
    """Old against new, field by field in the order of the form: name, old words, new words, whether it changed."""
    for field in fields.FIELDS:
        before, after = old.get(field.name), new.get(field.name)
        if field.name == "kind" and before == after:
            continue
        if before in (None, "", []) and after in (None, "", []):
            continue
        words = DESK.says(field.name, before), DESK.says(field.name, after)
        yield field_word(field.name, profile), *words, before != after

"""The sheet of a hand as a form: what was typed, the facts it makes (a ledger entry of the protocol), and its words.

The form judges nothing: what is not a whole number goes on as text, and the kernel names every problem at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.hands import individual
from referee.parts.formats import exact, signed
from referee.parts.words import (
    FACTS,
    NO_TRUMP,
    PLACES,
    ROLES,
    SEATS,
    SIDES,
    SPECIALS,
    SUITS,
    in_language,
    level_word,
    listed,
    with_reason,
)
from scoring.hands.regional import SPECIAL_DIGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import QueryDict
    from django.utils.functional import _StrPromise

    from scoring.profiles import Profile

THROWS: Final = 3
SHAPES: Final = 3
TEXTS: Final = (
    "kind",
    "dealer",
    "declared_by",
    "level",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "kitty_points",
    "last_trick_points",
    "winning_category",
    "special_dig",
    "red_fives_declared",
    "dark_bids_dealer",
    "dark_bids_attackers",
    "winning_play",
    "adjustment_points",
    "adjustment_why",
    "attackers_total",
    "annulled_reason",
    "annulled_by",
    "annulled_points",
    "annulled_trumps",
    "annulled_why",
    "adjusted_side",
    "adjusted_levels",
    "deal_changes_hands",
    "adjusted_why",
)
KINDS: Final = ("hand", "total", "annulled", "adjusted")
REPEATED: Final = {"led": SHAPES, "throw_side": THROWS, "throw_cards": THROWS}
FIELDS: Final[Mapping[str, str | _StrPromise]] = {
    **FACTS,
    "attackers_total": gettext_lazy("Total on the slip"),
    "reason": gettext_lazy("Reason"),
    "side": gettext_lazy("Side"),
    "levels": gettext_lazy("Levels"),
    "deal_changes_hands": gettext_lazy("The deal changes hands"),
    "why": gettext_lazy("Why"),
    "treatment": gettext_lazy("Treatment"),
    "by": gettext_lazy("Rebel"),
    "hand_points": gettext_lazy("Points in that hand"),
    "trump_count": gettext_lazy("Trumps in that hand"),
}
ANNULLED: Final[Mapping[str, str | _StrPromise]] = {
    "rebellion": gettext_lazy("rebellion"),
    "misdeal": gettext_lazy("misdeal"),
    "redeal": gettext_lazy("redeal"),
    "ruling": gettext_lazy("ruling"),
    "all_passed": gettext_lazy("nobody bid"),
}
ENDS: Final[Mapping[str, str | _StrPromise]] = {
    "time": gettext_lazy("time is over"),
    "hands": gettext_lazy("all hands played"),
    "lead": gettext_lazy("lead in levels"),
    "forfeit": gettext_lazy("a side gives up"),
    "left": gettext_lazy("a player has left"),
}
#: What becomes of later hands that were played at another level or by another dealer than a correction leads to.
TREATED: Final[Mapping[str, str | _StrPromise]] = {
    "recompute": gettext_lazy("Recompute"),
    "let_stand": gettext_lazy("Let the played hands stand"),
    "adjust": gettext_lazy("Adjusted result"),
}
NUMBERS: Final = {
    1: gettext_lazy("single"),
    2: gettext_lazy("pair"),
    3: gettext_lazy("triple"),
    4: gettext_lazy("quad"),
}


class SheetForm:
    """One hand as typed. `values` are texts by field name, redisplayed as they are whatever becomes of them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = {name: str(values.get(name, "")).strip() for name in TEXTS}
        self.values["kind"] = self.values["kind"] or "hand"
        self.rows = {name: [str(text).strip() for text in values.get(name, [])] for name in REPEATED}
        for name, length in REPEATED.items():
            self.rows[name] = (self.rows[name] + [""] * length)[:length]

    @classmethod
    def posted(cls, data: QueryDict) -> SheetForm:
        return cls({name: data.get(name, "") for name in TEXTS} | {name: data.getlist(name) for name in REPEATED})

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> SheetForm:
        """The form that would have made these facts."""
        values: dict[str, Any] = {name: facts[name] for name in TEXTS if facts.get(name) is not None}
        values["winning_play"] = " ".join(facts.get("winning_play") or ())
        values["led"] = [shape_code(shape) for shape in facts.get("led") or ()]
        for special in facts.get("specials") or ():
            declared = special["event"] == "red_fives_declared"
            values["red_fives_declared" if declared else "special_dig"] = special["by" if declared else "event"]
        values |= {f"dark_bids_{one['side']}": one["times"] for one in facts.get("dark_bids") or ()}
        throws = facts.get("throw_failures") or ()
        values["throw_side"] = [throw["side"] for throw in throws]
        values["throw_cards"] = [throw["cards"] for throw in throws]
        if adjustments := facts.get("adjustments"):
            values["adjustment_points"] = adjustments[0]["points"]
            values["adjustment_why"] = adjustments[0].get("why", "")
        kind = facts.get("kind", "hand")
        if facts.get("total_only") is not None:
            kind, values["attackers_total"] = "total", facts["total_only"]
        elif kind == "annulled":
            values |= {
                "annulled_reason": facts.get("reason", ""),
                "annulled_by": facts.get("by", ""),
                "annulled_points": facts.get("hand_points", ""),
                "annulled_trumps": facts.get("trump_count", ""),
                "annulled_why": facts.get("why", ""),
            }
        elif kind == "adjusted":
            values |= {
                "adjusted_side": facts.get("side", ""),
                "adjusted_levels": facts.get("levels", ""),
                "adjusted_why": facts.get("why", ""),
                "deal_changes_hands": "yes" if facts.get("deal_changes_hands") else "no",
            }
        return cls(values | {"kind": kind})

    def turned_to(self, kind: str | None) -> SheetForm:
        """The same figures on the form of another kind of entry."""
        if kind in KINDS:
            self.values["kind"] = kind
        return self

    @property
    def is_hand(self) -> bool:
        return self.values["kind"] == "hand"

    @property
    def is_total(self) -> bool:
        return self.values["kind"] == "total"

    @property
    def is_annulled(self) -> bool:
        return self.values["kind"] == "annulled"

    @property
    def is_adjusted(self) -> bool:
        return self.values["kind"] == "adjusted"

    @property
    def shown_throws(self) -> list[tuple[str, str]]:
        """The first row and every filled one stand open on the sheet; the others are folded away."""
        return [row for place, row in enumerate(self.throws) if place == 0 or any(row)]

    @property
    def extra_throws(self) -> list[tuple[str, str]]:
        return [row for place, row in enumerate(self.throws) if place and not any(row)]

    @property
    def more_led(self) -> list[str]:
        return self.rows["led"][1:]

    @property
    def throws(self) -> list[tuple[str, str]]:
        return list(zip(self.rows["throw_side"], self.rows["throw_cards"], strict=True))

    @property
    def dark_bids(self) -> list[tuple[str, str]]:
        """Face-down bids out of order: role of the side, how many."""
        return [(role, self.values[f"dark_bids_{role}"]) for role in ROLES]

    @property
    def more_open(self) -> bool:
        """Whether the seldom used part has something in it."""
        texts = (self.values[name] for name in ("winning_play", "adjustment_points", "adjustment_why"))
        return any(texts) or any(self.rows["led"][1:])

    def facts(self) -> dict[str, Any]:
        """The entry as the protocol writes it, fields left empty left out."""
        makers = {"hand": self._hand, "total": self._total, "annulled": self._annulled, "adjusted": self._adjusted}
        maker = makers.get(self.values["kind"])
        if maker is None:
            return {"kind": self.values["kind"]}
        return _stated(maker())

    def adjusted_facts(self) -> dict[str, Any]:
        """The result an official sets in place of the sheet, for the same deal."""
        return _stated(self._adjusted())

    def _as_dealt(self) -> dict[str, Any]:
        return {name: self.values[name] for name in ("dealer", "declared_by", "level", "trump")}

    def _hand(self) -> dict[str, Any]:
        facts = {"kind": "hand"} | self._as_dealt()
        facts |= {
            "captured_in_tricks": number(self.values["captured_in_tricks"]),
            "last_trick_winner": self.values["last_trick_winner"],
            "kitty_points": number(self.values["kitty_points"]),
            "last_trick_points": number(self.values["last_trick_points"]),
            "led": self._led(),
            "winning_category": self.values["winning_category"],
            "specials": self._specials(),
            "dark_bids": [
                {"side": role, "times": number(self.values[f"dark_bids_{role}"])}
                for role in ROLES
                if self.values[f"dark_bids_{role}"].strip("0")
            ],
            "throw_failures": [{"side": side, "cards": number(cards)} for side, cards in self.throws if side or cards],
            "winning_play": re.split(r"[\s,]+", self.values["winning_play"]) if self.values["winning_play"] else [],
        }
        if self.values["adjustment_points"] or self.values["adjustment_why"]:
            facts["adjustments"] = [
                {"points": number(self.values["adjustment_points"]), "why": self.values["adjustment_why"]}
            ]
        return facts

    def _led(self) -> list[Any]:
        """The shapes chosen; where none was, those that the special dig was led with."""
        led = [shape_of(code) for code in self.rows["led"] if code]
        return led or [shape.to_json() for shape in SPECIAL_DIGS.get(self.values["special_dig"], ())]

    def _specials(self) -> list[dict[str, str]]:
        declared, dig = self.values["red_fives_declared"], self.values["special_dig"]
        specials = [{"event": "red_fives_declared", "by": declared}] if declared else []
        return specials + ([{"event": dig, "by": "attackers"}] if dig else [])

    def _total(self) -> dict[str, Any]:
        specials = {"specials": self._specials()}
        return {"kind": "hand", "total_only": number(self.values["attackers_total"])} | self._as_dealt() | specials

    def _annulled(self) -> dict[str, Any]:
        return {
            "kind": "annulled",
            "reason": self.values["annulled_reason"],
            "dealer": self.values["dealer"],
            "by": self.values["annulled_by"],
            "hand_points": number(self.values["annulled_points"]),
            "trump_count": number(self.values["annulled_trumps"]),
            "why": self.values["annulled_why"],
        }

    def _adjusted(self) -> dict[str, Any]:
        return {
            "kind": "adjusted",
            "dealer": self.values["dealer"],
            "side": self.values["adjusted_side"],
            "levels": number(self.values["adjusted_levels"]),
            "deal_changes_hands": self.values["deal_changes_hands"] == "yes",
            "why": self.values["adjusted_why"],
        }


def _stated(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value not in ("", [], None)}


def number(text: str) -> Any:
    """A whole number out of what was typed in plain digits; anything else stays the text that the kernel refuses."""
    text = text.replace("\u2212", "-")
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else text


def shape_code(shape: Mapping[str, Any]) -> str:
    if shape["type"] == "tractor":
        return f"tractor-{shape['width']}-{shape['length']}"
    return str(shape["type"])


def shape_of(code: str) -> dict[str, Any] | str:
    """``tractor-2-3`` is three pairs in a row; what is no shape stays the text that the kernel refuses."""
    if found := re.fullmatch(r"tractor-([0-9]{1,2})-([0-9]{1,2})", code):
        return {"type": "tractor", "width": int(found[1]), "length": int(found[2])}
    return {"type": code}


def shape_words(shape: Mapping[str, Any]) -> str:
    if shape["type"] == "510K":
        return "510K"
    if shape["type"] != "tractor":
        return str({"single": NUMBERS[1], "pair": NUMBERS[2], "triple": NUMBERS[3], "quad": NUMBERS[4]}[shape["type"]])
    names = {2: _("%(n)s-pair tractor"), 3: _("%(n)s-triple tractor"), 4: _("%(n)s-quad tractor")}
    return names[shape["width"]] % {"n": shape["length"]}


def shape_choices(profile: Profile) -> list[tuple[str, str]]:
    """Every shape that can be led in a last trick worth naming: up to six of a kind in a row."""
    kinds: list[dict[str, Any]] = [{"type": name} for name in ("single", "pair", "triple", "quad")[: profile.decks]]
    kinds += [{"type": "510K"}] if profile.shape_510k else []
    kinds += [
        {"type": "tractor", "width": width, "length": length}
        for width in range(2, min(profile.decks, 4) + 1)
        for length in range(2, 7)
    ]
    return [(shape_code(shape), shape_words(shape)) for shape in kinds]


def special_words(special: Mapping[str, str]) -> str:
    """A play that sets levels of its own, in words."""
    if special["event"] == "red_fives_declared":
        return _("declared by the %(role)s") % {"role": ROLES[special["by"]]}
    return _("dug with: %(what)s") % {"what": SPECIALS[special["event"]]}


def _who_threw(throw: Mapping[str, Any]) -> str:
    """The side, or the player at a table of single players."""
    who = throw.get("side") or throw.get("place", "")
    return str({**ROLES, **PLACES}.get(who, who))


def trump_words(trump: str) -> str:
    return str(NO_TRUMP) if trump == "NT" else str(SUITS[trump][1])


def fact_words(name: str, value: Any) -> str:
    """One field of a sheet in words of the page; an absent one is an en dash."""
    if value in (None, "", []):
        return "–"
    match name:
        case "trump":
            return trump_words(value)
        case "level":
            return level_word(value)
        case "dealer" | "by" | "declared_by" | "ally" | "place" | "last_trick_place":
            return str({**SEATS, **PLACES}.get(value, value))
        case "points" | "gains" | "bids" if isinstance(value, Mapping):
            return listed(f"{PLACES.get(place, place)} {exact(number)}" for place, number in sorted(value.items()))
        case "last_trick_winner" | "role":
            return str(ROLES.get(value, value))
        case "led":
            return " + ".join(shape_words(shape) for shape in value)
        case "winning_category":
            return {"trump": _("trumps"), "side": _("a side suit")}.get(value, value)
        case "winning_play":
            return " ".join(value)
        case "side":
            return str(SIDES.get(value, value))
        case "throw_failures":
            return listed(
                _("%(side)s, %(cards)s cards") % {"side": _who_threw(throw), "cards": throw["cards"]} for throw in value
            )
        case "specials":
            return listed(special_words(row) for row in value)
        case "dark_bids":
            return listed(f"{ROLES[row['side']]} ×{row['times']}" for row in value)
        case "adjustments":
            return listed(with_reason(signed(item["points"]), in_language(item.get("why"))) for item in value)
        case "why":
            return in_language(value)
        case "reason":
            return str(ANNULLED.get(value) or ENDS.get(value, value))
        case "levels":
            return str(value).replace("-", "\u2212")
        case "kind":
            return str(kind_words(value))
        case "deal_changes_hands":
            return _("yes") if value else _("no")
        case "treatment":
            return str(TREATED.get(value, value))
    return str(value)


def kind_words(kind: str) -> str:
    return {
        "hand": _("hand"),
        "annulled": _("void"),
        "level_penalty": _("level penalty"),
        "penalty": _("penalty of a player"),
        "adjusted": _("adjusted"),
        "end": _("end of the match"),
        "call": _("call"),
        "dispute": _("dispute"),
        "objection": _("objection"),
    }.get(kind, kind)


def field_words(name: str, profile: Profile | None = None) -> str:
    """The name of a field of a sheet in words of the page; by the rules of a game of single players in its own."""
    if profile is not None and profile.division != "sides" and name in individual.FIELDS:
        return individual.field_word(name, profile)
    return str(FIELDS.get(name.split(".")[0].split("[")[0], name))


def compared(
    old: Mapping[str, Any], new: Mapping[str, Any], profile: Profile | None = None
) -> Iterator[tuple[str, str, str, bool]]:
    """Old against new, field by field in the order of the sheet: name, old words, new words, whether it changed."""
    for name in FIELDS:
        if name == "attackers_total" or (name not in old and name not in new):
            continue
        before, after = old.get(name), new.get(name)
        if name == "kind" and before == after:
            continue
        if before in (None, "", []) and after in (None, "", []):
            continue
        yield field_words(name, profile), fact_words(name, before), fact_words(name, after), before != after

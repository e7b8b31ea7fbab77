"""The sheet of a hand as a form: what was typed, the facts it makes (a ledger entry of the protocol), and its words.

The form judges nothing: what is not a whole number goes on as text, and the kernel names every problem at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from referee.hands.shapes import code_of, shape_of
from referee.parts.numbers import whole_number
from referee.parts.words import ROLES, in_language
from scoring.hands.regional import SPECIAL_DIGS
from scoring.values import Shape
from scoring.wording import shape_name

if TYPE_CHECKING:
    from django.http import QueryDict

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
        values["led"] = [code_of(Shape.from_json(shape)) for shape in facts.get("led") or ()]
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
            "captured_in_tricks": whole_number(self.values["captured_in_tricks"]),
            "last_trick_winner": self.values["last_trick_winner"],
            "kitty_points": whole_number(self.values["kitty_points"]),
            "last_trick_points": whole_number(self.values["last_trick_points"]),
            "led": self._led(),
            "winning_category": self.values["winning_category"],
            "specials": self._specials(),
            "dark_bids": [
                {"side": role, "times": whole_number(self.values[f"dark_bids_{role}"])}
                for role in ROLES
                if self.values[f"dark_bids_{role}"].strip("0")
            ],
            "throw_failures": [
                {"side": side, "cards": whole_number(cards)} for side, cards in self.throws if side or cards
            ],
            "winning_play": re.split(r"[\s,]+", self.values["winning_play"]) if self.values["winning_play"] else [],
        }
        if self.values["adjustment_points"] or self.values["adjustment_why"]:
            facts["adjustments"] = [
                {"points": whole_number(self.values["adjustment_points"]), "why": self.values["adjustment_why"]}
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
        return (
            {"kind": "hand", "total_only": whole_number(self.values["attackers_total"])} | self._as_dealt() | specials
        )

    def _annulled(self) -> dict[str, Any]:
        return {
            "kind": "annulled",
            "reason": self.values["annulled_reason"],
            "dealer": self.values["dealer"],
            "by": self.values["annulled_by"],
            "hand_points": whole_number(self.values["annulled_points"]),
            "trump_count": whole_number(self.values["annulled_trumps"]),
            "why": self.values["annulled_why"],
        }

    def _adjusted(self) -> dict[str, Any]:
        return {
            "kind": "adjusted",
            "dealer": self.values["dealer"],
            "side": self.values["adjusted_side"],
            "levels": whole_number(self.values["adjusted_levels"]),
            "deal_changes_hands": self.values["deal_changes_hands"] == "yes",
            "why": self.values["adjusted_why"],
        }


def _stated(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value not in ("", [], None)}


def shape_choices(profile: Profile) -> list[tuple[str, str]]:
    """Every shape that can be led in a last trick worth naming: up to six of a kind in a row."""
    shapes = [Shape(width) for width in range(1, min(profile.decks, 4) + 1)]
    shapes += [Shape(1, 3)] if profile.shape_510k else []
    shapes += [Shape(width, length) for width in range(2, min(profile.decks, 4) + 1) for length in range(2, 7)]
    return [(code_of(shape), in_language(shape_name(shape))) for shape in shapes]

"""One hand as a form: texts by name of an input, the facts they make, and the form that says the same as facts.

Every form is made of the fields of `scoring.hands.fields`; how a field is typed follows from its kind. A form differs
from another in how it calls a few inputs, in how many rows it has, and in whether it asks step by step. Nothing is
judged here: what is no number stays text, and the rules name every problem at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from referee.hands.shapes import code_of, shape_of, short_codes
from referee.hands.words import DESK, field_word
from referee.parts.numbers import whole_number
from scoring.hands.fields import ADJUSTED, ANNULLED, FIELDS, HAND, SIDES, TOTAL, Asked, Field, Kind
from scoring.hands.regional import SPECIAL_DIGS
from scoring.individual.entries import places
from scoring.values import FLAG, LEVELS, Level, Role, Seat, Shape, Trump

if TYPE_CHECKING:
    from django.http import QueryDict

    from scoring.profiles import Profile

LED: Final = 3
LONGEST: Final = 200
RED_FIVES: Final = "red_fives_declared"
MORE: Final = "more"


#: What a labelled input of a kind offers to choose from; the others take a number.
OFFERED: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.ROLE: tuple(role.value for role in Role),
    Kind.SEAT: tuple(seat.value for seat in Seat),
    Kind.CATEGORY: ("trump", "side"),
}


@dataclass(frozen=True, slots=True)
class PlainRow:
    """A field that no template lays out: its input and label, what was typed, what may be chosen, what is wrong."""

    name: str
    word: str
    text: str
    choices: list[tuple[str, str]]
    sentences: Sequence[str] = ()


class HandForm:
    """A hand as typed: `values` are texts by input, shown again as they are whatever becomes of them.

    What is asked several times has numbered inputs (``led_1``).
    """

    kinds: ClassVar[tuple[str, ...]] = (HAND, TOTAL, ANNULLED, ADJUSTED)
    #: What an input is called where it is not called like its field.
    inputs: ClassVar[Mapping[str, str]] = {"reason": "annulled_reason", "adjustments": "adjustment"}
    #: Inputs beside the fields of the hand.
    beside: ClassVar[tuple[str, ...]] = ()
    throw_rows: ClassVar[int] = 3
    #: Whether a short lead is one key (a longer one stands in rows) and the cards of a throw are chosen from a list,
    #: where the first is chosen before anybody threw.
    by_keys: ClassVar[bool] = True
    #: Whether it has what only officials write down.
    official: ClassVar[bool] = True
    #: Whether it asks step by step, so that what is not asked is left out whatever was typed.
    follows: ClassVar[bool] = False

    def __init__(self, values: Mapping[str, Any], profile: Profile | None = None) -> None:
        self.profile = profile
        self.values = {name: str(values.get(name, "")).strip()[: self.longest(name)] for name in self.names()}
        self.values["kind"] = self.values["kind"] or HAND
        self.level = ""

    @classmethod
    def posted(cls, data: QueryDict | Mapping[str, Any], profile: Profile | None = None) -> Self:
        """The form as it was sent."""
        return cls({name: data.get(name, "") for name in data}, profile)

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any], profile: Profile | None = None) -> Self:
        """The form that says the same as an entry of the ledger."""
        form = cls({}, profile)
        kind = TOTAL if facts.get("total_only") is not None else facts.get("kind", HAND)
        for field in form.fields(kind):
            value = facts.get(field.name)
            if value is not None and field.kind is not Kind.ENTRY:
                written = form.written(field, kind, value)
                form.values |= {name: str(text) for name, text in written.items() if name in form.values}
        form.values["kind"] = kind
        return form

    # What is on it

    def longest(self, name: str) -> int:
        return LONGEST

    @property
    def division(self) -> str:
        return SIDES if self.profile is None else self.profile.division

    @property
    def thrower(self) -> str:
        return "side" if self.division == SIDES else "place"

    def fields(self, kind: str) -> list[Field]:
        """The fields of an entry of that kind on this form."""
        return [
            one
            for one in FIELDS
            if kind in one.entries
            and self.division in one.games
            and not (self.follows and self.division in one.silent)
            and one.asked is not Asked.PROGRAM
            and (self.official or one.asked is not Asked.OFFICIAL)
        ]

    def names(self) -> list[str]:
        """Every input."""
        found = [name for kind in self.kinds for one in self.fields(kind) for name in self.inputs_of(one, kind)]
        return list(dict.fromkeys(["kind", *found, *self.beside]))

    def input_of(self, field: Field, kind: str) -> str:
        return self.inputs.get(field.name, field.name).format(kind=kind)

    def inputs_of(self, field: Field, kind: str) -> list[str]:
        """The inputs of a field."""
        name = self.input_of(field, kind)
        match field.kind:
            case Kind.SHAPES:
                return [*([name] if self.by_keys else []), *self._rows(name, LED)]
            case Kind.THROWS:
                return [one for part in (self.thrower, "cards") for one in self._rows(f"throw_{part}", self.throw_rows)]
            case Kind.BY_PLACE:
                return [] if self.profile is None else [f"{name}_{place}" for place in places(self.profile)]
            case Kind.SPECIALS:
                return [RED_FIVES, "special_dig"]
            case Kind.DARK_BIDS:
                return [f"{name}_{role}" for role in Role]
            case Kind.ADJUSTMENTS:
                return [f"{name}_points", f"{name}_why"]
        return [name]

    @staticmethod
    def _rows(name: str, most: int) -> list[str]:
        return [f"{name}_{row}" for row in range(1, most + 1)]

    # What was typed

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    @property
    def kind(self) -> str:
        return self.get("kind")

    def turned_to(self, kind: str | None) -> Self:
        """The same figures on the form of another kind of entry."""
        if kind in self.kinds:
            self.values["kind"] = str(kind)
        return self

    @property
    def is_asked(self) -> bool:
        """Whether anything was typed at all."""
        return any(text for name, text in self.values.items() if name != "kind")

    @property
    def led_rows(self) -> list[tuple[int, str]]:
        """The shapes led: number of the row, code of the shape."""
        return [(row, self.get(f"led_{row}")) for row in range(1, LED + 1)]

    @property
    def thrown(self) -> list[tuple[int, str, str]]:
        """Rows of failed throws: number, who threw, cards."""
        rows = range(1, self.throw_rows + 1)
        return [(row, self.get(f"throw_{self.thrower}_{row}"), self.get(f"throw_cards_{row}")) for row in rows]

    @property
    def throw_count(self) -> int:
        return sum(1 for _row, who, _cards in self.thrown if who)

    @property
    def dark_bids(self) -> list[tuple[str, str]]:
        """Face-down bids out of order: role of the side, how many."""
        return [(role.value, self.get(f"dark_bids_{role}")) for role in Role]

    @property
    def dark_bid_count(self) -> int:
        return sum(int(times) for _role, times in self.dark_bids if times.isdecimal())

    def by_place(self, name: str) -> list[tuple[str, str]]:
        """Place and text of a field that every player has."""
        return [(str(place), self.get(f"{name}_{place}")) for place in places(self.profile)] if self.profile else []

    def plain_rows(self, errors: Mapping[str, Sequence[str]] | None = None) -> list[PlainRow]:
        """The fields asked by a labelled input each; `errors` are sentences by input."""
        if self.profile is None or self.kind not in self.kinds:
            return []
        asked = [one for one in self.fields(self.kind) if one.plain and one.here(self.profile)]
        return [
            PlainRow(
                name := self.input_of(one, self.kind),
                field_word(one.name, self.profile),
                self.get(name),
                [(code, DESK.says(one.name, code)) for code in OFFERED.get(one.kind, ())],
                (errors or {}).get(name, ()),
            )
            for one in asked
        ]

    @property
    def special_dig(self) -> str:
        return self.get("special_dig")

    # Typed to facts

    def facts(self) -> dict[str, Any]:
        """The entry as the protocol writes it; what was left empty is left out."""
        kind = self.kind
        if kind not in self.kinds:
            return {"kind": kind}
        facts: dict[str, Any] = {"kind": HAND if kind == TOTAL else kind}
        for field in self.fields(kind):
            if field.kind is not Kind.ENTRY and self.asks(field):
                value = self.read(field, kind)
                if value not in ("", [], {}) or (value == {} and field.missing):
                    facts[field.name] = value
        return facts

    @property
    def played(self) -> str:
        """The level at which the hand counts."""
        return self.level or self.get("level")

    @property
    def dug(self) -> bool:
        """Whether the kitty counts for the attackers, or the last trick whoever won it."""
        assert self.profile is not None
        everybody = self.division == "everyone" or self.profile.last_trick != "kitty"
        return everybody or self.get("last_trick_winner") == Role.ATTACKERS

    def asks(self, field: Field) -> bool:
        """Whether the form asks for a field after what was answered before."""
        if not self.follows or self.profile is None:
            return True
        match field.asked:
            case Asked.LAST_TRICK:
                return self.played != FLAG.rank and field.here(self.profile)
            case Asked.DIG:
                return self.played != FLAG.rank and self.dug and field.here(self.profile)
            case Asked.REBELLION:
                return self.get("annulled_reason") == "rebellion"
        return True

    def read(self, field: Field, kind: str) -> Any:
        """What was typed for a field, as the facts have it."""
        name = self.input_of(field, kind)
        match field.kind:
            case Kind.NUMBER:
                return whole_number(self.get(name))
            case Kind.BY_PLACE:
                return {place: whole_number(text) for place, text in self.by_place(name) if text}
            case Kind.SHAPES:
                return self._led()
            case Kind.THROWS:
                rows = [(who, cards) for _row, who, cards in self.thrown if who or (cards and not self.by_keys)]
                return [{self.thrower: who, "cards": whole_number(cards)} for who, cards in rows]
            case Kind.SPECIALS:
                return self._specials()
            case Kind.DARK_BIDS:
                return [{"side": role, "times": whole_number(n)} for role, n in self.dark_bids if n.strip("0")]
            case Kind.CARDS:
                return self._cards(name)
            case Kind.ADJUSTMENTS:
                points, why = (self.get(f"{name}_{part}") for part in ("points", "why"))
                ruled = {"points": whole_number(points), "why": why}
                return [{part: one for part, one in ruled.items() if one != ""}] if points or why else []
            case Kind.FLAG:
                return self.get(name) == "yes"
        return self.get(name)

    def _led(self) -> list[dict[str, Any]]:
        """The shapes chosen; where none was, those that a special dig was led with."""
        codes = [code for _row, code in self.led_rows]
        if self.by_keys and self.get("led") != MORE:
            codes = [self.get("led")]
        led = [shape_of(code) for code in codes if code and code not in SPECIAL_DIGS]
        return led or [shape.to_json() for shape in SPECIAL_DIGS.get(self.special_dig, ())]

    def _specials(self) -> list[dict[str, str]]:
        declared, dug = self.get(RED_FIVES), self.special_dig
        specials = [{"event": RED_FIVES, "by": declared}] if declared else []
        return specials + ([{"event": dug, "by": Role.ATTACKERS.value}] if dug else [])

    def _cards(self, name: str) -> list[str]:
        return [card for card in re.split(r"[\s,]+", self.get(name)) if card]

    # Facts to typed

    def written(self, field: Field, kind: str, value: Any) -> dict[str, Any]:
        """The inputs that would have made a fact."""
        name = self.input_of(field, kind)
        match field.kind:
            case Kind.BY_PLACE:
                return {f"{name}_{place}": number for place, number in value.items()}
            case Kind.SHAPES:
                return self._led_written([code_of(Shape.from_json(shape)) for shape in value])
            case Kind.THROWS:
                return {
                    f"throw_{part}_{row}": one[part]
                    for row, one in enumerate(value, 1)
                    for part in (self.thrower, "cards")
                }
            case Kind.SPECIALS:
                return {
                    RED_FIVES if one["event"] == RED_FIVES else "special_dig": one["by"]
                    if one["event"] == RED_FIVES
                    else one["event"]
                    for one in value
                }
            case Kind.DARK_BIDS:
                return {f"{name}_{one['side']}": one["times"] for one in value}
            case Kind.CARDS:
                return {name: " ".join(value)}
            case Kind.ADJUSTMENTS:
                return {f"{name}_{part}": value[0].get(part, "") for part in ("points", "why")} if value else {}
            case Kind.FLAG:
                return {name: "yes" if value else "no"}
        return {name: value}

    def _led_written(self, codes: list[str]) -> dict[str, str]:
        rows = dict(zip(self._rows("led", LED), codes, strict=False))
        if not self.by_keys:
            return rows
        assert self.profile is not None
        if len(codes) == 1 and codes[0] in short_codes(self.profile):
            return {"led": codes[0]}
        return {"led": MORE, **rows} if codes else {}


class PhoneForm(HandForm):
    """What a side types at the table: it is asked step by step, and a special dig is one of the leads."""

    kinds = (HAND, ANNULLED)
    inputs: ClassVar[Mapping[str, str]] = {
        "reason": "annulled_reason",
        "by": "rebel",
        "hand_points": "rebel_points",
        "winning_play": "hook_card",
    }
    beside = ("why",)
    official = False
    follows = True

    @property
    def special_dig(self) -> str:
        dug = self.get("last_trick_winner") == Role.ATTACKERS
        return self.get("led") if dug and self.get("led") in SPECIAL_DIGS else ""

    def read(self, field: Field, kind: str) -> Any:
        if field.kind is Kind.TRUMP and without_trump_suit(self.played):
            return Trump.NT.value
        if field.kind is Kind.SHAPES and self.get("led") in SPECIAL_DIGS:
            return [shape.to_json() for shape in SPECIAL_DIGS[self.get("led")]]
        return super().read(field, kind)

    def _cards(self, name: str) -> list[str]:
        """The cards of the level in the suit chosen, as many as beat the lead: as its shape is wide."""
        chosen = self.get(name)
        if not chosen:
            return []
        suit, led = self.get("trump") if chosen == "trump" else chosen, self._led()
        width = {"pair": 2, "triple": 3, "quad": 4}
        copies = width.get(str(led[0].get("type")), 1) if len(led) == 1 else 1
        return [f"{suit}{self.played}"] * copies

    def written(self, field: Field, kind: str, value: Any) -> dict[str, Any]:
        assert self.profile is not None
        if field.kind is Kind.CARDS and value:
            return {"hook_card": "trump" if self.profile.hook_card == "main" else str(value[0])[0]}
        found = super().written(field, kind, value)
        if "special_dig" in found:
            found["led"] = found.pop("special_dig")
        return found


def without_trump_suit(level: str) -> bool:
    """Whether a level (as text, "" where it is not known) is played without a trump suit."""
    return level in LEVELS and Level(level).has_no_trump_suit


class PlayersForm(HandForm):
    """A hand of single players, at the table or at the desk: who plays with whom follows from the profile."""

    throw_rows = 2
    follows = True

    def asks(self, field: Field) -> bool:
        # who was to deal a hand that does not count is not asked
        return super().asks(field) and not (self.kind == ANNULLED and field.name == "dealer")

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any], profile: Profile | None = None) -> Self:
        lowest = {"bid": min(facts["bids"].values())} if facts.get("bids") else {}
        return super().of_facts({**lowest, **facts}, profile)

    @property
    def point_rows(self) -> list[tuple[str, str]]:
        return self.by_place("points")

    @property
    def gain_rows(self) -> list[tuple[str, str]]:
        return self.by_place("gains")


class SheetForm(HandForm):
    """The sheet of a hand at the desk, written or corrected by an official; everything written goes to the rules."""

    inputs: ClassVar[Mapping[str, str]] = {
        "reason": "annulled_reason",
        "by": "annulled_by",
        "hand_points": "annulled_points",
        "trump_count": "annulled_trumps",
        "why": "{kind}_why",
        "side": "adjusted_side",
        "levels": "adjusted_levels",
        "total_only": "attackers_total",
        "adjustments": "adjustment",
    }
    by_keys = False

    @property
    def shown_throws(self) -> list[tuple[int, str, str]]:
        """The first row and every filled one stand open on the sheet; the others are folded away."""
        return [one for one in self.thrown if one[0] == 1 or any(one[1:])]

    @property
    def extra_throws(self) -> list[tuple[int, str, str]]:
        return [one for one in self.thrown if one not in self.shown_throws]

    @property
    def more_open(self) -> bool:
        """Whether the seldom used part has something in it."""
        return any(map(self.get, ("led_2", "led_3", "winning_play", "adjustment_points", "adjustment_why")))

    def adjusted_facts(self) -> dict[str, Any]:
        """The result an official sets in place of the sheet, for the same deal."""
        return SheetForm(self.values | {"kind": ADJUSTED}).facts()

"""One hand of an individual game explained: what was typed, its reading by the kernel, and the query that repeats it.

Query names are the field names of the protocol's hand; what belongs to a player is repeated in the order of the places.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from referee.hands.shapes import code_of, shape_of
from referee.parts.numbers import whole_number
from referee.public.explaining import RULED, SHAPES, THROWS, written
from scoring.hands.findings import Finding, Refused
from scoring.individual.entries import IndividualHand, places, plays_levels
from scoring.individual.fold import UNTIMED, check_next, start, step
from scoring.individual.sheets import read_entry
from scoring.individual.states import IndividualOpening
from scoring.profiles.level_table import GRAIN
from scoring.values import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from scoring.individual.states import IndividualEntryResult
    from scoring.profiles import Profile, Reason

_TEXTS: Final = (
    "dealer",
    "ally",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "last_trick_place",
    "kitty_points",
    "winning_category",
    "ruled",
    "total_only",
)
_BY_PLACE: Final = ("levels", "bids", "points")
_REPEATED: Final = {"led": SHAPES, "throw_place": THROWS, "throw_cards": THROWS}
_LONGEST: Final = 40


@dataclass(frozen=True, slots=True)
class TypedSingle:
    """The form as it was asked: every value as text. `rows` are repeated fields, filled up to their length."""

    values: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: QueryDict, profile: Profile) -> TypedSingle:
        values = {name: asked.get(name, "").strip()[:_LONGEST] for name in _TEXTS}
        lengths = _REPEATED | dict.fromkeys(_BY_PLACE, profile.players)
        rows = {
            name: [text.strip()[:_LONGEST] for text in asked.getlist(name)][:most] for name, most in lengths.items()
        }
        return cls(values, {name: (rows[name] + [""] * most)[:most] for name, most in lengths.items()})

    @property
    def is_asked(self) -> bool:
        return any(self.values.values()) or any(any(row) for row in self.rows.values())

    @property
    def throws(self) -> list[tuple[str, str]]:
        return list(zip(self.rows["throw_place"], self.rows["throw_cards"], strict=True))

    def by_place(self, profile: Profile) -> list[dict[str, str]]:
        """A row of the form for each player: the place, and what was typed for it."""
        return [
            {"place": place.value, **{name: self.rows[name][number] for name in _BY_PLACE}}
            for number, place in enumerate(places(profile))
        ]

    def opening(self, profile: Profile) -> dict[str, Any]:
        if not plays_levels(profile):
            return {}
        first = str(profile.ladder.first)
        return {"levels": {row["place"]: row["levels"] or first for row in self.by_place(profile)}}

    def facts(self, profile: Profile) -> dict[str, Any]:
        """The hand as the protocol writes it, what was left empty left out."""
        names = ("dealer", "ally", "trump", "last_trick_winner", "last_trick_place", "winning_category")
        facts: dict[str, Any] = {name: self.values[name] for name in names}
        for name in ("captured_in_tricks", "kitty_points", "total_only"):
            facts[name] = whole_number(self.values[name])
        for name in ("bids", "points"):
            facts[name] = {row["place"]: whole_number(row[name]) for row in self.by_place(profile) if row[name]}
        facts["led"] = [shape_of(code) for code in self.rows["led"] if code]
        throws = [(place, cards) for place, cards in self.throws if place or cards]
        facts["throw_failures"] = [{"place": place, "cards": whole_number(cards)} for place, cards in throws]
        if self.values["ruled"]:
            facts["adjustments"] = [{"points": whole_number(self.values["ruled"]), "why": RULED}]
        return {"kind": "hand"} | {name: value for name, value in facts.items() if value not in ("", [], {})}


def query_of(profile: Profile, opening: Mapping[str, Any], ledger: Sequence[Mapping[str, Any]]) -> str:
    """The query of a hand already known, the last of the ledger."""
    hand = ledger[-1]
    table = [place.value for place in places(profile)]
    pairs: list[tuple[str, str]] = [("set", written(profile.changed))] if profile.changed else []
    pairs += [("levels", str(opening["levels"][place])) for place in table if opening.get("levels")]
    pairs += [(name, str(hand[name])) for name in _TEXTS if hand.get(name) is not None]
    for name in ("bids", "points"):
        pairs += [(name, str(hand[name].get(place, ""))) for place in table if name in hand]
    pairs += [("led", code_of(Shape.from_json(shape))) for shape in hand.get("led", ())]
    for throw in hand.get("throw_failures", ()):
        pairs += [("throw_place", throw["place"]), ("throw_cards", str(throw["cards"]))]
    pairs += [("ruled", str(one["points"])) for one in hand.get("adjustments", ())]
    return urlencode(pairs)


@dataclass(frozen=True, slots=True)
class ExplainedSingle:
    """A hand as the fold has it."""

    result: IndividualEntryResult
    because: tuple[Reason, ...]

    @property
    def ruler_total(self) -> int | None:
        """The total where it stands on the ruler, whose bands step by fives."""
        total = self.result.total
        return None if total is None else total.for_levels // GRAIN * GRAIN


def explain(profile: Profile, typed: TypedSingle) -> tuple[ExplainedSingle | None, tuple[Finding, ...]]:
    """The hand explained, or every finding that stands in the way; notices come along with an explanation."""
    found: list[Finding] = []
    opening, hand = None, None
    try:
        opening = IndividualOpening.from_json(typed.opening(profile), profile)
    except Refused as refused:
        found += (replace(one, field="levels") for one in refused.findings)
    try:
        hand = read_entry(profile, typed.facts(profile))
    except Refused as refused:
        found += refused.findings
    if opening is None or not isinstance(hand, IndividualHand) or found:
        return None, tuple(found)
    before = start(profile, opening)
    found += check_next(profile, before, hand)
    if any(one.blocking for one in found):
        return None, tuple(one for one in found if one.blocking)
    _, result = step(profile, UNTIMED, before, hand, reasons=True)
    because = tuple({reason.clause.id: reason for reason in result.because}.values())
    return ExplainedSingle(result, because), tuple(found)

"""One hand explained: a form that a link fills in, its reading by the kernel, and the fold's own words.

Query names are the field names of the protocol's hand sheet, so that a finding's field is the field of the form.
Nothing is judged here, and nothing is kept.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from referee.hands.shapes import code_of, shape_of
from referee.parts.numbers import whole_number
from scoring.hands.entries import HandSheet
from scoring.hands.findings import Finding, Refused
from scoring.hands.sheets import read_entry
from scoring.profiles import load, profile_ids
from scoring.profiles.level_table import GRAIN
from scoring.sittings.checks import check_next
from scoring.sittings.fold import fold, step
from scoring.sittings.states import UNTIMED, EntryResult, Opening
from scoring.values import Role, Seat, Shape, Side
from scoring.wording import shape_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.http import QueryDict

    from scoring.hands.entries import Entry
    from scoring.profiles import Profile, Reason
    from scoring.sittings.states import SittingState
    from scoring.values import Text

SHAPES: Final = 3
THROWS: Final = 2
LONGEST_BEFORE: Final = 4000
TEXTS: Final = (
    "dealer",
    "NS",
    "EW",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "kitty_points",
    "last_trick_points",
    "winning_play",
    "winning_category",
    "ruled",
    "total_only",
    "declared_by",
    "red_fives_declared",
    "special_dig",
    "dark_bids_dealer",
    "dark_bids_attackers",
    "hand_dealer",
    "before",
)
REPEATED: Final = {"led": SHAPES, "throw_side": THROWS, "throw_cards": THROWS}
RULED: Final = {"en": "ruling", "zh": "判罚"}
_LONGEST_TRACTOR: Final = 6


@dataclass(frozen=True, slots=True)
class Typed:
    """The form as it was asked: every value as text, so that a refused hand keeps what was written."""

    values: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: QueryDict) -> Typed:
        values = {name: asked.get(name, "").strip()[:LONGEST_BEFORE] for name in TEXTS}
        rows = {name: [text.strip()[:40] for text in asked.getlist(name)][:most] for name, most in REPEATED.items()}
        return cls(values, {name: (rows[name] + [""] * most)[:most] for name, most in REPEATED.items()})

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    @property
    def is_asked(self) -> bool:
        return any(self.values.values()) or any(any(row) for row in self.rows.values())

    @property
    def throws(self) -> list[tuple[str, str]]:
        return list(zip(self.rows["throw_side"], self.rows["throw_cards"], strict=True))

    def opening(self, profile: Profile) -> dict[str, Any]:
        first = str(profile.ladder.first)
        levels = {side.value: self.get(side.value) or first for side in Side}
        return {"levels": levels, "first_dealer": self.get("dealer") or Seat.N.value}

    def facts(self) -> dict[str, Any]:
        """The hand as the protocol writes it, what was left empty left out."""
        facts: dict[str, Any] = {"kind": "hand"}
        for name in ("trump", "last_trick_winner", "winning_category", "declared_by"):
            facts[name] = self.get(name)
        facts["dealer"] = self.get("hand_dealer")
        for name in ("captured_in_tricks", "kitty_points", "last_trick_points", "total_only"):
            facts[name] = whole_number(self.get(name))
        facts["led"] = [shape_of(code) for code in self.rows["led"] if code]
        facts["specials"] = self._specials()
        bids = [(role.value, self.get(f"dark_bids_{role}")) for role in Role]
        facts["dark_bids"] = [{"side": side, "times": whole_number(times)} for side, times in bids if times.strip("0")]
        facts["throw_failures"] = [
            {"side": side, "cards": whole_number(cards)} for side, cards in self.throws if side or cards
        ]
        facts["winning_play"] = [card for card in re.split(r"[\s,]+", self.get("winning_play").upper()) if card]
        if self.get("ruled"):
            facts["adjustments"] = [{"points": whole_number(self.get("ruled")), "why": RULED}]
        return {name: value for name, value in facts.items() if value not in ("", [])}

    def _specials(self) -> list[dict[str, str]]:
        declared, dug = self.get("red_fives_declared"), self.get("special_dig")
        specials = [{"event": "red_fives_declared", "by": declared}] if declared else []
        return specials + ([{"event": dug, "by": Role.ATTACKERS.value}] if dug else [])


def shape_choices(profile: Profile) -> list[tuple[str, Text]]:
    """Every shape worth naming that can be led to the last trick, by its code."""
    shapes = [Shape(width) for width in range(1, profile.decks + 1)]
    if profile.shape_510k:
        shapes.append(Shape(1, 3))
    if profile.tractors:
        shapes += [
            Shape(width, length)
            for width in range(2, profile.decks + 1)
            for length in range(2, _LONGEST_TRACTOR + 1)
            if width * length <= profile.hand_cards
        ]
    return [(code_of(shape), shape_name(shape)) for shape in shapes]


def query_of(profile: Profile, opening: Mapping[str, Any], ledger: Sequence[Mapping[str, Any]]) -> str:
    """The query of a hand already known: `ledger` ends with it, and begins with the hands before it."""
    hand = ledger[-1]
    pairs: list[tuple[str, str]] = [("set", written(profile.changed))] if profile.changed else []
    pairs += [("dealer", str(opening["first_dealer"]))]
    pairs += [(side, str(level)) for side, level in opening["levels"].items()]
    for name in TEXTS:
        value = hand.get(name)
        if name not in ("dealer", "winning_play") and value is not None:
            pairs.append((name, str(value)))
    for shape in hand.get("led", ()):
        pairs.append(("led", code_of(Shape.from_json(shape))))
    for throw in hand.get("throw_failures", ()):
        pairs += [("throw_side", throw["side"]), ("throw_cards", str(throw["cards"]))]
    if hand.get("winning_play"):
        pairs.append(("winning_play", " ".join(hand["winning_play"])))
    for one in hand.get("adjustments", ()):
        pairs.append(("ruled", str(one["points"])))
    for special in hand.get("specials", ()):
        declared = special["event"] == "red_fives_declared"
        pairs.append(("red_fives_declared", special["by"]) if declared else ("special_dig", special["event"]))
    for bids in hand.get("dark_bids", ()):
        pairs.append((f"dark_bids_{bids['side']}", str(bids["times"])))
    if hand.get("dealer"):
        pairs.append(("hand_dealer", hand["dealer"]))
    if len(ledger) > 1:
        pairs.append(("before", written(list(ledger[:-1]))))
    return urlencode(pairs)


def written(value: Any) -> str:
    """JSON as an address carries it."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Explained:
    """A hand as the fold has it, with the hands before it."""

    result: EntryResult
    state: SittingState
    before: tuple[EntryResult, ...]
    because: tuple[Reason, ...]

    @property
    def total(self) -> int | None:
        return None if self.result.total is None else self.result.total.for_levels

    @property
    def ruler_total(self) -> int | None:
        """The total where it stands on the ruler, whose bands step by fives."""
        return None if self.total is None else self.total // GRAIN * GRAIN


def explain(profile: Profile, typed: Typed) -> tuple[Explained | None, tuple[Finding, ...]]:
    """The hand explained, or every finding that stands in the way; notices come along with an explanation."""
    found: list[Finding] = []
    opening, before = None, []
    try:
        opening = Opening.from_json(typed.opening(profile), profile)
    except Refused as refused:
        found += (replace(one, field=one.field.rpartition(".")[2]) for one in refused.findings)
    try:
        before = _before(profile, typed.get("before"))
    except Refused as refused:
        found += (replace(one, field="before") for one in refused.findings)
    try:
        sheet = read_entry(profile, typed.facts())
    except Refused as refused:
        return None, (*found, *refused.findings)
    if opening is None or found:
        return None, tuple(found)
    return _fold(profile, opening, before, sheet)


def _before(profile: Profile, written: str) -> list[Entry]:
    if not written:
        return []
    try:
        rows = json.loads(written)
    except (ValueError, RecursionError):
        rows = None
    return [read_entry(profile, row) for row in (rows if isinstance(rows, list) else [rows])]


def _fold(
    profile: Profile, opening: Opening, before: Iterable[Entry], sheet: Entry
) -> tuple[Explained | None, tuple[Finding, ...]]:
    try:
        earlier = fold(profile, opening, before, reasons=True)
        assert isinstance(sheet, HandSheet)
        found = check_next(profile, earlier, sheet)
        if any(one.blocking for one in found):
            return None, tuple(one for one in found if one.blocking)
        after, result = step(profile, UNTIMED, earlier, sheet, reasons=True)
    except Refused as refused:
        return None, tuple(refused.findings)
    because = tuple({reason.clause.id: reason for reason in result.because}.values())
    return Explained(result, after, earlier.entries, because), found


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The same hand by other rules: its sentence, or why those rules cannot judge it."""

    profile: Profile
    explained: Explained | None
    findings: tuple[Finding, ...]
    same: bool


def elsewhere(profile: Profile, typed: Typed, here: Explained) -> list[Elsewhere]:
    """The hand under every other profile of two-team games with as many decks."""
    others = [load(name) for name in profile_ids() if name != profile.id]
    return [_by_other_rules(other, typed, here) for other in others if other.decks == profile.decks]


def _by_other_rules(other: Profile, typed: Typed, here: Explained) -> Elsewhere:
    explained, found = explain(other, typed)
    if explained is None:
        return Elsewhere(other, None, found, same=False)
    same = explained.result.after == here.result.after and explained.result.levels_won == here.result.levels_won
    return Elsewhere(other, explained, (), same)

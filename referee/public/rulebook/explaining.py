"""One hand explained: a form that a link fills in, its reading by the kernel, and the fold's own words.

Query names are the field names of the protocol's hand sheet, so that a finding's field is the field of the form.
Nothing is judged here, and nothing is kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self
from urllib.parse import urlencode

from referee.hands.forms import HandForm
from referee.hands.shapes import shape_of
from referee.parts.numbers import whole_number
from scoring.hands.entries import HandSheet
from scoring.hands.fields import HAND, TOTAL, Field, Kind
from scoring.hands.findings import Finding, Refused
from scoring.hands.sheets import read_entry
from scoring.profiles import load, profile_ids
from scoring.profiles.level_table import GRAIN
from scoring.sittings.checks import check_next
from scoring.sittings.fold import fold, step
from scoring.sittings.states import UNTIMED, EntryResult, Opening
from scoring.values import Seat, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.http import QueryDict

    from scoring.hands.entries import Entry
    from scoring.profiles import Profile, Reason
    from scoring.sittings.states import SittingState

LONGEST_BEFORE: Final = 4000
LONGEST: Final = 40
RULED: Final = {"en": "ruling", "zh": "判罚"}
#: What links of before repeat under one name, in the order of the rows.
REPEATED: Final = ("led", "throw_side", "throw_place", "throw_cards", "points", "bids", "levels")


class ExplainForm(HandForm):
    """The hand of a link: every figure goes to the rules, and a ruling is a number without its reason."""

    kinds: ClassVar[tuple[str, ...]] = (HAND,)
    inputs: ClassVar[Mapping[str, str]] = {}
    by_keys = False
    throw_rows = 2

    @classmethod
    def of_link(cls, data: QueryDict, profile: Profile | None = None) -> Self:
        """The hand of a link; one of before repeats a name where rows have numbers now."""
        repeated = {name: data.getlist(name) for name in REPEATED if name in data}
        rows = {f"{name}_{row}": text for name, texts in repeated.items() for row, text in enumerate(texts, 1)}
        return cls({**rows, **data.dict()}, profile)

    def longest(self, name: str) -> int:
        return LONGEST

    def fields(self, kind: str) -> list[Field]:
        return [*super().fields(kind), *(one for one in super().fields(TOTAL) if one.name == "total_only")]

    def inputs_of(self, field: Field, kind: str) -> list[str]:
        return ["ruled"] if field.kind is Kind.ADJUSTMENTS else super().inputs_of(field, kind)

    def read(self, field: Field, kind: str) -> Any:
        if field.kind is not Kind.ADJUSTMENTS:
            return super().read(field, kind)
        return [{"points": whole_number(self.get("ruled")), "why": RULED}] if self.get("ruled") else []

    def _led(self) -> list[dict[str, Any]]:
        return [shape_of(code) for _row, code in self.led_rows if code]

    def written(self, field: Field, kind: str, value: Any) -> dict[str, Any]:
        if field.kind is Kind.ADJUSTMENTS:
            return {"ruled": value[-1]["points"]} if value else {}
        return super().written(field, kind, value)

    def query(self) -> list[tuple[str, str]]:
        """What is typed as a link has it."""
        return [(name, text) for name, text in self.values.items() if text and name != "kind"]


class Typed(ExplainForm):
    """The form of two sides as it was asked; `dealer` deals the first hand."""

    inputs: ClassVar[Mapping[str, str]] = {"dealer": "hand_dealer"}
    beside = ("dealer", "NS", "EW", "before")

    def longest(self, name: str) -> int:
        return LONGEST_BEFORE if name in ("before", "winning_play") else LONGEST

    def _cards(self, name: str) -> list[str]:
        return [card.upper() for card in super()._cards(name)]

    def opening(self, profile: Profile) -> dict[str, Any]:
        first = str(profile.ladder.first)
        levels = {side.value: self.get(side.value) or first for side in Side}
        return {"levels": levels, "first_dealer": self.get("dealer") or Seat.N.value}


def query_of(profile: Profile, opening: Mapping[str, Any], ledger: Sequence[Mapping[str, Any]]) -> str:
    """The query of a hand already known: `ledger` ends with it, and begins with the hands before it."""
    pairs: list[tuple[str, str]] = [("set", written(profile.changed))] if profile.changed else []
    pairs += [("dealer", str(opening["first_dealer"]))]
    pairs += [(side, str(level)) for side, level in opening["levels"].items()]
    pairs += Typed.of_facts(ledger[-1]).query()
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
    #: The points that take the deal as its dealer set them.
    line: int | None = None

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
    return Explained(result, after, earlier.entries, because, sheet.line), found


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

"""One hand of an individual game explained: what was typed, its reading by the kernel, and the query that repeats it.

Query names are the field names of the protocol's hand; what belongs to a player ends with the place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from referee.public.rulebook.explaining import ExplainForm, written
from scoring.hands.fields import ALONE, BY_NAME, Field
from scoring.hands.findings import Finding, Refused
from scoring.individual.entries import IndividualHand, places, plays_levels
from scoring.individual.fold import UNTIMED, check_next, start, step
from scoring.individual.sheets import read_entry
from scoring.individual.states import IndividualOpening
from scoring.profiles.level_table import GRAIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.individual.states import IndividualEntryResult
    from scoring.profiles import Profile, Reason


class TypedSingle(ExplainForm):
    """The form of single players as it was asked."""

    def fields(self, kind: str) -> list[Field]:
        return [*super().fields(kind), *([BY_NAME["bids"]] if self.division == ALONE else [])]

    def names(self) -> list[str]:
        return [*super().names(), *(f"levels_{place}" for place in self.places)]

    @property
    def places(self) -> list[str]:
        assert self.profile is not None
        return [place.value for place in places(self.profile)]

    def place_rows(self) -> list[dict[str, str]]:
        """A row of the form for each player: the place, and what was typed for it."""
        return [
            {"place": place, **{name: self.get(f"{name}_{place}") for name in ("levels", "bids", "points")}}
            for place in self.places
        ]

    def opening(self, profile: Profile) -> dict[str, Any]:
        if not plays_levels(profile):
            return {}
        first = str(profile.ladder.first)
        return {"levels": {row["place"]: row["levels"] or first for row in self.place_rows()}}


def query_of(profile: Profile, opening: Mapping[str, Any], ledger: Sequence[Mapping[str, Any]]) -> str:
    """The query of a hand already known, the last of the ledger."""
    pairs: list[tuple[str, str]] = [("set", written(profile.changed))] if profile.changed else []
    pairs += [(f"levels_{place}", str(level)) for place, level in opening.get("levels", {}).items()]
    return urlencode(pairs + TypedSingle.of_facts(ledger[-1], profile).query())


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
        hand = read_entry(profile, typed.facts())
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

"""Rows of a table as values: what places decide, why one comes before the next, and which ties are still open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scoring.frozen import quickly_made
from scoring.standings.chains import title_of
from scoring.standings.field import Measure
from scoring.standings.match_scores import MINUS
from scoring.standings.results import EntrantId
from scoring.standings.tiebreaks import TIEBREAKS, AmongTied, TieBreak
from scoring.values import Text, exact
from scoring.wording import both

#: A component as shown: one exact number, or one per round for `last_round_back` (the last round first).
Value = Fraction | tuple[Fraction, ...]


@quickly_made
@dataclass(frozen=True, slots=True)
class Split:
    """Why one place comes before the next: what was equal (code, measure), and the tie-break that was not.

    Measures in points are scaled by `unit`; `points_are` names them. `note` says it in other words where two numbers do
    not.
    """

    code: str
    equal: tuple[tuple[str, Measure], ...]
    upper: Measure
    lower: Measure
    rank: int
    next_rank: int
    unit: int
    note: Text | None = None
    points_are: str | None = None

    def text(self) -> Text:
        note = self.note or self._comparison()
        if self.code == "lots":
            equal_en, equal_zh = "everything", "各项全同"
        else:
            equal_en, equal_zh = _equal(self.equal, self.unit, self.points_are)
        return both(
            f"{self.rank} before {self.next_rank}: equal on {equal_en}; {note['en']}",
            f"第 {self.rank} 先于第 {self.next_rank}：{equal_zh}；{note['zh']}",
        )

    def _comparison(self) -> Text:
        title = title_of(self.code, self.points_are)
        upper, lower = _written(self.code, self.upper, self.unit), _written(self.code, self.lower, self.unit)
        return both(f"{title['en']} {upper} to {lower}", f"{title['zh']} {upper} 比 {lower}")


@dataclass(frozen=True, slots=True)
class Stakes:
    """What places decide. `lines` are numbers of places that qualify for something (None: every place matters);
    `prizes` go to the places from the first, those of tied places are shared."""

    lines: tuple[int, ...] | None = None
    prizes: tuple[Fraction, ...] = ()

    def matters(self, place: int, size: int) -> bool:
        """Whether it matters in which order the entrants stand that share `size` places from `place` on."""
        return size > 1 and (self.lines is None or any(place <= line < place + size - 1 for line in self.lines))

    def line(self, place: int, size: int) -> int | None:
        """The narrowest line that all who share these places are within."""
        return min((line for line in self.lines or () if place + size - 1 <= line), default=None)

    def prize(self, place: int, size: int) -> Fraction:
        """What each of those who share these places gets."""
        return sum(self.prizes[place - 1 : place - 1 + size], Fraction(0)) / size

    def told(self, place: int | None, size: int, undecided: Undecided | None) -> dict[str, Any]:
        """What a row says only where the question has it: that it has no place, lines, prizes, that its tie waits."""
        said: dict[str, Any] = {} if place is not None else {"excluded": True}
        if self.lines is not None:
            said["qualifies"] = None if place is None else self.line(place, size)
        if self.prizes:
            said["prize"] = exact(0 if place is None else self.prize(place, size))
        if undecided is not None:
            said["undecided"] = undecided.to_json()
        return said


NOTHING_AT_STAKE = Stakes()


@dataclass(frozen=True, slots=True)
class Undecided:
    """A tie that has to be decided and is not. `by` is the tie-break that waits: an extra match to be played, lots to
    be drawn; None when the chain has nothing more."""

    by: str | None
    rank: int
    last_rank: int

    def text(self) -> Text:
        joint = "–" if self.last_rank - self.rank > 1 else " and "
        en = f"Places {self.rank}{joint}{self.last_rank} are tied on everything so far"
        zh = f"第 {self.rank}{'–' if joint == '–' else '、'}{self.last_rank} 名至此各项全同"
        then = _TO_DECIDE[self.by]
        return both(f"{en}; {then['en']}", f"{zh}，{then['zh']}")

    def to_json(self) -> dict[str, Any]:
        return {"by": self.by, "places": [self.rank, self.last_rank], "sentence": dict(self.text())}


_TO_DECIDE: Mapping[str | None, Text] = {
    "extra_match": both("an extra match decides", "须加赛决定"),
    "lots": both("lots decide", "须抽签决定"),
    None: both("the chain has nothing more to decide with", "小分次序已用尽，仍未分出先后"),
}


@quickly_made
@dataclass(frozen=True, slots=True)
class RankedRow:
    """One place in the table; an entrant ruled out of the placing has no `rank` and comes last.

    `values` has every component of the chain; those that compare only the tied appear where they were used. `shown` are
    the same as exact texts.
    `split_by` is the tie-break that ended the last tie this entrant was in, None when it never was in one that ended.
    `size` are those who share the place, for what is at `stakes`; `undecided` says that its tie has to be decided and
    is not.
    """

    entrant: EntrantId
    rank: int | None
    shared: bool
    values: Mapping[str, Value]
    shown: Mapping[str, str]
    split_by: str | None
    split: Split | None
    stakes: Stakes = NOTHING_AT_STAKE
    size: int = 1
    undecided: Undecided | None = None

    @property
    def why(self) -> Text | None:
        """The sentence why this place comes before the next one, when they were tied on something."""
        return self.split.text() if self.split else None

    def to_json(self) -> dict[str, Any]:
        why = self.why
        return {
            "entrant": self.entrant,
            "rank": self.rank,
            "shared": self.shared,
            "values": dict(self.shown),
            "split_by": self.split_by,
            "why": dict(why) if why else None,
            **self.stakes.told(self.rank, self.size, self.undecided),
        }


def value_of(item: TieBreak | AmongTied, measure: Measure, unit: int) -> Value:
    """A measure as the exact number that a table shows: scores are no longer scaled."""
    scale = unit if item.in_points else 1
    if isinstance(measure, tuple):
        return tuple(Fraction(number, scale) for number in measure)
    return Fraction(measure, scale)


def text_of(value: Value) -> str:
    """A component as exact text, those of several rounds in a row."""
    return " ".join(exact(part) for part in value) if isinstance(value, tuple) else exact(value)


@lru_cache(maxsize=16_384)
def _written(code: str, measure: Measure, unit: int) -> str:
    """A measure as sentences write it; in a big table the same few are written again and again."""
    return text_of(value_of(TIEBREAKS[code], measure, unit)).replace("-", MINUS)


@lru_cache(maxsize=16_384)
def _equal(equal: tuple[tuple[str, Measure], ...], unit: int, points_are: str | None) -> tuple[str, str]:
    """What was equal, in English and in Chinese."""
    named = [(title_of(code, points_are), _written(code, measure, unit)) for code, measure in equal]
    en = ", ".join(f"{title['en']} ({value})" for title, value in named)
    zh = "、".join(f"{title['zh']}同（{value}）" for title, value in named)
    return en, zh

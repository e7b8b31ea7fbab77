"""The certificate of an event: a line for each thing the audit looked at, its digest, and how far it could be checked.

It says what was worked out again and came to the same bytes, what people did by hand and was judged instead, and what
nobody can work out again and is only recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from scoring.values import Text
from scoring.wording import both

from .difference_words import sentence

FORMAT = "referee/certificate/1"


@dataclass(frozen=True, slots=True)
class Difference:
    """What is recorded somewhere and what follows from the ledger instead."""

    where: str
    what: str
    recorded: Any
    recomputed: Any

    @property
    def sentence(self) -> Text:
        """Where it is, what is stored there and what the record gives instead, for people."""
        return sentence(self.where, self.what, self.recorded, self.recomputed)

    def __str__(self) -> str:
        return self.sentence["en"]

    def to_json(self) -> dict[str, Any]:
        return {
            "where": self.where,
            "what": self.what,
            "recorded": self.recorded,
            "recomputed": self.recomputed,
            "sentence": dict(self.sentence),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["where"], data["what"], data["recorded"], data["recomputed"])


class Verdict(StrEnum):
    """How far a thing could be checked."""

    REPRODUCED = "reproduced"
    JUDGED = "judged"
    RECORDED = "recorded"
    DIFFERS = "differs"

    @property
    def word(self) -> Text:
        return _WORDS[self]

    @property
    def meaning(self) -> Text:
        return _MEANINGS[self]


_WORDS: Mapping[Verdict, Text] = {
    Verdict.REPRODUCED: both("reproduced", "重算一致"),
    Verdict.JUDGED: both("judged", "已核查"),
    Verdict.RECORDED: both("recorded only", "仅有记录"),
    Verdict.DIFFERS: both("differs", "不一致"),
}
_MEANINGS: Mapping[Verdict, Text] = {
    Verdict.REPRODUCED: both(
        "worked out again from the record, and the same byte for byte", "由记录重新算出，逐字节一致"
    ),
    Verdict.JUDGED: both(
        "made by hand: it cannot be drawn again, what the checker found was worked out again",
        "人工所定，无法重抽，核查结果已重新算出",
    ),
    Verdict.RECORDED: both(
        "nobody can work it out again: its digest or its numbers agree", "无法重算，只核对了摘要码或编号"
    ),
    Verdict.DIFFERS: both("the record says something else", "与记录不符"),
}


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """One thing that was looked at: what kind, which, its digest (empty when it has none), and the verdict on it."""

    kind: str
    title: Text
    digest: str
    checked: Verdict
    note: Text | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return Verdict.DIFFERS if self.differences else self.checked

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "title": dict(self.title),
            "digest": self.digest,
            "verdict": str(self.verdict),
            "note": dict(self.note) if self.note else None,
            "differences": [one.to_json() for one in self.differences],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """A line as `to_json` wrote it."""
        found = tuple(Difference.from_json(one) for one in data["differences"])
        # what a line with differences would have come to without them is not told
        checked = Verdict(data["verdict"])
        return cls(data["kind"], data["title"], data["digest"], checked, data["note"], found)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the audit of one event document came to. `digest` is that of the record it is about."""

    event: str
    digest: str
    scope: str
    lines: tuple[CheckedLine, ...]

    @property
    def differences(self) -> list[Difference]:
        return [one for line in self.lines for one in line.differences]

    @property
    def clean(self) -> bool:
        return not self.differences

    @property
    def logged(self) -> bool:
        """Whether the database was held against its signed log too, which an export alone cannot be."""
        return any(line.kind == "log" for line in self.lines)

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many lines came to each verdict, in the order of the verdicts."""
        counted = Counter(line.verdict for line in self.lines)
        return {verdict: counted[verdict] for verdict in Verdict if counted[verdict]}

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "event": self.event,
            "record_digest": self.digest,
            "scope": self.scope,
            "clean": self.clean,
            "verdicts": {str(verdict): dict(verdict.word) for verdict in self.counts},
            "counts": {str(verdict): count for verdict, count in self.counts.items()},
            "lines": [line.to_json() for line in self.lines],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """A certificate as `to_json` wrote it."""
        lines = tuple(CheckedLine.from_json(line) for line in data["lines"])
        return cls(data["event"], data["record_digest"], data["scope"], lines)

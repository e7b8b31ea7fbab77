"""What the radar looks at, and what it answers: plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from scoring.values import Text
from scoring.wording import both


class Kind(StrEnum):
    """What a flag is about."""

    TOTAL = "total"
    CLIMB = "climb"
    DUE = "due"
    COPY = "copy"
    FAST = "fast"
    SLOW = "slow"
    CARDS = "cards"
    REVOKES = "revokes"
    FIELD = "field"
    RETURN = "return"


TITLES: Mapping[Kind, Text] = {
    Kind.TOTAL: both("A rare total", "少见的总分"),
    Kind.CLIMB: both("Many levels at once", "连续升级过多"),
    Kind.DUE: both("Not as it was due", "与应有的级或庄不符"),
    Kind.COPY: both("The same hand again", "几副记录相同"),
    Kind.FAST: both("Faster than can be played", "快得打不完"),
    Kind.SLOW: both("A very long hand", "一副打得过久"),
    Kind.CARDS: both("Sheet and cards differ", "记录与牌谱不符"),
    Kind.REVOKES: both("Repeated revokes", "多次悔牌"),
    Kind.FIELD: both("Far from the field", "与各桌相差很大"),
    Kind.RETURN: both("A return owed and not made", "应传牌而未传"),
}


class Place(NamedTuple):
    """Where something was seen: round, table, room and game of the match."""

    round: int
    table: int
    room: str = "open"
    game: int = 1

    @property
    def key(self) -> str:
        return f"r{self.round}.t{self.table}.{self.room}.g{self.game}"


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand that counts.

    `figure` is the attackers' total for levels, or the most that one player took where each plays for himself; `parts`
    what it was put together from. `gains` are levels, units or points by party. `entered` is in seconds from any
    beginning (None: an official copied a sheet, so the clock says nothing). `not_due` says what was not as due,
    `differs` in what the cards on record differ from the sheet, `owed` of a return that was owed and not made.
    """

    number: int
    figure: int | None = None
    parts: tuple[int, ...] = ()
    gains: Mapping[str, int] = field(default_factory=dict)
    entered: int | None = None
    version: int = 1
    not_due: tuple[Text, ...] = ()
    differs: tuple[Text, ...] = ()
    owed: Text | None = None


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A match at one table: its rules by id, how many cards the players of a hand hold together, what they played.

    `names` are the parties in words; `usual` is what half of the hands of the event do not pass, in seconds.
    """

    place: Place
    profile: str
    cards: int
    hands: Sequence[HandSeen]
    names: Mapping[str, Text] = field(default_factory=dict)
    usual: int | None = None


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """One board over all tables: what the attackers took at each, by place, hand and version; `points` in its cards."""

    board: int
    points: int
    results: Sequence[tuple[Place, int, int, int]]


@dataclass(frozen=True, slots=True)
class RevokesSeen:
    """The revokes that stand in the rulings against one entrant: its number, its hands so far, where they were."""

    entrant: int
    hands: int
    where: Sequence[tuple[Place, int | None]]


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something comes up under honest play: `times` in `of` hands, matches, results or entrants."""

    times: int
    of: int
    unit: str

    @property
    def text(self) -> Text:
        en, zh = _UNITS[self.unit]
        if not self.times:
            return both(f"not once in {self.of:,} honest {en}", f"{self.of:,} {zh}诚实对局中一次也没有")
        return both(
            f"in {self.times:,} of {self.of:,} honest {en}", f"{self.of:,} {zh}诚实对局中有 {self.times:,} {zh[0]}"
        )


_UNITS = {
    "hands": ("hands", "副"),
    "matches": ("matches", "场"),
    "results": ("results of boards", "个"),
    "entrants": ("entrants", "方"),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """A question for a referee. `key` names it for good: another version of a hand is another flag.

    `seen` says what was seen, `rate` how often that comes up under honest play (None: nothing is known of that), `ask`
    what to ask or look at. `hand` is the one to open.
    """

    kind: Kind
    key: str
    place: Place
    hand: int | None
    seen: Text
    ask: Text
    rate: Rate | None = None

    @property
    def title(self) -> Text:
        return TITLES[self.kind]

"""A knockout as columns of matches, one for each round: what the partial writes, without any measure of length.

In a bracket a match stands between the two that lead to it: every column has half as many cells as the one before, all
as high as each other, and what is not drawn yet is an open cell. Where every round is drawn anew the matches of a round
stand below each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Rounds side by side on one page of the projector, and matches below each other.
PAGE_COLUMNS: Final = 3
PAGE_CELLS: Final = 4


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a meeting: `entrant` None while nobody is known; `level` is where it stands or ended, as shown.

    `followed`: its way through the knockout is marked.
    """

    entrant: int | None
    number: int = 0
    name: str = ""
    level: str = ""
    won: bool = False
    followed: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of the knockout. `slot` is its place from the top, from 1 (0: none); `column` its round, from 0.

    `note` says how it ended, or how far it is; `address` is its page, `table` where it is played; `live`: it is being
    played, so that its levels move; `ended` though nobody won; `third`: for the third place.
    """

    column: int
    slot: int
    upper: Party
    lower: Party
    note: str = ""
    address: str = ""
    table: int | None = None
    live: bool = False
    ended: bool = False
    third: bool = False

    @property
    def known(self) -> bool:
        """Whether it is drawn."""
        return self.upper.entrant is not None

    @property
    def winner(self) -> Party | None:
        return next((party for party in (self.upper, self.lower) if party.won), None)

    @property
    def over(self) -> bool:
        """Whether nothing of it is waited for: it is decided, a bye, or both have forfeited."""
        return self.ended or self.winner is not None

    @property
    def followed(self) -> bool:
        return self.upper.followed or self.lower.followed

    @property
    def through(self) -> bool:
        """Whether somebody followed goes on from here."""
        return self.winner is not None and self.winner.followed


@dataclass(frozen=True, slots=True)
class Column:
    """A round: its word, and its cells from the top; None where a first round leaves a place of the bracket empty."""

    word: str
    cells: tuple[Meeting | None, ...]
    third: Meeting | None = None

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """The matches that are drawn, the one for the third place last."""
        cells = (*self.cells, self.third)
        return tuple(one for one in cells if one is not None and one.known)

    @property
    def played(self) -> tuple[Meeting, ...]:
        """Those with a result: nobody waits for that of a bye."""
        return tuple(one for one in self.meetings if one.lower.entrant is not None)

    @property
    def over(self) -> int:
        return sum(one.over for one in self.played)

    @property
    def start(self) -> int:
        """The cell where a reader who asks for this round begins, from 1: of somebody followed, else the first that is
        drawn; 0 before any is."""
        drawn = [(place, one) for place, one in enumerate(self.cells, start=1) if one is not None and one.known]
        marked = (place for place, one in drawn if one.followed)
        return next(marked, drawn[0][0] if drawn else 0)


@dataclass(frozen=True, slots=True)
class Bracket:
    """`tree`: matches stand between those that lead to them. `now` is the column in play, else the last drawn. `ends`:
    its last column is the last of the knockout, which that of a page need not be."""

    columns: tuple[Column, ...]
    tree: bool
    ends: bool = True

    @property
    def now(self) -> int:
        drawn = [place for place, one in enumerate(self.columns) if one.meetings]
        open_ = [place for place in drawn if not all(one.over for one in self.columns[place].meetings)]
        return next(iter(open_), drawn[-1] if drawn else 0)

    @property
    def final(self) -> Meeting | None:
        """The match that decides it all, once it is drawn in a bracket or was the only one of its round."""
        last = [one for one in self.columns[-1].meetings if not one.third]
        return last[0] if len(last) == 1 else None

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        return tuple(one for column in self.columns for one in column.meetings)


def arranged(meetings: Sequence[Meeting], heads: Sequence[str]) -> Bracket:
    """The meetings in columns; `heads` are the words of the columns, one for each round up to the last."""
    tree = all(one.slot for one in meetings if not one.third)
    size = _size(meetings, len(heads)) if tree else 0
    columns = []
    for place, word in enumerate(heads):
        here = [one for one in meetings if one.column == place]
        cells = [one for one in here if not one.third]
        third = next((one for one in here if one.third), None)
        columns.append(Column(word, _cells(cells, place, size >> place) if tree else tuple(cells), third))
    return Bracket(tuple(columns), tree)


def pages(bracket: Bracket) -> tuple[Bracket, ...]:
    """The bracket in pieces that can be read from across a hall, from the round in play on: of a tree some rounds of
    one part after the other, and at last its end; else the matches of the rounds as they come."""
    if not bracket.tree:
        return _in_turn(bracket)
    found: list[Bracket] = []
    last = max(len(bracket.columns) - PAGE_COLUMNS, 0)
    starts = [*range(0, last, PAGE_COLUMNS - 1), last]
    for start in starts:
        window = bracket.columns[start : start + PAGE_COLUMNS]
        if start == last or start + PAGE_COLUMNS > bracket.now:
            found += [_part(window, first, ends=start == last) for first in range(0, len(window[0].cells), PAGE_CELLS)]
    return tuple(found)


def _part(window: Sequence[Column], first: int, *, ends: bool) -> Bracket:
    """Of some rounds what comes of so many matches of their first one."""
    cut = [
        replace(column, cells=column.cells[first >> place : max((first + PAGE_CELLS) >> place, 1)])
        for place, column in enumerate(window)
    ]
    return Bracket(tuple(cut), tree=True, ends=ends)


def _in_turn(bracket: Bracket) -> tuple[Bracket, ...]:
    pieces = [
        replace(column, cells=column.cells[first : first + PAGE_CELLS], third=None if first else column.third)
        for column in bracket.columns[bracket.now :]
        for first in range(0, max(len(column.cells), 1), PAGE_CELLS)
    ]
    cut = (pieces[first : first + PAGE_COLUMNS] for first in range(0, len(pieces), PAGE_COLUMNS))
    return tuple(Bracket(tuple(columns), tree=False) for columns in cut)


def _cells(meetings: Sequence[Meeting], column: int, size: int) -> tuple[Meeting | None, ...]:
    """Every slot of a round; open where nobody is known yet."""
    known = {one.slot: one for one in meetings}
    open_ = (None if column == 0 else Meeting(column, slot, Party(None), Party(None)) for slot in range(1, size + 1))
    return tuple(known.get(slot, one) for slot, one in enumerate(open_, start=1))


def _size(meetings: Iterable[Meeting], columns: int) -> int:
    """Matches of the first round, a power of two large enough for every slot."""
    most = max((one.slot << one.column for one in meetings if not one.third), default=1)
    size = 1
    while size < most or size < 1 << (columns - 1):
        size *= 2
    return size

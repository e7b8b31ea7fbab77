"""The lines of a table of standings: its columns, each place with whom it met and why it stands there, and who beat
whom in small groups."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.parts.formats import exact
from referee.parts.names import shown_name
from referee.parts.words import in_language
from referee.public.paging import PAGE
from scoring.standings.chains import figure, title_of
from scoring.standings.results import Result
from scoring.standings.tiebreaks import TIEBREAKS, TieBreak
from tournaments.standings.shown import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from referee.public.presenters.meetings import AnyResult, Meetings, Met
    from tournaments.models import Stage, Tournament
    from tournaments.standings.shown import Rows, StandingRow

#: Columns every width shows; ties that they settle need no words.
ALWAYS: Final = 2
#: Who beat whom is drawn as a grid for groups of at most so many.
LARGEST_CROSS: Final = 10
SHORT: Final[Mapping[str, str | _StrPromise]] = {
    "opponents": gettext_lazy("Opp."),
    "sum_levels": gettext_lazy("Sum"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """A tie-break with a figure for everybody; `always` on every width."""

    code: str
    title: str
    short: str
    always: bool


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    always: bool


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """One place, of plain values alone: a line with the same values is worded once.

    `why` stands where the columns that everybody sees do not explain the order, `undecided` where a tie waits. `line`
    says in words within which line the place surely is; `last_inside`: the next place is not. `page`: the page of the
    table with this line, for a search that found it. `moved`: how many places up (down: less than 0) since an earlier
    table, None for who stood on none.
    """

    id: int
    number: int
    name: str
    group: int | None
    rank: int | None
    shared: bool
    prize: str
    cells: tuple[Cell, ...]
    met: tuple[Met, ...]
    why: str
    undecided: str = ""
    line: str = ""
    last_inside: bool = False
    page: int = 0
    moved: int | None = None


@dataclass(frozen=True, slots=True)
class CrossRow:
    """Who a line of the grid belongs to, and its meetings in the order of the columns; None on the diagonal, empty
    where the two have not met."""

    number: int
    name: str
    cells: tuple[tuple[Met, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The lines of one group, or of the whole stage (`group` None); `cross` is who beat whom, for small groups.

    `by_levels`: the meetings are told in levels, not in points.
    """

    group: int | None
    lines: tuple[PlaceLine, ...]
    cross: tuple[CrossRow, ...]
    by_levels: bool = True


def columns_of(chain: Sequence[str], points_are: str | None = None) -> list[Column]:
    """The tie-breaks that measure everybody; those among the tied, and lots, are told in words."""
    measured = [
        code for code in chain if isinstance(tiebreak := TIEBREAKS[code], TieBreak) and not tiebreak.last_resort
    ]
    return [_column(code, in_language(title_of(code, points_are)), n < ALWAYS) for n, code in enumerate(measured)]


def _column(code: str, title: str, always: bool) -> Column:
    title = title[:1].upper() + title[1:]
    return Column(code, title, str(SHORT.get(code, title)), always)


@dataclass(frozen=True, slots=True)
class Lines:
    """How rows of a table become lines: each is seen beside the row after it, unless that begins another group.
    `before` has the ranks of an earlier table by entrant (id)."""

    rows: Rows
    columns: Sequence[Column]
    following: Stage | None = None
    before: Mapping[int, int] | None = None

    def entrants(self, places: Iterable[int]) -> set[int]:
        """The ids of those at some places of the table."""
        entrants = self.rows.entrants
        return {entrants[place] for place in places}

    def names(self, places: Sequence[int], results: Iterable[AnyResult], tournament: Tournament) -> dict[int, str]:
        """What those at some places, and whoever they met in these results, are called, by id."""
        names = {row.entrant.pk: shown_name(row.entrant) for row in self._read(places)}
        played = {one for result in results if isinstance(result, Result) for one in (result.home, result.away) if one}
        if played <= names.keys():
            return names
        return {pk: shown_name(name) for pk, name in names_of(tournament.pk).items()}

    def _read(self, places: Sequence[int]) -> list[StandingRow]:
        """The rows at some places, each with the one after it, read at once."""
        return self.rows.at({*places, *(place + 1 for place in places if place + 1 < len(self.rows))})

    def at(
        self,
        places: Sequence[int],
        met: Mapping[Any, tuple[Met, ...]] = MappingProxyType({}),
        *,
        leading_there: bool = False,
    ) -> list[PlaceLine]:
        """The lines at some places of the table, counted from 0; `leading_there`: each leads to its place in it."""
        self._read(places)
        goes_on = None if self.following is None else self.following.directing.qualify
        return [self._line(place, met, goes_on, leading_there) for place in places]

    def _moved(self, entrant: int, rank: int | None) -> int | None:
        earlier = (self.before or {}).get(entrant)
        return None if rank is None or earlier is None else earlier - rank

    def _line(
        self, place: int, met: Mapping[Any, tuple[Met, ...]], goes_on: int | None, leading_there: bool
    ) -> PlaceLine:
        row = self.rows[place]
        after = self.rows[place + 1] if place + 1 < len(self.rows) else None
        if after is not None and after.group != row.group:
            after = None
        entrant, inside = row.entrant, row.qualifies is not None
        return PlaceLine(
            entrant.pk,
            entrant.number,
            shown_name(entrant),
            row.group,
            row.rank,
            row.shared,
            exact(row.prize) if row.prize and row.prize != "0" else "",
            _cells(self.columns, row),
            met.get(entrant.pk, ()),
            _why(row, after, self.columns),
            undecided=in_language(row.undecided) if row.undecided else "",
            line=_line_words(row.qualifies, goes_on) if row.qualifies is not None else "",
            last_inside=inside and after is not None and after.qualifies != row.qualifies,
            page=place // PAGE + 1 if leading_there else 0,
            moved=self._moved(entrant.pk, row.rank),
        )


def _line_words(line: int, goes_on: int | None) -> str:
    return _("goes on") if line == goes_on else _("first %(n)s") % {"n": line}


def _cells(columns: Sequence[Column], row: StandingRow) -> tuple[Cell, ...]:
    return tuple(Cell(figure(column.code, row.values.get(column.code, "")), column.always) for column in columns)


def _why(row: StandingRow, following: StandingRow | None, columns: Sequence[Column]) -> str:
    if row.why is None or (following is None and columns):
        return ""
    if not columns or following is None:
        return in_language(row.why)
    for column in columns[:ALWAYS]:
        if row.values.get(column.code) != following.values.get(column.code):
            return ""
    return in_language(row.why)


def sections(lines: Sequence[PlaceLine], results: Sequence[AnyResult], said: Meetings) -> list[Section]:
    """The lines of a page by group, each with the grid of who beat whom where it is small enough to read."""
    found = []
    by_levels = any(isinstance(result, Result) and result.home_level for result in results)
    for group, inside in groupby(lines, key=lambda line: line.group):
        here = tuple(inside)
        small = group is not None and 1 < len(here) <= LARGEST_CROSS
        found.append(Section(group, here, _cross(here, results, said) if small else (), by_levels))
    return found


def _cross(lines: Sequence[PlaceLine], results: Sequence[AnyResult], said: Meetings) -> tuple[CrossRow, ...]:
    between: dict[tuple[Any, Any], list[Met]] = defaultdict(list)
    for result in results:
        if isinstance(result, Result) and result.away is not None:
            between[result.home, result.away].append(said.of(result, result.home))
            between[result.away, result.home].append(said.of(result, result.away))
    ids = [line.id for line in lines]
    return tuple(
        CrossRow(line.number, line.name, tuple(None if one == other else tuple(between[one, other]) for other in ids))
        for line, one in zip(lines, ids, strict=True)
    )

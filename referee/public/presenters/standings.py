"""Standings as a table: tie-break columns, rounds met, why-lines; live or as published."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.parts.formats import exact
from referee.parts.names import shown_name
from referee.parts.stage_words import chain_words, order_words
from referee.parts.words import in_language
from referee.pictures.knockouts import bracket_page
from referee.pictures.plots import Placed, Plot, places_plot
from referee.public import find, following
from referee.public.addresses import api_address, match_address
from referee.public.paging import PAGE, page_of
from referee.public.presenters import placing
from referee.public.presenters.boards import sheets_of
from referee.public.presenters.deals import deals_address
from referee.public.presenters.meetings import AnyResult, Meetings, Met, in_columns, meetings
from scoring import profiles
from scoring.individual.standings import IndividualResult
from scoring.standings.chains import figure, title_of
from scoring.standings.results import Result
from scoring.standings.tiebreaks import TIEBREAKS, TieBreak
from tournaments.acts.text import row_number
from tournaments.boards.reads import RESULTS_LATER, kept_back, kept_back_at
from tournaments.log.reads import head_over
from tournaments.models import StageFormat
from tournaments.rounds.public import VISIBLE_ROUNDS
from tournaments.standings.publications import chain_in, points_in, results_in, seeds_in
from tournaments.standings.results import has_results, results_among
from tournaments.standings.runs import publication_document
from tournaments.standings.settled import is_final, state_of
from tournaments.standings.shown import (
    Places,
    Rows,
    live_standings,
    names_of,
    newest_publication,
    places_after,
    places_until,
    publication_list,
    publication_rows,
    standing_publications,
)
from tournaments.standings.stage_order import stage_after

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

    from scoring.profiles import Profile
    from tournaments.models import Publication, Round, Stage, Tournament
    from tournaments.standings.shown import StandingRow

    #: The results of some entrants (ids) and whoever they met.
    ResultsOf = Callable[[Collection[int]], Iterable[Result | IndividualResult]]

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


def live(tournament: Tournament, stage: Stage, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The table as last computed; only that it is hidden when the event says so, or until its boards are for all. The
    event holds its stages (`find.stage`)."""
    stages, standing = tournament.stages.all(), standing_publications(tournament)
    shown: dict[str, Any] = {
        "stage": stage,
        "stages": stages,
        "hidden": not tournament.live_public,
        "newest": (newest := next((one for one in standing if one.stage_id == stage.pk), None)),
        "final": newest is not None and is_final(newest),
        # the part that follows the event does not list them
        "publications": SimpleLazyObject(lambda: publication_list(tournament, timezone.now())),
        "order": order_words(stage),
        "sheets": sheets_of(stage),
        "deals": deals_address(stage),
    }
    if not tournament.live_public:
        return shown
    if kept_back(stage).results:
        return shown | {"later": RESULTS_LATER}
    standings = live_standings(stage)
    marked = following.marked(tournament, stage, asked)
    knockout = bracket_page(stage, _drawn_rounds(stage), match_address, marked)
    shown |= {
        "standings": standings,
        "follow": following.written(asked),
        "plot": None if knockout else _chart_of(standings.rows, lambda: places_after(standing)),
        **knockout,
    }
    shown |= table(
        () if stage.format == StageFormat.KO_TIMED else stage.chain,
        standings.rows,
        lambda entrants: results_among(stage, entrants),
        asked,
        tournament=tournament,
        profile=tournament.profile,
        following=next((one for one in stages if one.number > stage.number), None),
        points_are=stage.points_are,
    )
    # somebody on this page has played; who came late may stand on one where nobody has
    return shown | {"begun": any(line.met for line in shown["lines"]) or has_results(stage)}


def overall(tournament: Tournament) -> dict[str, Any]:
    """The placing of the whole event, over all its stages, as it stands."""
    shown = {
        "stages": list(tournament.stages.order_by("number")),
        "whole": True,
        "hidden": not tournament.live_public,
        "publications": publication_list(tournament, timezone.now()),
        "newest": newest_publication(tournament),
    }
    if shown["hidden"]:
        return shown
    if kept_back_at(tournament).results:
        return shown | {"later": RESULTS_LATER}
    return shown | {"placing": placing.live(tournament)}


def _chart_of(rows: Rows, places: Callable[[], Places]) -> Plot | None:
    """Places over rounds of the first page of a table; nothing where groups have places of their own."""
    return None if any(group is not None for group in rows.groups) else chart(rows[:PAGE], places())


def _drawn_rounds(stage: Stage) -> QuerySet[Round]:
    """The public rounds of a stage that count, in order."""
    rounds = stage.rounds.filter(status__in=VISIBLE_ROUNDS, extra=False).select_related("tournament")
    return rounds.order_by("number")


def published(publication: Publication, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A frozen table: rows, results and chain come out of its document, names are of today."""
    document = publication_document(publication)
    chain, rows = chain_in(document), publication_rows(publication)
    profile = profiles.build(document["profile"]["spec"], individual=True)
    return {
        "publication": publication,
        "document": document,
        "profile": profile,
        "final": document["final"],
        "state": state_of(publication, timezone.now()),
        "replaced_by": type(publication).objects.filter(supersedes=publication).defer("document").first(),
        "newest": newest_publication(publication.tournament, publication.stage),
        "corrections": [one for one in document["corrections"] if one["hand_no"]],
        "order": chain_words(chain, points_in(document)),
        "seed": next(iter(seeds_in(document)), None),
        "csv": api_address("publication_csv", slug=publication.tournament.slug, number=publication.number),
        "plot": _chart_of(rows, lambda: places_until(publication)),
        "placing": placing.published(publication.tournament, document),
        "sheets": sheets_of(publication.stage),
        "deals": deals_address(publication.stage),
        "log_head": head_over(publication.tournament, publication.published_at),
    } | table(
        chain,
        rows,
        lambda entrants: among(entrants, results_in(document)),
        asked,
        tournament=publication.tournament,
        profile=profile,
        following=stage_after(publication.stage),
        points_are=points_in(document),
    )


def table(
    chain: Sequence[str],
    rows: Rows,
    results: ResultsOf,
    asked: Mapping[str, Any],
    *,
    tournament: Tournament,
    profile: Profile,
    following: Stage | None = None,
    points_are: str | None = None,
) -> dict[str, Any]:
    """Columns and one page of lines, by group, or those that a search means. `results` gives those of some entrants,
    `profile` names the levels, `following` is the stage that the first ones go on to, `points_are` what points are
    called where they are no match scores."""
    columns = columns_of(chain, points_are)
    query = str(asked.get("q", ""))
    text = find.wanted(query)
    places = _meant(rows, text, tournament) if text else range(len(rows))
    page = page_of(places, _page_asked(rows, asked))
    found = Lines(rows, columns, following)
    here = list(page.object_list)
    told = list(results(found.entrants(here)))
    names = found.names(here, told, tournament)
    met = in_columns(meetings(told, names, found.entrants(here), profile))
    lines = found.at(here, met, leading_there=bool(text))
    return {
        "columns": columns,
        "sections": _sections(lines, told, Meetings(names, profile)),
        "groups": _pages_of_groups(rows),
        "page": page,
        "query": query if text else "",
        "searched": bool(text),
        "all_columns": asked.get("cols") == "all",
        "span": len(columns) + 3,
        "places": len(rows),
        "lines": lines,
    }


def among(entrants: Collection[int], results: Iterable[AnyResult]) -> list[AnyResult]:
    """Those of the results that concern one of the entrants (ids)."""
    return [
        one
        for one in results
        if (
            any(int(entrant) in entrants for entrant in one.scores)
            if isinstance(one, IndividualResult)
            else one.home in entrants or one.away in entrants
        )
    ]


def _meant(rows: Rows, text: str, tournament: Tournament) -> list[int]:
    """The places in a table of those whom a search means, counted from 0."""
    meant = {one.pk for one in find.matching(text, tournament.entrants.prefetch_related("players"))}
    return [place for place, entrant in enumerate(rows.entrants) if entrant in meant]


def _page_asked(rows: Rows, asked: Mapping[str, Any]) -> str | None:
    """The page asked for: by its number, all rows, or the one with an entrant (``of``: an id)."""
    number: str | None = asked.get("page")
    sought = row_number(str(asked.get("of", "")))
    if number is None and sought in (entrants := rows.entrants):
        return str(entrants.index(sought) // PAGE + 1)
    return number


def _pages_of_groups(rows: Rows) -> list[tuple[int, int]]:
    """Each group with the page on which it begins."""
    first: dict[int, int] = {}
    for place, group in enumerate(rows.groups):
        if group is not None:
            first.setdefault(group, place // PAGE + 1)
    return sorted(first.items())


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


def _sections(lines: Sequence[PlaceLine], results: Sequence[AnyResult], said: Meetings) -> list[Section]:
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


def columns_of(chain: Sequence[str], points_are: str | None = None) -> list[Column]:
    """The tie-breaks that measure everybody; those among the tied, and lots, are told in words."""
    measured = [
        code for code in chain if isinstance(tiebreak := TIEBREAKS[code], TieBreak) and not tiebreak.last_resort
    ]
    return [_column(code, in_language(title_of(code, points_are)), n < ALWAYS) for n, code in enumerate(measured)]


def _column(code: str, title: str, always: bool) -> Column:
    title = title[:1].upper() + title[1:]
    return Column(code, title, str(SHORT.get(code, title)), always)


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


def chart(rows: Sequence[StandingRow], places: Places, focus: int | None = None) -> Plot | None:
    """Places after each published round; nothing before two rounds are published."""
    rounds = sorted({number for found in places.values() for number, _rank, _shared in found})
    if len(rounds) < 2:
        return None
    placed = []
    for row in rows:
        known = {number: rank for number, rank, _shared in places.get(row.entrant.pk, ())}
        ranks = tuple(known.get(number) for number in rounds)
        placed.append(Placed(shown_name(row.entrant), ranks, "focus" if row.entrant.pk == focus else ""))
    return places_plot(placed, tuple(_("R%(n)s") % {"n": number} for number in rounds))

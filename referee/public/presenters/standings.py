"""Standings as a table: tie-break columns, rounds met, why-lines; live or as published."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from referee.parts.formats import exact
from referee.parts.names import shown_name
from referee.parts.stage_words import chain_words, order_words
from referee.parts.words import in_language, level_word, mark, page_language, reached
from referee.pictures.knockouts import bracket_page
from referee.pictures.plots import Placed, Plot, places_plot
from referee.public.addresses import api_address
from referee.public.paging import page_of
from referee.public.presenters import placing
from referee.public.presenters.boards import sheets_of
from scoring import profiles
from scoring.individual.standings import IndividualResult
from scoring.standings.chains import figure, title_of
from scoring.standings.match_scores import Outcome
from scoring.standings.results import Result
from scoring.standings.tiebreaks import TIEBREAKS, TieBreak
from scoring.values import exact as written
from scoring.values import readable
from tournaments.boards.reads import RESULTS_LATER, kept_back, kept_back_at
from tournaments.models import StageFormat
from tournaments.rounds.public import VISIBLE_ROUNDS
from tournaments.standings.publications import chain_in, points_in, results_in, seeds_in
from tournaments.standings.results import results_of
from tournaments.standings.runs import publication_document
from tournaments.standings.settled import state_of
from tournaments.standings.shown import (
    Places,
    live_standings,
    newest_publication,
    places_over_rounds,
    places_until,
    publication_list,
    publication_rows,
)
from tournaments.standings.stage_order import stage_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from scoring.profiles import Profile
    from tournaments.models import Match, Publication, Round, Stage, Tournament
    from tournaments.standings.shown import StandingRow

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
class Met:
    """One round from one side: levels, or points where no levels are kept; opponent; ``won``, ``drawn``, ``lost``."""

    round: int
    text: str
    how: str
    said: str
    title: str


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """One place. `why` stands where the columns that everybody sees do not explain the order.

    `line` says in words within which line it surely is; `last_inside`: the next place is not.
    """

    row: StandingRow
    cells: tuple[Cell, ...]
    met: tuple[Met, ...]
    why: str
    line: str = ""
    last_inside: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    """Who a line of the grid belongs to, and its meetings in the order of the columns; None on the diagonal, empty
    where the two have not met."""

    row: StandingRow
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
    """The table as last computed; only that it is hidden when the event says so, or until its boards are for all."""
    shown: dict[str, Any] = {
        "stage": stage,
        "stages": list(tournament.stages.order_by("number")),
        "hidden": not tournament.live_public,
        "newest": newest_publication(tournament, stage),
        "publications": publication_list(tournament, timezone.now()),
        "order": order_words(stage),
        "sheets": sheets_of(stage),
    }
    if not tournament.live_public:
        return shown
    if kept_back(stage).results:
        return shown | {"later": RESULTS_LATER}
    standings = live_standings(stage)
    places = places_over_rounds(tournament.pk)
    results = results_of(stage)
    knockout = bracket_page(stage, _drawn_rounds(stage), _match_page)
    shown |= {
        "standings": standings,
        "begun": bool(results),
        "plot": None if knockout or standings_by_group(standings.rows) else chart(standings.rows, places),
        **knockout,
    }
    chain = () if stage.format == StageFormat.KO_TIMED else stage.chain
    points_are = stage.points_are
    return shown | table(
        chain,
        standings.rows,
        results,
        asked,
        profile=tournament.profile,
        following=stage_after(stage),
        points_are=points_are,
    )


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


def standings_by_group(rows: Sequence[StandingRow]) -> bool:
    return any(row.group is not None for row in rows)


def _drawn_rounds(stage: Stage) -> list[Round]:
    """The public rounds of a stage that count, in order."""
    rounds = stage.rounds.filter(status__in=VISIBLE_ROUNDS, extra=False).select_related("tournament")
    return list(rounds.order_by("number"))


def _match_page(match: Match) -> str:
    table = next((sitting.table.number for sitting in match.sittings.all()), None)
    if table is None:
        return ""
    known = {"event": match.round.tournament.slug, "number": match.round.number, "table": table}
    return reverse("public:match", kwargs={"language": page_language(), **known})


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
        "plot": None if standings_by_group(rows) else chart(rows, places_until(publication)),
        "placing": placing.published(publication.tournament, document),
        "sheets": sheets_of(publication.stage),
    } | table(
        chain,
        rows,
        results_in(document),
        asked,
        profile=profile,
        following=stage_after(publication.stage),
        points_are=points_in(document),
    )


def table(
    chain: Sequence[str],
    rows: Sequence[StandingRow],
    results: Iterable[Result | IndividualResult],
    asked: Mapping[str, Any],
    *,
    profile: Profile,
    following: Stage | None = None,
    points_are: str | None = None,
) -> dict[str, Any]:
    """Columns and one page of lines, by group; `profile` names the levels, `following` is the stage that the first ones
    go on to, `points_are` what points are called where they are no match scores."""
    columns = columns_of(chain, points_are)
    names = {row.entrant.pk: shown_name(row.entrant) for row in rows}
    results = [_in_words(result, profile) for result in results]
    met = in_columns(meetings(results, names))
    goes_on = None if following is None else following.directing.qualify
    lines = [
        _line(row, after, columns, met.get(row.entrant.pk, ()), goes_on)
        for row, after in zip(rows, [*rows[1:], None], strict=False)
    ]
    page = page_of(lines, asked.get("page"))
    return {
        "columns": columns,
        "sections": _sections(list(page.object_list), results, names),
        "groups": sorted({row.group for row in rows if row.group is not None}),
        "page": page,
        "all_columns": asked.get("cols") == "all",
        "span": len(columns) + 3,
        "places": len(lines),
        "lines": page.object_list,
    }


def _line(
    row: StandingRow,
    following: StandingRow | None,
    columns: Sequence[Column],
    met: tuple[Met, ...],
    goes_on: int | None,
) -> PlaceLine:
    """A row beside the one after it, unless that begins another group."""
    after = following if following is not None and following.group == row.group else None
    inside = row.qualifies is not None
    return PlaceLine(
        row,
        _cells(columns, row),
        met,
        _why(row, after, columns),
        line=_line_words(row.qualifies, goes_on) if row.qualifies is not None else "",
        last_inside=inside and after is not None and after.qualifies != row.qualifies,
    )


def _line_words(line: int, goes_on: int | None) -> str:
    return _("goes on") if line == goes_on else _("first %(n)s") % {"n": line}


def _sections(
    lines: Sequence[PlaceLine], results: Sequence[Result | IndividualResult], names: Mapping[Any, str]
) -> list[Section]:
    """The lines of a page by group, each with the grid of who beat whom where it is small enough to read."""
    found = []
    by_levels = any(isinstance(result, Result) and result.home_level for result in results)
    for group, inside in groupby(lines, key=lambda line: line.row.group):
        here = tuple(inside)
        small = group is not None and 1 < len(here) <= LARGEST_CROSS
        found.append(Section(group, here, _cross(here, results, names) if small else (), by_levels))
    return found


def _cross(
    lines: Sequence[PlaceLine], results: Sequence[Result | IndividualResult], names: Mapping[Any, str]
) -> tuple[CrossRow, ...]:
    between: dict[tuple[Any, Any], list[Met]] = defaultdict(list)
    for result in results:
        if isinstance(result, Result) and result.away is not None:
            between[result.home, result.away].append(_met(result, result.home, names))
            between[result.away, result.home].append(_met(result, result.away, names))
    ids = [line.row.entrant.pk for line in lines]
    return tuple(
        CrossRow(line.row, tuple(None if one == other else tuple(between[one, other]) for other in ids))
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


def _in_words(result: Result | IndividualResult, profile: Profile) -> Result | IndividualResult:
    """The same result with levels as pages write them."""
    if isinstance(result, IndividualResult):
        return result._replace(levels={place: reached(level, profile) for place, level in result.levels.items()})
    levels = (result.home_level, result.away_level)
    home, away = (reached(level, profile) if level else None for level in levels)
    return result._replace(home_level=home, away_level=away)


def meetings(results: Iterable[Result | IndividualResult], names: Mapping[Any, str]) -> dict[Any, list[Met]]:
    """Entrant id -> its rounds in order."""
    met: dict[Any, list[Met]] = defaultdict(list)
    for result in sorted(results, key=lambda one: one.round):
        if isinstance(result, IndividualResult):
            for entrant in result.scores:
                met[int(entrant)].append(_met_at_table(result, entrant))
            continue
        met[result.home].append(_met(result, result.home, names))
        if result.away is not None:
            met[result.away].append(_met(result, result.away, names))
    return met


def in_columns(met: Mapping[Any, Sequence[Met]]) -> dict[Any, tuple[Met, ...]]:
    """Each result under its round: a dash for rounds that somebody missed, but none after the last one played."""
    rounds = sorted({one.round for played in met.values() for one in played})
    return {entrant: tuple(_with_gaps(played, rounds)) for entrant, played in met.items()}


def _with_gaps(played: Sequence[Met], rounds: Sequence[int]) -> Iterator[Met]:
    at = {number: list(inside) for number, inside in groupby(played, key=lambda one: one.round)}
    for number in rounds:
        if number > played[-1].round:
            return
        yield from at.get(number, [Met(number, "–", "missed", "", _("Round %(n)s") % {"n": number})])


def _met_at_table(result: IndividualResult, entrant: Any) -> Met:
    """One round of a single player: his score, or the level he came to, and whether he won the table."""
    won = entrant in result.winners
    how = ("drawn" if len(result.winners) > 1 else "won") if won else "lost"
    said = {"won": _("won"), "drawn": pgettext("result of a match", "drawn"), "lost": _("lost")}[how]
    text = _level(result.levels[entrant]) if entrant in result.levels else exact(result.scores[entrant])
    return Met(result.round, text, how, said, _("Round %(n)s") % {"n": result.round})


def _met(result: Result, entrant: Any, names: Mapping[Any, str]) -> Met:
    at_home = entrant == result.home
    opponent = result.away if at_home else result.home
    levels = (result.home_level, result.away_level)
    own, other = levels if at_home else (levels[1], levels[0])
    how = "drawn" if result.winner is None else "won" if result.winner == entrant else "lost"
    said = {"won": _("won"), "drawn": pgettext("result of a match", "drawn"), "lost": _("lost")}[how]
    if result.outcome == Outcome.BYE:
        how, text, said = "won", _("bye"), ""
    elif result.outcome != Outcome.PLAYED:
        how, text = ("lost" if result.outcome == Outcome.DOUBLE_FORFEIT else how), _("forfeit")
        said = _("lost") if how == "lost" else said
    elif own is None and other is None and (result.winner is None or result.home_score != result.away_score):
        scores = (result.home_score, result.away_score)
        text = ":".join(exact(readable(written(one))) for one in (scores if at_home else scores[::-1]))
    else:
        # the ratio sign stands before a level in Chinese words, as before 打过王
        words = (_level(own), _level(other))
        text = ("∶" if any(sign >= "\u3400" for word in words for sign in word) else ":").join(words)
    title = _("Round %(n)s") % {"n": result.round}
    return Met(
        result.round, text, how, said, f"{title}{mark(':')}{names.get(opponent, '')}" if opponent is not None else title
    )


def _level(level: str | None) -> str:
    return level_word(level) if level else "–"


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

"""Standings as a table: tie-break columns, rounds met, why-lines; live or as published."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from referee.parts.formats import component, exact
from referee.parts.names import shown_name
from referee.parts.plots import Placed, Plot, places_plot
from referee.parts.stage_words import chain_words
from referee.parts.words import in_language, level_word
from referee.public.addresses import api_address
from referee.public.paging import page_of
from scoring import profiles
from scoring.individual_standings import IndividualResult
from scoring.match_scores import Outcome
from scoring.results import Result
from scoring.tiebreaks import TIEBREAKS, TieBreak
from tournaments import queries
from tournaments.queries import public_pages
from tournaments.queries.publications import chain_in, results_in, seeds_in
from tournaments.queries.results import results_of
from tournaments.services.standings import publication_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from tournaments.models import Publication, Stage, Tournament
    from tournaments.queries import StandingRow

#: Columns every width shows; ties that they settle need no words.
ALWAYS: Final = 2
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
    """One round from one side: levels, opponent and how it ended (``won``, ``drawn``, ``lost``)."""

    round: int
    text: str
    how: str
    said: str
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """One place. `why` stands where the columns that everybody sees do not explain the order."""

    row: StandingRow
    cells: tuple[Cell, ...]
    met: tuple[Met, ...]
    why: str


def live(tournament: Tournament, stage: Stage, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The table as last computed; only that it is hidden when the event says so."""
    shown: dict[str, Any] = {
        "stage": stage,
        "stages": list(tournament.stages.order_by("number")),
        "hidden": not tournament.live_public,
        "newest": public_pages.newest_publication(tournament, stage),
        "publications": public_pages.publications(tournament),
        "order": chain_words(stage.chain),
    }
    if not tournament.live_public:
        return shown
    standings = queries.live_standings(stage)
    places = queries.places_over_rounds(tournament.pk)
    results = results_of(stage)
    shown |= {"standings": standings, "begun": bool(results), "plot": chart(standings.rows, places)}
    return shown | table(stage.chain, standings.rows, results, asked)


def published(publication: Publication, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A frozen table: rows, results and chain come out of its document, names are of today."""
    document = publication_document(publication)
    chain, rows = chain_in(document), queries.publication_rows(publication)
    return {
        "publication": publication,
        "document": document,
        "profile": profiles.build(document["profile"]["spec"], individual=True),
        "final": document["final"],
        "replaced_by": type(publication).objects.filter(supersedes=publication).defer("document").first(),
        "newest": public_pages.newest_publication(publication.tournament, publication.stage),
        "corrections": [one for one in document["corrections"] if one["hand_no"]],
        "order": chain_words(chain),
        "seed": next(iter(seeds_in(document)), None),
        "csv": api_address("publication_csv", slug=publication.tournament.slug, number=publication.number),
        "plot": chart(rows, public_pages.places_until(publication)),
    } | table(chain, rows, results_in(document), asked)


def table(
    chain: Sequence[str],
    rows: Sequence[StandingRow],
    results: Iterable[Result | IndividualResult],
    asked: Mapping[str, Any],
) -> dict[str, Any]:
    """Columns and one page of lines."""
    columns = columns_of(chain)
    names = {row.entrant.pk: shown_name(row.entrant) for row in rows}
    met = meetings(results, names)
    lines = [
        Line(row, _cells(columns, row), tuple(met[row.entrant.pk]), _why(row, following, columns))
        for row, following in zip(rows, [*rows[1:], None], strict=False)
    ]
    page = page_of(lines, asked.get("page"))
    return {
        "columns": columns,
        "lines": page.object_list,
        "page": page,
        "all_columns": asked.get("cols") == "all",
        "span": len(columns) + 3,
        "places": len(lines),
    }


def columns_of(chain: Sequence[str]) -> list[Column]:
    """The tie-breaks that measure everybody; those among the tied, and lots, are told in words."""
    measured = [
        code for code in chain if isinstance(tiebreak := TIEBREAKS[code], TieBreak) and not tiebreak.last_resort
    ]
    return [_column(code, number < ALWAYS) for number, code in enumerate(measured)]


def _column(code: str, always: bool) -> Column:
    title = in_language(TIEBREAKS[code].title)
    title = title[:1].upper() + title[1:]
    return Column(code, title, str(SHORT.get(code, title)), always)


def _cells(columns: Sequence[Column], row: StandingRow) -> tuple[Cell, ...]:
    return tuple(Cell(component(column.code, row.values.get(column.code, "")), column.always) for column in columns)


def _why(row: StandingRow, following: StandingRow | None, columns: Sequence[Column]) -> str:
    if row.why is None or following is None:
        return ""
    for column in columns[:ALWAYS]:
        if row.values.get(column.code) != following.values.get(column.code):
            return ""
    return in_language(row.why)


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
    else:
        text = f"{_level(own)}:{_level(other)}"
    title = _("Round %(n)s") % {"n": result.round}
    return Met(result.round, text, how, said, f"{title}: {names.get(opponent, '')}" if opponent is not None else title)


def _level(level: str | None) -> str:
    return level_word(level) if level else "–"


def chart(rows: Sequence[StandingRow], places: public_pages.Places, focus: int | None = None) -> Plot | None:
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

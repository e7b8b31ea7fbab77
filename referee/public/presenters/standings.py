"""Standings as a table: tie-break columns, rounds met, why-lines; live or as published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from referee.parts.names import shown_name
from referee.parts.stage_words import chain_words, order_words
from referee.pictures.knockouts import bracket_page
from referee.pictures.plots import Placed, Plot, places_plot
from referee.public import find, following
from referee.public.addresses import api_address, match_address
from referee.public.paging import PAGE, page_of
from referee.public.presenters import placing
from referee.public.presenters.boards import sheets_of
from referee.public.presenters.deals import deals_address
from referee.public.presenters.meetings import AnyResult, Meetings, in_columns, meetings
from referee.public.presenters.standing_lines import Lines, columns_of, sections
from scoring import profiles
from scoring.individual.standings import IndividualResult
from scoring.standings.results import Result
from tournaments.acts.text import row_number
from tournaments.boards.reads import kept_back, results_later
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

    from scoring.profiles import Profile
    from tournaments.models import Publication, Round, Stage, Tournament
    from tournaments.standings.shown import StandingRow

    #: The results of some entrants (ids; None: of everybody) and whoever they met.
    ResultsOf = Callable[[Collection[int] | None], Iterable[Result | IndividualResult]]


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
        return shown | {"later": results_later(stage, live=True)}
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
    stages = list(tournament.stages.order_by("number"))
    shown = {
        "stages": stages,
        "whole": True,
        "hidden": not tournament.live_public,
        "publications": publication_list(tournament, timezone.now()),
        "newest": newest_publication(tournament),
    }
    if shown["hidden"]:
        return shown
    waiting = next((stage for stage in stages if kept_back(stage).results), None)
    if waiting is not None:
        return shown | {"later": results_later(waiting, live=True)}
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
    # to name everybody to the database takes it longer than to tell all
    told = list(results(None if len(here) == len(rows) else found.entrants(here)))
    names = found.names(here, told, tournament)
    met = in_columns(meetings(told, names, found.entrants(here), profile))
    lines = found.at(here, met, leading_there=bool(text))
    return {
        "columns": columns,
        "sections": sections(lines, told, Meetings(names, profile)),
        "groups": _pages_of_groups(rows),
        "page": page,
        "query": query if text else "",
        "searched": bool(text),
        "all_columns": asked.get("cols") == "all",
        "span": len(columns) + 3,
        "places": len(rows),
        "lines": lines,
    }


def among(entrants: Collection[int] | None, results: Iterable[AnyResult]) -> list[AnyResult]:
    """Those of the results that concern one of the entrants (ids; None: all)."""
    return [
        one
        for one in results
        if entrants is None
        or (
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

"""Who plays: all entrants with their places and rounds, searched and sorted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from referee.parts.names import shown_name
from referee.public import find
from referee.public.paging import page_of
from referee.public.presenters.meetings import Met, in_columns, meetings
from tournaments.boards.reads import kept_back
from tournaments.rounds import board
from tournaments.standings import shown
from tournaments.standings.results import has_results, results_among

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise as StrPromise

    from tournaments.models import Entrant, Stage, Tournament

#: Orders of the list, as addresses name them.
SORTS: Final[Mapping[str, StrPromise]] = {
    "": pgettext_lazy("of entrants", "By number"),
    "place": gettext_lazy("By place"),
    "unit": gettext_lazy("By unit"),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list: the place in the table ("" where none is told) and the rounds played."""

    entrant: Entrant
    place: str
    met: tuple[Met, ...]


def listed(tournament: Tournament, asked: Mapping[str, Any]) -> dict[str, Any]:
    """All entrants, or those a search (``q``) means, by number; by place or unit where ``sort`` says so. Places and
    rounds are those of the stage that is played, once something of it counts and everybody may see it."""
    entrants = board.entrants_of(tournament)
    query = str(asked.get("q", ""))
    text = find.wanted(query)
    stage = _stage_told(tournament)
    places = {} if stage is None else _places_told(stage)
    ways = {"place": bool(places), "unit": any(one.unit for one in entrants)}
    sort = str(asked.get("sort", ""))
    meant = find.matching(text, entrants) if text else entrants
    if ways.get(sort):
        meant = sorted(meant, key=lambda one: _by_place(one, places) if sort == "place" else _by_unit(one))
    page = page_of(meant, asked.get("page"))
    names = {one.pk: shown_name(one) for one in entrants}
    here = {one.pk for one in page.object_list}
    results = () if stage is None else results_among(stage, here)
    met = in_columns(meetings(results, names, here, tournament.profile))
    return {
        "lines": [Listed(one, _place_of(places.get(one.pk)), met.get(one.pk, ())) for one in page.object_list],
        "ranked": bool(places),
        "begun": bool(met),
        "sorts": [(name, word) for name, word in SORTS.items() if ways.get(name, True)],
        "sorted_by": sort if ways.get(sort) else "",
        "page": page,
        "all": len(entrants),
        "query": query,
        "searched": bool(text),
    }


def _stage_told(tournament: Tournament) -> Stage | None:
    """The stage that is played, where everybody may see its results and some count."""
    if not tournament.live_public or not tournament.stages.exists():
        return None
    stage = find.stage(tournament, None)
    return stage if has_results(stage) and not kept_back(stage).results else None


def _places_told(stage: Stage) -> Mapping[int, tuple[int, bool]]:
    """Entrant id -> place in its table, whether it is shared; nothing where each group has places of its own."""
    table = shown.public_table(stage, shown.newest_publication(stage.tournament, stage), live=True)
    return {} if table is None or any(group is not None for group in table.rows.groups) else table.rows.ranks


def _place_of(place: tuple[int, bool] | None) -> str:
    return "" if place is None else f"{'=' if place[1] else ''}{place[0]}"


def _by_place(one: Entrant, places: Mapping[int, tuple[int, bool]]) -> tuple[bool, int, int]:
    return (one.pk not in places, places.get(one.pk, (0, False))[0], one.number)


def _by_unit(one: Entrant) -> tuple[bool, str, int]:
    return (not one.unit, one.unit, one.number)

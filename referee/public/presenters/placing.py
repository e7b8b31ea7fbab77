"""The placing of a whole event of several stages, and of each category: as it stands, or as published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from referee.parts import stage_words
from tournaments.standings import publications

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.standings.placing import FinalPlace
    from tournaments.models import Entrant, Stage, Tournament


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """One place: how far the entrant came is `reached`; `rank` None: ruled out of the placing."""

    entrant: Entrant
    rank: int | None
    shared: bool
    reached: str


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """The places of everybody (`title` empty), or of one category among themselves."""

    title: str
    lines: tuple[PlaceLine, ...]


def live(tournament: Tournament) -> list[PlaceTable]:
    """The placing as things stand."""
    found = publications.final_placing(tournament)
    parts = {"": found.places, **found.categories}
    return _tables(tournament, {name: [_facts(one) for one in places] for name, places in parts.items()})


def published(tournament: Tournament, document: Mapping[str, Any]) -> list[PlaceTable]:
    """The placing of a published document; nothing where it has none."""
    placing = document.get("placing")
    if placing is None:
        return []
    return _tables(tournament, {"": placing["rows"], **placing.get("categories", {})})


def _facts(place: FinalPlace) -> dict[str, Any]:
    return place.to_json()


def _tables(tournament: Tournament, parts: Mapping[str, Iterable[Mapping[str, Any]]]) -> list[PlaceTable]:
    entrants = {one.pk: one for one in tournament.entrants.prefetch_related("players")}
    stages = list(tournament.stages.order_by("-number"))
    return [
        PlaceTable(name, tuple(_line(entrants[int(row["entrant"])], row, stages) for row in rows))
        for name, rows in parts.items()
    ]


def _line(entrant: Entrant, row: Mapping[str, Any], stages: list[Stage]) -> PlaceLine:
    stage = stages[row["stage"] - 1]
    reached = stage_words.title_of(stage)
    if row["stage_rank"] is not None:
        reached = _("%(stage)s, place %(n)s") % {"stage": reached, "n": row["stage_rank"]}
    return PlaceLine(entrant, row["rank"], row["shared"], reached)

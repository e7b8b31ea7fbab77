"""Standings as everybody reads them: live and published, joined with names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.values import Text

from ..acts.doorbell import stale_number
from ..acts.origins import document_of, read_here, rows_here
from ..models import Entrant, Publication, Stage, StandingsRun, Tournament
from .publications import rows_in
from .settled import State, open_live, states_of


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One place of a table with the entrant it belongs to. `values` are exact decimal texts by tie-break code.

    `rank` is None for who was ruled out of the placing; `group` None in a stage without groups. `qualifies` says for
    what the place surely qualifies, `prize` is its share of the prizes as an exact text, `undecided` the sentence about
    a tie that waits.
    """

    entrant: Entrant
    rank: int | None
    shared: bool
    values: Mapping[str, str]
    split_by: str | None
    why: Text | None
    group: int | None = None
    qualifies: int | None = None
    prize: str | None = None
    undecided: Text | None = None

    @classmethod
    def of(cls, entrant: Entrant, row: Mapping[str, Any]) -> StandingRow:
        """A row of a run or a publication, joined with its entrant."""
        return cls(
            entrant=entrant,
            rank=row["rank"],
            shared=row["shared"],
            values=row["values"],
            split_by=row["split_by"],
            why=row["why"],
            group=row.get("group"),
            qualifies=row.get("qualifies"),
            prize=row.get("prize"),
            undecided=row["undecided"]["sentence"] if "undecided" in row else None,
        )


@dataclass(frozen=True, slots=True)
class LiveStandings:
    """The live table of a stage. `run` is None before the first recalculation; `waiting` acts are not in it yet.

    `open` is what keeps it provisional: see `settled.open_live`.
    """

    run: StandingsRun | None
    rows: tuple[StandingRow, ...]
    provisional: bool
    number: int
    waiting: int
    open: tuple[Mapping[str, Any], ...]

    @property
    def fresh(self) -> bool:
        """Whether it covers every act; before the first act there is nothing to cover."""
        return not self.waiting


def live_standings(stage: Stage) -> LiveStandings:
    """The table as last computed, joined with names. Whether it is public is the event's `live_public`."""
    run = StandingsRun.objects.filter(stage=stage).first()
    number = stale_number(stage.tournament_id)
    rows = _with_names(stage.tournament_id, rows_here(stage.tournament, run.rows) if run else [])
    still_open = open_live(stage)
    return LiveStandings(
        run=run,
        rows=rows,
        provisional=bool(still_open) or (run is not None and run.provisional),
        number=run.covers if run else 0,
        waiting=max(number - (run.covers if run else 0), 0),
        open=still_open,
    )


def publication_rows(publication: Publication) -> tuple[StandingRow, ...]:
    """The rows of a frozen table joined with the names of today."""
    return _with_names(publication.tournament_id, rows_in(document_of(publication.tournament, publication)))


def _with_names(tournament_id: int, rows: list[dict[str, Any]]) -> tuple[StandingRow, ...]:
    entrants = {
        entrant.pk: entrant for entrant in Entrant.objects.filter(tournament=tournament_id).prefetch_related("players")
    }
    return tuple(StandingRow.of(entrants[int(row["entrant"])], row) for row in rows)


def places_over_rounds(tournament_id: int) -> dict[int, tuple[tuple[int, int, bool], ...]]:
    """Entrant id -> (round number, rank, shared) after every round whose publication stands."""
    places: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    standing = Publication.objects.filter(tournament=tournament_id, superseded_by=None).order_by("round__number")
    for number, document, ids in standing.values_list("round__number", "document", "tournament__origin__ids"):
        for row in rows_in(read_here(document, ids)):
            if row["rank"] is not None:
                places[int(row["entrant"])].append((number, row["rank"], row["shared"]))
    return {entrant: tuple(found) for entrant, found in places.items()}


def newest_publication(tournament: Tournament, stage: Stage | None = None) -> Publication | None:
    """The newest publication that no other replaces."""
    rows = tournament.publications.filter(superseded_by=None).select_related("round", "tournament").defer("document")
    if stage is not None:
        rows = rows.filter(stage=stage)
    return rows.order_by("-number").first()


def publication_list(tournament: Tournament, at: datetime) -> list[tuple[Publication, State]]:
    """All publications, newest first, each with what replaced it and how settled it is; without the documents."""
    related = ("round", "stage", "tournament", "published_by", "superseded_by", "supersedes")
    without = ("document", "superseded_by__document", "supersedes__document")
    rows = list(tournament.publications.select_related(*related).defer(*without).order_by("-number"))
    states = states_of(rows, at)
    return [(one, states[one.pk]) for one in rows]


Places = dict[int, tuple[tuple[int, int, bool], ...]]


def places_until(publication: Publication) -> Places:
    """Entrant id -> (round number, rank, shared) as they stood when a publication appeared: by each round's newest
    publication up to that number. One query.
    """
    rows = Publication.objects.filter(
        stage=publication.stage_id, number__lte=publication.number, round__number__lte=publication.round.number
    ).order_by("number")
    found = rows.values_list("round__number", "document", "tournament__origin__ids")
    newest = {number: (document, ids) for number, document, ids in found}
    places: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for number, (document, ids) in sorted(newest.items()):
        for row in rows_in(read_here(document, ids)):
            if row["rank"] is not None:
                places[int(row["entrant"])].append((number, row["rank"], row["shared"]))
    return {entrant: tuple(found) for entrant, found in places.items()}

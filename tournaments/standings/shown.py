"""Standings as everybody reads them: live and published, joined with names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, overload

from scoring.values import Text

from ..acts.doorbell import acts_of, stale_number
from ..acts.origins import document_of, read_here, rows_here
from ..models import Entrant, Publication, Round, Stage, StandingsRun, Tournament
from .publications import rows_in
from .settled import State, is_final, open_live, states_of


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


#: Entrant id -> the number of a round, the place after it, whether it was shared.
Places = dict[int, tuple[tuple[int, int, bool], ...]]


class Rows(Sequence[StandingRow]):
    """The rows of a table in order. A row is joined with its entrant when it is looked at: whoever shows a hundred of a
    thousand reads a hundred entrants."""

    def __init__(self, tournament_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
        self._tournament_id = tournament_id
        self._rows = rows
        self._joined: dict[int, StandingRow] = {}

    @property
    def entrants(self) -> list[int]:
        """The id of the entrant of each row."""
        return [int(row["entrant"]) for row in self._rows]

    @property
    def ranks(self) -> dict[int, tuple[int, bool]]:
        """The place of each entrant (id) that has one, and whether it is shared."""
        placed = (row for row in self._rows if row["rank"] is not None)
        return {int(row["entrant"]): (row["rank"], row["shared"]) for row in placed}

    @property
    def groups(self) -> list[int | None]:
        """The group of each row; None in a stage without groups."""
        return [row.get("group") for row in self._rows]

    def at(self, places: Iterable[int]) -> list[StandingRow]:
        """The rows at these places of the table, counted from 0."""
        places = list(places)
        missing = {place: int(self._rows[place]["entrant"]) for place in places if place not in self._joined}
        if missing:
            rows = Entrant.objects.filter(tournament=self._tournament_id)
            if len(missing) < len(self._rows):
                rows = rows.filter(pk__in=missing.values())
            entrants = {one.pk: one for one in rows}
            for place, entrant in missing.items():
                self._joined[place] = StandingRow.of(entrants[entrant], self._rows[place])
        return [self._joined[place] for place in places]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, wanted: int) -> StandingRow: ...
    @overload
    def __getitem__(self, wanted: slice) -> list[StandingRow]: ...
    def __getitem__(self, wanted: int | slice) -> StandingRow | list[StandingRow]:
        places = range(len(self._rows))[wanted]
        return self.at([places])[0] if isinstance(places, int) else self.at(places)

    def __iter__(self) -> Iterator[StandingRow]:
        return iter(self[:])


@dataclass(slots=True)
class Named:
    """What an entrant is called."""

    name: str
    name_latin: str


def names_of(tournament_id: int) -> dict[int, Named]:
    """What all entrants of an event are called, by id."""
    rows = Entrant.objects.filter(tournament=tournament_id).order_by()
    return {pk: Named(*names) for pk, *names in rows.values_list("pk", "name", "name_latin")}


@dataclass(frozen=True, slots=True)
class LiveStandings:
    """The live table of a stage. `run` is None before the first recalculation; `waiting` acts are not in it yet.

    `open` is what keeps it provisional: see `settled.open_live`.
    """

    run: StandingsRun | None
    rows: Rows
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
    run = StandingsRun.objects.filter(stage=stage).annotate(acts=acts_of("stage__tournament")).first()
    number = stale_number(stage.tournament_id) if run is None else run.acts
    rows = Rows(stage.tournament_id, rows_here(stage.tournament, run.rows) if run else [])
    still_open = open_live(stage)
    return LiveStandings(
        run=run,
        rows=rows,
        provisional=bool(still_open) or (run is not None and run.provisional),
        number=run.covers if run else 0,
        waiting=max(number - (run.covers if run else 0), 0),
        open=still_open,
    )


def publication_rows(publication: Publication) -> Rows:
    """The rows of a frozen table joined with the names of today."""
    return Rows(publication.tournament_id, rows_in(document_of(publication.tournament, publication)))


@dataclass(frozen=True, slots=True)
class PublicTable:
    """The table of a stage as everybody is shown it. `final`: the publication that it comes from, once that is the last
    one of the stage; until then it is the live one."""

    rows: Rows
    provisional: bool
    final: Publication | None = None


def public_table(stage: Stage, newest: Publication | None, *, live: bool) -> PublicTable | None:
    """The final table of a stage, where lots broke what nothing else did; before it is published the live one, where
    that is shown (`live`). `newest` is the newest publication, of the event or of this stage alone."""
    if newest is not None and newest.stage_id == stage.pk and is_final(newest):
        return PublicTable(publication_rows(newest), False, newest)
    if not live:
        return None
    standings = live_standings(stage)
    return PublicTable(standings.rows, standings.provisional)


def places_over_rounds(tournament_id: int) -> Places:
    """Entrant id -> (round number, rank, shared) after every round whose publication stands."""
    standing = Publication.objects.filter(tournament=tournament_id, superseded_by=None).order_by("round__number")
    return _places(standing.values_list("round__number", "pk", "digest"))


def places_after(standing: Iterable[Publication]) -> Places:
    """The same, where the publications that stand have been read, with their rounds."""
    return _places(sorted((one.round.number, one.pk, one.digest) for one in standing))


def standing_publications(tournament: Tournament) -> list[Publication]:
    """The publications that no other replaces, newest first, with their rounds; without the documents."""
    columns = ("number", "tournament_id", "stage_id", "provisional", "digest", "round__number")
    standing = tournament.publications.filter(superseded_by=None).select_related("round").only(*columns)
    return list(standing.order_by("-number"))


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


def places_before(round_: Round) -> tuple[int, Mapping[int, int]] | None:
    """The newest published table of the stage before a round: after which round, and the rank of each entrant (id)."""
    standing = Publication.objects.filter(stage=round_.stage_id, superseded_by=None, round__number__lt=round_.number)
    found = standing.order_by("-round__number").values_list("round__number", "pk", "digest").first()
    if found is None:
        return None
    number, pk, digest = found
    return number, {entrant: rank for entrant, rank, _ in _read([(pk, digest)])[pk]}


def places_until(publication: Publication) -> Places:
    """Entrant id -> (round number, rank, shared) as they stood when a publication appeared: by each round's newest
    publication up to that number.
    """
    rows = Publication.objects.filter(
        stage=publication.stage_id, number__lte=publication.number, round__number__lte=publication.round.number
    ).order_by("number")
    newest = {found[0]: found for found in rows.values_list("round__number", "pk", "digest")}
    return _places(found for _, found in sorted(newest.items()))


def _places(publications: Iterable[tuple[int, int, str]]) -> Places:
    """By entrant, of publications in order: the number of the round, its id, its digest."""
    publications = list(publications)
    read = _read([(pk, digest) for _, pk, digest in publications])
    places: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for number, pk, _ in publications:
        for entrant, rank, shared in read[pk]:
            places[entrant].append((number, rank, shared))
    return {entrant: tuple(found) for entrant, found in places.items()}


#: Entrant id, rank, shared: whoever is placed in a publication.
Placed = tuple[tuple[int, int, bool], ...]
#: What was read of publications, by id and digest: they never change, and hold every result up to them.
_known: dict[tuple[int, str], Placed] = {}
_KNOWN_MOST = 256


def _read(publications: Sequence[tuple[int, str]]) -> dict[int, Placed]:
    """Who is placed in these publications (id and digest); one query for those that this process has not read yet."""
    found = {pk: _known[pk, digest] for pk, digest in publications if (pk, digest) in _known}
    digests = {pk: digest for pk, digest in publications if pk not in found}
    if digests:
        rows = Publication.objects.filter(pk__in=digests).values_list("pk", "document", "tournament__origin__ids")
        for pk, document, ids in rows:
            found[pk] = tuple(
                (int(row["entrant"]), row["rank"], row["shared"])
                for row in rows_in(read_here(document, ids))
                if row["rank"] is not None
            )
            if len(_known) >= _KNOWN_MOST:
                _known.clear()
            _known[pk, digests[pk]] = found[pk]
    return found

"""What everybody reads: events, the current round, standings joined with names, an entrant's way through the event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Prefetch, Q

from scoring.values import Text

from ..models import (
    Entrant,
    Match,
    MatchOutcome,
    MatchPlace,
    Publication,
    Round,
    RoundStatus,
    Sitting,
    Stage,
    StandingsRun,
    Tournament,
)
from .origins import document_of, read_here, rows_here
from .publications import rows_in
from .results import open_tables
from .sittings import Record, records

VISIBLE_ROUNDS = (RoundStatus.PUBLISHED, RoundStatus.RUNNING, RoundStatus.CLOSED)


@dataclass(frozen=True, slots=True)
class Events:
    """Events by when they are: a round runs or it is their day, later, and over."""

    now: tuple[Tournament, ...]
    soon: tuple[Tournament, ...]
    past: tuple[Tournament, ...]


def events(at: datetime) -> Events:
    """All events in three lists; soon ones by day, past ones newest first."""
    running = set(Round.objects.filter(status=RoundStatus.RUNNING).values_list("tournament_id", flat=True))
    now, soon, past = [], [], []
    for event in Tournament.objects.order_by("starts_on", "pk"):
        today = at.astimezone(ZoneInfo(event.timezone)).date()
        if event.closed_at is None and (event.pk in running or event.starts_on == today):
            now.append(event)
        elif event.closed_at is None and (event.starts_on is None or event.starts_on > today):
            soon.append(event)
        else:
            past.append(event)
    return Events(tuple(now), tuple(soon), tuple(reversed(past)))


def current_round(tournament: Tournament) -> Round | None:
    """The round that runs, else the next published one, else the last closed one; drafts are not public."""
    rounds = tournament.rounds.select_related("stage", "tournament")
    return (
        rounds.filter(status=RoundStatus.RUNNING).first()
        or rounds.filter(status=RoundStatus.PUBLISHED).order_by("number").first()
        or rounds.filter(status=RoundStatus.CLOSED).order_by("-number").first()
    )


def public_rounds(tournament: Tournament) -> list[Round]:
    """Rounds with a published pairing, in order."""
    return list(tournament.rounds.filter(status__in=VISIBLE_ROUNDS).select_related("stage").order_by("number"))


def round_matches(round_: Round) -> list[Match]:
    """The matches of a round that stand, with entrants; `sittings.all()` (the active ones, with table) is at hand."""
    active = Sitting.objects.filter(active=True).select_related("table")
    rows = round_.matches.filter(superseded_in=None).select_related("home", "away", "round__tournament")
    return list(rows.prefetch_related(Prefetch("sittings", queryset=active), "places__entrant").order_by("number"))


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One place of a table with the entrant it belongs to. `values` are exact decimal texts by tie-break code.

    `rank` is None for who was ruled out of the placing; `group` None in a stage without groups. `qualifies` is the line
    it is surely within, `prize` its share as an exact text, `undecided` the sentence about a tie that waits.
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
    """The live table of a stage. `run` is None before the first recalculation; `waiting` acts are not in it yet."""

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
    number = Tournament.objects.values_list("stale_number", flat=True).get(pk=stage.tournament_id)
    rows = _with_names(stage.tournament_id, rows_here(stage.tournament, run.rows) if run else [])
    still_open = tuple(open_tables(stage))
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


@dataclass(frozen=True, slots=True)
class EntrantMatch:
    """One match from the side of one entrant: `side` it sits on, its own score and level first."""

    match: Match
    round: Round
    side: str
    opponent: Entrant | None
    table: int | None
    record: Record | None
    place: MatchPlace | None = None

    @property
    def companions(self) -> list[Entrant]:
        """Who else sits at a table of single players."""
        own = self.place
        return [one.entrant for one in self.match.places.all() if own and one.pk != own.pk]

    @property
    def at_home(self) -> bool:
        return self.side == "NS"

    @property
    def own_level(self) -> str:
        if self.place is not None:
            return self.place.level
        return self.match.home_level if self.at_home else self.match.away_level

    @property
    def opponent_level(self) -> str:
        return self.match.away_level if self.at_home else self.match.home_level

    @property
    def own_score(self) -> Any:
        if self.place is not None:
            return self.place.score
        return self.match.home_score if self.at_home else self.match.away_score

    @property
    def opponent_score(self) -> Any:
        return self.match.away_score if self.at_home else self.match.home_score

    @property
    def won(self) -> bool | None:
        """None while undecided, for a draw, a bye and a double forfeit."""
        if self.place is not None:
            return self.place.winner
        if self.match.outcome == MatchOutcome.HOME_FORFEIT:
            return not self.at_home
        if self.match.outcome == MatchOutcome.AWAY_FORFEIT:
            return self.at_home
        return None if not self.match.winner_side else self.match.winner_side == self.side


@dataclass(frozen=True, slots=True)
class EntrantPage:
    """An entrant's way: matches by round, where it plays next, its place now and after each publication."""

    entrant: Entrant
    matches: tuple[EntrantMatch, ...]
    next: EntrantMatch | None
    place: StandingRow | None
    places: tuple[tuple[int, int, bool], ...] = field(default=())


def entrant_page(entrant: Entrant) -> EntrantPage:
    """Everything about one entrant. Hands waiting for confirmation are in no record's `hands`."""
    rows = list(
        Match.objects.filter(
            Q(home=entrant) | Q(away=entrant) | Q(pk__in=entrant.places.values("match")),
            superseded_in=None,
            round__status__in=VISIBLE_ROUNDS,
        )
        .select_related("home", "away", "round__stage", "round__tournament")
        .prefetch_related("places__entrant")
        .order_by("round__number")
    )
    seats = {
        sitting.match_id: sitting
        for sitting in Sitting.objects.filter(match__in=rows, active=True, room="open")
        .select_related("table", "match", "round__tournament", "round__stage")
        .prefetch_related("match__places__entrant")
    }
    folded = {record.sitting.match_id: record for record in records(seats.values())}
    matches = []
    for match in rows:
        at_home = match.home_id == entrant.pk
        seat = seats.get(match.pk)
        own = next((place for place in match.places.all() if place.entrant_id == entrant.pk), None)
        matches.append(
            EntrantMatch(
                match=match,
                round=match.round,
                side=own.place if own else "NS" if at_home else "EW",
                place=own,
                opponent=match.away if at_home else match.home,
                table=seat.table.number if seat else None,
                record=folded.get(match.pk),
            )
        )
    coming = next((one for one in matches if one.match.outcome == MatchOutcome.PENDING), None)
    return EntrantPage(
        entrant=entrant,
        matches=tuple(matches),
        next=coming,
        place=_place_now(entrant),
        places=places_over_rounds(entrant.tournament_id).get(entrant.pk, ()),
    )


def _place_now(entrant: Entrant) -> StandingRow | None:
    run = StandingsRun.objects.filter(stage__tournament=entrant.tournament_id).order_by("-stage__number").first()
    for row in rows_here(entrant.tournament, run.rows) if run else []:
        if int(row["entrant"]) == entrant.pk:
            return StandingRow.of(entrant, row)
    return None


def places_over_rounds(tournament_id: int) -> dict[int, tuple[tuple[int, int, bool], ...]]:
    """Entrant id -> (round number, rank, shared) after every round whose publication stands."""
    places: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    standing = Publication.objects.filter(tournament=tournament_id, superseded_by=None).order_by("round__number")
    for number, document, ids in standing.values_list("round__number", "document", "tournament__origin__ids"):
        for row in rows_in(read_here(document, ids)):
            if row["rank"] is not None:
                places[int(row["entrant"])].append((number, row["rank"], row["shared"]))
    return {entrant: tuple(found) for entrant, found in places.items()}

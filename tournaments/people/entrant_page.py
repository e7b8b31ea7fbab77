"""One entrant's way through the event: its matches, its places, what comes next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from ..acts.origins import rows_here
from ..models import Entrant, Match, MatchOutcome, MatchPlace, Round, Sitting, StandingsRun
from ..rounds.public import VISIBLE_ROUNDS
from ..sittings.records import SittingRecord, records
from ..standings.shown import StandingRow, places_over_rounds


@dataclass(frozen=True, slots=True)
class EntrantMatch:
    """One match from the side of one entrant: `side` it sits on, its own score and level first."""

    match: Match
    round: Round
    side: str
    opponent: Entrant | None
    table: int | None
    record: SittingRecord | None
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

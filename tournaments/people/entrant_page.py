"""One entrant's way through the event, and that of several at once: matches, places, what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from ..acts.origins import rows_here
from ..models import Entrant, Match, MatchOutcome, MatchPlace, Round, Sitting, StandingsRun, Tournament
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
    sitting: Sitting | None = None

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


@dataclass(frozen=True, slots=True)
class FollowedEntrant:
    """One of several entrants: matches by round without their records, the next one, its place now."""

    entrant: Entrant
    matches: tuple[EntrantMatch, ...]
    next: EntrantMatch | None
    place: StandingRow | None


def entrant_page(entrant: Entrant) -> EntrantPage:
    """Everything about one entrant. Hands waiting for confirmation are in no record's `hands`."""
    rows = _matches_of([entrant])
    seats = _seats_of(rows)
    folded = {record.sitting.match_id: record for record in records(seats.values())}
    matches = tuple(_from_side(match, entrant, seats.get(match.pk), folded.get(match.pk)) for match in rows)
    return EntrantPage(
        entrant=entrant,
        matches=matches,
        next=_coming(matches),
        place=_places_now(entrant.tournament, [entrant]).get(entrant.pk),
        places=places_over_rounds(entrant.tournament_id).get(entrant.pk, ()),
    )


def followed_entrants(event: Tournament, entrants: Sequence[Entrant]) -> list[FollowedEntrant]:
    """The ways of several entrants of an event, in their order; as many queries as for one."""
    rows = _matches_of(entrants)
    seats, places = _seats_of(rows), _places_now(event, entrants)
    found = []
    for one in entrants:
        own = (match for match in rows if one.pk in _who_plays(match))
        matches = tuple(_from_side(match, one, seats.get(match.pk)) for match in own)
        found.append(FollowedEntrant(one, matches, _coming(matches), places.get(one.pk)))
    return found


def _who_plays(match: Match) -> set[int | None]:
    return {match.home_id, match.away_id, *(place.entrant_id for place in match.places.all())}


def _matches_of(entrants: Sequence[Entrant]) -> list[Match]:
    """The public matches of these entrants, by round."""
    playing = MatchPlace.objects.filter(entrant__in=entrants).values("match")
    return list(
        Match.objects.filter(
            Q(home__in=entrants) | Q(away__in=entrants) | Q(pk__in=playing),
            superseded_in=None,
            round__status__in=VISIBLE_ROUNDS,
        )
        .select_related("home", "away", "round__stage", "round__tournament")
        .prefetch_related("places__entrant")
        .order_by("round__number")
    )


def _seats_of(matches: Sequence[Match]) -> dict[int, Sitting]:
    """Where each match is played; of two rooms the open one."""
    rows = Sitting.objects.filter(match__in=matches, active=True, room="open")
    rows = rows.select_related("table", "match", "round__tournament", "round__stage")
    return {sitting.match_id: sitting for sitting in rows.prefetch_related("match__places__entrant")}


def _from_side(
    match: Match, entrant: Entrant, seat: Sitting | None, record: SittingRecord | None = None
) -> EntrantMatch:
    at_home = match.home_id == entrant.pk
    own = next((place for place in match.places.all() if place.entrant_id == entrant.pk), None)
    return EntrantMatch(
        match=match,
        round=match.round,
        side=own.place if own else "NS" if at_home else "EW",
        place=own,
        opponent=match.away if at_home else match.home,
        table=seat.table.number if seat else None,
        record=record,
        sitting=seat,
    )


def _coming(matches: Sequence[EntrantMatch]) -> EntrantMatch | None:
    return next((one for one in matches if one.match.outcome == MatchOutcome.PENDING), None)


def _places_now(event: Tournament, entrants: Sequence[Entrant]) -> dict[int, StandingRow]:
    """Where these entrants stand in the last stage that has a table."""
    run = StandingsRun.objects.filter(stage__tournament=event).order_by("-stage__number").first()
    wanted = {one.pk: one for one in entrants}
    rows = ((int(row["entrant"]), row) for row in (rows_here(event, run.rows) if run else []))
    return {number: StandingRow.of(wanted[number], row) for number, row in rows if number in wanted}

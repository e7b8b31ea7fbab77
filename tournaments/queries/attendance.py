"""Who is there: the roll call of an event or a round, and who is late at which table.

An entrant counts as there from its check-in for the round, from the moment its phone claimed its place, or at the
latest when a hand of its table was entered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..models import (
    CheckIn,
    Device,
    Entrant,
    LedgerEntry,
    Match,
    MatchOutcome,
    Round,
    RoundStatus,
    Ruling,
    RulingStatus,
    Sitting,
    Tournament,
)

MINUTE = timedelta(minutes=1)
#: Irregularities that say that somebody was not there in time.
LATENESS = ("late", "absent")


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant of the roll call. `table` and `side` are where it plays in the round; `bye`: it sits out.

    `seated_at`: when its phone took its place at the table, which needs no check-in.
    """

    entrant: Entrant
    check_in: CheckIn | None
    table: int | None = None
    side: str = ""
    bye: bool = False
    seated_at: datetime | None = None

    @property
    def there(self) -> bool:
        return self.check_in is not None or self.seated_at is not None


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a table and how late it is: in whole minutes, since the start of the round.

    `arrived_at` None: nobody has seen it; `ruled`: a ruling on its lateness stands in the log.
    """

    side: str
    entrant: Entrant
    arrived_at: datetime | None
    minutes: int
    ruled: bool

    @property
    def missing(self) -> bool:
        return self.arrived_at is None


@dataclass(frozen=True, slots=True)
class LateTable:
    """A table at which somebody is or was late."""

    sitting: Sitting
    parties: tuple[Party, ...]

    @property
    def incomplete(self) -> bool:
        """Somebody is still waited for."""
        return any(party.missing for party in self.parties)

    @property
    def both_missing(self) -> bool:
        return len(self.parties) > 1 and all(party.missing for party in self.parties)


def round_up(tournament: Tournament) -> Round | None:
    """The round that people come to now: the one that runs, else the earliest published one."""
    rounds = tournament.rounds.select_related("stage", "tournament")
    return (
        rounds.filter(status=RoundStatus.RUNNING).first()
        or rounds.filter(status=RoundStatus.PUBLISHED).order_by("number").first()
    )


def standing_check_in(entrant_id: int, round_: Round | None) -> CheckIn | None:
    """The check-in of an entrant that was not undone, for the round or (None) for the event."""
    return CheckIn.objects.filter(entrant=entrant_id, round=round_, undone_at=None).first()


def roll(tournament: Tournament, round_: Round | None) -> list[Row]:
    """Everybody who is expected, by number: at the event, or in a round those who are paired in it."""
    entrants = list(tournament.entrants.filter(withdrawn_at=None).prefetch_related("players").order_by("number"))
    present = {
        row.entrant_id: row
        for row in CheckIn.objects.filter(entrant__tournament=tournament, round=round_, undone_at=None).select_related(
            "noted_by"
        )
    }
    if round_ is None:
        return [Row(one, present.get(one.pk)) for one in entrants]
    places = _places(round_)
    seated = _seated_at(round_)
    return [
        Row(one, present.get(one.pk), *places[one.pk], bye=places[one.pk][0] is None, seated_at=seated.get(one.pk))
        for one in entrants
        if one.pk in places
    ]


def _places(round_: Round) -> dict[int, tuple[int | None, str]]:
    """Where everybody paired in a round sits, by entrant: table and side; a bye has neither."""
    places: dict[int, tuple[int | None, str]] = {}
    matches = Match.objects.filter(round=round_, superseded_in=None).prefetch_related("places")
    tables = dict(
        Sitting.objects.filter(round=round_, active=True)
        .order_by("-room", "-game")
        .values_list("match", "table__number")
    )
    for match in matches:
        for entrant, side in _parties(match):
            places[entrant] = (tables.get(match.pk), side if match.pk in tables else "")
    return places


def _parties(match: Match) -> list[tuple[int, str]]:
    if match.individual:
        return [(place.entrant_id, place.place) for place in match.places.all()]
    sides = ((match.home_id, "NS"), (match.away_id, "EW"))
    return [(entrant, side) for entrant, side in sides if entrant is not None]


def late_tables(round_: Round, now: datetime) -> list[LateTable]:
    """Tables of a running round with a side that is not there yet or came after the start, by number."""
    if round_.status != RoundStatus.RUNNING or round_.started_at is None:
        return []
    sittings = list(
        Sitting.objects.filter(round=round_, active=True, room="open", game=1)
        .select_related("match__home", "match__away", "table")
        .prefetch_related("match__places__entrant")
        .order_by("table__number")
    )
    seen = _arrivals(round_)
    played = set(LedgerEntry.objects.filter(sitting__round=round_).values_list("sitting", flat=True))
    ruled = _ruled(round_)
    found = []
    for sitting in sittings:
        open_ = sitting.match.outcome == MatchOutcome.PENDING and sitting.pk not in played
        parties = []
        for entrant, side in _seated(sitting.match):
            arrived = _first(seen["check_in"].get(entrant.pk), seen["phone"].get((sitting.pk, side)))
            if arrived is None and not open_:
                continue
            minutes = max(0, ((arrived or now) - round_.started_at) // MINUTE)
            if minutes:
                parties.append(Party(side, entrant, arrived, minutes, (sitting.pk, side) in ruled))
        if parties:
            found.append(LateTable(sitting, tuple(parties)))
    return found


def _seated(match: Match) -> list[tuple[Entrant, str]]:
    if match.individual:
        return [(place.entrant, place.place) for place in match.places.all()]
    sides = ((match.home, "NS"), (match.away, "EW"))
    return [(entrant, side) for entrant, side in sides if entrant is not None]


def _arrivals(round_: Round) -> Mapping[str, Mapping[object, datetime]]:
    """When everybody was first seen: by check-in (entrant), by phone (sitting and side)."""
    check_ins = CheckIn.objects.filter(round=round_, undone_at=None).values_list("entrant", "arrived_at")
    phones: dict[object, datetime] = {}
    rows = Device.objects.filter(sitting__round=round_).order_by("-claimed_at")
    for sitting, side, at in rows.values_list("sitting", "side", "claimed_at"):
        phones[sitting, side] = at
    return {"check_in": dict(check_ins), "phone": phones}


def _seated_at(round_: Round) -> dict[int, datetime]:
    """When the first phone of an entrant took its place in a round, by entrant."""
    phones = _arrivals(round_)["phone"]
    sittings = Sitting.objects.filter(round=round_, active=True).select_related("match").order_by("pk")
    seated: dict[int, datetime] = {}
    for sitting in sittings.prefetch_related("match__places"):
        for entrant, side in _parties(sitting.match):
            if sitting.home_side == "EW" and not sitting.match.individual:
                side = "EW" if side == "NS" else "NS"
            at = _first(phones.get((sitting.pk, side)), seated.get(entrant))
            if at is not None:
                seated[entrant] = at
    return seated


def _first(*moments: datetime | None) -> datetime | None:
    return min((one for one in moments if one is not None), default=None)


def _ruled(round_: Round) -> set[tuple[int, str]]:
    rulings = Ruling.objects.filter(sitting__round=round_).exclude(status=RulingStatus.CANCELLED)
    found = rulings.values_list("sitting", "side", "facts")
    return {(sitting, side) for sitting, side, facts in found if facts.get("irregularity") in LATENESS}


def missing_by_table(rows: list[Row]) -> list[tuple[int, list[Row]]]:
    """Who of the roll call is not there, by table."""
    tables: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row.table is not None and not row.there:
            tables[row.table].append(row)
    return sorted(tables.items())

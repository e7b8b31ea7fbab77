"""Who is there: the roll call of an event or a round, and who is late at which table.

An entrant counts as there from its check-in for the round, or from the moment its phone claimed its place. Nobody is
waited for at a table where a hand was entered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

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
class RollRow:
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

    @property
    def found_by(self) -> str:
        """What somebody types to find it: its number, names and unit, and the names of its players."""
        who = self.entrant
        own = (str(who.number), who.name, who.name_latin, who.unit)
        return " ".join((*own, *(name for one in who.players.all() for name in (one.name, one.name_latin))))


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
        if self.sitting.match.individual:
            return False
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


def roll(tournament: Tournament, round_: Round | None) -> list[RollRow]:
    """Everybody who is expected, by number: at the event, or in a round those who are paired in it."""
    entrants = list(tournament.entrants.filter(withdrawn_at=None).prefetch_related("players").order_by("number"))
    present = {
        row.entrant_id: row
        for row in CheckIn.objects.filter(entrant__tournament=tournament, round=round_, undone_at=None).select_related(
            "noted_by"
        )
    }
    if round_ is None:
        return [RollRow(one, present.get(one.pk)) for one in entrants]
    # of two rooms the open one, where the match stands in the pairing
    sittings = list(_sittings(round_).order_by("-room", "game"))
    places, seated = _places(round_, sittings), _seated_at(round_, sittings)
    return [
        RollRow(one, present.get(one.pk), *places[one.pk], bye=places[one.pk][0] is None, seated_at=seated.get(one.pk))
        for one in entrants
        if one.pk in places
    ]


def _places(round_: Round, sittings: Sequence[Sitting]) -> dict[int, tuple[int | None, str]]:
    """Where everybody paired in a round sits, by entrant: table and side of the first of its sittings; a bye has
    neither."""
    byes = Match.objects.filter(round=round_, superseded_in=None, away=None, home__isnull=False)
    places: dict[int, tuple[int | None, str]] = dict.fromkeys(byes.values_list("home", flat=True), (None, ""))
    for sitting in sittings:
        for side, entrant in _seated(sitting):
            places.setdefault(entrant.pk, (sitting.table.number, side))
    return places


def _sittings(round_: Round) -> QuerySet[Sitting]:
    """The tables in play of a round, with who sits there."""
    rows = Sitting.objects.filter(round=round_, active=True).select_related("match__home", "match__away", "table")
    return rows.prefetch_related("match__places__entrant").order_by("table__number")


def _seated(sitting: Sitting) -> list[tuple[str, Entrant]]:
    """Who sits at a table, by side or place."""
    if sitting.match.individual:
        return [(place.place, place.entrant) for place in sitting.match.places.all()]
    sides = (("NS", sitting.north_south), ("EW", sitting.east_west))
    return [(side, entrant) for side, entrant in sides if entrant is not None]


def late_tables(round_: Round, now: datetime) -> list[LateTable]:
    """Tables of a running round with a side that is not there yet or came after the start, by number."""
    if round_.status != RoundStatus.RUNNING or round_.started_at is None:
        return []
    check_ins = dict(CheckIn.objects.filter(round=round_, undone_at=None).values_list("entrant", "arrived_at"))
    phones = _phones(round_)
    entered = LedgerEntry.objects.filter(sitting__round=round_).order_by()
    played = set(entered.values_list("sitting", flat=True).distinct())
    ruled = _ruled(round_)
    found = []
    for sitting in _sittings(round_).filter(room="open", game=1):
        open_ = sitting.match.outcome == MatchOutcome.PENDING and sitting.pk not in played
        parties = []
        for side, entrant in _seated(sitting):
            arrived = _first(check_ins.get(entrant.pk), phones.get((sitting.pk, side)))
            if arrived is None and not open_:
                continue
            minutes = max(0, ((arrived or now) - round_.started_at) // MINUTE)
            if minutes:
                parties.append(Party(side, entrant, arrived, minutes, (sitting.pk, side) in ruled))
        if parties:
            found.append(LateTable(sitting, tuple(parties)))
    return found


def incomplete_tables(round_: Round, now: datetime) -> int:
    """At how many tables somebody is not there yet (`LateTable.incomplete`), read in a few columns of each."""
    if round_.tournament.individual:
        return sum(table.incomplete for table in late_tables(round_, now))
    if round_.status != RoundStatus.RUNNING or round_.started_at is None or now - round_.started_at < MINUTE:
        return 0
    there = set(CheckIn.objects.filter(round=round_, undone_at=None).values_list("entrant", flat=True))
    phones = _phones(round_)
    rows = Sitting.objects.filter(round=round_, active=True, room="open", game=1, match__outcome=MatchOutcome.PENDING)
    open_ = rows.filter(~Exists(LedgerEntry.objects.filter(sitting=OuterRef("pk")))).order_by()
    found = 0
    for sitting, home_side, home, away in open_.values_list("pk", "home_side", "match__home", "match__away"):
        away_side = "EW" if home_side == "NS" else "NS"
        sides = ((home_side, home), (away_side, away))
        found += any(
            entrant is not None and entrant not in there and (sitting, side) not in phones for side, entrant in sides
        )
    return found


def _phones(round_: Round) -> dict[tuple[int, str], datetime]:
    """When the first phone took its place, by sitting and side."""
    rows = Device.objects.filter(sitting__round=round_).order_by("-claimed_at")
    return {(sitting, side): at for sitting, side, at in rows.values_list("sitting", "side", "claimed_at")}


def _seated_at(round_: Round, sittings: Sequence[Sitting]) -> dict[int, datetime]:
    """When the first phone of an entrant took its place in a round, by entrant."""
    phones = _phones(round_)
    seated: dict[int, datetime] = {}
    for sitting in sittings:
        for side, entrant in _seated(sitting):
            at = _first(phones.get((sitting.pk, side)), seated.get(entrant.pk))
            if at is not None:
                seated[entrant.pk] = at
    return seated


def _first(*moments: datetime | None) -> datetime | None:
    return min((one for one in moments if one is not None), default=None)


def _ruled(round_: Round) -> set[tuple[int, str]]:
    rulings = Ruling.objects.filter(sitting__round=round_).exclude(status=RulingStatus.CANCELLED)
    found = rulings.values_list("sitting", "side", "facts")
    return {(sitting, side) for sitting, side, facts in found if facts.get("irregularity") in LATENESS}


def missing_by_table(rows: list[RollRow]) -> list[tuple[int, list[RollRow]]]:
    """Who of the roll call is not there, by table."""
    tables: dict[int, list[RollRow]] = defaultdict(list)
    for row in rows:
        if row.table is not None and not row.there:
            tables[row.table].append(row)
    return sorted(tables.items())

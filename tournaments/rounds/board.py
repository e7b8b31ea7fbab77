"""What officials read: their events, the board of a round, the queue, the history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from ..ledger.disputes import PENDING, Claim, claims_among, differing, judged, matters
from ..models import (
    AppealState,
    Call,
    CallKind,
    Correction,
    Device,
    Entrant,
    EntrantCode,
    EntryStatus,
    HistoryEntry,
    Invitation,
    LedgerEntry,
    Match,
    MatchOutcome,
    Official,
    PartyCode,
    Publication,
    Round,
    RoundStatus,
    Ruling,
    Sitting,
    SittingPhase,
    Tournament,
    User,
)
from ..rulings.reads import undecided
from ..sittings.records import ledgers_of

SLOW_AFTER = timedelta(minutes=12)


@dataclass(frozen=True, slots=True)
class HeldEvent:
    """An event and the offices a person holds in it (shown names)."""

    tournament: Tournament
    offices: tuple[str, ...]


def events_of(user: User) -> list[HeldEvent]:
    """The events in which a person holds an office, newest first."""
    held: dict[int, list[str]] = defaultdict(list)
    events: dict[int, Tournament] = {}
    rows = Official.objects.filter(user=user, revoked_at=None).select_related("tournament")
    for official in rows.order_by("-tournament__created_at", "-tournament__pk", "office"):
        events[official.tournament_id] = official.tournament
        held[official.tournament_id].append(official.get_office_display())
    return [HeldEvent(event, tuple(held[pk])) for pk, event in events.items()]


def rounds_of(tournament: Tournament) -> list[Round]:
    """All rounds, with their stages, in order."""
    return list(tournament.rounds.select_related("stage").order_by("number"))


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """All entrants with their players, in order of number."""
    return list(tournament.entrants.prefetch_related("players").order_by("number"))


def officials_of(tournament: Tournament) -> list[Official]:
    """Everybody who holds an office now, with tables."""
    rows = tournament.officials.filter(revoked_at=None).select_related("user").prefetch_related("tables")
    return list(rows.order_by("office", "appointed_at", "pk"))


def invitations_of(tournament: Tournament) -> list[Invitation]:
    """Who was asked into an office and has not answered."""
    return list(_invitations(tournament=tournament))


def invitations_for(person: User) -> list[Invitation]:
    """The offices this person was asked into and has not answered."""
    return list(_invitations(user=person))


def _invitations(**where: Any) -> QuerySet[Invitation]:
    waiting = Invitation.objects.filter(ended_at=None, **where).order_by("invited_at", "pk")
    return waiting.select_related("user", "tournament").prefetch_related("tables")


def publications_with(entry: LedgerEntry) -> list[Publication]:
    """The publications that stand and in which a hand already counted: those of its round or a later one."""
    round_ = entry.sitting.round
    rows = Publication.objects.filter(
        tournament=entry.tournament_id, stage=round_.stage_id, round__number__gte=round_.number, superseded_by=None
    )
    return list(rows.select_related("round").order_by("number"))


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the board. `state` is the cached fold; `last` the newest entry that counts; `claims` are the
    accounts of a hand in dispute, also where each was sent back."""

    sitting: Sitting
    match: Match
    waiting: LedgerEntry | None
    contesting: LedgerEntry | None
    claims: tuple[LedgerEntry, ...]
    differing: tuple[str, ...]
    calls: tuple[Call, ...]
    devices: Mapping[str, Device]
    last: LedgerEntry | None
    since: datetime | None

    @property
    def table(self) -> int:
        return self.sitting.table.number

    @property
    def home(self) -> Entrant | None:
        """Who sits North–South."""
        return self.sitting.north_south

    @property
    def away(self) -> Entrant | None:
        """Who sits East–West."""
        return self.sitting.east_west

    @property
    def phase(self) -> str:
        return str(self.sitting.phase)

    @property
    def state(self) -> Mapping[str, Any]:
        return self.sitting.state

    @property
    def slow_from(self) -> datetime | None:
        """When the table counts as slow; None once it is finished or when nothing has begun."""
        if self.since is None or self.sitting.phase == SittingPhase.FINISHED:
            return None
        return self.since + SLOW_AFTER


@dataclass(frozen=True, slots=True)
class Glance:
    """A table of a round as far as the board needs all of them: how many are in which state, which ones call somebody.
    `waits`: a hand waits for its confirmation."""

    sitting: int
    table: int
    phase: str
    outcome: str
    since: datetime | None
    waits: bool
    called: bool
    hand_no: int

    def calls_somebody(self, now: datetime) -> bool:
        """Whether it may stand among what waits for an official."""
        slow = self.since is not None and self.phase != SittingPhase.FINISHED and self.since + SLOW_AFTER <= now
        return slow or self.called or self.phase == SittingPhase.DISPUTED


def glance(round_: Round) -> list[Glance]:
    """Every table of a round by number, in three queries that read a few columns."""
    places = Sitting.objects.filter(round=round_, active=True)
    columns = ("pk", "table__number", "phase", "match__outcome", "changed_at", "hand_no")
    rows = places.order_by("table__number").values_list(*columns)
    at_round = {"sitting__round": round_, "sitting__active": True}
    calls = Call.objects.filter(**at_round, closed_at=None).order_by().values_list("sitting", flat=True)
    waiting = LedgerEntry.objects.filter(**at_round, status=EntryStatus.WAITING)
    called, waits = set(calls), set(waiting.order_by().values_list("sitting", flat=True))
    return [
        Glance(pk, table, phase, outcome, since or round_.started_at, pk in waits, pk in called, hand_no)
        for pk, table, phase, outcome, since, hand_no in rows
    ]


def tiles_of(round_: Round, among: Collection[int] | None = None) -> list[Tile]:
    """Every table of a round (of those `among`: ids of sittings) by number, in six queries however many there are."""
    rows = (
        Sitting.objects.filter(round=round_, active=True)
        .select_related("table", "match__home", "match__away", "round__tournament", "round__stage")
        .prefetch_related("match__places__entrant")
        .order_by("table__number")
    )
    places = list(rows if among is None else rows.filter(pk__in=among))
    found: dict[int, list[LedgerEntry]] = defaultdict(list)
    for entry in _newest_entries(places):
        found[entry.sitting_id].append(entry)
    calls: dict[int, list[Call]] = defaultdict(list)
    for call in Call.objects.filter(sitting__in=places, closed_at=None).select_related("taken_by"):
        calls[call.sitting_id].append(call)
    devices: dict[int, dict[str, Device]] = defaultdict(dict)
    for device in Device.objects.filter(sitting__in=places, released_at=None):
        devices[device.sitting_id][device.side] = device
    tiles = []
    for sitting in places:
        entries = {entry.status: entry for entry in found[sitting.pk]}
        waiting, contesting = entries.get(EntryStatus.WAITING), entries.get(EntryStatus.CONTESTING)
        disputed = sitting.phase == SittingPhase.DISPUTED
        claims = claims_among(sitting, found[sitting.pk]) if disputed else ()
        tiles.append(
            Tile(
                sitting=sitting,
                match=sitting.match,
                waiting=waiting,
                contesting=contesting,
                claims=claims,
                differing=differing(claims),
                calls=tuple(calls[sitting.pk]),
                devices=devices[sitting.pk],
                last=entries.get(EntryStatus.EFFECTIVE),
                since=sitting.changed_at or round_.started_at,
            )
        )
    return tiles


def _newest_entries(places: Sequence[Sitting]) -> QuerySet[LedgerEntry]:
    """What waits or contests at these sittings, the newest entry of each that counts, and what was sent back of a hand
    in dispute."""
    rows = LedgerEntry.objects.filter(sitting__in=places).select_related("entered_by")
    counting = LedgerEntry.objects.filter(sitting=OuterRef("sitting"), status=EntryStatus.EFFECTIVE)
    newest = counting.order_by("-position").values("position")[:1]
    counts = Q(status=EntryStatus.EFFECTIVE, position=Subquery(newest))
    back = Q(status=EntryStatus.RETURNED, hand_no=F("sitting__hand_no"), sitting__phase=SittingPhase.DISPUTED)
    return rows.filter(counts | back | Q(status__in=PENDING)).order_by("pk")


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits for an official. `kind`: dispute, objection, call, appeal, ruling, second_official,
    unfinished (a match open in a closed round), slow.

    A dispute carries the accounts with what each would give, the fields that differ, and whether the difference
    changes levels or dealer (`matters`; None when that cannot be told).
    """

    kind: str
    since: datetime
    table: int
    sitting: Sitting
    call: Call | None = None
    correction: Correction | None = None
    ruling: Ruling | None = None
    claims: tuple[Claim, ...] = ()
    differing: tuple[str, ...] = ()
    matters: bool | None = None


_KINDS = (("dispute",), ("objection", "call"), ("appeal", "ruling", "second_official", "unfinished"), ("slow",))
_ORDER = {kind: place for place, kinds in enumerate(_KINDS) for kind in kinds}


def queue(tournament: Tournament, now: datetime, *, running: Sequence[Tile] | None = None) -> list[Waiting]:
    """What waits for an official: disputes, calls and objections, rulings and second officials, calls and matches left
    open in a closed round, slow tables. `running` is the board of the round that runs, where it was read already: at
    least its tables that call somebody (`Glance.calls_somebody`)."""
    items: list[Waiting] = []
    tiles = _running_board(tournament) if running is None else running
    disputed = {tile.sitting.pk for tile in tiles if _in_dispute(tile)}
    ledgers = ledgers_of(disputed)
    for tile in tiles:
        if tile.sitting.pk in disputed:
            items.append(_dispute(tile, ledgers[tile.sitting.pk], now))
        for call in tile.calls:
            if call.kind != CallKind.DISPUTE:
                items.append(Waiting(str(call.kind), call.called_at, tile.table, tile.sitting, call=call))
        slow = tile.slow_from is not None and tile.slow_from <= now
        if slow and tile.since is not None and not tile.calls and tile.sitting.pk not in disputed:
            items.append(Waiting("slow", tile.since, tile.table, tile.sitting))
    for call in _calls_left_open(tournament):
        items.append(Waiting(str(call.kind), call.called_at, call.sitting.table.number, call.sitting, call=call))
    proposed = Correction.objects.filter(
        entry__tournament=tournament, status=Correction.Status.PROPOSED
    ).select_related("entry__sitting__table", "entry__sitting__round", "proposed_by")
    for correction in proposed:
        sitting = correction.entry.sitting
        items.append(
            Waiting("second_official", correction.proposed_at, sitting.table.number, sitting, correction=correction)
        )
    for ruling in undecided(tournament):
        kind = "appeal" if ruling.appeal == AppealState.LODGED else "ruling"
        since = max(act.at for act in ruling.acts.all())
        items.append(Waiting(kind, since, ruling.sitting.table.number, ruling.sitting, ruling=ruling))
    open_ = Sitting.objects.filter(
        round__tournament=tournament,
        round__status=RoundStatus.CLOSED,
        active=True,
        match__superseded_in=None,
        match__outcome=MatchOutcome.PENDING,
    )
    for sitting in open_.select_related("table", "round"):
        items.append(Waiting("unfinished", sitting.changed_at or now, sitting.table.number, sitting))
    return sorted(items, key=lambda item: (_ORDER[item.kind], item.since, item.table))


def _running_board(tournament: Tournament) -> list[Tile]:
    found = tournament.rounds.filter(status=RoundStatus.RUNNING).select_related("stage", "tournament").first()
    return tiles_of(found) if found else []


def _calls_left_open(tournament: Tournament) -> QuerySet[Call]:
    """Calls of rounds that are closed: as long as they are open, the live table is provisional."""
    closed = {"sitting__round__tournament": tournament, "sitting__round__status": RoundStatus.CLOSED}
    rows = Call.objects.filter(**closed, sitting__active=True, closed_at=None)
    return rows.select_related("taken_by", "sitting__table", "sitting__round__tournament")


def _in_dispute(tile: Tile) -> bool:
    return tile.phase == SittingPhase.DISPUTED or any(call.kind == CallKind.DISPUTE for call in tile.calls)


def _dispute(tile: Tile, ledger: Sequence[Mapping[str, Any]], now: datetime) -> Waiting:
    call = next((call for call in tile.calls if call.kind == CallKind.DISPUTE), None)
    claims = tuple(judged(tile.sitting, ledger, entry) for entry in tile.claims)
    return Waiting(
        kind="dispute",
        since=call.called_at if call else tile.since or now,
        table=tile.table,
        sitting=tile.sitting,
        call=call,
        claims=claims,
        differing=tile.differing,
        matters=matters(claims),
    )


def just_recorded(round_: Round, limit: int = 10) -> list[LedgerEntry]:
    """The newest entries of a round that count."""
    rows = LedgerEntry.objects.filter(sitting__round=round_, status=EntryStatus.EFFECTIVE)
    rows = rows.select_related("sitting__table", "entered_by", "confirmed_by")
    return list(rows.order_by("-entered_at", "-pk")[:limit])


def history(tournament: Tournament, *, after: int | None = None, limit: int = 50) -> list[HistoryEntry]:
    """Acts, newest first; `after` is the id of the last row of the page before."""
    rows = tournament.history_entries.select_related("user", "sitting__table", "sitting__round", "round")
    if after is not None:
        rows = rows.filter(pk__lt=after)
    return list(rows.order_by("-pk")[:limit])


def own_codes_of(tournament: Tournament) -> list[EntrantCode]:
    """The valid own codes of the entrants, by number."""
    rows = EntrantCode.objects.filter(entrant__tournament=tournament, revoked_at=None).select_related("entrant")
    return list(rows.order_by("entrant__number"))


def codes_of(tournament: Tournament) -> list[PartyCode]:
    """The valid party codes by table and side (NS first)."""
    rows = PartyCode.objects.filter(table__tournament=tournament, revoked_at=None).select_related("table")
    return sorted(rows, key=lambda code: (code.table.number, code.side != "NS"))

"""What everybody reads: events, the current round, standings joined with names, an entrant's way through the event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Min, Prefetch, Q

from ..models import (
    Entrant,
    Match,
    Round,
    RoundStatus,
    Sitting,
    Stage,
    Tournament,
)

VISIBLE_ROUNDS = (RoundStatus.PUBLISHED, RoundStatus.RUNNING, RoundStatus.CLOSED)


@dataclass(frozen=True, slots=True)
class Events:
    """Events by when they are: a round runs, ended lately or it is their day; later; and over."""

    now: tuple[Tournament, ...]
    soon: tuple[Tournament, ...]
    past: tuple[Tournament, ...]


#: Between two days of an event it is still on; so is one that ended yesterday.
_STILL_ON: Final = timedelta(days=1)


def events(at: datetime) -> Events:
    """All events in three lists; soon ones by day, past ones newest first."""
    rounds = Round.objects.order_by()
    running = set(rounds.filter(status=RoundStatus.RUNNING).values_list("tournament_id", flat=True))
    lately = Q(closed_at__gt=at - 2 * _STILL_ON) | Q(closed_at__isnull=False, tournament__starts_on=None)
    ended = dict(rounds.filter(lately).values_list("tournament_id").annotate(Max("closed_at")))
    now, soon, past = [], [], []
    for event in Tournament.objects.order_by("starts_on", "pk"):
        zone, last = ZoneInfo(event.timezone), ended.get(event.pk)
        today, played = at.astimezone(zone).date(), last and last.astimezone(zone).date()
        on_now = event.pk in running or event.starts_on == today or (played and today - played <= _STILL_ON)
        if event.closed_at is None and on_now:
            now.append(event)
        elif event.closed_at is None and (event.starts_on > today if event.starts_on else played is None):
            soon.append(event)
        else:
            past.append(event)
    return Events(tuple(now), tuple(soon), tuple(reversed(past)))


@dataclass(frozen=True, slots=True)
class EventFacts:
    """An event in a line: how many take part, its first stage, how many rounds are planned, the round that runs."""

    entered: int
    stage: Stage | None
    rounds: int
    running: int | None


def facts_of(events: Collection[Tournament]) -> dict[int, EventFacts]:
    """The facts of each event by its id, in three queries however many there are."""
    ids = [event.pk for event in events]
    taking_part = Entrant.objects.filter(tournament__in=ids, withdrawn_at=None).order_by()
    entered = dict(taking_part.values_list("tournament").annotate(Count("pk")))
    running = dict(
        Round.objects.filter(tournament__in=ids, status=RoundStatus.RUNNING)
        .order_by("-number")
        .values_list("tournament_id", "number")
    )
    stages: dict[int, list[Stage]] = defaultdict(list)
    for stage in Stage.objects.filter(tournament__in=ids).order_by("tournament_id", "number"):
        stages[stage.tournament_id].append(stage)
    return {
        one: EventFacts(
            entered=entered.get(one, 0),
            stage=next(iter(stages[one]), None),
            rounds=sum(stage.rounds_planned for stage in stages[one]),
            running=running.get(one),
        )
        for one in ids
    }


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


def round_matches(round_: Round, among: Collection[int] | None = None) -> list[Match]:
    """The matches of a round that stand (of those `among`: ids), with entrants; `sittings.all()` (the active ones, with
    table) is at hand."""
    active = Sitting.objects.filter(active=True).select_related("table")
    rows = round_.matches.filter(superseded_in=None).select_related("home", "away", "round__tournament")
    if among is not None:
        rows = rows.filter(pk__in=among)
    return list(rows.prefetch_related(Prefetch("sittings", queryset=active), "places__entrant").order_by("number"))


@dataclass(frozen=True, slots=True)
class Seen:
    """A table of a round as far as the map of the hall shows it."""

    table: int
    phase: str
    outcome: str
    hand_no: int


def tables_of(round_: Round) -> list[Seen]:
    """Every table at which a match of the round stands, in one query that reads a few columns."""
    rows = Sitting.objects.filter(round=round_, active=True, match__superseded_in=None).order_by("table__number")
    return [Seen(*row) for row in rows.values_list("table__number", "phase", "match__outcome", "hand_no")]


def matches_by_table(round_: Round) -> list[int]:
    """The ids of the matches of a round that stand, by table, byes last."""
    table = Min("sittings__table__number", filter=Q(sittings__active=True))
    rows = round_.matches.filter(superseded_in=None).annotate(first_table=table)
    return list(rows.order_by(F("first_table").asc(nulls_last=True), "number").values_list("pk", flat=True))

"""What pages cost with a thousand entrants beside sixteen: the board of officials, public standings, the screen.

Processor time of one page as Django makes it for somebody who asks again after one hand of one table has moved: twelve
rounds are played and closed, a thirteenth runs. The address asked for is that of the page without a query.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from itertools import count

from django.test import Client
from django.utils import timezone

from scoring.sittings.fold import start
from scoring.sittings.states import Opening
from scoring.values import Level, Seat, Side
from tests.bench.report import Figure, in_turn
from tests.bench.standings import ROUNDS, played_stage
from tests.tournaments.factories import official, signed_in
from tournaments.acts.doorbell import mark_stale
from tournaments.models import Match, Office, Round, Sitting, Stage, Table, Tournament
from tournaments.sittings.ledgers import cached_state
from tournaments.standings.runs import recalculate

FEW, MANY, GOAL = 16, 1_000, 2.0


def measure() -> list[Figure]:
    few, many = (_event(size) for size in (FEW, MANY))
    return [
        _beside(what, few, many, path, desk=desk)
        for what, path, desk in (
            ("desk board", "/desk/{}/", True),
            ("public standings", "/en/e/{}/standings/", False),
            ("screen", "/en/e/{}/screen/", False),
        )
    ]


def _beside(what: str, few: Tournament, many: Tournament, path: str, *, desk: bool) -> Figure:
    limit, ours = in_turn(*(_asks(event, path, desk=desk) for event in (few, many)), times=9, clock=time.process_time)
    return Figure(
        f"P14 {what}, {MANY:,} entrants / {FEW}",
        f"{ours * 1000:.0f} ms",
        f"{limit * 1000:.1f} ms",
        ours / limit,
        GOAL,
        less=True,
    )


def _asks(event: Tournament, path: str, *, desk: bool) -> Callable[[], None]:
    client = signed_in(official(event, Office.ORGANISER), "en") if desk else Client()
    moved = Sitting.objects.filter(match__round__tournament=event).first()
    hands = count(2)

    def ask() -> None:
        Sitting.objects.filter(pk=moved.pk).update(hand_no=next(hands))
        answer = client.get(path.format(event.slug), headers={"host": "localhost", "accept-encoding": "gzip"})
        assert answer.status_code == 200, answer.status_code

    for _ in range(2):
        ask()
    return ask


def _event(size: int) -> Tournament:
    """Twelve closed rounds, and one that runs at `size` / 2 tables."""
    stage = played_stage(size)
    Stage.objects.filter(pk=stage.pk).update(rounds_planned=ROUNDS + 1)
    # long enough ago that ages are told in minutes, not so long that every table is slow
    event, at = stage.tournament, timezone.now() - timedelta(minutes=5)
    runs = Round.objects.create(tournament=event, stage=stage, number=ROUNDS + 1, status="running", started_at=at)
    entrants = list(event.entrants.order_by("number"))
    tables = list(Table.objects.filter(tournament=event).order_by("number"))
    matches = Match.objects.bulk_create(
        Match(round=runs, number=table.number, home=home, away=away)
        for table, home, away in zip(tables, entrants[::2], entrants[1::2], strict=True)
    )
    opening = Opening({Side.NS: Level("2"), Side.EW: Level("2")}, Seat.S)
    state = cached_state(start(opening))
    Sitting.objects.bulk_create(
        Sitting(match=match, round=runs, table=table, opening=opening.to_json(), state=state, changed_at=at)
        for match, table in zip(matches, tables, strict=True)
    )
    mark_stale(event.pk)
    recalculate(tournament_id=event.pk, at=at)
    return event

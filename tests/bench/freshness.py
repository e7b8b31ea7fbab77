"""How soon live standings show what was written: while acts keep coming, and when fifty events are stale at once.

As a federation runs it: two workers on the queue of recalculations, a process of pages, Redis between them. Acts are
written from here as rows (a result, and what makes its event stale): entering hands over HTTP at this rate takes more
than two cores. A page that is open asks for the standings when it hears of them, without the pause by which those of
strangers spread their questions.
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from itertools import count
from pathlib import Path
from random import Random
from threading import Barrier, Event, Thread
from urllib.error import HTTPError
from urllib.request import urlopen

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from tests.bench.pages import serving
from tests.bench.report import Figure, NotNow
from tests.bench.standings import played_stage
from tests.reliability.hall import ROOT
from tournaments.acts import doorbell
from tournaments.acts.announce import event_topic
from tournaments.acts.hub import channel
from tournaments.models import Match, Sitting, Tournament
from tournaments.standings.runs import recalculate

EVENTS, ENTRANTS, ROUNDS = 50, 64, 4
#: Of these so many have acts all the time, at so many acts a second together, the most that the machine writes now.
BUSY, RATES, SECONDS = 20, (100, 50, 20, 10), 10
TOGETHER_GOAL, P95_GOAL, P99_GOAL = 1.5, 0.5, 1.0


def measure(folder: Path) -> list[Figure]:
    events = [_played_event() for _ in range(EVENTS)]
    with _workers(folder), serving("referee.asgi:application", folder) as pages:
        together = [_all_covered(events) for _ in range(4)][1:]
        rate, waits = _at_a_rate_it_bears(events[:BUSY], pages.address)
    said = f"{rate} acts/s over {BUSY} events of {ENTRANTS} entrants"
    return [
        _within(f"P8 committed to fetched, p95, {said}", waits[len(waits) * 95 // 100], P95_GOAL),
        _within(f"P8 committed to fetched, p99, {said}", waits[len(waits) * 99 // 100], P99_GOAL),
        _within(f"P8b {EVENTS} events stale at once, two workers", sorted(together)[1], TOGETHER_GOAL),
    ]


def _within(what: str, taken: float, goal: float) -> Figure:
    return Figure(what, f"{taken:.2f} s", f"{goal:g} s", taken / goal, 1, less=True)


def _played_event() -> Tournament:
    event = played_stage(ENTRANTS, ROUNDS).tournament
    doorbell.mark_stale(event.pk)
    assert recalculate(tournament_id=event.pk, at=timezone.now())
    return event


def _sittings(event: Tournament) -> QuerySet[Sitting]:
    return Sitting.objects.filter(round__tournament=event).order_by("pk")


def _result_moves(event: Tournament, sittings: list[tuple[int, int]], chance: Random) -> None:
    """One match of the event ends otherwise than before, and a recalculation is asked for. `sittings` are those of the
    event, each with its match."""
    sitting, match = chance.choice(sittings)
    with transaction.atomic():
        home = 100 * chance.randrange(3)
        Match.objects.filter(pk=match).update(home_hundredths=home, away_hundredths=200 - home)
        doorbell.mark_stale(event.pk, sitting)


def _all_covered(events: list[Tournament]) -> float:
    """Seconds until the last of all events shows what moved in it, from the moment when all were stale."""
    chance = Random(3)
    for event in events:
        with transaction.atomic(), connection.cursor() as cursor:
            sitting = _sittings(event)[chance.randrange(ENTRANTS)]
            home = 100 * chance.randrange(3)
            Match.objects.filter(pk=sitting.match_id).update(home_hundredths=home, away_hundredths=200 - home)
            # nobody is asked yet
            cursor.execute(doorbell.count_at_table("WHERE TRUE"), [event.pk, doorbell.slot_of(sitting.pk)])
    began = time.monotonic()
    for event in events:
        doorbell.ring(event.pk)
    while doorbell.stale().exists():
        assert time.monotonic() < began + 60, "not covered within a minute"
        time.sleep(0.02)
    return time.monotonic() - began


def _at_a_rate_it_bears(events: list[Tournament], address: str) -> tuple[int, list[float]]:
    for rate in RATES[:-1]:
        with suppress(NotNow):
            return rate, _followed(events, address, rate)
    return RATES[-1], _followed(events, address, RATES[-1])


def _followed(events: list[Tournament], address: str, rate: int) -> list[float]:
    """Seconds from each act to the moment when an open page of its event has fetched a table with it, in order."""
    tables = {one.pk: list(_sittings(one).values_list("pk", "match")) for one in events}
    committed: dict[int, list[tuple[int, float]]] = defaultdict(list)
    fetched: dict[int, list[tuple[int, float]]] = defaultdict(list)
    over = Event()
    with ThreadPoolExecutor(BUSY + 4) as pool:
        opened = Barrier(len(events) + 1)
        pages = [pool.submit(_page, event, address, fetched[event.pk], over, opened) for event in events]
        opened.wait(60)
        acts = count()
        began = time.monotonic()

        def act(number: int) -> None:
            event, chance = events[number % len(events)], Random(number)
            _result_moves(event, tables[event.pk], chance)
            committed[event.pk].append((doorbell.stale_number(event.pk), time.monotonic()))

        def writer() -> None:
            while (number := next(acts)) < rate * SECONDS:
                time.sleep(max(0.0, began + number / rate - time.monotonic()))
                act(number)
            connection.close()

        try:
            writers = [Thread(target=writer) for _ in range(4)]
            for one in writers:
                one.start()
            for one in writers:
                one.join()
            late = time.monotonic() - began - SECONDS
            if late >= 2:
                raise NotNow(f"this machine cannot write {rate} acts a second now: {late:.1f} s late")
            end = time.monotonic() + 60
            while not all(_has_seen_all(fetched[event.pk], committed[event.pk]) for event in events):
                assert time.monotonic() < end, "not seen within a minute"
                for page in filter(Future.done, pages):
                    page.result()
                time.sleep(0.05)
        finally:
            over.set()
        for page in pages:
            page.result()
    waits = []
    for event in events:
        for number, at in committed[event.pk]:
            shown = min(then for covered, then in fetched[event.pk] if covered >= number)
            waits.append(shown - at)
    assert len(waits) == rate * SECONDS
    return sorted(waits)


def _has_seen_all(fetched: list[tuple[int, float]], committed: list[tuple[int, float]]) -> bool:
    return max(number for number, _ in committed) <= max((number for number, _ in list(fetched)), default=0)


def _page(event: Tournament, address: str, fetched: list[tuple[int, float]], over: Event, opened: Barrier) -> None:
    """An open page: was fetched, hears that the standings cover a number of acts, and fetches the part that moves under
    the version it was told last; what it heard while a fetch was on its way is one more fetch."""
    path = f"/en/e/{event.slug}/standings/"
    found = re.search(r'data-fragment-url="([^"]*)"', _fetch(address + path).decode())
    assert found
    part = address + html.unescape(found[1])
    with redis.Redis.from_url(settings.REDIS_URL) as client, client.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(channel(event_topic(event.slug)))
        opened.wait(60)
        while not over.is_set():
            number, version, said = 0, "", heard.get_message(timeout=0.2)
            while said is not None:
                # what officials are told, and after them strangers, where the table moved
                told = [json.loads(one.removeprefix(b"data: ")) for one in said["data"].split(b"\n\n") if one]
                if told and told[0]["what"] == "standings":
                    number = told[0]["number"]
                    version = told[-1].get("v", version)
                said = heard.get_message()
            if version:
                _fetch(f"{part}&v={version}")
            if number:
                fetched.append((number, time.monotonic()))


def _fetch(address: str) -> bytes:
    """As an open page does: put off by a server with too much to do, it asks again when it was told to."""
    while True:
        try:
            with urlopen(address, timeout=30) as answer:
                return bytes(answer.read())
        except HTTPError as error:
            if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
                raise
            time.sleep(float(error.headers["Retry-After"]))


@contextmanager
def _workers(folder: Path) -> Iterator[None]:
    from referee.celery import app

    cache.clear()
    command = ["celery", "-A", "referee", "worker", "--queues", "celery", "--concurrency", "2", "--without-gossip"]
    with ExitStack() as stack, (folder / "bench.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *command], cwd=ROOT, env=os.environ, stdout=log, stderr=log
        )
        stack.callback(process.wait)
        stack.callback(process.terminate)
        end = time.monotonic() + 60
        while not app.control.ping(timeout=0.5):
            assert time.monotonic() < end, "the workers do not start"
        yield

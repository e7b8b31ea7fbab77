"""A federation's day in small: a thousand events with a hundred thousand hands, of which fifty are being played.

One event is played over HTTP; the database makes the others from its rows. Then the last hand of every table of fifty
events is entered by sixteen clients, while it is watched how far the recalculations are behind. Absolute figures, for
the arithmetic of docs/performance.md: what comes when there are ten, a hundred, a thousand times as many.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final

from django.apps import apps
from django.db import connection, models

from tests.bench.entries import CLIENTS, running
from tests.bench.report import Figure, seconds
from tests.reliability.hall import Hall, open_hall
from tests.reliability.phones import Phone
from tournaments.acts.doorbell import stale
from tournaments.acts.text import canonical_json
from tournaments.audit.audit import certify
from tournaments.audit.record import event_document
from tournaments.models import LedgerEntry, Sitting, Tournament

EVENTS, PLAYED = 1_000, 50
TABLES, HANDS = 9, 12
#: How far the ids of one copy are from those of the next.
APART = 1_000_000
#: What a hand is stored in.
STORED = ("ledgerentry", "historyentry", "savedanswer", "sitting")
#: Not copied: what the product works out again by itself, and the versions of names.
NOT_COPIED = frozenset({"StandingsRun", "HistoricalEntrant", "HistoricalPlayer", "Session", "SignInLink", "Job"})
#: What may stand only once in the whole database, and how a copy writes it.
ONCE = {
    ("Tournament", "slug"): "slug || '-' || k",
    ("PartyCode", "digest"): "md5(digest || k) || md5(k || digest)",
    ("HistoryEntry", "subject"): "regexp_replace(subject, '[0-9]+$', '') ||"
    " COALESCE((substring(subject from '[0-9]+$')::bigint + k * {apart})::text, '')",
}


def measure(folder: Path) -> list[Figure]:
    environment = dict(os.environ)
    hall = open_hall(environment, TABLES, phones=False)
    with running(environment, folder) as addresses:
        _play(addresses, hall.referee, [place.sitting for place in hall.places], range(1, HANDS))
        before, others = _stored(), LedgerEntry.objects.exclude(sitting__round__tournament__slug=hall.slug).count()
        _copy(hall)
        hands = LedgerEntry.objects.count() - others
        each = (_stored() - before) / (hands * (EVENTS - 1) / EVENTS)
        backlog, rate, caught_up = _enter_last_hands(addresses, hall)
        memory = _memory_by_program()
    event = Tournament.objects.get(slug=hall.slug)
    document = event_document(event, official=True, names=True)
    exported = seconds(lambda: canonical_json(event_document(event, official=True, names=True)), time.process_time)
    audited = seconds(lambda: certify(document), time.process_time)
    differences = len(certify(document).differences)
    assert not differences, differences
    of_day = f"of {EVENTS:,} events, {hands:,} hands"
    return [
        _figure(f"bytes on disk for a hand, {of_day}", each, "bytes"),
        _figure(f"entries while {PLAYED} events play", rate, "/s"),
        _figure("  events stale at most", backlog, "events"),
        _figure("  until all were covered after the last entry", caught_up, "s"),
        *(_figure(f"  memory of {name}", size / 2**20, "MB") for name, size in memory.items()),
        _figure(f"export of one event of {TABLES * HANDS} hands, processor time", exported * 1000, "ms"),
        _figure("  its audit from nothing", audited * 1000, "ms"),
    ]


def _figure(what: str, value: float, unit: str) -> Figure:
    return Figure(what, f"{value:,.4g} {unit}", "", value)


def _play(addresses: list[str], credential: str, sittings: list[int], hands: range) -> None:
    """The same hands at each of these tables, by sixteen clients."""

    def client(number: int) -> None:
        phone = Phone(addresses[number % len(addresses)], credential)
        for sitting in sittings[number::CLIENTS]:
            for hand_no in hands:
                answer = phone.enter(sitting, hand_no, 80, key=f"day-{sitting}-{hand_no}", basis="watched")
                assert answer.status == 201, answer

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(client, range(CLIENTS)))


def _enter_last_hands(addresses: list[str], hall: Hall) -> tuple[int, float, float]:
    """Events that were stale at once at most, entries per second, and seconds from the last entry until none was."""
    first = Tournament.objects.get(slug=hall.slug).pk
    playing = [first + number * APART for number in range(PLAYED)]
    sittings = list(Sitting.objects.filter(round__tournament__in=playing).order_by("id").values_list("pk", flat=True))
    over, seen = Event(), [0]

    def watch() -> None:
        while not over.wait(0.1):
            seen.append(stale().count())
        connection.close()

    watcher = Thread(target=watch)
    watcher.start()
    began = time.monotonic()
    _play(addresses, hall.referee, sittings, range(HANDS, HANDS + 1))
    entered = time.monotonic()
    while stale().exists() and time.monotonic() < entered + 120:
        time.sleep(0.05)
    covered = time.monotonic()
    over.set()
    watcher.join()
    return max(seen), len(sittings) / (entered - began), covered - entered


def _stored() -> int:
    """Bytes of the tables in which a hand is stored, with their indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size('tournaments_' || name)) FROM unnest(%s::text[]) name", [list(STORED)]
        )
        return int(cursor.fetchone()[0])


#: What is said of a process that has ended meanwhile, as those of the database do.
ENDED: Final = (FileNotFoundError, ProcessLookupError)


def _memory_by_program() -> dict[str, int]:
    """What the largest process of each kind holds, with its children; what is shared counts in parts."""
    held: dict[str, int] = {}
    for pid in list(_family(os.getpid()))[1:]:
        with suppress(*ENDED):
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
            for name, word in (("a web process", "uvicorn"), ("a worker", "celery")):
                if word in command:
                    held[name] = max(held.get(name, 0), _memory(pid))
    return held


def _memory(pid: int) -> int:
    total = 0
    for one in _family(pid):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def _family(pid: int) -> Iterator[int]:
    yield pid
    children = ""
    with suppress(*ENDED):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    for child in children.split():
        yield from _family(int(child))


def _copy(hall: Hall) -> None:
    """The rows of one event `EVENTS - 1` times more, each copy under ids of its own."""
    owned = _owned(Tournament.objects.get(slug=hall.slug).pk)
    with connection.cursor() as cursor:
        # the rows are right as they are: neither foreign keys nor guards have to look at each
        cursor.execute("SET session_replication_role = replica")
        for model, ids in owned.items():
            columns, values = zip(*_columns(model, owned), strict=True)
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(values)}"
                f" FROM {model._meta.db_table} CROSS JOIN generate_series(1, {EVENTS - 1}) k WHERE id = ANY(%s)",
                [sorted(ids)],
            )
        cursor.execute(
            "INSERT INTO tournaments_savedanswer (scope, key, request_digest, answer, saved_at)"
            " SELECT scope, key || '-' || k, request_digest, answer, saved_at FROM tournaments_savedanswer"
            f" CROSS JOIN generate_series(1, {EVENTS - 1}) k"
            # as they were sent, of this event: an earlier run in this database left its own and their copies
            " WHERE key ~ '^day-[0-9]+-[0-9]+$' AND split_part(key, '-', 2)::bigint = ANY(%s)",
            [[place.sitting for place in hall.places]],
        )
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")


def _owned(event: int) -> dict[type[models.Model], set[int]]:
    """The ids of everything that belongs to the event, by model."""
    kinds = [one for one in apps.get_app_config("tournaments").get_models() if one.__name__ not in NOT_COPIED]
    owned: dict[type[models.Model], set[int]] = {Tournament: {event}}
    found = True
    while found:
        found = False
        for model in kinds:
            for field in model._meta.concrete_fields:
                parent = field.related_model
                if not field.is_relation or field.null or parent not in owned or model is Tournament:
                    continue
                ids = set(
                    model._default_manager.filter(**{f"{field.name}__in": owned[parent]}).values_list("pk", flat=True)
                )
                if ids - owned.get(model, set()):
                    owned.setdefault(model, set()).update(ids)
                    found = True
    return owned


def _columns(model: type[models.Model], owned: Mapping[type[models.Model], set[int]]) -> Iterator[tuple[str, str]]:
    """Each column of a model, and what a copy writes into it."""
    for field in model._meta.concrete_fields:
        name = f'"{field.column}"'
        shifted = field.primary_key or (field.is_relation and field.related_model in owned)
        once = ONCE.get((model.__name__, field.name))
        yield name, once.format(apart=APART) if once else f"{name} + k * {APART}" if shifted else name

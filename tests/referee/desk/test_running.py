"""The page *Running*: what is alive, what is behind and who is connected, in words an organiser can act on."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from celery import current_app
from django.conf import settings as configured
from django.core.cache import cache
from django.utils import timezone

from referee import health
from referee.running import lately, signs, sums
from referee.running.connection import client as redis_client
from tests.markup import flat
from tests.tournaments import factories
from tournaments.acts import doorbell, jobs
from tournaments.models import Job, Recalculation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings

    from tests.tournaments.factories import Hall

pytestmark = pytest.mark.django_db

PARTS = (
    signs.of_queue("celery"),
    signs.of_queue("long"),
    signs.of_queue("webhooks"),
    signs.of_queue("wake"),
    signs.BEAT,
)
QUEUES = [str(queue.name) for queue in configured.CELERY_TASK_QUEUES]
LABELS = (
    "Worker for live standings",
    "Worker for draws, paper and files",
    "Worker for webhooks",
    "Worker that wakes phones",
    "Search for lost work",
)


@pytest.fixture(autouse=True)
def well(hall: Hall, organiser: Client) -> Iterator[None]:
    """Every part has just given a sign of life, nothing waits. After the hall, with which the cache begins anew."""
    cache.clear()
    lately._seconds.clear()
    redis_client().delete(*QUEUES, "referee:streams", "referee:shed")
    for part in PARTS:
        signs.leave(part)
    yield
    lately._seconds.clear()
    redis_client().delete(*QUEUES, "referee:shed")
    cache.clear()


def read(browser: Client, hall: Hall) -> tuple[str, dict[str, str]]:
    """What the page says first, and what it says of each thing, by its label."""
    page = browser.get(f"/desk/{hall.event.slug}/running/live/")
    assert page.status_code == 200
    html = flat(page.content.decode())
    first = re.search(r'data-key="first"[^>]*>\s*<b>(.*?)</b>', html)
    assert first is not None
    lines = re.findall(r"<b>([^<]*)</b>\s*<span class=\"pill[^>]*>(.*?)</li>", html)
    said = {label: " ".join(re.sub(r"<[^>]*>", " ", rest).split()) for label, rest in lines}
    return first[1], said


def test_all_is_well_in_both_languages(hall: Hall, organiser: Client) -> None:
    first, said = read(organiser, hall)
    assert first == "All is well."
    assert {label: said[label] for label in LABELS} == dict.fromkeys(LABELS, "at work")
    assert said["Messages (Redis)"] == "answers"
    assert re.fullmatch(r"answers in \d+ ms", said["Database"])
    assert said["Standings to work out"] == said["Draws, paper and files"] == "nothing waits"
    assert said["Live standings of this event"] == "up to date"
    chinese = factories.signed_in(hall.organiser, "zh-hans").get(f"/desk/{hall.event.slug}/running/").content.decode()
    assert "一切正常。" in chinese
    assert "运行情况" in chinese
    assert f'data-fragment-url="/desk/{hall.event.slug}/running/live/"' in chinese, "it asks again by itself"
    assert "data-live-url" not in chinese, "also while no announcement gets through"


@pytest.mark.parametrize(("part", "label"), list(zip(PARTS, LABELS, strict=True)))
def test_a_part_that_is_gone_is_named(
    hall: Hall, organiser: Client, monkeypatch: pytest.MonkeyPatch, part: str, label: str
) -> None:
    cache.delete(f"alive:{part}")
    first, said = read(organiser, hall)
    assert first == f"Not well: {label}."
    assert said[label].startswith("has given no sign of life ")
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() - 25)
    signs.leave(part)
    monkeypatch.undo()
    first, said = read(organiser, hall)
    assert first == f"Not well: {label}."
    assert re.match(r"no sign of life for 2\d s .* until it is back\.", said[label])
    assert [other for other in LABELS if said[other] != "at work"] == [label]


def test_without_redis_it_says_so_and_claims_nothing_of_the_others(
    hall: Hall, organiser: Client, settings: Settings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    first, said = read(organiser, hall)
    assert first == "Not well: Messages (Redis)."
    assert said["Messages (Redis)"].startswith("does not answer Hands are saved")
    unknown = {label for label, words in said.items() if words == "not known while Redis is away"}
    assert unknown == {*LABELS, "Open pages that hear of changes at once"}
    assert "Standings to work out" not in said
    assert said["Live standings of this event"] == "up to date"


def test_without_room_or_copies_it_says_so(
    hall: Hall, organiser: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.COPIES = tmp_path / "stick"
    assert read(organiser, hall)[0] == "Not well: Copies."
    monkeypatch.setattr(health, "LEAST_ROOM", 1 << 80)
    first, said = read(organiser, hall)
    assert first == "Not well: Disk, Copies."
    assert "nothing can be saved" in said["Disk"]
    (tmp_path / "stick").mkdir()
    monkeypatch.undo()
    assert read(organiser, hall)[0] == "All is well."


def test_what_is_behind_is_named(hall: Hall, organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    Recalculation.objects.filter(tournament=hall.event).update(finished_at=now - timedelta(minutes=3))
    doorbell.mark_stale(hall.event.pk, hall.sitting.pk)
    other = factories.hall()
    Job.objects.create(tournament=other.event, kind="draw", subject=1, asked_at=now)
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() - 40)
    for _ in range(2):
        current_app.send_task(doorbell.RECALCULATE_TASK, args=[hall.event.pk])
    monkeypatch.undo()
    current_app.send_task(jobs.WORK_TASK, args=[1])
    first, said = read(organiser, hall)
    assert first == "Behind: Live standings of this event, Standings to work out."
    assert said["Live standings of this event"].startswith("behind for 3 min at most Every hand is saved")
    assert re.fullmatch(r"2 wait, the oldest for 4\d s", said["Standings to work out"])
    assert re.fullmatch(r"1 waits, the oldest for \d s", said["Draws, paper and files"]), "a few seconds are usual"
    assert said["Long work of this event"] == "nothing open"
    first, said = read(factories.signed_in(other.organiser), other)
    assert said["Live standings of this event"] == "up to date"
    assert said["Long work of this event"] == "1 is not done yet"


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        (["readers", "readers"], "2 put off in five minutes Pages were told to ask again in some seconds; hands"),
        (["readers", "programs"], "2 put off in five minutes Programs and pages were told to ask again; phones"),
        (["readers", "people"], "2 put off in five minutes More hands come in than this server can take: phones"),
    ],
)
def test_who_was_put_off(hall: Hall, organiser: Client, kinds: list[str], words: str) -> None:
    assert read(organiser, hall)[1]["Answers to all who ask"] == "nobody was put off"
    for kind in kinds:
        lately.shed(kind)
    sums.send()
    first, said = read(organiser, hall)
    assert (first, said["Answers to all who ask"][: len(words)]) == ("Behind: Answers to all who ask.", words)


def test_who_is_connected(hall: Hall, organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    factories.hall()
    monkeypatch.setattr(sums, "_streams_here", lambda: sums.Streams(12, 10))
    sums.send()
    _, said = read(organiser, hall)
    assert said["Open pages that hear of changes at once"].startswith("12 10 of spectators, 2 of officials and phones")
    assert said["Phones with a place at a table"] == "2 In this event."
    hall.ns.device.delete()  # type: ignore[union-attr]
    assert read(organiser, hall)[1]["Phones with a place at a table"] == "1 In this event."


def test_settings_lead_there(hall: Hall, organiser: Client) -> None:
    assert f"/desk/{hall.event.slug}/running/" in organiser.get(f"/desk/{hall.event.slug}/setup/").content.decode()


def test_few_questions_are_put_to_the_database(
    hall: Hall, organiser: Client, django_assert_max_num_queries: Any
) -> None:
    """It is asked every few seconds by every organiser who leaves it open."""
    with django_assert_max_num_queries(12):
        read(organiser, hall)

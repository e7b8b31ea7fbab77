"""The tests' own ground: the right servers, a service on a port, a worker, a browser."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.db import connection

from referee.celery import app
from tests.services import redis_of_worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.conftest import LiveServer

ran: list[int] = []


@app.task(name="tests.note")
def note(number: int) -> None:
    ran.append(number)


@pytest.mark.django_db
def test_database_is_the_one_asked_for() -> None:
    assert connection.vendor == ("sqlite" if os.environ.get("REFEREE_TEST_DB") == "sqlite" else "postgresql")


def test_broker_is_redis() -> None:
    assert settings.CELERY_BROKER_URL.startswith("redis")


@pytest.mark.parametrize(
    ("url", "worker", "expected"),
    [
        ("unix:///tmp/r.sock?db=0", "gw0", "unix:///tmp/r.sock?db=1"),
        ("redis://localhost:6379/0", "gw1", "redis://localhost:6379/2"),
        ("redis://localhost:6379", "gw14", "redis://localhost:6379/15"),
    ],
)
def test_each_parallel_worker_has_its_own_redis_database(url: str, worker: str, expected: str) -> None:
    assert redis_of_worker(url, worker) == expected


def test_live_server_answers(live_server: LiveServer) -> None:
    with urlopen(live_server + "/health") as answer:
        assert answer.status == 200


def test_worker_runs_a_task(celery_worker: None, until: Callable[..., None]) -> None:
    note.delay(7)
    until(lambda: 7 in ran)


@pytest.mark.browser
def test_browser_opens_a_page(live_server: LiveServer, page: Page, screenshot: Callable[..., Path]) -> None:
    page.goto(live_server + "/health")
    assert '"status": "ok"' in page.content()
    assert screenshot(page, "foundations-health").stat().st_size > 0

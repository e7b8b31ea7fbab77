"""A worker is killed, beat ends, Redis stops or says nothing: the desk's page *Running* says so within 15 seconds."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tests.markup import flat
from tests.reliability.conftest import Laptop, Workers
from tests.reliability.test_redis_away import Server
from tests.reliability.test_redis_away import server as server  # the fixture
from tests.reliability.test_workers import sweeping
from tests.tournaments.factories import hall, signed_in

pytestmark = pytest.mark.long

VISIBLE_SECONDS = 15
#: The page asks again every two to three seconds.
ASKS_EVERY = 3
Until = Callable[..., None]


class Page:
    """The page as an organiser has it open."""

    def __init__(self) -> None:
        here = hall()
        self.address = f"/desk/{here.event.slug}/running/live/"
        self.browser: Client = signed_in(here.organiser)

    def says(self, begins: str, within: float) -> None:
        """Wait until the page's first sentence begins so."""
        end = time.monotonic() + within
        while not (said := self.first).startswith(begins):
            assert time.monotonic() < end, f"not within {within} seconds: {said}"
            time.sleep(0.02)

    @property
    def first(self) -> str:
        html = flat(self.browser.get(self.address).content.decode())
        found = re.search(r'data-key="first"[^>]*>\s*<b>(.*?)</b>', html)
        assert found is not None
        return found[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_a_killed_worker_and_a_beat_that_ended(workers: Workers) -> None:
    page = Page()
    assert page.first.startswith("Not well: Worker for live standings, Worker for draws, paper and files, Worker for")
    assert page.first.endswith(", Search for lost work.")
    worker = workers.start()
    page.says("Not well: Search for lost work.", 30)
    with sweeping():
        page.says("All is well.", 30)
        workers.kill(worker)
        began = time.monotonic()
        page.says("Not well: Worker for live standings, Worker for draws", VISIBLE_SECONDS)
        assert time.monotonic() - began < VISIBLE_SECONDS - ASKS_EVERY
        workers.start()
        page.says("All is well.", 60)
    page.says("Not well: Search for lost work.", VISIBLE_SECONDS - ASKS_EVERY)


@pytest.mark.django_db
def test_redis_stops(server: Server) -> None:
    page = Page()
    assert "Redis" not in page.first
    server.stop()
    assert page.first == "Not well: Messages (Redis)."
    server.start()
    assert "Redis" not in page.first


@pytest.mark.django_db
def test_redis_says_nothing(settings: Settings) -> None:
    """Worse than one that is gone: whoever asks has to wait."""
    page = Page()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        began = time.monotonic()
        assert page.first == "Not well: Messages (Redis)."
        assert time.monotonic() - began < VISIBLE_SECONDS - ASKS_EVERY


def test_a_laptop_tells_of_itself(laptop: Laptop, until: Until) -> None:
    """One process does everything, and its machine may read how it does."""

    def told() -> dict[str, Any]:
        with urlopen(f"{laptop.address}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    parts = ("database", "worker_celery", "worker_long", "worker_wake", "beat")
    until(lambda: all(told().get(f'referee_up{{part="{part}"}}') == 1 for part in parts), 30)
    sweep = 'referee_tasks_total{outcome="done",task="tournaments.tasks.sweep"}'
    until(lambda: told().get(sweep, 0) >= 2, 30)
    with urlopen(f"{laptop.address}/live/event/{laptop.hall.slug}/", timeout=10):
        until(lambda: told()['referee_open_streams{reader="strangers"}'] == 1, 30)
    until(lambda: told()['referee_open_streams{reader="strangers"}'] == 0, 30)
    assert laptop.stop() == 0

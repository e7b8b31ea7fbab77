"""Redis is stopped and started again: the hall goes on, nobody guesses more, and the health page tells it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.api.client import Api
from tests.api.hall import api_hall
from tests.services import redis_server
from tournaments.acts import announce, counting, resting
from tournaments.acts.guessing import PASSWORD
from tournaments.ledger import devices
from tournaments.ledger.codes import party_code_text
from tournaments.models import Counter, LedgerEntry, User

pytestmark = pytest.mark.django_db


class Server:
    """A Redis of the test's own, where the service looks for its cache and tells its pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running = ExitStack()

    def start(self) -> str:
        resting.wake()
        return self._running.enter_context(redis_server(self.folder))

    def stop(self) -> None:
        self._running.close()


@pytest.fixture
def server(settings: Settings) -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="redis"))
    made = Server(folder)
    url = made.start()
    settings.REDIS_URL = url
    settings.CACHES = {**settings.CACHES, "default": {**settings.CACHES["default"], "LOCATION": url}}
    announce._redis.cache_clear()
    yield made
    made.stop()
    resting.wake()
    announce._redis.cache_clear()
    shutil.rmtree(folder)


def test_the_hall_goes_on_and_guessing_does_not(
    server: Server, client: Client, django_capture_on_commit_callbacks: object
) -> None:
    here = api_hall()
    name = User.objects.create_user(username="ann", password="right-horse-battery").username
    assert client.get("/health").json() == {"status": "ok", "database": "ok", "disk": "ok", "redis": "ok"}
    assert Api().post("devices/", {"code": "ABCD2345"}).status == 404
    server.stop()

    assert client.get("/health").status_code == client.get("/health/ready").status_code == 200
    assert client.get("/health").json()["status"] == "degraded"
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        entry = here.waits()
        here.ew.keyed(f"{here.sitting}/entries/{entry}/confirm/", {})
    assert LedgerEntry.objects.get().status == "effective"
    codes = devices.issue_codes(tournament_id=here.event.pk, actor=here.hall.chief, at=timezone.now())
    assert Api().post("devices/", {"code": party_code_text(codes[0])}).status == 201
    assert Api().post("devices/", {"code": "ABCD2345"}).status == 404
    assert Api().post("rules/ask", [{"id": "1"}]).status == 200
    form = {"username": name, "password": "right-horse-battery"}
    assert client.post("/desk/sign-in/", form).status_code == 302
    assert Api().post("tokens/", form).status == 201
    assert PASSWORD.here is not None
    for _ in range(PASSWORD.here.most):
        assert Api().post("tokens/", {**form, "password": "wrong"}).status == 401
    assert Api().post("tokens/", form).status == 429, "the limit holds without Redis"

    server.start()
    assert client.get("/health").json()["status"] == "ok"
    assert Api().post("tokens/", form).status == 201
    cache.set("back", 1)
    assert cache.get("back") == 1


def test_a_counter_in_the_database_ends_by_itself(server: Server) -> None:
    server.stop()
    assert [counting.count("k", 60) for _ in range(3)] == [1, 2, 3]
    counting.uncount("k")
    assert counting.count("k", 60) == 3
    for moved in (timedelta(seconds=-1), timedelta(hours=1)):  # it has ended; the clock was set back
        Counter.objects.update(ends_at=timezone.now() + moved)
        assert counting.count("k", 60) == 1
    counting.forget(at=timezone.now())
    assert Counter.objects.count() == 1
    counting.forget(at=timezone.now() + timedelta(minutes=2))
    assert not Counter.objects.exists()


def test_a_silent_redis_is_asked_once_in_a_while(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes next does not wait for its time-out once more."""
    server.stop()
    assert cache.get("any") is None
    asked = []
    monkeypatch.setattr("redis.ConnectionPool.get_connection", lambda *_, **__: asked.append(1))
    assert cache.get("any") is None
    announce.publish("event:any", {"what": "standings"}, public=True)
    assert not asked

"""How long somebody stays signed in: while it is used, and no longer than a day of play."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from referee import sessions
from tournaments.models import Session, User

pytestmark = pytest.mark.django_db

PASSWORD = "a long walk by the lake"
HOUR = timedelta(hours=1)


@pytest.fixture
def desk() -> Client:
    cache.clear()
    User.objects.create_user("wu", password=PASSWORD)
    client = Client()
    assert client.post("/desk/sign-in/", {"username": "wu", "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/desk/account/").status_code == 200


def pass_by(time: timedelta) -> None:
    """As if so much time had gone by: the sessions are moved back, the clock stands."""
    store = sessions.SessionStore()
    for row in Session.objects.exclude(user=None):
        assert row.started_at is not None
        data = store.decode(row.session_data) | {"started_at": (row.started_at - time).isoformat()}
        Session.objects.filter(pk=row.pk).update(
            expire_date=row.expire_date - time,
            started_at=row.started_at - time,
            session_data=store.encode(data),
        )


def test_who_does_nothing_is_signed_out(desk: Client) -> None:
    pass_by(3 * HOUR - timedelta(minutes=10))
    assert is_in(desk), "a round long"
    pass_by(3 * HOUR + timedelta(minutes=1))
    assert not is_in(desk)


def test_a_use_moves_the_end_and_a_day_is_the_most(desk: Client) -> None:
    for _ in range(5):
        pass_by(2 * HOUR)
        assert is_in(desk)
    pass_by(HOUR + timedelta(minutes=55))
    assert is_in(desk), "eleven hours and more, and used all the time"
    row = Session.objects.get()
    assert row.started_at is not None
    assert row.expire_date == row.started_at + 12 * HOUR
    pass_by(timedelta(minutes=6))
    assert not is_in(desk), "twelve hours are over"


def test_a_write_into_the_session_moves_the_end_no_further(desk: Client) -> None:
    pass_by(11 * HOUR)
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=30))
    desk.post("/desk/account/", {"current": PASSWORD, "password": "another walk in the rain"})
    assert is_in(desk)
    row = Session.objects.get()
    assert row.started_at is not None
    assert row.expire_date == row.started_at + 12 * HOUR


def test_a_session_with_a_longer_end_from_before_is_over(desk: Client) -> None:
    pass_by(13 * HOUR)
    Session.objects.update(expire_date=timezone.now() + timedelta(days=10))
    assert not is_in(desk)


def test_a_use_is_written_once_in_some_minutes(desk: Client) -> None:
    assert is_in(desk)
    first = Session.objects.get().expire_date
    assert is_in(desk)
    assert Session.objects.get().expire_date == first
    pass_by(timedelta(minutes=6))
    assert is_in(desk)
    assert Session.objects.get().expire_date > first - timedelta(minutes=1)


def test_who_reads_is_answered_when_nothing_can_be_written(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    pass_by(HOUR)

    def full(self: object, **to: object) -> int:
        raise DatabaseError("disk full")

    monkeypatch.setattr(QuerySet, "update", full)
    assert is_in(desk)


@pytest.mark.long
def test_behind_tls_cookies_are_the_host_s_own(tmp_path: Path) -> None:
    """In a process of its own: what is set by HTTPS=yes is read at the start."""
    script = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from tournaments.models import User
User.objects.create_user("wu", password="a long walk by the lake")
c = Client(headers={"X-Forwarded-Proto": "https"})
page = c.get("/desk/sign-in/")
c.post("/desk/sign-in/", {"username": "wu", "password": "a long walk by the lake"})
c.post("/preferences/language/", {"to": "en"})
print(page["Strict-Transport-Security"])
for one in c.cookies.values():
    print(one.key, bool(one["secure"]), one["path"], repr(one["domain"]))
print(c.get("/desk/account/").status_code)
"""
    environment = {
        "PATH": "/usr/bin:/bin",
        "DATA_DIR": str(tmp_path),
        "HTTPS": "yes",
        "ALLOWED_HOSTS": "testserver",
        "DJANGO_SETTINGS_MODULE": "referee.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    first, *cookies, last = done.stdout.split("\n")[:-1]
    assert first == "max-age=31536000; includeSubDomains"
    assert last == "200"
    known = {line.split()[0]: line.split()[1:] for line in cookies}
    assert {"__Host-sessionid", "__Host-csrftoken", "__Host-known", "__Host-django_language"} == set(known)
    assert all(one == ["True", "/", "''"] for one in known.values()), known

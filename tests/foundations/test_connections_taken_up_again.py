"""A connection that is taken up again: one that the server ended is noticed, one that stands is not asked."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql import base

from tournaments.acts.prepared import prepared
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def taken_up_again() -> None:
    """As at the beginning of a request."""
    connection.health_check_enabled, connection.health_check_done = True, False


def ended_by_the_server() -> None:
    connection.ensure_connection()
    own = connection.connection.info
    with psycopg.connect(own.dsn, password=own.password) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [own.backend_pid])


def test_one_that_the_server_ended_is_made_anew() -> None:
    ended_by_the_server()
    taken_up_again()
    assert not Tournament.objects.exists()
    ended_by_the_server()
    taken_up_again()
    with prepared() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_one_that_stands_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda _: pytest.fail("asked"))
    taken_up_again()
    assert not Tournament.objects.exists()

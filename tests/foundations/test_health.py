"""What the health page says, and what it keeps to itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from referee import health
from referee.alive import SILENCE_SECONDS, is_alive, main

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django.fixtures import Settings


@pytest.mark.both_databases
@pytest.mark.django_db
def test_health_names_the_parts(client: Client) -> None:
    answer = client.get("/health")
    assert answer.status_code == 200
    assert json.loads(answer.content) == {"status": "ok", "database": "ok", "disk": "ok", "redis": "ok"}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_without_redis_it_serves_and_says_what_is_missing(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/health")
    assert answer.status_code == 200
    assert json.loads(answer.content) == {"status": "degraded", "database": "ok", "disk": "ok", "redis": "down"}
    assert client.get("/health/ready").status_code == client.get("/health/live").status_code == 200


@pytest.mark.django_db
def test_without_room_it_serves_and_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LEAST_ROOM", 1 << 80)
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"], answer.json()["disk"]) == (200, "degraded", "full")
    assert client.get("/health/ready").status_code == 200


@pytest.mark.django_db
def test_only_live_asks_no_database(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        client.get("/health/ready")
    with django_assert_num_queries(0):
        assert client.get("/health/live").json() == {"status": "ok"}


@pytest.mark.django_db
def test_health_is_read_only(client: Client) -> None:
    assert client.post("/health").status_code == 405


@pytest.mark.parametrize(
    ("age", "expected"), [(0, True), (SILENCE_SECONDS - 1, True), (SILENCE_SECONDS, False), (-3600, False)]
)
def test_sign_of_life_ages(tmp_path: Path, age: float, expected: bool) -> None:
    sign = tmp_path / "worker.alive"
    sign.touch()
    assert is_alive(sign, sign.stat().st_mtime + age) is expected


def test_no_sign_is_no_life(tmp_path: Path) -> None:
    assert not is_alive(tmp_path / "beat.alive", 0)


def test_alive_wants_one_known_name() -> None:
    assert main([]) == main(["postgres"]) == main(["web", "worker"]) == 2


def test_broker_forgets_no_work_of_a_killed_worker() -> None:
    assert settings.CELERY_TASK_ACKS_LATE
    assert settings.CELERY_TASK_REJECT_ON_WORKER_LOST
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    assert options["unacked_restore_interval"] * options["unacked_restore_throttle"] <= 2

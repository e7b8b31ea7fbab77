"""`/metrics`: who may read it, what it counts, that processes add up, and that it names nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from referee import environment, health
from referee.running import queues, signs, sums
from referee.running.connection import client as redis_client
from referee.running.state import look
from tests.api.hall import api_hall
from tests.tournaments import factories
from tournaments.acts import doorbell, meters
from tournaments.acts.history import record
from tournaments.ledger.devices import phones_with_a_place
from tournaments.models import Device, Recalculation, Round, RoundStatus
from tournaments.standings.behind import behind_since

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "0123456789abcdef"
Told = dict[tuple[str, ...], float]


def told(client: Client | None = None) -> Told:
    """What is told now: values by the name of a sample and its labels' values."""
    answer = (client or Client()).get("/metrics")
    assert answer.status_code == 200
    return {
        (one.name.removeprefix("referee_"), *one.labels.values()): one.value
        for family in text_string_to_metric_families(answer.content.decode())
        for one in family.samples
    }


def moved(before: Told, after: Told) -> Told:
    return {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}


@pytest.mark.parametrize(
    ("token", "sent", "status"),
    [
        ("", {}, 200),
        ("", {"REMOTE_ADDR": "::1"}, 200),
        ("", {"REMOTE_ADDR": "10.0.0.7"}, 404),
        ("", {"REMOTE_ADDR": ""}, 404),
        # through a proxy on this machine, or one that believes what its reader says of himself
        *[("", {f"HTTP_{name}": "127.0.0.1"}, 404) for name in ("X_FORWARDED_FOR", "X_REAL_IP", "FORWARDED", "VIA")],
        ("", {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer "}, 404),
        (TOKEN, {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, 200),
        (TOKEN, {"HTTP_X_FORWARDED_FOR": "8.8.8.8", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, 200),
        (TOKEN, {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": f"Bearer {TOKEN[:-1]}"}, 404),
        (TOKEN, {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": TOKEN}, 404),
        (TOKEN, {"REMOTE_ADDR": "10.0.0.7", "HTTP_AUTHORIZATION": "Bearer 牌"}, 404),
        (TOKEN, {"REMOTE_ADDR": "10.0.0.7"}, 404),
        (TOKEN, {}, 200),
    ],
)
@pytest.mark.django_db
def test_who_may_read_it(client: Client, settings: Settings, token: str, sent: dict[str, str], status: int) -> None:
    settings.METRICS_TOKEN = token
    answer = client.get("/metrics", **sent)
    assert answer.status_code == status
    if status == 404:
        nowhere = client.get("/nowhere", **sent)
        assert answer.content == nowhere.content.replace(b"nowhere", b"metrics"), "for a stranger there is no such page"
        assert answer.headers.keys() == nowhere.headers.keys()
    else:
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_it_cannot_be_written_to(client: Client) -> None:
    assert client.post("/metrics").status_code == 405
    assert client.post("/metrics", REMOTE_ADDR="10.0.0.7").status_code == 404


def test_a_token_that_can_be_guessed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, kept in (("", ""), (TOKEN, TOKEN)):
        monkeypatch.setenv("X", value)
        assert environment.secret("X") == kept
    for value in ("short", "有十六个字的口令也不行因为不是字母"):
        monkeypatch.setenv("X", value)
        with pytest.raises(ImproperlyConfigured, match="X is too easy to guess"):
            environment.secret("X")


@pytest.mark.both_databases
@pytest.mark.django_db
def test_acts_are_counted_by_kind_and_how_they_ended() -> None:
    here = api_hall()
    before = told()
    entry = here.waits()
    confirm = f"{here.sitting}/entries/{entry}/confirm/"
    assert here.ns.post(confirm, {}, Idempotency_Key="own").error["code"] == "own_entry"
    here.ew.keyed(confirm, {})
    assert here.ew.post("sittings/0/hands/", {"facts": here.first(), "hand_no": 1}, Idempotency_Key="k").status == 404
    assert here.ns.post(f"{here.sitting}/hands/", {"facts": 1}, Idempotency_Key="j").status == 400
    found = moved(before, told())
    acts = {name[1:]: value for name, value in found.items() if name[0] == "acts_total"}
    assert acts == {
        ("enter_hand", "done"): 1,
        ("enter_hand", "refused"): 1,
        ("confirm_hand", "done"): 1,
        ("confirm_hand", "refused"): 1,
    }
    refusals = {name[1]: value for name, value in found.items() if name[0] == "refusals_total"}
    assert refusals.pop("own_entry") == refusals.pop("not_found") == 1
    assert sum(refusals.values()) == 1, "a body that is no sheet"
    assert found["requests_total", "api:hands", "2xx"] == 1
    assert found["requests_total", "api:hands", "4xx"] == 2
    assert found["request_seconds_count", "api:hands"] == 3
    assert found["request_seconds_bucket", "+Inf", "api:hands"] == 3


@pytest.mark.django_db
def test_the_same_sent_again_is_no_second_act() -> None:
    here = api_hall()
    body = {"facts": here.first(), "hand_no": 1}
    before = told()
    for _ in range(2):
        assert here.ns.post(f"{here.sitting}/hands/", body, Idempotency_Key="once").status == 201
    found = moved(before, told())
    acts = {name[1:]: value for name, value in found.items() if name[0] == "acts_total"}
    assert acts == {("enter_hand", "done"): 1}
    assert found["requests_total", "api:hands", "2xx"] == 2


@pytest.mark.django_db
def test_wrong_codes_pages_and_refused_forms_are_counted(client: Client) -> None:
    hall = factories.hall()
    desk = factories.signed_in(hall.referee)
    before = told()
    assert client.get("/t/ABCD2345/").status_code == 404
    assert desk.get(f"/desk/{hall.event.slug}/setup/").status_code == 403
    assert client.get("/nowhere/at/all").status_code == 404
    found = moved(before, told())
    assert found["refusals_total", "unknown_code"] == 1
    assert found["refusals_total", "forbidden"] == 1
    assert found["requests_total", "none", "4xx"] == 1
    assert found["requests_total", "desk:setup", "4xx"] == 1


@pytest.mark.django_db
def test_it_names_nobody() -> None:
    """Labels are words of the program: whatever people and events are called, nothing of it is told."""
    here = api_hall()
    here.event.name, here.event.slug = "Harbour Cup", "harbour-cup"
    here.event.save()
    here.counts()
    page = Client()
    for address in ("/en/e/harbour-cup/", "/zh/e/harbour-cup/standings/", "/t/SECRET23/", "/en/e/nowhere/?q=Wang"):
        page.get(address)
    text = page.get("/metrics").content.decode()
    people = {
        person.user.username for person in (here.hall.referee, here.hall.chief, here.hall.organiser) if person.user
    }
    devices = {one.device.public_id for one in (here.hall.ns, here.hall.ew) if one.device}
    assert not any(name in text for name in ("Harbour", "harbour", "SECRET23", "Wang", *people, *devices))


@pytest.mark.django_db
def test_what_is_logged_as_an_error_is_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> bool:
        raise ValueError("a bug")

    before = told()
    monkeypatch.setattr(health, "database_answers", broken)
    client.raise_request_exception = False
    assert client.get("/health/ready").status_code == 500
    monkeypatch.undo()
    found = moved(before, told())
    assert found["errors_total", "django.request"] == 1
    assert found["requests_total", "health-ready", "5xx"] == 1


# Processes

COUNTING = """
import os, django
django.setup()
from referee.running import sums
from tournaments.acts import meters
sums.keep_sending()
meters.refused_with("of_one_process")
child = os.fork()
if not child:
    sums.keep_sending()
    meters.refused_with("of_one_process")
    sums.stop_sending()
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.long
@pytest.mark.django_db
def test_processes_add_up() -> None:
    """Two that start, count once, fork one that counts once, and end: four in all, and nobody forgets those gone."""
    before = told()
    for _ in range(2):
        variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "referee.settings"}
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", COUNTING], cwd=ROOT, env=variables, check=True, timeout=60
        )
    assert moved(before, told())["refusals_total", "of_one_process"] == 4


@pytest.mark.django_db
def test_streams_of_all_processes_are_added_while_they_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    redis_client().delete("referee:streams")
    now = time.time()
    others = {"a": f"[{now}, 5, 2]", "b": f"[{now - 20}, 7, 7]", "c": f"[{now - 3600}, 9, 9]"}
    redis_client().hset("referee:streams", mapping=others)
    monkeypatch.setattr(sums, "_streams_here", lambda: sums.Streams(3, 1))
    found = told()
    assert (found["open_streams", "strangers"], found["open_streams", "known"]) == (3, 5)
    assert not redis_client().hexists("referee:streams", "c")
    redis_client().delete("referee:streams")


@pytest.mark.django_db
def test_without_redis_one_process_is_all(settings: Settings, tmp_path: Path) -> None:
    settings.REDIS_URL = ""
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(tmp_path)}
    before = told()
    meters.refused_with("alone")
    assert moved(before, told())["refusals_total", "alone"] == 1


# What is away


@pytest.mark.django_db
def test_without_redis_of_a_federation_it_says_so_and_tells_no_half_sums(settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = told()
    assert found["up", "redis"] == 0
    assert found["up", "database"] == 1
    assert {name[0] for name in found} & {"acts_total", "oldest_task_seconds", "open_streams"} == set()
    assert ("up", "worker_celery") not in found, "nobody knows"
    assert "free_bytes" in {name[0] for name in found}


@pytest.mark.django_db
def test_without_the_database_it_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "database_answers", lambda: False)
    found = told()
    assert found["up", "database"] == 0
    assert {name[0] for name in found} & {"standings_stale_seconds", "phones_with_a_place"} == set()


# What waits


@pytest.fixture
def empty_queues() -> Any:
    def purge() -> None:
        redis_client().delete("celery", "long", "webhooks", "wake")

    purge()
    yield
    purge()


@pytest.mark.django_db
def test_the_oldest_task_of_each_queue(empty_queues: None, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("celery", "long", "webhooks", "wake")
    assert [(one.name, one.waiting, one.oldest) for one in queues.queues()] == [(name, 0, 0.0) for name in names]
    clock = time.time
    for ago in (50, 20):
        monkeypatch.setattr(time, "time", lambda ago=ago: clock() - ago)
        current_app.send_task(doorbell.RECALCULATE_TASK, args=[1])
    monkeypatch.undo()
    found = told()
    assert found["tasks_waiting", "celery"] == 2
    assert 50 <= found["oldest_task_seconds", "celery"] < 60
    assert found["oldest_task_seconds", "long"] == 0


def test_the_oldest_task_of_a_laptop(settings: Settings, tmp_path: Path) -> None:
    settings.REDIS_URL = ""
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(tmp_path)}
    for number, (name, ago) in enumerate([("celery", 30), ("celery", 5), ("long", 8)]):
        file = tmp_path / f"{number}_x.{name}.msg"
        file.write_text("{}")
        os.utime(file, (time.time() - ago,) * 2)
    (tmp_path / "4_x.part").write_text("{")
    found = {one.name: (one.waiting, round(one.oldest)) for one in queues.queues()}
    assert found == {"celery": (2, 30), "long": (1, 8), "webhooks": (0, 0), "wake": (0, 0)}


@pytest.mark.both_databases
@pytest.mark.django_db
def test_standings_are_behind_since_the_first_act_after_they_were_made() -> None:
    hall = factories.hall()
    assert behind_since() == behind_since(hall.event) == []
    made = timezone.now() - timedelta(hours=1)
    Recalculation.objects.filter(tournament=hall.event).update(finished_at=made)
    for minutes in (-5, 10, 20):
        at = made + timedelta(minutes=minutes)
        record(tournament=hall.event, actor=hall.referee, at=at, act="confirm_hand")
    assert behind_since() == [], "what was done moved nothing"
    doorbell.mark_stale(hall.event.pk, hall.sitting.pk)
    assert behind_since() == behind_since(hall.event) == [made + timedelta(minutes=10)]
    assert behind_since(factories.tournament()) == []
    cache.clear()
    assert 49 * 60 < look(timezone.now()).stale.total_seconds() < 51 * 60


@pytest.mark.django_db
def test_standings_that_were_found_fresh_are_behind_since_then_at_most() -> None:
    """Calls and entries that wait move no table: the one hand that does is not out for as long as they are old."""
    hall, now = factories.hall(), timezone.now()
    cache.clear()
    Recalculation.objects.filter(tournament=hall.event).update(finished_at=now - timedelta(hours=1))
    record(tournament=hall.event, actor=hall.referee, at=now - timedelta(minutes=50), act="take_call")
    for event in (hall.event, None):
        assert look(now - timedelta(seconds=4), event).stale == timedelta(0)
    doorbell.mark_stale(hall.event.pk, hall.sitting.pk)
    for event in (hall.event, None):
        assert look(now, event).stale == timedelta(seconds=4)
        assert look(now + timedelta(minutes=1), event).stale == timedelta(seconds=64), "it is not found fresh again"


@pytest.mark.django_db
def test_signs_of_life_grow_old(monkeypatch: pytest.MonkeyPatch) -> None:
    signs.leave(signs.BEAT)
    assert told()["up", "beat"] == 1
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() + signs.SILENCE_SECONDS + 1)
    assert told()["up", "beat"] == 0
    assert signs.age(signs.BEAT) == pytest.approx(signs.SILENCE_SECONDS + 1, abs=5)
    monkeypatch.setattr(time, "time", lambda: clock() - 3600)
    assert signs.age(signs.BEAT) is None, "the clock was set back since"


@pytest.mark.django_db
def test_phones_with_a_place() -> None:
    before = told()["phones_with_a_place",]
    hall = factories.hall()
    held = Device.objects.filter(sitting__round__tournament=hall.event)
    assert told()["phones_with_a_place",] == before + held.count() > before
    held.filter(side="NS").update(released_at=timezone.now())
    assert phones_with_a_place(hall.event) == held.count() - held.filter(side="NS").count() > 0
    Round.objects.filter(tournament=hall.event).update(status=RoundStatus.CLOSED, closed_at=timezone.now())
    assert told()["phones_with_a_place",] == before

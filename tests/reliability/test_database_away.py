"""The database is lost at the worst moment, or is away: what is said is true, and the same sent again counts once."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import close_old_connections, connection
from django.test import Client

from referee.table.places import PREFIX
from tests.api.client import Answer
from tests.api.hall import ApiHall, api_hall
from tests.referee.table.places import FORM, address, browser_of
from tests.reliability.cutting import Cut, cutting
from tests.tournaments.factories import signed_in
from tournaments.models import LedgerEntry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose path is short enough for a socket."""
    made = Path(tempfile.mkdtemp(prefix="cut"))
    yield made
    shutil.rmtree(made)


@pytest.fixture
def here() -> ApiHall:
    made = api_hall()
    for api in (made.nobody, made.ns, made.ew, made.referee, made.chief, made.organiser):
        api.client.raise_request_exception = False
    return made


@pytest.fixture
def cut(folder: Path, here: ApiHall) -> Iterator[Cut]:
    with cutting(folder) as made:
        yield made


def said(answer: Answer) -> tuple[int, str]:
    message = answer.error["message"]
    assert message["en"]
    assert re.search(r"[\u4e00-\u9fff]", message["zh"])
    return answer.status, answer.error["code"]


@pytest.mark.parametrize("written", [True, False], ids=["written", "not written"])
def test_lost_at_commit_is_not_known_and_counts_once(here: ApiHall, cut: Cut, written: bool) -> None:
    def enter() -> Answer:
        body = {"facts": here.first(), "hand_no": 1}
        return here.ns.post(f"{here.sitting}/hands/", body, Idempotency_Key="once")

    cut.arm("tournaments_ledgerentry", written=written)
    lost = enter()
    assert cut.done.is_set()
    assert said(lost) == (503, "outcome_unknown")
    assert int(lost.headers["Retry-After"]) > 0
    close_old_connections()  # as at the end of every request; the client of the tests leaves it out
    assert LedgerEntry.objects.count() == written
    again = enter()
    assert (again.status, again.json["replayed"]) == (201, written)
    assert LedgerEntry.objects.count() == 1
    assert enter().json["entry"] == again.json["entry"] == LedgerEntry.objects.get().pk


@pytest.mark.parametrize("written", [True, False], ids=["written", "not written"])
def test_the_phone_hears_not_yet_known_and_its_repeat_counts_once(here: ApiHall, cut: Cut, written: bool) -> None:
    """As its outbox sends: the same form and key until there is an answer; the form without script likewise."""
    browser = phone_of(here)
    to, form = address(here.hall.ns, "enter"), {**FORM, "key": "tapped"}
    cut.arm("tournaments_ledgerentry", written=written)
    lost = browser.post(to, form, headers={"Accept": "application/json"})
    assert (lost.status_code, lost.json()["code"]) == (503, "outcome_unknown")
    assert lost["Retry-After"]
    assert browser.post(to, form, headers={"Accept": "application/json"}).status_code == 200
    assert browser.post(to, form).status_code == 303
    assert LedgerEntry.objects.count() == 1


def test_lost_before_anything_was_sent_says_that_nothing_was_saved(here: ApiHall, folder: Path) -> None:
    with away(folder):
        answer = here.ns.post(f"{here.sitting}/hands/", {"facts": here.first(), "hand_no": 1}, Idempotency_Key="k")
        assert said(answer) == (503, "database_away")
        assert "Nothing was saved" in answer.error["message"]["en"]
        assert answer.headers["Retry-After"]
    assert not LedgerEntry.objects.exists()


def test_while_it_is_away_no_page_is_a_bare_500(here: ApiHall, folder: Path) -> None:
    """Pages of all kinds, without and with a session or a place; each has its code and both languages."""
    event, place = here.hall.event.slug, here.hall.ns
    desk = signed_in(here.hall.chief)
    phone = phone_of(here)
    paths = [
        (desk, "/desk/"),
        (desk, f"/desk/{event}/"),
        (phone, address(place)),
        (phone, "/en/"),
        (phone, f"/en/e/{event}/"),
    ]
    with away(folder):
        for browser, path in paths:
            browser.raise_request_exception = False
            answer = browser.get(path)
            text = answer.content.decode()
            assert (path, answer.status_code) == (path, 503)
            assert answer["Retry-After"]
            assert "database_away" in text
            assert "数据库没有答复" in text
            assert "The database does not answer" in text
        health = phone.get("/health")
        assert (health.status_code, health.json()["database"]) == (503, "down")
        assert [phone.get(f"/health/{kind}").status_code for kind in ("ready", "live")] == [503, 200]


def test_a_request_that_is_only_slow_in_the_database_is_503(here: ApiHall) -> None:
    """A lock that cannot be had in time: the statement timeout of the service ends it."""
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("LOCK TABLE tournaments_sitting IN ACCESS EXCLUSIVE MODE")
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        assert said(here.nobody.get(f"{here.sitting}/")) == (503, "database_away")
    finally:
        other.rollback()
        other.close()
        connection.close()


def phone_of(here: ApiHall) -> Client:
    """The browser of North-South's phone."""
    browser = browser_of(here.hall.ns)
    device = here.hall.ns.device
    browser.cookies[PREFIX + device.public_id] = f"token-of-{device.pk}"
    browser.raise_request_exception = False
    return browser


@contextmanager
def away(folder: Path) -> Iterator[None]:
    """No PostgreSQL listens where the settings say."""
    here = connection.settings_dict
    host = here["HOST"]
    connection.close()
    here["HOST"] = str(folder)
    try:
        yield
    finally:
        connection.close()
        here["HOST"] = host

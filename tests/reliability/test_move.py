"""An event of a laptop moves in mid-round to federation processes on PostgreSQL, which have one of their own, is
finished there, and moves back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from tests.reliability.conftest import Laptop
from tests.reliability.hall import ROOT, Hall, open_hall
from tests.reliability.phones import Answer, Phone
from tests.reliability.test_take_over import manage, until
from tests.services import postgres_server, redis_server
from tests.soak.upgrades import serving

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.timeout(900)]

TOKEN = """
from knox.models import get_token_model
from tournaments.models import Official
user = Official.objects.filter(tournament__slug={slug!r}, office="chief_referee").first().user
print(user.username, get_token_model().objects.create(user=user)[1])
"""
#: Somebody else has the name of the laptop's official.
SAME_NAME = "from tournaments.models import User; User.objects.create_user({name!r}, password='another one 4711')"


class Federation:
    """Web and worker processes on PostgreSQL and Redis, with a key and a running event of their own."""

    def __init__(self, environment: dict[str, str], address: str, hall: Hall) -> None:
        self.environment, self.address, self.hall = environment, address, hall

    def manage(self, *arguments: str) -> str:
        return managed(self.environment, *arguments)

    def count(self, sql: str) -> int:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            found = connection.execute(sql.encode()).fetchone()
            assert found is not None
            return int(found[0])


def managed(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-W", "ignore", "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def working(environment: dict[str, str], folder: Path) -> Iterator[None]:
    """A worker of every queue, with the beat that has acts numbered."""
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "celery",
        "-A",
        "referee",
        "worker",
        "--beat",
        "--concurrency",
        "1",
    ]
    with (folder / "worker.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--schedule", str(folder / "beat")], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture
def federation() -> Iterator[Federation]:
    with TemporaryDirectory() as name:  # the names of sockets have to be short
        folder = Path(name)
        folder.chmod(0o755)
        with postgres_server(folder) as database, redis_server(folder) as redis:
            environment = {
                **os.environ,
                "DATABASE_URL": database,
                "REDIS_URL": redis,
                "DATA_DIR": str(folder / "data"),
                "SECRET_KEY": "the key of a federation 0123456789 0123456789 0123456789",
            }
            hall = open_hall(environment, 2)
            with (
                serving(ROOT, environment, folder / "web.log") as address,
                working(environment, folder),
            ):
                yield Federation(environment, address, hall)


def good(answer: Answer) -> Any:
    assert answer.status < 300, answer
    return answer.body


def test_it_is_finished_in_the_federation_and_comes_back(
    laptop: Laptop, federation: Federation, tmp_path: Path
) -> None:
    slug, places = laptop.hall.slug, laptop.hall.places
    receipts = []
    for number, place in enumerate(places[:6]):
        entered = good(Phone(laptop.address, place.sides["NS"]).enter(place.sitting, 1, 85, key="e"))
        receipts.append(entered["promise"])
        if number:
            good(Phone(laptop.address, place.sides["EW"]).confirm(place.sitting, entered["entry"], key="c"))
    waiting, file = (
        int(laptop.row("SELECT id FROM tournaments_ledgerentry WHERE status = 'waiting'")[0]),
        tmp_path / "m",
    )

    told = manage(laptop, "move", slug, "--to", federation.address, "--file", str(file))
    assert "Nothing is written to it here any more" in told.stdout, told.stderr
    refused = Phone(laptop.address, places[8].sides["NS"]).enter(places[8].sitting, 1, 80, key="x")
    assert (refused.status, refused.code) == (403, "event_moved")
    assert federation.address in refused.body["error"]["message"]["en"]
    (name,) = laptop.row("SELECT username FROM tournaments_user")
    federation.manage("shell", "-v", "0", "-c", SAME_NAME.format(name=name))
    said = federation.manage("move", "--file", str(file))
    assert "term 2 begins here" in said
    assert f"The name {name} is somebody else's here: that official signs in as {name}.{slug}." in said

    # what waited at the laptop is confirmed here; other tables begin; officials end the round
    own = federation.hall
    good(Phone(federation.address, own.places[0].sides["NS"]).enter(own.places[0].sitting, 1, 85, key="own"))
    assert own.places[0].sitting < own.places[1].sitting < 100 < places[0].sitting
    first = places[0]
    good(Phone(federation.address, first.sides["EW"]).confirm(first.sitting, waiting, key="c"))
    for place in (*places[:2], places[8]):
        hand = 1 if place is places[8] else 2
        entered = good(Phone(federation.address, place.sides["EW"]).enter(place.sitting, hand, 80, key="f"))
        good(Phone(federation.address, place.sides["NS"]).confirm(place.sitting, entered["entry"], key="g"))
    official, token = federation.manage("shell", "-v", "0", "-c", TOKEN.format(slug=slug)).split()[-2:]
    assert official == f"{name}.{slug}"
    referee = Phone(federation.address, f"Bearer {token}")
    for place in places:
        here = good(referee.ask("GET", f"/sittings/{place.sitting}/"))
        body = {"reason": "time"}
        good(
            referee.ask(
                "POST", f"/sittings/{place.sitting}/end/", body, key=str(place.sitting), revision=here["revision"]
            )
        )
    good(referee.ask("POST", f"/events/{slug}/rounds/1/close/", {}, key="close"))
    until(
        lambda: federation.count("SELECT count(*) FROM tournaments_logleaf WHERE number IS NULL") == 0,
        "the federation numbers what was done there",
        60,
    )
    assert ", 0 not explained" in federation.manage("audit", slug)
    laptop.audit()

    # promises of the laptop are kept in the log of the federation
    log = good(referee.ask("GET", f"/events/{slug}/log/"))
    assert {one["digest"] for one in receipts} <= {leaf["digest"] for leaf in log["leaves"]}
    assert [term["number"] for term in log["terms"]] == [2]

    back = tmp_path / "back"
    federation.manage("move", slug, "--to", laptop.address, "--file", str(back))
    told = manage(laptop, "move", "--file", str(back))
    assert "term 3 begins here" in told.stdout, told.stderr
    assert laptop.row("SELECT count(*) FROM tournaments_ledgerentry WHERE status = 'effective' AND kind = 'hand'") == (
        9,
    )
    assert ", 0 not explained" in laptop.audit()
    for one in (slug, own.slug):
        assert ", 0 not explained" in federation.manage("audit", one)

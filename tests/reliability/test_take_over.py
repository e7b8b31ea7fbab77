"""The first laptop is killed in mid-round; the second, which followed it, plays on. Two real processes, two folders."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.conftest import Laptop, alone
from tests.reliability.hall import ROOT
from tests.reliability.phones import Phone

pytestmark = pytest.mark.long

CODE = """
import django; django.setup()
from django.utils import timezone
from tournaments.acts.admission import Actor
from tournaments.following.pairing import make_code
from tournaments.models import Official, Tournament
event = Tournament.objects.get(slug={slug!r})
chief = Official.objects.filter(tournament=event, office="chief_referee").first().user
print(make_code(tournament_id=event.pk, actor=Actor(user=chief), at=timezone.now()))
"""


def code_from_the_desk(laptop: Laptop) -> str:
    words = CODE.format(slug=laptop.hall.slug)
    environment = alone(laptop.folder, DJANGO_SETTINGS_MODULE="referee.settings")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", words], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def manage(laptop: Laptop, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=alone(laptop.folder), capture_output=True, text=True, timeout=180, check=False
    )


def until(true: Callable[[], Any], what: str, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture
def second(laptop: Laptop, tmp_path: Path) -> Iterator[Laptop]:
    """A laptop that follows the first one."""
    folder = tmp_path / "second"
    folder.mkdir()
    made = Laptop(folder, laptop.hall)
    made.start(FOLLOW=laptop.address, FOLLOW_CODE=code_from_the_desk(laptop).lower())
    yield made
    made.kill()


def leaves(laptop: Laptop) -> int:
    return int(laptop.row("SELECT count(*) FROM tournaments_logleaf")[0])


def test_the_second_laptop_plays_on(laptop: Laptop, second: Laptop) -> None:
    places = laptop.hall.places
    for place in places[:8]:
        entered = Phone(laptop.address, place.sides["NS"]).enter(place.sitting, 1, 85, key="e1")
        assert (
            Phone(laptop.address, place.sides["EW"]).confirm(place.sitting, entered.body["entry"], key="c1").status
            == 200
        )
    until(lambda: leaves(second) == leaves(laptop), "the second laptop has everything within seconds")
    refused = Phone(second.address, places[9].sides["NS"]).enter(places[9].sitting, 1, 80, key="x")
    assert (refused.status, refused.code) == (403, "event_followed")

    # a hand that only the first disk has: the network is cut before it is acknowledged, and then the battery dies
    second.stop()
    lost = Phone(laptop.address, places[10].sides["NS"]).enter(places[10].sitting, 1, 95, key="lost")
    assert lost.status == 201
    laptop.kill()
    second.start()

    assert "Unplug" in manage(second, "take_over").stderr
    told = manage(second, "take_over", "--unplugged")
    assert "term 2" in told.stdout, told.stderr

    # entered at the first, confirmed at the second; a repeated request is known; a new table plays
    again = Phone(second.address, places[0].sides["NS"]).enter(places[0].sitting, 1, 85, key="e1")
    assert again.status == 201
    assert again.body["replayed"]
    for place in (places[0], places[9], places[10]):
        hand = 2 if place is places[0] else 1
        entered = Phone(second.address, place.sides["EW"]).enter(place.sitting, hand, 40, key="e2")
        assert entered.status == 201, entered
        assert (
            Phone(second.address, place.sides["NS"]).confirm(place.sitting, entered.body["entry"], key="c2").status
            == 200
        )
    second.audit()

    # the old disk: what it alone had is listed, and nothing of it is applied
    looked = manage(second, "review", str(laptop.folder))
    assert f"{laptop.hall.slug}: 1 acts never received, 1 newly listed" in looked.stdout, looked.stdout + looked.stderr
    (what,) = second.row("SELECT what FROM tournaments_underreview")
    assert '"captured_in_tricks": 95' in what
    assert second.row("SELECT count(*) FROM tournaments_ledgerentry WHERE status = 'effective'") == (11,)
    second.audit()


def test_the_first_hears_of_the_later_term_and_writes_no_more(laptop: Laptop, second: Laptop) -> None:
    """The network was cut, not the battery: both ran for a while."""
    places = laptop.hall.places
    until(lambda: leaves(second) == leaves(laptop), "the second laptop has everything within seconds")
    address = laptop.address
    assert manage(second, "take_over", "--unplugged").returncode == 0

    def refused() -> bool:
        return Phone(address, places[3].sides["NS"]).enter(places[3].sitting, 9, 80, key="x").code == "event_over_here"

    until(refused, "the first laptop hears of the later term")
    assert Phone(second.address, places[3].sides["NS"]).enter(places[3].sitting, 1, 80, key="y").status == 201
    second.audit()
    laptop.audit()


def test_a_wrong_code_changes_nothing(laptop: Laptop, tmp_path: Path) -> None:
    code_from_the_desk(laptop)
    folder = tmp_path / "second"
    folder.mkdir()
    environment = alone(folder, PORT="0", FOLLOW=laptop.address, FOLLOW_CODE="2222-2222-2222-2222")
    command = [sys.executable, "-W", "ignore", "manage.py", "serve"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180)
    assert done.returncode == 1
    assert "This is not the code" in done.stderr
    assert not (folder / "following.json").exists()
    shutil.rmtree(folder)

"""Copies of the whole database: made while it is in use, read again, audited, put back; broken ones are refused."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.foundations.test_releases import VERSIONS, brought_up
from tests.releases import EXPORT, FOLDER, ROOT, manage
from tests.services import postgres_programs
from tournaments.copies.files import Copy, copies_in, name_of, not_kept
from tournaments.copies.restoring import in_use

VERSION = VERSIONS[-1]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def programs() -> Mapping[str, str]:
    """The environment in which the programs of PostgreSQL are those of the server in use."""
    return {"PATH": f"{postgres_programs()}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A laptop with the demonstration of the last release, brought up to date."""
    home = tmp_path / "laptop"
    home.mkdir()
    with brought_up(VERSION, "laptop", home) as environment:
        environment |= {"SECRET_KEY": ""}
        manage("migrate", "-v", "0", **environment)
        yield environment


def run(command: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """How a command ends, and what it says."""
    own = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL", "DATA_DIR")}
    done = subprocess.run(
        [sys.executable, "manage.py", command, *arguments], cwd=ROOT, env=own | environment, capture_output=True,
        text=True,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def backup(folder: Path, *arguments: str, **environment: str) -> Path:
    folder.mkdir(exist_ok=True)
    said = manage("backup", str(folder), *arguments, **environment)
    if not arguments:
        assert ", 0 differences" in said
    (copy,) = copies_in(folder)
    return copy.path


def digest(**environment: str) -> str:
    told: str = json.loads(manage("export", **environment))["digest"]
    return told


#: Write everything that stands there down in the logs once more, and sign heads over it.
LOGGED = """
from django.utils import timezone
from tournaments.log import beginning, numbering
from tournaments.models import Tournament
for event in Tournament.objects.all():
    beginning.begin(event, at=timezone.now())
numbering.number_all(at=timezone.now())
"""


def signed(**environment: str) -> None:
    manage("shell", "-v", "0", "-c", LOGGED, **environment)


@pytest.mark.long
def test_a_laptop_goes_on_from_its_copy_on_another_one(laptop: dict[str, str], tmp_path: Path) -> None:
    signed(**laptop)
    copy = backup(tmp_path / "stick", **laptop)
    assert copy.stat().st_mode & 0o077 == 0
    other = tmp_path / "other"
    other.mkdir()
    told = manage("restore", str(copy), DATA_DIR=str(other), SECRET_KEY="")
    assert ", 0 differences" in told
    assert ", 0 not explained" in told
    assert digest(DATA_DIR=str(other), SECRET_KEY="") == digest(**laptop)
    keys = [Path(folder, "secret_key").read_text("utf-8") for folder in (laptop["DATA_DIR"], other)]
    assert keys[0] == keys[1]


@pytest.mark.long
@pytest.mark.postgres
def test_a_federation_goes_on_from_its_copy(tmp_path: Path, programs: dict[str, str]) -> None:
    with brought_up(VERSION, "federation", tmp_path) as environment:
        environment |= programs
        manage("migrate", "-v", "0", **environment)
        signed(**environment)
        before = digest(**environment)
        copy = backup(tmp_path / "share", **environment)
        assert "secret_key" not in zipfile.ZipFile(copy).namelist()
        code, said = run("restore", str(copy), DATA_DIR=str(tmp_path))
        assert (code, "another kind of database" in said) == (1, True)
        # another installation has a key and heads of its own
        signed(**environment)
        own = {"SECRET_KEY": "0123456789 the key of another installation", "HEADS": environment["DATA_DIR"] + "/heads"}
        told = manage("restore", str(copy), **environment | own)
        assert ", 0 differences" in told
        assert ", 0 not explained" in told
        assert digest(**environment) == before


def cut(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:-2000])


def flipped(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)


def another(copy: Path) -> None:
    copy.write_bytes(b"not a copy at all")


def of_later(copy: Path) -> None:
    rewritten(copy, {"format": "referee/copy/9"})


def rewritten(copy: Path, said: dict[str, object], database: bytes | None = None) -> None:
    with zipfile.ZipFile(copy) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    held["copy.json"] = json.dumps(json.loads(held["copy.json"]) | said).encode()
    if database is not None:
        held["referee.sqlite3"] = database
    with zipfile.ZipFile(copy, "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)


@pytest.mark.long
def test_what_is_broken_is_refused_and_changes_nothing(laptop: dict[str, str], tmp_path: Path) -> None:
    whole = backup(tmp_path / "stick", "--no-audit", **laptop).read_bytes()
    other = tmp_path / "other"
    other.mkdir()
    bad = tmp_path / name_of(NOON)
    for damage, said in (
        (cut, "broken"),
        (flipped, "broken"),
        (another, "broken"),
        (of_later, "cannot read this copy"),
    ):
        bad.write_bytes(whole)
        damage(bad)
        code, told = run("restore", str(bad), DATA_DIR=str(other), SECRET_KEY="")
        assert (code, said in told) == (1, True), (damage, told)
    code, told = run("restore", str(tmp_path / "none.zip"), DATA_DIR=str(other), SECRET_KEY="")
    assert (code, "There is no such file" in told) == (1, True), told
    assert not (other / "referee.sqlite3").exists()


@pytest.mark.long
def test_a_copy_whose_record_was_changed_does_not_come_in(laptop: dict[str, str], tmp_path: Path) -> None:
    import hashlib

    copy = backup(tmp_path / "stick", "--no-audit", **laptop)
    file = tmp_path / "changed.sqlite3"
    with zipfile.ZipFile(copy) as archive:
        file.write_bytes(archive.read("referee.sqlite3"))
    with closing(sqlite3.connect(file)) as opened:
        for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            opened.execute(f'DROP TRIGGER "{name}"')
        opened.execute("UPDATE tournaments_match SET home_hundredths = home_hundredths + 100 WHERE outcome = 'played'")
        opened.commit()
    changed = file.read_bytes()
    rewritten(copy, {"digest": hashlib.sha256(changed).hexdigest()}, changed)
    other = tmp_path / "other"
    other.mkdir()
    code, told = run("restore", str(copy), DATA_DIR=str(other), SECRET_KEY="")
    assert (code, "audit finds a difference" in told) == (1, True), told
    assert not (other / "referee.sqlite3").exists()


@pytest.mark.long
def test_events_are_not_overwritten_unless_that_is_meant(laptop: dict[str, str], tmp_path: Path) -> None:
    copy = backup(tmp_path / "stick", "--no-audit", **laptop)
    signed(**laptop)
    export = tmp_path / "export.json"
    export.write_bytes(gzip.decompress((FOLDER / VERSION / EXPORT).read_bytes()))
    manage("import_event", str(export), "--slug", "kept", "--write", **laptop)
    code, told = run("restore", str(copy), **laptop)
    assert (code, "There are events" in told, "say so: --replace" in told) == (1, True, True), told
    with in_use(Path(laptop["DATA_DIR"])):
        code, told = run("restore", str(copy), "--replace", **laptop)
    assert (code, "Stop it first" in told) == (1, True), told
    manage("restore", str(copy), "--replace", **laptop)
    told = manage("audit", "--copy", **laptop)
    assert told.count("differences") == 1
    assert ", 0 not explained" in told
    (old,) = Path(laptop["DATA_DIR"]).glob("referee.sqlite3.before-*Z")
    assert manage("audit", "--copy", **laptop, DATABASE_URL=f"sqlite:///{old}").count("differences") == 2


AUTOMATIC = """
from datetime import datetime, timedelta, UTC
from pathlib import Path
from django.conf import settings
from tournaments.acts import history
from tournaments.acts.access import Act
from tournaments.acts.admission import SYSTEM
from tournaments.copies.automatic import copy_if_due, state_of_copies
from tournaments.models import Tournament
noon, told = datetime(2026, 5, 1, 12, tzinfo=UTC), []
def look(minutes, act=None):
    at = noon + timedelta(minutes=minutes)
    if act is not None:
        history.record(tournament=Tournament.objects.get(), actor=SYSTEM, at=at, act=act)
    told.append(copy_if_due(at=at) is not None)
look(0)
look(10)
look(11, Act.CALL_REFEREE)
look(12, Act.CALL_REFEREE)
look(13, Act.PUBLISH)
look(18)
look(19, Act.PAIR)
print(told)
settings.COPIES = Path(settings.COPIES, "unplugged")
look(30, Act.PUBLISH)
print(told[-1], state_of_copies().problem["en"])
settings.COPIES.mkdir()
look(31)
print(told[-1], state_of_copies().problem, state_of_copies().count)
"""


@pytest.mark.long
def test_copies_make_themselves_and_say_what_stops_them(laptop: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    said = manage("shell", "-v", "0", "-c", AUTOMATIC, **laptop, COPIES=str(folder)).splitlines()
    # the first; nothing happened; five minutes are over; not yet; published; what waited at 12 was in it; drawn
    assert said[0] == "[True, False, True, False, True, False, True]"
    assert said[1] == "False The folder for copies is not there. Is the stick plugged in?"
    assert said[2] == "True None 1"


def ages(*minutes: float) -> list[Copy]:
    return [Copy(Path(str(one)), NOON - timedelta(minutes=one)) for one in minutes]


@pytest.mark.parametrize(
    ("there", "going"),
    [
        ((), ()),
        ((5, 10, 55), ()),
        # of the day one an hour
        ((5, 61, 70, 121, 130), (121, 61)),
        # of the month one a day
        ((5, 1441, 1500, 2882, 3000), (2882, 1441)),
        # what is older goes, but the newest stays however old it is
        ((50_000, 60_000), (60_000,)),
        ((5, 50_000), (50_000,)),
    ],
)
def test_which_copies_are_kept(there: tuple[float, ...], going: tuple[float, ...]) -> None:
    assert [one.path.name for one in not_kept(ages(*there), NOON)] == [str(one) for one in going]


def test_over_days_some_of_every_age_are_kept() -> None:
    """One every five minutes for a week, the rule applied each time."""
    kept: list[Copy] = []
    for number in range(7 * 288):
        now = NOON + timedelta(minutes=5 * number)
        kept.insert(0, Copy(Path(str(number)), now))
        going = not_kept(kept, now)
        kept = [one for one in kept if one not in going]
    hours = [(now - one.at) / timedelta(hours=1) for one in kept]
    assert sum(1 for one in hours if one <= 1) == 13
    assert sum(1 for one in hours if 1 < one <= 24) in (22, 23, 24)
    assert sum(1 for one in hours if one > 24) in (5, 6)


def test_only_whole_copies_are_seen(tmp_path: Path) -> None:
    for name in (name_of(NOON), f".{name_of(NOON)}.partial", "notes.txt", "referee-2026.zip"):
        (tmp_path / name).touch()
    assert copies_in(tmp_path) == [Copy(tmp_path / name_of(NOON), NOON)]

"""Processes of the service that a test may kill: the whole service of one laptop, or a worker of a federation."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from tests.reliability.hall import ROOT, Hall, open_hall

START_SECONDS = 120
Until = Callable[..., None]


class Laptop:
    """`manage.py serve` on a data folder: SQLite, a broker of files, the worker in the same process."""

    def __init__(self, folder: Path, hall: Hall, *, before: Sequence[str] = ()) -> None:
        """`before` is a command that ends by becoming the one that follows it."""
        self.folder = folder
        self.hall = hall
        self._before = before
        self.log = folder / "serve.log"
        self.address = ""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, **more: str) -> None:
        """Start it, with `more` variables; returns when it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._before, sys.executable, "manage.py", "serve"],
                cwd=ROOT,
                env=alone(self.folder, PORT="0", **more),
                stdout=log,
                stderr=log,
            )
        written = len(re.findall(r" serves (http://\S+)/", self.said())) if self.address else 0
        end = time.monotonic() + START_SECONDS
        while len(found := re.findall(r" serves (http://\S+)/", self.said())) <= written and time.monotonic() < end:
            time.sleep(0.05)
        assert len(found) > written, self.said()
        self.address = found[-1]
        while True:
            try:
                urlopen(f"{self.address}/health", timeout=5).close()
            except OSError:
                assert time.monotonic() < end, self.said()
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        """kill -9: what a flat battery does."""
        self._end(signal.SIGKILL)

    def inside(self, path: Path) -> Path:
        """A path as the process sees it, which may have mounts of its own."""
        assert self._process is not None
        return Path(f"/proc/{self._process.pid}/root{path}")

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(number)
        return process.wait(90)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def said(self) -> str:
        return self.log.read_text("utf-8", "replace")

    def row(self, sql: str) -> Any:
        """One row of the database, read beside the service."""
        with closing(sqlite3.connect(self.folder / "referee.sqlite3", timeout=20)) as database:
            return database.execute(sql).fetchone()

    def audit(self) -> str:
        """What `manage.py audit` finds; its exit code is 0. The service may have ended before it numbered all acts."""
        command = [sys.executable, "-W", "ignore", "manage.py", "audit", "--copy", self.hall.slug]
        done = subprocess.run(command, cwd=ROOT, env=alone(self.folder), capture_output=True, text=True, timeout=180)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def alone(folder: Path, **more: str) -> dict[str, str]:
    """The environment of one laptop: none of the tests' servers."""
    servers = ("DATABASE_URL", "REDIS_URL")
    kept = {name: value for name, value in os.environ.items() if name not in servers}
    return {**kept, "DATA_DIR": str(folder), **more}


@pytest.fixture(scope="session")
def _prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Hall]:
    folder = tmp_path_factory.mktemp("laptop")
    return folder, open_hall(alone(folder), tables=16)


@pytest.fixture
def laptop_off(_prepared: tuple[Path, Hall], tmp_path: Path) -> Iterator[Laptop]:
    """A laptop with sixteen tables, not yet started; killed at the end if the test did not stop it."""
    prepared, hall = _prepared
    folder = tmp_path / "data"
    shutil.copytree(prepared, folder)
    made = Laptop(folder, hall)
    yield made
    made.kill()


@pytest.fixture
def laptop(laptop_off: Laptop) -> Laptop:
    """The same, running."""
    laptop_off.start()
    return laptop_off


#: Mounts a disk of a few megabytes over a folder, for the process alone, and copies another folder there.
SMALL_DISK = """
mount -t tmpfs -o size=24m none "$1" && cp -a "$2/." "$1/" || exit 1
shift 2
exec "$@"
"""


@pytest.fixture
def small_laptop(_prepared: tuple[Path, Hall], tmp_path: Path) -> Iterator[Laptop]:
    """A laptop like the other, whose data folder is a small disk of its own."""
    private = ["unshare", "--user", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*private, "true"], capture_output=True).returncode:
        pytest.skip("this machine forbids user namespaces")
    prepared, hall = _prepared
    folder = tmp_path / "data"
    folder.mkdir()
    made = Laptop(folder, hall, before=[*private, "sh", "-c", SMALL_DISK, "sh", str(folder), str(prepared)])
    made.start()
    yield made
    made.kill()


class Workers:
    """Celery workers as processes, on the test's own PostgreSQL database and Redis."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        """A worker that is ready to work."""
        from django.db import connection

        from referee.celery import app

        here = connection.settings_dict
        url = f"postgresql://{here['USER']}@{quote(here['HOST'], safe='')}:{here['PORT'] or 5432}/{here['NAME']}"
        self._count += 1
        name = f"w{self._count}@test"
        log = self.folder / f"worker{self._count}.log"
        command = [sys.executable, "-m", "celery", "-A", "referee", "worker", "--concurrency", "1"]
        with log.open("wb") as out:
            # a process group, so that a kill takes the pool with it
            process = subprocess.Popen(
                [*command, "--without-gossip", "--without-mingle", "-n", name],
                cwd=ROOT,
                env={**os.environ, "DATABASE_URL": url},
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self._running.append(process)
        end = time.monotonic() + START_SECONDS
        while not app.control.ping([name], timeout=0.2):
            assert process.poll() is None, log.read_text("utf-8", "replace")
            assert time.monotonic() < end, log.read_text("utf-8", "replace")
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """kill -9 of the worker and its pool."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)

    def kill_all(self) -> None:
        for process in self._running:
            self.kill(process)


@pytest.fixture
def workers(transactional_db: None, tmp_path: Path) -> Iterator[Workers]:
    """Worker processes the test may start and kill; their queue begins empty."""
    import redis
    from django.conf import settings

    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
    made = Workers(tmp_path)
    yield made
    made.kill_all()

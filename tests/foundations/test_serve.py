"""`manage.py serve` as a process of its own: one laptop, nothing but SQLite."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SERVERS = ("DATABASE_URL", "REDIS_URL")


def command(data: Path, **variables: str) -> tuple[list[str], dict[str, str]]:
    environment = {name: value for name, value in os.environ.items() if name not in SERVERS}
    return [sys.executable, "manage.py", "serve"], {**environment, "DATA_DIR": str(data), **variables}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data folder for all starts: the first makes its database and the demonstration, the others find them."""
    return tmp_path_factory.mktemp("laptop")


@contextmanager
def serving(data: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running service and its address; killed at the end if the test did not stop it."""
    arguments, environment = command(data, **{"PORT": "0", **variables})
    with subprocess.Popen(arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            line = next((line for line in process.stdout if " serves " in line), "")
            found = re.search(r"https?://\S+(?=/)", line)
            assert found, f"no address in {line!r}"
            yield process, found[0]
        finally:
            process.kill()


def wait_for(address: str) -> dict[str, str]:
    end = time.monotonic() + 180  # a first start makes the demonstration
    while True:
        try:
            with urlopen(f"{address}/health", timeout=5) as answer:
                return json.load(answer)  # type: ignore[no-any-return]
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serves_and_stops_cleanly(data: Path, number: signal.Signals) -> None:
    with serving(data) as (process, address):
        assert wait_for(address) == {"status": "ok", "database": "ok", "disk": "ok"}
        process.send_signal(number)
        assert process.wait(60) == 0


def test_open_stream_does_not_hold_the_stop_up(data: Path) -> None:
    with serving(data) as (process, address):
        wait_for(address)
        with urlopen(f"{address}/live/event/any/", timeout=10) as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            assert stream.readline().startswith(b"retry:")
            process.terminate()
            assert process.wait(60) == 0


def test_taken_port_is_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        arguments, environment = command(tmp_path, PORT=str(port))
        done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180)
    assert done.returncode == 1
    assert f"Port {port} is taken" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "referee.sqlite3").exists()


def test_open_host_without_names_is_refused(tmp_path: Path) -> None:
    arguments, environment = command(tmp_path, HOST="0.0.0.0", PORT="0")
    done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180)
    assert done.returncode == 1
    assert "set ALLOWED_HOSTS" in done.stderr

"""A slice of the power cuts, and that a database that syncs too late is found out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.reliability.conftest import alone
from tests.reliability.hall import ROOT
from tests.soak.disk import STRACE, Disk, operations

STATES = int(os.environ.get("REFEREE_SOAK_SCHEDULES", "200"))
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed: no writes can be recorded"),
]


def cuts(recordings: int, states: int, *more: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-W", "ignore", "-m", "tests.soak.power"]
    given = ["--recordings", str(recordings), "--states", str(states)]
    return subprocess.run([*program, *given, *more], cwd=ROOT, capture_output=True, text=True)


def test_what_was_answered_survives_a_power_cut() -> None:
    done = cuts(1, 15)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["states"] == 15
    assert figures["could be lost"] >= 50
    assert figures["answered"] >= 100


def test_answers_before_the_sync_are_found() -> None:
    done = cuts(1, 15, "--synchronous", "NORMAL")
    assert done.returncode == 1
    assert "AssertionError: power cut" in done.stderr


def test_the_key_of_a_laptop_is_on_the_disk_before_it_signs(tmp_path: Path) -> None:
    """Whenever the power fails at the first start: what was signed by a key is not outlived by it."""
    data, trace, empty = tmp_path / "data", tmp_path / "trace", tmp_path / "empty"
    empty.mkdir()
    tell = "import os; from referee import settings; os.write(1, settings.SECRET_KEY.encode())"
    bare = {name: value for name, value in alone(data).items() if name != "SECRET_KEY"}
    started = subprocess.run(
        [*STRACE, str(trace), sys.executable, "-W", "ignore", "-c", tell],
        cwd=ROOT, env=bare, capture_output=True, text=True,
    )  # fmt: skip
    assert started.returncode == 0, started.stderr
    disk, signs = Disk(data, empty), False
    for number, one in enumerate(operations(trace)):
        disk.carry_out(one)
        signs = signs or (one.data == started.stdout.encode() and not one.path.startswith(str(data)))
        if not one.path.startswith(str(data)) and not signs:
            continue
        for seed in range(10):
            disk.lose_power(tmp_path / "left", Random(f"{number}/{seed}"))
            left = tmp_path / "left" / "secret_key"
            if signs or left.exists():
                assert left.read_text() == started.stdout, (number, seed)
    assert signs


@pytest.mark.soak
def test_thousands_of_power_cuts() -> None:
    done = cuts(10, STATES)
    assert done.returncode == 0, done.stderr
    print(done.stdout)

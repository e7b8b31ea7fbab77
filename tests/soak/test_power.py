"""A slice of the power cuts, and that a database that syncs too late is found out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.reliability.hall import ROOT

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


@pytest.mark.soak
def test_thousands_of_power_cuts() -> None:
    done = cuts(10, STATES)
    assert done.returncode == 0, done.stderr
    print(done.stdout)

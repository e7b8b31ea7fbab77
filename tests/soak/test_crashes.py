"""A slice of the crash laboratory in both modes, and that it finds what it looks for."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.reliability.hall import ROOT

pytestmark = pytest.mark.long

SCHEDULES = int(os.environ.get("REFEREE_SOAK_SCHEDULES", "200"))


def laboratory(mode: str, schedules: int, *more: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "tests.soak.crashes",
        "--mode",
        mode,
        "--schedules",
        str(schedules),
    ]
    return subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("mode", ["laptop", "federation"])
def test_what_was_answered_survives_being_killed_anywhere(mode: str) -> None:
    done = laboratory(mode, 6)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["schedules"] == 6
    assert figures["killed"] >= 6
    assert figures["answered"] >= 12


def test_what_was_answered_survives_the_servers_being_killed() -> None:
    done = laboratory("servers", 4)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["PostgreSQL killed"] >= 2
    assert figures["Redis killed"] >= 2
    assert figures["told to come again"] >= 2
    assert figures["answered"] >= 12


def test_an_answer_that_left_nothing_behind_is_found() -> None:
    done = laboratory("laptop", 1, "--forge")
    assert done.returncode == 1
    assert "AssertionError: seed 0" in done.stderr


@pytest.mark.soak
@pytest.mark.parametrize("mode", ["laptop", "federation", "servers"])
def test_thousands_of_crashes(mode: str) -> None:
    done = laboratory(mode, 50 * SCHEDULES)
    assert done.returncode == 0, done.stderr
    print(mode, done.stdout)

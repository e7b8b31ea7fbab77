"""A slice of the histories of entries in both modes, and that a forgotten act is found."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.reliability.hall import ROOT

RUNS = int(os.environ.get("REFEREE_SOAK_SCHEDULES", "200"))
MODES = pytest.mark.parametrize("mode", ["laptop", "federation"])
pytestmark = pytest.mark.long


def histories(mode: str, runs: int, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.soak.isolation", "--mode", mode, "--runs", str(runs)]
    return subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True)


@MODES
def test_what_everybody_was_told_has_one_order(mode: str) -> None:
    done = histories(mode, 2)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["acts"] >= 40
    assert figures["read"] >= 100


def test_an_act_that_is_forgotten_is_found() -> None:
    done = histories("laptop", 1, "--forge")
    assert done.returncode == 1
    assert "phantom: nobody asked for revision" in done.stderr


@pytest.mark.soak
@MODES
def test_hundreds_of_histories_have_one_order(mode: str) -> None:
    done = histories(mode, RUNS)
    assert done.returncode == 0, done.stderr
    print(mode, done.stdout)

"""The commands on recorded hands."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run(name, *args, **options):
    out = StringIO()
    call_command(name, *args, stdout=out, **options)
    return out.getvalue()


def test_simulated_hands_are_judged_without_a_problem(tmp_path):
    file = tmp_path / "hands.txt"
    file.write_text(run("simulate", hands=18, seed="7"))
    said = run("replay", str(file)).splitlines()
    assert said[-1] == "18 hands, 0 problems"
    assert all("next" in line for line in said[:-1])
    assert run("simulate", hands=2, seed="7", profile="chaodipi") == run(
        "simulate", hands=2, seed="7", profile="chaodipi"
    )


def test_problems_are_printed_and_fail_the_command(tmp_path):
    file = tmp_path / "hand.txt"
    file.write_text('[level "7"]\n[trump "S"]\n[leader "W"]\nplay\n1. W:HA E:H5 S:H10 N:HK\n')
    with pytest.raises(SystemExit) as stopped:
        run("replay", str(file), profile="scn2-2013")
    assert stopped.value.code == 1
    file.write_text("hello")
    with pytest.raises(SystemExit):
        run("replay", str(file), profile="scn2-2013")


def test_what_cannot_be_judged_is_said(tmp_path):
    file = tmp_path / "hand.txt"
    file.write_text('[level "7"]\n')
    with pytest.raises(CommandError, match="names no rules"):
        run("replay", str(file))
    with pytest.raises(CommandError):
        run("replay", str(tmp_path / "nothing"))
    with pytest.raises(CommandError):
        run("simulate", profile="nothing")

"""The commands on recorded hands."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run(name, *args, **options):
    out = StringIO()
    call_command(name, *args, stdout=out, **options)
    return out.getvalue()


@pytest.mark.long
def test_simulated_hands_are_judged_without_a_problem(tmp_path):
    file = tmp_path / "hands.txt"
    file.write_text(run("simulate", hands=18, seed="7"))
    said = run("replay", str(file)).splitlines()
    assert said[-1] == "18 hands, 0 problems"
    assert all("next" in line for line in said[:-1])
    assert run("simulate", hands=2, seed="7", profile="chaodipi") == run(
        "simulate", hands=2, seed="7", profile="chaodipi"
    )


@pytest.mark.long
def test_every_line_is_in_the_language_asked_for(tmp_path):
    file = tmp_path / "hands.txt"
    file.write_text(run("simulate", hands=18, seed="7"))
    *lines, total = run("replay", str(file), language="zh").splitlines()
    assert total == "共 18 副，0 处问题"
    english = run("replay", str(file)).splitlines()[:-1]
    assert len(lines) == len(english)
    for zh, en in zip(lines, english, strict=True):
        points = en.partition("attackers ")[2].partition(",")[0]
        winner = "庄家方" if ", dealer +" in en else "闲家"
        assert f"闲家 {points} 分，{winner} +" in zh
        assert "坐庄" in zh


def test_hands_of_single_players_are_played_and_judged_too(tmp_path):
    for profile in ("sandayi", "ersibai", "zhaopengyou"):
        file = tmp_path / f"{profile}.txt"
        file.write_text(run("simulate", profile=profile, seed="7"))
        line, total = run("replay", str(file), language="zh").splitlines()
        assert total == "共 1 副，0 处问题"
        assert "号坐庄；1 号 " in line
    file.write_text('[profile "sandayi"]\nauction\n1 pass\n2 pass\n3 pass\n4 pass\n')
    assert "dealt again" in run("replay", str(file))
    file.write_text('[profile "sandayi"]\nauction\n1 bid 90\n1 bid 85\n')
    with pytest.raises(SystemExit):
        run("replay", str(file))


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

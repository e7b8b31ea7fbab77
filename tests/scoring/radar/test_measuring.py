"""The figures behind the radar: a slice is the same from the same seed, and the file says what the page says."""

from __future__ import annotations

import json
from importlib import resources
from random import Random

import pytest

from scoring.radar.flags import table_flags
from scoring.radar.rates import document, honest, honest_of
from tools.radar import __main__ as program
from tools.radar import measuring
from tools.radar.doctored import WAYS
from tools.radar.played import bank, matches, rules

SLICE = {"hands": 24, "many": 40, "doctored": 4}


@pytest.mark.parametrize("profile", ["scn2-2013", "sandayi", "zhaopengyou", "ersibai"])
def test_a_slice_is_measured_alike_from_its_seed(profile: str) -> None:
    once = measuring.measured(profile, **SLICE)
    assert json.dumps(once) == json.dumps(measuring.measured(profile, **SLICE))
    assert once["matches"] == 40
    assert sum(once["figures"].values()) == once["hands"]
    assert set(once["doctored"]) == set(WAYS)
    assert once["doctored"]["invented"] == once["doctored"]["revoked"] == 4


def test_the_file_is_of_all_profiles_and_enough_matches() -> None:
    data = document()
    assert data["seed"] == measuring.SEED
    assert list(data["profiles"]) == measuring.profiles()
    for name, one in data["profiles"].items():
        assert one["matches"] == measuring.matches_of(name), name
        assert sum(one["climbs"].values()) == sum(one["runs"].values()) == one["matches"], name
        assert sum(one["figures"].values()) == one["hands"], name
    assert sum(data["boards"]["apart"].values()) == data["boards"]["results"]
    written = (resources.files("scoring.radar") / "honest.json").read_text(encoding="utf-8")
    assert program.written(data) == written


def test_honest_matches_of_other_hands_are_seldom_flagged() -> None:
    """Of matches that the figures do not know: as often as the file says, within a few in a hundred."""
    kind = rules("scn2-2013")
    played = matches(kind, bank(kind, 120, "others"), 300, "others")
    flagged = sum(bool(measuring.kinds_in(match, honest("scn2-2013"))) for match in played)
    said = document()["profiles"]["scn2-2013"]["flagged"]["any"] / measuring.MATCHES
    assert abs(flagged / 300 - said) < 0.06


def test_every_way_but_the_small_slip_is_caught() -> None:
    for name in measuring.MOST_PLAYED:
        one = document()["profiles"][name]
        caught = {way: found / one["tried"] for way, found in one["doctored"].items()}
        sure = ("invented", "rushed", "copied", "held_back", "level_too_high", "other_cards", "not_returned", "revoked")
        assert all(caught[way] > 0.9 for way in sure), (name, caught)
        assert caught["five_more"] < 0.05, "nobody sees five points"


def test_a_doctored_match_is_flagged_where_it_was_doctored() -> None:
    kind = rules("scn2-2013")
    drawn = bank(kind, 24, "where")
    data = measuring.usual(matches(kind, drawn, 200, "where"))
    known = honest_of(data, {})
    for match in matches(kind, drawn, 5, "there"):
        before = {flag.key for flag in table_flags(match.table, known)}
        rushed = WAYS["rushed"][1](kind, match, drawn, Random(1))
        new = [flag for flag in table_flags(rushed.table, known) if flag.key not in before]
        assert len(match.table.hands) in [flag.hand for flag in new]


@pytest.mark.soak
def test_the_figures_are_made_again(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        assert program.main([]) == 0

"""The slow calculation itself: printed examples, and that it owes nothing to the product."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.slow.make_expected import CASES, EVENTS, expected_text, read
from tests.slow.sittings import Sitting, climb, total_of
from tests.slow.tables import F3_RULES, LADDER, NATIONAL_2D, national_levels, scn2_levels

CALCULATION = ("__init__.py", "tables.py", "sittings.py", "chances.py", "players.py", "events.py", "make_expected.py")


@pytest.mark.parametrize("name", CALCULATION)
def test_imports_nothing_from_the_product(name):
    tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
    roots = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            roots.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            roots.add(node.module if node.module.startswith("tests") else node.module.split(".")[0])
    assert roots <= {
        "__future__", "copy", "fractions", "json", "pathlib", "random",
        "tests.slow.tables", "tests.slow.sittings", "tests.slow.chances", "tests.slow.events",
    }  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_expected_is_up_to_date(name):
    assert (CASES / name / "expected.json").read_text(encoding="utf-8") == expected_text(read(name))


# Inventory, S4-LV-02, S4-LV-04, S0-LV-09 to 11, S0-SC-05.
LEVELS = [
    (national_levels, -5, ("dealer", 4)),
    (national_levels, -40, ("dealer", 4)),
    (national_levels, -45, ("dealer", 5)),
    (national_levels, -90, ("dealer", 6)),
    (national_levels, 0, ("dealer", 3)),
    (national_levels, 35, ("dealer", 2)),
    (national_levels, 40, ("dealer", 1)),
    (national_levels, 75, ("dealer", 1)),
    (national_levels, 80, ("attackers", 0)),
    (national_levels, 120, ("attackers", 1)),
    (national_levels, 235, ("attackers", 3)),
    (national_levels, 240, ("attackers", 4)),
    (scn2_levels, -20, ("dealer", 3)),
    (scn2_levels, 0, ("dealer", 3)),
    (scn2_levels, 5, ("dealer", 2)),
    (scn2_levels, 115, ("attackers", 0)),
    (scn2_levels, 165, ("attackers", 2)),
]


@pytest.mark.parametrize(("table", "total", "expected"), LEVELS)
def test_levels(table, total, expected):
    assert table(total) == expected


SINGLE, PAIR = {"type": "single"}, {"type": "pair"}
THREE_PAIRS = {"type": "tractor", "width": 2, "length": 3}
MULTIPLIERS = [
    ([SINGLE], 2, 2),
    ([PAIR], 4, 4),
    ([{"type": "tractor", "width": 2, "length": 2}], 6, 8),
    ([THREE_PAIRS], 8, 16),
    ([SINGLE, SINGLE], 3, 2),
    ([PAIR, SINGLE], 4, 4),
    ([SINGLE, THREE_PAIRS], 8, 16),
]


@pytest.mark.parametrize(("led", "national", "scn2"), MULTIPLIERS)
def test_multipliers(led, national, scn2):
    assert (NATIONAL_2D.multiplier(led), F3_RULES.multiplier(led)) == (national, scn2)


def test_fifty_fined_and_sixty_dug_are_ten():
    sheet = {
        "captured_in_tricks": 0,
        "last_trick_winner": "attackers",
        "led": [SINGLE],
        "kitty_points": 30,
        "throw_failures": [{"side": "attackers", "cards": 5}],
    }
    assert total_of(F3_RULES, sheet) == 10


CLIMBS = [
    ("K", 3, False, "A"),  # cut at A
    ("K", 3, True, "A"),
    ("A", 1, False, "A"),  # attackers at A stay
    ("A", 1, True, "passed"),
    ("9", 2, True, "J"),
    ("2", 0, True, "2"),
]


@pytest.mark.parametrize(("level", "gain", "held", "expected"), CLIMBS)
def test_climbs(level, gain, held, expected):
    assert climb(NATIONAL_2D, level, gain, held=held) == expected


@pytest.mark.parametrize(("dealer", "captured", "following"), [("S", 80, "E"), ("S", 75, "N"), ("E", 80, "N")])
def test_next_dealer(dealer, captured, following):
    sitting = Sitting(NATIONAL_2D, {"levels": {"NS": "2", "EW": "2"}, "first_dealer": dealer})
    sitting.enter({"kind": "hand", "captured_in_tricks": captured, "last_trick_winner": "dealer"})
    assert sitting.dealer == following


def all_matches(event):
    return [match for one in event["rounds"] for match in one["matches"]]


def test_f1_has_everything_it_is_for():
    event = read("f1")
    matches = all_matches(event)
    entries = [entry for match in matches for entry in match["ledger"]]
    hands = [entry for entry in entries if entry["kind"] == "hand"]
    shapes = {
        tuple(sorted(f"{shape['type']}{shape.get('length', '')}" for shape in hand["led"]))
        for hand in hands
        if hand.get("last_trick_winner") == "attackers"
    }
    assert {("single",), ("pair",), ("tractor2",), ("tractor3",), ("single", "single"), ("pair", "single")} <= shapes
    assert {throw["side"] for hand in hands for throw in hand.get("throw_failures", [])} == {"dealer", "attackers"}
    assert {"misdeal", "redeal"} <= {entry["reason"] for entry in entries if entry["kind"] == "annulled"}
    assert {entry["kind"] for entry in entries} == {"hand", "annulled", "level_penalty", "adjusted"}
    assert any("total_only" in hand for hand in hands)
    assert any("adjustments" in hand for hand in hands)
    assert {match["scored_by"] for match in matches} == {"sides", "referee", "slip"}
    assert [match["forfeit"]["outcome"] for match in matches if match["forfeit"]] == ["away_forfeit", "home_forfeit"]
    assert len(event["entrants"]) == 16
    assert len(event["rounds"]) == 4
    assert len(matches) == 32
    met = {frozenset((match["home"], match["away"])) for match in matches}
    assert len(met) == 32
    for one in event["rounds"]:
        assert len({match[who] for match in one["matches"] for who in ("home", "away")}) == 16
    played = [len(match["ledger"]) for match in matches if not match["forfeit"]]
    assert min(played) >= 5
    assert max(played) <= 10


def test_f1_table_has_its_ties():
    expected = read("f1", "expected.json")
    split = {row["split_by"] for row in expected["standings"]}
    assert {"opponents", "wins", "head_to_head", "net_levels"} <= split
    assert {"sum_levels"} & split or any(row["shared"] for row in expected["standings"])
    assert expected["standings"] != expected["standings_before_corrections"]
    lines = [line for one in expected["rounds"] for match in one["matches"] for line in match["entries"]]
    assert any((line.get("total") or 0) < 0 for line in lines)
    assert any(match["decided_by"] == "tie_rule" for one in expected["rounds"] for match in one["matches"])


def test_f3_has_every_way_to_win():
    expected = read("f3", "expected.json")
    matches = all_matches(expected)
    assert [match["decided_by"] for match in matches] == ["passed", "lead", "tie_rule", "levels", "lead", "levels"]
    assert matches[4]["entries"][-1]["hook"]
    assert not any(line.get("hook") for line in matches[1]["entries"])
    entries = [entry for match in all_matches(read("f3")) for entry in match["ledger"]]
    assert {"rebellion"} == {entry["reason"] for entry in entries if entry["kind"] == "annulled"}
    assert all(match["home_level"] in [*LADDER, "passed"] for match in matches)

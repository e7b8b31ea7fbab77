"""The kernel against the slow calculation, over every two-team profile and some events' own rules."""

from __future__ import annotations

import os
from random import Random

import pytest

from scoring.hands.sheets import read_entry
from scoring.individual import fold as individual
from scoring.individual import sheets
from scoring.individual.states import IndividualOpening
from scoring.profiles import build, individual_ids, profile_ids
from scoring.sittings.fold import fold
from scoring.sittings.states import Opening
from scoring.values import Level, Seat, Side
from tests.slow.chances import opening, played, sheet
from tests.slow.players import evening
from tests.slow.sittings import FLAG, Sitting
from tests.slow.tables import PROFILES, VARIANTS
from tests.slow.test_against_kernel import kernel_line

GAMES = {rules.name: (rules.name, rules) for rules in PROFILES} | {
    rules.name: (spec, rules) for spec, rules in VARIANTS
}
SEED = int(os.environ.get("REFEREE_SOAK_SEED", "0"))


def test_every_two_team_profile_has_its_slow_rules():
    assert sorted(rules.name for rules in PROFILES) == sorted(profile_ids())


def kernel_opening(begun):
    levels = {Side(side): Level(level) for side, level in begun["levels"].items()}
    return Opening(levels, Seat(begun["first_dealer"]))


def lines_of(state):
    """The kernel's results in the words of the slow calculation."""
    return [kernel_line(entry) for entry in state.entries]


def without_number(line):
    return {name: value for name, value in line.items() if name != "hand_no"}


def one_hand(game, chance):
    """A hand from any levels: the kernel's line and the slow one."""
    spec, rules = GAMES[game]
    begun = opening(rules, chance)
    level = begun["levels"]["NS" if begun["first_dealer"] in "NS" else "EW"]
    entry = sheet(rules, chance, flag=level == FLAG)
    if level == "no_trump" and "trump" in entry:
        entry["trump"] = "NT"
    slow = Sitting(rules, begun)
    slow.enter(entry)
    profile = build(spec)
    state = fold(profile, kernel_opening(begun), [read_entry(profile, entry)])
    return lines_of(state), [without_number(line) for line in slow.lines], (begun, entry)


def one_ledger(game, chance):
    """A whole sitting: the kernel's lines, end and hooks, and the slow ones."""
    spec, rules = GAMES[game]
    begun, ledger, slow = played(rules, chance)
    profile = build(spec)
    state = fold(profile, kernel_opening(begun), [read_entry(profile, entry) for entry in ledger])
    end = (state.decided_by, state.winner and str(state.winner))
    hooked = {str(side): times for side, times in state.hooked.items()}
    expected = [without_number(line) for line in slow.lines]
    return (lines_of(state), end, hooked), (expected, (slow.finished, slow.winner), slow.hooked), (begun, ledger)


def agree(kind, game, count):
    chance = Random(f"{SEED} {kind.__name__} {game}")
    for number in range(count):
        kernel, slow, what = kind(game, chance)
        assert kernel == slow, (game, number, what)


@pytest.mark.parametrize("game", GAMES)
def test_some_hands(game):
    agree(one_hand, game, 150)


@pytest.mark.parametrize("game", GAMES)
def test_some_ledgers(game):
    agree(one_ledger, game, 15)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_a_hundred_thousand_hands(game):
    agree(one_hand, game, 100_000 // len(GAMES) + 1)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_ledgers(game):
    agree(one_ledger, game, 10_000 // len(GAMES) + 1)


INDIVIDUAL = ("sandayi", "ersibai", "zhaopengyou")


def test_every_individual_game_has_its_slow_rules():
    assert sorted(INDIVIDUAL) == sorted(individual_ids())


def one_evening(game, chance):
    """A table of single players: the kernel's lines and the slow ones."""
    table, begun, hands = evening(game, chance)
    profile = build(game, individual=True)
    begins = IndividualOpening.from_json({} if begun is None else {"levels": begun}, profile)
    state = individual.fold(profile, begins, [sheets.read_entry(profile, hand) for hand in hands])
    return [line_of_table(entry) for entry in state.entries], table.lines, (begun, hands)


def line_of_table(entry):
    after = entry.after.to_json()
    return {
        "winners": sorted(str(place) for place in entry.winners),
        "gains": {str(place): gain for place, gain in entry.gains.items()},
        "scores": after["scores"],
        "levels": {place: level or "passed" for place, level in after["levels"].items()},
        "passed": [str(place) for place in entry.passed],
    }


@pytest.mark.parametrize("game", INDIVIDUAL)
def test_some_evenings(game):
    agree(one_evening, game, 60)


@pytest.mark.soak
@pytest.mark.parametrize("game", INDIVIDUAL)
def test_three_thousand_evenings(game):
    agree(one_evening, game, 3_000)

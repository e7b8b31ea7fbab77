"""Movements of duplicate: the laws at all supported sizes, and their figures of balance."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from scoring.hands.findings import Refused
from tournaments.draws.balancing import balanced
from tournaments.draws.movements import (
    HOWELL_PAIRS,
    MITCHELL_PAIRS,
    arrow_switched,
    balance,
    howell,
    mitchell,
    teams_of_four,
)


def hold(movement):
    """Nobody plays twice in a round, meets a board twice or an opponent twice; everybody plays or sits out."""
    boards, opponents = Counter(), Counter()
    for plays, out in zip(movement.rounds, movement.sits_out, strict=True):
        here = [pair for play in plays for pair in (play.ns, play.ew)]
        assert sorted([*here, *out]) == list(range(movement.pairs))
        assert len({play.table for play in plays}) == len(plays)
        boards.update((pair, play.boards) for play in plays for pair in (play.ns, play.ew))
        opponents.update(frozenset((play.ns, play.ew)) for play in plays)
    assert set(boards.values()) == {1}
    assert set(opponents.values()) == {1}


@pytest.mark.parametrize("pairs", HOWELL_PAIRS)
def test_howell(pairs):
    movement = howell(pairs)
    hold(movement)
    figures = balance(movement)
    assert figures.meetings == (1, 1)
    assert figures.sit_outs == ((1, 1) if pairs % 2 else (0, 0))
    assert len(movement.rounds) == pairs - 1 + pairs % 2
    assert figures.shared == {4: 2, 5: 2, 6: 3}.get(pairs, 1)


@pytest.mark.parametrize("pairs", [4, 8])
def test_small_howells_are_perfectly_balanced(pairs):
    assert balance(howell(pairs)).spread == 0


@pytest.mark.parametrize("pairs", [*range(4, 40), 99, 100])
def test_mitchell(pairs):
    movement = mitchell(pairs)
    hold(movement)
    figures = balance(movement)
    assert figures.shared == 1
    assert figures.sit_outs[1] <= 1
    assert all(play.ns % 2 == 0 and play.ew % 2 == 1 for plays in movement.rounds for play in plays)
    assert len(movement.rounds) == (pairs + 1) // 2 - (1 if (pairs + 1) // 2 % 2 == 0 else 0)


@pytest.mark.parametrize("pairs", [4, 9, 16, 26])
@pytest.mark.parametrize("switched", [0, 1])
def test_arrow_switch_keeps_the_laws(pairs, switched):
    movement = arrow_switched(mitchell(pairs), switched)
    hold(movement)
    assert all((play.ns % 2 == 1) == (switched == 1) for play in movement.rounds[-1])


def test_one_switched_round_evens_a_full_mitchell_out():
    """Of thirteen tables one round in eight or so is best, as directors have it."""
    spreads = [balance(arrow_switched(mitchell(26), rounds)).spread for rounds in range(7)]
    assert spreads.index(min(spreads)) in (1, 2)


def test_balance_of_two_tables_by_hand():
    """Four pairs, three rounds, both tables over the same boards: pairs meet once (+1), sit the same way once and the
    opposite way once on each other two sets of boards."""
    figures = balance(howell(4))
    assert (figures.meetings, figures.shared, figures.sit_outs) == ((1, 1), 2, (0, 0))
    assert (figures.influence, figures.spread) == ((1, 1), Fraction(0))


def test_teams_of_four():
    rounds = teams_of_four("1234")
    assert [one.pairs for one in rounds] == [
        (("1", "3"), ("2", "4")),
        (("1", "2"), ("3", "4")),
        (("1", "4"), ("2", "3")),
    ]
    met = {frozenset(pair) for one in rounds for pair in one.pairs}
    assert met == {frozenset(pair) for pair in combinations("1234", 2)}


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda: howell(HOWELL_PAIRS.stop), "size_not_supported"),
        (lambda: howell(2), "size_not_supported"),
        (lambda: mitchell(MITCHELL_PAIRS.start - 1), "size_not_supported"),
        (lambda: mitchell(8, rounds=4), "too_many_rounds"),
        (lambda: mitchell(8, rounds=0), "too_many_rounds"),
        (lambda: arrow_switched(mitchell(8), 4), "too_many_rounds"),
        (lambda: teams_of_four("123"), "not_four_teams"),
    ],
)
def test_what_does_not_fit_is_refused(act, code):
    with pytest.raises(Refused) as refused:
        act()
    assert refused.value.code == code


def meetings_of(movement):
    """Who meets whom over which boards in each round, whoever sits North-South."""
    return [{(frozenset((play.ns, play.ew)), play.boards) for play in plays} for plays in movement.rounds]


@pytest.mark.parametrize("pairs", [4, 5, 6, 7, 8, 9, 12, 13, 16, 20, 24])
def test_a_balanced_movement_keeps_the_laws_and_is_no_less_even(pairs):
    rounds = len(mitchell(pairs).rounds)
    movement = balanced(pairs, rounds, "seed")
    hold(movement)
    assert len(movement.rounds) == rounds
    figures = balance(movement)
    prefix = howell(pairs).rounds[:rounds]
    plain = [mitchell(pairs, rounds), arrow_switched(mitchell(pairs, rounds), (rounds + 4) // 8)]
    assert figures.shared == 1
    assert all(figures.spread <= balance(one).spread for one in plain)
    assert meetings_of(movement) in (meetings_of(plain[0]), meetings_of(replace(plain[0], rounds=prefix)))


def test_a_whole_howell_is_made_no_less_even():
    for pairs in (8, 10, 14):
        rounds = len(howell(pairs).rounds)
        assert balance(balanced(pairs, rounds, "x")).spread <= balance(howell(pairs)).spread
        assert balance(balanced(pairs, rounds, "x")).meetings == (1, 1)


def test_a_balanced_movement_follows_from_its_seed_alone():
    first = balanced(12, 5, "a")
    balanced.cache_clear()
    assert balanced(12, 5, "a") == first
    told = subprocess.run(
        [sys.executable, "-c", "from tournaments.draws.balancing import balanced; print(balanced(12, 5, 'a'))"],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert told.stdout.strip() == repr(first)
    assert len({balanced(12, 5, seed) for seed in "abcdefgh"}) > 1


def test_the_search_is_bounded_by_steps_and_the_sum_of_influences_stays():
    movement = balanced(60, 20, "large")
    hold(movement)
    assert balance(movement).spread < balance(mitchell(60, 20)).spread


@pytest.mark.parametrize(("pairs", "rounds"), [(3, 1), (8, 8), (8, 0), (40, 20), (201, 5)])
def test_a_balanced_movement_that_cannot_be(pairs, rounds):
    with pytest.raises(Refused):
        balanced(pairs, rounds, "")

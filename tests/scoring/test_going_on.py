"""A ranking that goes on says after every change what one from nothing says, to the byte."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from scoring.standings import ranking
from scoring.standings.chains import CHAINS
from scoring.standings.going_on import CannotGoOn, GoingOn
from scoring.standings.match_scores import Outcome
from scoring.standings.ranked import RankedRow, Stakes
from scoring.standings.results import ExtraMatch, Result

OF_MATCHES = [chain for name, chain in CHAINS.items() if name not in ("duplicate", "individual", "individual_levels")]
ODD_ONES = [
    ("points",),
    ("points", "opponents", "wins", "net_levels"),
    ("opponents_played", "points", "best_scores", "penalties"),
    ("head_to_head", "points", "lots"),
    ("wins", "mini_net", "sum_levels"),
]
LEVELS = "23456789"


def a_result(number: int, home: int, away: int, chance: Random) -> Result:
    """Any result; half points come up, so that scores change their common denominator."""
    outcome = chance.choice([*[Outcome.PLAYED] * 8, Outcome.HOME_FORFEIT, Outcome.AWAY_FORFEIT])
    score = Fraction(chance.choice((0, 0, 1, 1, 2))) + chance.choice((0, 0, 0, Fraction(1, 2)))
    levels = (chance.choice(LEVELS), chance.choice(LEVELS)) if outcome is Outcome.PLAYED else (None, None)
    return Result(number, home, away, score, 2 - score, *levels, outcome, chance.choice((home, away, None)))


def some_rounds(entrants: list[int], chance: Random) -> dict[int, Result]:
    results: dict[int, Result] = {}
    for number in range(1, chance.randint(2, 6)):
        order = chance.sample(entrants, len(entrants))
        for home, away in zip(order[::2], order[1::2], strict=False):
            results[len(results)] = a_result(number, home, away, chance)
        if len(order) % 2:
            results[len(results)] = Result(number, order[-1], None, Fraction(2), Fraction(0), outcome=Outcome.BYE)
    return results


def some_facts(entrants: list[int], chance: Random) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "fines": {entrants[0]: Fraction(1, 2)},
        "penalties": {entrants[1]: 2},
        "carried": {one: Fraction(chance.randint(0, 3)) for one in entrants},
        "excluded": [entrants[2]],
        "drawn": chance.sample(entrants, chance.randint(2, len(entrants))),
        "seed": "0123456789abcdef",
        "extra_matches": [ExtraMatch(entrants[0], entrants[1], entrants[0])],
        "points_are": "imps",
    }
    facts = {name: value for name, value in facts.items() if chance.random() < 0.35}
    stakes = Stakes(chance.choice((None, (2,), (1, 3))), chance.choice(((), (Fraction(5), Fraction(3)))))
    return {**facts, "stakes": stakes}


def some_changes(results: dict[int, Result], entrants: list[int], chance: Random) -> dict[int, Result | None]:
    """Results that count otherwise, no more, or are new."""
    changes: dict[int, Result | None] = {}
    for name in chance.sample(sorted(results), min(len(results), chance.choice((1, 1, 1, 2, 3)))):
        old = results[name]
        if old.away is not None:
            gone = chance.random() < 0.2 and len(results) > 3
            changes[name] = None if gone else a_result(old.round, int(old.home), int(old.away), chance)
    if chance.random() < 0.3:
        changes[max(results) + 1] = a_result(chance.randint(1, 4), *chance.sample(entrants, 2), chance)
    return changes


def as_bytes(rows: list[RankedRow] | tuple[RankedRow, ...]) -> str:
    return json.dumps([row.to_json() for row in rows])


@pytest.mark.parametrize("chain", [*OF_MATCHES, *ODD_ONES], ids="-".join)
def test_going_on_is_ranking_from_nothing(chain: tuple[str, ...]) -> None:
    went_on = 0
    for seed in range(12):
        chance = Random(f"{seed}-{chain}")
        entrants = chance.sample(range(100, 200), chance.choice((3, 4, 6, 9, 14)))
        results, facts = some_rounds(entrants, chance), some_facts(entrants, chance)
        going = GoingOn(chain, entrants, results, **facts)
        for _ in range(10):
            assert as_bytes(going.rows) == as_bytes(ranking.rank(chain, entrants, list(results.values()), **facts))
            changes = some_changes(results, entrants, chance)
            for name, now in changes.items():
                if now is None:
                    results.pop(name, None)
                else:
                    results[name] = now
            try:
                going.after(changes)
                went_on += 1
            except CannotGoOn:
                going = GoingOn(chain, entrants, results, **facts)
    assert went_on > 60


def test_a_row_that_did_not_move_is_the_same_object() -> None:
    levels = [*"23456789", "10", "J"]
    entrants = list(range(20))
    results = {i: Result(1, i, i + 10, Fraction(2), Fraction(0), "Q", levels[i], winner=i) for i in range(10)}
    going = GoingOn(("points", "sum_levels"), entrants, results)
    before = going.rows
    going.after({3: results[3]})
    assert going.rows is before
    going.after({3: results[3]._replace(home_level="K")})
    moved = {row.entrant for row in going.rows if all(row is not one for one in before)}
    # the tie of the winners is split; of those who lost only 13 was at the table
    assert moved == {*range(10), 13}


@pytest.mark.parametrize(
    "changes",
    [
        {0: Result(1, 1, 2, Fraction(1, 3), Fraction(5, 3))},
        {7: Result(2, 1, 2, Fraction(2), Fraction(0))},
        {0: None, 1: None},
        {0: Result(1, 1, 99, Fraction(2), Fraction(0))},
    ],
    ids=["thirds", "another round", "nothing left", "a stranger"],
)
def test_what_it_cannot_go_on_with(changes: dict[int, Result | None]) -> None:
    results = {0: Result(1, 1, 2, Fraction(2), Fraction(0)), 1: Result(1, 3, 4, Fraction(1), Fraction(1))}
    going = GoingOn(("points",), (1, 2, 3, 4), results)
    with pytest.raises(CannotGoOn):
        going.after(changes)


@pytest.mark.parametrize("chain", [("points", "points"), ("points", "board_points"), ("hands_won",)])
def test_a_chain_that_is_refused_does_not_begin(chain: tuple[str, ...]) -> None:
    with pytest.raises(CannotGoOn):
        GoingOn(chain, (1, 2), {0: Result(1, 1, 2, Fraction(2), Fraction(0))})

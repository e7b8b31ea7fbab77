"""Round robin against the printed Berger tables, and the laws for every size."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from scoring.hands.findings import Refused
from tournaments.draws.round_robin import answer_round_robin, round_robin

# The Berger tables for 4 and 6 as federations print them.
TABLES = {
    4: [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]],
    6: [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ],
}


@pytest.mark.parametrize("size", TABLES)
def test_printed_table(size):
    assert [list(one.pairs) for one in round_robin(range(1, size + 1))] == TABLES[size]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17])
def test_everybody_meets_everybody_once(size):
    rounds = round_robin(range(size))
    met = Counter(frozenset(pair) for one in rounds for pair in one.pairs)
    assert met == Counter(frozenset(pair) for pair in combinations(range(size), 2))
    assert all(sorted(one) == list(range(size)) for one in rounds)
    byes = [entrant for one in rounds for entrant in one.byes]
    assert sorted(byes) == (list(range(size)) if size % 2 else [])


@pytest.mark.parametrize("size", [4, 6, 8, 10, 16])
def test_home_and_away_differ_by_one(size):
    home = Counter(pair[0] for one in round_robin(range(size)) for pair in one.pairs)
    assert all(abs(2 * home[entrant] - (size - 1)) == 1 for entrant in range(size))


@pytest.mark.parametrize("size", [0, 1])
def test_too_few_have_no_rounds(size):
    assert [one.pairs for one in round_robin(range(size)) if one.pairs] == []


def test_answer():
    answer = answer_round_robin({"entrants": ["a", "b", "c"]})
    assert answer == {"rounds": [[["b", "c"]], [["a", "b"]], [["c", "a"]]], "bye": ["a", "c", "b"]}


@pytest.mark.parametrize(
    ("entrants", "code"),
    [
        (None, "wrong_type"),
        ("abc", "wrong_type"),
        (["a", "a"], "entrant_twice"),
        (["a"], "out_of_range"),
        ([1.5, 2], "wrong_type"),
    ],
)
def test_bad_question_is_refused(entrants, code):
    with pytest.raises(Refused) as refused:
        answer_round_robin({"entrants": entrants})
    assert refused.value.code == code

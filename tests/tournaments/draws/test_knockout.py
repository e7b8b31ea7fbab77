"""Knockouts, groups and Danish rounds."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from scoring.hands.findings import Refused
from tournaments.draws.apart import Wish
from tournaments.draws.danish import danish_round
from tournaments.draws.documents import pairing_of
from tournaments.draws.knockout import (
    by_draw_number,
    crossed,
    first_slots,
    groups,
    third_place,
)
from tournaments.draws.pairing import Pairing
from tournaments.draws.round_questions import answer_knockout_round


def knockout_round(**question):
    return pairing_of(answer_knockout_round(question)["meetings"])


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (2, Pairing(((1, 2),))),
        (3, Pairing(((2, 3),), (1,))),
        (4, Pairing(((1, 4), (2, 3)))),
        (6, Pairing(((4, 5), (3, 6)), (1, 2))),
        (8, Pairing(((1, 8), (4, 5), (2, 7), (3, 6)))),
    ],
)
def test_first_round_by_seeding(size, expected):
    assert knockout_round(entrants=range(1, size + 1)) == expected


@pytest.mark.parametrize("size", range(2, 70))
def test_the_better_seeds_go_through_to_the_final(size):
    """When the better seed always wins, the best half is left after every round; byes come first only."""
    slots, byes = first_slots(range(size)), []
    while len(slots) > 1:
        drawn = knockout_round(slots=slots)
        byes.append(len(drawn.byes))
        assert sorted(drawn) == sorted(one for one in slots if one is not None)
        slots = tuple(min(one for one in two if one is not None) for two in zip(slots[::2], slots[1::2], strict=True))
        assert sorted(slots) == list(range(len(slots)))
    assert byes[1:] == [0] * (len(byes) - 1)
    assert byes[0] == 2 ** len(byes) - size


def test_third_place():
    assert third_place(["a", "b"]) == Pairing((("a", "b"),))
    assert third_place(["a"]) == Pairing((), ("a",))


def test_by_draw_number_gives_nobody_two_byes():
    """Three rounds of nine: the highest number has the bye, at most one each."""
    first = by_draw_number(range(1, 10))
    assert first == Pairing(((1, 2), (3, 4), (5, 6), (7, 8)), (9,))
    second = by_draw_number([1, 3, 5, 7, 9], had_bye={9})
    assert second == Pairing(((1, 3), (5, 9)), (7,))
    assert by_draw_number([1, 5, 7], had_bye={7, 9}) == Pairing(((1, 7),), (5,))
    assert by_draw_number([7, 8, 9], had_bye={7, 8, 9}) == Pairing(((7, 8),), (9,))


def wishes(*told):
    return {frozenset(one[:2]): Wish(one[2]) for one in told}


def test_groups_go_there_and_back():
    assert groups(range(1, 13), 4) == ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5, 12))
    assert groups(range(1, 7), 2, snake=False) == ((1, 3, 5), (2, 4, 6))


@pytest.mark.parametrize("snake", [True, False])
@pytest.mark.parametrize(("size", "count"), [(8, 4), (9, 4), (11, 3), (32, 8), (30, 7)])
def test_groups_are_even_and_keep_units_apart(size, count, snake):
    """Units of as many as there are groups can be kept apart entirely; sizes differ by one at most."""
    units = {i: f"u{i // count}" for i in range(size)}
    found = groups(range(size), count, snake=snake, units=units)
    assert sorted(one for group in found for one in group) == list(range(size))
    assert max(map(len, found)) - min(map(len, found)) <= 1
    assert all(most == 1 for group in found for most in Counter(units[one] for one in group).values())


def test_groups_move_the_fewest_places_for_a_unit():
    units = {1: "x", 4: "x"}
    assert groups([1, 2, 3, 4, 5, 6], 3, units=units) == ((1, 6), (2, 5), (3, 4))
    assert groups([1, 2, 3, 4, 5, 6], 3, units={3: "x", 4: "x"}) == ((1, 6), (2, 4), (3, 5))


@pytest.mark.parametrize(
    ("apart", "expected"),
    [
        ([], ((1, 4, 5), (2, 3, 6))),
        ([(1, 4, "must")], ((1, 3, 5), (2, 4, 6))),
        ([(1, 5, "rather")], ((1, 4, 6), (2, 3, 5))),
        # dealt row by row 6 has no free group left: an earlier row is exchanged
        ([(1, 5, "must"), (4, 6, "must")], ((2, 4, 5), (1, 3, 6))),
        ([(1, 3, "rather"), (1, 4, "must")], ((1, 3, 5), (2, 4, 6))),
    ],
)
def test_groups_part_who_is_kept_apart(apart, expected):
    assert groups(range(1, 7), 2, apart=wishes(*apart)) == expected


def test_groups_that_cannot_part_them_are_dealt_by_hand():
    with pytest.raises(Refused) as refused:
        groups(range(1, 7), 2, apart=wishes((1, 3, "must"), (1, 4, "must")))
    assert refused.value.findings[0].code == "kept_apart_in_group"


def test_groups_of_many_who_are_kept_apart():
    """Whoever is dealt, nobody is with anybody they must be kept apart from: wishes by chance, half of all entrants."""
    chance, refused = Random(7), 0
    for _ in range(60):
        apart = wishes(*[(*chance.sample(range(24), 2), "must") for _ in range(12)])
        try:
            found = groups(range(24), 6, apart=apart)
        except Refused:
            refused += 1
            continue
        assert not any(pair <= set(group) for pair in apart for group in found)
        assert {len(group) for group in found} == {4}
    assert refused == 0


def test_groups_cross():
    ranked = [("A1", "A2"), ("B1", "B2"), ("C1", "C2"), ("D1", "D2")]
    drawn = crossed(ranked)
    assert drawn.pairs == (("A1", "B2"), ("C1", "D2"), ("B1", "A2"), ("D1", "C2"))
    halves = [{one[0] for pair in half for one in pair} for half in (drawn.pairs[:2], drawn.pairs[2:])]
    assert halves == [set("ABCD"), set("ABCD")]
    assert not {one for pair in drawn.pairs[:2] for one in pair} & {one for pair in drawn.pairs[2:] for one in pair}


def test_danish_pairs_neighbours_and_balances_seats():
    first = danish_round("abcde")
    assert first == Pairing((("a", "b"), ("c", "d")), ("e",))
    second = danish_round("abced", [first])
    assert second == Pairing((("b", "a"), ("e", "c")), ("d",))
    assert danish_round("acbd", [first]).pairs == (("a", "c"), ("b", "d"))


@pytest.mark.parametrize(
    ("standing", "apart", "expected"),
    [
        ("abcdef", [("c", "d", "must")], Pairing((("a", "b"), ("c", "e"), ("d", "f")))),
        ("abcdef", [("e", "f", "rather")], Pairing((("a", "b"), ("c", "e"), ("d", "f")))),
        ("abcdef", [("b", "c", "must")], Pairing((("a", "b"), ("c", "d"), ("e", "f")))),
        ("ab", [("a", "b", "rather")], Pairing((("a", "b"),))),
        ("abc", [("a", "b", "rather")], Pairing((("a", "b"),), ("c",))),
        # with the bye of the lowest no round is left
        ("abc", [("a", "b", "must")], Pairing((("a", "c"),), ("b",))),
        # nobody near by is left: the one far below
        (range(40), [(0, one, "must") for one in range(1, 39)], None),
    ],
)
def test_danish_keeps_apart(standing, apart, expected):
    drawn = danish_round(standing, (), wishes(*apart))
    if expected is not None:
        assert drawn == expected
    assert not any(frozenset(pair) in wishes(*apart) and "must" in apart[0] for pair in drawn.pairs)
    assert sorted(drawn) == sorted(standing)


def test_danish_says_when_nothing_is_possible():
    with pytest.raises(Refused) as refused:
        danish_round("abcd", (), wishes(("a", "b", "must"), ("a", "c", "must"), ("a", "d", "must")))
    assert refused.value.findings[0].code == "no_pairing_possible"


def test_danish_byes_go_round():
    earlier = []
    for _ in range(5):
        earlier.append(danish_round("abcde", earlier))
    assert [one.byes for one in earlier] == [("e",), ("d",), ("c",), ("b",), ("a",)]
    assert all(one != other for one, other in pairwise(earlier))


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda: first_slots(["a"]), "too_few_entrants"),
        (lambda: knockout_round(slots=["a", "b", "c"]), "odd_bracket"),
        (lambda: third_place([]), "not_two_losers"),
        (lambda: by_draw_number(["a"]), "too_few_entrants"),
        (lambda: groups(range(7), 4), "too_few_for_groups"),
        (lambda: groups(range(7), 0), "too_few_for_groups"),
        (lambda: crossed([("A1", "A2")]), "groups_do_not_cross"),
        (lambda: crossed([("A1", "A2"), ("B1",)]), "groups_do_not_cross"),
        (lambda: danish_round(["a"]), "too_few_entrants"),
    ],
)
def test_what_does_not_fit_is_refused(act, code):
    with pytest.raises(Refused) as refused:
        act()
    assert refused.value.code == code

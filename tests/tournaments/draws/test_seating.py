"""Seating of single players: everybody has one place, meetings and rests are spread evenly, names do not matter."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from tournaments.draws.apart import Wish
from tournaments.draws.seating import Seating, check_seating, next_seating


def rounds_of(players: int, size: int, rounds: int) -> list[Seating]:
    earlier: list[Seating] = []
    for _ in range(rounds):
        earlier.append(next_seating(range(1, players + 1), earlier, size))
    return earlier


def meetings(rounds: list[Seating]) -> Counter[frozenset]:
    return Counter(frozenset(pair) for one in rounds for table in one.tables for pair in combinations(table, 2))


def test_first_round_is_a_snake_by_seeding():
    assert next_seating([1, 2, 3, 4, 5, 6, 7, 8], [], 4) == Seating(((1, 4, 5, 8), (2, 3, 6, 7)))


def test_one_full_table_plays_on_with_changed_places():
    first, second = rounds_of(5, 5, 2)
    assert set(first.tables[0]) == set(second.tables[0]) == {1, 2, 3, 4, 5}
    assert all(a != b for a, b in zip(first.tables[0], second.tables[0], strict=True))


@pytest.mark.parametrize("rounds", [0, 3])
def test_players_kept_apart_sit_at_different_tables(rounds):
    """Before anything else: by the snake 1 and 7 would sit together, and 2 and 8."""
    earlier = rounds_of(12, 4, rounds)
    apart = {frozenset((1, 7)): Wish.MUST, frozenset((2, 8)): Wish.RATHER, frozenset((3, 6)): Wish.MUST}
    drawn = next_seating(range(1, 13), earlier, 4, apart)
    assert not any(pair <= set(table) for pair in apart for table in drawn.tables)
    assert check_seating(drawn, entrants=range(1, 13), size=4, apart=apart) == ()


def test_the_only_table_keeps_nobody_apart():
    rather = {frozenset((1, 2)): Wish.RATHER}
    drawn = next_seating([1, 2, 3], [], 3, rather)
    assert [one.code for one in check_seating(drawn, entrants=[1, 2, 3], size=3, apart=rather)] == ["kept_apart"]
    with pytest.raises(Refused) as refused:
        next_seating([1, 2, 3], [], 3, {frozenset((1, 2)): Wish.MUST})
    assert refused.value.findings[0].code == "no_pairing_possible"


@pytest.mark.parametrize(
    ("players", "size", "rounds", "most"),
    [(8, 4, 3, 2), (16, 4, 3, 1), (16, 4, 5, 2), (12, 4, 3, 2), (10, 5, 2, 1), (25, 5, 3, 1), (20, 4, 4, 2)],
)
def test_no_pair_meets_oftener_than(players, size, rounds, most):
    """16 players at fours meet all different people for three rounds; 10 at fives cannot avoid second meetings."""
    found = max(meetings(rounds_of(players, size, rounds)).values())
    if (players, size) == (10, 5):
        assert found == 2  # three of a table of five have to stay together
    else:
        assert found <= most


@pytest.mark.long
@given(st.integers(4, 23), st.sampled_from([4, 5]), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_every_draw_is_sound_and_rests_are_even(players, size, rounds):
    if players < size:
        return
    everybody = range(1, players + 1)
    drawn = rounds_of(players, size, rounds)
    for number, one in enumerate(drawn):
        findings = check_seating(one, entrants=everybody, size=size, earlier=drawn[:number])
        assert [finding.code for finding in findings if finding.blocking or finding.code == "second_bye"] == []
    rests = Counter(entrant for one in drawn for entrant in one.sits_out)
    assert max(rests[e] for e in everybody) - min(rests[e] for e in everybody) <= 1


@pytest.mark.long
@given(st.permutations(range(8)), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_names_and_the_order_of_earlier_tables_do_not_matter(names, rounds, random):
    plain = rounds_of(8, 4, rounds)
    called = {number: f"p{names[number - 1]}" for number in range(1, 9)}
    renamed = [Seating(tuple(tuple(called[e] for e in table) for table in one.tables)) for one in plain]
    shuffled = [Seating(tuple(random.sample(one.tables, len(one.tables)))) for one in renamed]
    following = next_seating(range(1, 9), plain, 4)
    again = next_seating([called[e] for e in range(1, 9)], shuffled, 4)
    assert again.tables == tuple(tuple(called[e] for e in table) for table in following.tables)


@pytest.mark.parametrize(
    ("tables", "out", "codes"),
    [
        (((1, 2, 3, 4), (5, 6, 7, 8)), (), ["same_unit"]),
        (((1, 2, 3), (5, 6, 7, 8)), (4,), ["wrong_table_size", "same_unit"]),
        (((1, 2, 3, 9), (5, 6, 7, 8)), (), ["unknown_entrant", "not_paired"]),
        (((1, 2, 3, 5), (5, 6, 7, 8)), (), ["twice_in_a_round", "not_paired"]),
    ],
)
def test_the_checker_tells(tables, out, codes):
    units = {1: "甲", 2: "甲", 3: "甲", 4: "甲"}
    found = check_seating(Seating(tables, out), entrants=range(1, 9), size=4, units=units)
    assert [one.code for one in found] == codes


def test_the_checker_tells_of_uneven_meetings_and_rests():
    same = Seating(((1, 2, 3, 4), (5, 6, 7, 8)), (9,))
    codes = Counter(one.code for one in check_seating(same, entrants=range(1, 10), size=4, earlier=[same, same]))
    assert codes == {"meet_often": 12, "second_bye": 1}


def test_too_few_players_for_a_table():
    with pytest.raises(Refused) as refused:
        next_seating([1, 2, 3], [], 4)
    assert refused.value.findings[0].code == "too_few_players"


@pytest.mark.long
def test_a_big_hall_is_drawn_in_time():
    drawn = rounds_of(200, 4, 3)
    assert max(meetings(drawn).values()) == 1

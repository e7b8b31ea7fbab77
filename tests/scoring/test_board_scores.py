"""Boards over many tables: the published figures, worked examples, adjusted scores, and the laws that hold for all."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.boards.scores import (
    Artificial,
    Assigned,
    BoardScale,
    NoWorth,
    TableResult,
    board_against_board,
    cross_imps,
    datum,
    imps,
    matchpoints,
    neuberg,
    neuberg_score,
)
from scoring.standings.match_scores import score
from scoring.standings.victory_points import victory_points


def sure(value):
    return Assigned(((value, Fraction(1)),))


def table(ns, ew, mark, ew_mark=None):
    mark = sure(mark) if isinstance(mark, int) else mark
    return TableResult(ns, ew, mark, mark if ew_mark is None else ew_mark)


def board(*values):
    """Pairs 1, 2, 3 … NS against 11, 12, 13 … EW."""
    return [table(i, 10 + i, value) for i, value in enumerate(values, start=1)]


def test_the_datum_is_the_average_of_results_as_north_south_see_it():
    assert datum(board(2, 1, -1)) == Fraction(2, 3)
    weighted = Assigned(((4, Fraction(1, 4)), (0, Fraction(3, 4))))
    assert datum([*board(2, 1), table(3, 13, weighted)]) == Fraction(4, 3)
    assert datum([*board(2, 1), table(3, 13, Artificial(Fraction(60)))]) == Fraction(3, 2)
    assert datum([table(1, 11, Artificial(Fraction(50)))]) is None
    assert datum([]) is None


# WBF continuous scale, X = 15 √boards: boards, margin, winner's points.
VICTORY_POINTS = [
    (8, 1, "10.44"),
    (8, 10, "13.78"),
    (16, 1, "10.31"),
    (16, 5, "11.48"),
    (16, 10, "12.80"),
    (16, 20, "15.00"),
    (16, 30, "16.73"),
    (16, 60, "20.00"),
    (24, 10, "12.33"),
    (24, 43, "17.47"),
    (8, 0, "10"),
    (16, 61, "20"),
]


@pytest.mark.parametrize(("boards", "margin", "points"), VICTORY_POINTS)
def test_victory_points_as_published(boards, margin, points):
    won = Fraction(points)
    assert victory_points(margin, boards=boards) == (won, 20 - won)
    assert victory_points(-margin, boards=boards) == (20 - won, won)


def test_victory_points_over_ten_levels_are_the_table_of_the_scale():
    levels = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    for difference, level in enumerate(levels):
        expected = score("vp20_cont", home=level, away="2")
        assert victory_points(difference, boards=1, factor=Fraction(10)) == (expected.home, expected.away)


@given(st.integers(0, 400), st.integers(1, 64))
def test_victory_points_grow_with_the_margin(margin, boards):
    assert victory_points(margin, boards=boards)[0] <= victory_points(margin + 1, boards=boards)[0] <= 20


IMPS = [
    (0, 0),
    (10, 0),
    (15, 0),
    (20, 1),
    (45, 1),
    (50, 2),
    (85, 2),
    (90, 3),
    (130, 4),
    (490, 10),
    (500, 11),
    (600, 12),
]


@pytest.mark.parametrize(("difference", "points"), [*IMPS, (3995, 23), (4000, 24), (90_000, 24)])
def test_imps_by_the_published_steps(difference, points):
    assert (imps(difference), imps(-difference)) == (points, -points)


def test_matchpoints_two_for_a_pair_beaten_and_one_for_a_tie():
    # values for NS: 40 > 20 = 20 > −5
    scores = matchpoints(board(20, 40, -5, 20))
    assert [scores[i] for i in (1, 2, 3, 4)] == [3, 6, 0, 3]
    assert [scores[i] for i in (11, 12, 13, 14)] == [3, 0, 6, 3]


# M' = (N / n)(M + 1) − 1: expected, actual, matchpoints, adjusted. A top never becomes the whole top of N results.
NEUBERG = [(8, 7, 12, "97/7"), (8, 7, 0, "1/7"), (8, 7, 6, "7"), (13, 12, 22, "287/12"), (6, 6, 4, "4"), (8, 1, 0, "7")]


@pytest.mark.parametrize(("expected", "actual", "points", "adjusted"), NEUBERG)
def test_neuberg(expected, actual, points, adjusted):
    assert neuberg_score(Fraction(points), actual=actual, expected=expected) == Fraction(adjusted)


def test_neuberg_with_an_artificial_score_takes_its_part_of_the_full_top():
    results = [*board(20, 40), table(3, 13, Artificial(Fraction(60)), Artificial(Fraction(40)))]
    # two results of three: beaten (3/2)(2 + 1) − 1 = 3.5, else (3/2)(0 + 1) − 1 = 0.5; the top of three is 4
    scores = neuberg(results)
    assert [scores[i] for i in (1, 2, 3)] == [Fraction(1, 2), Fraction(7, 2), Fraction(12, 5)]
    assert [scores[i] for i in (11, 12, 13)] == [Fraction(7, 2), Fraction(1, 2), Fraction(8, 5)]
    assert matchpoints(results)[3] == Fraction(6, 5)


def test_cross_imps_are_the_average_over_all_comparisons():
    # 80 against 40: 1 IMP; 80 against −10: 3; 40 against −10: 2
    scores = cross_imps(board(80, 40, -10))
    assert [scores[i] for i in (1, 2, 3)] == [Fraction(4, 2), Fraction(1, 2), Fraction(-5, 2)]
    assert [scores[i] for i in (11, 12, 13)] == [Fraction(-4, 2), Fraction(-1, 2), Fraction(5, 2)]
    assert cross_imps(board(80))[1] == 0


def test_artificial_imps():
    results = [*board(80, 40), table(3, 13, Artificial(Fraction(60)), Artificial(Fraction(40)))]
    scores = cross_imps(results, ten_percent=Fraction(3))
    assert (scores[1], scores[3], scores[13]) == (1, 3, -3)
    with pytest.raises(NoWorth):
        cross_imps(results)


def test_a_weighted_score_is_converted_first_and_weighted_after():
    # 65 % of a result that beats 30 and 35 % of one that loses to it: 1.3 of 2, though 0.65 × 40 + 0.35 × 0 = 26 loses.
    weighted = Assigned(((40, Fraction(65, 100)), (0, Fraction(35, 100))))
    results = [table(1, 11, weighted), table(2, 12, 30)]
    assert matchpoints(results) == {1: Fraction(13, 10), 2: Fraction(7, 10), 11: Fraction(7, 10), 12: Fraction(13, 10)}
    # IMPs: 0.65 × imps(10) + 0.35 × imps(−30) = −0.35
    assert cross_imps(results)[1] == Fraction(-35, 100)


def test_a_split_score_gives_each_side_its_own_comparison():
    # NS keep 0, EW get the result −20; both lose or win against 10 in their own seats.
    results = [table(1, 11, sure(20), sure(20)), table(2, 12, 10), table(3, 13, sure(0), sure(30))]
    scores = matchpoints(results)
    assert [scores[i] for i in (1, 2, 3)] == [4, 2, 0]
    assert [scores[i] for i in (11, 12, 13)] == [2, 4, 0]


# practice §3 examples (5) and (6), by hand points: dealers +2 and attackers +1; −1 and attackers +2.
ROOMS = [
    ((2, -1), "difference", 3, -3),
    ((-1, -2), "difference", 1, -1),
    ((2, -1), "wins", 2, 0),
    ((1, 1), "wins", 1, 1),
]


@pytest.mark.parametrize(("values", "scale", "home", "away"), ROOMS)
def test_board_against_board(values, scale, home, away):
    rooms = (table("a", "b", values[0]), table("b", "a", values[1]))
    assert board_against_board(rooms, BoardScale(scale)) == {"a": home, "b": away}


def test_board_against_board_with_an_adjusted_room():
    plus, minus = Artificial(Fraction(60)), Artificial(Fraction(40))
    rooms = (table("a", "b", plus, minus), table("b", "a", 2))
    assert board_against_board(rooms, BoardScale.WINS) == {"a": Fraction(6, 5), "b": Fraction(4, 5)}
    assert board_against_board(rooms, BoardScale.IMP, ten_percent=Fraction(3)) == {"a": 3, "b": -3}
    with pytest.raises(NoWorth):
        board_against_board(rooms)
    weighted = Assigned(((3, Fraction(1, 2)), (0, Fraction(1, 2))))
    assert board_against_board((table("a", "b", weighted), table("b", "a", 2)), BoardScale.WINS)["a"] == 1


def test_rooms_must_have_the_teams_the_other_way_round():
    with pytest.raises(ValueError, match="other way round"):
        board_against_board((table("a", "b", 1), table("a", "b", 2)))


values = st.lists(st.integers(-12, 12), min_size=1, max_size=12)


@pytest.mark.long
@given(values)
def test_every_comparison_is_shared_between_two(given_values):
    results = [table(f"n{i}", f"e{i}", value) for i, value in enumerate(given_values)]
    n, points, cross = len(results), matchpoints(results), cross_imps(results)
    assert sum(points[f"n{i}"] for i in range(n)) == n * (n - 1)
    assert all(points[f"n{i}"] + points[f"e{i}"] == 2 * (n - 1) for i in range(n))
    assert sum(cross[f"n{i}"] for i in range(n)) == 0
    assert all(cross[f"n{i}"] == -cross[f"e{i}"] for i in range(n))
    assert neuberg(results) == points


@pytest.mark.long
@given(values, st.randoms())
def test_the_order_of_tables_does_not_matter(given_values, random):
    results = [table(f"n{i}", f"e{i}", value) for i, value in enumerate(given_values)]
    shuffled = results[:]
    random.shuffle(shuffled)
    for method in (matchpoints, neuberg, cross_imps):
        assert method(shuffled) == method(results)


@given(values, st.integers(0, 8))
def test_neuberg_keeps_the_average(given_values, missing):
    results = [table(f"n{i}", f"e{i}", value) for i, value in enumerate(given_values)]
    n, expected = len(results), len(results) + missing
    scores = neuberg(results, expected=expected)
    assert sum(scores[f"n{i}"] for i in range(n)) == n * (expected - 1)

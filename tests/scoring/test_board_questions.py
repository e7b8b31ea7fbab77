"""Board scores as the batch protocol asks for them."""

from __future__ import annotations

import pytest

from scoring.questions.protocol import answer


def row(ns, ew, total=None, **more):
    return {"ns": ns, "ew": ew, "dealer_side": "NS", **({} if total is None else {"attackers_total": total}), **more}


def ask(results, method="matchpoints", measure="attackers_points", *, profile=None, op="board_scores", **more):
    asked = {"op": op, "method": method, "measure": measure, "results": results, **more}
    return answer({"id": 1, "input": asked, **({} if profile is None else {"profile": profile})})


FIELD = [row("a", "b", 35), row("c", "d", 85), row("e", "f", 75)]
SPLIT = row("e", "f", split={"ns": {"attackers_total": 120}, "ew": {"artificial": "average_plus"}})

ANSWERS = [
    # NS deal: fewer points for the attackers are better for them
    (FIELD, {}, {"a": "4", "b": "0", "c": "0", "d": "4", "e": "2", "f": "2"}),
    # 40 and 75 are one level for the dealers in the national table
    (
        [row("a", "b", 40), row("c", "d", 85), row("e", "f", 75)],
        {"measure": "hand_points", "profile": "cn-national-2d"},
        {"a": "3", "b": "1", "c": "0", "d": "4", "e": "3", "f": "1"},
    ),
    (
        FIELD,
        {"method": "neuberg", "expected": 4},
        {"a": "17/3", "b": "1/3", "c": "1/3", "d": "17/3", "e": "3", "f": "3"},
    ),
    # −35 against −85: 2 IMPs; −35 against −75: 1; −85 against −75: 0
    (FIELD, {"method": "cross_imp"}, {"a": "1.5", "b": "-1.5", "c": "-1", "d": "1", "e": "-0.5", "f": "0.5"}),
    # practice §3: example (5) and (6)
    (
        [row("h", "g", 35), row("g", "h", 85)],
        {"method": "board_against_board", "measure": "hand_points", "profile": "cn-national-2d"},
        {"h": "3", "g": "-3"},
    ),
    (
        [row("h", "g", 90), row("g", "h", 120)],
        {"method": "board_against_board", "measure": "hand_points", "profile": "cn-national-2d"},
        {"h": "1", "g": "-1"},
    ),
    (
        [row("h", "g", 35), row("g", "h", 85)],
        {"method": "board_against_board", "measure": "attackers_points"},
        {"h": "50", "g": "-50"},
    ),
    ([row("h", "g", 35), row("g", "h", 85)], {"method": "board_against_board", "scale": "imp"}, {"h": "2", "g": "-2"}),
    # 60 % and 40 % of the top of two results
    (
        [*FIELD[:2], row("e", "f", artificial={"ns": "average_plus", "ew": "average_minus"})],
        {},
        {"a": "2", "b": "0", "c": "0", "d": "2", "e": "1.2", "f": "0.8"},
    ),
    # its own 70 % lifts an average plus
    (
        [*FIELD[:2], row("e", "f", artificial={"ns": "average_plus", "ew": 50})],
        {"own_percent": {"e": "70"}},
        {"a": "2", "b": "0", "c": "0", "d": "2", "e": "1.4", "f": "1"},
    ),
    # e is worse than both as NS; f has 60 % of the top of the two other EW results
    ([*FIELD[:2], SPLIT], {}, {"a": "4", "b": "0", "c": "2", "d": "2", "e": "0", "f": "1.2"}),
    # half of a result better than a, half of one worse than c
    (
        [
            *FIELD[:2],
            row("e", "f", weighted=[{"attackers_total": 0, "weight": 50}, {"attackers_total": 120, "weight": "50"}]),
        ],
        {},
        {"a": "3", "b": "1", "c": "1", "d": "3", "e": "2", "f": "2"},
    ),
]


@pytest.mark.parametrize(("results", "more", "scores"), ANSWERS)
def test_scores_of_a_board(results, more, scores):
    said = ask(results, **more)
    assert said["answer"]["scores"] == scores
    assert all(set(reason["text"]) == {"en", "zh"} for reason in said["because"])


def test_the_top_is_told_with_matchpoints():
    assert ask(FIELD)["answer"]["top"] == "4"
    assert ask(FIELD, "neuberg", expected=4)["answer"]["top"] == "6"


AVERAGE = row("e", "f", artificial={"ns": 60, "ew": 40})

REFUSALS = [
    ([], {}, "wrong_type", "results"),
    ({}, {}, "wrong_type", "results"),
    ([3], {}, "wrong_type", "results[0]"),
    (FIELD, {"method": "butler"}, "unknown_value", "method"),
    (FIELD, {"measure": None}, "missing", "measure"),
    (FIELD, {"measure": "hand_points"}, "profile_missing", "measure"),
    (FIELD, {"expected": 2}, "more_than_expected", "expected"),
    (FIELD, {"tops": 2}, "unknown_field", "tops"),
    ([row("a", "b")], {}, "one_of", "results[0]"),
    ([row("a", "b", 35, artificial={"ns": 60, "ew": 40})], {}, "one_of", "results[0]"),
    ([row("a", "b", weighted=[])], {}, "wrong_type", "results[0].weighted"),
    ([row("a", "b", 35, weighted=[{"attackers_total": 5, "weight": 100}])], {}, "one_of", "results[0]"),
    ([row("a", "b", artificial=60)], {}, "one_of", "results[0]"),
    ([row("a", "b", artificial={"ns": 60})], {}, "not_a_percentage", "results[0].artificial.ew"),
    ([row("a", "b", artificial={"ns": 101, "ew": 0})], {}, "not_a_percentage", "results[0].artificial.ns"),
    ([row("a", "b", weighted=[{"attackers_total": 5, "weight": 60}])], {}, "weights_not_100", "results[0].weighted"),
    ([row("a", "b", weighted=[{"attackers_total": 5}])], {}, "missing", "results[0].weighted[0].weight"),
    ([row("a", "b", 3.5)], {}, "not_a_whole_number", "results[0].attackers_total"),
    ([row(None, "b", 35)], {}, "wrong_type", "results[0].ns"),
    ([{"ns": "a", "ew": "b", "attackers_total": 35}], {}, "missing", "results[0].dealer_side"),
    ([row("a", "b", 35), row("a", "c", 40)], {}, "board_twice", "results[1].ns"),
    ([row("a", "b", 35), row("c", "d", 40, dealer_side="EW")], {}, "dealer_side_differs", "results"),
    ([row("a", "b", 35), row("c", "d", 40)], {"method": "board_against_board"}, "not_two_rooms", "results"),
    ([row("a", "b", 35)], {"method": "board_against_board"}, "not_two_rooms", "results"),
    (
        [*FIELD[:2], AVERAGE],
        {"method": "cross_imp", "measure": "hand_points", "profile": "cn-national-2d"},
        "average_has_no_worth",
        "ten_percent",
    ),
    (FIELD, {"own_percent": {"a": 120}}, "not_a_percentage", "own_percent"),
    ([row("a", "b", 33)], {"measure": "hand_points", "profile": "cn-national-2d"}, None, "results[0].attackers_total"),
]


@pytest.mark.parametrize(("results", "more", "code", "field"), REFUSALS)
def test_bad_board_is_refused_with_its_code(results, more, code, field):
    error = ask(results, **more)["error"]
    assert (code, field) in {(one["code"] if code else None, one["field"]) for one in error["findings"]}
    assert all(one["message"]["zh"] for one in error["findings"])


def test_victory_points_of_a_match():
    asked = {"op": "victory_points", "margin": -10, "boards": 16}
    assert answer({"input": asked})["answer"] == {"home": "7.2", "away": "12.8"}
    asked = {"op": "victory_points", "margin": 5, "boards": 1, "factor": 10}
    assert answer({"input": asked})["answer"] == {"home": "16.73", "away": "3.27"}


@pytest.mark.parametrize(("field", "value"), [("margin", "5"), ("boards", 0), ("factor", 0), ("factor", 1.5)])
def test_bad_victory_points(field, value):
    error = answer({"input": {"op": "victory_points", "margin": 5, "boards": 8, field: value}})["error"]
    assert error["field"] == field

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.questions.protocol import OPS, answer
from tests.scoring.making import PAIR, dig, hand

CASES = Path(__file__).parents[1] / "cases"
WRITTEN = [
    *json.loads((CASES / "vectors.json").read_text(encoding="utf-8")),
    *json.loads((CASES / "vectors-2.json").read_text(encoding="utf-8")),
]


@pytest.mark.parametrize("vector", WRITTEN, ids=lambda one: one["id"])
def test_worked_examples(vector):
    said = answer({"id": vector["id"], "profile": vector["profile"], "input": vector["input"]})
    if "code" in vector["expected"]:
        assert said["error"]["code"] == vector["expected"]["code"]
        return
    assert "error" not in said
    assert {key: said["answer"].get(key, "absent") for key in vector["expected"]} == vector["expected"]
    assert said["id"] == vector["id"]
    assert said["because"]
    for reason in said["because"]:
        assert reason["text"].keys() == {"en", "zh"}
    assert json.loads(json.dumps(said)) == said


SCN2 = "scn2-2013"


def ask(op, profile=SCN2, **fields):
    return answer({"id": "q", "profile": profile, "input": {"op": op, **fields}})


# op, input, keys of the answer
ANSWERS = [
    ("kitty_bonus", {"led": [], "kitty_points": 30, "last_trick_winner": "dealer"}, {"bonus": 0}),
    ("next_dealer", {"dealer": "W", "event": "hand", "attackers_total": 75}, {"next_dealer": "E"}),
    ("next_dealer", {"dealer": "W", "event": "misdeal"}, {"next_dealer": "W"}),
    ("advance_level", {"role": "dealer", "level": "9", "levels_won": 3}, {"next_level": "10", "stopped_at": "10"}),
    ("advance_level", {"role": "dealer", "level": "9", "levels_won": 3, "must_play": []}, {"next_level": "Q"}),
    ("advance_level", {"role": "attackers", "level": "A", "levels_won": 3}, {"next_level": "A", "match_over": False}),
    (
        "advance_level",
        {"role": "attackers", "level": "A", "levels_won": 3, "pass_a": "any"},
        {"next_level": None, "match_over": True},
    ),
    (
        "advance_level",
        {"role": "dealer", "level": "5", "levels_won": 1, "ladder": ["5", "10", "K"]},
        {"next_level": "10"},
    ),
    (
        "advance_level",
        {"role": "dealer", "level": "K", "levels_won": 1, "finish": "reach_A"},
        {"next_level": "A", "match_over": True},
    ),
    (
        "hand_total",
        {**dig(60, 0, PAIR), "profile": "chaodipi", "dark_bids": [{"side": "dealer", "times": 1}]},
        {"total_raw": 140},
    ),
    ("validate_entry", {"captured_in_tricks": 83, "kitty_points": 0}, {"valid": False}),
    ("validate_entry", {"captured_in_tricks": "80", "kitty_points": True}, {"valid": False}),
    ("validate_entry", {"captured_in_tricks": 80}, {"valid": True, "findings": []}),
    ("deal_size", {"decks": 2}, {"hand": 25, "kitty": 8}),
    ("deal_size", {}, {"hand": 25, "kitty": 8}),
    ("hand_total", dig(55, 25, PAIR), {"total_raw": 155, "levels": 1}),
    ("level_result", {"attackers_total": 90, "threshold": 100, "step": 50}, {"winner_side": "dealer", "levels": 1}),
    ("match_result", {"format": "timed", "levels": {"NS": "passed", "EW": "A"}}, {"winner": "NS"}),
    ("match_result", {"format": "timed", "levels": {"NS": "2", "EW": None}}, {"winner": "EW"}),
    ("match_result", {"format": "first_past", "levels": {"NS": "2", "EW": None}}, {"winner": "EW"}),
    ("match_result", {"format": "first_past", "levels": {"NS": "2", "EW": "A"}}, {"winner": None, "unfinished": True}),
    (
        "match_result",
        {"format": "timed", "levels": {"NS": "2", "EW": "2"}, "tie_rule": "draw"},
        {"winner": None, "draw": True},
    ),
    (
        "match_result",
        {"format": "timed", "levels": {"NS": "2", "EW": "2"}, "tie_rule": "extra_hand"},
        {"winner": None, "undecided": "extra_hand"},
    ),
    (
        "match_result",
        {"format": "timed", "levels": {"NS": "2", "EW": "2"}, "tie_rule": "lots"},
        {"winner": None, "undecided": "lots"},
    ),
    ("match_result", {"format": "timed", "levels": {"NS": "2", "EW": "2"}, "on_stage": "EW"}, {"winner": "EW"}),
    (
        "match_result",
        {"format": "timed", "levels": {"NS": "2", "EW": "2"}, "tie_rule": "first_to_reach", "reached_first": "NS"},
        {"winner": "NS"},
    ),
]


@pytest.mark.parametrize(("op", "fields", "expected"), ANSWERS)
def test_answers(op, fields, expected):
    fields = {name: value for name, value in fields.items() if name != "kind"}
    said = ask(op, **fields)
    assert {key: said["answer"].get(key, "absent") for key in expected} == expected


def test_ops_of_whole_events_need_no_profile():
    said = answer({"input": {"op": "match_score", "scale": "base15", "home": "K", "away": "8", "outcome": "played"}})
    assert (said["answer"]["home"], said["answer"]["away"]) == ("20", "10")
    ranked = answer(
        {
            "input": {
                "op": "standings",
                "chain": ["points"],
                "entrants": ["a", "b"],
                "results": [
                    {
                        "round": 1,
                        "home": "a",
                        "away": "b",
                        "home_score": "2",
                        "away_score": "0",
                        "outcome": "played",
                        "home_level": "K",
                        "away_level": "8",
                        "winner": "a",
                    }
                ],
            }
        }
    )
    assert [row["entrant"] for row in ranked["answer"]["rows"]] == ["a", "b"]


START = {"levels": {"NS": "2", "EW": "2"}, "first_dealer": "S"}


def test_a_sitting():
    said = ask("sitting_state", opening=START, ledger=[hand(35), {"kind": "annulled", "reason": "rebellion"}, hand(90)])
    state = said["answer"]
    assert (state["levels"], state["on_stage"], state["next_dealer"]) == ({"NS": "4", "EW": "2"}, "EW", "E")
    assert (state["finished"], state["winner"]) == (False, None)
    assert [entry["levels_won"] for entry in state["entries"]] == [2, 0, 0]
    assert all(entry["discrepancies"] == [] for entry in state["entries"])
    assert state["entries"][0]["before"]["levels"] == {"NS": "2", "EW": "2"}
    assert state["entries"][0]["sentence"]["en"] == "Attackers 35 → dealer side keep the deal, +2 (small win)"


def test_a_sitting_under_conditions():
    said = ask("sitting_state", opening=START, ledger=[hand(0)], conditions={"lead_levels": 3})
    assert (said["answer"]["winner"], said["answer"]["decided_by"]) == ("NS", "lead")


# op, input, code, field
REFUSALS = [
    ("level_result", {"attackers_total": 83}, "not_a_multiple_of_5", "attackers_total"),
    ("level_result", {"attackers_total": "35"}, "not_a_whole_number", "attackers_total"),
    ("level_result", {"attackers_total": True}, "not_a_whole_number", "attackers_total"),
    ("level_result", {"attackers_total": 10**400}, "out_of_range", "attackers_total"),
    ("level_result", {}, "missing", "attackers_total"),
    ("level_result", {"attackers_total": 35, "total": 1}, "unknown_field", "total"),
    ("level_result", {"attackers_total": 35, "step": 7}, "bad_option", "step"),
    ("kitty_bonus", {"led": [], "kitty_points": 5, "last_trick_winner": "attackers"}, "shape_missing", "led"),
    (
        "kitty_bonus",
        {"led": [{"type": "x"}], "kitty_points": 5, "last_trick_winner": "attackers"},
        "shape_unknown",
        "led[0]",
    ),
    (
        "kitty_bonus",
        {"led": [PAIR], "kitty_points": 85, "last_trick_winner": "attackers"},
        "kitty_too_rich",
        "kitty_points",
    ),
    ("throw_penalty", {"failing_side": "dealer", "cards_thrown": 1}, "throw_size", "cards_thrown"),
    ("throw_penalty", {"failing_side": "NS", "cards_thrown": 3}, "unknown_value", "failing_side"),
    (
        "hand_total",
        {"captured_in_tricks": 160, "kitty_points": 60, "led": [PAIR], "last_trick_winner": "attackers"},
        "above_deck_total",
        "captured_in_tricks",
    ),
    ("advance_level", {"role": "dealer", "level": "1", "levels_won": 1}, "level_not_on_ladder", "level"),
    ("advance_level", {"role": "dealer", "level": "2", "levels_won": -1}, "out_of_range", "levels_won"),
    ("advance_level", {"role": "dealer", "level": "2", "levels_won": 1, "must_play": ["1"]}, "bad_option", "must_play"),
    ("next_dealer", {"dealer": "S", "event": "hand"}, "missing", "attackers_total"),
    (
        "hook",
        {"dealer_level": "J", "trump": "S", "won_by_that_play": 1, "attackers_total": 80, "winning_play": []},
        "wrong_type",
        "won_by_that_play",
    ),
    (
        "rebellion_allowed",
        {"role": "attackers", "hand_points": 13, "trump_count": 3, "trump": "S"},
        "not_a_multiple_of_5",
        "hand_points",
    ),
    ("deal_size", {"decks": 9}, "out_of_range", "decks"),
    ("order", {"profile": "sandayi", "level": "A", "trump": "H", "cards": ["HA"]}, "no_levels", "level"),
    ("order", {"profile": "ersibai", "trump": "H", "cards": ["HA"]}, "missing", "level"),
    ("level_result", {"attackers_total": 35, "ladder": []}, "nonsense", "ladder"),
    ("match_result", {"format": "timed", "levels": {"NS": "2", "EW": "2"}}, "missing", "on_stage"),
    ("match_result", {"format": "timed", "levels": {"NS": "2"}}, "missing", "levels.EW"),
    ("sitting_state", {"opening": START}, "wrong_type", "ledger"),
    ("sitting_state", {"opening": None, "ledger": []}, "wrong_type", "opening"),
    (
        "sitting_state",
        {"opening": START, "ledger": [hand(35), hand(83)]},
        "not_a_multiple_of_5",
        "ledger[1].captured_in_tricks",
    ),
    ("sitting_state", {"opening": {**START, "first_dealer": None}, "ledger": [hand(35)]}, "dealer_missing", "dealer"),
    ("trick_or_treat", {}, "unknown_op", "op"),
    (["level_result"], {}, "unknown_op", "op"),
]


@pytest.mark.parametrize(("op", "fields", "code", "field"), REFUSALS)
def test_refusals(op, fields, code, field):
    error = ask(op, **fields)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"].keys() == {"en", "zh"}
    assert json.dumps(error)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (None, "bad_question"),
        ([], "bad_question"),
        ("x", "bad_question"),
        ({}, "bad_question"),
        ({"input": []}, "bad_question"),
        ({"input": {"op": "level_result"}, "extra": 1}, "bad_question"),
        ({"input": {"op": "level_result", "attackers_total": 5}}, "bad_profile"),
        ({"profile": "x", "input": {"op": "level_result", "attackers_total": 5}}, "unknown_profile"),
        ({"profile": {"base": SCN2, "set": {"colour": 1}}, "input": {"op": "level_result"}}, "unknown_option"),
        ({"profile": SCN2, "input": {"op": "match_score", "scale": "x"}}, None),
    ],
)
def test_bad_questions(question, code):
    error = answer(question)["error"]
    assert code is None or error["code"] == code


def test_every_finding_of_a_question_is_told():
    error = ask("sitting_state", opening=START, ledger=[hand(83), {"kind": "x"}, dig(0, 85, PAIR)])["error"]
    assert [one["field"] for one in error["findings"]] == [
        "ledger[0].captured_in_tricks",
        "ledger[1].kind",
        "ledger[2].kitty_points",
    ]


scraps = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["NS", "S", "J", "A", "dealer", "attackers", "hand", "scn2-2013", "passed", 10**30, "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
INPUT_FIELDS = [
    *sorted({field for vector in WRITTEN for field in vector["input"]} - {"op"}),
    "opening",
    "ledger",
    "conditions",
    "scale",
    "home",
    "away",
    "outcome",
    "chain",
    "entrants",
    "results",
    "step",
    "lead",
    "lead_shapes",
    "hand",
    "play",
    "prefix",
    "others",
    "side",
]


@pytest.mark.long
@settings(max_examples=300)
@given(
    st.sampled_from([*OPS, "nothing"]),
    st.sampled_from([SCN2, "cn-national-3d", None]) | scraps,
    st.dictionaries(st.sampled_from(INPUT_FIELDS), scraps, max_size=8),
)
def test_no_question_breaks_the_batch(op, profile, fields):
    said = answer({"id": 1, "profile": profile, "input": {**fields, "op": op}})
    assert ("answer" in said) != ("error" in said)
    json.dumps(said).encode()


@pytest.mark.long
@given(st.sampled_from(WRITTEN), st.data())
def test_a_good_question_with_one_bad_field_is_answered_or_refused(vector, data):
    fields = dict(vector["input"])
    name = data.draw(st.sampled_from(sorted(set(fields) - {"op"})))
    fields[name] = data.draw(scraps)
    said = answer({"id": vector["id"], "profile": vector["profile"], "input": fields})
    assert ("answer" in said) != ("error" in said)
    json.dumps(said).encode()

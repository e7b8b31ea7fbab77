"""The draws of one round through the protocol, and what every op of the whole protocol refuses alike."""

from __future__ import annotations

import pytest

from tournaments.questions import OPS, answer

FOUND_IN_THE_ANSWER = "validate_entry"
PAIR = {"home": "a", "away": "b", "winner": "a"}
MET = {"round": 1, "home_score": "2", "away_score": "0", **PAIR}


def ask(op, profile="cn-national-2d", **fields):
    return answer({"id": 1, "profile": profile, "input": {"op": op, **fields}})


@pytest.mark.parametrize("op", sorted(OPS))
def test_a_field_nobody_asks_for_is_refused(op):
    profile = "ersibai" if op.startswith("individual") else "cn-national-2d"
    opening = {"opening": {"levels": {"NS": "2", "EW": "2"}}} if op == "sitting_state" else {}
    said = ask(op, profile, colour=1, **opening)
    findings = said["answer"]["findings"] if op == FOUND_IN_THE_ANSWER else said["error"]["findings"]
    assert ("unknown_field", "colour") in {(one["code"], one["field"]) for one in findings}


@pytest.mark.parametrize(
    ("op", "fields", "code", "field"),
    [
        (
            "standings",
            {"chain": ["points"], "entrants": ["a", "b"], "results": [{**MET, "x": 1}]},
            "unknown_field",
            "results.0.x",
        ),
        (
            "standings",
            {"chain": ["points"], "entrants": ["a", "b"], "results": [MET], "extra_matches": [{**PAIR, "x": 1}]},
            "unknown_field",
            "extra_matches.0.x",
        ),
        (
            "knockout_standings",
            {"entrants": ["a", "b"], "matches": [{"round": 1, "x": 1, **PAIR}]},
            "unknown_field",
            "matches.0.x",
        ),
        (
            "overall_placing",
            {"stages": [[{"entrant": "a", "rank": 1, "x": 1}]]},
            "unknown_field",
            "stages.0.0.x",
        ),
        ("groups_round", {"groups": [["a", "b"]], "round": 2}, "all_have_met", "round"),
        ("knockout_round", {"slots": ["a", "b", "c"]}, "odd_bracket", "slots"),
        ("danish_round", {"entrants": ["a", "b"], "apart": [["a", "b", "off"]]}, "wrong_type", "apart.0"),
        ("danish_round", {"entrants": ["a", "b"], "apart": [["a", "c", "must"]]}, "unknown_entrant", "apart.0"),
        ("knockout_round", {"slots": ["a", "b"], "losers": ["a", "d"]}, "entrant_twice", "entrants.2"),
        ("knockout_round", {"groups": [["a", "b"], ["c", "a"]]}, "entrant_twice", "entrants.3"),
        ("knockout_round", {"slots": ["a", "b"], "numbers": ["a", "b"]}, "one_of", "entrants"),
        (
            "movement_round",
            {"kind": "howell", "entrants": list("abcde"), "round": 1, "rounds": 3},
            "rounds_of_howell",
            "rounds",
        ),
        (
            "movement_round",
            {"kind": "mitchell", "entrants": list("abcdef"), "round": 1, "arrow": 9},
            "too_many_rounds",
            "arrow",
        ),
    ],
)
def test_a_bad_question_is_refused_where_it_is_bad(op, fields, code, field):
    error = ask(op, **fields)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert all(error["message"][language] for language in ("en", "zh"))


def test_a_danish_round_keeps_apart():
    said = ask("danish_round", entrants=list("abcd"), apart=[["a", "b", "must"]])["answer"]["meetings"]
    assert [(one["home"], one["away"]) for one in said] == [("a", "c"), ("b", "d")]
    error = ask("danish_round", entrants=["a", "b"], apart=[["a", "b", "must"]])["error"]
    assert (error["code"], error["field"]) == ("no_pairing_possible", "apart")


@pytest.mark.parametrize(
    ("fields", "meetings"),
    [
        ({"entrants": ["a", "b", "c"]}, [("b", "c", 2), ("a", None, 1)]),
        ({"groups": [["a", "b"], ["c", "d"]]}, [("a", "d", 1), ("c", "b", 2)]),
        ({"slots": ["a", None, "b", "c"]}, [("b", "c", 2), ("a", None, 1)]),
        ({"numbers": ["a", "b", "c"], "had_bye": ["c"]}, [("a", "c", None), ("b", None, None)]),
        ({"slots": ["a", "c"], "losers": ["b", "d"]}, [("a", "c", 1), ("b", "d", None)]),
    ],
)
def test_a_round_of_a_knockout(fields, meetings):
    said = ask("knockout_round", **fields)["answer"]["meetings"]
    assert [(one["home"], one["away"], one.get("slot")) for one in said] == meetings
    assert [one.get("for_place") for one in said[1:]] == [3 if "losers" in fields else None]

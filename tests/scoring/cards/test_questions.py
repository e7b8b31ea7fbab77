"""The questions about cards in play: answers, refusals, and the same answer whatever the seed of the hashes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from scoring.questions.plays import PLAY_OPS
from scoring.questions.protocol import answer

SPADES_7 = {"trump": "S", "level": "7"}
JQK = ["H8", "H8", "HJ", "HQ", "HK"]
AAKKK = ["HA", "HA", "HK", "HK", "HK"]
TRACTOR = {"type": "tractor", "width": 2, "length": 2}
SINGLE, PAIR, TRIPLE = {"type": "single"}, {"type": "pair"}, {"type": "triple"}


def ask(op, profile="scn2-2013", **fields):
    return answer({"id": 1, "profile": profile, "input": {"op": op, **SPADES_7, **fields}})


# op, profile, input, keys of the answer
ANSWERS = [
    ("is_tractor", "scn2-2013", {"cards": ["D6", "D6", "D8", "D8"]}, {"tractor": True, "shape": TRACTOR}),
    ("is_tractor", "scn2-2013", {"cards": ["H7", "H7", "S7", "S7"]}, {"tractor": True}),
    ("is_tractor", "scn2-2013", {"cards": ["S6", "S6", "S7", "S7"]}, {"tractor": False}),
    ("is_tractor", "scn2-2013", {"cards": ["C7", "C7", "D7", "D7"]}, {"tractor": False}),
    ("is_tractor", "scn2-2013", {"cards": ["H3", "H3", "C4", "C4"]}, {"tractor": False}),
    ("is_tractor", "scn2-2013", {"cards": ["H3", "H3"]}, {"tractor": False}),
    ("is_tractor", "scn2-2013", {"cards": []}, {"tractor": False}),
    ("is_tractor", "online-super", {"cards": ["S7", "S7", "JS", "JS"]}, {"tractor": False}),
    ("is_tractor", "changzhou-4d", {"cards": ["H3", "H3", "H4", "H4"]}, {"tractor": False}),
    (
        "order",
        "scn2-2013",
        {"cards": ["JB", "S7", "SA", "H7", "C7", "HA", "H3", "H3"]},
        {"groups": [["H3", "H3"], ["HA"], ["SA"], ["H7", "C7"], ["S7"], ["JB"]]},
    ),
    ("order", "scn2-2013", {"cards": []}, {"groups": []}),
    (
        "shapes",
        "cn-national-3d",
        {"cards": AAKKK},
        {
            "best": [{**TRACTOR, "cards": ["HK", "HK", "HA", "HA"]}, {**SINGLE, "cards": ["HK"]}],
            "all": [
                [{**TRACTOR, "cards": ["HK", "HK", "HA", "HA"]}, {**SINGLE, "cards": ["HK"]}],
                [{**TRIPLE, "cards": ["HK", "HK", "HK"]}, {**PAIR, "cards": ["HA", "HA"]}],
            ],
        },
    ),
    ("shapes", "chaodipi", {"cards": ["H5", "H10", "HK"]}, {"best": [{"type": "510K", "cards": ["H5", "H10", "HK"]}]}),
    ("forced_small", "scn2-2013", {"thrown": JQK, "others_hold_bigger": {"single": True}}, {"must_play": ["HJ"]}),
    (
        "forced_small",
        "scn2-2013",
        {"thrown": JQK, "others_hold_bigger": {"single": False, "pair": True}},
        {"must_play": ["H8", "H8"]},
    ),
    (
        "forced_small",
        "scn2-2013",
        {"thrown": JQK, "others_hold_bigger": {"single": False, "pair": False}},
        {"stands": True, "must_play": None},
    ),
    ("throw", "scn2-2013", {"thrown": JQK, "others": [["H2"], ["H3"], ["H4"]]}, {"stands": True, "fine": "absent"}),
    (
        "throw",
        "scn2-2013",
        {"thrown": JQK, "others": [["H9", "H9"], ["HA"], ["H3"]], "side": "dealer"},
        {"stands": False, "must_play": ["HJ"], "fine": 50},
    ),
    (
        "throw",
        "scn2-2013",
        {"thrown": JQK, "others": [["H9", "H9"], ["HA"], ["H3"]], "side": "attackers"},
        {"fine": -50},
    ),
    (
        "throw",
        "cn-national-2d",
        {"thrown": ["CQ", "C4", "C4"], "others": [["CK", "C5", "C5"], [], []]},
        {"choice_by": "next_player", "options": [["CQ"], ["C4", "C4"]]},
    ),
    ("throw", "scn2-2013", {"thrown": JQK, "others": [["H2"], None, ["H4"]]}, {"stands": None, "must_play": "absent"}),
    ("throw", "scn2-2013", {"thrown": JQK, "others": [["H9", "H9"]]}, {"stands": False, "must_play": "absent"}),
    (
        "throw",
        "cn-national-3d",
        {"thrown": AAKKK, "thrown_shapes": [PAIR, TRIPLE], "others": [["HA"], [], []]},
        {"stands": True},
    ),
    (
        "throw",
        "scn2-2013",
        {"thrown": ["H7", "H7", "C7", "C7"], "others": [["JS", "JS"], [], []]},
        {"must_play": ["H7", "H7"], "equals": [["C7", "C7"]]},
    ),
    (
        "trick",
        "scn2-2013",
        {"plays": [["W", ["HK"]], ["S", ["HA"]]], "dealer_side": "NS"},
        {"winner": "S", "points": 10, "attackers_gain": 0, "complete": False},
    ),
    ("trick", "scn2-2013", {"plays": [["W", ["HK"]], ["S", ["H5"]]]}, {"winner": "W", "attackers_gain": "absent"}),
    ("trick", "ersibai", {"level": "10", "plays": [["W", ["JB"]]]}, {"winner": "W", "points": 10}),
    (
        "follow",
        "scn2-2013",
        {"lead": ["H3", "H3"], "hand": ["H4", "H5", "H10", "H10"], "play": ["H4", "H5"]},
        {"legal": False, "owed": [PAIR], "witness": ["H10", "H10"]},
    ),
    ("follow", "scn2-2013", {"lead": ["H3"], "hand": ["H4", "C3"], "play": ["H4"]}, {"legal": True, "owed": "absent"}),
    (
        "follow_set",
        "scn2-2013",
        {"level": "8", "lead": ["HA", "HA", "HK"], "hand": ["HJ", "HJ", "H6", "H6", "H9"]},
        {"plays": [["H9", "HJ", "HJ"], ["H6", "HJ", "HJ"], ["H6", "H6", "HJ"], ["H6", "H6", "H9"]]},
    ),
    (
        "follow_set",
        "scn2-2013",
        {"lead": ["HA", "HA"], "hand": ["HJ", "HJ", "H6", "H6", "H9"], "prefix": ["HJ"]},
        {"next": ["HJ"]},
    ),
]


@pytest.mark.parametrize(("op", "profile", "fields", "expected"), ANSWERS)
def test_answers(op, profile, fields, expected):
    said = ask(op, profile, **fields)
    assert "error" not in said
    assert {key: said["answer"].get(key, "absent") for key in expected} == expected
    assert said["because"]


@pytest.mark.parametrize(
    ("op", "fields"),
    [
        ("throw", {"thrown": AAKKK, "others": [[], [], []]}),
        ("trick", {"plays": [["W", AAKKK]]}),
        ("follow", {"lead": AAKKK, "hand": ["H3", "H4", "H5", "H6", "H8"], "play": ["H3", "H4", "H5", "H6", "H8"]}),
    ],
)
def test_a_reading_that_should_have_been_declared_is_told(op, fields):
    declared = {"throw": "thrown_shapes"}.get(op, "lead_shapes")
    said = ask(op, "cn-national-3d", **fields)
    assert [[unit["type"] for unit in units] for units in said["answer"]["other_readings"]] == [["triple", "pair"]]
    assert said["because"][-1]["clause"] == "cn.cards.reading"
    assert "other_readings" not in ask(op, "cn-national-3d", **fields, **{declared: [TRIPLE, PAIR]})["answer"]
    assert "other_readings" not in ask(op, "online-3d", **fields)["answer"]


# op, profile, input, code, field
REFUSALS = [
    ("is_tractor", "scn2-2013", {}, "missing", "cards"),
    ("is_tractor", "scn2-2013", {"cards": ["H3"], "trump": "X"}, "unknown_value", "trump"),
    ("is_tractor", "scn2-2013", {"cards": ["H3"], "level": "1"}, "level_not_on_ladder", "level"),
    ("is_tractor", "scn2-2013", {"cards": ["H3", "H3", "H3"]}, "card_too_often", "cards"),
    ("is_tractor", "cn-national-2d", {"cards": ["H3"], "trump": "NT"}, "no_trump_not_here", "trump"),
    ("order", "scn2-2013", {"cards": ["H3", "C4"]}, "not_comparable", "cards"),
    ("shapes", "scn2-2013", {"cards": []}, "no_cards", "cards"),
    ("shapes", "scn2-2013", {"cards": ["H3", "C3"]}, "mixed_categories", "cards"),
    ("forced_small", "scn2-2013", {"thrown": JQK, "others_hold_bigger": {}}, "missing", "others_hold_bigger.pair"),
    (
        "forced_small",
        "cn-national-2d",
        {"thrown": JQK, "others_hold_bigger": {"pair": True}},
        "missing",
        "others_hold_bigger.single",
    ),
    (
        "forced_small",
        "scn2-2013",
        {"thrown": JQK, "others_hold_bigger": {"pear": True}},
        "unknown_field",
        "others_hold_bigger.pear",
    ),
    ("throw", "scn2-2013", {"thrown": ["H3", "H3"], "others": []}, "not_a_throw", "thrown"),
    ("throw", "nanning-4d", {"thrown": ["H3", "H8"], "others": []}, "throw_not_here", "thrown"),
    ("throw", "scn2-2013", {"thrown": JQK, "others": [[], [], [], []]}, "too_many_hands", "others"),
    ("throw", "scn2-2013", {"thrown": JQK, "others": ["H3"]}, "wrong_type", "others.0"),
    ("throw", "scn2-2013", {"thrown": JQK, "others": [["H8"]]}, "card_too_often", "others.0"),
    ("throw", "scn2-2013", {"thrown": JQK, "thrown_shapes": [PAIR, PAIR], "others": []}, "reading_not_there", "thrown"),
    ("trick", "scn2-2013", {"plays": []}, "wrong_type", "plays"),
    ("trick", "scn2-2013", {"plays": [["W"]]}, "wrong_type", "plays[0]"),
    ("trick", "scn2-2013", {"plays": [["W", ["H3"]], ["E", ["H4"]]]}, "out_of_turn", "plays[1].seat"),
    ("trick", "scn2-2013", {"plays": [["W", ["H3"]], ["S", ["H4", "H5"]]]}, "plays_differ", "plays[1].cards"),
    ("trick", "scn2-2013", {"plays": [["W", ["H3", "C3"]]]}, "mixed_categories", "plays[0].cards"),
    ("follow", "scn2-2013", {"lead": ["H3"], "hand": ["H4"], "play": ["H5"]}, "card_not_held", "play"),
    ("follow", "scn2-2013", {"lead": ["H3", "H3"], "hand": ["H4"], "play": ["H4"]}, "hand_too_small", "hand"),
    ("follow", "scn2-2013", {"lead": ["H3"], "hand": ["H3", "H3"], "play": ["H3"]}, "card_too_often", "hand"),
]


@pytest.mark.parametrize(("op", "profile", "fields", "code", "field"), REFUSALS)
def test_refusals(op, profile, fields, code, field):
    error = ask(op, profile, **fields)["error"]
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"]["en"] != error["message"]["zh"]


@pytest.mark.parametrize(
    ("op", "fields", "en", "zh"),
    [
        ("is_tractor", {"cards": ["H10"] * 3}, "♥10", "♥10"),
        ("is_tractor", {"cards": ["JS"] * 3}, "small joker", "小王"),
        ("follow", {"lead": ["H3"], "hand": ["H4"], "play": ["HK"]}, "♥K", "♥K"),
    ],
)
def test_refusals_name_cards_as_players_do(op, fields, en, zh):
    message = ask(op, "scn2-2013", **fields)["error"]["message"]
    assert en in message["en"]
    assert zh in message["zh"]


def test_every_op_here_is_asked_above():
    assert {row[0] for row in ANSWERS} == set(PLAY_OPS)


@pytest.mark.long
def test_answers_are_the_same_whatever_the_seed_of_the_hashes():
    questions = [
        {"id": i, "profile": row[1], "input": {"op": row[0], **SPADES_7, **row[2]}}
        for i, row in enumerate([*ANSWERS, *REFUSALS])
    ]
    program = (
        "import json, sys; from scoring.questions.protocol import answer\n"
        "for line in sys.stdin: print(json.dumps(answer(json.loads(line))))"
    )
    told = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            input="\n".join(map(json.dumps, questions)),
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(scoring.__file__).parents[1],
            capture_output=True,
            text=True,
            check=True,
        )
        told.add(done.stdout)
    assert len(told) == 1
    assert len(told.pop().splitlines()) == len(questions)

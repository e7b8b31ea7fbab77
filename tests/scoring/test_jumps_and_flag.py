"""炒地皮 through the fold: red fives, 510K, face-down bids and the flag; typed from the source."""

from __future__ import annotations

import pytest

from scoring.hands.findings import Refused
from scoring.hands.sheets import check_sheet, read_entry
from scoring.profiles import build, load
from scoring.questions.protocol import answer
from scoring.sittings.checks import check_next
from scoring.values import Level, Side
from tests.scoring.making import PAIR, SINGLE, dig, entries, hand, opening, play, standing

RULES = load("chaodipi")
DECLARED = {"event": "red_fives_declared", "by": "dealer"}
BY_ATTACKERS = {"event": "red_fives_declared", "by": "attackers"}
DUG = {"event": "red_fives_dug"}
FIVE_TEN_KING = {"event": "dug_510K"}
THREE = (SINGLE, SINGLE, SINGLE)


def dark(side, times):
    return {"side": side, "times": times}


# levels before (S of N–S deals), hands, standing after, who jumped
JUMPS = [
    # the side with the red fives holds or takes the deal: A for it, 2 for the others; it fails: the other way round
    ("5:6", [hand(75, specials=[DECLARED])], "A:2 N", "NS"),
    ("5:6", [hand(80, specials=[DECLARED])], "2:A E", "EW"),
    ("5:6", [hand(80, specials=[BY_ATTACKERS])], "2:A E", "EW"),
    ("5:6", [hand(75, specials=[BY_ATTACKERS])], "A:2 N", "NS"),
    ("5:6", [dig(70, 10, PAIR, specials=[DUG])], "2:A E", "EW"),
    ("5:6", [dig(35, 10, PAIR, specials=[DUG])], "A:2 N", "NS"),
    # 510K needs no points; the deal goes by the points
    ("5:6", [dig(70, 10, *THREE, specials=[FIVE_TEN_KING])], "2:A E", "EW"),
    ("5:6", [dig(20, 10, *THREE, specials=[FIVE_TEN_KING])], "2:A N", "EW"),
    # of a declaration and a dig the dig decides, in whichever order they are written
    ("5:6", [dig(20, 10, *THREE, specials=[FIVE_TEN_KING, BY_ATTACKERS])], "2:A N", "EW"),
    ("5:6", [dig(20, 10, *THREE, specials=[BY_ATTACKERS, FIVE_TEN_KING])], "2:A N", "EW"),
    ("5:6", [dig(20, 10, PAIR, specials=[BY_ATTACKERS, DUG])], "A:2 N", "NS"),
    # must-play levels hold nobody back
    ("2:2", [hand(0, specials=[DECLARED])], "A:2 N", "NS"),
    ("2:2", [hand(80, specials=[BY_ATTACKERS])], "2:A E", "EW"),
    # at A: a dealer side that holds the deal with red fives goes on to the flag and the others fall
    ("A:6", [hand(75, specials=[DECLARED])], "flag:2 N", "NS"),
    ("A:6", [hand(80, specials=[DECLARED])], "2:A E", "EW"),
    ("A:6", [dig(0, 0, *THREE, specials=[FIVE_TEN_KING])], "2:A N", "EW"),
    ("6:A", [hand(80, specials=[BY_ATTACKERS])], "2:A E", "EW"),
    # a side at the flag that would go to A stays there
    ("6:flag", [hand(80, specials=[BY_ATTACKERS])], "2:flag E", "EW"),
    ("6:flag", [hand(75, specials=[BY_ATTACKERS])], "A:2 N", "NS"),
    ("6:flag", [hand(80, specials=[DECLARED])], "2:flag E", "EW"),
]


@pytest.mark.parametrize(("before", "hands", "after", "jump"), JUMPS)
def test_jumps(before, hands, after, jump):
    state = play(RULES, opening(*before.split(":")), *hands)
    assert standing(state) == after
    last = state.entries[-1]
    assert last.jump == jump
    assert not state.finished
    cited = [reason.clause.topic for reason in last.because if reason.clause.topic.startswith("jump.")]
    assert cited == ["jump.510K" if FIVE_TEN_KING in hands[-1]["specials"] else "jump.pair_H5"]


@pytest.mark.parametrize("event", ["pair_H5_declare_or_dig", "dig_with_510K"])
@pytest.mark.parametrize("by", ["dealer", "attackers"])
@pytest.mark.parametrize("total", [-20, 0, 75, 80, 240])
def test_the_question_for_one_hand_agrees_with_the_fold(event, by, total):
    asked = {"op": "special_levels", "event": event, "by": by, "attackers_total": total}
    said = answer({"id": 1, "profile": "chaodipi", "input": asked})
    if event == "dig_with_510K" and by == "dealer":
        assert said["error"]["code"] == "dig_by_dealer"
        return
    special = {"event": "dug_510K" if event == "dig_with_510K" else "red_fives_declared", "by": by}
    state = play(RULES, opening("5", "9"), {"kind": "hand", "total_only": total, "specials": [special]})
    levels = (said["answer"]["dealer_side_level"], said["answer"]["attackers_level"])
    assert levels == (str(state.levels[Side.NS]), str(state.levels[Side.EW]))


# levels before (S deals), failures of N–S and E–W after every hand, hands, standing after, winner
FLAGS = [
    # A held: the flag, however many levels were won
    ("A:5", [hand(75)], "0:0", "flag:5 N", None),
    ("A:5", [hand(0)], "0:0", "flag:5 N", None),
    ("A:5", [hand(80)], "0:0", "A:5 E", None),
    # the line at the flag is 100, and 10 points a level above it
    ("flag:5", [hand(95)], "0:0", "past:5 N", "NS"),
    ("flag:5", [hand(0)], "0:0", "past:5 N", "NS"),
    ("flag:5", [hand(100)], "1:0", "flag:5 E", None),
    ("flag:5", [hand(120)], "1:0", "flag:7 E", None),
    ("flag:2", [hand(150)], "1:0", "flag:2 E", None),
    ("flag:K", [hand(150)], "1:0", "flag:A E", None),
    # the other side's hands do not break the run; three failures lead back to 2
    ("flag:5", [hand(100), hand(80)], "1:0", "flag:5 N", None),
    ("flag:5", [hand(100), hand(80), hand(100), hand(80)], "2:0", "flag:5 S", None),
    ("flag:5", [hand(100), hand(80), hand(100), hand(80), hand(100)], "0:0", "2:5 E", None),
    ("flag:5", [hand(100), hand(80), hand(100), hand(80), hand(95)], "2:0", "past:5 N", "NS"),
    # both sides at the flag, each with a run of its own
    ("flag:flag", [hand(100), hand(100), hand(100)], "2:1", "flag:flag W", None),
    # attackers at the flag do not win by taking the deal
    ("5:flag", [hand(200)], "0:0", "5:flag E", None),
    # leaving the flag ends the run
    ("flag:5", [hand(100), {"kind": "level_penalty", "side": "NS", "levels": -1}], "0:0", "A:5 E", None),
    ("flag:5", [hand(100), hand(70, specials=[BY_ATTACKERS])], "0:0", "2:A W", None),
    # a level penalty leads no further than A
    ("K:5", [{"kind": "level_penalty", "side": "NS", "levels": 9}], "0:0", "A:5 S", None),
    ("flag:5", [{"kind": "level_penalty", "side": "NS", "levels": 1}], "0:0", "flag:5 S", None),
    # an official's result counts at the flag as well
    ("flag:5", [{"kind": "adjusted", "levels": 1, "side": "NS", "deal_changes_hands": False}], "0:0", "past:5 N", "NS"),
    ("flag:5", [{"kind": "adjusted", "levels": 0, "deal_changes_hands": True}], "1:0", "flag:5 E", None),
    ("flag:5", [{"kind": "annulled", "reason": "misdeal"}], "0:0", "flag:5 S", None),
]


@pytest.mark.parametrize(("before", "hands", "failures", "after", "winner"), FLAGS)
def test_the_flag(before, hands, failures, after, winner):
    state = play(RULES, opening(*before.split(":")), *hands)
    assert standing(state) == after
    assert ":".join(str(state.flag_failures[side]) for side in (Side.NS, Side.EW)) == failures
    assert state.winner == winner
    assert state.finished is (winner is not None)


@pytest.mark.parametrize("before", [0, 1, 2])
@pytest.mark.parametrize("total", [-40, 0, 95, 100, 115])
def test_the_question_on_the_flag_agrees_with_the_fold(before, total):
    asked = {"op": "flag_stage", "attackers_total": total, "consecutive_failures_before": before}
    said = answer({"id": 1, "profile": "chaodipi", "input": asked})["answer"]
    failed = [hand(100), hand(80)] * before
    state = play(RULES, opening("flag", "5"), *failed, hand(0) | {"captured_in_tricks": None, "total_only": total})
    assert said["flag_passed"] is (state.winner is Side.NS)
    if said["flag_passed"]:
        return
    back = state.levels[Side.NS] == Level("2")
    assert said.get("dealer_side_level") == ("2" if back else None)
    assert said["consecutive_failures"] == (3 if back else state.flag_failures[Side.NS])


# fines, total of a hand of 60
DARK_BIDS = [
    ([dark("attackers", 1)], -20),
    ([dark("dealer", 1)], 140),
    ([dark("dealer", 2), dark("attackers", 3)], -20),
]


@pytest.mark.parametrize(("bids", "total"), DARK_BIDS)
def test_face_down_bids_are_fined(bids, total):
    state = play(RULES, opening(), hand(60, dark_bids=bids))
    counted = state.entries[0].total
    assert (counted.raw, counted.dark_bids, counted.fines) == (total, total - 60, 0)
    (reason,) = [one for one in state.entries[0].because if one.clause.topic == "dark_bid"]
    assert reason.amount == total - 60


def codes(profile, row, state=None):
    found = check_sheet(profile, *entries(profile, row)) if state is None else check_next(profile, state, *row)
    return [(one.code, one.field) for one in found if one.blocking]


SHEETS = [
    ("bajiwo", hand(60, specials=[DECLARED]), [("jump_not_here", "specials[0].event")]),
    ("bajiwo", hand(60, dark_bids=[dark("dealer", 1)]), [("dark_bid_not_here", "dark_bids")]),
    ("chaodipi", hand(60, dark_bids=[dark("dealer", 1)] * 2), [("dark_bid_twice", "dark_bids")]),
    ("chaodipi", hand(60, specials=[DUG]), [("special_without_dig", "specials[0]")]),
    ("chaodipi", hand(60, specials=[DUG | {"by": "dealer"}]), [("dig_by_dealer", "specials[0].by")]),
    ("chaodipi", hand(60, specials=[DECLARED, DECLARED]), [("special_twice", "specials")]),
    ("chaodipi", dig(60, 5, PAIR, specials=[DUG, FIVE_TEN_KING]), [("specials_one_dig", "specials")]),
    ("chaodipi", dig(60, 5, PAIR, specials=[DECLARED, DUG]), [("specials_one_pair", "specials")]),
    ("chaodipi", dig(60, 5, PAIR, specials=[BY_ATTACKERS, DUG]), []),
    ("chaodipi", dig(60, 5, *THREE, specials=[DECLARED, FIVE_TEN_KING]), []),
    ("chaodipi", {"kind": "hand", "total_only": 60, "specials": [FIVE_TEN_KING]}, []),
    (
        "chaodipi",
        {"kind": "hand", "total_only": 60, "dark_bids": [dark("dealer", 1)]},
        [("total_and_parts", "dark_bids")],
    ),
    # a sheet that says it is of the flag
    ("chaodipi", {"kind": "hand", "level": "flag", "captured_in_tricks": 60}, []),
    ("chaodipi", hand(60, level="flag", trump="NT"), []),
    ("chaodipi", hand(60, level="flag", trump="H"), [("no_trump_suit", "trump")]),
    ("chaodipi", hand(60, level="flag", kitty_points=0), [("kitty_at_flag", "kitty_points")]),
    ("chaodipi", hand(60, level="flag", specials=[DECLARED]), [("special_at_flag", "specials[0]")]),
    ("chaodipi", hand(60, level="flag", dark_bids=[dark("dealer", 1)]), [("special_at_flag", "dark_bids")]),
    (
        "chaodipi",
        hand(60, level="flag", throw_failures=[{"side": "dealer", "cards": 28}]),
        [("throw_size", "throw_failures[0].cards")],
    ),
    ("chaodipi", hand(60, level="flag", throw_failures=[{"side": "dealer", "cards": 27}]), []),
]


@pytest.mark.parametrize(("profile", "row", "expected"), SHEETS)
def test_what_a_sheet_shows(profile, row, expected):
    assert codes(load(profile), row) == expected


def test_the_level_that_is_due_decides_what_is_asked_for():
    at_flag = play(RULES, opening("flag", "5"))
    plain = {"kind": "hand", "captured_in_tricks": 60}
    assert codes(RULES, entries(RULES, plain), at_flag) == []
    assert codes(RULES, entries(RULES, hand(60, trump="S")), at_flag) == [("no_trump_suit", "trump")]
    assert codes(RULES, entries(RULES, plain), play(RULES, opening("A", "5"))) == [
        ("last_trick_missing", "last_trick_winner")
    ]
    rows = [hand(75), plain]
    asked = {"op": "sitting_state", "opening": opening("A").to_json(), "ledger": rows}
    said = answer({"id": 1, "profile": "chaodipi", "input": asked})["answer"]
    assert (said["winner"], said["levels"]) == ("NS", {"NS": None, "EW": "2"})
    refused = answer({"id": 1, "profile": "chaodipi", "input": asked | {"ledger": [plain, *rows]}})["error"]
    assert (refused["code"], refused["field"]) == ("last_trick_missing", "ledger[0].last_trick_winner")


UNREADABLE = [
    ({"specials": [{"event": "red_fives_declared"}]}, "missing", "specials[0].by"),
    ({"specials": [{"event": "510K"}]}, "unknown_value", "specials[0].event"),
    ({"specials": [{"event": "dug_510K", "by": "NS"}]}, "unknown_value", "specials[0].by"),
    ({"specials": {"event": "dug_510K"}}, "wrong_type", "specials"),
    ({"dark_bids": [{"side": "dealer", "times": 0}]}, "out_of_range", "dark_bids[0].times"),
    ({"dark_bids": [{"side": "dealer", "times": True}]}, "not_a_whole_number", "dark_bids[0].times"),
    ({"dark_bids": [{"times": 1}]}, "missing", "dark_bids[0].side"),
]


@pytest.mark.parametrize(("fields", "code", "field"), UNREADABLE)
def test_what_cannot_be_read(fields, code, field):
    with pytest.raises(Refused) as refused:
        read_entry(RULES, hand(60, **fields))
    assert (code, field) in [(one.code, one.field) for one in refused.value.findings]


def test_a_sheet_reads_back_what_it_writes():
    row = dig(60, 5, *THREE, specials=[DECLARED, FIVE_TEN_KING | {"by": "attackers"}], dark_bids=[dark("attackers", 2)])
    assert read_entry(RULES, row).to_json() == row


def test_red_fives_of_four_decks_may_be_on_both_sides():
    rules = build({"base": "four-deck-online", "set": {"level_jumps": ["pair_H5_declare_or_dig"]}})
    assert codes(rules, dig(60, 5, PAIR, specials=[DECLARED, DUG])) == []


def test_a_jump_takes_back_a_win_where_there_is_no_flag():
    rules = build({"base": "chaodipi", "set": {"flag_line": None}})
    held = play(rules, opening("A", "6"), dig(20, 10, *THREE, specials=[FIVE_TEN_KING]))
    assert (standing(held), held.finished) == ("2:A N", False)
    won = play(rules, opening("A", "6"), hand(20, specials=[DECLARED]))
    assert (standing(won), won.winner) == ("past:2 N", Side.NS)

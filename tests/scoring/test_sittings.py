from __future__ import annotations

import json
from dataclasses import replace

import pytest

from scoring.hands.findings import Refused
from scoring.hands.sheets import read_entry
from scoring.profiles import build, load
from scoring.sittings.checks import check_next
from scoring.sittings.fold import fold, start, step
from scoring.sittings.states import Conditions, Opening
from scoring.values import Level, Points, Seat, Side
from tests.scoring.making import PAIR, check, dig, entries, hand, only, opening, play, standing

SCN2 = load("scn2-2013")
NATIONAL = load("cn-national-2d")

MISDEAL = {"kind": "annulled", "reason": "misdeal"}
REBELLION = {"kind": "annulled", "reason": "rebellion"}
TIME = {"kind": "end", "reason": "time"}


def penalty(side, levels=-1):
    return {"kind": "level_penalty", "side": side, "levels": levels}


def adjusted(levels, changes, **fields):
    return {"kind": "adjusted", "levels": levels, "deal_changes_hands": changes, **fields}


# opening, entries, standing after
LEDGERS = [
    (opening(), [], "2:2 S"),
    (opening(), [hand(35)], "4:2 N"),
    (opening(), [hand(35), hand(90)], "4:2 W"),
    (opening(dealer=None), [hand(35, dealer="E")], "2:4 W"),
    # rebellion: the other player of the dealing side; misdeal, redeal, ruling: the same dealer
    (opening(), [REBELLION], "2:2 N"),
    (opening(), [MISDEAL], "2:2 S"),
    (opening(), [{"kind": "annulled", "reason": "redeal"}, {"kind": "annulled", "reason": "ruling"}], "2:2 S"),
    (opening(dealer=None), [MISDEAL], "2:2 -"),
    (opening(dealer=None), [MISDEAL | {"dealer": "W"}], "2:2 W"),
    (opening(dealer=None), [REBELLION | {"dealer": "W"}], "2:2 E"),
    # level penalties: never below the first level nor past the last, no must-play, the dealer stays
    (opening("5", "9"), [penalty("EW", 3)], "5:Q S"),
    (opening("5", "9"), [penalty("NS", -9)], "2:9 S"),
    (opening("5", "9"), [penalty("NS", 13)], "A:9 S"),
    # adjusted hands
    (opening(), [adjusted(1, True, side="EW")], "2:3 E"),
    (opening(), [adjusted(0, True)], "2:2 E"),
    (opening(), [adjusted(0, False)], "2:2 N"),
    (opening("9"), [adjusted(3, False, side="NS")], "10:2 N"),
    (opening("A"), [adjusted(1, False, side="NS")], "past:2 N"),
    (opening("A"), [adjusted(1, True, side="NS")], "A:2 E"),
    (opening("2", "A"), [adjusted(1, True, side="EW")], "2:A E"),
    # a must-play level has to be played again after a fall below it
    (opening("10"), [penalty("NS", -1), hand(0)], "10:2 N"),
    # hook
    (opening("J", "5"), [dig(65, 10, PAIR, trump="S", winning_play=["SJ", "SJ"])], "2:5 E"),
    (opening("J", "5"), [dig(35, 10, PAIR, trump="S", winning_play=["SJ", "SJ"])], "Q:5 N"),
    (opening("J", "5"), [dig(65, 10, PAIR, trump="H", winning_play=["SJ", "SJ"])], "J:5 E"),
    (opening("J", "5"), [dig(65, 10, PAIR, trump="NT", winning_play=["SJ", "SJ"])], "J:5 E"),
]


@pytest.mark.parametrize(("start_at", "rows", "after"), LEDGERS)
def test_ledgers(start_at, rows, after):
    assert standing(play(SCN2, start_at, *rows)) == after


def test_a_side_is_hooked_once_in_a_match():
    hooked = dig(65, 10, PAIR, trump="S", winning_play=["SJ"])
    rows = [hooked, hand(80), penalty("NS", 9), hand(80), hand(80), hooked]
    state = play(SCN2, opening("J", "5", "S"), *rows)
    assert [entry.hook for entry in state.entries] == [True, False, False, False, False, False]
    assert state.hooked == {Side.NS: 1, Side.EW: 0}
    assert state.entries[-1].level == Level("J")
    assert state.levels[Side.NS] == Level("J")
    again = play(load("scn3-2026"), opening("J", "5", "S"), *rows)
    assert again.entries[-1].hook
    assert again.hooked[Side.NS] == 2


def test_annulled_hands_and_penalties_are_no_hands_played():
    state = play(SCN2, opening(), MISDEAL, hand(35), penalty("NS"), REBELLION, adjusted(1, False, side="NS"))
    assert state.hands_played == 2
    assert [entry.kind for entry in state.entries] == ["annulled", "hand", "level_penalty", "annulled", "adjusted"]


# conditions, opening, entries -> finished, end reason, winner, decided by, draw, undecided
ENDS = [
    ({}, opening("A"), [hand(60)], "passed NS passed False None"),
    ({}, opening("2", "A", "E"), [hand(60)], "passed EW passed False None"),
    ({"lead_levels": 5}, opening("2", "5"), [hand(0), penalty("NS", 4)], None),
    ({"lead_levels": 5}, opening("2", "5"), [penalty("EW", 2)], "lead EW lead False None"),
    ({"lead_levels": 3}, opening(), [hand(0)], "lead NS lead False None"),
    ({"lead_levels": 3}, opening(), [adjusted(3, True, side="EW")], "lead EW lead False None"),
    ({"hands": 2}, opening(), [hand(60)], None),
    ({"hands": 2}, opening(), [hand(60), MISDEAL, hand(60)], "hands NS levels False None"),
    ({"hands": 1}, opening("A"), [hand(60)], "passed NS passed False None"),
    ({"hands": 1, "tie_rule": "draw"}, opening(), [hand(80)], "hands None tie_rule True None"),
    ({}, opening("7", "5"), [TIME], "time NS levels False None"),
    ({}, opening("7", "7"), [TIME], "time NS tie_rule False None"),
    ({}, opening("7", "7", "E"), [TIME], "time EW tie_rule False None"),
    ({}, opening("7", "7"), [hand(80), TIME], "time EW tie_rule False None"),
    ({}, opening("7", "7", None), [TIME], "time None None False lots"),
    ({"tie_rule": "extra_hand"}, opening("7", "7"), [TIME], "time None None False extra_hand"),
    ({"tie_rule": "lots"}, opening("7", "7"), [TIME], "time None None False lots"),
    ({"tie_rule": "first_to_reach"}, opening("7", "7"), [TIME], "time None None False lots"),
    ({"tie_rule": "first_to_reach"}, opening("7", "6"), [hand(120), TIME], "time NS tie_rule False None"),
    ({"tie_rule": "first_to_reach"}, opening("6", "7"), [hand(60), TIME], "time EW tie_rule False None"),
    ({}, opening("7", "5"), [{"kind": "end", "reason": "forfeit", "by": "NS"}], "forfeit EW forfeit False None"),
    ({"lead_levels": 2}, opening("7", "5"), [{"kind": "end", "reason": "lead"}], "lead NS lead False None"),
]


@pytest.mark.parametrize(("conditions", "start_at", "rows", "expected"), ENDS)
def test_ends(conditions, start_at, rows, expected):
    state = play(SCN2, start_at, *rows, **conditions)
    said = f"{state.end_reason} {state.winner} {state.decided_by} {state.draw} {state.undecided}"
    assert (said if state.finished else None) == expected
    assert [entry.finished for entry in state.entries] == [False] * (len(rows) - 1) + [state.finished]


def test_reaching_the_last_level_and_wrapping():
    wiki = play(load("wiki-classic"), opening("K"), hand(60))
    assert (wiki.finished, wiki.winner, wiki.passed, wiki.levels[Side.NS]) == (True, Side.NS, None, Level("A"))
    online = play(load("online-super"), opening("A"), hand(60))
    assert (online.finished, standing(online)) == (False, "2:2 N")


def test_a_side_past_the_last_level_stands_at_none_in_json():
    state = play(SCN2, opening("A"), hand(60))
    assert state.passed is Side.NS
    assert state.to_json()["levels"] == {"NS": None, "EW": "2"}
    assert state.entries[-1].to_json()["after"]["levels"] == {"NS": None, "EW": "2"}
    assert state.entries[-1].to_json()["before"]["levels"] == {"NS": "A", "EW": "2"}


@pytest.mark.parametrize(
    ("start_at", "rows", "code"),
    [
        (opening(dealer=None), [hand(60)], "dealer_missing"),
        (opening(dealer=None), [REBELLION], "dealer_missing"),
        (opening(dealer=None), [adjusted(0, True)], "dealer_missing"),
        (opening("A"), [hand(60), hand(60)], "match_over"),
        (opening("A"), [hand(60), penalty("NS")], "match_over"),
        (opening(), [TIME, TIME], "match_over"),
    ],
)
def test_what_cannot_be_counted_is_refused(start_at, rows, code):
    with pytest.raises(Refused) as refused:
        play(SCN2, start_at, *rows)
    assert refused.value.code == code


# entries before, new entry -> codes, "!" for blocking ones
CHECKS = [
    ([], hand(60), []),
    ([], hand(60, dealer="S", level="2"), []),
    ([hand(90)], hand(60, dealer="N"), ["dealer_unexpected"]),
    ([hand(35)], hand(60, level="2"), ["level_unexpected"]),
    ([hand(35)], hand(60, dealer="W", level="4"), ["dealer_unexpected", "level_unexpected"]),
    ([], hand(83, dealer="W"), ["not_a_multiple_of_5!", "dealer_unexpected"]),
    ([], dig(50, 10, PAIR, winning_play=["SJ"], trump="S"), ["hook_not_here"]),
    ([], dig(50, 10, PAIR, winning_play=["S9"], trump="S"), []),
    ([REBELLION], REBELLION, ["rebellion_twice!"]),
    ([REBELLION, MISDEAL], REBELLION, ["rebellion_twice!"]),
    ([REBELLION, hand(60)], REBELLION, []),
    ([REBELLION, {"kind": "annulled", "reason": "ruling"}], REBELLION, []),
    ([], REBELLION | {"by": "N"}, ["rebellion_by_dealer!"]),
    ([], REBELLION | {"by": "W", "hand_points": 10}, []),
    ([], REBELLION | {"by": "W", "hand_points": 20, "trump_count": 4}, ["rebellion_without_ground!"]),
    ([], REBELLION | {"dealer": "E"}, ["dealer_unexpected"]),
    ([TIME], hand(60), ["match_over!"]),
    ([TIME], hand(83), ["not_a_multiple_of_5!", "match_over!"]),
    ([], {"kind": "end", "reason": "lead"}, ["lead_not_here!"]),
]


@pytest.mark.parametrize(("before", "row", "codes"), CHECKS)
def test_checks_of_a_new_entry(before, row, codes):
    found = check(SCN2, opening(), entries(SCN2, *before), read_entry(SCN2, row))
    assert [one.code + "!" * one.blocking for one in found] == codes


def test_checks_that_hang_on_the_conditions():
    lead, hands = ({"kind": "end", "reason": reason} for reason in ("lead", "hands"))
    short = Conditions(lead_levels=5, hands=8)
    for row, code in ((lead, "lead_too_small"), (hands, "hands_too_few")):
        (found,) = check(SCN2, opening(), entries(SCN2, hand(60)), read_entry(SCN2, row), short)
        assert (found.code, found.blocking) == (code, True)


def test_there_is_no_rebellion_where_the_profile_has_none():
    (found,) = check(NATIONAL, opening(), [], read_entry(NATIONAL, REBELLION))
    assert (found.code, found.blocking) == ("rebellion_not_here", True)


def test_sentences_of_ledger_findings():
    state = play(SCN2, opening("4", "2", "S"), hand(35), hand(90), hand(90), hand(75))
    (found,) = check_next(SCN2, state, read_entry(SCN2, hand(60, dealer="S")))
    assert found.message == {
        "en": "The record says North deals, playing 7; you chose South. If it is wrong, call a referee.",
        "zh": "按记录是北坐庄打 7，你选了南。记录有误请叫裁判。",
    }
    (found,) = check(SCN2, opening("9"), [], read_entry(SCN2, dig(50, 10, PAIR, winning_play=["SJ"], trump="S")))
    assert found.message == {
        "en": "The hook exists only at level J; this hand is played at 9.",
        "zh": "只有打 J 时才有钩到底，本副打 9。",
    }
    (found,) = check(SCN2, opening(), entries(SCN2, REBELLION), read_entry(SCN2, REBELLION))
    assert found.message == {
        "en": "No rebellion twice running; the last hand was one.",
        "zh": "不能连续两副造反，上一副已是造反。",
    }


def test_treatments_of_a_wrong_level():
    """A worked correction: hand 3 was 190, should be 130; hand 4 was played one level too high."""
    points = [95, 25, 130, 55, 30, 125, 40, 75]
    dealers, levels = "ENSEWENS", ["2", "2", "4", "4", "5", "7", "5", "6"]
    rows = [
        hand(total, dealer=dealer, level=level) if total < 130 else dig(70, 15, PAIR, dealer=dealer, level=level)
        for total, dealer, level in zip(points, dealers, levels, strict=True)
    ]
    recomputed = play(SCN2, opening(dealer="E"), *rows)
    assert [f"{e.after.levels[Side.NS]}:{e.after.levels[Side.EW]}" for e in recomputed.entries] == [
        "2:2",
        "4:2",
        "4:3",
        "4:4",
        "4:6",
        "5:6",
        "6:6",
        "7:6",
    ]
    assert [[one.code for one in e.discrepancies] for e in recomputed.entries] == [
        [],
        [],
        [],
        ["level_unexpected"],
        ["level_unexpected"],
        ["level_unexpected"],
        [],
        [],
    ]
    rows[3] |= {"treatment": "let_stand"}
    standing_by = play(SCN2, opening(dealer="E"), *rows)
    assert [f"{e.after.levels[Side.NS]}:{e.after.levels[Side.EW]}" for e in standing_by.entries][3:] == [
        "4:5",
        "4:7",
        "5:7",
        "6:7",
        "7:7",
    ]
    assert [len(e.discrepancies) for e in standing_by.entries] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert "referee.let_stand" in [reason.clause.id for reason in standing_by.entries[3].because]
    assert "referee.recompute" in [reason.clause.id for reason in recomputed.entries[3].because]


# levels before, who deals by the record, the sheet -> codes, standing after, who counted as dealer and at what level
DECLARED = [
    # the dealer side declared: nothing changes, whoever of the two it was
    ("5:7", "S", hand(35, declared_by="S"), [], "7:7 N", "S 5"),
    ("5:7", "S", hand(35, declared_by="N"), [], "7:7 N", "S 5"),
    # an attacker declared: he deals, at the level of his own side
    ("5:7", "S", hand(35, declared_by="E"), [], "5:9 W", "E 7"),
    ("5:7", "S", hand(120, declared_by="W"), [], "6:7 S", "W 7"),
    ("5:7", "S", hand(35, declared_by="W", dealer="W", level="7"), [], "5:9 E", "W 7"),
    ("5:7", "S", hand(35, declared_by="W", dealer="S"), ["dealer_unexpected"], "7:7 N", "S 5"),
    ("5:7", "S", hand(35, declared_by="W", level="5"), ["level_unexpected"], "5:9 E", "W 7"),
    ("5:7", "S", hand(35), [], "7:7 N", "S 5"),
    # of a contested deal the declarer is the dealer
    ("2:2", None, hand(35, declared_by="E"), [], "2:4 W", "E 2"),
]


@pytest.mark.parametrize("with_joker", ["any", "colour"])
@pytest.mark.parametrize(("before", "dealer", "row", "codes", "after", "counted"), DECLARED)
def test_an_attacker_who_declares_with_a_joker_takes_the_stage(with_joker, before, dealer, row, codes, after, counted):
    rules = build({"base": "scn2-2013", "set": {"joker_declare": with_joker}})
    start_at = opening(*before.split(":"), dealer)
    assert [one.code for one in check(rules, start_at, [], read_entry(rules, row))] == codes
    result = only(state := play(rules, start_at, row))
    assert standing(state) == after
    assert f"{result.dealer} {result.level}" == counted
    assert [one.code for one in result.discrepancies] == codes
    taken = dealer is not None and result.dealer.side is not Seat(dealer).side
    assert any(reason.clause.topic.endswith("joker_declare") for reason in result.because) is taken


def test_who_declared_is_nobodys_business_without_the_joker():
    (found,) = check(SCN2, opening(), [], read_entry(SCN2, hand(60, declared_by="E")))
    assert (found.code, found.field, found.blocking) == ("declarer_not_here", "declared_by", True)


ANY, FLOOR = {"pass_a": "any"}, {"score_floor": -40}
HOOKS = dig(35, 10, PAIR, trump="S", winning_play=["HJ"])
# options set upon the rules, opening, hands, standing after
VARIANTS = [
    # past A only from the stage, or by any gain
    ({}, opening("5", "K"), [hand(165)], "5:A E"),
    (ANY, opening("5", "K"), [hand(165)], "5:past E"),
    (ANY, opening("5", "A"), [hand(120)], "5:past E"),
    (ANY, opening("A", "5"), [hand(60)], "past:5 N"),
    (ANY | {"must_play": ["A"], "must_mode": "must_defend"}, opening("5", "A"), [hand(120)], "5:A E"),
    (ANY | {"must_play": ["A"], "must_mode": "no_skip"}, opening("5", "K"), [hand(165)], "5:A E"),
    # levels after A
    ({"after_A": ["joker"]}, opening("A", "5"), [hand(0)], "joker:5 N"),
    ({"after_A": ["joker"]}, opening("joker", "5"), [hand(60)], "past:5 N"),
    ({"after_A": ["joker"]}, opening("5", "joker"), [hand(120)], "5:joker E"),
    (ANY | {"after_A": ["joker"]}, opening("5", "K"), [hand(165)], "5:joker E"),
    (ANY | {"after_A": ["joker"]}, opening("5", "joker"), [hand(120)], "5:past E"),
    # the hook: which card, whether the deal is needed, and a reset that undoes the gain of its hand
    ({}, opening("J", "5"), [HOOKS | {"captured_in_tricks": 65}], "J:5 E"),
    ({"hook_card": "any"}, opening("J", "5"), [HOOKS | {"captured_in_tricks": 65}], "2:5 E"),
    ({"hook_card": "any"}, opening("J", "5"), [HOOKS], "Q:5 N"),
    ({"hook_card": "any", "hook_needs_takeover": False}, opening("J", "5"), [HOOKS], "2:5 N"),
    ({"hook_levels": ["J", "A"]}, opening("A", "5"), [dig(65, 10, PAIR, trump="S", winning_play=["SA"])], "2:5 E"),
    (
        {"hook_levels": ["A"], "hook_needs_takeover": False},
        opening("A", "5"),
        [dig(15, 10, PAIR, trump="S", winning_play=["SA"])],
        "2:5 N",
    ),
    # dig, then fines, then rulings, then cap, then floor: a fine of 50 and a dig of 60 leave 10
    ({}, opening("2"), [dig(0, 15, PAIR, throw_failures=[{"side": "attackers", "cards": 5}])], "4:2 N"),
    ({"score_cap": 80}, opening("2", "5"), [dig(90, 40, PAIR)], "2:5 E"),
    ({"score_cap": 80}, opening("2"), [dig(150, 0, PAIR, adjustments=[{"points": -75, "why": "late"}])], "3:2 N"),
    ({"negative_total": "extend"}, opening("2"), [hand(0, adjustments=[{"points": -80, "why": "late"}])], "7:2 N"),
    (
        {"negative_total": "extend", **FLOOR},
        opening("2"),
        [hand(0, adjustments=[{"points": -80, "why": "late"}])],
        "6:2 N",
    ),
    (
        {"negative_total": "extend", **FLOOR},
        opening("2"),
        [dig(0, 20, PAIR, adjustments=[{"points": -80, "why": "late"}])],
        "5:2 N",
    ),
]


@pytest.mark.parametrize(("changes", "start_at", "rows", "after"), VARIANTS)
def test_variants_in_the_fold(changes, start_at, rows, after):
    assert standing(play(build({"base": "scn2-2013", "set": changes}), start_at, *rows)) == after


def test_the_dealer_as_played_decides_the_roles():
    state = play(SCN2, opening("5", "7", "S"), hand(35, dealer="E", level="7"))
    assert standing(state) == "5:9 W"
    assert [one.code for one in only(state).discrepancies] == ["dealer_unexpected"]


def test_a_match_from_the_page_of_examples():
    """Ten hands: a dig, a failed throw, a rebellion, must-play 10 and the hook."""
    state = play(
        SCN2,
        opening(),
        hand(35),
        hand(90),
        hand(60, throw_failures=[{"side": "attackers", "cards": 3}]),
        dig(85, 20, PAIR),
        REBELLION | {"by": "W", "hand_points": 10},
        hand(0),
        hand(20),
        hand(45),
        dig(65, 10, PAIR, trump="C", winning_play=["CJ", "CJ"]),
        hand(60),
        TIME,
    )
    after = [f"{e.after.levels[Side.NS]}:{e.after.levels[Side.EW]} {e.after.next_dealer}" for e in state.entries]
    assert after == [
        "4:2 N",
        "4:2 W",
        "4:4 E",
        "6:4 N",
        "6:4 S",
        "9:4 N",
        "10:4 S",
        "J:4 N",
        "2:4 W",
        "2:5 E",
        "2:5 E",
    ]
    assert (state.winner, state.hands_played) == (Side.EW, 9)
    assert json.loads(json.dumps(state.to_json()))["entries"][3]["total"]["raw"] == 165


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"levels": {}},
        {"levels": {"NS": "2"}},
        {"levels": {"NS": 2, "EW": "2"}},
        {"levels": {"NS": "2", "EW": "2"}, "first_dealer": "NS"},
        {"levels": {"NS": "2", "EW": "2"}, "x": 1},
        {"levels": {"NS": "2", "EW": "2", "WE": "2"}},
        {"levels": [2, 2]},
    ],
)
def test_bad_openings(data):
    with pytest.raises(Refused):
        Opening.from_json(data)


def test_openings_and_conditions_round_trip():
    for one in (opening("5", "K", "E"), opening(dealer=None)):
        assert Opening.from_json(one.to_json()) == one
    made = Conditions(lead_levels=5, hands=8, tie_rule="draw", format="timed")
    assert Conditions.from_json(made.to_json()) == made
    assert Conditions.from_json({}) == Conditions()
    for bad in ({"lead_levels": 0}, {"hands": True}, {"tie_rule": "coin"}, {"format": "x"}, {"time": 60}, 7):
        with pytest.raises(Refused):
            Conditions.from_json(bad)
    short = build({"base": "scn2-2013", "set": {"ladder": ["9", "10", "J"]}})
    with pytest.raises(Refused):
        Opening.from_json(opening().to_json(), short)


@pytest.mark.parametrize("row", [hand(35), MISDEAL, penalty("NS"), adjusted(1, True, side="EW"), TIME])
def test_a_step_goes_on_from_a_folded_state(row):
    folded = play(SCN2, opening(), hand(60))
    (entry,) = entries(SCN2, row)
    after, result = step(SCN2, Conditions(), folded, entry)
    whole = fold(SCN2, opening(), entries(SCN2, hand(60), row))
    assert after == replace(whole, entries=())
    assert result == whole.entries[-1]


def test_states_hold_typed_values():
    state = play(SCN2, opening(), hand(35))
    assert isinstance(state.next_dealer, Seat)
    assert isinstance(state.next_level, Level)
    assert isinstance(SCN2.threshold, Points)
    assert state.on_stage is Side.NS
    assert not state.contested
    assert start(opening(dealer=None)).contested
    assert start(opening(dealer=None)).next_level == Level("2")
    assert start(opening("2", "3", None)).next_level is None

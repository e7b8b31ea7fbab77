from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.entries import HandSheet
from scoring.hands.findings import Refused
from scoring.hands.sheets import check_sheet, read_entry
from scoring.profiles import build, load
from scoring.values import Card, Level, Points, Role, Seat, Shape, Trump
from tests.scoring.making import PAIR, SINGLE, dig, hand, tractor

SCN2 = load("scn2-2013")
NATIONAL = load("cn-national-2d")


def findings(profile, row):
    """All findings of a row, read and checked: (code, field), blocking ones only."""
    try:
        entry = read_entry(profile, row)
    except Refused as refused:
        return [(one.code, one.field) for one in refused.findings]
    return [(one.code, one.field) for one in check_sheet(profile, entry) if one.blocking]


FULL = {
    "kind": "hand",
    "dealer": "S",
    "level": "2",
    "trump": "H",
    "captured_in_tricks": 55,
    "last_trick_winner": "attackers",
    "led": [{"type": "pair"}],
    "kitty_points": 25,
    "throw_failures": [{"side": "attackers", "cards": 3}],
    "winning_play": ["SJ"],
    "adjustments": [{"points": -10, "why": "late", "clause": "x.1"}],
    "treatment": "let_stand",
}


def test_a_full_sheet_is_read_as_written():
    sheet = read_entry(SCN2, FULL)
    assert isinstance(sheet, HandSheet)
    assert (sheet.dealer, sheet.level, sheet.trump) == (Seat.S, Level("2"), Trump.H)
    assert (sheet.captured_in_tricks, sheet.kitty_points) == (Points(55), Points(25))
    assert isinstance(sheet.captured_in_tricks, Points)
    assert sheet.led == (Shape(2),)
    assert sheet.winning_play == (Card("S", "J"),)
    assert sheet.throw_failures[0].side is Role.ATTACKERS
    assert sheet.to_json() == FULL
    assert check_sheet(SCN2, sheet) == ()


ENTRIES = [
    FULL,
    {"kind": "hand", "captured_in_tricks": 0, "last_trick_winner": "dealer"},
    {"kind": "hand", "total_only": 165},
    {"kind": "annulled", "reason": "misdeal"},
    {"kind": "annulled", "reason": "rebellion", "dealer": "N", "by": "W", "hand_points": 10, "trump_count": 4},
    {"kind": "level_penalty", "side": "NS", "levels": -1, "why": {"en": "took back a card", "zh": "悔牌"}},
    {"kind": "adjusted", "dealer": "S", "side": "EW", "levels": 1, "deal_changes_hands": True, "why": "ruling 4"},
    {"kind": "adjusted", "levels": 0, "deal_changes_hands": False},
    {"kind": "end", "reason": "time"},
    {"kind": "end", "reason": "forfeit", "by": "EW"},
]


@pytest.mark.parametrize("row", ENTRIES, ids=lambda row: row["kind"])
def test_entries_round_trip(row):
    entry = read_entry(SCN2, row)
    assert entry.to_json() == row
    assert read_entry(SCN2, json.loads(json.dumps(entry.to_json()))) == entry


def test_empty_parts_are_left_out_of_the_canonical_form():
    padded = {**hand(40), "led": [], "throw_failures": [], "winning_play": None, "treatment": None}
    assert read_entry(SCN2, padded).to_json() == hand(40)


# Bad points: the answer names the field, and never is a crash.
WHOLE, GRAIN, DECK, RANGE = "not_a_whole_number", "not_a_multiple_of_5", "above_deck_total", "out_of_range"
BAD_POINTS = [
    (1, GRAIN),
    (77, GRAIN),
    (83, GRAIN),
    (5.0, WHOLE),
    ("80", WHOLE),
    ("８０", WHOLE),
    ("८०", WHOLE),
    ("²", WHOLE),
    (True, WHOLE),
    (False, WHOLE),
    ([], WHOLE),
    ({}, WHOLE),
    (-5, RANGE),
    (205, DECK),
    ("1e2", WHOLE),
    ("0x50", WHOLE),
    (80.0000001, WHOLE),
    (2**31, GRAIN),
    (2**63, GRAIN),
    (10**400, DECK),
    (10**5000, DECK),
    (-(10**5000), RANGE),
    ("080", WHOLE),
    (" 80 ", WHOLE),
    (float("nan"), WHOLE),
    (float("inf"), WHOLE),
    (1e2, WHOLE),
    ("", WHOLE),
    ([80], WHOLE),
    ({"points": 80}, WHOLE),
    (None, "missing"),
]


@pytest.mark.parametrize(("points", "code"), BAD_POINTS, ids=lambda value: str(type(value).__name__))
def test_bad_points_in_tricks(points, code):
    assert findings(SCN2, hand(0) | {"captured_in_tricks": points})[0] == (code, "captured_in_tricks")


@pytest.mark.parametrize(("points", "code"), BAD_POINTS, ids=lambda value: str(type(value).__name__))
def test_bad_points_in_the_kitty(points, code):
    expected = {DECK: "kitty_too_rich", "missing": "kitty_missing"}.get(code, code)
    assert findings(SCN2, dig(0, 0, PAIR) | {"kitty_points": points})[0] == (expected, "kitty_points")


# profile, sheet, findings in order
SHEETS = [
    (SCN2, hand(200), []),
    (SCN2, dig(120, 80, SINGLE), []),
    (SCN2, dig(160, 60, SINGLE), [("above_deck_total", "captured_in_tricks")]),
    (SCN2, dig(130, 75, SINGLE), [("above_deck_total", "captured_in_tricks")]),
    (SCN2, dig(100, 85, SINGLE), [("kitty_too_rich", "kitty_points")]),
    (NATIONAL, hand(200), []),
    (load("cn-national-1d"), hand(105), [("above_deck_total", "captured_in_tricks")]),
    (load("cn-national-1d"), dig(10, 65, SINGLE), [("kitty_too_rich", "kitty_points")]),
    (load("cn-national-3d"), hand(300), []),
    (load("cn-national-3d"), dig(0, 65, SINGLE), [("kitty_too_rich", "kitty_points")]),
    (SCN2, dig(50, 10), [("shape_missing", "led")]),
    (SCN2, hand(50, last_trick_winner="attackers"), [("shape_missing", "led"), ("kitty_missing", "kitty_points")]),
    (SCN2, {"kind": "hand", "captured_in_tricks": 50}, [("last_trick_missing", "last_trick_winner")]),
    (SCN2, {"kind": "hand"}, [("missing", "captured_in_tricks"), ("last_trick_missing", "last_trick_winner")]),
    (SCN2, dig(50, 10, tractor(12)), []),
    (SCN2, dig(50, 10, tractor(13)), [("shape_too_long", "led[0]")]),
    (SCN2, dig(50, 10, tractor(10**30)), [("shape_too_long", "led[0]")]),
    (SCN2, dig(50, 10, tractor(12), PAIR), [("too_many_cards_led", "led")]),
    (SCN2, dig(50, 10, {"type": "triple"}), [("shape_not_here", "led[0]")]),
    (load("cn-national-1d"), dig(50, 10, PAIR), [("shape_not_here", "led[0]")]),
    (SCN2, dig(50, 10, {"type": "bomb"}), [("shape_unknown", "led[0]")]),
    (SCN2, dig(50, 10, PAIR, winning_play=["SJ", "SJ", "SJ"], trump="S"), [("card_too_often", "winning_play")]),
    (SCN2, dig(50, 10, PAIR, winning_play=["XX"]), [("card_unknown", "winning_play[0]")]),
    (SCN2, dig(50, 10, PAIR, winning_play=["SJ"]), [("trump_missing", "trump")]),
    (SCN2, hand(50, winning_play=["SJ"], trump="S"), [("winning_play_without_dig", "winning_play")]),
    (SCN2, hand(50, throw_failures=[{"side": "dealer", "cards": 1}]), [("throw_size", "throw_failures[0].cards")]),
    (SCN2, hand(50, throw_failures=[{"side": "dealer", "cards": 26}]), [("throw_size", "throw_failures[0].cards")]),
    (SCN2, hand(50, throw_failures=[{"side": "NS", "cards": 3}]), [("unknown_value", "throw_failures[0].side")]),
    (
        SCN2,
        hand(50, throw_failures=[{"cards": "3"}]),
        [("missing", "throw_failures[0].side"), (WHOLE, "throw_failures[0].cards")],
    ),
    (SCN2, hand(50, throw_failures={}), [("wrong_type", "throw_failures")]),
    (SCN2, hand(50, throw_failures=[{}] * 201), [("too_many", "throw_failures")]),
    (SCN2, hand(50, throw_failures=[3]), [("wrong_type", "throw_failures[0]")]),
    (SCN2, hand(50, adjustments=[{"points": 0, "why": "x"}]), [("adjustment_zero", "adjustments[0].points")]),
    (SCN2, hand(50, adjustments=[{"points": 7, "why": "x"}]), [(GRAIN, "adjustments[0].points")]),
    (SCN2, hand(50, adjustments=[{"points": 10}]), [("missing", "adjustments[0].why")]),
    (SCN2, hand(50, adjustments=[{"points": 10, "why": 5}]), [("wrong_type", "adjustments[0].why")]),
    (SCN2, hand(50, adjustments=[{"points": 1000, "why": "x"}]), [(RANGE, "adjustments[0].points")]),
    (SCN2, hand(50, adjustments=[{"points": 5, "why": "x", "clause": 4}]), [("wrong_type", "adjustments[0].clause")]),
    (SCN2, hand(50, adjustments=[{"points": 5, "why": "x", "clause": "x" * 100}]), []),
    (
        SCN2,
        hand(50, adjustments=[{"points": 5, "why": "x", "clause": "x" * 101}]),
        [("wrong_type", "adjustments[0].clause")],
    ),
    (SCN2, hand(50, trump="NT"), []),
    (NATIONAL, hand(50, trump="NT"), [("no_trump_not_here", "trump")]),
    (SCN2, hand(50, trump="X"), [("unknown_value", "trump")]),
    (SCN2, hand(50, dealer="north"), [("unknown_value", "dealer")]),
    (SCN2, hand(50, level="1"), [("level_not_on_ladder", "level")]),
    (SCN2, hand(50, level=2), [("level_not_on_ladder", "level")]),
    (SCN2, hand(50, treatment="adjust"), [("unknown_value", "treatment")]),
    (SCN2, hand(50, points=50), [("unknown_field", "points")]),
    (SCN2, {"kind": "hand", "total_only": 165}, []),
    (SCN2, {"kind": "hand", "total_only": -50}, []),
    (SCN2, {"kind": "hand", "total_only": 163}, [(GRAIN, "total_only")]),
    (SCN2, {"kind": "hand", "total_only": 10**9}, [("total_out_of_reach", "total_only")]),
    (SCN2, {"kind": "hand", "total_only": 100, "captured_in_tricks": 100}, [("total_and_parts", "captured_in_tricks")]),
    (
        SCN2,
        dig(50, 10, PAIR) | {"total_only": 90},
        [("total_and_parts", "captured_in_tricks"), ("total_and_parts", "kitty_points"), ("total_and_parts", "led")],
    ),
    (
        build({"base": "scn2-2013", "set": {"dig_trump_only": True}}),
        dig(50, 10, PAIR),
        [("winning_category_missing", "winning_category")],
    ),
    (SCN2, {"kind": "annulled"}, [("missing", "reason")]),
    (SCN2, {"kind": "annulled", "reason": "rain"}, [("unknown_value", "reason")]),
    (SCN2, {"kind": "annulled", "reason": "rebellion", "trump_count": 26}, [(RANGE, "trump_count")]),
    (SCN2, {"kind": "level_penalty", "side": "NS", "levels": 0}, [("penalty_zero", "levels")]),
    (SCN2, {"kind": "level_penalty", "side": "N", "levels": -1}, [("unknown_value", "side")]),
    (SCN2, {"kind": "level_penalty", "side": "NS", "levels": -(10**400)}, [(RANGE, "levels")]),
    (SCN2, {"kind": "adjusted", "levels": 1, "deal_changes_hands": True}, [("gain_without_side", "side")]),
    (SCN2, {"kind": "adjusted", "levels": -1, "side": "NS", "deal_changes_hands": True}, [(RANGE, "levels")]),
    (
        SCN2,
        {"kind": "adjusted", "levels": 1, "side": "NS", "deal_changes_hands": 1},
        [("wrong_type", "deal_changes_hands")],
    ),
    (SCN2, {"kind": "end", "reason": "forfeit"}, [("missing", "by")]),
    (SCN2, {"kind": "end", "reason": "hunger"}, [("unknown_value", "reason")]),
    (SCN2, {"kind": "draw"}, [("unknown_value", "kind")]),
    (SCN2, {}, [("missing", "kind")]),
    (SCN2, None, [("wrong_type", "input")]),
    (SCN2, [], [("wrong_type", "input")]),
    (SCN2, "hand", [("wrong_type", "input")]),
]


@pytest.mark.parametrize(("profile", "row", "expected"), SHEETS)
def test_findings_come_all_at_once(profile, row, expected):
    assert findings(profile, row) == expected


def test_what_cannot_be_read_is_reported_with_what_can():
    row = dig(83, 85, tractor(13), trump="X", colour="red")
    assert findings(SCN2, row) == [
        ("unknown_value", "trump"),
        ("unknown_field", "colour"),
        ("not_a_multiple_of_5", "captured_in_tricks"),
        ("kitty_too_rich", "kitty_points"),
        ("shape_too_long", "led[0]"),
    ]


def test_findings_carry_their_path_clause_and_values():
    with pytest.raises(Refused) as refused:
        read_entry(SCN2, {"kind": "hand", "captured_in_tricks": "x"}, path="ledger[3]")
    assert refused.value.field == "ledger[3].captured_in_tricks"
    (rich,) = check_sheet(SCN2, read_entry(SCN2, dig(100, 85, PAIR)))
    assert rich.clause == "scn2.points"
    assert rich.params["most"] == 80
    assert json.loads(json.dumps(rich.to_json()))["blocking"] is True


# UX §6, with the values filled in.
SENTENCES = [
    (hand(83), "闲家得分要是 5 的倍数，你写的是 83。", "Points must be a multiple of 5; you wrote 83."),
    (
        dig(160, 60, PAIR),
        "两副牌共 200 分；得分 160 加底牌 60，多出 20 分。",
        "Two decks hold 200 points; 160 and a kitty of 60 are 20 too many.",
    ),
    (dig(100, 85, PAIR), "8 张底牌最多 80 分，你写的是 85。", "Eight kitty cards hold at most 80; you wrote 85."),
    (dig(50, 10, tractor(13)), "手里 25 张，领不出 13 对的连对。", "A hand of 25 cards cannot lead a 13-pair tractor."),
    (dig(50, 10), "闲家抠底：请选末圈领出的牌型。", "Attackers dug: choose the shape led to the last trick."),
]


@pytest.mark.parametrize(("row", "zh", "en"), SENTENCES)
def test_sentences_of_findings(row, zh, en):
    (one,) = check_sheet(SCN2, read_entry(SCN2, row))
    assert one.message == {"en": en, "zh": zh}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [
            "hand",
            "annulled",
            "level_penalty",
            "adjusted",
            "end",
            "NS",
            "S",
            "2",
            "J",
            "attackers",
            "rebellion",
            "\ud800",
            "\x00",
        ]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    "kind",
    "dealer",
    "level",
    "trump",
    "captured_in_tricks",
    "last_trick_winner",
    "led",
    "kitty_points",
    "throw_failures",
    "winning_play",
    "winning_category",
    "adjustments",
    "total_only",
    "treatment",
    "reason",
    "by",
    "hand_points",
    "trump_count",
    "side",
    "levels",
    "deal_changes_hands",
    "why",
    "nonsense",
]


@pytest.mark.long
@given(
    st.dictionaries(st.sampled_from(FIELDS), json_values),
    st.sampled_from(["hand", "annulled", "adjusted", "end", None]),
)
def test_any_json_is_an_entry_or_refused(row, kind):
    if kind is not None:
        row["kind"] = kind
    try:
        entry = read_entry(SCN2, row)
    except Refused as refused:
        for one in refused.findings:
            assert set(one.message) == {"en", "zh"}
            one.message["zh"].encode()
            json.dumps(one.to_json())
    else:
        assert read_entry(SCN2, entry.to_json()) == entry
        if isinstance(entry, HandSheet):
            assert isinstance(check_sheet(SCN2, entry), tuple)

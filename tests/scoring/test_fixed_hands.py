"""Hands with a fixed level (固定级, 记副制; boards): levels do not carry, dealers rotate, hand points decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from scoring.profiles import load
from scoring.questions.protocol import answer
from scoring.sittings.fold import fold
from scoring.sittings.states import Conditions, FixedHand
from scoring.standings.match_scores import hand_points
from scoring.values import Level, Seat, Side, Trump
from tests.scoring.making import check, dig, entries, hand, opening, play

NATIONAL = load("cn-national-2d")
EIGHT = tuple(FixedHand(Level(rank)) for rank in "23455678")
MISDEAL = {"kind": "annulled", "reason": "misdeal"}
REBELLION = {"kind": "annulled", "reason": "rebellion"}
TIME = {"kind": "end", "reason": "time"}


def fixed(*hands: str) -> tuple[FixedHand, ...]:
    """Hands as "5", "5W", "5WS": level, dealer, trump."""
    return tuple(
        FixedHand(Level(one[0]), Seat(one[1]) if one[1:] else None, Trump(one[2]) if one[2:] else None) for one in hands
    )


def due(state) -> str:
    """What is due: hand, level, dealer; and what N–S are ahead."""
    level = state.due.level if state.due is not None else "-"
    return f"{state.hands_played + 1} {level} {state.next_dealer or '-'} {state.hand_points:+d}"


# hands, first dealer, entries -> what is due then
LEDGERS = [
    (fixed("2", "3"), "S", [], "1 2 S +0"),
    (fixed("2", "3"), None, [], "1 2 - +0"),
    # the dealer side holds or falls: dealers rotate counter-clockwise all the same, and levels stay those of the hand
    (fixed("2", "3", "4"), "S", [hand(35)], "2 3 E +2"),
    (fixed("2", "3", "4"), "S", [hand(85)], "2 3 E -1"),
    (fixed("2", "3", "4"), "S", [hand(0), hand(0)], "3 4 N +0"),
    (fixed("2", "3", "4"), None, [hand(85, dealer="W")], "2 3 S +1"),
    # a dealer that is set starts the turn anew
    (fixed("2", "3N", "4"), "S", [hand(60)], "2 3 N +1"),
    (fixed("2", "3N", "4"), "S", [hand(60), hand(60)], "3 4 W +2"),
    # played by another dealer: roles follow him, the turn does not
    (fixed("2", "3", "4"), "S", [hand(60, dealer="W")], "2 3 E -1"),
    # a hand that does not count is dealt again by the same dealer
    (fixed("2", "3"), "S", [MISDEAL], "1 2 S +0"),
    (fixed("2", "3"), "S", [REBELLION], "1 2 S +0"),
    (fixed("2", "3"), None, [MISDEAL | {"dealer": "W"}], "1 2 W +0"),
    # an official's result and a penalty count in hand points
    (fixed("2", "3"), "S", [{"kind": "adjusted", "levels": 1, "deal_changes_hands": True, "side": "EW"}], "2 3 E -2"),
    (fixed("2", "3"), "S", [hand(60), {"kind": "level_penalty", "side": "NS", "levels": -3}], "2 3 E -2"),
    # no passing the last level, no must-play level, no hook
    (fixed("A", "A"), "S", [hand(0)], "2 A E +3"),
    (fixed("J", "2"), "S", [dig(65, 10, {"type": "pair"}, trump="S", winning_play=["SJ", "SJ"])], "2 2 E -1"),
]


@pytest.mark.parametrize(("hands", "dealer", "rows", "expected"), LEDGERS)
def test_what_is_due(hands, dealer, rows, expected):
    assert due(play(NATIONAL, opening("7", "9", dealer), *rows, fixed=hands)) == expected


def test_eight_hands_at_fixed_levels():
    state = play(
        NATIONAL, opening(dealer="E"), *[hand(total) for total in (35, 85, 0, 60, 90, 125, 75, 40)], fixed=EIGHT
    )
    assert [str(one.dealer) for one in state.entries] == ["E", "N", "W", "S", "E", "N", "W", "S"]
    assert [str(one.level) for one in state.entries] == list("23455678")
    # E–W +2, E–W +1, E–W +3, N–S +1, N–S +1, E–W +2, E–W +1, N–S +1
    assert state.hand_points == -2 - 1 - 3 + 1 + 1 - 2 - 1 + 1
    assert (state.finished, state.end_reason, state.winner, state.decided_by) == (True, "hands", Side.EW, "hand_points")
    assert state.entries[1].sentence["zh"] == "闲家 85 → 闲家胜，东西方 +1"
    assert state.entries[1].levels_sentence["en"] == "Hand 2 of 8: E–W +3; next: West deals, playing 4"


# conditions, entries -> end reason, winner, decided by, draw, undecided
ENDS = [
    ({}, [hand(60), hand(60)], "hands None None False lots"),
    ({"tie_rule": "draw"}, [hand(60), hand(60)], "hands None tie_rule True None"),
    ({"tie_rule": "extra_hand"}, [hand(60), hand(60)], "hands None None False extra_hand"),
    ({}, [hand(60), hand(0)], "hands EW hand_points False None"),
    ({"hands": 1}, [hand(60)], "hands NS hand_points False None"),
    ({}, [hand(60), TIME], "time NS hand_points False None"),
    ({}, [{"kind": "end", "reason": "forfeit", "by": "NS"}], "forfeit EW forfeit False None"),
]


@pytest.mark.parametrize(("conditions", "rows", "expected"), ENDS)
def test_ends(conditions, rows, expected):
    state = play(NATIONAL, opening(), *rows, fixed=fixed("2", "3"), **conditions)
    assert state.finished
    assert f"{state.end_reason} {state.winner} {state.decided_by} {state.draw} {state.undecided}" == expected


# the sheet -> codes of what differs from the hand S deals at 5 with spades
DIFFERENCES = [
    (hand(60, dealer="S", level="5", trump="S"), []),
    (hand(60, dealer="W"), ["fixed_dealer_unexpected"]),
    (hand(60, level="6"), ["fixed_level_unexpected"]),
    (hand(60, trump="H"), ["trump_unexpected"]),
    (
        hand(60, dealer="E", level="6", trump="D"),
        ["fixed_dealer_unexpected", "fixed_level_unexpected", "trump_unexpected"],
    ),
    (MISDEAL | {"dealer": "N"}, ["fixed_dealer_unexpected"]),
]


@pytest.mark.parametrize(("row", "codes"), DIFFERENCES)
def test_what_differs_is_said(row, codes):
    hands = fixed("5SS", "6")
    state = play(NATIONAL, opening(), row, fixed=hands)
    assert [one.code for one in state.entries[0].discrepancies] == codes
    found = check(NATIONAL, opening(), [], entries(NATIONAL, row)[0], Conditions(fixed=hands))
    assert [(one.code, one.blocking) for one in found] == [(code, False) for code in codes]


def test_a_hand_let_stand_counts_at_its_own_level_and_moves_nothing():
    state = play(NATIONAL, opening(), hand(60, level="9", treatment="let_stand"), fixed=fixed("2", "3"))
    assert (str(state.entries[0].level), due(state)) == ("9", "2 3 E +1")


def test_another_end_is_refused():
    ended, lead = ({"kind": "end", "reason": reason} for reason in ("hands", "lead"))
    for row, code in ((ended, "hands_too_few"), (lead, "lead_not_here")):
        (found,) = check(NATIONAL, opening(), [], entries(NATIONAL, row)[0], Conditions(fixed=EIGHT))
        assert found.code == code


def test_conditions_in_json():
    data = {"fixed": [{"level": "5", "dealer": "W", "trump": "S"}, {"level": "6"}]}
    read = Conditions.from_json(data, NATIONAL)
    assert read.fixed == fixed("5WS", "6")
    assert Conditions.from_json(read.to_json()) == read
    for wrong, code in (
        ({"fixed": [{"level": "1"}]}, "unknown_value"),
        ({"fixed": [{}]}, "missing"),
        ({"fixed": [{"level": "5", "dealer": "NS"}]}, "unknown_value"),
        ({"fixed": [{"level": "5"}], "lead_levels": 3}, "lead_of_fixed_hands"),
    ):
        with pytest.raises(Refused) as refused:
            Conditions.from_json(wrong, NATIONAL)
        assert refused.value.code == code


def test_the_protocol_folds_fixed_hands():
    asked = {
        "op": "sitting_state",
        "opening": {"levels": {"NS": "2", "EW": "2"}, "first_dealer": "S"},
        "conditions": {"fixed": [{"level": "5"}, {"level": "6"}]},
        "ledger": [hand(85)],
    }
    said = answer({"id": 1, "profile": "cn-national-2d", "input": asked})["answer"]
    assert (said["levels"], said["next_dealer"], said["next_level"]) == ({"NS": "6", "EW": "6"}, "E", "6")
    assert (said["fixed_hands"], said["hand_points"], said["entries"][0]["level"]) == (2, -1, "5")


@given(
    st.lists(st.integers(0, 40).map(lambda fives: 5 * fives), min_size=8, max_size=8),
    st.sampled_from(list(Seat)),
)
def test_points_are_the_sum_of_the_hands_and_turning_the_table_turns_them(totals, dealer):
    rows = entries(NATIONAL, *[hand(total) for total in totals])
    conditions = Conditions(fixed=EIGHT)
    state = fold(NATIONAL, opening(dealer=str(dealer)), rows, conditions)
    each = [
        (1 if one.dealer.side is Side.EW else -1)
        * hand_points(deal_changes_hands=one.deal_changes_hands, levels=one.levels_won)
        for one in state.entries
    ]
    assert state.hand_points == sum(each)
    assert state.finished
    turned = fold(NATIONAL, opening(dealer=str(dealer.right)), rows, conditions)
    assert turned.hand_points == -state.hand_points

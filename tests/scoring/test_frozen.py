"""Values that are made quickly are as frozen, and take and default what they hold, as any other."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from scoring.frozen import replace as quickly_replaced
from scoring.hands.totals import Total
from scoring.sittings.fold import start
from scoring.sittings.states import Opening, SittingState
from scoring.values import Card, Level, Seat, Side

OPENING = Opening({Side.NS: Level("2"), Side.EW: Level("5")}, Seat.S)


def test_nobody_changes_a_state():
    state = start(OPENING)
    assert type(state) is SittingState
    with pytest.raises(FrozenInstanceError):
        state.hands_played = 3  # type: ignore[misc]
    assert state.hands_played == 0


def test_each_state_has_counts_of_its_own():
    one, other = start(OPENING), start(OPENING)
    assert one == other
    assert one.hooked is not other.hooked
    assert replace(one, hands_played=2).hands_played == 2


def test_what_is_left_out_is_missed():
    with pytest.raises(TypeError, match="for_levels"):
        Total(0, 0, None, 0, 0, 0)  # type: ignore[call-arg]


@pytest.mark.parametrize("value", [Card("H", "10"), Level("7"), start(OPENING)])
def test_a_copy_is_equal(value):
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value


def test_there_is_one_object_of_each_card_and_level():
    assert Card("H", "10") is Card.parse("H10")
    assert replace(Level("7"), rank="8") is Level("8")
    assert pickle.loads(pickle.dumps(Card("J", "B"))) is Card.parse("JB")


def test_a_changed_value_is_another_as_frozen():
    state = start(OPENING)
    changed = quickly_replaced(state, hands_played=3)
    assert changed == replace(state, hands_played=3)
    assert (type(changed), state.hands_played) == (SittingState, 0)
    with pytest.raises(FrozenInstanceError):
        changed.hands_played = 4  # type: ignore[misc]
    with pytest.raises(AttributeError, match="no_field"):
        quickly_replaced(state, no_field=1)

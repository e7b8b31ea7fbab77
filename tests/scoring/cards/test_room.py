"""Shapes side by side in a hand: what is counted beforehand comes to the same as trying every place."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.following import lines_owed
from scoring.cards.units import by_class, fits, place
from tests.scoring.cards.making import order

SUIT = order("four-deck-online", "S", "7").categories["H"]
TRUMPS = order("four-deck-online", "S", "7").categories["T"]


def tried(category, left, wants, *, whole):
    """Whether the shapes find places, by trying each place of each."""
    if not wants:
        return True
    width, length = wants[0]
    for start in category.starts[length]:
        for nodes in product(*category.nodes[start : start + length]):
            if all(left[node] == width or (left[node] > width and not whole) for node in nodes):
                rest = list(left)
                for node in nodes:
                    rest[node] -= width
                if tried(category, rest, wants[1:], whole=whole):
                    return True
    return False


shapes = st.tuples(st.integers(2, 4), st.sampled_from((1, 1, 1, 2, 3)))


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from((SUIT, TRUMPS)), st.data(), st.lists(shapes, min_size=1, max_size=3).map(by_class), st.booleans()
)
def test_counting_and_searching_agree_with_trying_every_place(category, data, wants, whole):
    size = len(category.faces)
    held = bytes(data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)))
    found = place(category, held, wants, whole=whole)
    assert fits(category, held, wants, whole=whole) is (found is not None)
    assert (found is not None) is tried(category, list(held), wants, whole=whole)


@pytest.mark.parametrize("times", [(2, 2, 2), (1, 2, 3), (3, 1, 4), (2, 3, 1)])
def test_a_tractor_of_twelve_pairs_is_owed_what_there_is(times):
    """Whatever the hand, there is an answer, in pairs and tractors that it has."""
    held = bytes(times[i % 3] for i in range(len(SUIT.faces)))
    (line,) = lines_owed(order("four-deck-online", "S", "7"), SUIT, ((2, 12),), held)
    assert fits(SUIT, held, line)
    assert sum(width * length for width, length in line) <= 24

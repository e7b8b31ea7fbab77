"""A trick drawn from above: whatever is played, cards stay in the picture, apart enough to be read, off the table."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.adjudicator.verdicts import DECIDING, DIM, Placed
from referee.pictures.trick_drawing import CARD, WIDTH, draw
from scoring.cards.deck import FACES
from scoring.values import Seat

NOTE = {"en": "led", "zh": "领出"}
CARDS = st.lists(st.tuples(st.sampled_from([str(face) for face in FACES]), st.sampled_from(["", DIM, DECIDING])))
LEAST_SEEN = 17
#: Half of the arrow around the table in the middle.
ARROW = 28


@pytest.mark.long
@given(hands=st.dictionaries(st.sampled_from(list(Seat)), CARDS, min_size=1))
def test_cards_are_in_the_picture_and_can_be_read(hands: dict[Seat, list[tuple[str, str]]]) -> None:
    placed = [Placed(seat, tuple(cards), number, NOTE) for number, (seat, cards) in enumerate(hands.items(), 1)]
    drawing = draw(placed)
    assert [one.placed.number for one in drawing.seats] == list(range(1, len(placed) + 1))
    for seat in drawing.seats:
        assert [card.code for card in seat.cards] == [code for code, _ in seat.placed.cards]
        rows: dict[int, list[int]] = {}
        for card in seat.cards:
            assert 0 <= card.x <= WIDTH - CARD[0]
            assert 0 <= card.y <= drawing.height - CARD[1]
            rows.setdefault(card.y + (7 if card.state == "deciding" else 0), []).append(card.x)
        for xs in rows.values():
            assert all(later - earlier >= LEAST_SEEN for earlier, later in pairwise(xs))
        assert seat.note_y <= drawing.height
        if seat.placed.seat in (Seat.W, Seat.E):
            middle = drawing.middle[0]
            assert all(abs(card.x + CARD[0] / 2 - middle) >= ARROW + CARD[0] / 2 for card in seat.cards)


def test_a_covered_card_shows_its_edge_alone() -> None:
    drawing = draw([Placed(Seat.W, tuple((f"S{rank}", "") for rank in range(2, 8)), 1, NOTE)])
    cards = drawing.seats[0].cards
    assert [card.covered for card in cards] == [True] * 5 + [False]
    assert not any(card.covered for card in draw([Placed(Seat.W, (("SA", ""), ("SK", "")), 1, NOTE)]).seats[0].cards)

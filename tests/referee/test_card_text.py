from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.adjudicator.card_text import MOST_CARDS, read_typed, typed
from scoring.values import RANKS, SUITS, Card


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("", ""),
        ("  ", ""),
        ("S7S7", "S7 S7"),
        ("s7 s7", "S7 S7"),
        ("♠77", "S7 S7"),
        ("♥️88JQK", "H8 H8 HJ HQ HK"),
        ("红桃88JQK", "H8 H8 HJ HQ HK"),
        ("黑桃 7 7", "S7 S7"),
        ("方块10、梅花A", "D10 CA"),
        ("草花5，方片5", "C5 D5"),
        ("大王小王", "JB JS"),
        ("JB JS", "JB JS"),
        ("SJJS", "SJ JS"),
        ("JSS7", "JS S7"),
        ("H10H10", "H10 H10"),
        ("HT9", "H10 H9"),
        ("Ｈ８Ｈ８", "H8 H8"),
        ("hj hq", "HJ HQ"),
        ("红8 红8 大王", "H8 H8 JB"),
        ("♠AA 大王", "SA SA JB"),
        ("D2,D3;D4", "D2 D3 D4"),
    ],
)
def test_cards_are_read_as_they_are_typed(text, cards):
    read = read_typed(text)
    assert (" ".join(map(str, read.cards)), read.wrong) == (cards, "")


@pytest.mark.parametrize(
    ("text", "kept", "wrong"),
    [
        ("S7X", "S7", "X"),
        ("77", "", "77"),
        ("S7 hello", "S7", "ELLO"),
        ("S1", "", "1"),
        ("大", "", "大"),
        ("王 S7", "", "王"),
    ],
)
def test_the_first_piece_that_is_no_card_is_shown(text, kept, wrong):
    read = read_typed(text)
    assert (typed(read.cards), read.wrong) == (kept, wrong)


def test_more_cards_than_can_be_are_not_read():
    assert len(read_typed("S7" * 500).cards) == MOST_CARDS
    assert len(read_typed("♠" + "7" * 100_000).cards) == MOST_CARDS
    assert read_typed("♠" + "7" * 100_000).wrong


ANY = st.lists(st.sampled_from([Card.parse(one) for one in [s + r for s in SUITS for r in RANKS] + ["JS", "JB"]]))


@given(ANY.filter(lambda cards: len(cards) <= MOST_CARDS).map(tuple))
def test_what_is_shown_is_read_back(cards):
    assert read_typed(typed(cards)).cards == cards


@given(st.text(max_size=60))
def test_any_text_is_read_or_its_wrong_piece_shown(text):
    read = read_typed(text)
    assert read.wrong or typed(read.cards) == typed(read_typed(typed(read.cards)).cards)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards.record_reading import parse
from scoring.cards.records import (
    ACTS,
    FIGURES,
    ActRecord,
    Comment,
    HandRecord,
    Play,
    TrickRecord,
    write,
    write_all,
)
from scoring.hands.findings import Refused
from scoring.values import RANKS, SUITS, Card, Seat, Trump
from tests.scoring.cards.making import cards

WHOLE = """
[profile "scn2-2013"]
[event "Spring \\"cup\\""]
[level "7"]
[dealer "S"]
[trump "H"]
{a fine hand}

deal
N S2S3 H10JBJS
  HJ
kitty D5H10

auction
S declare H7
E counter S7S7
W counter H5H5=NT
- flip D9
S bury D3D4

play
1. S:H8H8 E:H9H9 N:H2H3 W:HAHA
2. W:CACA+CK S:C3C4C5 E:???
   {ruling:exposed_card East showed one}
3. W:C8C8CJCQCK>CJ

result
captured 55
total −10
winner dealer
next N
"""


def problems(text):
    with pytest.raises(Refused) as refused:
        parse(text)
    return [(one.code, one.params["line"], one.params["column"]) for one in refused.value.findings]


def test_a_record_is_read_as_written():
    (hand,) = parse(WHOLE)
    assert hand.tags["event"] == 'Spring "cup"'
    assert hand.deal == {Seat.N: cards("S2 S3 H10 JB JS HJ")}
    assert hand.kitty == cards("D5 H10")
    assert hand.acts[2] == ActRecord(Seat.W, "counter", cards("H5 H5"), Trump.NT)
    assert hand.acts[3].by is None
    assert hand.tricks[1].plays[0] == Play(Seat.W, cards("CA CA CK"), parts=(2, 1))
    assert hand.tricks[1].plays[2].cards == (None, None, None)
    assert hand.tricks[2].plays[0].laid == cards("CJ")
    assert hand.result == {"captured": 55, "total": -10, "winner": "dealer", "next": "N"}
    assert hand.comments[1] == Comment("play", 2, "East showed one", "exposed_card")


def test_what_was_printed_is_read_back_and_printed_the_same():
    (hand,) = parse(WHOLE)
    assert parse(write(hand)) == (hand,)
    assert write(parse(write(hand))[0]) == write(hand)


def test_a_file_may_hold_many_hands():
    (hand,) = parse(WHOLE)
    assert parse(write_all([hand, hand, hand])) == (hand, hand, hand)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("empty_record", 1, 1)]),
        ('[colour "red"]', [("tag_unknown", 1, 1)]),
        ('[dealer "X"]', [("tag_value", 1, 1)]),
        ('[dealer "S"]\n [dealer "N"]', [("tag_twice", 2, 2)]),
        ("hello", [("unreadable", 1, 1)]),
        ("deal\nS2", [("holder_missing", 2, 1)]),
        ("deal\nN S2X9S3", [("card_unknown", 2, 5)]),
        ("deal\nN S2\nN S3", [("holder_twice", 3, 1)]),
        ("auction\nS hops", [("unreadable", 2, 3)]),
        ("auction\nS counter H5H5=X", [("suit_unknown", 2, 11)]),
        ("play\n2. S:S2", [("trick_number", 2, 1)]),
        ("play\nS:S2", [("trick_missing", 2, 1)]),
        ("play\n1. S:S2 S:S3", [("seat_twice", 2, 9)]),
        ("play\n1. Q:S2 S:", [("play_unreadable", 2, 4), ("play_empty", 2, 9)]),
        ("result\ntotal many", [("figure_value", 2, 7)]),
        ("result\nluck 5", [("figure_unknown", 2, 1)]),
        ("play\ndeal", [("section_order", 2, 1)]),
        ("play\n1. S:HA+H9>X8", [("card_unknown", 2, 12)]),
        ("play\n1. S:S2 {open", [("comment_open", 2, 9)]),
        ('[level "7"]\nplay\n1. S:S2Z N:S1', [("card_unknown", 3, 8), ("card_unknown", 3, 12)]),
    ],
)
def test_every_problem_is_named_with_its_place(text, found):
    assert problems(text) == found


CARDS = st.one_of(st.sampled_from([Card.parse(suit + rank) for suit in SUITS for rank in RANKS]), st.none())
HOLDINGS = st.lists(CARDS, min_size=1, max_size=8).map(tuple)


@st.composite
def plays(draw, seat):
    cards = draw(HOLDINGS)
    cut = draw(st.integers(1, len(cards)))
    parts = (cut, len(cards) - cut) if cut < len(cards) else ()
    return Play(seat, cards, parts, draw(st.one_of(st.none(), HOLDINGS)))


@st.composite
def hands(draw):
    words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=12)
    tricks = [
        TrickRecord(number, tuple(draw(plays(seat)) for seat in draw(st.permutations(list(Seat)))))
        for number in range(1, draw(st.integers(0, 4)) + 1)
    ]
    acts = draw(
        st.lists(
            st.builds(
                ActRecord,
                st.one_of(st.none(), st.sampled_from(Seat)),
                st.sampled_from(ACTS),
                HOLDINGS,
                st.one_of(st.none(), st.sampled_from(Trump)),
            ),
            max_size=4,
        )
    )
    return HandRecord(
        tags={
            "event": draw(words),
            **({name: draw(words) for name in draw(st.sets(st.sampled_from(["north", "date"])))}),
        },
        deal=draw(st.dictionaries(st.sampled_from(Seat), HOLDINGS)),
        kitty=draw(st.one_of(st.none(), HOLDINGS)),
        acts=tuple(acts),
        tricks=tuple(tricks),
        result=draw(st.dictionaries(st.sampled_from(FIGURES), st.integers(-(10**9), 10**9))),
    )


@pytest.mark.long
@given(hands())
def test_any_record_round_trips(hand):
    assert parse(write(hand)) == (hand,)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    found = problems_of(text)
    assert all(line >= 1 and column >= 1 for _, line, column in found)


def problems_of(text):
    try:
        parse(text)
    except Refused as refused:
        return [(one.code, one.params["line"], one.params["column"]) for one in refused.findings]
    return []

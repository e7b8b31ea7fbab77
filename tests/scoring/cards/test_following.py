"""Following: what is owed and what meets it, in the examples of the sources and against their lists, written out."""

from __future__ import annotations

from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.following import judge_follow, lines_owed
from scoring.cards.order import TRUMPS
from scoring.cards.units import by_class, place
from scoring.hands.findings import Refused
from tests.scoring.cards.making import ANY_PAIR, NO_SHORTER, PAIRS_ONLY, TRACTORS_FIRST, cards, lead, order, texts


def judged(profile, trump, level, led, hand, play, declared=()):
    at = order(profile, trump, level)
    return judge_follow(lead(at, led, *declared), at.count(cards(hand)), at.count(cards(play)))


def owes(verdict):
    return " ".join(f"{shape.width}x{shape.length}" for shape in verdict.owed[0])


# profile, trump, level, lead, hand, play, what is owed instead (empty: the play is legal)
FOLLOWS = [
    # the suit, and being short of it
    ("scn2-2013", "S", "7", "H3", "H4 C5", "H4", ""),
    ("scn2-2013", "S", "7", "H3", "H4 C5", "C5", "1x1"),
    ("scn2-2013", "S", "7", "H3", "H7 C5", "C5", ""),
    ("scn2-2013", "S", "7", "H3 H3", "H4 C5 C5", "C5 C5", "1x1"),
    ("scn2-2013", "S", "7", "H3 H3", "H4 C5 C5", "H4 C5", ""),
    ("scn2-2013", "S", "7", "H3 H3", "D4 C5 C6", "D4 C6", ""),
    ("scn2-2013", "S", "7", "H3 H3", "H4 H5 H6", "H4 H5 H6", "2x1"),
    # a pair is owed a pair, any pair; joker pairs and level pairs are pairs of trumps
    ("scn2-2013", "S", "7", "H3 H3", "H4 H4 H5 H6", "H5 H6", "2x1"),
    ("scn2-2013", "S", "7", "H3 H3", "H4 H5 H6 H8", "H5 H8", ""),
    ("scn2-2013", "S", "7", "H9 H9", "H3 H3 H4 H4 H10 H10", "H3 H3", ""),
    ("scn2-2013", "S", "7", "H9 H9", "H3 H3 H4 H4 H10 H10", "H10 H10", ""),
    ("scn2-2013", "S", "7", "S9 S9", "JB JB S3 S4", "S3 S4", "2x1"),
    ("scn2-2013", "S", "7", "S9 S9", "H7 H7 S3 S4", "S3 S4", "2x1"),
    ("scn2-2013", "S", "7", "S9 S9", "H7 C7 S3 S4", "S3 S4", ""),
    (ANY_PAIR, "S", "7", "H3 H3", "H4 H4 H5 H6", "H5 H6", ""),
    (ANY_PAIR, "S", "7", "H3 H3 H4 H4", "H5 H5 H6 H6 H8", "H5 H5 H6 H8", "2x2"),
    # a tractor is owed a tractor, then pairs
    ("scn2-2013", "S", "7", "H9 H9 H10 H10", "H3 H3 H4 H4 H5 H5", "H3 H3 H4 H4", ""),
    ("scn2-2013", "S", "7", "H9 H9 H10 H10", "H3 H3 H4 H4 H5 H5", "H3 H3 H5 H5", "2x2"),
    ("scn2-2013", "S", "7", "H9 H9 H10 H10", "H3 H3 H5 H5 H8", "H3 H3 H5 H8", "2x1 2x1"),
    ("scn2-2013", "S", "7", "H9 H9 H10 H10", "H3 H3 H5 H6 H8", "H5 H6 H8 H3", "2x1 1x1 1x1"),
    ("scn2-2013", "S", "7", "H9 H9 H10 H10", "H6 H6 H8 H8 HJ HJ", "H6 H6 HJ HJ", "2x2"),
    # a shorter tractor is owed to a longer one
    ("cn-national-2d", "S", "7", "H3 H3 H4 H4 H5 H5", "H8 H8 H9 H9 HJ HJ HK", "H8 H8 H9 H9 HJ HJ", ""),
    ("cn-national-2d", "S", "7", "H3 H3 H4 H4 H5 H5", "H8 H8 H9 H9 HJ HK HA", "H8 H8 H9 HJ HK HA", "2x2 1x1 1x1"),
    ("cn-national-2d", "S", "7", "H3 H3 H4 H4 H5 H5", "H8 H8 H9 H9 HJ HJ HK HK", "H8 H8 HJ HJ HK HK", "2x2 2x1"),
    (NO_SHORTER, "S", "7", "H3 H3 H4 H4 H5 H5", "H8 H8 H9 H9 HJ HJ HK HK", "H8 H8 HJ HJ HK HK", ""),
    # throws, part by part
    ("scn2-2013", "S", "8", "HA HA HK", "HJ HJ H6 H6 H9", "HJ HJ H9", ""),
    ("scn2-2013", "S", "8", "HA HA HK", "HJ HJ H6 H6 H9", "H6 H6 H9", ""),
    ("scn2-2013", "S", "8", "HA HA HK", "HJ HJ H6 H6 H9", "HJ HJ H6", ""),
    ("scn2-2013", "S", "8", "HA HA HK", "HJ HJ H6 H6 H9", "H6 H6 HJ", ""),
    ("scn2-2013", "S", "8", "HA HA HK", "HJ HJ H6 H6 H9", "HJ H6 H9", "2x1 1x1"),
    ("scn2-2013", "S", "7", "HA HK HK HQ HQ", "H3 H3 H4 H4 H8 H8 HJ", "H3 H3 H8 H8 HJ", "2x2 1x1"),
    (PAIRS_ONLY, "S", "7", "HA HK HK HQ HQ", "H3 H3 H4 H4 H8 H8 HJ", "H3 H3 H8 H8 HJ", ""),
    # three decks: the national lists
    ("cn-national-3d", "S", "7", "H3 H3", "H8 H8 H8 H9", "H8 H9", "2x1"),
    ("cn-national-3d", "S", "7", "H3 H3 H3", "H8 H8 H9 HJ", "H8 H9 HJ", "2x1 1x1"),
    ("cn-national-3d", "S", "7", "S8 S8 S9 S9", "S6 S6 S6 S8 S9 S10 S10", "S6 S6 S10 S10", ""),
    ("cn-national-3d", "S", "7", "S8 S8 S9 S9", "S6 S6 S6 S8 S9 S10 S10", "S6 S6 S6 S8", "2x1 2x1"),
    ("cn-national-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA HK HK HJ HJ H8", "HA HA HA HJ HJ H8", ""),
    ("cn-national-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA HK HK HJ HJ H8", "HA HA HK HK HJ HJ", "3x1 2x1 1x1"),
    ("cn-national-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA H9 H9 H9 HJ HJ", "HA HA HA H9 HJ HJ", "3x1 3x1"),
    ("cn-national-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "H8 H8 H9 H9 HJ HJ HK", "H8 H8 H9 H9 HJ HK", ""),
    ("cn-national-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "H8 H8 H9 H9 HJ HJ HK", "H8 H8 HJ HJ H9 HK", "2x2 1x1 1x1"),
    ("online-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA HK HK HJ H8", "HA HA HA HK HK HJ", ""),
    ("online-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA H9 H9 H10 H10 HJ", "HA HA HA H9 H9 HJ", "2x2 1x1 1x1"),
    ("cn-national-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA H9 H9 H10 H10 HJ", "HA HA HA H9 H9 HJ", ""),
    ("online-3d", "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA H9 H9 H9 H10 H10", "HA HA HA H9 H9 H9", ""),
    (TRACTORS_FIRST, "S", "7", "H3 H3 H3 H4 H4 H4", "HA HA HA H9 H9 H9 H10 H10", "HA HA HA H9 H9 H9", "2x2 1x1 1x1"),
    # four decks
    ("four-deck-online", "S", "7", "H3 H3 H3 H3", "H8 H8 H9 H9 HJ HK", "H8 H8 HJ HK", "2x1 2x1"),
    ("four-deck-online", "S", "7", "H3 H3 H3 H3", "H8 H8 H8 H9 H9", "H8 H8 H9 H9", "3x1 1x1"),
    ("changzhou-4d", "S", "7", "H3 H3 H3 H3", "H8 H8 H8 H9 H9", "H8 H8 H9 H9", "3x1 1x1"),
    ("changzhou-4d", "S", "7", "H3 H3 H3", "H8 H8 H9 HJ", "H8 H9 HJ", "2x1 1x1"),
    ("changzhou-4d", "S", "7", "H3 H3", "H8 H8 H8 H9 HJ", "H9 HJ", ""),
    ("changzhou-4d", "S", "7", "H3 H3", "H8 H8 H8 H9 HJ", "H8 H8", ""),
    ("changzhou-4d", "S", "7", "H3 H3", "H8 H8 H8 H9 H9 HJ", "H9 HJ", "2x1"),
    ("changzhou-4d", "S", "7", "H3 H3 H3", "H8 H8 H8 H8 H9 HJ HK", "H9 HJ HK", ""),
    ("nanning-4d", "S", "10", "H3 H3 H3 H4 H4 H4", "H5 H5 H6 H6 H7 H7 H9", "H5 H5 H6 H6 H7 H9", "2x3"),
    ("nanning-4d", "S", "10", "H3 H3 H4 H4 H5 H5", "H7 H7 H8 H8 HJ HJ HQ HA", "H7 H7 H8 H8 HQ HA", "2x2 2x1"),
    ("nanning-4d", "S", "10", "H3 H3 H4 H4", "H7 H7 H7 H7 H9", "H7 H7 H7 H9", "4x1"),
    ("nanning-4d", "S", "10", "H3 H3 H4 H4", "H7 H7 H9 H9 HJ", "H7 H7 H9 HJ", "2x1 2x1"),
    # 510K
    ("chaodipi", "S", "7", "C5 C10 CK", "C5 C10 CK CA C2", "CA C2 C5", "1x3"),
    ("chaodipi", "S", "7", "C5 C10 CK", "C5 C10 CA C2", "CA C2 C5", ""),
    ("chaodipi", "S", "7", "C5 C10 CK", "C5 C10 D2 D3", "C5 D2 D3", "1x1 1x1"),
    ("chaodipi", "S", "7", "S5 S10 SK", "SA SQ S2 S3 JB", "SA SQ JB", ""),
    ("chaodipi", "S", "7", "S5 S10 SK", "SA SQ S2 S3 JB", "SA SQ S3", "1x1 1x1 1x1"),
    ("chaodipi", "S", "7", "H10 HK H5", "H10 HK H5 H2 H3", "H2 H3 H10", ""),
    ("chaodipi", "S", "7", "H10 HK H5", "H10 HK H5 H2 H3", "H10 HK H5", ""),
]


@pytest.mark.parametrize(("profile", "trump", "level", "led", "hand", "play", "owed"), FOLLOWS)
def test_follows(profile, trump, level, led, hand, play, owed):
    verdict = judged(profile, trump, level, led, hand, play)
    assert verdict.because
    assert verdict.sentence["en"]
    assert verdict.sentence["zh"]
    assert verdict.legal is (not owed)
    if owed:
        assert owes(verdict) == owed
        assert set(texts(verdict.witness)) <= set(hand.split())
        if len(verdict.witness) == len(led.split()):
            assert judged(profile, trump, level, led, hand, " ".join(map(str, verdict.witness))).legal


def test_the_verdict_names_what_is_held_and_the_clause():
    verdict = judged("cn-national-2d", "S", "7", "H3 H3", "H10 H10 H5 H6", "H5 H6")
    assert verdict.to_json() == {
        "legal": False,
        "code": "shape_owed",
        "sentence": {"en": "Owed: pair; the hand has ♥10 ♥10.", "zh": "应跟：对子；手中有 ♥10 ♥10。"},
        "owed": [{"type": "pair"}],
        "witness": ["H10", "H10"],
    }
    assert [reason.clause.id for reason in verdict.because] == ["cn.follow.order", "cn.follow.pair"]


def test_a_declared_reading_changes_what_is_owed():
    aakkk, hand = "HA HA HK HK HK", "H3 H3 H4 H4 H8 H8 H8"
    assert judged("cn-national-3d", "S", "7", aakkk, hand, "H3 H3 H4 H4 H8", [(2, 2), (1, 1)]).legal
    told = judged("cn-national-3d", "S", "7", aakkk, hand, "H3 H3 H4 H4 H8", [(3, 1), (2, 1)])
    assert owes(told) == "3x1 2x1"


# hand, play, code
REFUSED = [
    ("H4 H5 H6", "H4 H8", "card_not_held"),
    ("H4 H4", "H4 H4 H4", "card_not_held"),
    ("H4", "H4", "hand_too_small"),
]


@pytest.mark.parametrize(("hand", "play", "code"), REFUSED)
def test_what_cannot_be_judged(hand, play, code):
    with pytest.raises(Refused) as refused:
        judged("scn2-2013", "S", "7", "H3 H3", hand, play)
    assert refused.value.code == code


# --- against the lists, written out ---

#: The national lists, written out: lead, lines from the first to the last (singles left out).
NATIONAL = {
    (2, 1): [[(2, 1)], []],
    (3, 1): [[(3, 1)], [(2, 1)], []],
    (2, 2): [[(2, 2)], [(2, 1), (2, 1)], [(2, 1)], []],
    (2, 3): [
        [(2, 3)],
        [(2, 2), (2, 1)],
        [(2, 1), (2, 1), (2, 1)],
        [(2, 2)],
        [(2, 1), (2, 1)],
        [(2, 1)],
        [],
    ],
    (3, 2): [
        [(3, 2)],
        [(3, 1), (3, 1)],
        [(3, 1), (2, 1)],
        [(3, 1)],
        [(2, 2)],
        [(2, 1), (2, 1)],
        [(2, 1)],
        [],
    ],
}  # fmt: skip
BEFORE_PAIR = {**NATIONAL, (3, 2): [[(3, 2)], [(3, 1), (3, 1)], [(2, 2)], *NATIONAL[3, 2][2:]]}
BEFORE_TRIPLES = {**NATIONAL, (3, 2): [[(3, 2)], [(2, 2)], *NATIONAL[3, 2][1:]]}


@pytest.mark.long
@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from([(1, 1), *sorted(NATIONAL)]), min_size=1, max_size=3).map(by_class),
    st.sampled_from([("cn-national-3d", NATIONAL), ("online-3d", BEFORE_PAIR), (TRACTORS_FIRST, BEFORE_TRIPLES)]),
    st.sampled_from(["H", TRUMPS]),
    st.lists(st.integers(0, 3), min_size=12, max_size=19),
)
def test_what_is_owed_is_the_first_line_of_the_lists_that_the_hand_can_meet(led, rules, name, copies):
    """Of a throw the largest shape takes its first line that fits, then the next shape beside it."""
    profile, lists = rules
    at = order(profile, "S", "2")
    category = at.categories[name]
    counts = bytes((copies + [0] * 19)[: len(category.faces)])
    if sum(counts) <= sum(width * length for width, length in led):
        return
    lines = map(list, map(chain.from_iterable, product(*(lists.get(want, [[]]) for want in led))))
    first = next(line for line in lines if place(category, counts, by_class(line)) is not None)
    assert lines_owed(at, category, led, counts) == (by_class(first),)

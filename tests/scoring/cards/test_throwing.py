"""Throws: the worked throws of the sources, who counts, what is forced, and what cannot be judged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.leads import read_lead
from scoring.cards.throwing import judge_throw
from scoring.cards.tricks import beats, claim, claim_of_lead
from tests.scoring.cards.making import cards, deals, lead, order, texts

OPPONENTS = {"base": "scn2-2013", "set": {"throw_checked_against": "opponents"}}
LOWEST = {"base": "cn-national-3d", "set": {"forced_small": "lowest"}}


def judged(profile, thrown, *others, trump="S", level="7", declared=()):
    hands = [None if hand is None else cards(hand) for hand in others]
    return judge_throw(lead(order(profile, trump, level), thrown, *declared), hands)


JQK = "H8 H8 HJ HQ HK"
# profile, thrown, three hands, what stays: None stands, text forced, tuple the options
THROWS = [
    ("scn2-2013", JQK, ("H2 H2", "H3 HJ", "H4"), None),
    ("scn2-2013", JQK, ("H9 H9", "H2", "H3"), "H8 H8"),
    ("scn2-2013", JQK, ("HA", "H2", "H3"), "HJ"),
    ("scn2-2013", JQK, ("H9 H9", "HA", "H3"), "HJ"),
    ("scn2-2013", JQK, ("H9 H9 HA", "H2", "H3"), "HJ"),
    ("scn3-2026", JQK, ("HA", "H9 H9", "H3"), "HJ"),
    # the partner's hand counts as well, ruffs do not, equal cards do not
    ("scn2-2013", JQK, ("H2", "HA", "H3"), "HJ"),
    (OPPONENTS, JQK, ("H2", "HA", "H3"), None),
    ("scn2-2013", JQK, ("S2 S2 S3 S4 S5", "JB JB JS JS SA", "H3"), None),
    ("scn2-2013", "HA HK HK", ("HA HA", "H3", "H4"), "HK HK"),
    ("scn2-2013", "HA HA HK", ("HK", "HQ HQ", "HJ"), None),
    # forced is the smallest part that failed, not the smallest part
    ("scn2-2013", "HA H3 H3", ("H4 H4", "H5", "H6"), "H3 H3"),
    ("scn2-2013", "HA HK H9", ("HA HQ", "H2", "H3"), "H9"),
    ("cn-national-2d", "CQ C4 C4", ("CK", "C2", "C3"), "CQ"),
    ("cn-national-2d", "CQ C4 C4", ("C5 C5", "C2", "C3"), "C4 C4"),
    ("cn-national-2d", "CQ C4 C4", ("CK C5 C5", "C2", "C3"), ("CQ", "C4 C4")),
    ("cn-national-2d", "CQ C4 C4", ("CK", "C2", "C5 C5"), ("CQ", "C4 C4")),
    # a tractor in a throw is beaten by one of its length, also out of a longer one
    ("scn2-2013", "HA H3 H3 H4 H4", ("H5 H5 H6 H6 H8 H8", "H2", "H2"), "H3 H3 H4 H4"),
    ("scn2-2013", "HA H3 H3 H4 H4", ("H5 H5 H8 H8", "H2", "H2"), None),
    # a pair torn out of a triple beats a pair
    (LOWEST, "HA H3 H3", ("H4 H4 H4", "H5", "H6"), "H3 H3"),
]


@pytest.mark.parametrize(("profile", "thrown", "others", "stays"), THROWS)
def test_throws(profile, thrown, others, stays):
    verdict = judged(profile, thrown, *others)
    assert verdict.because
    assert verdict.sentence["en"].endswith(".")
    if stays is None:
        assert (verdict.stands, verdict.forced) == (True, None)
        return
    assert verdict.stands is False
    if isinstance(stays, str):
        assert texts(verdict.forced.must_play) == texts(cards(stays))
    else:
        assert [texts(option) for option in verdict.forced.options] == [texts(cards(one)) for one in stays]


def test_a_declared_reading_decides_what_fails():
    aakkk = "HA HA HK HK HK"
    others = ("HA H3 H4", "H5", "H6")
    assert judged("cn-national-3d", aakkk, *others, declared=[(2, 2), (1, 1)]).forced.must_play == cards("HK")
    assert judged("cn-national-3d", aakkk, *others, declared=[(3, 1), (2, 1)]).stands is True


def test_of_equal_parts_the_thrower_chooses_which_stays():
    verdict = judged("scn2-2013", "H7 H7 C7 C7", "JS JS", "H3", "H4")
    assert verdict.forced.must_play == cards("H7 H7")
    assert verdict.forced.equals == (cards("C7 C7"),)


def test_what_is_not_known_is_not_guessed():
    assert judged("scn2-2013", JQK, "H2 H2").stands is None
    assert judged("scn2-2013", JQK, None, "HA", None).forced.must_play == cards("HJ")
    assert judged("scn2-2013", JQK, None, "HA", None).forced.known
    held = judged("scn2-2013", JQK, "H9 H9")
    assert (held.stands, held.forced.known) == (False, False)
    named = judged("cn-national-2d", "CQ C4 C4", "CK", None, "C3")
    assert (named.stands, named.forced.known) == (False, False)
    # nothing larger is out, whoever holds the rest
    assert judged("scn2-2013", "HA HA HK HK HQ HQ HJ", None, None, None).stands is True
    assert judged("scn2-2013", "JB JB S7 S7", "JS", "JS", None).stands is True
    assert judged("scn2-2013", "JB JB S7 S7").stands is None


def test_why_it_failed_is_said():
    said = judged("cn-national-2d", "CQ C4 C4", "CK C5 C5", "C2", "C3").sentence
    assert said == {
        "en": "The throw fails: the next player holds ♣K above ♣Q; the next player holds ♣5 ♣5 above ♣4 ♣4; "
        "the next player names ♣Q or ♣4 ♣4.",
        "zh": "甩牌失败：下家有 ♣K，大过 ♣Q；下家有 ♣5 ♣5，大过 ♣4 ♣4；由下家指定出 ♣Q 或 ♣4 ♣4。",
    }


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_follower_in_suit_beats_any_part_of_a_throw_that_stands(data):
    profile = data.draw(st.sampled_from(["scn2-2013", "cn-national-3d", "four-deck-online", "changzhou-4d"]))
    at = order(profile, data.draw(st.sampled_from(["S", "NT"])), "7")
    dealt = data.draw(deals(at, 28, 8))
    category = at.category(dealt[0])
    thrown = [card for card in dealt[: len(dealt) // 3] if at.category(card) is category]
    rest = list(dealt[len(thrown) :])
    others = [tuple(rest[i::3]) for i in range(3)]
    read = read_lead(at, thrown)
    verdict = judge_throw(read, others)
    assert verdict.stands is (not verdict.failures)
    for unit in read.units:
        part = read_lead(at, read.cards_of(unit), [unit.shape])
        for hand in others:
            own = [card for card in hand if at.category(card) is category]
            for size in range(len(own) - part.size + 1):
                answer = claim(part, own[size : size + part.size])
                if answer is not None and beats(part, answer, claim_of_lead(part)):
                    assert verdict.stands is False
    if verdict.forced is not None:
        assert verdict.forced.known
        stays = verdict.forced.must_play or verdict.forced.options[0]
        assert set(texts(stays)) <= set(texts(thrown))
        assert any(texts(one.cards) == texts(stays) for one in verdict.failures)

"""Every legal play: the lists against every subset tried, the longest leads, hands followed from card by card."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.following import judge_follow
from scoring.cards.leads import read_lead
from scoring.cards.order import TRUMPS
from scoring.cards.parsing import largest_reading
from scoring.cards.plays import can_lead_to, follow_set
from scoring.hands.findings import Refused
from scoring.profiles import individual_ids, profile_ids
from scoring.values import RANKS, Card
from tests.scoring.cards.making import (
    ANY_PAIR,
    NO_SHORTER,
    PAIRS_ONLY,
    TRACTORS_FIRST,
    cards,
    deals,
    lead,
    order,
    texts,
)

SETTINGS = [
    *profile_ids(),
    *individual_ids(),
    ANY_PAIR,
    NO_SHORTER,
    PAIRS_ONLY,
    TRACTORS_FIRST,
]


@st.composite
def positions(draw):
    """A lead of a few cards and a hand that mostly holds the category led, from few ranks, so that shapes occur."""
    profile = draw(st.sampled_from(SETTINGS))
    at = order(profile, draw(st.sampled_from(["S", "NT"])), draw(st.sampled_from(["8", "A"])))
    name = draw(st.sampled_from(["H", TRUMPS]))
    category = at.categories[name]
    first = draw(st.integers(0, max(0, len(category.faces) - 7)))
    near = [card for card in category.faces[first : first + 7] for _ in range(at.profile.decks)]
    led = draw(st.permutations(near))[: draw(st.integers(1, 6))]
    if not at.profile.throws_allowed and len(largest_reading(category, category.of(at.count(led)))) > 1:
        led = led[:1]
    hand = draw(st.permutations(near))[: draw(st.integers(0, 8))]
    others = [card for card in at.categories["D"].faces[:4] for _ in range(2)]
    size = max(len(led) - len(hand), 0) + draw(st.integers(0, 2))
    return at, tuple(led), tuple(hand) + tuple(draw(st.permutations(others))[:size])


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(positions())
def test_the_list_of_legal_plays_is_exactly_the_legal_subsets(drawn):
    at, led, hand = drawn
    read, held = read_lead(at, led), at.count(hand)
    listed = follow_set(read, held)
    assert len({tuple(texts(play)) for play in listed}) == len(listed)
    legal = {tuple(texts(play)) for play in listed}
    tried = {tuple(texts(play)): play for play in combinations(hand, len(led))}
    assert legal == {key for key, play in tried.items() if judge_follow(read, held, at.count(play)).legal}
    assert legal


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(positions(), st.data())
def test_a_card_leads_to_a_legal_play_when_some_legal_play_holds_it_with_the_others(drawn, data):
    at, led, hand = drawn
    read, held = read_lead(at, led), at.count(hand)
    prefix = data.draw(st.permutations(hand))[: data.draw(st.integers(0, len(led)))]
    offered = can_lead_to(read, held, at.count(prefix))
    expected = set()
    for play in follow_set(read, held):
        left = list(play)
        if all(card in left and not left.remove(card) for card in prefix):
            expected |= set(left)
    assert set(offered) == expected


# --- bounds ---


def run_of(times, ranks=RANKS[1:]):
    return " ".join(f"H{rank}" for rank in ranks for _ in range(times))


def test_too_many_plays_are_counted_and_refused():
    at = order("cn-national-2d", "S", "2")
    read = lead(at, "H3 H4 H5 H6 H8 H10")
    hand = at.count(cards(run_of(2)))
    with pytest.raises(Refused) as refused:
        follow_set(read, hand)
    assert refused.value.code == "too_many_plays"
    # taking six of twelve ranks with at most two of each: the coefficient of x^6 in (1 + x + x^2)^12
    plays = coefficient(12, 2, 6)
    assert refused.value.message["en"] == f"There are {plays} legal plays; at most 2000 are listed."


def coefficient(ranks, most, size):
    ways = [1] + [0] * size
    for _ in range(ranks):
        ways = [sum(ways[n - k] for k in range(min(most, n) + 1)) for n in range(size + 1)]
    return ways[size]


@pytest.mark.parametrize(
    ("profile", "times", "led"),
    [
        ("cn-national-2d", 2, run_of(2)),
        ("cn-national-3d", 3, run_of(2)),
        ("cn-national-3d", 3, run_of(3, RANKS[1:12])),
        ({"base": "four-deck-online", "set": {"parse": "largest"}}, 4, run_of(2)),
        ({"base": "four-deck-online", "set": {"parse": "largest"}}, 4, run_of(4, RANKS[1:9])),
        ("nanning-4d", 4, run_of(3, RANKS[1:8])),
    ],
)
def test_the_longest_leads_are_judged_within_the_bound(profile, times, led):
    at = order(profile, "S", "2" if profile != "nanning-4d" else "10")
    held = [Card("H", rank) for rank in RANKS[1:] for _ in range(times)]
    held = [card for card in held if at.place[card].category == "H"]
    hand = at.count([card for i, card in enumerate(held) if i % 5])
    read = lead(at, led)
    size = read.size
    if sum(hand) < size:
        hand = at.count(held)
    lowest = at.count(at.cards(hand)[:size])
    verdict = judge_follow(read, hand, lowest)
    assert verdict.legal or judge_follow(read, hand, at.count(verdict.witness)).legal
    assert can_lead_to(read, hand, at.count([]))


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_hands_as_dealt_can_always_be_followed_from(data):
    at = order(data.draw(st.sampled_from(SETTINGS)), data.draw(st.sampled_from(["S", "NT"])), "8")
    dealt = data.draw(deals(at, 40, 20))
    category = at.category(dealt[0])
    led = [card for card in dealt[:10] if at.category(card) is category]
    if not at.profile.throws_allowed:
        led = led[:1]
    hand = dealt[10:]
    if len(hand) < len(led):
        return
    read, held = read_lead(at, led), at.count(hand)
    play = at.count([])
    for _ in led:
        offered = can_lead_to(read, held, play)
        assert offered
        chosen = data.draw(st.sampled_from(offered))
        play = at.count([*at.cards(play), chosen])
    assert judge_follow(read, held, play).legal

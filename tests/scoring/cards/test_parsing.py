"""Reading cards into shapes: every reading, the one that counts, and the bounds of the search."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.leads import read_lead
from scoring.cards.order import TRUMPS
from scoring.cards.parsing import MOST_READINGS, largest_reading, readings
from scoring.cards.units import by_class, place, unit_cards
from scoring.hands.findings import Refused
from scoring.values import RANKS, Card, Shape
from tests.scoring.cards.making import cards, deals, lead, order, said, texts

# profile, trump, level, cards, every reading with the largest first
READINGS = [
    ("scn2-2013", "S", "7", "H8", ["1x1:H8"]),
    ("scn2-2013", "S", "7", "H8 H8 HJ HQ HK", ["2x1:H8 1x1:HK 1x1:HQ 1x1:HJ"]),
    ("scn2-2013", "S", "7", "H6 H6 H8 H8", ["2x2:H6-H8"]),
    ("scn2-2013", "S", "7", "S6 S6 S7 S7", ["2x1:S7 2x1:S6"]),
    ("scn2-2013", "S", "7", "SA SA H7 H7 S7 S7 JS JS JB JB", ["2x5:SA-H7-S7-JS-JB"]),
    ("cn-national-2d", "S", "7", "CQ C4 C4", ["2x1:C4 1x1:CQ"]),
    ("cn-national-3d", "S", "7", "HA HA HK HK HK", ["2x2:HK-HA 1x1:HK", "3x1:HK 2x1:HA"]),
    ("cn-national-3d", "S", "7", "HA HA HA HK HK HK", ["3x2:HK-HA"]),
    ("cn-national-3d", "S", "7", "HA HA HA HQ HQ HQ", ["3x1:HA 3x1:HQ"]),
    (
        "cn-national-2d",
        "S",
        "2",
        "SA SA H2 H2 C2 C2 S2 S2",
        ["2x3:SA-H2-S2 2x1:C2", "2x2:C2-S2 2x2:SA-H2"],
    ),
    ("cn-national-1d", "S", "7", "HA HK", ["1x1:HA 1x1:HK"]),
    ("changzhou-4d", "S", "7", "HA HA HK HK", ["2x1:HA 2x1:HK"]),
    ("four-deck-online", "S", "7", "HA HA HA HA", ["4x1:HA"]),
    ("four-deck-online", "S", "7", "HA HA HA HA HK HK HK HK", ["4x2:HK-HA"]),
    ("nanning-4d", "S", "10", "SA SA H2 H2", ["2x2:SA-H2"]),
    ("nanning-4d", "S", "10", "SK SK SA SA H2 H2", ["2x2:SA-H2 2x1:SK", "2x2:SK-SA 2x1:H2"]),
    (
        "nanning-4d",
        "S",
        "10",
        "SK SK SA SA H2 H2 H2",
        ["2x2:SK-SA 3x1:H2", "2x2:SA-H2 2x1:SK 1x1:H2"],
    ),
    ("nanning-4d", "S", "10", "H9 H9 HJ HJ", ["2x1:HJ 2x1:H9"]),
    # which of two equal level cards goes on with the aces decides whether the others are a triple
    (
        "four-deck-online",
        "S",
        "10",
        "SA SA H10 H10 D10 D10 D10",
        ["2x2:SA-H10 3x1:D10", "2x2:SA-D10 2x1:H10 1x1:D10"],
    ),
    (
        "four-deck-online",
        "S",
        "10",
        "H10 H10 D10 D10 D10 S10 S10",
        ["2x2:H10-S10 3x1:D10", "2x2:D10-S10 2x1:H10 1x1:D10"],
    ),
]


@pytest.mark.parametrize(("profile", "trump", "level", "played", "expected"), READINGS)
def test_readings(profile, trump, level, played, expected):
    at = order(profile, trump, level)
    category = at.only_category(cards(played))
    counts = category.of(at.count(cards(played)))
    found = readings(category, counts)
    assert [said(category, units) for units in found] == expected
    assert [unit.want for unit in largest_reading(category, counts)] == [unit.want for unit in found[0]]


def test_the_option_says_which_reading_counts():
    aakkk = "HA HA HK HK HK"
    assert lead(order("cn-national-3d"), aakkk).wants == ((2, 2), (1, 1))
    assert lead(order("cn-national-3d"), aakkk, (2, 1), (3, 1)).wants == ((3, 1), (2, 1))
    assert lead(order("online-3d"), aakkk).wants == ((3, 1), (2, 1))
    assert lead(order("online-3d"), aakkk, (1, 1), (2, 2)).wants == ((2, 2), (1, 1))
    largest = order({"base": "online-3d", "set": {"parse": "largest"}})
    assert lead(largest, aakkk).wants == ((2, 2), (1, 1))


MIXED_NOT = {"base": "scn2-2013", "set": {"throw_mixed": False}}

# profile, cards, declared, code
REFUSED = [
    ("scn2-2013", "", (), "no_cards"),
    ("scn2-2013", "H3 H7", (), "mixed_categories"),
    ("scn2-2013", "H3 C3", (), "mixed_categories"),
    ("cn-national-3d", "HA HA HK HK HK", ((2, 1), (2, 1), (1, 1)), "reading_not_there"),
    ("cn-national-3d", "HA HA HK HK", ((2, 1), (2, 1)), "reading_not_there"),
    ("nanning-4d", "HA HK", (), "throw_not_here"),
    (MIXED_NOT, "HA HA HK", (), "throw_mixed_not_here"),
]


@pytest.mark.parametrize(("profile", "played", "declared", "code"), REFUSED)
def test_what_cannot_be_led(profile, played, declared, code):
    with pytest.raises(Refused) as refused:
        lead(order(profile), played, *declared)
    assert refused.value.code == code


def test_510k_is_a_shape_where_the_rules_have_it():
    at = order("chaodipi", "S", "7")
    assert lead(at, "C5 C10 CK").wants == ((1, 3),)
    assert lead(at, "H5 H10 HK").category.name == "H"
    assert lead(at, "S5 S10 SK").category.name == TRUMPS
    assert lead(order("chaodipi", "H", "7"), "H5 H10 HK").category.name == TRUMPS
    assert lead(order("bajiwo", "S", "7"), "C5 C10 CK").wants == ((1, 1), (1, 1), (1, 1))
    with pytest.raises(Refused):
        lead(at, "C5 D10 CK")
    assert Shape.from_json({"type": "510K"}).to_json() == {"type": "510K"}


@pytest.mark.long
@given(st.data())
def test_a_reading_uses_every_card_once_and_its_units_are_what_they_say(data):
    at = order(data.draw(st.sampled_from(["scn2-2013", "cn-national-3d", "four-deck-online", "nanning-4d"])))
    hand = data.draw(deals(at, 12))
    for name in at.categories:
        category = at.categories[name]
        counts = category.of(at.count(hand))
        if not any(counts):
            continue
        for units in (*readings(category, counts), largest_reading(category, counts)):
            used = [card for unit in units for card in unit_cards(category, unit)]
            assert texts(used) == texts(category.cards(counts))
            for unit in units:
                assert unit.width * unit.length == len(unit_cards(category, unit))
                assert unit.start in category.starts[unit.length]
                assert [category.rung_of[node] for node in unit.nodes] == list(range(unit.start, unit.top + 1))


def by_hand(category, counts, wants):
    """Whether the wants fit, by trying every order of laying them without any pruning."""

    def fits(left, todo):
        if not todo:
            return True
        width, length = todo[0]
        for start in category.starts[length] if length < len(category.starts) else ():
            stacks = [[]]
            for rung in range(start, start + length):
                stacks = [[*stack, node] for stack in stacks for node in category.nodes[rung] if left[node] >= width]
            for stack in stacks:
                less = [times - width * stack.count(node) for node, times in enumerate(left)]
                if fits(less, todo[1:]):
                    return True
        return False

    return any(fits(list(counts), list(one)) for one in set(permutations(wants)))


WANTS = st.lists(st.sampled_from([(1, 1), (2, 1), (3, 1), (2, 2), (2, 3), (3, 2), (4, 1)]), min_size=1, max_size=3)


@pytest.mark.long
@settings(max_examples=150)
@given(st.data(), WANTS)
def test_the_search_finds_what_trying_everything_finds(data, wants):
    at = order(data.draw(st.sampled_from(["cn-national-3d", "four-deck-online", "nanning-4d"])), "S", "10")
    category = at.categories[TRUMPS]
    counts = bytes(
        data.draw(
            st.lists(st.integers(0, at.profile.decks), min_size=len(category.faces), max_size=len(category.faces))
        )
    )
    counts = bytes(n if i % 3 != data.draw(st.integers(0, 2)) else 0 for i, n in enumerate(counts))
    assert (place(category, counts, by_class(wants)) is not None) == by_hand(category, counts, wants)


def suited(pattern):
    return [Card("H", rank) for i, rank in enumerate(RANKS) if rank != "2" for _ in range(pattern[i % len(pattern)])]


@pytest.mark.parametrize(
    ("profile", "pattern", "first"),
    [
        ("cn-national-2d", [2], (2, 12)),
        ("cn-national-3d", [3], (3, 12)),
        ("four-deck-online", [4], (4, 12)),
        ("cn-national-3d", [2, 3, 3], (2, 12)),
        ({"base": "four-deck-online", "set": {"parse": "largest"}}, [3, 4, 2], (2, 12)),
        ("four-deck-online", [3, 4, 2], (4, 1)),
        ("four-deck-online", [4, 3], (4, 1)),
    ],
)
def test_the_longest_holdings_are_read_within_the_bound(profile, pattern, first):
    at = order(profile, "S", "2")
    assert read_lead(at, suited(pattern)).wants[0] == first


@pytest.mark.long
def test_too_many_readings_are_refused():
    at = order("four-deck-online", "S", "2")
    held = suited([3, 4, 2])
    category = at.only_category(held)
    with pytest.raises(Refused) as refused:
        readings(category, category.of(at.count(held)))
    assert refused.value.code == "too_large"
    assert (
        refused.value.message["en"] == f"Too many cards of one category: more than {MOST_READINGS} ways to read them."
    )


def every_division(category, counts):
    """All ways to divide the cards into units, found by taking any unit that holds the lowest card left."""
    first = next((node for node, times in enumerate(counts) if times), None)
    if first is None:
        yield ()
        return
    rung = category.rung_of[first]
    for length in range(1, len(category.nodes) - rung + 1):
        if rung not in category.starts[length]:
            continue
        for rest in product(*category.nodes[rung + 1 : rung + length]):
            nodes = (first, *rest)
            for width in range(1 if length == 1 else 2, min(counts[node] for node in nodes) + 1):
                left = [times - width * (node in nodes) for node, times in enumerate(counts)]
                for others in every_division(category, left):
                    yield ((width, nodes), *others)


def is_unit(category, units):
    """Whether these units are one unit when their cards are put together."""
    copies = Counter()
    for width, nodes in units:
        for node in nodes:
            copies[node] += width
    rungs = sorted(category.rung_of[node] for node in copies)
    (width, *other) = set(copies.values())
    run = rungs == list(range(rungs[0], rungs[0] + len(rungs))) and rungs[0] in category.starts[len(rungs)]
    return not other and run and (width > 1 or len(rungs) == 1)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_readings_are_all_divisions_none_of_whose_units_can_be_joined(data):
    at = order(data.draw(st.sampled_from(["cn-national-3d", "four-deck-online", "nanning-4d"])), "S", "10")
    name = data.draw(st.sampled_from(["H", TRUMPS]))
    category = at.categories[name]
    first = data.draw(st.integers(0, len(category.faces) - 4))
    near = [card for card in category.faces[first : first + 5] for _ in range(at.profile.decks)]
    held = data.draw(st.permutations(near))[: data.draw(st.integers(1, 8))]
    counts = category.of(at.count(held))
    expected = {
        tuple(sorted((width, len(nodes), category.rung_of[nodes[0]]) for width, nodes in units))
        for units in every_division(category, counts)
        if not any(is_unit(category, some) for many in range(2, len(units) + 1) for some in combinations(units, many))
    }
    found = [tuple(sorted((*unit.want, unit.start) for unit in units)) for units in readings(category, counts)]
    assert set(found) == expected
    assert len(found) == len(expected)
    best = largest_reading(category, counts)
    assert [unit.want for unit in best] == [unit.want for unit in readings(category, counts)[0]]
    found = readings(category, counts)
    fewest = min(sum(unit.want == (1, 1) for unit in units) for units in found)
    first = next(units for units in found if sum(unit.want == (1, 1) for unit in units) == fewest)
    without = largest_reading(category, counts, no_singles=True)
    assert [unit.want for unit in without] == [unit.want for unit in first]

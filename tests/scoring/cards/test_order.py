"""Categories, rungs and joints: what stands where, and what follows what, in every kind of hand."""

from __future__ import annotations

import pytest

from scoring.cards.deck import FACES, check_cards, points_of, unseen
from scoring.cards.order import TRUMPS, Order, order_of
from scoring.profiles import build, load, profile_ids
from scoring.values import Card, Level, Trump


def order(profile="cn-national-2d", trump="S", level="7"):
    return order_of(build(profile, individual=True), Trump(trump), None if level is None else Level(level))


def written(order: Order, category: str) -> str:
    """The rungs of a category from low to high; equal cards joined by a stroke."""
    at = order.categories[category]
    return " ".join("/".join(str(at.faces[node]) for node in nodes) for nodes in at.nodes)


def joined(order: Order, first: str, second: str) -> bool:
    """Whether two cards stand on rungs that make a tractor of two."""
    low, high = sorted((order.place[Card.parse(first)], order.place[Card.parse(second)]))
    return (
        low.category == high.category
        and high.rung == low.rung + 1
        and low.rung in order.categories[low.category].starts[2]
    )


# profile, trump, level, category, its rungs
RUNGS = [
    ("cn-national-2d", "S", "10", "H", "H2 H3 H4 H5 H6 H7 H8 H9 HJ HQ HK HA"),
    (
        "cn-national-2d",
        "S",
        "10",
        TRUMPS,
        "S2 S3 S4 S5 S6 S7 S8 S9 SJ SQ SK SA H10/C10/D10 S10 JS JB",
    ),
    ("scn2-2013", "NT", "7", TRUMPS, "S7/H7/C7/D7 JS JB"),
    ("scn2-2013", "NT", "7", "S", "S2 S3 S4 S5 S6 S8 S9 S10 SJ SQ SK SA"),
    ("scn2-2013", "S", "A", TRUMPS, "S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK HA/CA/DA SA JS JB"),
    (
        "nanning-4d",
        "H",
        "10",
        TRUMPS,
        "H3 H4 H5 H6 H7 H8 H9 HJ HQ HK HA S2/C2/D2 H2 S10/C10/D10 H10 JS JB",
    ),
    ("chaodipi", "S", "7", TRUMPS, "S2 S3 S4 S5 S6 S8 S9 S10 SJ SQ SK SA H7/C7/D7 S7 JS JB H5"),
    ("chaodipi", "H", "5", TRUMPS, "H2 H3 H4 H6 H7 H8 H9 H10 HJ HQ HK HA S5/C5/D5 JS JB H5"),
    ("chaodipi", "NT", None, TRUMPS, "JS JB H5"),
    ("chaodipi", "NT", "5", TRUMPS, "S5/C5/D5 JS JB H5"),
    (
        "sandayi",
        "D",
        None,
        TRUMPS,
        "D3 D4 D5 D6 D8 D9 D10 DJ DQ DK DA S2/H2/C2 D2 S7/H7/C7 D7 JS JB",
    ),
]


@pytest.mark.parametrize(("profile", "trump", "level", "category", "rungs"), RUNGS)
def test_rungs(profile, trump, level, category, rungs):
    assert written(order(profile, trump, level), category) == rungs


NO_JOKER_JOINT = {"base": "scn2-2013", "set": {"tractor_level_joker": False}}
NT_APART = {"base": "scn2-2013", "set": {"tractor_nt_level_joker": False}}
CLOSED = {"base": "scn2-2013", "set": {"hollow_tractors": False}}

# profile, trump, level, two cards, whether pairs of them make a tractor
JOINTS = [
    ("scn2-2013", "S", "7", "H3", "H4", True),
    ("scn2-2013", "S", "7", "D6", "D8", True),
    ("scn2-2013", "S", "7", "SA", "H7", True),
    ("scn2-2013", "S", "7", "H7", "S7", True),
    ("scn2-2013", "S", "7", "S7", "JS", True),
    ("scn2-2013", "S", "7", "JS", "JB", True),
    ("scn2-2013", "S", "7", "S6", "S7", False),
    ("scn2-2013", "S", "7", "C7", "D7", False),
    ("scn2-2013", "S", "7", "H6", "H7", False),
    ("scn2-2013", "S", "7", "HA", "H7", False),
    ("scn2-2013", "S", "7", "HA", "S2", False),
    ("cn-national-2d", "S", "10", "SA", "D10", True),
    ("cn-national-2d", "S", "10", "SA", "S10", False),
    ("cn-national-2d", "S", "10", "D10", "C10", False),
    ("cn-national-2d", "S", "10", "S10", "SJ", False),
    ("scn2-2013", "S", "A", "HQ", "HK", True),
    ("scn2-2013", "S", "A", "SK", "HA", True),
    ("scn2-2013", "S", "A", "HA", "SA", True),
    ("scn2-2013", "S", "A", "SA", "JS", True),
    ("scn2-2013", "S", "A", "SK", "SA", False),
    ("scn2-2013", "NT", "7", "C7", "JS", True),
    ("scn2-2013", "NT", "7", "C7", "D7", False),
    ("scn2-2013", "NT", "7", "CA", "C7", False),
    (NT_APART, "NT", "7", "C7", "JS", False),
    (NO_JOKER_JOINT, "S", "7", "S7", "JS", False),
    (NO_JOKER_JOINT, "S", "7", "H7", "S7", True),
    (CLOSED, "S", "7", "H6", "H8", False),
    (CLOSED, "S", "7", "H8", "H9", True),
    (CLOSED, "S", "A", "SK", "HA", True),
    ("nanning-4d", "S", "10", "SA", "H2", True),
    ("nanning-4d", "S", "A", "SK", "H2", False),
    ("nanning-4d", "S", "10", "H2", "S2", False),
    ("nanning-4d", "S", "10", "S2", "H10", False),
    ("nanning-4d", "S", "10", "H10", "S10", False),
    ("nanning-4d", "S", "10", "S10", "JS", False),
    ("nanning-4d", "S", "10", "JS", "JB", True),
    ("nanning-4d", "S", "10", "H9", "HJ", False),
    ("chaodipi", "S", "7", "JB", "H5", False),
    ("chaodipi", "S", "7", "H4", "H6", True),
    ("changzhou-4d", "S", "7", "H3", "H4", False),
]


@pytest.mark.parametrize(("profile", "trump", "level", "first", "second", "yes"), JOINTS)
def test_joints(profile, trump, level, first, second, yes):
    assert joined(order(profile, trump, level), first, second) is yes


def test_a_short_joint_holds_a_run_of_two_only():
    at = order("nanning-4d", "S", "10").categories[TRUMPS]
    ace = at.rung_of[at.faces.index(Card("S", "A"))]
    assert ace in at.starts[2]
    assert ace - 1 in at.starts[2]
    assert ace - 1 not in at.starts[3]
    assert at.starts[1] == tuple(range(len(at.nodes)))


@pytest.mark.parametrize("profile", profile_ids())
@pytest.mark.parametrize("trump", list(Trump))
def test_every_face_stands_in_one_place_and_counts_come_back(profile, trump):
    rules = load(profile)
    for level in rules.ladder.levels:
        at = order_of(rules, trump, level)
        assert sorted(map(str, at.place)) == sorted(map(str, FACES))
        deck = at.cards(at.count(FACES))
        assert at.cards(at.count(deck)) == deck
        assert [at.place[card] for card in deck] == [
            place for name in at.categories for place in sorted(p for p in at.place.values() if p.category == name)
        ]
        for category in at.categories.values():
            assert category.of(at.count(FACES)) == bytes([1]) * len(category.faces)


def test_points_and_conservation():
    profile = load("cn-national-3d")
    assert points_of(profile, FACES) == 100
    assert points_of(build({"base": "cn-national-3d", "set": {"jokers_worth": 10}}), FACES) == 120
    assert len(unseen(profile, FACES)) == 108
    assert list(check_cards(profile, [("a", FACES), ("b", FACES + FACES)])) == []
    (found,) = check_cards(profile, [("a", FACES * 2), ("b", FACES), ("c", [Card("S", "7")] * 2)])
    assert (found.code, found.field, found.message["en"]) == (
        "card_too_often",
        "c",
        "Three decks hold ♠7 only 3 times.",
    )


def test_order_knows_whether_cards_share_a_category():
    at = order("scn2-2013", "S", "7")
    assert at.only_category([Card.parse("S3"), Card.parse("H7"), Card.parse("JB")]).name == TRUMPS
    assert at.only_category([Card.parse("H3"), Card.parse("H7")]) is None
    assert at.only_category([]) is None

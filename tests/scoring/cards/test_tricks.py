"""Who wins a trick: the worked tricks of the sources, ruffs, over-ruffs of throws, equal cards, and what must hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cards.leads import read_lead
from scoring.cards.order import order_of
from scoring.cards.tricks import beats, claim, claim_of_lead, judge_trick
from scoring.hands.findings import Refused
from scoring.values import SUITS, Card, Seat, Trump
from tests.scoring.cards.making import cards, deals, lead, order

WESTWARD = (Seat.W, Seat.S, Seat.E, Seat.N)
EXACT = {"base": "scn2-2013", "set": {"ruff_shape": "exact"}}
EVERY = {"base": "scn2-2013", "set": {"throw_compare": "every_part"}}
EVERY_EXACT = {"base": "cn-national-2d", "set": {"throw_compare": "every_part"}}
TOP = {"base": "scn2-2013", "set": {"throw_compare": "top_card"}}


def trick(profile, trump, level, *plays, declared=()):
    at = order(profile, trump, level)
    return judge_trick(
        lead(at, plays[0], *declared), [(seat, cards(play)) for seat, play in zip(WESTWARD, plays, strict=False)]
    )


# profile, trump, level, four plays from West on, winner, what each play is
TRICKS = [
    # the worked tricks of the sources
    ("wiki-classic", "S", "9", "CK | S5 | C9 | C5", "E", "led ruffs over_ruffs follows"),
    ("wiki-classic", "S", "9", "HA HK HK | H2 H4 H6 | H3 H5 H10 | HA HQ D3", "W", "led discards discards discards"),
    (
        "wiki-classic",
        "S",
        "9",
        "D7 D7 D8 D8 D10 D10 | S2 S2 S3 S3 S4 S4 | D4 D6 D9 DJ DQ DK | D2 D4 D5 D5 D6 DJ",
        "S",
        "led ruffs discards discards",
    ),
    ("scn2-2013", "S", "7", "H8 H8 | H9 H9 | S2 S3 | DA DA", "S", "led beats discards discards"),
    ("scn2-2013", "S", "7", "H8 H8 | S2 S2 | HK H3 | HQ H4", "S", "led ruffs discards discards"),
    ("cn-national-2d", "S", "10", "HA HA HK | S4 S4 SA | S5 S5 S2 | H2 H3 H4", "E", "led ruffs over_ruffs discards"),
    ("cn-national-2d", "S", "10", "HA HA HK | S4 S4 SA | S3 S3 JB | H2 H3 H4", "S", "led ruffs ruffs_too_low discards"),
    # equal cards: the first played is the larger
    ("scn2-2013", "S", "7", "HA | HA | H3 | H4", "W", "led follows follows follows"),
    ("scn2-2013", "S", "7", "H7 H7 | C7 C7 | D7 D7 | SA SA", "W", "led follows follows follows"),
    ("scn2-2013", "S", "7", "H7 | S7 | JS | JB", "N", "led beats beats beats"),
    ("scn2-2013", "NT", "7", "H7 | S7 | C7 | HA", "W", "led follows follows discards"),
    ("scn2-2013", "S", "7", "H3 | S2 | S2 | S3", "N", "led ruffs ruffs_too_low over_ruffs"),
    # a throw is beaten by ruffs only, and only by its own shapes
    ("scn2-2013", "S", "7", "HK HQ | HA HA | H2 H3 | H4 H5", "W", "led discards discards discards"),
    ("scn2-2013", "S", "7", "H8 H8 HJ HQ HK | S3 S3 S4 S5 S6 | S2 S3 S4 S5 S6 | DA DA DK DK D2", "S",
     "led ruffs discards discards"),
    # ruffs of a larger shape: demoted, or no ruff at all
    ("scn2-2013", "S", "7", "HA HK | S6 S6 | S3 S4 | H2 H3", "S", "led ruffs ruffs_too_low discards"),
    (EXACT, "S", "7", "HA HK | S6 S6 | S3 S4 | H2 H3", "E", "led discards ruffs discards"),
    # only the top of the highest class counts; a tie keeps the earlier ruff
    ("scn2-2013", "S", "7", "HA HA HK | S4 S4 SA | S4 S4 JB | H2 H3 H4", "S", "led ruffs ruffs_too_low discards"),
    (TOP, "S", "7", "HA HA HK | S4 S4 SA | S3 S3 JB | H2 H3 H4", "E", "led ruffs over_ruffs discards"),
    (EVERY, "S", "7", "HA HA HK | S4 S4 SA | S5 S5 S2 | H2 H3 H4", "S", "led ruffs ruffs_too_low discards"),
    (EVERY, "S", "7", "HA HA HK | S4 S4 SA | S5 S5 JS | H2 H3 H4", "E", "led ruffs over_ruffs discards"),
    (EVERY_EXACT, "S", "7", "HA HA HK | S4 S4 SA | S5 S5 JS | H2 H3 H4", "E", "led ruffs over_ruffs discards"),
    # the best reading, never the first: 66 + two level cards over 55 + two, and the other way round by its pair alone
    (EVERY, "C", "2", "HA HA HK HJ | C5 C5 C10 C9 | C6 C6 C2 C2 | H3 H4 H5 H6", "E", "led ruffs over_ruffs discards"),
    ("scn2-2013", "C", "2", "HA HA HK HJ | C7 C7 CA S2 | C6 C6 C2 C2 | H3 H4 H5 H6", "E",
     "led ruffs over_ruffs discards"),
    # three and four decks
    ("cn-national-3d", "S", "7", "HA HA HK HK HK | S3 S3 S4 S4 S4 | S5 S5 S5 S6 S6 | H2 H3 H4 H5 H6", "E",
     "led ruffs over_ruffs discards"),
    ("cn-national-3d", "S", "7", "HA HA HA | S3 S3 S4 | S2 S2 S2 | HK HK HK", "E", "led discards ruffs follows"),
    ("nanning-4d", "S", "10", "H3 H3 H4 H4 | H5 H5 H5 H5 | S3 S3 S4 S4 | H6 H6 H7 H7", "E",
     "led beats ruffs follows"),
    ("nanning-4d", "S", "10", "H3 H3 H3 H4 H4 H4 | H5 H5 H6 H6 H7 H7 | H5 H5 H5 H6 H6 H6 | H7 H8 H9 HJ HQ HK", "E",
     "led follows beats discards"),
    ("four-deck-online", "S", "10", "H3 H3 H4 H4 | H5 H5 H5 H5 | S3 S3 S4 S4 | H6 H6 H7 H7", "E",
     "led discards ruffs follows"),
    # 510K
    ("chaodipi", "S", "7", "C5 C10 CK | C5 C10 CK | S5 S10 SK | SA SK SQ", "E", "led follows ruffs discards"),
    ("chaodipi", "S", "7", "C5 C10 CK | H5 H10 HK | CA CA CK | C2 C3 C4", "W", "led discards discards discards"),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "trump", "level", "plays", "winner", "parts"), TRICKS)
def test_tricks(profile, trump, level, plays, winner, parts):
    verdict = trick(profile, trump, level, *(play.strip() for play in plays.split("|")))
    assert verdict.winner.value == winner
    assert " ".join(one.part for one in verdict.plays) == parts
    assert verdict.because
    assert all(one.sentence["en"] and one.sentence["zh"] for one in verdict.plays)


def test_points_are_all_points_on_the_table():
    assert trick("wiki-classic", "S", "9", "CK", "S5", "C9", "C5").points == 20
    assert trick("wiki-classic", "S", "9", "CK").points == 10
    assert trick("ersibai", "S", "10", "JB", "JS", "SK", "S5").points == 35


def test_the_clauses_that_decided_are_cited():
    cited = [reason.clause.topic for reason in trick("scn2-2013", "S", "7", "HA HK", "S6 S6", "S3 S4").because]
    assert cited == ["trick.wins", "trick.ruff", "trick.over_ruff"]
    cited = [reason.clause.topic for reason in trick("scn2-2013", "S", "7", "HA", "HA").because]
    assert cited == ["trick.wins", "trick.equal"]
    assert trick("scn2-2013", "S", "7", "HA HK", "S6 S6").plays[1].sentence == {
        "en": "South ruffs with ♠6 ♠6.",
        "zh": "南家以 ♠6 ♠6 毙。",
    }


PROFILES = st.sampled_from(
    ["scn2-2013", "cn-national-2d", "cn-national-3d", "four-deck-online", "nanning-4d", "changzhou-4d", EVERY, TOP]
)


@st.composite
def tricks(draw):
    """Four plays of as many cards, a lead of one category among them; not all of them legal."""
    profile = draw(PROFILES)
    trump, level = draw(st.sampled_from(["S", "H", "NT"])), draw(st.sampled_from(["7", "A", "3"]))
    at = order(profile, trump, level)
    hand = draw(deals(at, 12))
    category = at.category(hand[0])
    led = [card for card in hand if at.category(card) is category]
    if not at.profile.throws_allowed:
        led = led[:1]
    size = len(led)
    plays = [led]
    for _ in range(3):
        one = draw(st.sampled_from([name for name in at.categories if len(at.categories[name].faces) > 3]))
        pool = [card for card in at.categories[one].faces for _ in range(at.profile.decks)]
        if size > len(pool):
            pool = [card for card in at.place for _ in range(at.profile.decks)]
        plays.append(draw(st.permutations(pool))[:size])
    return at, [tuple(play) for play in plays]


def winner_of(at, plays, seats=WESTWARD):
    verdict = judge_trick(read_lead(at, plays[0]), list(zip(seats, plays, strict=True)))
    return seats.index(verdict.winner)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(tricks(), st.randoms(use_true_random=False))
def test_names_of_seats_and_side_suits_and_the_order_of_cards_do_not_matter(drawn, chance):
    at, plays = drawn
    won = winner_of(at, plays)
    assert winner_of(at, plays, (Seat.E, Seat.N, Seat.W, Seat.S)) == won
    assert winner_of(at, [tuple(chance.sample(play, len(play))) for play in plays]) == won
    if at.trump is Trump.NT:
        renamed = dict(zip(SUITS, chance.sample(SUITS, 4), strict=True))
    else:
        side = [suit for suit in SUITS if suit != at.trump.value]
        renamed = {at.trump.value: at.trump.value, **dict(zip(side, chance.sample(side, 3), strict=True))}
    other = [tuple(card if card.is_joker else Card(renamed[card.suit], card.rank) for card in play) for play in plays]
    assert winner_of(order_of(at.profile, at.trump, at.level), other) == won


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(tricks())
def test_beating_is_one_sided_and_goes_on(drawn):
    at, plays = drawn
    lead = read_lead(at, plays[0])
    claims = [claim_of_lead(lead), *filter(None, (claim(lead, play) for play in plays[1:]))]
    for one in claims:
        assert not beats(lead, one, one)
        for two in claims:
            if beats(lead, one, two):
                assert not beats(lead, two, one)
                for three in claims:
                    if beats(lead, two, three):
                        assert beats(lead, one, three)


def test_a_lead_of_two_categories_is_no_trick():
    with pytest.raises(Refused):
        trick("scn2-2013", "S", "7", "HA CA", "H3 H4")

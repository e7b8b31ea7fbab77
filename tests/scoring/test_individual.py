"""Individual games: tables of cases for each of the three, then the laws every ledger keeps."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.findings import Refused
from scoring.individual.entries import IndividualHand, places
from scoring.individual.fold import check_next, fold, results_of, start, step
from scoring.individual.sheets import check_entry, read_entry
from scoring.individual.states import IndividualOpening
from scoring.profiles import ProfileError, build, individual_ids, load, profile_ids
from scoring.sittings.states import Conditions
from scoring.values import Level, Place, Points, Role

ALONE = load("sandayi", individual=True)
EVERYONE = load("ersibai", individual=True)
ALLY = load("zhaopengyou", individual=True)

SINGLE, PAIR, TRIPLE = {"type": "single"}, {"type": "pair"}, {"type": "triple"}
TIME = {"kind": "end", "reason": "time"}


def hand(captured=0, **fields):
    """A hand whose last trick the dealer's side won unless told otherwise."""
    return {"kind": "hand", "captured_in_tricks": captured, "last_trick_winner": "dealer", **fields}


def dig(captured, kitty, *led, **fields):
    return hand(captured, kitty_points=kitty, last_trick_winner="attackers", led=list(led), **fields)


def shared(*points, kitty=0, last="1", **fields):
    """A hand of everybody for himself: points by place, who won the last trick."""
    taken = {str(i): number for i, number in enumerate(points, start=1)}
    return {"kind": "hand", "points": taken, "kitty_points": kitty, "last_trick_place": last, **fields}


def levels(text):
    """An opening of five levels, `2 2 K A 2`."""
    return IndividualOpening({place: Level(rank) for place, rank in zip(Place, text.split(), strict=True)})


def play(profile, *rows, opening=None, **conditions):
    entries = [read_entry(profile, row) for row in rows]
    return fold(profile, opening or IndividualOpening.first(profile), entries, Conditions(**conditions), reasons=True)


def scores(state):
    return " ".join(str(score) for score in state.scores.values())


def standing(state):
    """Levels by place in one text; `past` for who passed the last."""
    return " ".join(str(level or "past") for level in state.position.levels.values())


def won(places_won):
    return "".join(places_won)


# 三打一 ------------------------------------------------------------------------------------------------------------

# bids or bid, hand, dealer, who wins, scores
BIDS = [
    ({"bids": {"1": 120}}, hand(115), "1", "1", "3 -1 -1 -1"),
    ({"bids": {"1": 120}}, hand(120), "1", "234", "-3 1 1 1"),
    ({"bids": {"1": 120, "2": 80}}, hand(75), "2", "2", "-1 3 -1 -1"),
    ({"bids": {"1": 120, "2": 80}}, hand(80), "2", "134", "1 -3 1 1"),
    ({"bids": {"1": None, "2": None, "3": None, "4": 95}}, hand(90), "4", "4", "-1 -1 -1 3"),
    ({"bid": 95, "dealer": "3"}, hand(95), "3", "124", "1 1 -3 1"),
    ({"bid": 95, "dealer": "3"}, hand(100), "3", "124", "1 1 -3 1"),
    ({"bids": {"1": 100, "3": 95}, "bid": 95, "dealer": "3"}, hand(0), "3", "3", "-1 -1 3 -1"),
    # the kitty dug by one of the three counts for them, by the shape led
    ({"bid": 80, "dealer": "1"}, dig(60, 10, SINGLE), "1", "234", "-3 1 1 1"),
    ({"bid": 85, "dealer": "1"}, dig(60, 10, SINGLE), "1", "1", "3 -1 -1 -1"),
    ({"bid": 100, "dealer": "1"}, dig(60, 10, PAIR), "1", "234", "-3 1 1 1"),
    # a ruling moves the total, a slip of paper gives it alone
    ({"bid": 80, "dealer": "1"}, hand(75, adjustments=[{"points": 5, "why": "late"}]), "1", "234", "-3 1 1 1"),
    ({"bid": 80, "dealer": "1"}, {"kind": "hand", "total_only": 75}, "1", "1", "3 -1 -1 -1"),
]


@pytest.mark.parametrize(("bidding", "row", "dealer", "winners", "after"), BIDS)
def test_who_plays_alone_and_what_it_costs(bidding, row, dealer, winners, after):
    state = play(ALONE, {**row, **bidding})
    (result,) = state.entries
    assert (result.dealer, won(result.winners), scores(state)) == (Place(dealer), winners, after)
    assert result.winner_role is (Role.DEALER if winners == dealer else Role.ATTACKERS)
    assert state.next_dealer is None
    assert state.next_level is None
    assert state.levels == {}


def test_a_failed_throw_is_fined_where_the_event_says_so():
    fined = build({"base": "sandayi", "set": {"throw_fine": 10}}, individual=True)
    by_dealer = hand(70, bid=100, dealer="1", throw_failures=[{"place": "1", "cards": 3}])
    by_other = hand(110, bid=100, dealer="1", throw_failures=[{"place": "4", "cards": 3}])
    assert scores(play(ALONE, by_dealer)) == "3 -1 -1 -1"
    assert scores(play(fined, by_dealer)) == "-3 1 1 1"
    assert scores(play(fined, by_other)) == "3 -1 -1 -1"


def test_a_stake_of_the_event_multiplies():
    dearer = build({"base": "sandayi", "set": {"stake": 5}}, individual=True)
    assert scores(play(dearer, hand(80, bid=80, dealer="2"))) == "5 -15 5 5"


def test_all_pass_and_the_cards_are_dealt_again():
    state = play(ALONE, {"kind": "annulled", "reason": "all_passed"})
    assert (state.hands_played, scores(state)) == (0, "0 0 0 0")
    assert state.entries[0].sentence["zh"] == "作废：四家都不叫。重新发牌"


# 二百四 ------------------------------------------------------------------------------------------------------------

POINTS = [
    (shared(80, 60, 50, 40, kitty=10, last="1"), "1", "90 60 50 40"),
    (shared(80, 60, 50, 40, kitty=10, last="4"), "1", "80 60 50 50"),
    (shared(80, 80, 40, 40), "12", "80 80 40 40"),
    (shared(60, 60, 60, 60), "1234", "60 60 60 60"),
    (shared(240, 0, 0, 0), "1", "240 0 0 0"),
    (shared(0, 0, 80, 80, kitty=80, last="3"), "3", "0 0 160 80"),
]


@pytest.mark.parametrize(("row", "winners", "after"), POINTS)
def test_every_player_for_himself(row, winners, after):
    state = play(EVERYONE, row)
    assert (won(state.entries[0].winners), scores(state)) == (winners, after)
    assert sum(state.scores.values()) == EVERYONE.points_max
    assert state.next_level == Level("10")


def test_a_failed_throw_costs_who_threw():
    fined = build({"base": "ersibai", "set": {"throw_fine": 10}}, individual=True)
    row = shared(80, 60, 60, 40, throw_failures=[{"place": "1", "cards": 3}])
    assert scores(play(fined, row)) == "50 60 60 40"
    assert won(play(fined, row).entries[0].winners) == "23"


# 找朋友 ------------------------------------------------------------------------------------------------------------

# the level table for three decks: totals from and to, who gains, how many levels
BANDS = [
    (-120, -65, "dealer", 5),
    (-60, -5, "dealer", 4),
    (0, 0, "dealer", 3),
    (5, 55, "dealer", 2),
    (60, 115, "dealer", 1),
    (120, 175, "attackers", 0),
    (180, 235, "attackers", 1),
    (240, 295, "attackers", 2),
    (300, 355, "attackers", 3),
]


@pytest.mark.parametrize(
    ("total", "role", "count"), [(edge, role, count) for low, high, role, count in BANDS for edge in (low, high)]
)
@pytest.mark.parametrize("ally", ["4", "2"])
def test_levels_of_dealer_and_ally_or_of_all_others(total, role, count, ally):
    captured = max(0, min(total, 300))
    ruled = [{"points": total - captured, "why": "for the test"}] if total != captured else []
    state = play(ALLY, hand(captured, dealer="2", ally=ally, adjustments=ruled))
    mine = {"2", ally}
    gainers = mine if role == "dealer" else set("12345") - mine
    ladder = [str(level) for level in ALLY.ladder]
    assert standing(state) == " ".join(ladder[count] if place in gainers else "2" for place in "12345")
    assert set(won(state.entries[0].winners)) == gainers
    assert state.entries[0].ally == Place(ally)


# opening, hand, standing, winners of the table (empty: it goes on)
CLIMBS = [
    # each climbs from the own level
    ("2 5 9 J 2", hand(60, dealer="3", ally="1"), "3 5 10 J 2", ""),
    ("2 5 9 J 2", hand(240, dealer="3", ally="1"), "2 7 9 K 4", ""),
    # past the last level goes only the dealer who holds the deal at it; the ally and attackers stop there
    ("A 2 A 2 2", hand(60, dealer="1", ally="3"), "past 2 A 2 2", "1"),
    ("2 2 A 2 2", hand(0, dealer="1", ally="3"), "5 2 A 2 2", ""),
    ("2 2 K 2 2", hand(0, dealer="1", ally="3"), "5 2 A 2 2", ""),
    ("K 2 2 2 2", hand(0, dealer="1", ally="1"), "A 2 2 2 2", ""),
    ("2 A Q K 2", hand(300, dealer="1", ally="5"), "2 A A A 2", ""),
    ("A 2 2 2 2", hand(115, dealer="1", ally="1"), "past 2 2 2 2", "1"),
]


@pytest.mark.parametrize(("before", "row", "after", "winners"), CLIMBS)
def test_climbing(before, row, after, winners):
    state = play(ALLY, row, opening=levels(before))
    assert (standing(state), won(state.winners), state.finished) == (after, winners, bool(winners))


def test_any_gain_may_pass_the_last_level_where_the_event_says_so():
    loose = build({"base": "zhaopengyou", "set": {"pass_a": "any"}}, individual=True)
    state = play(loose, hand(60, dealer="1", ally="3"), opening=levels("A 2 A 2 2"))
    assert (standing(state), won(state.winners), state.end_reason) == ("past 2 past 2 2", "13", "passed")
    assert won(play(loose, hand(180, dealer="1", ally="3"), opening=levels("A 2 2 A 2")).winners) == "4"


def test_reaching_the_last_level_may_win():
    quick = build({"base": "zhaopengyou", "set": {"finish": "reach_A"}}, individual=True)
    state = play(quick, hand(60, dealer="1", ally="3"), opening=levels("K 2 K 2 2"))
    assert (standing(state), won(state.winners)) == ("A 2 A 2 2", "13")
    assert state.entries[0].sentence["en"].endswith("seat 1 and seat 3 at A: table over")


def test_the_kitty_dug_counts_for_the_attackers_by_the_shape_led():
    assert play(ALLY, dig(60, 20, TRIPLE, dealer="1", ally="2")).entries[0].total.raw == 60 + 20 * 6
    assert (
        play(ALLY, dig(60, 20, {"type": "tractor", "width": 3, "length": 2}, dealer="1", ally="2")).entries[0].total.raw
        == 60 + 20 * 18
    )


def test_a_throw_by_the_ally_is_fined_against_the_dealer():
    fined = build({"base": "zhaopengyou", "set": {"throw_fine": 10}}, individual=True)

    def raw(place):
        row = hand(100, dealer="1", ally="2", throw_failures=[{"place": place, "cards": 4}])
        return play(fined, row).entries[0].total.raw

    assert [raw(place) for place in "12345"] == [140, 140, 60, 60, 60]


def test_a_level_as_played_is_a_discrepancy_and_may_stand():
    due = play(ALLY, hand(60, dealer="1", ally="2", level="5"))
    assert (standing(due), [one.code for one in due.entries[0].discrepancies]) == ("3 3 2 2 2", ["level_unexpected"])
    stands = play(ALLY, hand(60, dealer="1", ally="2", level="5", treatment="let_stand"))
    assert (standing(stands), scores(stands)) == ("6 3 2 2 2", "4 1 0 0 0")
    assert stands.entries[0].sentence["en"].endswith("win, +1")


# all games ---------------------------------------------------------------------------------------------------------


def test_penalties_change_one_player_and_are_counted():
    state = play(ALLY, {"kind": "penalty", "place": "3", "levels": -2, "why": "late"}, opening=levels("2 2 5 3 2"))
    assert (standing(state), scores(state)) == ("2 2 3 3 2", "0 0 -2 0 0")
    state = play(ALLY, {"kind": "penalty", "place": "4", "levels": -9}, opening=levels("2 2 5 3 2"))
    assert (standing(state), scores(state)) == ("2 2 5 2 2", "0 0 0 -1 0")
    assert state.entries[0].sentence == {
        "en": "Ruling: seat 4, −9 levels (3 → 2)",
        "zh": "判罚：4 号位，−9 级（3 → 2）",
    }
    state = play(ALLY, {"kind": "penalty", "place": "1", "levels": -1, "why": "late"}, opening=levels("2 2 5 3 2"))
    assert state.entries[0].sentence == {
        "en": "Ruling: seat 1 late, −1 level (2 stays, no level is lower)",
        "zh": "判罚：1 号位late，−1 级（2 已是最低级，不变）",
    }
    state = play(
        ALONE,
        {"kind": "penalty", "place": "2", "points": -3},
        {"kind": "penalty", "place": "2", "points": 1, "why": {"en": "appeal", "zh": "申诉"}},
    )
    assert scores(state) == "0 -2 0 0"
    assert [one.penalties for one in results_of(state)] == [0, 1, 0, 0]
    assert state.entries[1].sentence == {"en": "Ruling: seat 2 appeal, +1", "zh": "判罚：2 号位申诉，+1"}


def test_an_officials_result_replaces_a_hand():
    state = play(ALONE, {"kind": "adjusted", "gains": {"1": 2, "3": -2}, "why": "ruling 4"})
    assert (scores(state), state.hands_played) == ("2 0 -2 0", 1)
    state = play(ALLY, {"kind": "adjusted", "gains": {"1": 1, "3": 2}, "dealer": "1"}, opening=levels("A 2 K 2 2"))
    assert (standing(state), won(state.winners)) == ("past 2 A 2 2", "1")


def test_a_table_ends_by_hands_by_time_or_by_a_ruling():
    three = [hand(80, bid=80, dealer="1")] * 3
    state = play(ALONE, *three, hands=3)
    assert (state.finished, state.end_reason, won(state.winners)) == (True, "hands", "234")
    state = play(ALONE, hand(0, bid=80, dealer="1"), TIME)
    assert (state.end_reason, won(state.winners)) == ("time", "1")
    assert state.entries[1].sentence["zh"] == "时间到，打完第 1 副：1 号位胜，得分 3"
    assert play(ALLY, {"kind": "end", "reason": "ruling"}, opening=levels("2 9 3 9 2")).winners == (
        Place.P2,
        Place.P4,
    )


def test_who_leaves_keeps_his_score_and_wins_nothing():
    ahead = hand(0, bid=80, dealer="1")
    state = play(ALONE, ahead, {"kind": "end", "reason": "left", "by": "1"})
    assert (scores(state), state.end_reason, won(state.winners)) == ("3 -1 -1 -1", "left", "234")
    assert state.entries[1].sentence == {
        "en": "Seat 1 has left: seat 2 and seat 3 and seat 4 share it, with −1",
        "zh": "1 号位离场：2 号位与3 号位与4 号位并列，得分 −1",
    }
    state = play(ALLY, {"kind": "end", "reason": "left", "by": "2"}, opening=levels("2 9 3 9 2"))
    assert won(state.winners) == "4"


@pytest.mark.parametrize(
    ("profile", "entry", "said"),
    [
        (ALONE, hand(83, bid=80, dealer="1"), "三家得分要是 5 的倍数，你写的是 83。"),
        (ALONE, {**hand(80, bid=80, dealer="1"), "captured_in_tricks": "x"}, "三家得分要是整数，你写的是 “x”。"),
        (ALLY, {"kind": "hand", "ally": "2", "captured_in_tricks": 83}, "闲家得分要是 5 的倍数，你写的是 83。"),
    ],
)
def test_points_are_named_as_players_of_the_game_name_them(profile, entry, said):
    try:
        found = check_entry(profile, read_entry(profile, entry))
    except Refused as refused:
        found = refused.findings
    assert said in [one.message["zh"] for one in found]


def test_annulled_hands_change_nothing_but_the_number_of_entries():
    opening = IndividualOpening(levels("2 3 4 5 6").levels, Place.P2)
    state = play(ALLY, {"kind": "annulled", "reason": "misdeal"}, opening=opening)
    assert (standing(state), state.next_dealer, state.hands_played, state.entry_count) == ("2 3 4 5 6", "2", 0, 1)
    assert state.next_level == Level("3")


def test_the_first_dealer_deals_and_then_every_deal_is_contested():
    opening = IndividualOpening.first(ALLY, Place.P3)
    state = play(ALLY, hand(60, ally="1"), opening=opening)
    assert (state.entries[0].dealer, state.next_dealer, state.contested) == (Place.P3, None, True)
    other = play(ALLY, hand(60, dealer="2", ally="1"), opening=opening)
    assert [one.code for one in other.entries[0].discrepancies] == ["dealer_unexpected"]
    assert not other.entries[0].discrepancies[0].blocking


SENTENCES = [
    (
        ALONE,
        hand(100, bids={"1": 110, "2": 95}),
        "叫 95，三家得 100 → 三家胜",
        "Bid 95, the three took 100 → the three win",
    ),
    (
        ALONE,
        dig(40, 10, PAIR, bid=95, dealer="2"),
        "叫 95，三家得 40 + 底牌 10×4 = 80 → 庄家 2 号位胜",
        "Bid 95, the three took 40 + kitty 10×4 = 80 → seat 2, who dealt, wins alone",
    ),
    (
        EVERYONE,
        shared(80, 60, 60, 30, kitty=10, last="4"),
        "1 号位 80，2 号位 60，3 号位 60，4 号位 30；底牌 10 归 4 号位 → 1 号位得分最高，80 分",
        "seat 1 80, seat 2 60, seat 3 60, seat 4 30; kitty 10 to seat 4 → seat 1 takes most, 80",
    ),
    (
        ALLY,
        hand(60, dealer="1", ally="3"),
        "闲家 60 → 庄家 1 号位与盟友 3 号位胜，升 1 级",
        "Attackers 60 → dealer seat 1 and ally seat 3 win, +1",
    ),
    (
        ALLY,
        hand(0, dealer="1", ally="1"),
        "闲家 0 → 庄家 1 号位独庄胜，升 3 级（大光）",
        "Attackers 0 → dealer seat 1 wins without an ally, +3 (big win)",
    ),
    (ALLY, hand(120, dealer="1", ally="3"), "闲家 120 → 闲家胜，不升级", "Attackers 120 → attackers win, +0"),
]


@pytest.mark.parametrize(("profile", "row", "zh", "en"), SENTENCES)
def test_what_a_hand_did_in_words(profile, row, zh, en):
    sentence = play(profile, row).entries[0].sentence
    assert dict(sentence) == {"en": en, "zh": zh}


def test_every_hand_cites_the_clauses_that_decided():
    rows = {
        "sandayi": dig(60, 10, PAIR, bid=100, dealer="1"),
        "ersibai": shared(80, 60, 50, 50),
        "zhaopengyou": dig(60, 10, PAIR, dealer="1", ally="2"),
    }
    assert set(rows) == set(individual_ids())
    for name, row in rows.items():
        profile = load(name, individual=True)
        cited = [reason.clause.topic for reason in play(profile, row).entries[0].because]
        assert "kitty.dig" in cited
        assert {"alone": "bid", "everyone": "winner", "ally": "ally"}[profile.division] in cited
        assert not fold(profile, IndividualOpening.first(profile), [read_entry(profile, row)]).entries[0].because


# refusals ----------------------------------------------------------------------------------------------------------

REFUSED = [
    (ALONE, hand(80, bids={"1": 100, "2": 100}), ["bid_twice"]),
    (ALONE, hand(80, bids={"1": 75}), ["bid_not_here"]),
    (ALONE, hand(80, bids={"1": None}), ["bid_missing"]),
    (ALONE, hand(80, bids={"5": 100}), ["unknown_field"]),
    (ALONE, hand(83, bid=80, dealer="5"), ["unknown_value", "not_a_multiple_of_5"]),
    (ALONE, hand(True, bid=80.0, dealer=1), ["unknown_value", "not_a_whole_number", "not_a_whole_number"]),
    (ALONE, hand(80, bid=80, dealer="1", ally="2", points={"1": 3}, level="2"), ["unknown_field"] * 3),
    (ALONE, {"kind": "penalty", "place": "1", "levels": -1}, ["missing", "unknown_field"]),
    (ALONE, {"kind": "penalty", "place": "1", "points": 0}, ["penalty_of_nothing"]),
    (ALLY, {"kind": "penalty", "place": "6", "levels": 0}, ["unknown_value", "penalty_of_nothing"]),
    (ALLY, {"kind": "annulled", "reason": "all_passed"}, ["unknown_value"]),
    (ALLY, hand(60, dealer="1"), ["missing"]),
    (ALLY, hand(60, dealer="1", ally="2", bids={"1": 100}), ["unknown_field"]),
    (ALLY, hand(60, dealer="1", ally="2", call={"card": "S1", "ordinal": 4}), ["out_of_range"]),
    (ALLY, hand(60, dealer="1", ally="2", call={"card": "S1"}), ["card_unknown"]),
    (ALLY, hand(60, dealer="1", ally="2", level="B"), ["level_not_on_ladder"]),
    (ALLY, hand(60, dealer="1", ally="2", throw_failures=[{"place": "9", "cards": 2}]), ["unknown_value"]),
    (ALLY, {"kind": "adjusted", "gains": {"1": -1}}, ["out_of_range"]),
    (ALLY, {"kind": "adjusted"}, ["missing"]),
    (
        EVERYONE,
        {"kind": "hand", "points": {"1": 240}, "kitty_points": 0},
        ["missing"] * 3 + ["last_trick_place_missing"],
    ),
    (EVERYONE, {"kind": "end", "reason": "forfeit"}, ["missing"]),
    (EVERYONE, {"kind": "end", "reason": "left"}, ["missing"]),
    (EVERYONE, {"kind": "end", "reason": "left", "by": "5"}, ["unknown_value"]),
    (EVERYONE, {"kind": "end", "reason": "time", "by": "1"}, ["unknown_field"]),
    (EVERYONE, {"kind": "level_penalty", "side": "NS", "levels": 1}, ["unknown_value"]),
    (EVERYONE, [], ["wrong_type"]),
]


@pytest.mark.parametrize(("profile", "row", "codes"), REFUSED)
def test_what_cannot_be_read_is_refused_with_every_finding(profile, row, codes):
    with pytest.raises(Refused) as refused:
        read_entry(profile, row)
    assert sorted(one.code for one in refused.value.findings) == sorted(codes)


FINDINGS = [
    (ALONE, hand(80, bid=82, dealer="1"), ["bid_not_here"]),
    (ALONE, hand(80, bid=75, dealer="1"), ["bid_not_here"]),
    (ALONE, hand(80, bid=125, dealer="1"), ["bid_not_here"]),
    (ALONE, hand(80, dealer="1"), ["bid_unknown"]),
    (ALONE, hand(80, bid=80), ["dealer_missing"]),
    (ALONE, hand(80), ["bid_unknown", "dealer_missing"]),
    (ALONE, hand(80, bids={"1": 100}, dealer="2"), ["dealer_not_bidder"]),
    (ALONE, hand(80, bids={"1": 100}, bid=95), ["bid_and_bids"]),
    (ALONE, hand(205, bid=80, dealer="1"), ["above_deck_total"]),
    (ALONE, dig(60, 10, TRIPLE, bid=80, dealer="1"), ["shape_not_here"]),
    (ALONE, dig(60, 10, bid=80, dealer="1"), ["shape_missing"]),
    (EVERYONE, shared(80, 60, 50, 45), ["points_not_conserved"]),
    (EVERYONE, shared(80, 60, 50, 50, kitty=5), ["points_not_conserved"]),
    (EVERYONE, shared(83, 57, 50, 50), ["not_a_multiple_of_5"] * 2),
    (EVERYONE, shared(-5, 245, 0, 0), ["out_of_range"] * 2),
    (EVERYONE, shared(50, 50, 25, 25, kitty=90), ["kitty_too_rich"]),
    (ALLY, hand(60, ally="2"), ["dealer_missing"]),
    (ALLY, hand(305, dealer="1", ally="2"), ["above_deck_total"]),
    (ALLY, dig(60, 75, PAIR, dealer="1", ally="2"), ["kitty_too_rich"]),
    (ALLY, hand(60, dealer="1", ally="2", level="3"), ["level_unexpected"]),
    (ALLY, hand(60, dealer="1", ally="2", throw_failures=[{"place": "3", "cards": 32}]), ["throw_size"]),
]


@pytest.mark.parametrize(("profile", "row", "codes"), FINDINGS)
def test_what_a_new_entry_shows(profile, row, codes):
    state = start(profile, IndividualOpening.first(profile))
    found = check_next(profile, state, read_entry(profile, row))
    assert sorted(one.code for one in found) == codes
    assert all(set(one.message) == {"en", "zh"} and "{" not in one.message["zh"] for one in found)


def test_sound_hands_show_nothing():
    for profile, row in ((ALONE, BIDS[1][1] | BIDS[1][0]), (EVERYONE, POINTS[0][0]), (ALLY, CLIMBS[0][1])):
        assert check_entry(profile, read_entry(profile, row)) == ()


def test_nothing_follows_the_end_and_the_last_hand_is_not_announced_early():
    over = play(ALONE, TIME)
    assert [one.code for one in check_next(ALONE, over, read_entry(ALONE, TIME))] == ["match_over"]
    with pytest.raises(Refused):
        step(ALONE, Conditions(), over, read_entry(ALONE, TIME))
    early = check_next(ALONE, play(ALONE), read_entry(ALONE, TIME | {"reason": "hands"}), Conditions(hands=2))
    assert [one.code for one in early] == ["hands_too_few"]


OPENINGS = [
    (ALLY, {"levels": {"1": "2"}}, ["missing"] * 4),
    (ALLY, {"levels": {"1": "2", "2": "2", "3": "2", "4": "2", "5": "B"}}, ["unknown_value"]),
    (ALLY, {"first_dealer": "6"}, ["unknown_value"]),
    (ALONE, {"levels": {"1": "2"}}, ["unknown_field"]),
    (ALONE, {"first_dealer": "5"}, ["unknown_value"]),
    (ALONE, {"first_dealer": "4"}, ["first_dealer_by_bids"]),
    (EVERYONE, "2", ["wrong_type"]),
]


@pytest.mark.parametrize(("profile", "data", "codes"), OPENINGS)
def test_openings_that_are_none(profile, data, codes):
    with pytest.raises(Refused) as refused:
        IndividualOpening.from_json(data, profile)
    assert [one.code for one in refused.value.findings] == codes


def test_openings_come_back_from_json():
    for profile in (EVERYONE, ALLY):
        opening = IndividualOpening.first(profile, Place.P4)
        assert IndividualOpening.from_json(opening.to_json(), profile) == opening
        assert IndividualOpening.from_json(opening.to_json()) == opening
        assert IndividualOpening.from_json({"first_dealer": "4"}, profile) == opening


NONSENSE = [
    ("sandayi", {"division": "everyone"}, "bidding"),
    ("sandayi", {"division": "sides"}, "division"),
    ("sandayi", {"bidding": None}, "bidding"),
    ("sandayi", {"stake": None}, "stake"),
    ("sandayi", {"ladder": ["A"]}, "ladder"),
    ("ersibai", {"ladder": ["9", "10"]}, "ladder"),
    ("zhaopengyou", {"ladder": []}, "ladder"),
    ("sandayi", {"tractor_level_joker": False}, "tractor_level_joker"),
    ("sandayi", {"finish": "pass_A"}, "finish"),
    ("ersibai", {"stake": 1}, "stake"),
    ("ersibai", {"players": 5}, "deal_sizes"),
    ("zhaopengyou", {"finish": "wrap"}, "finish"),
    ("zhaopengyou", {"bidding": {"high": 120, "low": 80, "step": 5}}, "bidding"),
    ("zhaopengyou", {"last_trick": "cards_times_points"}, "last_trick"),
    ("zhaopengyou", {"hook_levels": ["J"]}, "hook_levels"),
    ("sandayi", {"step": 20}, "step"),
    ("sandayi", {"rebellion": True}, "rebellion"),
    ("ersibai", {"kitty_scheme": "cards_x2"}, "kitty_scheme"),
    ("ersibai", {"timed_tie": "lots"}, "timed_tie"),
    ("scn2-2013", {"division": "everyone"}, "division"),
    ("scn2-2013", {"stake": 1}, "stake"),
    ("scn2-2013", {"players": 5, "deal_sizes": {"2": [20, 8]}}, "players"),
    ("scn2-2013", {"players": 3}, "players"),
]


@pytest.mark.parametrize(("base", "changes", "field"), NONSENSE)
def test_divisions_that_make_no_sense_are_refused(base, changes, field):
    with pytest.raises(ProfileError) as error:
        build({"base": base, "set": changes}, individual=True)
    assert error.value.field == field


def test_a_game_of_four_with_allies_and_more_cards_can_be_built():
    four = build({"base": "zhaopengyou", "set": {"players": 4, "deal_sizes": {"3": [39, 6]}}}, individual=True)
    assert places(four) == (Place.P1, Place.P2, Place.P3, Place.P4)
    assert standing(play(four, hand(60, dealer="1", ally="3"))) == "3 2 3 2"


def test_individual_games_are_listed_apart_and_say_what_is_by_analogy():
    assert individual_ids() == ("ersibai", "sandayi", "zhaopengyou")
    assert not set(individual_ids()) & set(profile_ids())
    for name in individual_ids():
        profile = load(name, individual=True)
        assert profile.game == "individual"
        assert any(not clause.stated for clause in profile.clauses.values())
        items = {item for clause in profile.clauses.values() for item in clause.source["items"]}
        assert {"sandayi": "S4-RV-25", "ersibai": "S4-RV-26", "zhaopengyou": "S4-RV-27"}[name] in items
        two_sided = {"hook", "no_hook", "rebellion", "no_rebellion", "dealer.kept", "dealer.lost", "lead", "timed_tie"}
        assert not two_sided & set(profile.topics)
        for clause in profile.clauses.values():
            assert clause.text["en"].endswith(".")
            assert clause.text["zh"].endswith("。")


# laws --------------------------------------------------------------------------------------------------------------

fives = st.integers(0, 40).map(lambda n: 5 * n)
seats = st.sampled_from("1234")
penalties = st.fixed_dictionaries({"kind": st.just("penalty"), "place": seats, "points": st.integers(1, 50)})
alone_hands = st.builds(
    lambda dealer, bid, captured: hand(captured, dealer=dealer, bid=bid), seats, st.sampled_from([80, 95, 120]), fives
)
ally_hands = st.builds(
    lambda dealer, ally, captured: hand(captured, dealer=dealer, ally=ally),
    st.sampled_from("12345"),
    st.sampled_from("12345"),
    st.integers(0, 60).map(lambda n: 5 * n),
)


@st.composite
def everyone_hands(draw):
    cuts = sorted(draw(st.lists(st.integers(0, 48), min_size=3, max_size=3)))
    edges = [0, *cuts, 48]
    return shared(*(5 * (b - a) for a, b in pairwise(edges)), last=draw(seats))


LEDGERS = st.one_of(
    st.tuples(st.just(ALONE), st.lists(alone_hands, max_size=12)),
    st.tuples(st.just(EVERYONE), st.lists(everyone_hands(), max_size=12)),
    st.tuples(st.just(ALLY), st.lists(ally_hands, max_size=12)),
)


def through(profile, rows, opening):
    """The state after as many rows as can be played before the table is over."""
    state, results = start(profile, opening), []
    for row in rows:
        if state.finished:
            break
        state, result = step(profile, Conditions(), state, read_entry(profile, row), reasons=True)
        results.append(result)
    return state, results


@given(LEDGERS)
def test_folding_at_once_is_folding_step_by_step(ledger):
    profile, rows = ledger
    opening = IndividualOpening.first(profile)
    state, results = through(profile, rows, opening)
    whole = play(profile, *rows[: len(results)], opening=opening)
    assert whole.entries == tuple(results)
    assert whole.position == state.position
    assert whole.entry_count == len(results)
    assert json.loads(json.dumps(whole.to_json())) == whole.to_json()
    for before, after in pairwise(results):
        assert before.after == after.before


@given(st.lists(alone_hands, max_size=12))
def test_units_are_a_zero_sum(rows):
    assert sum(play(ALONE, *rows).scores.values()) == 0


@given(st.lists(everyone_hands(), max_size=12))
def test_points_are_conserved(rows):
    assert sum(play(EVERYONE, *rows).scores.values()) == 240 * len(rows)


@given(st.lists(ally_hands, max_size=12))
def test_a_score_of_levels_is_the_height_above_the_opening(rows):
    opening = levels("2 9 K A Q")
    state, _ = through(ALLY, rows, opening)
    assert len(results_of(state)) == ALLY.players
    for one in results_of(state):
        height = ALLY.ladder.index(None if one.passed else one.level)
        assert one.score == height - ALLY.ladder.index(opening.levels[one.place])


@given(LEDGERS, st.integers(1, 3))
def test_who_sits_where_does_not_matter(ledger, turn):
    profile, rows = ledger
    count = profile.players

    def turned(place):
        return str((int(place) - 1 + turn) % count + 1)

    def moved(row):
        row = dict(row)
        for name in ("dealer", "ally", "last_trick_place"):
            if name in row:
                row[name] = turned(row[name])
        if "points" in row:
            row["points"] = {turned(place): points for place, points in row["points"].items()}
        return row

    first = IndividualOpening.first(profile)
    state, _ = through(profile, rows, first)
    other, _ = through(profile, [moved(row) for row in rows], first)
    assert {turned(place): score for place, score in state.scores.items()} == dict(other.scores)
    assert {turned(place) for place in state.winners} == set(other.winners)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = [
    "dealer",
    "level",
    "trump",
    "bids",
    "bid",
    "ally",
    "call",
    "points",
    "last_trick_place",
    "captured_in_tricks",
    "last_trick_winner",
    "led",
    "kitty_points",
    "winning_category",
    "throw_failures",
    "adjustments",
    "total_only",
    "treatment",
    "place",
    "levels",
    "why",
    "gains",
    "reason",
]


@pytest.mark.long
@given(
    st.sampled_from([ALONE, EVERYONE, ALLY]),
    st.sampled_from(["hand", "annulled", "penalty", "adjusted", "end"]),
    st.dictionaries(st.sampled_from(FIELDS), anything, max_size=6),
)
def test_any_json_is_an_entry_or_refused(profile, kind, fields):
    try:
        entry = read_entry(profile, {**fields, "kind": kind})
    except Refused as refused:
        entry, found = None, refused.findings
    assert found if entry is None else read_entry(profile, entry.to_json()) == entry


def test_hands_come_back_from_json():
    rows = [
        (ALONE, dig(60, 10, PAIR, bids={"1": 100, "4": 80}, trump="S", throw_failures=[{"place": "2", "cards": 2}])),
        (EVERYONE, shared(80, 60, 50, 40, kitty=10, dealer="2", level="10", trump="NT")),
        (ALLY, hand(60, dealer="1", ally="2", level="2", call={"card": "SA", "ordinal": 2}, treatment="let_stand")),
    ]
    for profile, row in rows:
        entry = read_entry(profile, row)
        assert isinstance(entry, IndividualHand)
        assert entry.to_json() == row
        assert read_entry(profile, entry.to_json()) == entry


def test_a_long_ledger_is_folded_to_its_end():
    long = build({"base": "zhaopengyou", "set": {"threshold": 300}}, individual=True)
    rows = [read_entry(long, hand(300, dealer="1", ally="2"))] * 2_000
    state = fold(long, IndividualOpening.first(long), rows)
    assert state.hands_played == len(state.entries) == 2_000


def test_sheets_made_in_code_hold_typed_values():
    made = IndividualHand(dealer=Place.P1, bid=Points(80), captured_in_tricks=Points(75), last_trick_winner=Role.DEALER)
    assert made == read_entry(ALONE, hand(75, dealer="1", bid=80))

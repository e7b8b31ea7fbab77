from __future__ import annotations

import pytest

from scoring.hands.outcomes import Hook, LevelResult, hand_outcome, hook, level_result, next_dealer, rebellion_allowed
from scoring.profiles import build, load
from scoring.values import Card, Level, Role, Seat, Side, Trump

SCN2 = load("scn2-2013")
NATIONAL_HOOK = build(
    {"base": "cn-national-2d", "set": {"hook_card": "any", "hook_levels": ["J"], "hook_needs_takeover": False}}
)
WIKI_HOOK = build(
    {"base": "wiki-classic", "set": {"hook_card": "any", "hook_levels": ["J", "A"], "hook_needs_takeover": False}}
)

CITED = [
    ("scn2-2013", 0, ["scn2.table.zero"]),
    ("scn2-2013", -30, ["scn2.floor", "scn2.table.zero"]),
    ("scn2-2013", 35, ["scn2.table.below"]),
    ("scn2-2013", 80, ["scn2.table.line"]),
    ("scn2-2013", 120, ["scn2.table.above"]),
    ("scn2-2013-step20", 100, ["scn2-step.table.above"]),
    ("cn-national-2d", -5, ["cn.table.negative"]),
    ("cn-national-1d", 40, ["cn.table.line"]),
    ("online-super", 400, ["super.table.above", "super.levels_cap"]),
]


@pytest.mark.parametrize(("profile", "total", "clauses"), CITED)
def test_the_table_cites_its_row(profile, total, clauses):
    assert [reason.clause.id for reason in level_result(load(profile), total).because] == clauses


@pytest.mark.parametrize(
    ("dealer", "event", "changes", "expected"),
    [
        ("S", "hand", False, "N"),
        ("S", "hand", True, "E"),
        ("E", "hand", True, "N"),
        ("N", "hand", True, "W"),
        ("W", "hand", True, "S"),
        ("W", "hand", False, "E"),
        ("S", "rebellion", False, "N"),
        ("S", "misdeal", False, "S"),
        ("W", "redeal", False, "W"),
        ("E", "ruling", False, "E"),
    ],
)
def test_next_dealers(dealer, event, changes, expected):
    assert next_dealer(Seat(dealer), event, deal_changes_hands=changes) == expected


# profile, dealer level, trump, winning cards, won by them, total, hooked before -> hooked
HOOKS = [
    (SCN2, "J", "S", "SJ", True, 85, 0, True),
    (SCN2, "J", "S", "SJ", True, 80, 0, True),
    (SCN2, "J", "S", "SJ", True, 75, 0, False),
    (SCN2, "J", "S", "S9 S9 SJ SJ", True, 120, 0, True),
    (SCN2, "J", "S", "HJ", True, 85, 0, False),
    (SCN2, "J", "H", "HJ", True, 85, 0, True),
    (SCN2, "J", "NT", "SJ", True, 85, 0, False),
    (SCN2, "10", "S", "SJ", True, 120, 0, False),
    (SCN2, "10", "S", "S10", True, 120, 0, False),
    (SCN2, "J", "S", "SJ", False, 85, 0, False),
    (SCN2, "J", "S", "JS", True, 85, 0, False),
    (SCN2, "J", "S", "SJ", True, 85, 1, False),
    (SCN2, "J", "S", "", True, 85, 0, False),
    (load("scn3-2026"), "J", "S", "SJ", True, 160, 5, True),
    (NATIONAL_HOOK, "J", "S", "HJ", True, 60, 0, True),
    (NATIONAL_HOOK, "J", "S", "HJ", True, -5, 9, True),
    (WIKI_HOOK, "A", "S", "DA", True, 60, 0, True),
    (WIKI_HOOK, "J", "S", "DA", True, 60, 0, False),
    (WIKI_HOOK, "J", "NT", "DJ", True, 60, 0, True),
    (load("cn-national-2d"), "J", "S", "SJ", True, 160, 0, False),
]


@pytest.mark.parametrize(("profile", "level", "trump", "cards", "won", "total", "before", "hooked"), HOOKS)
def test_hooks(profile, level, trump, cards, won, total, before, hooked):
    verdict = hook(
        profile,
        dealer_level=Level(level),
        trump=Trump(trump),
        winning_play=[Card.parse(text) for text in cards.split()],
        won_by_that_play=won,
        attackers_total=total,
        hooked_before=before,
    )
    assert verdict.hook == hooked
    assert verdict.level == (Level("2") if hooked else None)
    assert verdict.because


def test_the_hook_goes_to_the_first_level_of_the_ladder():
    short = build({"base": "scn2-2013", "set": {"ladder": ["9", "10", "J", "Q", "K", "A"]}})
    verdict = hook(
        short,
        dealer_level=Level("J"),
        trump=Trump.S,
        winning_play=[Card("S", "J")],
        won_by_that_play=True,
        attackers_total=80,
        hooked_before=0,
    )
    assert verdict.level == Level("9")


def play(profile, dealer, ns, ew, total, hooked=None):
    outcome = hand_outcome(
        profile,
        dealer=Seat(dealer),
        levels={Side.NS: Level(ns), Side.EW: Level(ew)},
        result=level_result(profile, total),
        hook=Hook(hook=True, level=Level(hooked)) if hooked else Hook(hook=False),
    )
    return f"{outcome.levels[Side.NS]}:{outcome.levels[Side.EW]} {outcome.next_dealer}", outcome


@pytest.mark.parametrize(
    ("profile", "dealer", "ns", "ew", "total", "after"),
    [
        ("scn2-2013", "S", "2", "2", 35, "4:2 N"),
        ("scn2-2013", "S", "2", "2", 80, "2:2 E"),
        ("scn2-2013", "S", "2", "2", 165, "2:4 E"),
        ("scn2-2013", "E", "5", "9", 20, "5:10 W"),
        ("scn2-2013", "N", "J", "K", 120, "J:A W"),
        ("scn2-2013", "N", "J", "Q", 165, "J:K W"),
        ("scn2-2013", "N", "J", "A", 165, "J:A W"),
        ("scn3-2026", "N", "9", "2", 0, "Q:2 S"),
        ("cn-national-2d", "N", "K", "2", -45, "A:2 S"),
        ("online-super", "N", "A", "2", 40, "2:2 S"),
    ],
)
def test_hands(profile, dealer, ns, ew, total, after):
    assert play(load(profile), dealer, ns, ew, total)[0] == after


def test_the_hook_overrules_a_held_deal_even_at_the_last_level():
    after, outcome = play(WIKI_HOOK, "N", "K", "5", 60, hooked="2")
    assert after == "2:5 S"
    assert outcome.winner is None
    assert not outcome.deal_changes_hands


def test_a_loser_keeps_its_level_and_a_hooked_side_does_not():
    assert play(SCN2, "N", "J", "5", 85)[0] == "J:5 W"
    assert play(SCN2, "N", "J", "5", 125, hooked="2")[0] == "2:6 W"


@pytest.mark.parametrize(
    ("profile", "level", "won"), [("scn2-2013", "A", True), ("wiki-classic", "K", True), ("online-super", "A", False)]
)
def test_winning_the_match(profile, level, won):
    _, outcome = play(load(profile), "W", "2", level, 60)
    assert (outcome.winner is Side.EW) == won
    assert (outcome.passed is Side.EW) == (profile == "scn2-2013")
    assert ([reason.clause.topic for reason in outcome.because].count("finish") == 1) == won


def test_the_most_levels_on_paper_cost_one_step():
    wiki = load("wiki-classic")
    outcome = hand_outcome(
        wiki, dealer=Seat.N, levels={Side.NS: Level("2"), Side.EW: Level("2")}, result=level_result(wiki, 1_342_177_400)
    )
    assert (outcome.levels_won, outcome.levels[Side.EW], outcome.winner) == (33_554_433, Level("A"), Side.EW)


def test_an_adjusted_result_may_split_gain_and_deal():
    result = LevelResult(Role.DEALER, 1, deal_changes_hands=True)
    outcome = hand_outcome(SCN2, dealer=Seat.N, levels={Side.NS: Level("A"), Side.EW: Level("2")}, result=result)
    assert outcome.levels[Side.NS] == Level("A")
    assert outcome.winner is None
    assert outcome.next_dealer is Seat.W


# role, points, trumps, trump, buried, previous -> allowed
REBELLIONS = [
    ("attackers", 15, 9, "S", False, False, True),
    ("attackers", 20, 9, "S", False, False, False),
    ("attackers", 20, 3, "S", False, False, True),
    ("attackers", 20, 4, "S", False, False, False),
    ("attackers", 20, 3, "NT", False, False, False),
    ("attackers", 15, 3, "NT", False, False, True),
    ("dealer", 0, 0, "S", False, False, False),
    ("attackers", 10, 2, "S", True, False, False),
    ("attackers", 10, 2, "S", False, True, False),
]


@pytest.mark.parametrize(("role", "points", "trumps", "trump", "buried", "previous", "expected"), REBELLIONS)
def test_rebellions(role, points, trumps, trump, buried, previous, expected):
    facts = {
        "role": Role(role),
        "hand_points": points,
        "trump_count": trumps,
        "trump": Trump(trump),
        "buried_kitty": buried,
        "previous_hand_was_rebellion": previous,
    }
    allowed, because = rebellion_allowed(SCN2, **facts)
    assert allowed == expected
    assert because
    assert rebellion_allowed(load("cn-national-2d"), **facts)[0] is False

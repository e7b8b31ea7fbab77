"""Worked cases are real hands: the fold accepts them, and what they show is what the clause says."""

from __future__ import annotations

import pytest

from scoring.explaining.worked_cases import worked_cases
from scoring.hands.sheets import read_entry
from scoring.individual import fold, sheets, states
from scoring.profiles import build, individual_ids, load, profile_ids
from scoring.sittings.checks import check_next
from scoring.sittings.fold import start, step
from scoring.sittings.states import Conditions, Opening

VARIANTS = [
    *profile_ids(),
    {"base": "scn2-2013", "set": {"hook_card": "any", "hook_needs_takeover": False, "hook_limit": None}},
    {"base": "cn-national-2d", "set": {"score_cap": 200, "dig_trump_only": True, "hook_levels": ["J"]}},
    {"base": "cn-national-2d", "set": {"threshold": 5, "step": 5, "hook_levels": ["J"]}},
    {"base": "cn-national-2d", "set": {"ladder": ["5", "10", "K"], "must_play": ["5", "10", "K"]}},
    {"base": "cn-national-2d", "set": {"ladder": ["10"], "must_play": []}},
    {"base": "cn-national-2d", "set": {"finish": "wrap", "must_play": ["10"]}},
    {"base": "cn-national-2d", "set": {"pass_a": "any", "must_play": []}},
    {"base": "nanning-4d", "set": {"hook_levels": ["J"]}},
    {"base": "online-2d", "set": {"after_A": ["joker", "no_trump"], "joker_declare": "colour"}},
    {"base": "chaodipi", "set": {"flag_failures": 1}},
]


@pytest.mark.parametrize("spec", VARIANTS, ids=str)
def test_every_case_is_a_hand_that_can_be_entered(spec):
    profile = build(spec)
    cases = worked_cases(profile)
    assert cases
    for case in cases:
        state = start(Opening.from_json(case.opening, profile))
        for row in case.ledger:
            entry = read_entry(profile, row)
            assert not [one.code for one in check_next(profile, state, entry) if one.blocking], case.case
            state, result = step(profile, Conditions(), state, entry, reasons=True)
        assert (result.sentence, result.levels_sentence) == (case.sentence, case.levels)
        assert case.clause is None or case.clause.id in profile.clauses
        assert all(case.case.values())


#: What the source documents let a side come to, typed from them: profile, kind, case, levels line.
SHOWN = [
    (
        "chaodipi",
        "jump",
        "The dealer side declare with a pair of red fives, 75 points in all",
        "N–S 2 → A, E–W 2; next: North deals, playing A",
    ),
    (
        "chaodipi",
        "jump",
        "The dealer side declare with a pair of red fives, 80 points in all",
        "N–S 2, E–W 2 → A; next: East deals, playing A",
    ),
    (
        "chaodipi",
        "jump",
        "Attackers dig with a pair of red fives, 75 points in all",
        "N–S 2 → A, E–W 2; next: North deals, playing A",
    ),
    (
        "chaodipi",
        "jump",
        "Attackers dig with 510K, 75 points in all",
        "N–S 2, E–W 2 → A; next: North deals, playing 2",
    ),
    (
        "chaodipi",
        "flag",
        "The dealer side lose the deal at the flag; such failures running: 3",
        "N–S flag → 2, E–W 2; next: East deals, playing 2",
    ),
    (
        "chaodipi",
        "dark_bid",
        "Attackers bid face down out of order once",
        "N–S 2 → J, E–W 2; next: North deals, playing J",
    ),
    ("scn2-2013", "zero", "No points at all", "N–S 2 → 5, E–W 2; next: North deals, playing 5"),
    ("cn-national-2d", "line", "80 points", "N–S 2, E–W 2; next: East deals, playing 2"),
    (
        "scn2-2013",
        "must_play",
        "Attackers playing 9 get 160 points, worth two levels",
        "N–S 2, E–W 9 → 10; next: East deals, playing 10",
    ),
    (
        "scn2-2013",
        "must_play",
        "Attackers playing 10 get 120 points, worth one level",
        "N–S 2, E–W 10 → J; next: East deals, playing J",
    ),
    (
        "cn-national-2d",
        "must_play",
        "Attackers playing A get 120 points, worth one level",
        "N–S 2, E–W A; next: East deals, playing A",
    ),
    (
        "scn2-2013",
        "hook",
        "The trump J wins the last trick for the attackers, 80 points in all",
        "N–S J → 2, E–W 2; next: East deals, playing 2",
    ),
    (
        "scn2-2013",
        "hook",
        "A J of another suit wins it, 80 points in all",
        "N–S J, E–W 2; next: East deals, playing 2",
    ),
    (
        "scn2-2013",
        "hook",
        "The same side is dug like that a second time",
        "N–S J, E–W 2; next: East deals, playing 2",
    ),
    (
        "wiki-classic",
        "finish",
        "Attackers playing K get 120 points, worth one level",
        "N–S 2, E–W K → A; match over",
    ),
    (
        "online-super",
        "finish",
        "The dealer side, playing A, hold the deal",
        "N–S A → 2, E–W 2; next: North deals, playing 2",
    ),
    (
        "cn-national-2d",
        "below_zero",
        "20 points, and attackers fail with a throw of 5 cards",
        "N–S 2 → 6, E–W 2; next: North deals, playing 6",
    ),
    (
        "scn2-2013",
        "below_zero",
        "20 points, and attackers fail with a throw of 5 cards",
        "N–S 2 → 5, E–W 2; next: North deals, playing 5",
    ),
    (
        "scn2-2013",
        "order",
        "The same fine and a dig with a single, 30 points in the kitty",
        "N–S 2 → 4, E–W 2; next: North deals, playing 4",
    ),
]


@pytest.mark.parametrize(("profile", "kind", "case", "levels"), SHOWN)
def test_what_the_cases_show(profile, kind, case, levels):
    shown = [one.levels["en"] for one in worked_cases(load(profile)) if (one.kind, one.case["en"]) == (kind, case)]
    assert shown == [levels]


def test_a_case_names_the_clause_that_decides():
    clauses = {(one.kind, one.clause.id) for one in worked_cases(load("scn2-2013")) if one.clause is not None}
    assert {
        ("must_play", "scn2.must_play"),
        ("must_play", "scn2.pass_a"),
        ("hook", "scn2.hook_limit"),
        ("below_zero", "scn2.floor"),
        ("fine", "scn2.throw_fine"),
        ("dig", "scn2.kitty.pair"),
    } <= clauses


@pytest.mark.parametrize("profile_id", individual_ids())
def test_cases_of_single_players_can_be_entered_too(profile_id):
    profile = load(profile_id, individual=True)
    cases = worked_cases(profile)
    assert cases
    for case in cases:
        opening = states.IndividualOpening.from_json(case.opening, profile)
        (entry,) = (sheets.read_entry(profile, row) for row in case.ledger)
        found = fold.check_next(profile, fold.start(profile, opening), entry)
        assert not [one.code for one in found if one.blocking], case.case
        (result,) = fold.fold(profile, opening, [entry], reasons=True).entries
        assert (result.sentence, result.scores_sentence) == (case.sentence, case.levels)
        assert case.clause is None or case.clause.id in profile.clauses
        assert case.clause is None or case.clause.id in {reason.clause.id for reason in result.because}


#: Whom a hand makes win, from the source documents: profile, case, winners.
WON_BY = [
    ("sandayi", "Seat 1 bids 120, seat 3 80; the others get 80 points", ["1", "2", "4"]),
    ("sandayi", "Seat 1 bids 120, seat 3 80; the others get 75 points", ["3"]),
    ("zhaopengyou", "Seat 1 deals, seat 3 is the ally; the others get 115 points", ["1", "3"]),
    ("zhaopengyou", "Seat 1 deals without an ally; the others get 115 points", ["1"]),
    ("zhaopengyou", "Seat 1 deals, seat 3 is the ally; the others get 120 points", ["2", "4", "5"]),
]


@pytest.mark.parametrize(("profile_id", "case", "winners"), WON_BY)
def test_who_wins_in_the_cases_of_single_players(profile_id, case, winners):
    profile = load(profile_id, individual=True)
    (shown,) = [one for one in worked_cases(profile) if one.case["en"] == case]
    opening = states.IndividualOpening.from_json(shown.opening, profile)
    state = fold.fold(profile, opening, [sheets.read_entry(profile, row) for row in shown.ledger])
    assert [str(place) for place in state.entries[-1].winners] == winners

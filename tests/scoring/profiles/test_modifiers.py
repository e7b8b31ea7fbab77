"""Options set upon any profile: what is accepted keeps the laws, what is refused says why."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands.sheets import check_sheet, total_limits
from scoring.hands.totals import attackers_total, kitty_multiplier, throw_penalty
from scoring.profiles import OPTIONS, ProfileError, build, profile_ids
from scoring.profiles.kitty import SCHEMES
from scoring.profiles.options import COUNTERS
from scoring.sittings.transitions import fold_totals
from scoring.values import RANKS, SUITS, Role, Shape
from tests.scoring.making import dig, entries, hand, opening, play

SINGLE, PAIR, QUAD = {"type": "single"}, {"type": "pair"}, {"type": "quad"}
fives = st.integers(1, 40).map(lambda n: 5 * n)
ranks = st.lists(st.sampled_from(RANKS), unique=True, max_size=5).map(lambda some: sorted(some, key=RANKS.index))
yes_no = st.booleans()

#: A table of its own: dealer rows down to +1, then attackers' rows up.
tables = st.tuples(st.integers(1, 5), st.integers(1, 5), fives, st.integers(1, 8), st.integers(1, 8)).map(
    lambda shape: table(*shape)
)


def table(dealer, attackers, line, below, above):
    """Rows of `below` and `above` grains around `line`."""
    rows = []
    edge = line - 5 * below * (dealer - 1)
    for levels in range(dealer, 0, -1):
        low = None if levels == dealer else edge - 5 * below
        rows.append({"from": low, "to": edge - 5, "role": "dealer", "levels": levels})
        edge += 5 * below
    edge = line
    for levels in range(attackers):
        high = None if levels == attackers - 1 else edge + 5 * above - 5
        rows.append({"from": edge, "to": high, "role": "attackers", "levels": levels})
        edge += 5 * above
    return rows


CHANGES = {
    "ladder": st.one_of(
        st.sampled_from([["9", "10", "J", "Q", "K", "A"], ["5", "10", "K"], ["10"], list(RANKS[1:])]),
        ranks.filter(bool),
    ),
    "permanent_ranks": st.sampled_from([[], ["2"], ["2", "7"], ["H5"]]),
    "must_play": ranks,
    "must_mode": st.sampled_from(["none", "no_skip", "must_defend"]),
    "finish": st.sampled_from(["pass_A", "reach_A", "wrap"]),
    "pass_a": st.sampled_from(["held", "any"]),
    "after_A": st.sampled_from([[], ["joker"], ["no_trump"], ["joker", "no_trump"]]),
    "joker_declare": st.sampled_from(["none", "any", "colour"]),
    "hidden_declare": yes_no,
    "threshold": fives,
    "step": fives,
    "level_table": st.none() | tables,
    "negative_total": st.sampled_from(["floor_zero", "extend"]),
    "score_cap": st.none() | fives,
    "score_floor": st.none() | fives.map(lambda points: -points),
    "levels_cap": st.none() | st.integers(1, 8),
    "kitty_scheme": st.sampled_from(sorted(SCHEMES)),
    "kitty_pattern": st.sampled_from(["led", "winning"]),
    "dig_trump_only": yes_no,
    "dig_single_x1": yes_no,
    "throw_fine": st.sampled_from([0, 5, 10, 20]),
    "throw_fine_per": st.sampled_from(["card", "card_but_one"]),
    "throws_allowed": yes_no,
    "tractors": yes_no,
    "hook_levels": ranks,
    "hook_card": st.sampled_from(["main", "any"]),
    "hook_needs_takeover": yes_no,
    "hook_limit": st.none() | st.integers(1, 3),
    "no_trump_allowed": yes_no,
    "declare_no_trump": yes_no,
    "declare_order": st.sampled_from(["drawing", "partner_first"]),
    "own_line": st.sampled_from(["may", "must", "none"]),
    "no_declare": st.sampled_from(["flip_level", "third", "first", "partner_names"]),
    "no_declare_first": st.sampled_from(["flip", "redeal"]),
    "flip_any_joker": yes_no,
    "counter_ranks": st.lists(st.sampled_from(COUNTERS), unique=True, max_size=5),
    "counter_suit_order": st.permutations(SUITS).map(list) | st.just([]),
    "joker_counter_final": yes_no,
    "counter_while_drawing": yes_no,
    "early_counter": yes_no,
    "late_counter": yes_no,
    "first_hand_late_counter": yes_no,
    "self_protect": st.sampled_from(["pair_if_higher", "own_suit", "no_trump_only", "none"]),
    "reinforced_blocks": st.sampled_from(["lower", "level_pairs"]),
    "look_back": yes_no,
    "dark_bids": yes_no,
    "rebellion": yes_no,
    "jokers_worth": st.sampled_from([0, 5, 10]),
    "dark_bid_fine": fives,
    "timed_tie": st.sampled_from(["on_stage", "draw", "first_to_reach", "extra_hand", "lots"]),
}
some_changes = st.lists(st.sampled_from(sorted(CHANGES)), unique=True, max_size=4).flatmap(
    lambda names: st.fixed_dictionaries({name: CHANGES[name] for name in names})
)


def worth(rules, total):
    role, levels = rules.table.look_up(rules.table.settle(total))
    return levels if role is Role.ATTACKERS else -levels


def made(base, changes):
    """The profile, or None where it is refused, with a reason in both languages."""
    if "level_table" in changes and changes["level_table"] is not None:
        line = next(row["from"] for row in changes["level_table"] if row["role"] == "attackers")
        changes = {**changes, "threshold": line}
    try:
        return build({"base": base, "set": changes})
    except ProfileError as error:
        refused = error
    assert refused.code in ("bad_option", "nonsense")
    assert refused.field in OPTIONS
    assert refused.message["en"].endswith(".")
    assert refused.message["zh"].endswith("。")
    return None


@pytest.mark.long
@settings(max_examples=300)
@given(base=st.sampled_from(profile_ids()), changes=some_changes)
def test_what_is_accepted_keeps_the_laws(base, changes):
    rules = made(base, changes)
    if rules is None:
        return
    assert build(json.loads(json.dumps(rules.spec()))) == rules
    bands = rules.bands(-200, 500)
    assert (bands[0].low, bands[-1].high) == (-200, 500)
    assert [band.low for band in bands[1:]] == [band.high + 5 for band in bands[:-1]]
    worths = [worth(rules, total) for total in range(-200, 505, 5)]
    assert worths == sorted(worths)
    line = rules.threshold
    assert worth(rules, line) >= 0 > worth(rules, line - 5)
    for clause in rules.clauses.values():
        assert set(clause.text) == {"en", "zh"}
        assert "{" not in clause.text["en"] + clause.text["zh"]
    factors = [kitty_multiplier(rules, [Shape(width)])[0] for width in range(1, rules.decks + 1)]
    assert factors == sorted(factors)
    low, high = total_limits(rules)
    assert low <= 0 <= rules.points_max <= high


@pytest.mark.long
@settings(max_examples=100)
@given(
    base=st.sampled_from(profile_ids()),
    changes=some_changes,
    totals=st.lists(st.integers(0, 40).map(lambda n: 5 * n), min_size=1, max_size=6),
)
def test_the_fold_agrees_with_the_table_of_transitions(base, changes, totals):
    rules = made(base, changes)
    if rules is None:
        return
    first = str(rules.ladder.first)
    start = opening(first, first)
    state = None
    for count in range(1, len(totals) + 1):
        rows = [{"kind": "hand", "total_only": total} for total in totals[:count]]
        state = play(rules, start, *rows)
        for result in state.entries:
            assert result.because
            assert result.sentence["en"]
            assert result.sentence["zh"]
        if state.finished:
            totals = totals[:count]
            break
    standing = fold_totals(rules, start, totals)
    assert standing.winner == state.winner
    assert {"NS": standing.ns, "EW": standing.ew} == {str(side): level for side, level in state.levels.items()}


FINES = [
    ({}, "dealer", 5, 50),
    ({"throw_fine_per": "card_but_one"}, "dealer", 5, 40),
    ({"throw_fine_per": "card_but_one"}, "attackers", 2, -10),
    ({"throw_fine": 5, "throw_fine_per": "card_but_one"}, "attackers", 3, -10),
    ({"throw_fine": 0}, "dealer", 5, 0),
]


@pytest.mark.parametrize(("changes", "side", "cards", "points"), FINES)
def test_fines_of_throws(changes, side, cards, points):
    rules = build({"base": "scn2-2013", "set": changes})
    assert throw_penalty(rules, Role(side), cards) == points
    state = play(rules, opening(), hand(100, throw_failures=[{"side": side, "cards": cards}] * 2))
    assert state.entries[0].total.raw == 100 + 2 * points
    if points:
        assert f"throw fine {abs(2 * points)}" in state.entries[0].sentence["en"]
        clause = "set.throw_fine_per" if "throw_fine_per" in changes else "scn2.throw_fine"
        cited = [reason.amount for reason in state.entries[0].because if reason.clause.id == clause]
        assert cited == [2 * points]


def test_a_floor_of_its_own_is_last_and_cited():
    rules = build({"base": "cn-national-2d", "set": {"score_floor": -40}})
    (result,) = play(rules, opening(), hand(0, throw_failures=[{"side": "attackers", "cards": 9}])).entries
    assert (result.total.raw, result.total.for_levels, result.levels_won) == (-90, -40, 4)
    assert "set.score_floor" in [reason.clause.id for reason in result.because]
    assert worth(rules, -1000) == -4


def won(captured, **fields):
    """A hand whose last trick the attackers won."""
    return hand(captured, **fields) | {"last_trick_winner": "attackers"}


NANNING = "nanning-4d"
LAST_TRICKS = [
    (hand(100, led=[QUAD], last_trick_points=30), -20, "Attackers 100 − last trick 30×4 = −20 → "),
    (won(100, led=[QUAD], last_trick_points=30), 220, "Attackers 100 + last trick 30×4 = 220 → "),
    (won(100, led=[SINGLE], last_trick_points=10), 110, "Attackers 100 + last trick 10×1 = 110 → "),
    (hand(100, led=[SINGLE], last_trick_points=10), 100, "Attackers 100 → "),
    ({"kind": "hand", "total_only": 165}, 165, "Attackers 165 → "),
]


@pytest.mark.parametrize(("row", "raw", "words"), LAST_TRICKS)
def test_a_last_trick_that_counts_by_its_cards(row, raw, words):
    rules = build(NANNING)
    (sheet,) = entries(rules, row)
    assert check_sheet(rules, sheet) == ()
    total = attackers_total(rules, sheet)
    assert total.raw == raw
    assert total.captured + total.bonus + total.fines + total.adjustments == raw
    (result,) = play(rules, opening("3", "3"), row).entries
    assert words in result.sentence["en"]
    assert ("nanning.last_trick" in [reason.clause.id for reason in result.because]) == ("led" in row)
    assert entries(rules, sheet.to_json()) == [sheet]


NOT_HERE = [
    (NANNING, hand(100, led=[QUAD]), "last_points_missing"),
    (NANNING, hand(100, last_trick_points=10), "last_led_missing"),
    (NANNING, hand(100, led=[PAIR], last_trick_points=85), "out_of_range"),
    (NANNING, hand(380, led=[PAIR], last_trick_points=80), "above_deck_total"),
    (NANNING, hand(100, led=[PAIR], last_trick_points=12), "not_a_multiple_of_5"),
    (NANNING, hand(0, led=[PAIR], last_trick_points=0, kitty_points=5), "kitty_too_rich"),
    (NANNING, {"kind": "hand", "total_only": 100, "last_trick_points": 5}, "total_and_parts"),
    (
        NANNING,
        hand(0, led=[PAIR], last_trick_points=0, throw_failures=[{"side": "dealer", "cards": 3}]),
        "throw_not_here",
    ),
    ("scn2-2013", hand(100, last_trick_points=10), "last_trick_not_here"),
    ("changzhou-4d", dig(100, 10, {"type": "tractor", "width": 2, "length": 2}), "tractor_not_here"),
    ("bajiwo", dig(100, 10, {"type": "510K"}), "shape_510k_not_here"),
]


@pytest.mark.parametrize(("profile", "row", "code"), NOT_HERE)
def test_what_these_rules_do_not_have(profile, row, code):
    rules = build(profile)
    assert code in [one.code for one in check_sheet(rules, *entries(rules, row))]


def test_a_jump_of_levels_is_two_rulings_on_the_ledger():
    up, down = ({"kind": "level_penalty", "side": side, "levels": n} for side, n in (("EW", 13), ("NS", -13)))
    state = play(build("chaodipi"), opening("9", "5"), hand(90), up, down)
    assert {str(side): str(level) for side, level in state.levels.items()} == {"NS": "2", "EW": "A"}
    assert (state.next_dealer, state.next_level, state.finished) == ("E", state.levels["EW"], False)


def test_an_adjustment_cites_the_clause_it_names():
    rules = build("chaodipi")
    fined = hand(100, adjustments=[{"points": -80, "why": "dark bid out of order", "clause": "chaodipi.dark_bid"}])
    (result,) = play(rules, opening(), fined).entries
    assert result.total.raw == 20
    assert [reason.amount for reason in result.because if reason.clause.id == "chaodipi.dark_bid"] == [-80]
    other = hand(100, adjustments=[{"points": -80, "why": "late", "clause": "handbook 7"}])
    (result,) = play(rules, opening(), other).entries
    assert "referee.adjustment" in [reason.clause.id for reason in result.because]

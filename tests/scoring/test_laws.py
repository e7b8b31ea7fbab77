"""What holds under every profile and under whatever an event sets upon it."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.hands.sheets import read_entry
from scoring.hands.totals import kitty_multiplier
from scoring.profiles import build, load, profile_ids
from scoring.sittings.fold import fold, start, step
from scoring.sittings.states import Conditions, Opening
from scoring.values import Side
from tests.scoring.making import PAIR, SINGLE, dig, entries, hand, opening, shapes, tractor
from tests.scoring.profiles.test_modifiers import made, some_changes
from tests.scoring.test_sittings import MISDEAL, REBELLION, adjusted, penalty

points = st.integers(0, 24).map(lambda n: 5 * n)
hands = st.one_of(
    points.map(hand),
    st.builds(lambda p, k, n: dig(p, 5 * k, tractor(n)), points, st.integers(0, 16), st.integers(2, 5)),
    st.builds(
        lambda p, c, s: hand(p, throw_failures=[{"side": s, "cards": c}]),
        points,
        st.integers(2, 9),
        st.sampled_from(["dealer", "attackers"]),
    ),
    st.builds(lambda p, card: dig(p, 10, PAIR, trump="S", winning_play=[card]), points, st.sampled_from(["SJ", "HJ"])),
    st.builds(
        lambda p, event, by: dig(p, 0, PAIR, specials=[{"event": event, "by": by}]),
        points,
        st.sampled_from(["red_fives_declared", "dug_510K"]),
        st.sampled_from(["dealer", "attackers"]),
    ),
)
ledger_rows = st.lists(
    st.one_of(
        hands,
        hands,
        hands,
        st.sampled_from([MISDEAL, REBELLION, penalty("NS"), penalty("EW", -2), penalty("EW", 1)]),
        st.builds(adjusted, st.integers(0, 3), st.booleans(), side=st.sampled_from(["NS", "EW"])),
    ),
    max_size=12,
)
conditions_of = st.builds(Conditions, st.sampled_from([None, 5]), st.sampled_from([None, 6]))
places = st.integers(0, 99)


@st.composite
def games(draw):
    """Any profile, half of the time with options of an event set upon it."""
    base = draw(st.sampled_from(profile_ids()))
    profile = made(base, draw(some_changes)) if draw(st.booleans()) else load(base)
    assume(profile is not None)
    assume(len(profile.ladder.levels) > 3)  # room for what the rows take away and give
    return profile


def began(profile, ns, ew, seat):
    """An opening at two places of the ladder."""
    rungs = list(profile.ladder)
    return opening(str(rungs[ns % len(rungs)]), str(rungs[ew % len(rungs)]), seat)


def within(profile, start_at, rows, conditions):
    """The entries of `rows` that come before the end of the match."""
    state, kept = start(start_at), []
    for entry in entries(profile, *rows):
        if state.finished:
            break
        state, _ = step(profile, conditions, state, entry)
        kept.append(entry)
    return kept


@settings(max_examples=100)
@given(games(), places, places, st.sampled_from("NWSE"), ledger_rows, conditions_of)
def test_folding_in_one_go_is_folding_step_by_step(profile, ns, ew, seat, rows, conditions):
    start_at = began(profile, ns, ew, seat)
    kept = within(profile, start_at, rows, conditions)
    state, results = start(start_at), []
    for entry in kept:
        state, result = step(profile, conditions, state, entry, reasons=True)
        results.append(result)
    whole = fold(profile, start_at, kept, conditions, reasons=True)
    assert whole == replace(state, entries=tuple(results))
    bare = fold(profile, start_at, kept, conditions)
    assert replace(bare, entries=()) == replace(whole, entries=())
    assert [(e.after, e.levels_won, e.hook) for e in bare.entries] == [(e.after, e.levels_won, e.hook) for e in results]


@settings(max_examples=100)
@given(games(), places, places, st.sampled_from("NWSE"), ledger_rows, conditions_of, st.integers(1, 3))
def test_turning_the_table_turns_the_result(profile, ns, ew, dealer, rows, conditions, turns):
    def seat(one):
        for _ in range(turns):
            one = one.right
        return one

    def side(one):
        return one.other if turns % 2 else one

    def turned(entry):
        changes = {}
        for name, turn in (("dealer", seat), ("by", seat), ("side", side)):
            value = getattr(entry, name, None)
            if value is not None:
                changes[name] = turn(value)
        return replace(entry, **changes)

    start_at = began(profile, ns, ew, dealer)
    kept = within(profile, start_at, rows, conditions)
    state = fold(profile, start_at, kept, conditions)
    levels = {side(one): level for one, level in start_at.levels.items()}
    other = fold(profile, Opening(levels, seat(start_at.first_dealer)), [turned(entry) for entry in kept], conditions)
    assert other.levels == {side(one): level for one, level in state.levels.items()}
    assert other.next_dealer == seat(state.next_dealer)
    assert (other.winner and side(other.winner)) == state.winner
    assert other.flag_failures == {side(one): times for one, times in state.flag_failures.items()}
    assert other.hooked == {side(one): times for one, times in state.hooked.items()}
    for one, two in zip(state.entries, other.entries, strict=True):
        assert (two.total, two.levels_won, two.hook, two.stopped_at) == (
            one.total,
            one.levels_won,
            one.hook,
            one.stopped_at,
        )


@settings(max_examples=100)
@given(games(), places, places, st.sampled_from("NWSE"), st.integers(-40, 140))
def test_more_points_never_leave_the_dealer_side_higher_or_the_attackers_lower(profile, ns, ew, seat, fives):
    assume(profile.finish != "wrap")
    start_at = began(profile, ns, ew, seat)
    dealing = start_at.first_dealer.side

    def heights(points_taken):
        sheet = entries(profile, {"kind": "hand", "total_only": points_taken})
        levels = fold(profile, start_at, sheet).position.levels
        return profile.ladder.index(levels[dealing]), profile.ladder.index(levels[dealing.other])

    less, more = heights(5 * fives), heights(5 * fives + 5)
    assert less[0] >= more[0]
    assert less[1] <= more[1]


@pytest.mark.long
@settings(max_examples=100)
@given(games(), ledger_rows, st.randoms(use_true_random=False))
def test_the_order_in_which_fields_are_written_means_nothing(profile, rows, chance):
    for row in rows:
        assert read_entry(profile, shuffled(row, chance)) == read_entry(profile, row)


def shuffled(value, chance: Random):
    if isinstance(value, dict):
        names = list(value)
        chance.shuffle(names)
        return {name: shuffled(value[name], chance) for name in names}
    if isinstance(value, list):
        return [shuffled(one, chance) for one in value]
    return value


@settings(max_examples=100)
@given(games(), places, places, st.sampled_from("NWSE"), ledger_rows, st.integers(0, 11))
def test_what_follows_depends_on_the_state_alone(profile, ns, ew, seat, rows, cut):
    """A ledger in two parts, the second folded from the state of the first, as it is stored and read again."""
    start_at = began(profile, ns, ew, seat)
    kept = within(profile, start_at, rows, Conditions())
    state = start(start_at)
    for entry in kept[:cut]:
        state, _ = step(profile, Conditions(), state, entry)
    for entry in kept[cut:]:
        again = read_entry(profile, json.loads(json.dumps(entry.to_json())))
        assert again == entry
        state, _ = step(profile, Conditions(), state, again)
    assert state == replace(fold(profile, start_at, kept), entries=())


# A fine of 50 for the attackers and a dig of 60, where failed throws are fined: tricks, dig, fine, then the floor.
FINED = [name for name in profile_ids() if load(name).throw_fine == 10]


@pytest.mark.parametrize("name", FINED)
def test_a_fine_of_fifty_and_a_dig_of_sixty_are_ten(name):
    row = dig(0, 30, SINGLE, throw_failures=[{"side": "attackers", "cards": 5}])
    state = fold(load(name), start_of(name), entries(load(name), row))
    assert (state.entries[0].total.raw, state.entries[0].total.for_levels) == (10, 10)


def start_of(name):
    first = str(load(name).ladder.first)
    return opening(first, first)


# base, options -> what a hand of -80 tricks' worth of fines, and one of 1,000 by adjustment, count as
LIMITS = [
    ("scn2-2013", {}, 0, 1_000),
    ("cn-national-2d", {}, -80, 1_000),
    ("cn-national-2d", {"score_floor": -40}, -40, 1_000),
    ("cn-national-2d", {"score_floor": -40, "score_cap": 200}, -40, 200),
    ("online-2d", {"score_cap": 200}, -80, 200),
    ("scn2-2013", {"score_cap": 200}, 0, 200),
    ("online-super", {}, 0, 1_000),
]


@pytest.mark.parametrize(("base", "changes", "least", "most"), LIMITS)
def test_cap_and_floor_come_last(base, changes, least, most):
    profile = build({"base": base, "set": changes})
    low = hand(20, adjustments=[{"points": -100, "why": "ruled"}])
    high = hand(20, adjustments=[{"points": 980, "why": "ruled"}])
    totals = [fold(profile, opening(), entries(profile, row)).entries[0].total for row in (low, high)]
    assert [total.raw for total in totals] == [-80, 1_000]
    assert [total.for_levels for total in totals] == [least, most]


def test_the_largest_total_on_paper_counts_at_once():
    """S3-LV-07: 120 in tricks, 80 in the kitty, a tractor of twelve pairs led to the last trick."""
    profile = load("wiki-classic")
    state = fold(profile, opening(), entries(profile, dig(120, 80, tractor(12))))
    (result,) = state.entries
    assert (result.total.raw, result.levels_won, state.winner) == (1_342_177_400, 33_554_433, Side.EW)


# Must-play levels, by profile: levels before, who deals, attackers' total -> levels after. NS deals.
MUSTS = [
    # S0-LV-12: 10 and K are not jumped over, and left by whoever stands on them
    ("scn2-2013", "9:9", 0, "10:9"),
    ("scn2-2013", "9:9", 165, "9:10"),
    ("scn2-2013", "10:10", 35, "Q:10"),
    ("scn2-2013", "10:10", 165, "10:Q"),
    ("scn2-2013", "J:J", 0, "K:J"),
    ("scn2-2013", "J:J", 240, "J:K"),
    ("scn2-2013", "K:K", 35, "A:K"),
    ("scn2-2013", "K:K", 160, "K:A"),
    ("scn2-2013-step20", "9:9", 130, "9:10"),
    ("scn2-2013-step10", "9:9", 130, "9:10"),
    # S2-LV-03: nothing must be played, but A is passed by holding the deal at it
    ("scn3-2026", "9:9", 0, "Q:9"),
    ("scn3-2026", "9:9", 165, "9:J"),
    ("scn3-2026", "K:K", 240, "K:A"),
    ("scn3-2026", "A:A", 240, "A:A"),
    ("scn3-2026", "A:A", 75, "past:A"),
    # inventory §6: A must be dealt and passed
    ("cn-national-2d", "Q:2", 0, "A:2"),
    ("cn-national-2d", "K:2", 0, "A:2"),
    ("cn-national-2d", "A:2", 0, "past:2"),
    ("cn-national-2d", "2:A", 240, "2:A"),
    ("cn-national-3d", "K:2", 0, "A:2"),
    ("cn-national-3d", "2:A", 360, "2:A"),
    # S4-RV-21: 2 and A must be dealt and passed
    ("chaodipi", "2:2", 70, "3:2"),
    ("chaodipi", "2:2", 0, "J:2"),
    ("chaodipi", "2:2", 200, "2:2"),
    ("chaodipi", "2:3", 200, "2:A"),
    ("chaodipi", "A:3", 0, "flag:3"),
    ("chaodipi", "3:A", 200, "3:A"),
    # S1-LV-03: nothing must be played, and after A comes 2
    ("online-super", "A:A", 0, "7:A"),
    ("online-super", "K:K", 205, "K:4"),
    # S3-LV-01: who reaches A wins; S3-LV-02: one deck begins at 3
    ("wiki-classic", "J:2", 0, "A:2"),
    ("wiki-one-deck", "3:3", 0, "6:3"),
    ("wiki-100", "2:K", 150, "2:A"),
    # nothing must be played unless the event says so
    ("online-2d", "9:9", 0, "Q:9"),
    ("bajiwo", "9:9", 200, "9:Q"),
    ("online-3d", "9:9", 0, "Q:9"),
    ("four-deck-online", "9:9", 0, "Q:9"),
    ("nanning-4d", "K:3", 0, "A:3"),
    ("changzhou-4d", "3:3", 200, "3:7"),
    ("cn-national-1d", "2:2", 100, "2:5"),
]


@pytest.mark.parametrize(("name", "before", "total", "after"), MUSTS)
def test_must_play_levels_of_every_profile(name, before, total, after):
    profile = load(name)
    state = fold(profile, opening(*before.split(":")), entries(profile, {"kind": "hand", "total_only": total}))
    levels = state.position.levels
    assert ":".join(str(levels[side] or "past") for side in (Side.NS, Side.EW)) == after


def test_every_profile_has_its_must_play_cases():
    assert {name for name, *_ in MUSTS} == set(profile_ids())


TRIPLE, QUAD = {"type": "triple"}, {"type": "quad"}
LED = {
    "single": [SINGLE],
    "pair": [PAIR],
    "triple": [TRIPLE],
    "quad": [QUAD],
    "two pairs": [tractor(2)],
    "three pairs": [tractor(3)],
    "two triples": [tractor(2, 3)],
    "three triples": [tractor(3, 3)],
    "two quads": [tractor(2, 4)],
    "singles": [SINGLE, SINGLE],
    "pair and single": [PAIR, SINGLE],
    "two pairs and pair": [tractor(2), PAIR],
}
# S0-KT-04, S2-KT-01, S4-KT-05
DOUBLING = {
    "single": 2, "pair": 4, "two pairs": 8, "three pairs": 16, "singles": 2, "pair and single": 4,
    "two pairs and pair": 8,
}  # fmt: skip
# S3-KT-02: one doubling for each card
BY_CARD = {
    "single": 2, "pair": 4, "two pairs": 16, "three pairs": 64, "singles": 4, "pair and single": 8,
    "two pairs and pair": 64,
}  # fmt: skip
# S4-KT-06; four decks by analogy
TREBLING = DOUBLING | {"triple": 6, "two triples": 18, "three triples": 54}
QUADRUPLING = TREBLING | {"quad": 8, "two quads": 32}
FACTORS = {
    "scn2-2013": DOUBLING,
    "scn2-2013-step20": DOUBLING,
    "scn2-2013-step10": DOUBLING,
    "scn3-2026": DOUBLING,
    "online-super": DOUBLING | {"three pairs": 12},  # S1-KT-02: four times the pairs
    "wiki-classic": BY_CARD,
    "wiki-100": BY_CARD,
    "wiki-one-deck": {"single": 2, "singles": 4},
    "cn-national-1d": {"single": 2, "singles": 3},  # S4-KT-02
    "cn-national-2d": DOUBLING | {"two pairs": 6, "three pairs": 8, "singles": 3, "two pairs and pair": 6},  # S4-KT-03
    "cn-national-3d": {
        "single": 2, "pair": 3, "triple": 4, "two pairs": 5, "three pairs": 6, "two triples": 6, "three triples": 8,
        "singles": 3, "pair and single": 3, "two pairs and pair": 5,
    },  # S4-KT-04, A-09
    "online-2d": DOUBLING,
    "online-3d": TREBLING,
    "four-deck-online": QUADRUPLING,
    "bajiwo": DOUBLING,
    "chaodipi": DOUBLING,
    "changzhou-4d": {"single": 2, "pair": 4, "triple": 6, "quad": 8, "singles": 2, "pair and single": 4},
    # S4-RV-13: no kitty, the points of the last trick as often as cards were led to it
    "nanning-4d": {
        "single": 1, "pair": 2, "triple": 3, "quad": 4, "two pairs": 4, "three pairs": 6, "two triples": 6,
        "three triples": 9, "two quads": 8,
    },
}  # fmt: skip


def test_every_profile_has_its_factors():
    assert set(FACTORS) == set(profile_ids())


@pytest.mark.parametrize(
    ("name", "led", "factor"), [(name, led, factor) for name, row in FACTORS.items() for led, factor in row.items()]
)
def test_the_factor_of_every_shape_in_every_profile(name, led, factor):
    assert kitty_multiplier(load(name), shapes(*LED[led]))[0] == factor

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.hands.sheets import check_sheet, read_entry
from scoring.hands.totals import attackers_total, kitty_bonus, throw_penalty
from scoring.profiles import build, load
from scoring.values import Role
from tests.scoring.making import PAIR, SINGLE, dig, hand, shapes, tractor

SCN2 = load("scn2-2013")
CAPPED = {"base": "scn2-2013", "set": {"score_cap": 200}}


def threw(side, cards):
    return {"throw_failures": [{"side": side, "cards": cards}]}


# profile, sheet, raw, for levels
TOTALS = [
    ("scn2-2013", hand(35), 35, 35),
    ("scn2-2013", dig(55, 25, PAIR), 155, 155),
    ("scn2-2013", hand(70, kitty_points=20), 70, 70),
    ("scn2-2013", dig(70, 20, tractor(3)), 390, 390),
    ("online-super", dig(70, 20, tractor(3)), 310, 310),
    ("wiki-classic", dig(70, 20, tractor(3)), 1350, 1350),
    ("cn-national-2d", dig(70, 20, tractor(3)), 230, 230),
    ("wiki-classic", dig(120, 80, tractor(12)), 1_342_177_400, 1_342_177_400),
    ("scn2-2013", dig(90, 0, SINGLE), 90, 90),
    # fines count all cards thrown, in the direction of who threw
    ("scn2-2013", hand(60, **threw("attackers", 3)), 30, 30),
    ("scn2-2013", hand(40, **threw("dealer", 5)), 90, 90),
    ("scn2-2013", hand(20, **threw("attackers", 2)), 0, 0),
    ("online-super", hand(75, **threw("dealer", 5)), 75, 75),
    ("wiki-classic", hand(75, **threw("attackers", 5)), 75, 75),
    ("scn2-2013", hand(40, throw_failures=[{"side": "dealer", "cards": 5}, {"side": "attackers", "cards": 2}]), 70, 70),
    # the floor is last, and once
    ("scn2-2013", dig(0, 30, SINGLE, **threw("attackers", 5)), 10, 10),
    ("scn2-2013", hand(30, **threw("attackers", 5)), -20, 0),
    ("cn-national-2d", hand(0, **threw("attackers", 9)), -90, -90),
    # adjustments count before cap and floor
    ("scn2-2013", hand(20, adjustments=[{"points": -30, "why": "x"}, {"points": 5, "why": "y"}]), -5, 0),
    (CAPPED, dig(150, 20, tractor(2)), 310, 200),
    (CAPPED, dig(150, 20, tractor(2), adjustments=[{"points": -120, "why": "x"}]), 190, 190),
    (CAPPED, hand(0, **threw("attackers", 5)), -50, 0),
    ("scn2-2013", {"kind": "hand", "total_only": 165}, 165, 165),
    ("scn2-2013", {"kind": "hand", "total_only": -20, "adjustments": [{"points": 30, "why": "x"}]}, 10, 10),
]


@pytest.mark.parametrize(("profile", "row", "raw", "for_levels"), TOTALS)
def test_totals(profile, row, raw, for_levels):
    rules = build(profile)
    sheet = read_entry(rules, row)
    assert check_sheet(rules, sheet) == ()
    total = attackers_total(rules, sheet)
    assert (total.raw, total.for_levels) == (raw, for_levels)
    assert total.captured + total.bonus + total.fines + total.adjustments == total.raw
    assert attackers_total(rules, sheet, reasons=False).to_json() == total.to_json()
    assert not attackers_total(rules, sheet, reasons=False).because


BECAUSE = [
    ("scn2-2013", hand(35), ["scn2.captured", "scn2.kitty.escape"]),
    ("scn2-2013", dig(55, 25, PAIR), ["scn2.captured", "scn2.kitty.dig", "scn2.kitty.decides", "scn2.kitty.pair"]),
    (
        "scn2-2013",
        hand(30, **threw("attackers", 5)),
        ["scn2.captured", "scn2.kitty.escape", "scn2.throw_fine", "scn2.floor"],
    ),
    (
        CAPPED,
        dig(150, 20, SINGLE, adjustments=[{"points": 50, "why": "x"}]),
        [
            "scn2.captured",
            "scn2.kitty.dig",
            "scn2.kitty.decides",
            "scn2.kitty.single",
            "referee.adjustment",
            "set.score_cap",
        ],
    ),
    ("scn2-2013", {"kind": "hand", "total_only": 165}, ["referee.total_only"]),
]


@pytest.mark.parametrize(("profile", "row", "clauses"), BECAUSE)
def test_reasons_come_in_the_order_of_counting(profile, row, clauses):
    rules = build(profile)
    assert [reason.clause.id for reason in attackers_total(rules, read_entry(rules, row)).because] == clauses


def test_amounts_of_reasons_add_up_to_the_total():
    total = attackers_total(SCN2, read_entry(SCN2, dig(55, 25, PAIR, **threw("attackers", 3))))
    assert [reason.amount for reason in total.because] == [55, None, None, 100, -30]
    assert sum(reason.amount or 0 for reason in total.because) == total.raw == 125


def test_only_trumps_may_dig():
    rules = build({"base": "cn-national-2d", "set": {"dig_trump_only": True}})
    led = shapes(PAIR)
    side = kitty_bonus(rules, last_trick_winner=Role.ATTACKERS, led=led, kitty_points=30, winning_category="side")
    trump = kitty_bonus(rules, last_trick_winner=Role.ATTACKERS, led=led, kitty_points=30, winning_category="trump")
    assert (side.bonus, side.multiplier, trump.bonus, trump.multiplier) == (0, None, 120, 4)


@pytest.mark.parametrize(("role", "cards", "delta"), [("dealer", 5, 50), ("attackers", 5, -50), ("attackers", 2, -20)])
def test_throw_penalties(role, cards, delta):
    assert throw_penalty(SCN2, Role(role), cards) == delta


@given(
    captured=st.integers(0, 24),
    kitty=st.integers(0, 16),
    pairs=st.integers(2, 12),
    throws=st.lists(st.tuples(st.sampled_from(["dealer", "attackers"]), st.integers(2, 25)), max_size=4),
    profile=st.sampled_from(["scn2-2013", "cn-national-2d", "online-super", "wiki-classic"]),
)
def test_totals_are_multiples_of_five_and_sum_up_exactly(captured, kitty, pairs, throws, profile):
    rules = load(profile)
    row = dig(5 * captured, 5 * kitty, tractor(pairs), throw_failures=[{"side": s, "cards": n} for s, n in throws])
    sheet = read_entry(rules, row)
    total = attackers_total(rules, sheet)
    assert check_sheet(rules, sheet) == ()
    assert total.raw % 5 == 0
    assert total.multiplier is not None
    assert total.bonus == 5 * kitty * total.multiplier
    fines = sum(n if side == "dealer" else -n for side, n in throws)
    assert total.raw == 5 * captured + total.bonus + rules.throw_fine * fines

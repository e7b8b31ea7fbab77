from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.hands.entries import HandSheet
from scoring.hands.findings import Refused
from scoring.profiles import build, load
from scoring.sittings.fold import fold
from scoring.sittings.transitions import Standing, fold_totals, transitions
from scoring.values import Level, Points, Seat, Side
from tests.scoring.making import opening

PROFILES = ["scn2-2013", "cn-national-2d", "cn-national-3d", "online-super", "wiki-classic", "chaodipi"]


@settings(max_examples=100)
@given(
    st.sampled_from(PROFILES),
    st.sampled_from("23JQKA"),
    st.sampled_from(["2", "8", "K", "A", "flag"]),
    st.sampled_from("NWSE"),
    st.lists(st.integers(-40, 140).map(lambda n: 5 * n) | st.sampled_from([1_342_177_400, 10**12]), max_size=10),
)
def test_the_table_agrees_with_the_fold(profile_id, ns, ew, dealer, totals):
    profile = load(profile_id)
    start = opening(ns, ew if Level(ew) in profile.ladder else "A", dealer)
    sheets = [HandSheet(total_only=Points(total)) for total in totals]
    try:
        state = fold(profile, start, sheets)
    except Refused:
        with pytest.raises(Refused) as refused:
            fold_totals(profile, start, totals)
        assert refused.value.code == "match_over"
        return
    failed = state.flag_failures
    expected = Standing(
        state.levels[Side.NS],
        state.levels[Side.EW],
        state.next_dealer,
        state.winner,
        (failed[Side.NS], failed[Side.EW]),
    )
    assert fold_totals(profile, start, totals) == expected


def test_every_cell_of_a_small_ladder():
    """Exhaustive: every dealer, both levels and every total from −100 to 400 on a ladder of four."""
    profile = build({"base": "cn-national-2d", "set": {"ladder": ["Q", "K", "A"], "must_play": ["K"]}})
    cells = 0
    for seat in Seat:
        for ns in profile.ladder:
            for ew in profile.ladder:
                for total in range(-100, 405, 5):
                    start = opening(str(ns), str(ew), str(seat))
                    state = fold(profile, start, [HandSheet(total_only=Points(total))])
                    after = fold_totals(profile, start, [total])
                    assert (after.ns, after.ew) == (state.levels[Side.NS], state.levels[Side.EW])
                    assert (after.next_dealer, after.winner) == (state.next_dealer, state.winner)
                    cells += 1
    assert cells == 4 * 9 * 101


def test_the_table_is_made_once():
    assert transitions(load("scn2-2013")) is transitions(build({"base": "scn2-2013"}))


def test_refusals():
    profile = load("scn2-2013")
    for start, totals, code in (
        (opening(dealer=None), [60], "dealer_missing"),
        (opening(), [60, 83], "not_a_multiple_of_5"),
        (opening("A"), [60, 60], "match_over"),
    ):
        with pytest.raises(Refused) as refused:
            fold_totals(profile, start, totals)
        assert refused.value.code == code
    assert fold_totals(profile, opening("A"), [60]).winner is Side.NS
    assert fold_totals(profile, opening("9"), []).ns == Level("9")


@pytest.mark.parametrize("levels", [12, 13, 14, 25, 26, 27, 38, 39, 40, 130])
@pytest.mark.parametrize("ns", ["2", "3", "A"])
def test_gains_of_many_rounds_on_a_ladder_that_wraps(levels, ns):
    profile = build({"base": "scn2-2013", "set": {"finish": "wrap", "must_play": ["2"]}})
    start, total = opening("5", ns, "S"), 80 + 40 * levels
    state = fold(profile, start, [HandSheet(total_only=Points(total))])
    assert fold_totals(profile, start, [total]).ew == state.levels[Side.EW]

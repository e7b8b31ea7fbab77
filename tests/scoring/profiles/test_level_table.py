"""Both edges of every band of every profile, typed from the tables of the source documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.profiles import build, load, profile_ids
from scoring.profiles.level_table import LevelRow, table_problem
from scoring.values import Role

D, A = "dealer", "attackers"

FORTY = [(5, 35, D, 2), (40, 75, D, 1), (80, 115, A, 0), (120, 155, A, 1), (160, 195, A, 2), (200, 235, A, 3)]
TWENTY = [(5, 15, D, 2), (20, 35, D, 1), (40, 55, A, 0), (60, 75, A, 1), (80, 95, A, 2), (100, 115, A, 3)]
SIXTY = [(5, 55, D, 2), (60, 115, D, 1), (120, 175, A, 0), (180, 235, A, 1), (240, 295, A, 2), (300, 355, A, 3)]
EIGHTY = [(5, 75, D, 2), (80, 155, D, 1), (160, 235, A, 0), (240, 315, A, 1), (320, 395, A, 2), (400, 475, A, 3)]
TABLES = {
    "scn2-2013": [(-1000, 0, D, 3), *FORTY, (240, 275, A, 4)],
    "scn3-2026": [(-1000, 0, D, 3), *FORTY],
    "wiki-classic": [(0, 0, D, 3), *FORTY, (240, 275, A, 4)],
    "scn2-2013-step20": [
        (-1000, 0, D, 5),
        (5, 15, D, 4),
        (20, 35, D, 3),
        (40, 55, D, 2),
        (60, 75, D, 1),
        (80, 95, A, 0),
        (100, 115, A, 1),
        (120, 135, A, 2),
        (200, 215, A, 6),
    ],
    "scn2-2013-step10": [
        (-1000, 0, D, 9),
        (5, 5, D, 8),
        (10, 15, D, 7),
        (40, 45, D, 4),
        (70, 75, D, 1),
        (80, 85, A, 0),
        (90, 95, A, 1),
        (130, 135, A, 5),
    ],
    "cn-national-1d": [
        (-40, -25, D, 5),
        (-20, -5, D, 4),
        (0, 0, D, 3),
        (5, 15, D, 2),
        (20, 35, D, 1),
        (40, 55, A, 0),
        (60, 75, A, 1),
        (80, 95, A, 2),
        (100, 115, A, 3),
        (120, 135, A, 4),
    ],
    "cn-national-2d": [
        (-120, -85, D, 6),
        (-80, -45, D, 5),
        (-40, -5, D, 4),
        (0, 0, D, 3),
        *FORTY,
        (240, 275, A, 4),
    ],
    "cn-national-3d": [
        (-120, -65, D, 5),
        (-60, -5, D, 4),
        (0, 0, D, 3),
        (5, 55, D, 2),
        (60, 115, D, 1),
        (120, 175, A, 0),
        (180, 235, A, 1),
        (240, 295, A, 2),
        (300, 355, A, 3),
        (360, 415, A, 4),
    ],
    "online-super": [
        (-1000, 0, D, 6),
        (5, 10, D, 5),
        (15, 20, D, 4),
        (25, 30, D, 3),
        (35, 35, D, 2),
        (40, 75, D, 1),
        (80, 115, A, 0),
        (120, 120, A, 1),
        (125, 160, A, 2),
        (165, 200, A, 3),
        (205, 240, A, 4),
        (245, 280, A, 5),
        (285, 320, A, 6),
        (325, 100_000, A, 6),
    ],
    "wiki-one-deck": [(-20, -5, D, 4), (0, 0, D, 3), *TWENTY, (120, 135, A, 4)],
    "wiki-100": [
        (-50, -5, D, 4),
        (0, 0, D, 3),
        (5, 45, D, 2),
        (50, 95, D, 1),
        (100, 145, A, 0),
        (150, 195, A, 1),
        (200, 245, A, 2),
    ],
    "online-2d": [(-80, -45, D, 5), (-40, -5, D, 4), (0, 0, D, 3), *FORTY],
    "bajiwo": [(-80, -45, D, 5), (-40, -5, D, 4), (0, 0, D, 3), *FORTY],
    "online-3d": [(-60, -5, D, 4), (0, 0, D, 3), *SIXTY],
    "four-deck-online": [(-160, -85, D, 5), (-80, -5, D, 4), (0, 0, D, 3), *EIGHTY],
    "nanning-4d": [(-160, -85, D, 5), (-80, -5, D, 4), (0, 0, D, 3), *EIGHTY],
    "chaodipi": [
        (-20, -15, D, 11),
        (-10, -5, D, 10),
        (0, 0, D, 9),
        (5, 5, D, 8),
        (70, 75, D, 1),
        (80, 85, A, 0),
        (90, 95, A, 1),
        (200, 205, A, 12),
    ],
    "changzhou-4d": [
        (-20, -15, D, 19),
        (-10, -5, D, 18),
        (0, 0, D, 17),
        (5, 5, D, 16),
        (10, 15, D, 15),
        (140, 145, D, 2),
        (150, 155, D, 1),
        (160, 165, A, 0),
        (170, 175, A, 1),
        (260, 265, A, 10),
    ],
}
EDGES = [
    pytest.param(profile, total, role, levels, id=f"{profile} {total}")
    for profile, bands in TABLES.items()
    for low, high, role, levels in bands
    for total in sorted({low, high})
]


def test_every_profile_has_its_table_here():
    assert set(TABLES) == set(profile_ids())


@pytest.mark.parametrize(("profile", "total", "role", "levels"), EDGES)
def test_band_edges(profile, total, role, levels):
    table = load(profile).table
    assert table.look_up(table.settle(total)) == (role, levels)


@pytest.mark.parametrize("profile", profile_ids())
@given(low=st.integers(-100, 60), width=st.integers(0, 120))
def test_bands_tile(profile, low, width):
    rules = load(profile)
    low, high = 5 * low, 5 * (low + width)
    bands = rules.bands(low, high)
    assert (bands[0].low, bands[-1].high) == (low, high)
    assert [band.low for band in bands[1:]] == [band.high + 5 for band in bands[:-1]]
    for band in bands:
        assert band.low <= band.high
        for total in range(band.low, band.high + 5, 5):
            expected = (band.role, band.levels)
            assert rules.table.look_up(rules.table.settle(total)) == expected
        assert band.deal_changes_hands == (band.role is Role.ATTACKERS)


@pytest.mark.parametrize("profile", profile_ids())
@given(total=st.integers(-200, 200).map(lambda n: 5 * n))
def test_more_points_are_never_worth_less(profile, total):
    def worth(points):
        role, levels = rules.table.look_up(rules.table.settle(points))
        return levels if role is Role.ATTACKERS else -levels

    rules = load(profile)
    assert worth(total) <= worth(total + 5)


def test_huge_totals_cost_nothing():
    assert load("wiki-classic").table.look_up(1_342_177_400) == (Role.ATTACKERS, 33_554_433)


def test_cap_comes_before_the_table():
    capped = build({"base": "scn2-2013", "set": {"score_cap": 200}})
    assert capped.table.settle(390) == 200
    assert capped.table.settle(195) == 195
    assert capped.bands(195, 400)[-1].low == 200


@pytest.mark.parametrize(("low", "high"), [(0, 83), (3, 80), (80, 0)])
def test_bands_refuse_other_ends(low, high):
    with pytest.raises(ValueError, match="multiple of 5"):
        load("scn2-2013").bands(low, high)


GOOD = [LevelRow(None, 0, Role.DEALER, 2), LevelRow(5, 75, Role.DEALER, 1), LevelRow(80, None, Role.ATTACKERS, 0)]


def changed(place, **fields):
    row = GOOD[place]
    new = {name: fields.get(name, getattr(row, name)) for name in ("low", "high", "role", "levels")}
    return [*GOOD[:place], LevelRow(**new), *GOOD[place + 1 :]]


def test_a_good_table_is_accepted():
    assert table_problem(GOOD) is None


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([], id="empty"),
        pytest.param(changed(0, low=0), id="closed below"),
        pytest.param(changed(2, high=200), id="closed above"),
        pytest.param(changed(1, low=10), id="gap"),
        pytest.param(changed(1, low=0), id="overlap"),
        pytest.param(changed(1, high=None), id="open in the middle"),
        pytest.param(changed(0, levels=1), id="no difference"),
        pytest.param(changed(1, levels=3), id="turns back"),
        pytest.param(changed(1, levels=0), id="keeps the deal for nothing"),
        pytest.param([LevelRow(None, 2, Role.DEALER, 2), LevelRow(7, None, Role.DEALER, 1)], id="off the grain"),
    ],
)
def test_bad_tables_are_refused(rows):
    assert table_problem(rows) is not None

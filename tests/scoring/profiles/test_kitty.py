"""Every shape and every scheme; factors typed from the source documents (inventory §4)."""

from __future__ import annotations

import pytest

from scoring.hands.totals import kitty_multiplier
from scoring.profiles import build, load
from scoring.profiles.kitty import SCHEMES
from tests.scoring.making import PAIR, SINGLE, shapes, tractor

TRIPLE, QUAD = {"type": "triple"}, {"type": "quad"}

FACTORS = [
    ("pow_pairs", [SINGLE], 2),
    ("pow_pairs", [PAIR], 4),
    ("pow_pairs", [tractor(2)], 8),
    ("pow_pairs", [tractor(3)], 16),
    ("pow_pairs", [tractor(4)], 32),
    ("pow_pairs", [tractor(12)], 8192),
    ("pow_pairs", [SINGLE, SINGLE], 2),
    ("pow_pairs", [PAIR, SINGLE, SINGLE], 4),
    ("pow_pairs", [PAIR, PAIR], 4),
    ("pow_pairs", [SINGLE, tractor(2), tractor(3), PAIR], 16),
    ("pow_pairs", [TRIPLE], 6),
    ("pow_pairs", [QUAD], 8),
    ("pow_pairs", [tractor(2, 3)], 18),
    ("pow_pairs", [tractor(2, 4)], 32),
    ("pow_pairs", [QUAD, tractor(3)], 16),
    ("four_times_pairs", [SINGLE], 2),
    ("four_times_pairs", [PAIR], 4),
    ("four_times_pairs", [tractor(2)], 8),
    ("four_times_pairs", [tractor(3)], 12),
    ("four_times_pairs", [tractor(2), tractor(3)], 12),
    ("four_times_pairs", [PAIR, PAIR, SINGLE], 4),
    ("four_times_pairs", [SINGLE, SINGLE, SINGLE], 2),
    ("pow_cards", [SINGLE], 2),
    ("pow_cards", [PAIR], 4),
    ("pow_cards", [tractor(2)], 16),
    ("pow_cards", [tractor(3)], 64),
    ("pow_cards", [tractor(12)], 2**24),
    ("pow_cards", [SINGLE, PAIR], 8),
    ("cards_x1", [tractor(2)], 4),
    ("cards_x1", [SINGLE, SINGLE], 2),
    ("cards_x2", [SINGLE], 2),
    ("cards_x2", [tractor(2)], 8),
    ("national_1d", [SINGLE], 2),
    ("national_1d", [SINGLE, SINGLE], 3),
    ("national_2d", [SINGLE], 2),
    ("national_2d", [PAIR], 4),
    ("national_2d", [tractor(2)], 6),
    ("national_2d", [tractor(3)], 8),
    ("national_2d", [tractor(5)], 12),
    ("national_2d", [tractor(12)], 26),
    ("national_2d", [SINGLE, SINGLE], 3),
    ("national_2d", [PAIR, SINGLE, SINGLE, SINGLE], 4),
    ("national_2d", [PAIR, tractor(2)], 6),
    ("national_3d", [SINGLE], 2),
    ("national_3d", [PAIR], 3),
    ("national_3d", [TRIPLE], 4),
    ("national_3d", [tractor(2)], 5),
    ("national_3d", [tractor(3)], 6),
    ("national_3d", [tractor(4)], 7),
    ("national_3d", [tractor(2, 3)], 6),
    ("national_3d", [tractor(3, 3)], 8),
    ("national_3d", [SINGLE, SINGLE], 3),
    ("national_3d", [TRIPLE, PAIR], 4),
    ("national_3d", [tractor(2), TRIPLE], 5),
    ("online_3d", [SINGLE], 2),
    ("online_3d", [PAIR], 4),
    ("online_3d", [TRIPLE], 6),
    ("online_3d", [tractor(2)], 8),
    ("online_3d", [tractor(2, 3)], 18),
    ("online_3d", [tractor(3, 3)], 54),
    ("online_3d", [SINGLE, SINGLE], 2),
]


@pytest.mark.parametrize(("scheme", "led", "factor"), FACTORS)
def test_factors(scheme, led, factor):
    assert SCHEMES[scheme].decide(shapes(*led)).multiplier == factor
    assert SCHEMES[scheme].decide(shapes(*reversed(led))).multiplier == factor


def test_every_scheme_is_here():
    assert {scheme for scheme, _, _ in FACTORS} == set(SCHEMES)


OF_PROFILES = [
    ("scn2-2013", [PAIR], 4, ("scn2.kitty.decides", "scn2.kitty.pair")),
    ("scn3-2026", [tractor(4)], 32, ("scn3.kitty.decides", "scn3.kitty.tractor")),
    ("cn-national-1d", [SINGLE, SINGLE], 3, ("cn.kitty.decides", "cn1.kitty.throw")),
    ("cn-national-2d", [tractor(2)], 6, ("cn.kitty.decides", "cn.kitty.tractor")),
    ("cn-national-3d", [tractor(2, 3)], 6, ("cn.kitty.decides", "cn3.kitty.tractor_of_triples")),
    ("online-super", [tractor(3)], 12, ("super.kitty.decides", "super.kitty.tractor")),
    ("wiki-classic", [tractor(12)], 2**24, ("wiki.kitty.decides", "wiki.kitty.cards")),
    ("wiki-one-deck", [SINGLE, SINGLE], 4, ("wiki.kitty.decides", "wiki.kitty.cards")),
    ("online-2d", [SINGLE, SINGLE], 2, ("on2.kitty.decides", "on2.kitty.single")),
    ("online-2d", [tractor(4)], 32, ("on2.kitty.decides", "on2.kitty.tractor")),
    ("online-3d", [TRIPLE], 6, ("on2.kitty.decides", "on3.kitty.triple")),
    ("online-3d", [tractor(3, 3)], 54, ("on2.kitty.decides", "on3.kitty.tractor_of_triples")),
    ("four-deck-online", [QUAD], 8, ("on2.kitty.decides", "on4.kitty.quad")),
    ("bajiwo", [tractor(2)], 8, ("on2.kitty.decides", "on2.kitty.tractor")),
    ("nanning-4d", [tractor(2, 3), SINGLE], 7, ("nanning.last_trick",)),
    ("changzhou-4d", [QUAD], 8, ("on2.kitty.decides", "on4.kitty.quad")),
]


@pytest.mark.parametrize(("profile", "led", "factor", "clauses"), OF_PROFILES)
def test_profiles_cite_the_clause_of_the_shape(profile, led, factor, clauses):
    assert kitty_multiplier(load(profile), shapes(*led)) == (factor, clauses)


def test_whose_cards_decide():
    two_pairs, ruff = shapes(PAIR, PAIR), shapes(tractor(2))
    assert kitty_multiplier(load("scn2-2013"), two_pairs, ruff)[0] == 4
    assert kitty_multiplier(build({"base": "scn2-2013", "set": {"kitty_pattern": "winning"}}), two_pairs, ruff)[0] == 8


def test_a_single_may_dig_once():
    plain = build({"base": "cn-national-2d", "set": {"dig_single_x1": True}})
    assert kitty_multiplier(plain, shapes(SINGLE)) == (1, ("cn.kitty.decides", "set.dig_single_x1"))
    assert kitty_multiplier(plain, shapes(PAIR))[0] == 4
    assert kitty_multiplier(plain, shapes(SINGLE, SINGLE))[0] == 3
    doubling = build({"base": "wiki-classic", "set": {"dig_single_x1": True}})
    assert kitty_multiplier(doubling, shapes(SINGLE)) == (1, ("wiki.kitty.decides", "set.dig_single_x1"))
    assert kitty_multiplier(doubling, shapes(SINGLE, SINGLE))[0] == 4

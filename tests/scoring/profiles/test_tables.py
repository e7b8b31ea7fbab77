"""The tables a reader sees say what the kernel does: bands, factors, chapters, and two profiles side by side."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scoring.profiles import OPTIONS, build, individual_ids, load, profile_ids
from scoring.profiles.comparing import compare, different_options
from scoring.profiles.tables import chapters, kitty_table, level_bands
from scoring.values import Role

ALL = (*profile_ids(), *individual_ids())
SETS = [
    {"base": "scn2-2013", "set": {"score_cap": 200}},
    {"base": "cn-national-2d", "set": {"score_floor": -40, "levels_cap": 3}},
    {"base": "cn-national-3d", "set": {"step": 20}},
]


def rules(spec):
    return build(spec, individual=True)


@pytest.mark.parametrize("spec", [*ALL, *SETS], ids=str)
def test_every_total_lies_in_one_band_and_gets_what_it_says(spec):
    profile = rules(spec)
    rows = level_bands(profile)
    if not rows:
        assert not {"table.line", "table.above"} & set(profile.topics)
        return
    for before, after in pairwise(rows):
        assert before.high is not None
        assert after.low == before.high + 5
    low = -500 if rows[0].low is None else rows[0].low
    high = 5000 if rows[-1].high is None else rows[-1].high
    assert low < 0
    assert high >= profile.points_max or profile.score_cap is not None
    for total in range(low, high + 5, 5):
        (row,) = [
            one for one in rows if (one.low is None or one.low <= total) and (one.high is None or total <= one.high)
        ]
        settled = profile.table.settle(total)
        assert profile.table.look_up(settled) == (row.role, row.levels)
    assert all(row.clause is not None and row.clause.id in profile.clauses for row in rows)


#: The first rows as the source documents print them: low, high, role, levels.
PRINTED = {
    "scn2-2013": [(None, 0, "dealer", 3), (5, 35, "dealer", 2), (40, 75, "dealer", 1), (80, 115, "attackers", 0)],
    "cn-national-2d": [(-40, -5, "dealer", 4), (0, 0, "dealer", 3), (5, 35, "dealer", 2), (40, 75, "dealer", 1)],
    "cn-national-3d": [(-60, -5, "dealer", 4), (0, 0, "dealer", 3), (5, 55, "dealer", 2), (60, 115, "dealer", 1)],
    "online-super": [(None, 0, "dealer", 6), (5, 10, "dealer", 5), (15, 20, "dealer", 4), (25, 30, "dealer", 3)],
}
LAST = {
    "cn-national-2d": (200, 235, "attackers", 3),
    "cn-national-1d": (100, 115, "attackers", 3),
    "cn-national-3d": (300, 355, "attackers", 3),
    "online-super": (285, None, "attackers", 6),
}


@pytest.mark.parametrize("profile_id", sorted(PRINTED))
def test_bands_read_as_printed(profile_id):
    rows = [(row.low, row.high, str(row.role), row.levels) for row in level_bands(load(profile_id))]
    assert rows[:4] == PRINTED[profile_id]


@pytest.mark.parametrize("profile_id", sorted(LAST))
def test_the_last_band_holds_all_points_of_the_decks(profile_id):
    row = level_bands(load(profile_id))[-1]
    assert (row.low, row.high, str(row.role), row.levels) == LAST[profile_id]


def test_what_the_event_caps_has_no_end():
    row = level_bands(rules(SETS[0]))[-1]
    assert (row.low, row.high, row.role, row.levels) == (200, None, Role.ATTACKERS, 3)


FACTORS = {
    "cn-national-1d": [("single", 2), ("throw of two singles", 3)],
    "cn-national-2d": [
        ("single", 2),
        ("pair", 4),
        ("2-pair tractor", 6),
        ("3-pair tractor", 8),
        ("4-pair tractor", 10),
        ("throw of two singles", 3),
        ("throw of a pair and two singles", 4),
    ],
    "wiki-classic": [
        ("single", 2),
        ("pair", 4),
        ("2-pair tractor", 16),
        ("3-pair tractor", 64),
        ("4-pair tractor", 256),
        ("throw of two singles", 4),
        ("throw of a pair and two singles", 16),
    ],
    "changzhou-4d": [
        ("single", 2),
        ("pair", 4),
        ("triple", 6),
        ("quad", 8),
        ("throw of two singles", 2),
        ("throw of a pair and two singles", 4),
    ],
}


@pytest.mark.parametrize("profile_id", sorted(FACTORS))
def test_the_kitty_table(profile_id):
    assert [(row.words["en"], row.factor) for row in kitty_table(load(profile_id))] == FACTORS[profile_id]


@pytest.mark.parametrize("profile_id", profile_ids())
def test_every_factor_is_given_by_a_clause(profile_id):
    profile = load(profile_id)
    for row in kitty_table(profile):
        assert row.clause is not None
        assert row.clause.id in profile.clauses
        assert row.to_json()["clause"] == row.clause.id


@pytest.mark.parametrize("spec", [*ALL, *SETS], ids=str)
def test_every_clause_stands_in_one_chapter(spec):
    profile = rules(spec)
    ids = [clause.id for chapter in chapters(profile) for clause in chapter.clauses]
    assert sorted(ids) == sorted(profile.clauses)
    assert "other" not in [chapter.name for chapter in chapters(profile)]


@pytest.mark.parametrize("a", ALL)
def test_a_profile_is_the_same_as_itself_and_differences_are_mutual(a):
    one, other = rules(a), load("scn2-2013")
    assert all(row.same for row in compare(one, one))
    assert different_options(one, one) == {}
    there, back = compare(one, other), compare(other, one)
    assert {(row.topic, row.same) for row in there} == {(row.topic, row.same) for row in back}
    assert {row.topic for row in there} == {t for p in (one, other) for t in p.topics if not t.startswith("set.")}


CHANGED = [
    ("step", 20),
    ("must_play", ["10"]),
    ("kitty_scheme", "cards_x1"),
    ("hook_limit", 2),
    ("score_cap", 200),
    ("throw_fine", 5),
    ("negative_total", "extend"),
]


@pytest.mark.parametrize(("option", "value"), CHANGED)
def test_what_the_event_changes_is_a_difference_on_its_topics(option, value):
    base = load("scn2-2013")
    changed = build({"base": "scn2-2013", "set": {option: value}})
    different = {row.topic for row in compare(base, changed) if not row.same}
    assert different == {topic for topic in OPTIONS[option].topics if topic in base.topics or topic in changed.topics}
    assert list(different_options(base, changed)) == [option]


def test_other_words_for_the_same_rule_are_the_same():
    rows = {row.topic: row for row in compare(load("scn2-2013"), load("scn3-2026"))}
    assert rows["floor"].clause_a.text != rows["floor"].clause_b.text
    assert rows["floor"].same
    assert not rows["hook_limit"].same
    assert rows["dealer.kept"].same

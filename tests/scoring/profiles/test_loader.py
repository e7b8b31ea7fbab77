from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scoring.profiles
from scoring.profiles import OPTIONS, ProfileError, build, load, profile_ids
from scoring.profiles.option_words import WORDS, win_name
from scoring.values import Level, Role

RULES = Path(scoring.profiles.__file__).parent / "rules"
EXPECTED = {
    "scn2-2013",
    "scn2-2013-step20",
    "scn2-2013-step10",
    "scn3-2026",
    "cn-national-1d",
    "cn-national-2d",
    "cn-national-3d",
    "online-super",
    "wiki-classic",
    "wiki-one-deck",
    "wiki-100",
    "online-2d",
    "online-3d",
    "four-deck-online",
    "bajiwo",
    "changzhou-4d",
    "nanning-4d",
    "chaodipi",
}
#: Topics every profile speaks on, because a result may cite them.
SPOKEN = {
    "deal",
    "points",
    "captured",
    "total",
    "kitty.dig",
    "kitty.escape",
    "kitty.decides",
    "throw_fine",
    "table.zero",
    "table.below",
    "table.line",
    "table.above",
    "ladder",
    "finish",
    "dealer.kept",
    "dealer.lost",
    "first_deal",
    "no_trump",
    "grain",
    "total_only",
    "adjustment",
    "level_penalty",
    "adjusted",
    "redeal",
    "let_stand",
    "recompute",
    "timed_tie",
    "lead",
    "forfeit",
}
#: What there is to say only where there is a kitty.
KITTY = {"kitty.dig", "kitty.escape", "kitty.decides"}


def test_the_profiles():
    assert set(profile_ids()) == EXPECTED
    assert list(profile_ids()) == sorted(EXPECTED)


@pytest.mark.parametrize("profile_id", sorted(EXPECTED))
def test_each_profile_is_whole(profile_id):
    profile = load(profile_id)
    assert profile.id == profile_id
    assert re.fullmatch(r"[0-9a-f]{64}", profile.digest)
    assert set(profile.topics) >= (SPOKEN if profile.last_trick == "kitty" else SPOKEN - KITTY | {"last_trick"})
    assert ("table.negative" in profile.topics) == (profile.negative_total == "extend")
    assert profile.topics["floor"].id.startswith("referee.") == (profile.negative_total == "extend")
    assert ("rebellion" in profile.topics) == profile.rebellion
    assert ("pass_a" in profile.topics) == (profile.finish == "pass_A")
    assert 4 * profile.hand_cards + profile.kitty_cards == 54 * profile.decks


@pytest.mark.parametrize("profile_id", sorted(EXPECTED))
def test_each_clause_can_be_read_in_both_languages(profile_id):
    for clause_id, clause in load(profile_id).clauses.items():
        assert clause.id == clause_id
        assert set(clause.text) == {"en", "zh"}
        assert clause.text["en"].endswith(".")
        assert clause.text["zh"].endswith("。")
        assert not set("'’‘“”\"{}") & set(clause.text["en"])
        assert re.search(r"[\u4e00-\u9fff]", clause.text["zh"])
        assert set(clause.source) == {"title", "section", "items"}
        assert all(re.fullmatch(r"(S[0-4]-[A-Z]{2}|[AD])-\d\d", item) for item in clause.source["items"])
        if not clause_id.startswith("referee.") and clause.stated:
            assert clause.source["items"], f"{clause_id} is stated, so it names where"
        assert json.loads(json.dumps(clause.to_json()))["id"] == clause_id


def test_clause_texts_speak_of_the_values_in_force():
    assert "Below 80" in load("scn2-2013").topics["table.below"].text["en"]
    changed = build({"base": "scn2-2013", "set": {"threshold": 100, "step": 50}})
    assert "Below 100" in changed.topics["table.below"].text["en"]
    assert "every 50 points" in changed.topics["table.below"].text["en"]


def test_a_change_by_the_event_is_a_clause_and_silences_the_one_it_overrules():
    changed = build({"base": "cn-national-2d", "set": {"kitty_scheme": "pow_pairs"}})
    assert changed.topics["kitty.tractor"].id == "set.kitty_scheme"
    assert "cn.kitty.tractor" not in changed.clauses
    assert "set.kitty_scheme" in changed.clauses
    assert changed.digest != load("cn-national-2d").digest
    assert "changed by the event" in changed.title["en"]


@pytest.mark.parametrize(
    "spec",
    [
        "scn2-2013",
        {"base": "scn2-2013"},
        {"base": "scn2-2013", "set": {}},
        {"base": "scn2-2013", "set": {"threshold": 80}},
        {"base": "scn2-2013", "set": {"score_cap": 200, "must_play": ["J"]}},
        {"base": "cn-national-2d", "set": {"hook_card": "any", "hook_levels": ["J"], "hook_needs_takeover": False}},
    ],
)
def test_a_profile_is_rebuilt_from_its_spec(spec):
    profile = build(spec)
    again = build(json.loads(json.dumps(profile.spec())))
    assert again == profile
    assert hash(again) == hash(profile)


def test_setting_what_is_so_already_changes_nothing():
    assert build({"base": "scn2-2013", "set": {"threshold": 80}}) == load("scn2-2013")
    assert build({"base": "scn2-2013", "set": {"threshold": 80}}).spec() == "scn2-2013"


def test_digests_differ_and_do_not_move():
    digests = {load(profile_id).digest for profile_id in profile_ids()}
    assert len(digests) == len(EXPECTED)
    assert (
        build({"base": "scn2-2013", "set": {"step": 20, "threshold": 100}}).digest
        == build({"set": {"threshold": 100, "step": 20}, "base": "scn2-2013"}).digest
    )


def test_other_levels_keep_what_is_left_of_the_old_choice():
    short = build({"base": "scn2-2013", "set": {"ladder": ["5", "10", "K"]}})
    assert short.must_play == (Level("10"), Level("K"))
    assert short.hook_levels == ()


def test_a_permanent_trump_is_no_level():
    rules = build({"base": "scn2-2013", "set": {"permanent_ranks": ["2", "10", "H5"]}})
    assert [str(level) for level in rules.ladder] == ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]
    assert rules.must_play == (Level("K"),)
    assert rules.clauses["set.permanent_ranks"].text["en"].endswith("always trumps: 2, 10, the five of hearts.")
    assert build(rules.spec()) == rules


SET = "set"
BAD = [
    ("nowhere", "unknown_profile", "profile"),
    ("", "unknown_profile", "profile"),
    ("_referee", "unknown_profile", "profile"),
    ("../scn2-2013", "unknown_profile", "profile"),
    (None, "bad_profile", "profile"),
    (7, "bad_profile", "profile"),
    (["scn2-2013"], "bad_profile", "profile"),
    ({}, "bad_profile", "profile"),
    ({"base": 7}, "bad_profile", "profile"),
    ({"base": "scn2-2013", "sets": {}}, "bad_profile", "profile"),
    ({"base": "scn2-2013", SET: []}, "bad_profile", "set"),
    ({"base": "scn2-2013", SET: {1: 2}}, "bad_profile", "set"),
    ({"base": "scn2-2013", SET: {"step": "x" * 30_000}}, "bad_profile", "set"),
    ({"base": "scn2-2013", SET: {"stepp": 20}}, "unknown_option", "stepp"),
    ({"base": "scn2-2013", SET: {"step": 0}}, "bad_option", "step"),
    ({"base": "scn2-2013", SET: {"step": 7}}, "bad_option", "step"),
    ({"base": "scn2-2013", SET: {"step": True}}, "bad_option", "step"),
    ({"base": "scn2-2013", SET: {"step": 20.0}}, "bad_option", "step"),
    ({"base": "scn2-2013", SET: {"step": float("nan")}}, "bad_option", "step"),
    ({"base": "scn2-2013", SET: {"decks": 5}}, "bad_option", "decks"),
    ({"base": "scn2-2013", SET: {"ladder": []}}, "nonsense", "ladder"),
    ({"base": "scn2-2013", SET: {"ladder": ["2", "2"]}}, "bad_option", "ladder"),
    ({"base": "scn2-2013", SET: {"ladder": ["3", "2"]}}, "bad_option", "ladder"),
    ({"base": "scn2-2013", SET: {"ladder": "23456"}}, "bad_option", "ladder"),
    ({"base": "scn2-2013", SET: {"must_mode": "maybe"}}, "bad_option", "must_mode"),
    ({"base": "scn2-2013", SET: {"rebellion": 1}}, "bad_option", "rebellion"),
    ({"base": "scn2-2013", SET: {"deal_sizes": {"2": [26, 8]}}}, "bad_option", "deal_sizes"),
    ({"base": "scn2-2013", SET: {"level_table": [{"from": 0, "to": None}]}}, "bad_option", "level_table"),
    ({"base": "scn2-2013", SET: {"decks": 3}}, "nonsense", "decks"),
    ({"base": "cn-national-2d", SET: {"decks": 3}}, "nonsense", "kitty_scheme"),
    ({"base": "wiki-classic", SET: {"permanent_ranks": ["2"], "ladder": ["2", "A"]}}, "nonsense", "permanent_ranks"),
    ({"base": "wiki-classic", SET: {"permanent_ranks": ["2", "2"]}}, "bad_option", "permanent_ranks"),
    ({"base": "wiki-classic", SET: {"permanent_ranks": ["H"]}}, "bad_option", "permanent_ranks"),
    ({"base": "wiki-classic", SET: {"ladder": ["A"]}}, "nonsense", "finish"),
    ({"base": "scn2-2013", SET: {"score_floor": -40}}, "nonsense", "score_floor"),
    ({"base": "cn-national-2d", SET: {"score_floor": 40}}, "bad_option", "score_floor"),
    ({"base": "scn2-2013", SET: {"throws_allowed": False}}, "nonsense", "throw_fine"),
    ({"base": "scn2-2013", SET: {"last_trick": "cards_times_points"}}, "nonsense", "last_trick"),
    ({"base": "nanning-4d", SET: {"dig_trump_only": True}}, "nonsense", "last_trick"),
    ({"base": "nanning-4d", SET: {"kitty_scheme": "cards_x1"}}, "nonsense", "kitty_scheme"),
    ({"base": "bajiwo", SET: {"level_jumps": ["dig_with_KKK"]}}, "bad_option", "level_jumps"),
    ({"base": "bajiwo", SET: {"level_jumps": [[]]}}, "bad_option", "level_jumps"),
    ({"base": "bajiwo", SET: {"flag_failures": 2}}, "nonsense", "flag_failures"),
    ({"base": "four-deck-online", SET: {"deal_sizes": {"4": [54, 0]}}}, "nonsense", "last_trick"),
    ({"base": "online-super", SET: {"step": 20}}, "nonsense", "step"),
    ({"base": "wiki-classic", SET: {"throw_fine_per": "card_but_one"}}, "nonsense", "throw_fine_per"),
    ({"base": "wiki-classic", SET: {"hook_card": "main"}}, "nonsense", "hook_card"),
    ({"base": "wiki-classic", SET: {"pass_a": "any"}}, "nonsense", "pass_a"),
    ({"base": "cn-national-2d", SET: {"rebellion_points": 10}}, "nonsense", "rebellion_points"),
    ({"base": "cn-national-1d", SET: {"threshold": 105}}, "nonsense", "threshold"),
    ({"base": "scn2-2013", SET: {"must_mode": "none"}}, "nonsense", "must_mode"),
    ({"base": "scn2-2013", SET: {"ladder": ["9", "A"], "must_play": ["10"]}}, "nonsense", "must_play"),
    ({"base": "scn2-2013", SET: {"ladder": ["9", "A"], "hook_levels": ["Q"]}}, "nonsense", "hook_levels"),
    ({"base": "wiki-classic", SET: {"hook_limit": 1}}, "nonsense", "hook_limit"),
    ({"base": "scn2-2013", SET: {"score_cap": 75}}, "nonsense", "score_cap"),
    ({"base": "online-super", SET: {"threshold": 100}}, "nonsense", "level_table"),
    ({"base": "scn2-2013", SET: {"counter_ranks": ["level2", "level2"]}}, "bad_option", "counter_ranks"),
    ({"base": "scn2-2013", SET: {"counter_ranks": "level2"}}, "bad_option", "counter_ranks"),
    ({"base": "scn2-2013", SET: {"counter_ranks": ["red_fives2"]}}, "nonsense", "counter_ranks"),
    ({"base": "scn2-2013", SET: {"counter_suit_order": ["S", "H", "C"]}}, "bad_option", "counter_suit_order"),
    ({"base": "scn2-2013", SET: {"counter_suit_order": ["S", "S", "C", "D"]}}, "bad_option", "counter_suit_order"),
    ({"base": "scn2-2013", SET: {"no_declare": "partner_names"}}, "nonsense", "no_declare_first"),
    ({"base": "nanning-4d", SET: {"no_declare": "first"}}, "nonsense", "no_declare"),
    ({"base": "nanning-4d", SET: {"late_counter": True}}, "nonsense", "late_counter"),
    ({"base": "cn-national-2d", SET: {"flip_any_joker": True}}, "nonsense", "flip_any_joker"),
    ({"base": "cn-national-2d", SET: {"first_hand_late_counter": True}}, "nonsense", "first_hand_late_counter"),
    ({"base": "cn-national-2d", SET: {"declare_no_trump": False}}, "nonsense", "declare_no_trump"),
    ({"base": "wiki-one-deck", SET: {"self_protect": "none"}}, "nonsense", "self_protect"),
    ({"base": "scn2-2013", SET: {"after_A": ["A"]}}, "bad_option", "after_A"),
    ({"base": "scn2-2013", SET: {"after_A": ["flag"]}}, "bad_option", "after_A"),
    ({"base": "scn2-2013", SET: {"after_A": ["joker", "joker"]}}, "bad_option", "after_A"),
    ({"base": "scn2-2013", SET: {"after_A": "joker"}}, "bad_option", "after_A"),
    ({"base": "wiki-classic", SET: {"after_A": ["joker"]}}, "nonsense", "after_A"),
    ({"base": "cn-national-2d", SET: {"after_A": ["no_trump"]}}, "nonsense", "after_A"),
    ({"base": "scn2-2013", SET: {"must_play": ["10", "joker"]}}, "nonsense", "must_play"),
    ({"base": "scn2-2013", SET: {"must_play": ["joker", "10"], "after_A": ["joker"]}}, "bad_option", "must_play"),
    ({"base": "scn2-2013", SET: {"hook_levels": ["joker"], "after_A": ["joker"]}}, "bad_option", "hook_levels"),
    ({"base": "chaodipi", SET: {"finish": "wrap"}}, "nonsense", "flag_line"),
    ({"base": "chaodipi", SET: {"flag_line": 205}}, "nonsense", "flag_line"),
    ({"base": "chaodipi", SET: {"score_cap": 95}}, "nonsense", "score_cap"),
    ({"base": "cn-national-3d", SET: {"flag_line": 100}}, "nonsense", "flag_line"),
    ({"base": "wiki-one-deck", SET: {"level_jumps": ["pair_H5_declare_or_dig"]}}, "nonsense", "level_jumps"),
    ({"base": "nanning-4d", SET: {"level_jumps": ["dig_with_510K"]}}, "nonsense", "level_jumps"),
    ({"base": "nanning-4d", SET: {"hidden_declare": True}}, "nonsense", "hidden_declare"),
    ({"base": "scn2-2013", SET: {"joker_declare": True}}, "bad_option", "joker_declare"),
]


@pytest.mark.parametrize(("spec", "code", "field"), BAD)
def test_nonsense_is_refused_with_a_reason(spec, code, field):
    with pytest.raises(ProfileError) as refused:
        build(spec)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert set(refused.value.message) == {"en", "zh"}
    assert str(refused.value) == refused.value.message["en"]


def test_every_option_has_a_title_and_typed_fields_answer_to_inventory_names():
    profile = load("scn2-2013")
    for name, option in OPTIONS.items():
        assert set(option.title) == {"en", "zh"}
        if name not in ("level_table", "after_A"):  # a table of its own, and part of the ladder
            assert hasattr(profile, name.lower()), name
    assert (profile.decks, profile.threshold, profile.step) == (2, 80, 40)
    assert (profile.points_max, profile.kitty_max) == (200, 80)


@pytest.mark.parametrize(
    ("profile_id", "most"),
    [
        ("cn-national-1d", 60),
        ("cn-national-2d", 80),
        ("cn-national-3d", 60),
        ("wiki-one-deck", 60),
        ("four-deck-online", 80),
        ("changzhou-4d", 120),
        ("nanning-4d", 0),
    ],
)
def test_the_kitty_holds_no_more_than_its_cards(profile_id, most):
    assert load(profile_id).kitty_max == most


def test_names_of_wins():
    profile = load("cn-national-3d")
    assert [win_name(profile, total, Role.DEALER) for total in (-5, 0, 5, 55, 60)] == [
        None,
        "big",
        "small",
        "small",
        None,
    ]
    assert win_name(profile, 0, Role.ATTACKERS) is None


def raw_clauses():
    for path in sorted(RULES.glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8"))["clauses"]:
            yield pytest.param(row, id=f"{path.stem} {row['topic']}")


@pytest.mark.parametrize("row", list(raw_clauses()))
def test_a_clause_speaks_of_its_params_in_both_languages_and_of_nothing_else(row):
    for language in ("en", "zh"):
        assert set(re.findall(r"{(\w+)}", row["text"][language])) == set(row.get("params", ()))
    assert set(row.get("params", ())) <= set(OPTIONS)
    assert {row.get("when", "decks"), row.get("unless", "decks")} <= set(OPTIONS)


def test_clauses_of_what_is_not_played_are_not_there():
    national = load("cn-national-2d")
    assert {"no_hook", "no_rebellion"} <= set(national.topics)
    assert not {"hook", "rebellion"} & set(national.topics)
    hooking = build({"base": "cn-national-2d", "set": {"hook_levels": ["J"]}})
    assert "played here at J" in hooking.topics["hook"].text["en"]
    assert "no_hook" not in hooking.topics
    assert not {"no_hook", "no_rebellion"} & set(load("scn2-2013").topics)


@pytest.mark.parametrize("name", sorted(WORDS))
def test_every_choice_has_words(name):
    for value, words in WORDS[name].items():
        assert OPTIONS[name].read(value) == value
        assert set(words) == {"en", "zh"}
    for profile_id in profile_ids():
        assert load(profile_id).options[name] in WORDS[name]


def test_a_variant_the_sources_know_names_where():
    changed = build({"base": "scn2-2013", "set": {"dig_trump_only": True, "levels_cap": 3}})
    assert changed.clauses["set.dig_trump_only"].source["items"] == ["S4-KT-07"]
    assert changed.clauses["set.levels_cap"].source["items"] == []
    for option in OPTIONS.values():
        assert all(re.fullmatch(r"(S[0-4]-[A-Z]{2}|[AD])-\d\d", item) for item in option.items)


@pytest.mark.parametrize(
    ("option", "value", "en"),
    [
        ("dig_trump_only", True, "The event sets: only trumps dig: yes."),
        ("must_play", [], "The event sets: levels that must be played: none."),
        ("score_cap", 200, "The event sets: cap of the total: 200."),
        ("finish", "reach_A", "The event sets: how a match is won: by reaching the last level."),
        ("win_names", {"big": [0, 0]}, "The event sets: big win and small win: big win 0."),
    ],
)
def test_what_the_event_sets_is_said(option, value, en):
    changed = build({"base": "scn2-2013", "set": {option: value}})
    assert changed.clauses[f"set.{option}"].text["en"] == en

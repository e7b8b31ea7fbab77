"""Level jumps, the flag, bids, coins, joker points and the last trick without a kitty; typed from the source."""

from __future__ import annotations

import pytest

from scoring.profiles import ProfileError, build, load, profile_ids
from scoring.questions.protocol import answer

H5, FIVE_TEN_KING = "pair_H5_declare_or_dig", "dig_with_510K"


def ask(op, profile, **fields):
    return answer({"id": "q", "profile": profile, "input": {"op": op, **fields}})


ANSWERS = [
    # the side with the red fives wins its hand: it plays A, the other side 2; it fails: the other way round
    ("special_levels", "chaodipi", {"event": H5, "by": "dealer", "attackers_total": 75}, ("A", "2")),
    ("special_levels", "chaodipi", {"event": H5, "by": "dealer", "attackers_total": 80}, ("2", "A")),
    ("special_levels", "chaodipi", {"event": H5, "by": "attackers", "attackers_total": 80}, ("2", "A")),
    ("special_levels", "chaodipi", {"event": H5, "by": "attackers", "attackers_total": 75}, ("A", "2")),
    ("special_levels", "chaodipi", {"event": FIVE_TEN_KING, "by": "attackers", "attackers_total": -30}, ("2", "A")),
    (
        "special_levels",
        {"base": "bajiwo", "set": {"level_jumps": [H5], "ladder": ["5", "10", "K"]}},
        {"event": H5, "by": "dealer", "attackers_total": 0},
        ("K", "5"),
    ),
    ("flag_stage", "chaodipi", {"attackers_total": 95, "consecutive_failures_before": 2}, (True, 0)),
    ("flag_stage", "chaodipi", {"attackers_total": 100, "consecutive_failures_before": 0}, (False, 1)),
    ("flag_stage", "chaodipi", {"attackers_total": 100, "consecutive_failures_before": 2}, (False, 3, "2")),
    ("last_trick_points", "nanning-4d", {"cards_led": 2, "trick_points": 40, "winner": "attackers"}, (80,)),
    ("last_trick_points", "nanning-4d", {"cards_led": 2, "trick_points": 40, "winner": "dealer"}, (-80,)),
    ("last_trick_points", "nanning-4d", {"cards_led": 1, "trick_points": 40, "winner": "dealer"}, (0,)),
    ("last_trick_points", "nanning-4d", {"cards_led": 8, "trick_points": 0, "winner": "dealer"}, (0,)),
    ("bid_game", "sandayi", {"bids": {"N": 120}, "attackers_total": 120}, ("N", 120, True)),
    ("bid_game", "sandayi", {"bids": {"N": 120, "W": 80, "E": None}, "attackers_total": 75}, ("W", 80, False)),
    ("total_points", "ersibai", {}, (240,)),
    ("total_points", "ersibai", {"decks": 1}, (120,)),
    ("total_points", "cn-national-3d", {}, (300,)),
    ("total_points", "scn2-2013", {"decks": 4}, (400,)),
    ("total_points", "scn2-2013", {"jokers_worth": 5}, (220,)),
    ("coins", "online-super", {"base_result": 100, "counters": 3}, (800,)),
    ("coins", "online-super", {"base_result": -75, "counters": 1}, (-150,)),
    ("coins", "online-super", {"room_base": 25, "throw_failed": True}, ("12.5",)),
    ("coins", "online-super", {"room_base": 200, "throw_failed": False}, (0,)),
]


@pytest.mark.parametrize(("op", "profile", "fields", "expected"), ANSWERS)
def test_answers(op, profile, fields, expected):
    said = ask(op, profile, **fields)
    assert "error" not in said, said
    assert tuple(said["answer"].values()) == expected
    assert all(set(reason["text"]) == {"en", "zh"} for reason in said["because"])
    assert said["because"]


REFUSALS = [
    ("special_levels", "bajiwo", {"event": H5, "by": "dealer", "attackers_total": 0}, "jump_not_here"),
    ("special_levels", "chaodipi", {"event": FIVE_TEN_KING, "by": "dealer", "attackers_total": 0}, "dig_by_dealer"),
    ("special_levels", "chaodipi", {"event": "510K", "by": "dealer", "attackers_total": 0}, "unknown_value"),
    ("special_levels", "chaodipi", {"event": H5, "by": "dealer"}, "missing"),
    ("flag_stage", "bajiwo", {"attackers_total": 0, "consecutive_failures_before": 0}, "flag_not_here"),
    ("flag_stage", "chaodipi", {"attackers_total": 83, "consecutive_failures_before": 0}, "not_a_multiple_of_5"),
    ("flag_stage", "chaodipi", {"attackers_total": 80, "consecutive_failures_before": 3}, "out_of_range"),
    ("last_trick_points", "scn2-2013", {"cards_led": 2, "trick_points": 0, "winner": "dealer"}, "last_trick_not_here"),
    ("last_trick_points", "nanning-4d", {"cards_led": 0, "trick_points": 0, "winner": "dealer"}, "out_of_range"),
    ("last_trick_points", "nanning-4d", {"cards_led": 2, "trick_points": 85, "winner": "dealer"}, "out_of_range"),
    ("last_trick_points", "nanning-4d", {"cards_led": 2, "trick_points": 7, "winner": "dealer"}, "not_a_multiple_of_5"),
    ("bid_game", "scn2-2013", {"bids": {"N": 120}, "attackers_total": 0}, "bids_not_here"),
    ("bid_game", "sandayi", {"bids": {"N": 120, "E": 120}, "attackers_total": 0}, "bid_twice"),
    ("bid_game", "sandayi", {"bids": {"N": 75}, "attackers_total": 0}, "bid_not_here"),
    ("bid_game", "sandayi", {"bids": {"N": 125}, "attackers_total": 0}, "bid_not_here"),
    ("bid_game", "sandayi", {"bids": {"N": True}, "attackers_total": 0}, "bid_not_here"),
    ("bid_game", "sandayi", {"bids": {"X": 100}, "attackers_total": 0}, "unknown_field"),
    ("bid_game", "sandayi", {"bids": [100], "attackers_total": 0}, "wrong_type"),
    ("bid_game", "sandayi", {"bids": {"N": None}, "attackers_total": 0}, "bid_missing"),
    ("bid_game", "sandayi", {"attackers_total": 0}, "missing"),
    ("coins", "scn2-2013", {"base_result": 1, "counters": 1}, "coins_not_here"),
    ("coins", "scn2-2013", {"room_base": 100, "throw_failed": True}, "coins_not_here"),
    ("coins", "online-super", {"base_result": 1, "counters": 10**9}, "out_of_range"),
    ("coins", "online-super", {"room_base": 100}, "missing"),
    ("coins", "online-super", {"room_base": 100, "counters": 1, "throw_failed": True}, "unknown_field"),
    ("total_points", "ersibai", {"decks": 5}, "out_of_range"),
    ("level_result", "sandayi", {"attackers_total": 80}, "individual_game"),
    ("hand_total", {"base": "ersibai", "set": {"decks": 2}}, {"captured_in_tricks": 80}, "individual_game"),
]


@pytest.mark.parametrize(("op", "profile", "fields", "code"), REFUSALS)
def test_refusals(op, profile, fields, code):
    said = ask(op, profile, **fields)
    assert said["error"]["code"] == code
    assert set(said["error"]["message"]) == {"en", "zh"}


@pytest.mark.parametrize("name", ["sandayi", "ersibai"])
def test_individual_games_are_no_rules_for_two_sides(name):
    assert name not in profile_ids()
    for refused in (lambda: load(name), lambda: build(name), lambda: build({"base": name, "set": {"step": 20}})):
        with pytest.raises(ProfileError) as error:
            refused()
        assert error.value.code == "individual_game"
    rules = load(name, individual=True)
    assert rules.game == "individual"
    for clause in rules.clauses.values():
        assert clause.text["en"].endswith(".")
        assert clause.text["zh"].endswith("。")
        assert not set("'’\"{}") & set(clause.text["en"])


def test_what_jokers_are_worth_may_lie_in_the_kitty():
    assert load("ersibai", individual=True).kitty_max == 80
    fives = build({"base": "changzhou-4d", "set": {"jokers_worth": 5, "deal_sizes": {"4": [43, 44]}}})
    assert (fives.points_max, fives.kitty_max) == (440, 32 * 10 + 12 * 5)

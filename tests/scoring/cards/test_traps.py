"""The traps in which rules engines for this game have been caught, by number; each is settled in its own test."""

from __future__ import annotations

import pytest

from scoring.cards.plays import follow_set
from scoring.questions.protocol import answer
from tests.scoring.cards.making import cards, lead, order, texts


def ask(op, profile="scn2-2013", trump="S", level="7", **fields):
    said = answer({"id": 1, "profile": profile, "input": {"op": op, "trump": trump, "level": level, **fields}})
    assert "error" not in said, said
    return said["answer"]


def is_tractor(text, profile="scn2-2013", trump="S", level="7"):
    return ask("is_tractor", profile, trump, level, cards=text.split())["tractor"]


def winner(*plays, profile="scn2-2013", trump="S", level="7"):
    """Which of four plays wins: 0 for the lead."""
    rows = [[seat, play.split()] for seat, play in zip("NWSE", plays, strict=False)]
    return "NWSE".index(ask("trick", profile, trump, level, plays=rows)["winner"])


def legal(led, hand, play, profile="scn2-2013", trump="S", level="2"):
    return ask("follow", profile, trump, level, lead=led.split(), hand=hand.split(), play=play.split())["legal"]


def throw(thrown, *others, profile="scn2-2013", trump="S", level="7", **fields):
    return ask("throw", profile, trump, level, thrown=thrown.split(), others=[one.split() for one in others], **fields)


@pytest.mark.parametrize(
    ("level", "text", "yes"),
    [
        ("7", "H6 H6 H8 H8", True),
        ("7", "S6 S6 S7 S7", False),
        ("7", "H6 H6 H7 H7", False),
        ("7", "S6 S6 S8 S8", True),
        ("A", "HQ HQ HK HK", True),
        ("A", "SK SK HA HA SA SA JS JS", True),
        ("A", "SK SK SA SA", False),
    ],
)
def test_trap_1_the_gap_of_the_level(level, text, yes):
    assert is_tractor(text, level=level) is yes


@pytest.mark.parametrize(
    ("text", "yes"),
    [("SA SA D10 D10", True), ("SA SA S10 S10", False), ("D10 D10 C10 C10", False), ("S10 S10 SJ SJ", False)],
)
def test_trap_2_aces_and_level_cards(text, yes):
    assert is_tractor(text, "cn-national-2d", level="10") is yes


@pytest.mark.parametrize(
    ("text", "yes"), [("D7 D7 JS JS", True), ("S7 S7 JS JS", True), ("C7 C7 D7 D7", False), ("SA SA S7 S7", False)]
)
def test_trap_3_no_trump(text, yes):
    assert is_tractor(text, "online-2d", trump="NT") is yes


def test_trap_4_cards_of_one_rung_serve_different_runs():
    said = ask("shapes", level="2", cards=["SA", "SA", "H2", "H2", "C2", "C2", "S2", "S2"])
    kinds = [[(unit["type"], unit.get("length", 1)) for unit in units] for units in said["all"]]
    assert kinds == [[("tractor", 3), ("pair", 1)], [("tractor", 2), ("tractor", 2)]]
    # a hand of these cards meets two tractors of two, which a greedy reading from the left does not see
    assert legal("H3 H3 H4 H4", "SA SA H2 H2 C2 C2 S2 S2", "C2 C2 S2 S2")
    assert legal("S3 S3 S4 S4", "SA SA H2 H2 C2 C2 S2 S2", "C2 C2 S2 S2")


def test_trap_5_the_best_reading_of_an_over_ruff_counts():
    plays = ("HA HA HK HJ", "C5 C5 CA S2", "C6 C6 C2 C2")
    everything = {"base": "scn2-2013", "set": {"throw_compare": "every_part"}}
    assert winner(*plays, trump="C", level="2") == 2
    assert winner(*plays, profile=everything, trump="C", level="2") == 2
    assert winner("HA HA HK HJ", "C7 C7 CA S2", "C6 C6 C2 C2", trump="C", level="2") == 2
    assert winner("HA HA HK HJ", "C7 C7 CA S2", "C6 C6 C2 C2", profile=everything, trump="C", level="2") == 1


@pytest.mark.parametrize(("play", "yes"), [("H3 H3 H4 H4", True), ("H4 H4 H5 H5", True), ("H3 H3 H5 H5", False)])
def test_trap_6_a_tractor_is_owed_out_of_a_longer_one(play, yes):
    assert legal("H8 H8 H9 H9", "H3 H3 H4 H4 H5 H5", play) is yes


@pytest.mark.parametrize("play", ["H3 H3", "H4 H4", "H9 H9"])
def test_trap_7_any_pair_answers_a_pair(play):
    assert legal("H8 H8", "H3 H3 H4 H4 H9 H9", play)


def test_trap_8_a_second_pair_may_be_split():
    at = order("scn2-2013", "S", "2")
    listed = follow_set(lead(at, "HA HA HK"), at.count(cards("HJ HJ H6 H6 H9")))
    assert sorted(map(texts, listed)) == sorted(
        map(texts, map(cards, ["HJ HJ H9", "H6 H6 H9", "HJ HJ H6", "H6 H6 HJ"]))
    )


def test_trap_9_a_throw_with_a_tractor_is_owed_a_tractor():
    assert not legal("HA HK HK HQ HQ", "H3 H3 H4 H4 H8 H8 H9", "H3 H3 H8 H8 H9")
    assert legal("HA HK HK HQ HQ", "H3 H3 H4 H4 H8 H8 H9", "H3 H3 H4 H4 H8")


def test_trap_10_who_is_short_plays_all_of_the_suit_and_owes_nothing_else():
    assert not legal("H8 H8", "H3 C5 C5", "C5 C5")
    assert legal("H8 H8", "H3 C5 C5 D6", "H3 D6")
    assert legal("H8 H8 H9 H9", "H3 H3 C5 C5 D6", "H3 H3 C5 D6")


def test_trap_11_triples_are_torn_where_a_pair_is_owed():
    assert legal("H8 H8", "H6 H6 H6 H9", "H6 H6", profile="cn-national-3d")
    assert not legal("H8 H8", "H6 H6 H6 H9", "H6 H9", profile="cn-national-3d")
    hand = "S7 S7 S7 S8 S9 S10 S10"
    assert legal("S8 S8 S9 S9", hand, "S7 S7 S10 S10", profile="cn-national-3d")
    assert not legal("S8 S8 S9 S9", hand, "S7 S7 S7 S8", profile="cn-national-3d")


def test_trap_12_beside_a_triple_any_pair_will_do():
    hand = "HA HA HA HK HK HJ HJ H8"
    for pair in ("HK HK", "HJ HJ"):
        assert legal("H3 H3 H3 H4 H4 H4", hand, f"HA HA HA {pair} H8", profile="cn-national-3d")


def test_trap_13_equal_level_cards_do_not_beat_each_other():
    assert winner("H7 H7", "C7 C7", "D7 D7", "SA SA") == 0
    assert throw("H7 H7 SA", "C7 D7", "SA", "")["stands"] is False
    assert throw("H7 H7 S7", "C7 C7", "S7", "D7 D7")["stands"] is True


def test_trap_14_only_a_ruff_beats_a_throw():
    assert winner("HA HK H9", "HQ HQ HJ", "H3 H4 H5", "H6 H6 H8") == 0
    assert winner("HA HK H9", "HQ HQ HJ", "S3 S4 S5", "H6 H6 H8") == 2


def test_trap_15_an_over_ruff_compares_the_top_of_the_highest_class():
    assert winner("HA HA HK", "S4 S4 SA", "S3 S3 JB", "H2 H3 H4") == 1
    assert winner("HA HA HK", "D7 D7 SA", "C7 C7 JB", "H2 H3 H4") == 1
    assert winner("HA HA HK", "S4 S4 SA", "S5 S5 S2", "H2 H3 H4") == 2


def test_trap_16_everybody_counts_ruffs_do_not_and_only_what_failed_is_forced():
    assert throw("H8 H8 HJ HQ HK", "H2", "HA", "H3")["must_play"] == ["HJ"]
    assert throw("H8 H8 HJ HQ HK", "JB JB S2 S2 S3", "H2", "H3")["stands"] is True
    assert throw("H8 H8 HJ HQ HK", "H9 H9", "H2", "H3")["must_play"] == ["H8", "H8"]


def test_trap_17_the_fine_counts_every_card_of_the_attempt():
    assert throw("H8 H8 HJ HQ HK", "H2", "HA", "H3", side="dealer")["fine"] == 50
    assert throw("H8 H8 HJ HQ HK", "H2", "HA", "H3", side="attackers")["fine"] == -50


@pytest.mark.parametrize(("profile", "levels"), [("scn2-2013", [3, 3, 3, 3]), ("cn-national-2d", [3, 4, 4, 4])])
def test_trap_18_totals_of_zero_and_below(profile, levels):
    said = [
        answer({"id": 1, "profile": profile, "input": {"op": "level_result", "attackers_total": total}})["answer"]
        for total in (0, -5, -35, -40)
    ]
    assert [one["levels"] for one in said] == levels


def test_trap_19_a_level_that_must_be_held_and_one_that_may_not_be_skipped():
    def next_level(mode):
        profile = {"base": "cn-national-2d", "set": {"must_play": ["10"], "must_mode": mode}}
        asked = {"op": "advance_level", "role": "attackers", "level": "10", "levels_won": 1}
        return answer({"id": 1, "profile": profile, "input": asked})["answer"]["next_level"]

    assert (next_level("must_defend"), next_level("no_skip")) == ("10", "J")


def test_trap_20_of_equal_pairs_the_thrower_says_which_stays():
    said = throw("H7 H7 C7 C7", "JS JS", "", "")
    assert [said["must_play"], *said["equals"]] == [["H7", "H7"], ["C7", "C7"]]


def test_trap_21_the_cards_of_a_failed_throw_are_all_known():
    """What was shown stays in the verdict: the part that failed, and the cards that beat it."""
    said = throw("H8 H8 HJ HQ HK", "H9 H9", "HA", "H3")
    assert said["failures"] == [
        {"cards": ["HJ"], "by": 1, "holds": ["HA"]},
        {"cards": ["H8", "H8"], "by": 0, "holds": ["H9", "H9"]},
    ]


def test_trap_22_a_pair_shown_at_once_is_a_reinforced_declaration():
    def may_counter(reinforced):
        state = {"declared": {"by": "N", "suit": "H", "reinforced": reinforced}, "counters": []}
        asked = {"op": "counter_allowed", "level": "7", "state": state, "bid": {"by": "W", "cards": ["D7", "D7"]}}
        return answer({"id": 1, "profile": "scn2-2013", "input": asked})["answer"]["allowed"]

    assert (may_counter(False), may_counter(True)) == (True, False)

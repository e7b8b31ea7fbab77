from __future__ import annotations

from random import Random

import pytest

from scoring.cards.record_reading import parse
from scoring.cards.records import write
from scoring.cards.replay import profile_of, replay
from scoring.hands.findings import Refused
from scoring.profiles import ProfileError, load
from scoring.questions.protocol import answer
from scoring.simulation.hand import simulate
from scoring.values import Seat

SCN2 = load("scn2-2013")
NATIONAL = load("cn-national-2d")
HEAD = '[profile "scn2-2013"]\n[level "7"]\n[trump "S"]\n[dealer "S"]\n[leader "{leader}"]\n'


def judged(text, profile=SCN2):
    (record,) = parse(text)
    return replay(profile, record)


def found(again):
    return [(one.code, one.params["line"], one.params["column"]) for one in again.findings]


def trick(plays, leader="W", more=""):
    return judged(HEAD.format(leader=leader) + "\nplay\n1. " + plays + "\n" + more)


@pytest.mark.parametrize(
    ("plays", "winner", "points"),
    [
        ("W:H8H8 S:H9H9 E:S2S3 N:DADA", "S", 0),
        ("W:H8H8 S:S2S2 E:HKH3 N:HQH4", "S", 10),
        ("W:HA S:H5 E:H10 N:HK", "W", 25),
        ("W:HA S:H5 E:S2 N:S7", "N", 5),
        ("W:HA S:HA E:H3 N:H4", "W", 0),
    ],
)
def test_a_single_trick_is_judged_without_the_hands(plays, winner, points):
    again = trick(plays)
    assert found(again) == []
    assert (again.tricks[0].winner, again.tricks[0].points) == (winner, points)
    assert not again.complete
    assert again.total is None
    assert again.unknown


def test_a_card_that_nobody_saw_decides_nothing():
    again = trick("W:HA S:? E:H10 N:HK")
    assert found(again) == []
    assert again.tricks[0].winner is None
    assert again.tricks[0].points is None


@pytest.mark.parametrize(
    ("plays", "codes"),
    [
        ("S:HA W:H5 E:H10 N:HK", [("wrong_leader", 8, 4), ("out_of_turn", 8, 9)]),
        ("W:HA E:H5 S:H10 N:HK", [("out_of_turn", 8, 9)]),
        ("W:HAHA S:H5 E:H10H10 N:HKHK", [("wrong_count", 8, 11)]),
        ("W:HADA S:H5H6 E:H10H10 N:HKHK", [("mixed_categories", 8, 4)]),
        ("W:HA S:HA E:HA N:HK", [("card_too_often", 8, 14)]),
    ],
)
def test_what_is_wrong_without_any_hand_known(plays, codes):
    assert found(trick(plays)) == codes


def test_a_trick_in_the_middle_must_be_whole():
    assert ("trick_short", 8, 1) in found(trick("W:HA S:H5", more="2. W:H2 S:H3 E:H4 N:H6\n"))


def test_only_whose_hand_is_known_is_judged():
    """South was dealt a heart and discards: judged. East may have been void: nobody knows."""
    hand = "deal\nS H2" + "C2C3C4C5C6C8C9C10CJCQCKCA" + "D2D3D4D5D6D8D9D10DJDQDKDA" + "\n\n"
    text = (
        HEAD.format(leader="W").replace('"S"]\n[leader', '"W"]\n[leader')
        + "\n"
        + hand
        + "play\n1. W:HA S:C2 E:C3 N:HK\n"
    )
    again = judged(text)
    assert [one.code for one in again.findings] == ["suit_held"]
    assert again.findings[0].clause == SCN2.topics["follow.suit"].id
    assert "North" in again.unknown[0]["en"]


@pytest.mark.parametrize(
    ("level", "code"),
    [("", "level_missing"), ('[level "joker"]\n', "level_not_here"), ('[level "1"]\n', "level_not_here")],
)
def test_without_a_level_there_is_no_order(level, code):
    with pytest.raises(Refused) as refused:
        judged('[trump "S"]\n' + level + "play\n1. W:HA")
    assert refused.value.code == code


def whole(seed=3, profile=SCN2):
    return simulate(profile, Random(seed), dealer=Seat.S)


def test_a_hand_without_its_deal_is_judged_by_its_plays():
    record = whole()
    text = write(record)
    start, end = text.index("\ndeal"), text.index("\nauction")
    again = judged(text[:start] + text[end:])
    assert not again.findings
    assert again.complete
    assert again.total == replay(SCN2, record).total


def test_a_burial_out_of_nowhere_is_named():
    record = whole()
    stranger = next(card for card in record.deal[Seat.N] if card not in (*record.deal[Seat.S], *record.kitty))
    bury = next(act for act in record.acts if act.act == "bury")
    text = write(record).replace("".join(map(str, bury.cards)), str(stranger) + "".join(map(str, bury.cards[1:])))
    again = judged(text)
    assert "card_not_held" in [one.code for one in again.findings]


def test_sizes_of_hands_and_kitty_are_checked():
    again = judged('[level "7"]\n[dealer "S"]\ndeal\nN S2S3\nkitty D5\n')
    assert [one.code for one in again.findings] == ["hand_size", "kitty_size"]


def test_the_auction_is_judged_and_held_against_the_tags():
    again = judged('[level "7"]\n[dealer "S"]\n[trump "H"]\n\nauction\nS declare S7\nE declare C7\n')
    assert "trump_differs" in [one.code for one in again.findings]
    assert any(one.params["line"] == 7 for one in again.findings)


@pytest.mark.long
def test_a_rebellion_ends_the_hand_and_the_partner_deals():
    record = None
    for seed in range(200):
        one = simulate(SCN2, Random(seed), dealer=Seat.S, keep_redeals=True)
        if not one.tricks:
            record = one
            break
    assert record is not None
    again = replay(SCN2, record)
    assert again.redeal
    assert again.next_dealer is Seat.N
    assert not again.findings


def test_the_record_names_its_rules():
    (record,) = parse('[profile "cn-national-2d"]\n[set "{\\"dig_single_x1\\": true}"]\n[level "2"]\n')
    assert profile_of(record).dig_single_x1
    (record,) = parse('[profile "cn-national-2d"]\n[set "dig"]\n[level "2"]\n')
    with pytest.raises(ProfileError):
        profile_of(record)


def test_the_question_answers_like_the_replay():
    record = whole()
    said = answer({"id": 1, "input": {"op": "replay", "record": write(record)}})
    again = replay(SCN2, record)
    assert said["answer"]["attackers_total"] == again.total.raw
    assert said["answer"]["findings"] == []
    assert [trick["winner"] for trick in said["answer"]["tricks"]] == [trick.winner for trick in again.tricks]
    assert said["because"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "missing"),
        ({"record": 5}, "wrong_type"),
        ({"record": ""}, "empty_record"),
        ({"record": '[level "2"]'}, "profile_missing"),
        ({"record": '[level "2"]\nplay\n[level "3"]'}, "one_hand"),
        ({"record": '[profile "nothing"]\n[level "2"]'}, "unknown_profile"),
        ({"record": '[level "2"]', "more": 1}, "unknown_field"),
    ],
)
def test_bad_records_are_refused(given, code):
    assert answer({"id": 1, "input": {"op": "replay", **given}})["error"]["code"] == code


def test_a_wrong_factor_is_told():
    for seed in range(60):
        record = whole(seed)
        again = replay(SCN2, record)
        if again.total.multiplier:
            text = write(record) + f"factor {again.total.multiplier + 1}\ntotal {again.total.raw}\n"
            assert [one.code for one in judged(text).findings] == ["result_differs"]
            return
    pytest.fail("nobody dug")

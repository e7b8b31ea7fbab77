"""The sentences a referee reads out, word for word (signs and spaces included)."""

from __future__ import annotations

import re

import pytest

from scoring.profiles import build, load, profile_ids
from tests.scoring.making import PAIR, SINGLE, dig, hand, only, opening, play, tractor

SCN2 = "scn2-2013"
NATIONAL = "cn-national-2d"
CAP = {"base": SCN2, "set": {"score_cap": 200}}
AFTER_A = {"base": SCN2, "set": {"after_A": ["joker", "no_trump"]}}
ANY_HOOK = {"base": NATIONAL, "set": {"hook_card": "any", "hook_levels": ["J"], "hook_needs_takeover": False}}


def threw(side, *cards):
    return {"throw_failures": [{"side": side, "cards": n} for n in cards]}


# profile, N–S level (S deals), E–W level, hand, zh, en
HANDS = [
    (
        SCN2,
        "2",
        "2",
        dig(85, 20, PAIR),
        "闲家 85 + 底牌 20×4 = 165 → 闲家上台升 2 级",
        "Attackers 85 + kitty 20×4 = 165 → take the deal, +2",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(35),
        "闲家 35 → 庄家方升 2 级（小光）",
        "Attackers 35 → dealer side keep the deal, +2 (small win)",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(0),
        "闲家 0 → 庄家方升 3 级（大光）",
        "Attackers 0 → dealer side keep the deal, +3 (big win)",
    ),
    (SCN2, "2", "2", hand(80), "闲家 80 → 闲家上台，不升级", "Attackers 80 → take the deal, +0"),
    (
        SCN2,
        "2",
        "2",
        hand(60, **threw("attackers", 3)),
        "闲家 60 − 甩牌罚分 30 = 30 → 庄家方升 2 级（小光）",
        "Attackers 60 − throw fine 30 = 30 → dealer side keep the deal, +2 (small win)",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(40, **threw("dealer", 5)),
        "闲家 40 + 甩牌罚分 50 = 90 → 闲家上台，不升级",
        "Attackers 40 + throw fine 50 = 90 → take the deal, +0",
    ),
    (
        SCN2,
        "2",
        "2",
        dig(0, 15, PAIR, **threw("attackers", 5)),
        "闲家 0 + 底牌 15×4 − 甩牌罚分 50 = 10 → 庄家方升 2 级（小光）",
        "Attackers 0 + kitty 15×4 − throw fine 50 = 10 → dealer side keep the deal, +2 (small win)",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(20, **threw("attackers", 5)),
        "闲家 20 − 甩牌罚分 50 = −30，按 0 计 → 庄家方升 3 级（大光）",
        "Attackers 20 − throw fine 50 = −30, counts as 0 → dealer side keep the deal, +3 (big win)",
    ),
    (
        NATIONAL,
        "2",
        "2",
        hand(20, **threw("attackers", 5)),
        "闲家 20 − 甩牌罚分 50 = −30 → 庄家方升 4 级",
        "Attackers 20 − throw fine 50 = −30 → dealer side keep the deal, +4",
    ),
    (
        NATIONAL,
        "2",
        "2",
        dig(60, 10, tractor(2)),
        "闲家 60 + 底牌 10×6 = 120 → 闲家上台升 1 级",
        "Attackers 60 + kitty 10×6 = 120 → take the deal, +1",
    ),
    (
        CAP,
        "2",
        "2",
        dig(150, 20, tractor(2)),
        "闲家 150 + 底牌 20×8 = 310，封顶 200 → 闲家上台升 3 级",
        "Attackers 150 + kitty 20×8 = 310, capped at 200 → take the deal, +3",
    ),
    (
        SCN2,
        "2",
        "2",
        dig(90, 0, SINGLE),
        "闲家 90 + 底牌 0×2 = 90 → 闲家上台，不升级",
        "Attackers 90 + kitty 0×2 = 90 → take the deal, +0",
    ),
    (
        SCN2,
        "9",
        "2",
        hand(20),
        "闲家 20 → 庄家方应升 2 级，10 必打，停在 10",
        "Attackers 20 → dealer side keep the deal, +2, stopped at 10 (must be played)",
    ),
    (
        NATIONAL,
        "5",
        "A",
        hand(130),
        "闲家 130 → 闲家上台；A 必打，仍打 A",
        "Attackers 130 → take the deal; A must be played, stay at A",
    ),
    (
        SCN2,
        "J",
        "2",
        dig(65, 10, PAIR, winning_play=["SJ", "SJ"], trump="S"),
        "闲家 65 + 底牌 10×4 = 105 → 闲家上台，不升级；主 J 抠底，庄家方钩到底，J → 2",
        "Attackers 65 + kitty 10×4 = 105 → take the deal, +0; dug with the trump J: dealer side hooked, J → 2",
    ),
    (
        SCN2,
        "A",
        "2",
        hand(60),
        "闲家 60 → 庄家方升 1 级，打过 A，终局",
        "Attackers 60 → dealer side keep the deal, +1, past A: match over",
    ),
    # further lines of the same grammar
    (
        SCN2,
        "5",
        "9",
        hand(165),
        "闲家 165 → 闲家上台，应升 2 级，10 必打，停在 10",
        "Attackers 165 → take the deal, +2, stopped at 10 (must be played)",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(40, throw_failures=[{"side": "dealer", "cards": 5}, {"side": "attackers", "cards": 2}]),
        "闲家 40 − 甩牌罚分 20 + 甩牌罚分 50 = 70 → 庄家方升 1 级",
        "Attackers 40 − throw fine 20 + throw fine 50 = 70 → dealer side keep the deal, +1",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(40, throw_failures=[{"side": "dealer", "cards": 3}, {"side": "attackers", "cards": 3}]),
        "闲家 40 − 甩牌罚分 30 + 甩牌罚分 30 = 40 → 庄家方升 1 级",
        "Attackers 40 − throw fine 30 + throw fine 30 = 40 → dealer side keep the deal, +1",
    ),
    (
        "online-super",
        "2",
        "2",
        hand(75, **threw("dealer", 5)),
        "闲家 75 → 庄家方升 1 级",
        "Attackers 75 → dealer side keep the deal, +1",
    ),
    (
        SCN2,
        "2",
        "2",
        hand(40, adjustments=[{"points": -10, "why": "late"}]),
        "闲家 40 − 判罚 10 = 30 → 庄家方升 2 级（小光）",
        "Attackers 40 − ruling 10 = 30 → dealer side keep the deal, +2 (small win)",
    ),
    (
        SCN2,
        "2",
        "2",
        {"kind": "hand", "total_only": -20},
        "闲家 −20，按 0 计 → 庄家方升 3 级（大光）",
        "Attackers −20, counts as 0 → dealer side keep the deal, +3 (big win)",
    ),
    (
        ANY_HOOK,
        "J",
        "2",
        dig(10, 10, PAIR, winning_play=["HJ", "HJ"], trump="S"),
        "闲家 10 + 底牌 10×4 = 50 → 庄家方升 1 级；J 抠底，庄家方钩到底，J → 2",
        "Attackers 10 + kitty 10×4 = 50 → dealer side keep the deal, +1; dug with a J: dealer side hooked, J → 2",
    ),
    (
        "wiki-classic",
        "K",
        "2",
        hand(60),
        "闲家 60 → 庄家方升 1 级，升到 A，终局",
        "Attackers 60 → dealer side keep the deal, +1, reach A: match over",
    ),
    (
        {"base": "scn3-2026", "set": {"pass_a": "any"}},
        "5",
        "K",
        hand(165),
        "闲家 165 → 闲家上台升 2 级，打过 A，终局",
        "Attackers 165 → take the deal, +2, past A: match over",
    ),
    # jumps, face-down bids, the flag
    (
        "chaodipi",
        "5",
        "6",
        hand(60, specials=[{"event": "red_fives_declared", "by": "dealer"}]),
        "闲家 60 → 庄家方续庄；红桃 5 亮主，南北方打 A，东西方打 2",
        "Attackers 60 → dealer side keep the deal; red fives declared: N–S to A, E–W to 2",
    ),
    (
        "chaodipi",
        "5",
        "6",
        dig(90, 10, SINGLE, specials=[{"event": "dug_510K"}], dark_bids=[{"side": "attackers", "times": 1}]),
        "闲家 90 + 底牌 10×2 − 暗炒罚分 80 = 30 → 庄家方续庄；510K 抠底，东西方打 A，南北方打 2",
        "Attackers 90 + kitty 10×2 − dark bids 80 = 30 → dealer side keep the deal; dug with 510K: E–W to A, N–S to 2",
    ),
    (
        "chaodipi",
        "6",
        "flag",
        hand(80, specials=[{"event": "red_fives_declared", "by": "attackers"}]),
        "闲家 80 → 闲家上台；红桃 5 亮主，东西方扛旗，南北方打 2",
        "Attackers 80 → take the deal; red fives declared: E–W to flag, N–S to 2",
    ),
    (
        "chaodipi",
        "flag",
        "6",
        hand(110),
        "闲家 110 → 闲家上台升 1 级；扛旗不过，连续第 1 次",
        "Attackers 110 → take the deal, +1; flag failed, 1 of 3",
    ),
    (
        {"base": "chaodipi", "set": {"flag_failures": 1}},
        "flag",
        "6",
        hand(100),
        "闲家 100 → 闲家上台，不升级；连续 1 次扛旗不过，退回 2",
        "Attackers 100 → take the deal, +0; flag failed 1 time, back to 2",
    ),
    (
        "chaodipi",
        "flag",
        "6",
        hand(95),
        "闲家 95 → 庄家方升 1 级，扛旗成功，终局",
        "Attackers 95 → dealer side keep the deal, +1, flag held: match over",
    ),
    (
        "chaodipi",
        "6",
        "flag",
        hand(120),
        "闲家 120 → 闲家上台，仍扛旗",
        "Attackers 120 → take the deal, still at the flag",
    ),
    # levels after A
    (
        AFTER_A,
        "A",
        "6",
        hand(0),
        "闲家 0 → 庄家方应升 3 级，须先打王",
        "Attackers 0 → dealer side keep the deal, +3, stopped at the joker level",
    ),
    (
        AFTER_A,
        "no_trump",
        "6",
        hand(60, trump="NT"),
        "闲家 60 → 庄家方升 1 级，打过无主，终局",
        "Attackers 60 → dealer side keep the deal, +1, past the no-trump level: match over",
    ),
]


@pytest.mark.parametrize(("profile", "ns", "ew", "row", "zh", "en"), HANDS)
def test_what_a_hand_did(profile, ns, ew, row, zh, en):
    result = only(play(build(profile), opening(ns, ew), row))
    assert result.sentence == {"zh": zh, "en": en}


LEVELS = [
    (
        opening(),
        [hand(35)],
        "南北方 2 → 4，东西方 2；下副北坐庄，打 4",
        "N–S 2 → 4, E–W 2; next: North deals, playing 4",
    ),
    (opening(), [hand(90)], "南北方 2，东西方 2；下副东坐庄，打 2", "N–S 2, E–W 2; next: East deals, playing 2"),
    (opening("A"), [hand(60)], "南北方 A → 打过 A，东西方 2；终局", "N–S A → past A, E–W 2; match over"),
    (
        opening(dealer=None),
        [{"kind": "annulled", "reason": "misdeal"}],
        "南北方 2，东西方 2；下副抢庄",
        "N–S 2, E–W 2; the next deal is contested",
    ),
]


def test_where_sides_stand_after_a():
    at_joker = play(build(AFTER_A), opening("A"), hand(60))
    assert at_joker.entries[-1].levels_sentence == {
        "zh": "南北方 A → 打王，东西方 2；下副北坐庄，打王",
        "en": "N–S A → joker level, E–W 2; next: North deals, at the joker level",
    }
    at_flag = play(load("chaodipi"), opening("A"), hand(60), hand(60))
    assert [one.levels_sentence for one in at_flag.entries] == [
        {
            "zh": "南北方 A → 扛旗，东西方 2；下副北坐庄，扛旗",
            "en": "N–S A → flag, E–W 2; next: North deals, at the flag",
        },
        {"zh": "南北方 扛旗 → 扛旗成功，东西方 2；终局", "en": "N–S flag → flag held, E–W 2; match over"},
    ]


@pytest.mark.parametrize(("start", "rows", "zh", "en"), LEVELS)
def test_where_the_sides_stand(start, rows, zh, en):
    assert play(load(SCN2), start, *rows).entries[-1].levels_sentence == {"zh": zh, "en": en}


PENALTY = {
    "kind": "level_penalty",
    "side": "EW",
    "levels": -1,
    "why": {"en": "took back a card, 1st time", "zh": "悔牌第 1 次"},
}
OTHERS = [
    (
        opening(dealer="N"),
        {"kind": "annulled", "reason": "rebellion", "by": "W", "hand_points": 10},
        {},
        "作废：造反。西 10 分，不超过 15 分。重抓，改由南坐庄",
        "Void: rebellion. West holds 10 points, not above 15. Redeal, South deals",
    ),
    (
        opening(dealer="N"),
        {"kind": "annulled", "reason": "rebellion", "by": "E", "trump_count": 2},
        {},
        "作废：造反。东 2 张主牌，不超过 3 张。重抓，改由南坐庄",
        "Void: rebellion. East holds 2 trumps, not above 3. Redeal, South deals",
    ),
    (
        opening(dealer="N"),
        {"kind": "annulled", "reason": "rebellion"},
        {},
        "作废：造反。重抓，改由南坐庄",
        "Void: rebellion. Redeal, South deals",
    ),
    (
        opening(dealer="N"),
        {"kind": "annulled", "reason": "misdeal"},
        {},
        "作废：发牌有误。重抓，仍由北坐庄",
        "Void: misdeal. Redeal, North deals",
    ),
    (
        opening(dealer=None),
        {"kind": "annulled", "reason": "redeal"},
        {},
        "作废：重发。重抓，重新抢庄",
        "Void: redeal. Redeal, the deal is contested",
    ),
    (
        opening(ew="7"),
        PENALTY,
        {},
        "判罚：东西方悔牌第 1 次，本副后 −1 级（7 → 6）",
        "Ruling: E–W took back a card, 1st time, −1 level after this hand (7 → 6)",
    ),
    (
        opening(ew="7"),
        {"kind": "level_penalty", "side": "NS", "levels": 2},
        {},
        "判罚：南北方本副后 +2 级（2 → 4）",
        "Ruling: N–S +2 levels after this hand (2 → 4)",
    ),
    (
        opening(),
        {"kind": "level_penalty", "side": "NS", "levels": -3},
        {},
        "判罚：南北方本副后 −3 级（2 已是最低级，不变）",
        "Ruling: N–S −3 levels after this hand (2 stays, no level is lower)",
    ),
    (
        opening(ns="A"),
        {"kind": "level_penalty", "side": "NS", "levels": 1},
        {},
        "判罚：南北方本副后 +1 级（A 不变，判罚不能再升）",
        "Ruling: N–S +1 level after this hand (A stays, no ruling goes higher)",
    ),
    (
        opening(),
        {
            "kind": "adjusted",
            "side": "EW",
            "levels": 1,
            "deal_changes_hands": True,
            "why": {"en": "revoke", "zh": "漏跟"},
        },
        {},
        "调整：东西方升 1 级，闲家上台（漏跟）",
        "Adjusted: E–W +1, attackers take the deal (revoke)",
    ),
    (
        opening(),
        {"kind": "adjusted", "levels": 0, "deal_changes_hands": False},
        {},
        "调整：庄家方续庄",
        "Adjusted: dealer side keep the deal",
    ),
    (
        opening("7", "7"),
        {"kind": "end", "reason": "time"},
        {},
        "7 : 7，南北方在台上，南北方胜",
        "7 : 7, N–S are on stage: N–S win",
    ),
    (opening("7", "7"), {"kind": "end", "reason": "time"}, {"tie_rule": "draw"}, "7 : 7，平局", "7 : 7, drawn"),
    (
        opening("7", "7"),
        {"kind": "end", "reason": "time"},
        {"tie_rule": "lots"},
        "7 : 7，抽签决定",
        "7 : 7, lots decide",
    ),
    (
        opening("7", "7"),
        {"kind": "end", "reason": "time"},
        {"tie_rule": "extra_hand"},
        "7 : 7，加赛一副",
        "7 : 7, an extra hand decides",
    ),
    (
        opening("7", "9"),
        {"kind": "end", "reason": "lead"},
        {"lead_levels": 2},
        "领先达到约定级数：东西方 9 : 7 胜，净级 +2",
        "Far enough ahead: E–W win 9 : 7, net +2",
    ),
    (
        opening("7", "9"),
        {"kind": "end", "reason": "forfeit", "by": "EW"},
        {},
        "东西方弃权，南北方胜",
        "E–W forfeit: N–S win",
    ),
]


@pytest.mark.parametrize(("start", "row", "conditions", "zh", "en"), OTHERS)
def test_what_other_entries_did(start, row, conditions, zh, en):
    assert only(play(load(SCN2), start, row, **conditions)).sentence == {"zh": zh, "en": en}


def test_the_end_at_time_names_the_hands_played():
    state = play(load(SCN2), opening("2", "5"), *[hand(80)] * 10, {"kind": "end", "reason": "time"})
    assert state.entries[-1].sentence == {
        "zh": "时间到，打完第 10 副：东西方 5 : 2 胜，净级 +3",
        "en": "Time, hand 10 finished: E–W win 5 : 2, net +3",
    }


def test_a_side_that_got_there_first():
    state = play(
        load(SCN2),
        opening("2", "2"),
        hand(125),
        hand(90),
        hand(60),
        {"kind": "end", "reason": "time"},
        tie_rule="first_to_reach",
    )
    assert state.entries[-1].sentence["en"] == "3 : 3, E–W got there first: E–W win"


@pytest.mark.parametrize("profile", profile_ids())
def test_english_has_no_apostrophes_and_chinese_no_half_width_stops(profile):
    rules = load(profile)
    for total in range(-100, 400, 5):
        result = only(play(rules, opening("9", "K"), {"kind": "hand", "total_only": total}))
        for text in (result.sentence, result.levels_sentence):
            assert not re.search(r"['’\"-]", text["en"])
            assert not re.search(r"[,;.()-]", text["zh"])

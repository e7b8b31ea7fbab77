"""The values of options in words: what a chosen value means, what a profile says where a choice is left open, what it
calls a big win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scoring.values import Role, Text

if TYPE_CHECKING:
    from scoring.profiles.profile import Profile

#: What a chosen value means, by option and value.
WORDS: Mapping[str, Mapping[str, Text]] = {
    "division": {
        "sides": {"en": "two sides of two", "zh": "两人一方，双方对阵"},
        "alone": {"en": "the lowest bidder alone against all others", "zh": "叫分最低者一人对其余各家"},
        "everyone": {"en": "every player for himself", "zh": "各自为政"},
        "ally": {"en": "the dealer and the ally called against all others", "zh": "庄家与所找的盟友对其余各家"},
    },
    "negative_total": {
        "floor_zero": {"en": "counts as 0", "zh": "按 0 分计"},
        "extend": {"en": "the table goes on below zero", "zh": "升级表在 0 以下延续"},
    },
    "must_mode": {
        "none": {"en": "none", "zh": "无"},
        "no_skip": {"en": "may not be jumped over", "zh": "不能跳过"},
        "must_defend": {"en": "left only by holding the deal", "zh": "须坐庄打过"},
    },
    "finish": {
        "pass_A": {"en": "by passing the last level", "zh": "打过末级"},
        "reach_A": {"en": "by reaching the last level", "zh": "升到末级"},
        "wrap": {"en": "never, the first level follows the last", "zh": "末级之后回到首级，循环"},
    },
    "pass_a": {
        "held": {"en": "only by holding the deal at it", "zh": "须在末级上保住庄"},
        "any": {"en": "by any gain", "zh": "升过即可"},
    },
    "joker_declare": {
        "none": {"en": "none needed", "zh": "不需带王"},
        "any": {
            "en": "any joker; when the dealer side cannot declare, an attacker who can deals at their own side's level",
            "zh": "须带一张王；庄家方不能亮主时，能亮主的闲家上台坐庄，打己方级别",
        },
        "colour": {
            "en": "the small joker with a black card, the big one with a red card; when the dealer side cannot "
            "declare, an attacker who can deals at their own side's level",
            "zh": "黑色级牌带小王，红色级牌带大王；庄家方不能亮主时，能亮主的闲家上台坐庄，打己方级别",
        },
    },
    "kitty_scheme": {
        "pow_pairs": {
            "en": "single 2, pair 4, triple 6, quad 8, and that many times over for each further rung",
            "zh": "单张 2，对子 4，刻子 6，四张 8，每多一连按宽度再翻",
        },
        "four_times_pairs": {"en": "single 2, 4 for each pair", "zh": "单张 2，每对 4"},
        "pow_cards": {"en": "doubled by each card", "zh": "每张加倍"},
        "cards_x1": {"en": "once for each card", "zh": "每张一倍"},
        "cards_x2": {"en": "twice for each card", "zh": "每张两倍"},
        "national_1d": {"en": "national, one deck", "zh": "竞赛规则一副牌"},
        "national_2d": {"en": "national, two decks", "zh": "竞赛规则两副牌"},
        "national_3d": {"en": "national, three decks", "zh": "竞赛规则三副牌"},
        "online_3d": {"en": "online, three decks", "zh": "网络三副牌"},
    },
    "last_trick": {
        "kitty": {"en": "digs the kitty", "zh": "抠底"},
        "cards_times_points": {"en": "cards led times its points", "zh": "领出张数乘该圈分数"},
    },
    "throw_fine_per": {
        "card": {"en": "every card thrown", "zh": "甩出的每张牌"},
        "card_but_one": {"en": "every card thrown but one", "zh": "甩出张数减一"},
    },
    "kitty_pattern": {
        "led": {"en": "the cards led", "zh": "领出的牌"},
        "winning": {"en": "the cards that won", "zh": "赢牌"},
    },
    "parse": {
        "declared": {
            "en": "as the leader declares, else the largest shape first",
            "zh": "以领出者声明为准，未声明则取最大牌型",
        },
        "no_singles": {"en": "with as few singles as possible", "zh": "尽量不带单张"},
        "largest": {"en": "the largest shape first", "zh": "取最大牌型"},
    },
    "follow_order": {
        "national": {"en": "the national lists", "zh": "竞赛规则的优先级"},
        "tractor_before_pair": {
            "en": "a tractor of pairs before a triple with a pair",
            "zh": "连对加单张优先于一刻加一对",
        },
        "tractor_before_triples": {"en": "a tractor of pairs before loose triples", "zh": "连对加单张优先于不连的刻子"},
        "same_kind": {"en": "the same kind, else the next smaller one", "zh": "先跟同类型，没有则跟较小一类"},
        "by_cards": {
            "en": "a tractor of as many cards, else the tractor with most cards, then pairs",
            "zh": "先跟相同张数的连拖，否则跟张数最多的连拖，再跟对子",
        },
    },
    "longer_tuples": {
        "torn": {"en": "must be torn where a smaller shape is owed", "zh": "须拆出所欠的牌型"},
        "protected": {"en": "need not be torn", "zh": "不必拆"},
    },
    "ruff_shape": {
        "exact": {"en": "exactly the shapes led", "zh": "与领出的牌型完全相同"},
        "demote": {"en": "the shapes led or larger ones", "zh": "与领出的牌型相同或更高"},
    },
    "throw_compare": {
        "highest_class": {"en": "the top of the highest class", "zh": "最大牌型中最大的牌"},
        "every_part": {"en": "every part", "zh": "每个组合"},
        "top_card": {"en": "the highest card", "zh": "最大的一张"},
    },
    "throw_checked_against": {
        "three_hands": {"en": "all three other hands", "zh": "其他三家"},
        "opponents": {"en": "the two opponents", "zh": "两家对手"},
    },
    "forced_small": {
        "lowest": {"en": "the smallest of the lowest class that failed", "zh": "失败的最小牌型中最小的牌"},
        "next_player": {"en": "what the next player names", "zh": "由下家指定"},
    },
    "hook_card": {
        "main": {"en": "the trump card of the level", "zh": "主级牌"},
        "any": {"en": "any card of the level", "zh": "任一级牌"},
    },
    "declare_order": {
        "drawing": {"en": "any player while cards are drawn", "zh": "抓牌时任何人均可亮主"},
        "partner_first": {
            "en": "with all cards in hand, the partner of the dealer first, then the others in playing order decide "
            "whether to counter; when nobody has declared the partner of the dealer names the suit",
            "zh": "拿齐手牌之后，由庄家同伴开始亮主，然后按出牌顺序依次决定是否反主；"
            "无人亮主的，由庄家同伴口头决定主牌花色",
        },
    },
    "own_line": {
        "may": {"en": "of any hand the dealer may", "zh": "各副庄家可以自定"},
        "must": {
            "en": "of every hand the dealer does, before the first lead",
            "zh": "每副庄家须在首引之前自定",
        },
        "none": {"en": "no dealer does: the line is that of the rules", "zh": "庄家不能自定，按规则的上台分"},
    },
    "no_declare": {
        "flip_level": {
            "en": "the kitty is turned from the top up to the first level card, whose suit is trump; without one the "
            "first card turned decides, and a joker there means no-trump",
            "zh": "从上到下翻底牌，翻到级牌为止，其花色为主；没有级牌则以第一张为准，第一张为王打无主",
        },
        "third": {
            "en": "the suit of the third kitty card from the top is trump; a joker there means no-trump",
            "zh": "以底牌正数第三张的花色为主，第三张为王打无主",
        },
        "first": {
            "en": "the suit of the first kitty card is trump; a joker there means no-trump where it is played, "
            "else the next card decides",
            "zh": "以底牌第一张的花色为主；第一张为王，可打无主的打无主，否则看下一张",
        },
        "partner_names": {"en": "the partner of the dealer names the trump suit", "zh": "由庄家的对家口头指定主花色"},
    },
    "no_declare_first": {
        "flip": {
            "en": "the suit of the first card turned that is no joker fixes the dealer: spades who drew first, then "
            "hearts, clubs, diamonds in the order of drawing",
            "zh": "以第一张翻出的非王牌的花色定庄：黑桃为第一个抓牌者，红桃、梅花、方块依次为第二、三、四个",
        },
        "redeal": {"en": "the cards are dealt again", "zh": "重新发牌"},
    },
    "self_protect": {
        "pair_if_higher": {
            "en": "may counter with anything higher, as others may",
            "zh": "可用更大的牌再反，与他人相同",
        },
        "own_suit": {
            "en": "restores the declared suit by the second card of it, or counters with jokers",
            "zh": "再亮一张同样的牌即恢复原花色（自保），或用王反",
        },
        "no_trump_only": {"en": "may counter to no-trump only", "zh": "只能反无主"},
        "none": {"en": "may not counter in this hand", "zh": "本副不能再反"},
    },
    "reinforced_blocks": {
        "lower": {"en": "pairs of lower suits, and of its own", "zh": "不高于该花色的级牌对"},
        "level_pairs": {"en": "all pairs of level cards", "zh": "所有级牌对"},
    },
    "timed_tie": {
        "on_stage": {"en": "the side on stage wins", "zh": "在台上的一方胜"},
        "draw": {"en": "a draw", "zh": "平局"},
        "first_to_reach": {"en": "the side that got there first wins", "zh": "先到该级的一方胜"},
        "extra_hand": {"en": "an extra hand", "zh": "加赛一副"},
        "lots": {"en": "lots", "zh": "抽签"},
    },
}


#: What a name in a list means, whichever option lists it; a rank says itself.
NAMES: Mapping[str, Text] = {
    "S": {"en": "spades", "zh": "黑桃"},
    "H": {"en": "hearts", "zh": "红桃"},
    "C": {"en": "clubs", "zh": "梅花"},
    "D": {"en": "diamonds", "zh": "方块"},
    **{
        f"{what}{count}": {"en": f"{number['en']} {cards['en']}", "zh": f"{number['zh']}{cards['zh']}"}
        for count, number in {
            2: {"en": "two", "zh": "两张相同的"},
            3: {"en": "three", "zh": "三张相同的"},
            4: {"en": "four", "zh": "四张相同的"},
        }.items()
        for what, cards in {
            "level": {"en": "equal level cards", "zh": "级牌"},
            "small": {"en": "small jokers", "zh": "小王"},
            "big": {"en": "big jokers", "zh": "大王"},
        }.items()
    },
    "jokers4": {"en": "any four jokers", "zh": "任意四张王"},
    "red_fives2": {"en": "two fives of hearts", "zh": "一对红桃 5"},
    "joker": {"en": "jokers", "zh": "打王"},
    "no_trump": {"en": "no-trump", "zh": "打无主"},
    "pair_H5_declare_or_dig": {"en": "a pair of red fives declared or dug with", "zh": "一对红桃 5 亮主或抠底"},
    "dig_with_510K": {"en": "510K dug with", "zh": "510K 抠底"},
    "H5": {"en": "the five of hearts", "zh": "红桃 5"},
    "ace_permanent": {"en": "trump aces with side cards of a permanent rank", "zh": "主花色 A 与副常主"},
    "side_main_permanent": {"en": "side with main cards of a permanent rank", "zh": "副常主与正常主"},
    "permanents": {"en": "one permanent rank with the next", "zh": "相邻的常主"},
    "permanent_level": {"en": "main cards of a permanent rank with side level cards", "zh": "正常主与副级牌"},
    "ace_level": {"en": "trump aces with side level cards", "zh": "主花色 A 与副级牌"},
    "side_main_level": {"en": "side with main level cards", "zh": "副级牌与主级牌"},
    "jokers": {"en": "small with big jokers", "zh": "小王与大王"},
}


def say(name: str, value: Any) -> Text:
    """The value of an option as a reader sees it in a sentence."""
    if name in WORDS:
        return WORDS[name][value]
    if value is True or value is False:
        return {"en": "yes" if value else "no", "zh": "是" if value else "否"}
    if value is None or value in ([], {}):
        return {"en": "none", "zh": "无"}
    if name == "win_names" and value:
        return _say_wins(value)
    if name == "bidding":
        return {
            "en": f"from {value['high']} down in steps of {value['step']} to no less than {value['low']}",
            "zh": f"从 {value['high']} 分向下，{value['step']} 分一档，最低 {value['low']} 分",
        }
    if isinstance(value, Mapping) or (isinstance(value, list) and isinstance(value[0], Mapping)):
        return {"en": "a table of its own", "zh": "另有列表"}
    if isinstance(value, list):
        named = [NAMES.get(one, {"en": str(one), "zh": str(one)}) for one in value]
        return {"en": ", ".join(one["en"] for one in named), "zh": "、".join(one["zh"] for one in named)}
    return {"en": str(value), "zh": str(value)}


_TRACTOR: Mapping[bool, Text] = {
    True: {"en": "make a tractor", "zh": "可成拖拉机"},
    False: {"en": "make no tractor", "zh": "不成拖拉机"},
}

#: How clauses say what a yes or no means.
PHRASES: Mapping[str, Mapping[bool, Text]] = {
    "tractor_level_joker": _TRACTOR,
    "tractor_nt_level_joker": _TRACTOR,
    "hollow_tractors": _TRACTOR,
    "must_follow_pair": {
        True: {"en": "must be followed with a pair by whoever holds one", "zh": "有对子的必须跟对"},
        False: {"en": "need not be followed with a pair", "zh": "可以不跟对"},
    },
    "shorter_run_owed": {
        True: {"en": "owes a shorter one as part of the play", "zh": "须跟较短的拖拉机"},
        False: {"en": "owes no shorter one", "zh": "不必跟较短的拖拉机"},
    },
    "tractor_from_throw": {
        True: {"en": "must be followed with a tractor", "zh": "须跟拖拉机"},
        False: {"en": "is followed like loose pairs", "zh": "按散对跟"},
    },
    "throw_mixed": {
        True: {"en": "may hold pairs and tractors", "zh": "可含对子与拖拉机"},
        False: {"en": "holds single cards only", "zh": "只能是单张"},
    },
    "hook_needs_takeover": {
        True: {"en": "and take the deal", "zh": "并且上台"},
        False: {"en": "even without taking the deal", "zh": "，不论是否上台"},
    },
    "declare_no_trump": {
        True: {"en": "may declare no-trump outright, where it is played", "zh": "可以直接亮无主（可打无主时）"},
        False: {"en": "may not declare no-trump outright", "zh": "不能直接亮无主"},
    },
    "flip_any_joker": {
        True: {"en": "means no-trump", "zh": "即打无主"},
        False: {"en": "is passed over", "zh": "略过不计"},
    },
    "counter_while_drawing": {
        True: {"en": "counters may already be shown", "zh": "即可反主"},
        False: {"en": "nobody counters yet", "zh": "还不能反主"},
    },
    "early_counter": {
        True: {"en": "any hand may be countered", "zh": "各副都可以反主"},
        False: {"en": "only the first hand may be countered", "zh": "只有第一副可以反主"},
    },
    "late_counter": {
        True: {
            "en": "the others may counter, and the player who counters takes the kitty and buries again; the dealer "
            "stays and leads first",
            "zh": "其他人可以反主，反主者拿起底牌重新埋底；庄家不变，仍由庄家首先出牌",
        },
        False: {"en": "nobody may counter", "zh": "不能再反主"},
    },
    "first_hand_late_counter": {
        True: {"en": "counters after the burial never change the dealer", "zh": "埋底之后的反主不换庄家"},
        False: {"en": "nobody may counter after the burial", "zh": "埋底之后不能再反主"},
    },
    "joker_counter_final": {
        True: {"en": "nobody may counter again", "zh": "不能再反"},
        False: {"en": "anything higher may still counter", "zh": "仍可用更大的牌再反"},
    },
    "look_back": {
        True: {"en": "outranks every counter (looking back)", "zh": "大于一切反主（回头望）"},
        False: {"en": "ranks like any other pair", "zh": "与其他对子一样，没有回头望"},
    },
    "dark_bids": {
        True: {"en": "face down and shown when nobody counters any more", "zh": "时牌面向下，无人再反时才公开"},
        False: {"en": "openly", "zh": "公开进行"},
    },
}


def phrase(name: str, value: Any) -> Text:
    """The value of an option as it stands in the text of a clause."""
    return PHRASES[name][value] if name in PHRASES else say(name, value)


_WINS: Mapping[str, Text] = {"big": {"en": "big win", "zh": "大光"}, "small": {"en": "small win", "zh": "小光"}}


def _say_wins(value: Mapping[str, list[int]]) -> Text:
    def span(low: int, high: int) -> str:
        return str(low) if low == high else f"{low}–{high}"

    return {
        "en": ", ".join(f"{_WINS[name]['en']} {span(*edges)}" for name, edges in value.items()),
        "zh": "、".join(f"{_WINS[name]['zh']} {span(*edges)} 分" for name, edges in value.items()),
    }


def win_name(profile: Profile, total: int, role: Role) -> str | None:
    """`big` (大光) or `small` (小光) for a settled total the profile has a name for."""
    if role is Role.DEALER:
        for name, (low, high) in profile.win_names.items():
            if low <= total <= high:
                return name
    return None

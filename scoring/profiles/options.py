"""The options of a profile: name, how its JSON value is read, and which clause topics it decides."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.profiles.kitty import SCHEMES
from scoring.profiles.level_table import GRAIN
from scoring.profiles.option_values import (
    Read,
    after_a,
    bid_range,
    choice,
    deal_sizes,
    levels,
    maybe,
    must_play,
    names,
    permanent,
    points,
    suit_order,
    table_rows,
    whole,
    win_names,
    yes_no,
)
from scoring.values import Text


class ProfileError(KeyError):
    """A profile that does not exist or makes no sense. `field` names the option, `message` says why."""

    def __init__(self, code: str, field: str, message: Text) -> None:
        super().__init__(message["en"])
        self.code = code
        self.field = field
        self.message = message

    def __str__(self) -> str:
        return self.message["en"]


@dataclass(frozen=True, slots=True)
class Option:
    """`read` turns JSON into the typed value or raises BadValue; `topics` are clause topics the option decides.

    `items` name where the source documents speak of such a variant.
    """

    read: Read
    title: Text
    topics: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


#: Plays that send a side to the last level: declared or dug with a pair of red fives; attackers dug with 510K.
LEVEL_JUMPS = ("pair_H5_declare_or_dig", "dig_with_510K")

#: What can counter: level cards, small jokers or big jokers of that number, any four jokers, or a pair of red fives.
COUNTERS = (
    *(f"{what}{count}" for count in (2, 3, 4) for what in ("level", "small", "big")),
    "jokers4",
    "red_fives2",
)

#: The joints of the trumps that have a name, from low to high: what meets what.
JOINTS = (
    "ace_permanent",
    "side_main_permanent",
    "permanents",
    "permanent_level",
    "ace_level",
    "side_main_level",
    "jokers",
)

OPTIONS: dict[str, Option] = {
    "decks": Option(whole(1, 4), {"en": "decks", "zh": "几副牌"}, ("deal", "points")),
    "players": Option(whole(4, 5), {"en": "players", "zh": "几人"}, ("deal",)),
    "division": Option(
        choice("sides", "alone", "everyone", "ally"), {"en": "who plays with whom", "zh": "分组"}, ("division",)
    ),
    "stake": Option(
        maybe(whole(1, 1000)),
        {"en": "units each attacker and the dealer play for", "zh": "每家与庄家的输赢"},
        ("stake",),
    ),
    "deal_sizes": Option(deal_sizes, {"en": "cards in hand and kitty", "zh": "手牌与底牌张数"}, ("deal",)),
    "threshold": Option(
        whole(GRAIN, 400, GRAIN),
        {"en": "points to take the deal", "zh": "上台分"},
        ("table.line", "table.below", "table.above"),
        items=("S3-LV-04",),
    ),
    "own_line": Option(
        choice("may", "must", "none"),
        {"en": "points to take the deal as the dealer sets them", "zh": "庄家自定上台分数"},
        ("own_line",),
        items=("S3-LV-04",),
    ),
    "step": Option(
        whole(GRAIN, 400, GRAIN),
        {"en": "points for each level", "zh": "每级分数"},
        ("table.below", "table.above"),
        items=("S0-LV-08", "S2-LV-04", "S4-RV-06"),
    ),
    "level_table": Option(
        maybe(table_rows),
        {"en": "level table", "zh": "升级表"},
        ("table.zero", "table.below", "table.line", "table.above", "table.negative"),
    ),
    "negative_total": Option(
        choice("floor_zero", "extend"), {"en": "total below zero", "zh": "负分"}, ("table.negative", "floor")
    ),
    "score_cap": Option(
        maybe(points(10**9)), {"en": "cap of the total", "zh": "总分封顶"}, ("cap",), items=("S4-LV-08",)
    ),
    "score_floor": Option(
        maybe(whole(-(10**9), 0, GRAIN)), {"en": "least total that counts", "zh": "总分保底"}, ("floor",)
    ),
    "levels_cap": Option(
        maybe(whole(1, 10**9)), {"en": "most levels in one hand", "zh": "一副最多升级"}, ("levels_cap",)
    ),
    "win_names": Option(win_names, {"en": "big win and small win", "zh": "大光与小光"}, ("level_words",)),
    "ladder": Option(levels, {"en": "levels that are played", "zh": "所打级别"}, ("ladder",), items=("S4-RV-07",)),
    "after_A": Option(after_a, {"en": "levels after the last rank", "zh": "末级之后加打"}, ("after_A",)),
    "permanent_ranks": Option(
        permanent, {"en": "cards that are always trumps", "zh": "常主"}, ("permanent_ranks",), items=("S4-RV-01",)
    ),
    "must_play": Option(
        must_play,
        {"en": "levels that must be played", "zh": "必打级别"},
        ("must_play",),
        items=("S2-LV-03", "S4-RV-08"),
    ),
    "must_mode": Option(
        choice("none", "no_skip", "must_defend"), {"en": "how they must be played", "zh": "必打方式"}, ("must_play",)
    ),
    "finish": Option(
        choice("pass_A", "reach_A", "wrap"), {"en": "how a match is won", "zh": "胜负"}, ("finish", "pass_a")
    ),
    "pass_a": Option(choice("held", "any"), {"en": "how the last level is passed", "zh": "打过末级"}, ("pass_a",)),
    "kitty_scheme": Option(
        choice(*SCHEMES),
        {"en": "kitty factors", "zh": "抠底倍数"},
        (
            "kitty.single",
            "kitty.pair",
            "kitty.triple",
            "kitty.quad",
            "kitty.tractor",
            "kitty.tractor_of_triples",
            "kitty.throw",
            "kitty.cards",
        ),
        items=("S3-KT-03", "S3-KT-04", "S4-KT-05", "S4-KT-06", "A-05"),
    ),
    "kitty_pattern": Option(
        choice("led", "winning"), {"en": "whose cards give the factor", "zh": "倍数依据"}, ("kitty.decides",)
    ),
    "dig_trump_only": Option(
        yes_no, {"en": "only trumps dig", "zh": "仅主牌抠底"}, ("kitty.trump_only",), items=("S4-KT-07",)
    ),
    "dig_single_x1": Option(
        yes_no, {"en": "a single digs once", "zh": "单张抠底不翻倍"}, ("kitty.single",), items=("S4-KT-08",)
    ),
    "last_trick": Option(
        choice("kitty", "cards_times_points"),
        {"en": "worth of the last trick", "zh": "末圈计分"},
        ("last_trick", "kitty.dig", "kitty.escape", "kitty.decides"),
    ),
    "level_jumps": Option(
        names(*LEVEL_JUMPS),
        {"en": "plays that send a side to the last level", "zh": "直接升降级的打法"},
        ("jump.pair_H5", "jump.510K"),
    ),
    "bidding": Option(maybe(bid_range), {"en": "bids", "zh": "叫分"}, ("bid",)),
    "jokers_worth": Option(points(10), {"en": "points of a joker", "zh": "王的分值"}, ("points",)),
    "coins_per_counter": Option(
        maybe(whole(1, 10)), {"en": "coins multiplied by each counter", "zh": "每次反主翻番"}, ("coins.counter",)
    ),
    "coins_throw_share": Option(
        maybe(whole(1, 100)),
        {"en": "share of the base stake for a failed throw", "zh": "甩牌失败扣底金"},
        ("coins.throw",),
    ),
    "dark_bid_fine": Option(
        points(1000), {"en": "fine for a face-down bid out of order", "zh": "暗炒乱序罚分"}, ("dark_bid",)
    ),
    "flag_line": Option(
        maybe(whole(GRAIN, 400, GRAIN)),
        {"en": "points needed at the flag", "zh": "扛旗上台分"},
        ("flag", "flag.levels"),
    ),
    "flag_failures": Option(whole(1, 9), {"en": "failures at the flag", "zh": "扛旗失败次数"}, ("flag.failed",)),
    "throws_allowed": Option(yes_no, {"en": "throws", "zh": "甩牌"}, ("throws",)),
    "throw_fine": Option(
        points(100), {"en": "fine per card of a failed throw", "zh": "甩牌罚分"}, ("throw_fine",), items=("S4-TH-03",)
    ),
    "throw_fine_per": Option(
        choice("card", "card_but_one"), {"en": "cards that are fined", "zh": "罚分张数"}, ("throw_fine",)
    ),
    "tractor_level_joker": Option(
        yes_no,
        {"en": "main level cards and small jokers make a tractor", "zh": "主级牌与小王可成拖拉机"},
        ("cards.level_joker",),
    ),
    "tractor_nt_level_joker": Option(
        yes_no,
        {"en": "at no-trump level cards and small jokers make a tractor", "zh": "无主时级牌与小王可成拖拉机"},
        ("cards.nt_level_joker",),
    ),
    "hollow_tractors": Option(
        yes_no, {"en": "tractors across the gap of the level", "zh": "跨级牌空档的拖拉机"}, ("cards.hollow",)
    ),
    "broken_joints": Option(
        names(*JOINTS), {"en": "trumps that make no tractor with each other", "zh": "不能相连的主牌"}, ("cards.joints",)
    ),
    "short_joints": Option(
        names(*JOINTS), {"en": "trumps that join in a run of two only", "zh": "只能两连的主牌"}, ("cards.joints",)
    ),
    "shape_510k": Option(yes_no, {"en": "510K is a shape", "zh": "510K 牌型"}, ("cards.510K",)),
    "parse": Option(
        choice("declared", "no_singles", "largest"),
        {"en": "cards that can be read in several ways", "zh": "可有多种读法的牌"},
        ("cards.reading",),
        items=("S4-TH-04",),
    ),
    "must_follow_pair": Option(
        yes_no,
        {"en": "a pair must be followed with a pair", "zh": "领对必须跟对"},
        ("follow.pair",),
        items=("S4-FL-12",),
    ),
    "follow_order": Option(
        choice("national", "tractor_before_pair", "tractor_before_triples", "same_kind", "by_cards"),
        {"en": "what is owed first", "zh": "跟牌优先级"},
        ("follow.order",),
        items=("S4-FL-07",),
    ),
    "longer_tuples": Option(
        choice("torn", "protected"),
        {"en": "triples and quads under a shorter lead", "zh": "领出较少张时的刻子与四张"},
        ("follow.longer",),
        items=("S4-RV-15",),
    ),
    "tractor_from_throw": Option(
        yes_no, {"en": "a tractor in a throw is owed a tractor", "zh": "甩牌中的拖拉机须跟拖拉机"}, ("follow.throw",)
    ),
    "shorter_run_owed": Option(
        yes_no,
        {"en": "a shorter tractor is owed to a longer one", "zh": "长拖拉机须跟较短的拖拉机"},
        ("follow.shorter",),
    ),
    "ruff_shape": Option(
        choice("exact", "demote"), {"en": "shape of a ruff", "zh": "毙的牌型"}, ("trick.ruff",), items=("S0-FL-08",)
    ),
    "throw_compare": Option(
        choice("highest_class", "every_part", "top_card"),
        {"en": "what an over-ruff of a throw compares", "zh": "盖毙甩牌比什么"},
        ("trick.over_ruff",),
    ),
    "throw_checked_against": Option(
        choice("three_hands", "opponents"),
        {"en": "hands a throw must beat", "zh": "甩牌须大过哪几家"},
        ("throw.stands",),
    ),
    "forced_small": Option(
        choice("lowest", "next_player"),
        {"en": "what a failed throw leaves on the table", "zh": "甩错后强制出什么"},
        ("throw.forced",),
        items=("S0-TH-08", "S4-TH-02"),
    ),
    "throw_mixed": Option(
        yes_no,
        {"en": "a throw may hold pairs and tractors", "zh": "甩牌可含对子与拖拉机"},
        ("throw.what",),
        items=("S3-TH-01",),
    ),
    "tractors": Option(yes_no, {"en": "tractors", "zh": "拖拉机"}, ("tractors", "kitty.tractor")),
    "hook_levels": Option(
        levels,
        {"en": "levels of the hook", "zh": "钩到底的级别"},
        ("hook", "hook_limit"),
        items=("S3-HK-01", "S4-RV-05"),
    ),
    "hook_card": Option(choice("main", "any"), {"en": "card of the hook", "zh": "钩到底的牌"}, ("hook",)),
    "hook_needs_takeover": Option(yes_no, {"en": "the hook needs the deal", "zh": "钩到底须上台"}, ("hook",)),
    "hook_limit": Option(maybe(whole(1, 99)), {"en": "hooks for each side", "zh": "每方钩到底次数"}, ("hook_limit",)),
    "no_trump_allowed": Option(yes_no, {"en": "no-trump", "zh": "无主"}, ("no_trump",), items=("S4-TD-05",)),
    "joker_declare": Option(
        choice("none", "any", "colour"),
        {"en": "joker shown with a declaration", "zh": "带王亮主"},
        ("joker_declare",),
        items=("S3-TD-06", "S4-RV-03"),
    ),
    "hidden_declare": Option(
        yes_no, {"en": "declarations face down", "zh": "暗亮"}, ("hidden_declare",), items=("S4-RV-02",)
    ),
    "declare_no_trump": Option(
        yes_no,
        {"en": "no-trump may be declared outright", "zh": "可以直接亮无主"},
        ("declare.no_trump",),
        items=("S4-TD-05", "S1-TD-04"),
    ),
    "declare_order": Option(
        choice("drawing", "partner_first"),
        {"en": "who declares when", "zh": "亮主次序"},
        ("declare",),
    ),
    "no_declare": Option(
        choice("flip_level", "third", "first", "partner_names"),
        {"en": "trump when nobody declares", "zh": "无人亮主时的主花色"},
        ("flip.trump",),
        items=("D-17", "S4-TD-08"),
    ),
    "no_declare_first": Option(
        choice("flip", "redeal"),
        {"en": "first hand when nobody declares", "zh": "第一副无人亮主"},
        ("flip.first_hand",),
        items=("D-18",),
    ),
    "flip_any_joker": Option(
        yes_no,
        {"en": "any joker turned means no-trump", "zh": "翻底翻到王即打无主"},
        ("flip.joker",),
        items=("A-07", "S2-TD-03"),
    ),
    "counter_ranks": Option(
        names(*COUNTERS),
        {"en": "what counters, from low to high", "zh": "反主牌由小到大"},
        ("counter.what",),
        items=("S4-TD-02", "S4-RV-14", "S4-RV-17"),
    ),
    "counter_suit_order": Option(
        suit_order,
        {"en": "order of suits among counters", "zh": "反主的花色顺序"},
        ("counter.order",),
        items=("D-19", "S4-RV-16"),
    ),
    "joker_counter_final": Option(
        yes_no,
        {"en": "jokers end the countering", "zh": "王反之后不能再反"},
        ("counter.joker_final",),
        items=("D-20", "S3-TD-04"),
    ),
    "counter_while_drawing": Option(
        yes_no, {"en": "counters while cards are drawn", "zh": "抓牌中可反主"}, ("counter.drawing",)
    ),
    "early_counter": Option(
        yes_no,
        {"en": "counters before the kitty is taken, in later hands", "zh": "第一副之后拿底前可反主"},
        ("counter.early",),
        items=("D-22",),
    ),
    "late_counter": Option(
        yes_no,
        {"en": "counters after the burial, with a new burial", "zh": "埋底后可反主抄底"},
        ("counter.late",),
        items=("S4-RV-04",),
    ),
    "first_hand_late_counter": Option(
        yes_no,
        {"en": "counters after the burial in the first hand", "zh": "第一副埋底后可反主"},
        ("counter.first_hand",),
        items=("D-21",),
    ),
    "self_protect": Option(
        choice("pair_if_higher", "own_suit", "no_trump_only", "none"),
        {"en": "the declarer after a counter", "zh": "亮主者被反之后"},
        ("counter.self",),
        items=("D-24", "S3-TD-03"),
    ),
    "reinforced_blocks": Option(
        choice("lower", "level_pairs"),
        {"en": "what a reinforced declaration keeps out", "zh": "加固后不能用来反的牌"},
        ("counter.reinforced",),
        items=("S4-TD-04",),
    ),
    "look_back": Option(yes_no, {"en": "looking back", "zh": "回头望"}, ("counter.look_back",), items=("S4-RV-18",)),
    "dark_bids": Option(yes_no, {"en": "counters face down", "zh": "暗炒"}, ("counter.dark",), items=("S4-RV-19",)),
    "rebellion": Option(yes_no, {"en": "rebellion", "zh": "造反"}, ("rebellion", "rebellion_twice")),
    "rebellion_points": Option(whole(0, 100), {"en": "most points of a rebel", "zh": "造反分数上限"}, ("rebellion",)),
    "rebellion_trumps": Option(whole(0, 30), {"en": "most trumps of a rebel", "zh": "造反主牌上限"}, ("rebellion",)),
    "timed_tie": Option(
        choice("on_stage", "draw", "first_to_reach", "extra_hand", "lots"),
        {"en": "equal levels at the end", "zh": "级别相同"},
        ("timed_tie",),
        items=("S4-MF-02",),
    ),
}

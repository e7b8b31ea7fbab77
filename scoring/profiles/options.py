"""The options of a profile: name, how its JSON value is read, and which clause topics it decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.profiles.kitty import SCHEMES
from scoring.profiles.level_table import GRAIN, Row, table_problem
from scoring.values import AFTER_A, RANKS, SUITS, Level, Role, Text


class ProfileError(KeyError):
    """A profile that does not exist or makes no sense. `field` names the option, `message` says why."""

    def __init__(self, code: str, field: str, message: Text) -> None:
        super().__init__(message["en"])
        self.code = code
        self.field = field
        self.message = message

    def __str__(self) -> str:
        return self.message["en"]


class BadValue(ValueError):
    """An option value that cannot be read; the text says what is expected, in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.text: Text = {"en": en, "zh": zh}


Read = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Option:
    """`read` turns JSON into the typed value or raises BadValue; `topics` are clause topics the option decides.

    `items` name where the source documents speak of such a variant.
    """

    read: Read
    title: Text
    topics: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


def _whole(low: int, high: int, grain: int = 1) -> Read:
    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high or value % grain:
            step = ("", "") if grain == 1 else (f" in steps of {grain}", f"，{grain} 的倍数")
            raise BadValue(f"a whole number from {low} to {high}{step[0]}", f"{low} 到 {high} 的整数{step[1]}")
        return value

    return read


def _maybe(read_value: Read) -> Read:
    return lambda value: None if value is None else read_value(value)


def _choice(*names: str) -> Read:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise BadValue(f"one of {', '.join(names)}", f"{'、'.join(names)} 之一")
        return value

    return read


def _yes_no(value: Any) -> bool:
    if type(value) is not bool:
        raise BadValue("true or false", "true 或 false")
    return value


def read_levels(value: Any) -> tuple[Level, ...]:
    """A list of different ranks in ascending order."""
    ranks = value if isinstance(value, list | tuple) else None
    if ranks is None or not all(isinstance(rank, str) and rank in RANKS for rank in ranks):
        raise BadValue("a list of ranks 2 to A", "2 到 A 的级别列表")
    if [RANKS.index(rank) for rank in ranks] != sorted({RANKS.index(rank) for rank in ranks}):
        raise BadValue("different ranks from low to high", "从低到高、互不相同的级别")
    return tuple(Level(rank) for rank in ranks)


def _after_a(value: Any) -> tuple[Level, ...]:
    """Different levels after the last rank, in the order they are played."""
    return tuple(Level(one) for one in _names_from(AFTER_A)(value))


def _must_play(value: Any) -> tuple[Level, ...]:
    """Ranks in ascending order, then levels after A."""
    if not isinstance(value, list | tuple):
        return read_levels(value)
    after = [one for one in value if one in AFTER_A]
    ranks = read_levels(list(value[: len(value) - len(after)]))
    return ranks + _after_a(value[len(ranks) :])


def _names_from(choices: tuple[str, ...]) -> Read:
    def read(value: Any) -> tuple[str, ...]:
        known = isinstance(value, list | tuple) and all(isinstance(one, str) and one in choices for one in value)
        if not known or len(set(value)) != len(value):
            raise BadValue(f"a list from {', '.join(choices)}", f"{'、'.join(choices)} 的列表")
        return tuple(value)

    return read


def _permanent(value: Any) -> tuple[str, ...]:
    """Ranks, or single cards such as H5, that are always trumps."""
    named = isinstance(value, list | tuple) and all(
        isinstance(one, str) and (one in RANKS or (one[:1] in SUITS and one[1:] in RANKS)) for one in value
    )
    if not named or len(set(value)) != len(value):
        raise BadValue("a list of different ranks or cards", "互不相同的级别或牌的列表")
    return tuple(value)


#: Plays that send a side to the last level: declared or dug with a pair of red fives; attackers dug with 510K.
LEVEL_JUMPS = ("pair_H5_declare_or_dig", "dig_with_510K")


#: What can counter: level cards, small jokers or big jokers of that number, any four jokers, or a pair of red fives.
COUNTERS = (
    *(f"{what}{count}" for count in (2, 3, 4) for what in ("level", "small", "big")),
    "jokers4",
    "red_fives2",
)


def _names(*choices: str) -> Read:
    """A list of different names, in an order of its own."""

    def read(value: Any) -> tuple[str, ...]:
        named = isinstance(value, list | tuple) and all(isinstance(one, str) and one in choices for one in value)
        if not named or len(set(value)) != len(value):
            raise BadValue(f"a list from {', '.join(choices)}, each once", f"{'、'.join(choices)} 的列表，各至多一次")
        return tuple(value)

    return read


def _suit_order(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or (value and sorted(map(str, value)) != sorted(SUITS)):
        raise BadValue("all four suits from low to high, or none", "从低到高的四门花色，或空列表")
    return tuple(value)


def _ladder(value: Any) -> tuple[Level, ...]:
    levels = read_levels(value)
    if not levels:
        raise BadValue("at least one level", "至少一个级别")
    return levels


def _deal_sizes(value: Any) -> Mapping[int, tuple[int, int]]:
    if not isinstance(value, Mapping) or not value:
        raise BadValue("deck count to [hand, kitty]", "副数到 [手牌, 底牌]")
    sizes = {}
    for decks, size in value.items():
        cards = list(size) if isinstance(size, list | tuple) else []
        if str(decks) not in ("1", "2", "3", "4") or len(cards) != 2 or any(type(n) is not int for n in cards):
            raise BadValue("deck count to [hand, kitty]", "副数到 [手牌, 底牌]")
        hand, kitty = cards
        if hand < 1 or kitty < 0:
            raise BadValue("deck count to [hand, kitty]", "副数到 [手牌, 底牌]")
        sizes[int(decks)] = (hand, kitty)
    return sizes


def _rows(value: Any) -> tuple[Row, ...]:
    shape = BadValue("a list of rows with from, to, role and levels", "由 from、to、role、levels 组成的行")
    if not isinstance(value, list):
        raise shape
    rows = []
    for row in value:
        if not isinstance(row, Mapping) or set(row) != {"from", "to", "role", "levels"}:
            raise shape
        edges = (row["from"], row["to"])
        if any(edge is not None and type(edge) is not int for edge in edges):
            raise shape
        if row["role"] not in ("dealer", "attackers") or type(row["levels"]) is not int or row["levels"] < 0:
            raise shape
        rows.append(Row(edges[0], edges[1], Role(row["role"]), row["levels"]))
    problem = table_problem(rows)
    if problem is not None:
        raise BadValue(problem, "升级表必须首尾相接、不重叠、不倒退")
    return tuple(rows)


def _win_names(value: Any) -> Mapping[str, tuple[int, int]]:
    if not isinstance(value, Mapping) or set(value) - {"big", "small"}:
        raise BadValue("big and small, each [from, to]", "big 与 small，各为 [起, 止]")
    names = {}
    for name, span in value.items():
        edges = list(span) if isinstance(span, list | tuple) else []
        if len(edges) != 2 or any(type(edge) is not int for edge in edges):
            raise BadValue("big and small, each [from, to]", "big 与 small，各为 [起, 止]")
        names[name] = (edges[0], edges[1])
    return names


def _bids(value: Any) -> Mapping[str, int]:
    shape = BadValue("high, low and step of the bids, in points", "叫分的 high、low 与 step")
    if not isinstance(value, Mapping) or set(value) != {"high", "low", "step"}:
        raise shape
    if any(type(one) is not int or one <= 0 or one % GRAIN for one in value.values()) or value["high"] < value["low"]:
        raise shape
    return dict(value)


def _points(high: int) -> Read:
    return _whole(0, high, GRAIN)


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


def _joints(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or any(one not in JOINTS for one in value) or len(set(value)) != len(value):
        raise BadValue(f"a list from {', '.join(JOINTS)}", f"{'、'.join(JOINTS)} 的列表")
    return tuple(value)


OPTIONS: dict[str, Option] = {
    "decks": Option(_whole(1, 4), {"en": "decks", "zh": "几副牌"}, ("deal", "points")),
    "players": Option(_whole(4, 5), {"en": "players", "zh": "几人"}, ("deal",)),
    "division": Option(
        _choice("sides", "alone", "everyone", "ally"), {"en": "who plays with whom", "zh": "分组"}, ("division",)
    ),
    "stake": Option(
        _maybe(_whole(1, 1000)),
        {"en": "units each attacker and the dealer play for", "zh": "每家与庄家的输赢"},
        ("stake",),
    ),
    "deal_sizes": Option(_deal_sizes, {"en": "cards in hand and kitty", "zh": "手牌与底牌张数"}, ("deal",)),
    "threshold": Option(
        _whole(GRAIN, 400, GRAIN),
        {"en": "points to take the deal", "zh": "上台分"},
        ("table.line", "table.below", "table.above"),
        items=("S3-LV-04",),
    ),
    "step": Option(
        _whole(GRAIN, 400, GRAIN),
        {"en": "points for each level", "zh": "每级分数"},
        ("table.below", "table.above"),
        items=("S0-LV-08", "S2-LV-04", "S4-RV-06"),
    ),
    "level_table": Option(
        _maybe(_rows),
        {"en": "level table", "zh": "升级表"},
        ("table.zero", "table.below", "table.line", "table.above", "table.negative"),
    ),
    "negative_total": Option(
        _choice("floor_zero", "extend"), {"en": "total below zero", "zh": "负分"}, ("table.negative", "floor")
    ),
    "score_cap": Option(
        _maybe(_points(10**9)), {"en": "cap of the total", "zh": "总分封顶"}, ("cap",), items=("S4-LV-08",)
    ),
    "score_floor": Option(
        _maybe(_whole(-(10**9), 0, GRAIN)), {"en": "least total that counts", "zh": "总分保底"}, ("floor",)
    ),
    "levels_cap": Option(
        _maybe(_whole(1, 10**9)), {"en": "most levels in one hand", "zh": "一副最多升级"}, ("levels_cap",)
    ),
    "win_names": Option(_win_names, {"en": "big win and small win", "zh": "大光与小光"}, ("level_words",)),
    "ladder": Option(_ladder, {"en": "levels that are played", "zh": "所打级别"}, ("ladder",), items=("S4-RV-07",)),
    "after_A": Option(_after_a, {"en": "levels after the last rank", "zh": "末级之后加打"}, ("after_A",)),
    "permanent_ranks": Option(
        _permanent, {"en": "cards that are always trumps", "zh": "常主"}, ("permanent_ranks",), items=("S4-RV-01",)
    ),
    "must_play": Option(
        _must_play,
        {"en": "levels that must be played", "zh": "必打级别"},
        ("must_play",),
        items=("S2-LV-03", "S4-RV-08"),
    ),
    "must_mode": Option(
        _choice("none", "no_skip", "must_defend"), {"en": "how they must be played", "zh": "必打方式"}, ("must_play",)
    ),
    "finish": Option(
        _choice("pass_A", "reach_A", "wrap"), {"en": "how a match is won", "zh": "胜负"}, ("finish", "pass_a")
    ),
    "pass_a": Option(_choice("held", "any"), {"en": "how the last level is passed", "zh": "打过末级"}, ("pass_a",)),
    "kitty_scheme": Option(
        _choice(*SCHEMES),
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
        _choice("led", "winning"), {"en": "whose cards give the factor", "zh": "倍数依据"}, ("kitty.decides",)
    ),
    "dig_trump_only": Option(
        _yes_no, {"en": "only trumps dig", "zh": "仅主牌抠底"}, ("kitty.trump_only",), items=("S4-KT-07",)
    ),
    "dig_single_x1": Option(
        _yes_no, {"en": "a single digs once", "zh": "单张抠底不翻倍"}, ("kitty.single",), items=("S4-KT-08",)
    ),
    "last_trick": Option(
        _choice("kitty", "cards_times_points"),
        {"en": "worth of the last trick", "zh": "末圈计分"},
        ("last_trick", "kitty.dig", "kitty.escape", "kitty.decides"),
    ),
    "level_jumps": Option(
        _names_from(LEVEL_JUMPS),
        {"en": "plays that send a side to the last level", "zh": "直接升降级的打法"},
        ("jump.pair_H5", "jump.510K"),
    ),
    "bidding": Option(_maybe(_bids), {"en": "bids", "zh": "叫分"}, ("bid",)),
    "jokers_worth": Option(_points(10), {"en": "points of a joker", "zh": "王的分值"}, ("points",)),
    "coins_per_counter": Option(
        _maybe(_whole(1, 10)), {"en": "coins multiplied by each counter", "zh": "每次反主翻番"}, ("coins.counter",)
    ),
    "coins_throw_share": Option(
        _maybe(_whole(1, 100)),
        {"en": "share of the base stake for a failed throw", "zh": "甩牌失败扣底金"},
        ("coins.throw",),
    ),
    "dark_bid_fine": Option(
        _points(1000), {"en": "fine for a face-down bid out of order", "zh": "暗炒乱序罚分"}, ("dark_bid",)
    ),
    "flag_line": Option(
        _maybe(_whole(GRAIN, 400, GRAIN)),
        {"en": "points needed at the flag", "zh": "扛旗上台分"},
        ("flag", "flag.levels"),
    ),
    "flag_failures": Option(_whole(1, 9), {"en": "failures at the flag", "zh": "扛旗失败次数"}, ("flag.failed",)),
    "throws_allowed": Option(_yes_no, {"en": "throws", "zh": "甩牌"}, ("throws",)),
    "throw_fine": Option(
        _points(100), {"en": "fine per card of a failed throw", "zh": "甩牌罚分"}, ("throw_fine",), items=("S4-TH-03",)
    ),
    "throw_fine_per": Option(
        _choice("card", "card_but_one"), {"en": "cards that are fined", "zh": "罚分张数"}, ("throw_fine",)
    ),
    "tractor_level_joker": Option(
        _yes_no,
        {"en": "main level cards and small jokers make a tractor", "zh": "主级牌与小王可成拖拉机"},
        ("cards.level_joker",),
    ),
    "tractor_nt_level_joker": Option(
        _yes_no,
        {"en": "at no-trump level cards and small jokers make a tractor", "zh": "无主时级牌与小王可成拖拉机"},
        ("cards.nt_level_joker",),
    ),
    "hollow_tractors": Option(
        _yes_no, {"en": "tractors across the gap of the level", "zh": "跨级牌空档的拖拉机"}, ("cards.hollow",)
    ),
    "broken_joints": Option(
        _joints, {"en": "trumps that make no tractor with each other", "zh": "不能相连的主牌"}, ("cards.joints",)
    ),
    "short_joints": Option(
        _joints, {"en": "trumps that join in a run of two only", "zh": "只能两连的主牌"}, ("cards.joints",)
    ),
    "shape_510k": Option(_yes_no, {"en": "510K is a shape", "zh": "510K 牌型"}, ("cards.510K",)),
    "parse": Option(
        _choice("declared", "no_singles", "largest"),
        {"en": "cards that can be read in several ways", "zh": "可有多种读法的牌"},
        ("cards.reading",),
        items=("S4-TH-04",),
    ),
    "must_follow_pair": Option(
        _yes_no,
        {"en": "a pair must be followed with a pair", "zh": "领对必须跟对"},
        ("follow.pair",),
        items=("S4-FL-12",),
    ),
    "follow_order": Option(
        _choice("national", "tractor_before_pair", "tractor_before_triples", "same_kind", "by_cards"),
        {"en": "what is owed first", "zh": "跟牌优先级"},
        ("follow.order",),
        items=("S4-FL-07",),
    ),
    "longer_tuples": Option(
        _choice("torn", "protected"),
        {"en": "triples and quads under a shorter lead", "zh": "领出较少张时的刻子与四张"},
        ("follow.longer",),
        items=("S4-RV-15",),
    ),
    "tractor_from_throw": Option(
        _yes_no, {"en": "a tractor in a throw is owed a tractor", "zh": "甩牌中的拖拉机须跟拖拉机"}, ("follow.throw",)
    ),
    "shorter_run_owed": Option(
        _yes_no,
        {"en": "a shorter tractor is owed to a longer one", "zh": "长拖拉机须跟较短的拖拉机"},
        ("follow.shorter",),
    ),
    "ruff_shape": Option(
        _choice("exact", "demote"), {"en": "shape of a ruff", "zh": "毙的牌型"}, ("trick.ruff",), items=("S0-FL-08",)
    ),
    "throw_compare": Option(
        _choice("highest_class", "every_part", "top_card"),
        {"en": "what an over-ruff of a throw compares", "zh": "盖毙甩牌比什么"},
        ("trick.over_ruff",),
    ),
    "throw_checked_against": Option(
        _choice("three_hands", "opponents"),
        {"en": "hands a throw must beat", "zh": "甩牌须大过哪几家"},
        ("throw.stands",),
    ),
    "forced_small": Option(
        _choice("lowest", "next_player"),
        {"en": "what a failed throw leaves on the table", "zh": "甩错后强制出什么"},
        ("throw.forced",),
        items=("S0-TH-08", "S4-TH-02"),
    ),
    "throw_mixed": Option(
        _yes_no,
        {"en": "a throw may hold pairs and tractors", "zh": "甩牌可含对子与拖拉机"},
        ("throw.what",),
        items=("S3-TH-01",),
    ),
    "tractors": Option(_yes_no, {"en": "tractors", "zh": "拖拉机"}, ("tractors", "kitty.tractor")),
    "hook_levels": Option(
        read_levels,
        {"en": "levels of the hook", "zh": "钩到底的级别"},
        ("hook", "hook_limit"),
        items=("S3-HK-01", "S4-RV-05"),
    ),
    "hook_card": Option(_choice("main", "any"), {"en": "card of the hook", "zh": "钩到底的牌"}, ("hook",)),
    "hook_needs_takeover": Option(_yes_no, {"en": "the hook needs the deal", "zh": "钩到底须上台"}, ("hook",)),
    "hook_limit": Option(_maybe(_whole(1, 99)), {"en": "hooks for each side", "zh": "每方钩到底次数"}, ("hook_limit",)),
    "no_trump_allowed": Option(_yes_no, {"en": "no-trump", "zh": "无主"}, ("no_trump",), items=("S4-TD-05",)),
    "joker_declare": Option(
        _choice("none", "any", "colour"),
        {"en": "joker shown with a declaration", "zh": "带王亮主"},
        ("joker_declare",),
        items=("S3-TD-06", "S4-RV-03"),
    ),
    "hidden_declare": Option(
        _yes_no, {"en": "declarations face down", "zh": "暗亮"}, ("hidden_declare",), items=("S4-RV-02",)
    ),
    "declare_no_trump": Option(
        _yes_no,
        {"en": "no-trump may be declared outright", "zh": "可以直接亮无主"},
        ("declare.no_trump",),
        items=("S4-TD-05", "S1-TD-04"),
    ),
    "no_declare": Option(
        _choice("flip_level", "third", "first", "partner_names"),
        {"en": "trump when nobody declares", "zh": "无人亮主时的主花色"},
        ("flip.trump",),
        items=("D-17", "S4-TD-08"),
    ),
    "no_declare_first": Option(
        _choice("flip", "redeal"),
        {"en": "first hand when nobody declares", "zh": "第一副无人亮主"},
        ("flip.first_hand",),
        items=("D-18",),
    ),
    "flip_any_joker": Option(
        _yes_no,
        {"en": "any joker turned means no-trump", "zh": "翻底翻到王即打无主"},
        ("flip.joker",),
        items=("A-07", "S2-TD-03"),
    ),
    "counter_ranks": Option(
        _names(*COUNTERS),
        {"en": "what counters, from low to high", "zh": "反主牌由小到大"},
        ("counter.what",),
        items=("S4-TD-02", "S4-RV-14", "S4-RV-17"),
    ),
    "counter_suit_order": Option(
        _suit_order,
        {"en": "order of suits among counters", "zh": "反主的花色顺序"},
        ("counter.order",),
        items=("D-19", "S4-RV-16"),
    ),
    "joker_counter_final": Option(
        _yes_no,
        {"en": "jokers end the countering", "zh": "王反之后不能再反"},
        ("counter.joker_final",),
        items=("D-20", "S3-TD-04"),
    ),
    "counter_while_drawing": Option(
        _yes_no, {"en": "counters while cards are drawn", "zh": "抓牌中可反主"}, ("counter.drawing",)
    ),
    "early_counter": Option(
        _yes_no,
        {"en": "counters before the kitty is taken, in later hands", "zh": "第一副之后拿底前可反主"},
        ("counter.early",),
        items=("D-22",),
    ),
    "late_counter": Option(
        _yes_no,
        {"en": "counters after the burial, with a new burial", "zh": "埋底后可反主抄底"},
        ("counter.late",),
        items=("S4-RV-04",),
    ),
    "first_hand_late_counter": Option(
        _yes_no,
        {"en": "counters after the burial in the first hand", "zh": "第一副埋底后可反主"},
        ("counter.first_hand",),
        items=("D-21",),
    ),
    "self_protect": Option(
        _choice("pair_if_higher", "own_suit", "no_trump_only", "none"),
        {"en": "the declarer after a counter", "zh": "亮主者被反之后"},
        ("counter.self",),
        items=("D-24", "S3-TD-03"),
    ),
    "reinforced_blocks": Option(
        _choice("lower", "level_pairs"),
        {"en": "what a reinforced declaration keeps out", "zh": "加固后不能用来反的牌"},
        ("counter.reinforced",),
        items=("S4-TD-04",),
    ),
    "look_back": Option(_yes_no, {"en": "looking back", "zh": "回头望"}, ("counter.look_back",), items=("S4-RV-18",)),
    "dark_bids": Option(_yes_no, {"en": "counters face down", "zh": "暗炒"}, ("counter.dark",), items=("S4-RV-19",)),
    "rebellion": Option(_yes_no, {"en": "rebellion", "zh": "造反"}, ("rebellion", "rebellion_twice")),
    "rebellion_points": Option(_whole(0, 100), {"en": "most points of a rebel", "zh": "造反分数上限"}, ("rebellion",)),
    "rebellion_trumps": Option(_whole(0, 30), {"en": "most trumps of a rebel", "zh": "造反主牌上限"}, ("rebellion",)),
    "timed_tie": Option(
        _choice("on_stage", "draw", "first_to_reach", "extra_hand", "lots"),
        {"en": "equal levels at the end", "zh": "级别相同"},
        ("timed_tie",),
        items=("S4-MF-02",),
    ),
}

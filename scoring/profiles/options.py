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
            "en": "any joker; when the dealer side cannot declare, an attacker who can deals at his own side's level",
            "zh": "须带一张王；庄家方不能亮主时，能亮主的闲家上台坐庄，打己方级别",
        },
        "colour": {
            "en": "the small joker with a black card, the big one with a red card; when the dealer side cannot "
            "declare, an attacker who can deals at his own side's level",
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
        "highest_class": {"en": "the top of the highest class", "zh": "最高阶位中最大的牌"},
        "every_part": {"en": "every part", "zh": "每个组合"},
        "top_card": {"en": "the highest card", "zh": "最大的一张"},
    },
    "throw_checked_against": {
        "three_hands": {"en": "all three other hands", "zh": "其他三家"},
        "opponents": {"en": "the two opponents", "zh": "两家对手"},
    },
    "forced_small": {
        "lowest": {"en": "the smallest of the lowest class that failed", "zh": "失败的最低阶位中最小的牌"},
        "next_player": {"en": "what the next player names", "zh": "由下家指定"},
    },
    "hook_card": {
        "main": {"en": "the trump card of the level", "zh": "主级牌"},
        "any": {"en": "any card of the level", "zh": "任一级牌"},
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
            "zh": "以第一张翻出的非王牌的花色定庄：黑桃为第一个抓牌者，红桃、草花、方块依次为第二、三、四个",
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
    "C": {"en": "clubs", "zh": "草花"},
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
    "red_fives2": {"en": "two fives of hearts", "zh": "一对红心 5"},
    "joker": {"en": "jokers", "zh": "打王"},
    "no_trump": {"en": "no-trump", "zh": "打无主"},
    "pair_H5_declare_or_dig": {"en": "a pair of red fives declared or dug with", "zh": "一对红心 5 亮主或抠底"},
    "dig_with_510K": {"en": "510K dug with", "zh": "510K 抠底"},
    "H5": {"en": "the five of hearts", "zh": "红心 5"},
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
            "en": "the others may counter, and who counters takes the kitty and buries again; the dealer stays and "
            "leads first",
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

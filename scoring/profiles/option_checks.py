"""Whether the options of a profile make sense together, and which of them decide nothing beside the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from scoring.profiles.kitty import SCHEMES
from scoring.profiles.options import OPTIONS, ProfileError
from scoring.values import Level, Text


def check_options(values: Mapping[str, Any], changes: Mapping[str, Any], *, individual: bool) -> None:
    """Refuse options that are fine alone and make no sense together; `values` are all options as read.

    `changes` are those an event set: of these none may be without effect. Raises ProfileError `nonsense`, `bad_option`.
    """
    _check_together(values)
    _check_division(values, individual=individual)
    _check_after_a(values)
    _check_regional(values)
    _check_auction(values)
    _check_changes(values, changes)
    _check_unused(values, changes)


def _clash(field: str, en: str, zh: str) -> NoReturn:
    raise ProfileError("nonsense", field, {"en": en, "zh": zh})


def _check_together(values: Mapping[str, Any]) -> None:
    """Refuse options that are fine alone and make no sense together."""
    levels: tuple[Level, ...] = values["ladder"]
    decks: int = values["decks"]
    if decks not in values["deal_sizes"]:
        _clash("decks", f"Nothing says how {decks} decks are dealt.", f"没有规定 {decks} 副牌怎样发。")
    for count, (hand, kitty) in values["deal_sizes"].items():
        if values["players"] * hand + kitty != 54 * count:
            raise ProfileError(
                "bad_option",
                "deal_sizes",
                {"en": "The hands and the kitty must use all cards.", "zh": "各家手牌加底牌要用完所有牌。"},
            )
    off = [str(level) for level in values["must_play"] if level not in levels + values["after_A"]]
    if off:
        _clash("must_play", f"{off[0]} is not on the ladder.", f"{off[0]} 不在所打级别之内。")
    if values["must_play"] and values["must_mode"] == "none":
        _clash("must_mode", "Levels that must be played need a mode.", "有必打级别，就要写明必打方式。")
    off = [str(level) for level in values["hook_levels"] if level not in levels]
    if off:
        _clash("hook_levels", f"{off[0]} is not on the ladder.", f"{off[0]} 不在所打级别之内。")
    if values["hook_limit"] is not None and not values["hook_levels"]:
        _clash("hook_limit", "A limit of hooks needs a level of the hook.", "没有钩到底的级别，就没有次数限制。")
    if decks not in SCHEMES[values["kitty_scheme"]].decks:
        _clash("kitty_scheme", f"These factors are not made for {decks} decks.", f"这种倍数不适用于 {decks} 副牌。")
    if values["threshold"] > 100 * decks:
        _clash("threshold", f"{decks} decks hold {100 * decks} points only.", f"{decks} 副牌只有 {100 * decks} 分。")
    if values["level_table"] is not None:
        line = next((row.low for row in values["level_table"] if row.role == "attackers"), None)
        if line != values["threshold"]:
            _clash("level_table", "The table and the points to take the deal differ.", "升级表与上台分不一致。")
    if values["score_cap"] is not None and values["score_cap"] < values["threshold"]:
        _clash("score_cap", "With this cap nobody could take the deal.", "这样封顶，闲家永远不能上台。")
    if values["score_floor"] is not None and values["negative_total"] == "floor_zero":
        _clash("score_floor", "Totals below zero count as 0 already.", "负分已按 0 分计，不用再保底。")
    off = [str(level) for level in levels if level.rank in values["permanent_ranks"]]
    if off:
        _clash("permanent_ranks", f"{off[0]} is always a trump and no level.", f"{off[0]} 是常主，不能再作级别。")
    if len(levels) == 1 and values["finish"] == "reach_A":
        _clash("finish", "With one level everybody has reached it.", "只有一个级别，一开始就都升到了。")
    if values["throw_fine"] and not values["throws_allowed"]:
        _clash("throw_fine", "There are no throws to be fined.", "不能甩牌，就没有甩牌罚分。")
    if values["last_trick"] == "kitty":
        if not values["deal_sizes"][decks][1]:
            _clash("last_trick", "There is no kitty to dig.", "没有底牌，无从抠底。")
    elif values["deal_sizes"][decks][1] or values["dig_trump_only"] or values["dig_single_x1"]:
        _clash("last_trick", "The last trick digs no kitty here.", "末圈按张数乘分，不抠底。")


def _check_division(values: Mapping[str, Any], *, individual: bool) -> None:
    """Refuse a division of the players that does not fit the game, and what it lacks or has no use for."""
    division = values["division"]
    if individual is (division == "sides"):
        _clash("division", "Two sides and single players are different games.", "双方对阵与个人赛是不同的玩法。")
    if not individual and values["players"] != 4:
        _clash("players", "Two sides have two players each.", "双方对阵，每方两人。")
    if (values["bidding"] is not None) is not (division == "alone"):
        _clash("bidding", "Bids decide who plays alone, and nothing else.", "叫分只用来决定由谁一人坐庄。")
    if (values["stake"] is not None) is not (division == "alone"):
        _clash("stake", "A stake belongs to a dealer who plays alone.", "只有一人对其余各家时才有输赢注数。")
    levels = len(values["ladder"])
    if division == "alone" and levels:
        _clash("ladder", "No levels are played in this game.", "这种玩法不打级别，没有级牌。")
    if division == "everyone" and levels > 1:
        _clash("ladder", "Nobody climbs levels in this game.", "这种玩法不升级，只能有一个级别。")
    if division != "alone" and not levels:
        _clash("ladder", "At least one level is played.", "至少要打一个级别。")
    if division in ("alone", "everyone") and values["finish"] != "wrap":
        _clash("finish", "No level is passed in this game.", "这种玩法不以级别定胜负。")
    if division == "ally" and values["finish"] == "wrap":
        _clash("finish", "Levels that begin again rank nobody.", "级别循环，个人名次无从比较。")
    if individual and values["last_trick"] != "kitty":
        _clash("last_trick", "Games of single players dig the kitty.", "个人赛的末圈抠底牌。")


def _check_after_a(values: Mapping[str, Any]) -> None:
    """Refuse levels after A, or a flag, that nobody could ever play."""
    decks, line = values["decks"], values["flag_line"]
    if values["after_A"] and values["finish"] == "reach_A":
        _clash("after_A", "Who reaches the last level has won; none follows it.", "升到末级即胜，其后不再加打。")
    if Level("no_trump") in values["after_A"] and not values["no_trump_allowed"]:
        _clash("after_A", "These rules do not allow no-trump.", "本规则不打无主，不能加打无主。")
    if line is None:
        return
    if values["finish"] != "pass_A":
        _clash("flag_line", "The flag comes after passing the last level.", "扛旗在打过末级之后，须以打过末级定胜负。")
    if 54 * decks % 4:
        _clash("flag_line", f"{decks} decks cannot be dealt without a kitty.", f"{decks} 副牌不留底牌就分不匀。")
    if line > 100 * decks:
        _clash("flag_line", f"{decks} decks hold {100 * decks} points only.", f"{decks} 副牌只有 {100 * decks} 分。")
    if values["score_cap"] is not None and values["score_cap"] < line:
        _clash("score_cap", "With this cap nobody could take the flag.", "这样封顶，扛旗时闲家永远不能上台。")


def _check_regional(values: Mapping[str, Any]) -> None:
    """Refuse plays that the cards or the kitty do not give."""
    jumps = values["level_jumps"]
    if "dig_with_510K" in jumps and values["last_trick"] != "kitty":
        _clash("level_jumps", "There is no kitty to dig.", "没有底牌，无从抠底。")
    if "pair_H5_declare_or_dig" in jumps and values["decks"] == 1:
        _clash("level_jumps", "One deck has no pair of red fives.", "一副牌没有一对红桃 5。")
    if values["hidden_declare"] and values["last_trick"] != "kitty":
        _clash("hidden_declare", "Nothing is buried before the cards are turned up.", "没有底牌可扣，暗亮无从翻开。")


def _check_auction(values: Mapping[str, Any]) -> None:
    """Refuse ways to find a trump or to bury again that need a kitty where there is none."""
    kitty = values["deal_sizes"][values["decks"]][1]
    turned = values["no_declare"] != "partner_names"
    if turned and kitty < (3 if values["no_declare"] == "third" else 1):
        _clash("no_declare", "There is no such kitty card to turn.", "没有这样一张底牌可翻。")
    if values["no_declare_first"] == "flip" and not turned:
        _clash("no_declare_first", "No kitty is turned to find the dealer.", "不翻底牌，无从定庄。")
    in_turn = values["declare_order"] == "partner_first"
    if in_turn and (values["joker_declare"] != "none" or values["hidden_declare"]):
        _clash(
            "declare_order",
            "In turn nobody shows jokers beside a card, or a card face down.",
            "依次亮主时不带王亮主，也不暗亮。",
        )
    if values["late_counter"] and not kitty:
        _clash("late_counter", "There is no kitty to bury again.", "没有底牌，无从抄底。")
    if "red_fives2" in values["counter_ranks"] and "H5" not in values["permanent_ranks"]:
        _clash("counter_ranks", "Red fives counter only where they are always trumps.", "红桃 5 是常主时才能用来反主。")


#: What an event cannot set in a game of single players, for nothing there looks at it.
_ONLY_FOR_SIDES = frozenset(
    {
        "after_A",
        "level_jumps",
        "coins_per_counter",
        "coins_throw_share",
        "dark_bid_fine",
        "flag_line",
        "flag_failures",
        "own_line",
        "hook_levels",
        "hook_card",
        "hook_needs_takeover",
        "hook_limit",
        "declare_order",
        "joker_declare",
        "rebellion",
        "rebellion_points",
        "rebellion_trumps",
        "timed_tie",
    }
)
_LEVELS = frozenset({"threshold", "step", "level_table", "levels_cap", "win_names", "must_play", "must_mode", "pass_a"})
_DIG = frozenset({"kitty_scheme", "kitty_pattern", "dig_trump_only", "dig_single_x1", "negative_total", "score_cap"})
#: What no hand of such a division looks at besides.
_UNUSED_BY = {"alone": _LEVELS, "everyone": _LEVELS | _DIG | {"score_floor"}, "ally": frozenset[str]()}


def _check_unused(values: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    """Refuse what an event sets upon a game of single players to no effect."""
    if values["division"] == "sides":
        return
    for name in sorted((_ONLY_FOR_SIDES | _UNUSED_BY[values["division"]]) & set(changes)):
        title = OPTIONS[name].title
        _clash(
            name,
            f"{title['en']}: set to no effect, for nothing in this game looks at it.",
            f"{title['zh']}：设了也不起作用，这种玩法用不到。",
        )


def _check_changes(values: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    """Refuse what an event sets when it would change nothing: the event meant something else."""
    for name, why in without_effect(values).items():
        if name in changes:
            title = OPTIONS[name].title
            en, zh = (
                f"{title['en']}: set to no effect, for {why['en']}.",
                f"{title['zh']}：设了也不起作用，{why['zh']}。",
            )
            _clash(name, en, zh)


_OF_LEVELS = ("threshold", "step", "level_table", "negative_total", "levels_cap", "finish", "pass_a")
_OF_LEVEL_CARDS = ("tractor_level_joker", "tractor_nt_level_joker")
_OF_SIDES = ("hook_levels", "own_line", "rebellion", "timed_tie")
_OF_THE_DIG = ("kitty_scheme", "kitty_pattern", "dig_trump_only", "dig_single_x1")
_OF_TRACTORS = (
    "tractor_level_joker",
    "tractor_nt_level_joker",
    "hollow_tractors",
    "broken_joints",
    "short_joints",
    "tractor_from_throw",
    "shorter_run_owed",
)
_OF_THROWS = ("tractor_from_throw", "throw_compare", "throw_checked_against", "forced_small", "throw_mixed")
_OF_COUNTERS = (
    "counter_suit_order",
    "joker_counter_final",
    "counter_while_drawing",
    "early_counter",
    "late_counter",
    "first_hand_late_counter",
    "self_protect",
    "reinforced_blocks",
    "look_back",
    "dark_bids",
)
_OF_THE_AUCTION = (
    *_OF_COUNTERS,
    "declare_no_trump",
    "declare_order",
    "no_declare",
    "no_declare_first",
    "flip_any_joker",
    "counter_ranks",
    "joker_declare",
    "hidden_declare",
)


def without_effect(values: Mapping[str, Any]) -> dict[str, Text]:
    """Options that decide nothing beside the others, and why; `values` are options as read."""
    no_levels = values["division"] in ("alone", "everyone")
    no_factor = values["last_trick"] != "kitty" or values["division"] == "everyone"
    idle: list[tuple[str, bool, str, str]] = [
        ("step", values["level_table"] is not None, "the levels stand in a table", "升级另有列表"),
        ("throw_fine_per", not values["throw_fine"], "there is no fine", "没有甩牌罚分"),
        ("hook_limit", not values["hook_levels"], "there is no hook", "没有钩到底"),
        ("hook_card", not values["hook_levels"], "there is no hook", "没有钩到底"),
        ("hook_needs_takeover", not values["hook_levels"], "there is no hook", "没有钩到底"),
        ("rebellion_points", not values["rebellion"], "there is no rebellion", "没有造反"),
        ("rebellion_trumps", not values["rebellion"], "there is no rebellion", "没有造反"),
        ("pass_a", values["finish"] != "pass_A", "no level is passed to win", "不以打过末级定胜负"),
        (
            "flip_any_joker",
            values["no_declare"] != "flip_level",
            "the turning does not look for a level card",
            "不按翻到级牌为止",
        ),
        ("first_hand_late_counter", not values["late_counter"], "nobody counters after the burial", "埋底后不能反主"),
        ("look_back", "level2" not in values["counter_ranks"], "no pair of level cards counters", "级牌对不能反主"),
        ("declare_no_trump", not values["no_trump_allowed"], "no-trump is not played", "不打无主"),
        ("flag_failures", values["flag_line"] is None, "there is no flag", "没有扛旗"),
        ("own_line", values["decks"] != 1, "more than one deck is played", "不止一副牌"),
        ("stake", values["division"] != "alone", "nobody plays alone", "没有一家独打"),
    ]
    for names, decides_nothing, en, zh in (
        (_OF_LEVELS, no_levels, "no levels are won", "不升级"),
        (_OF_LEVEL_CARDS, not values["ladder"], "there are no level cards", "没有级牌"),
        (_OF_SIDES, values["division"] != "sides", "there are no two sides", "没有对阵双方"),
        (_OF_THE_DIG, no_factor, "no kitty is multiplied", "底牌不加倍"),
        (_OF_TRACTORS, not values["tractors"], "there are no tractors", "没有拖拉机"),
        (_OF_THROWS, not values["throws_allowed"], "there are no throws", "不能甩牌"),
        (_OF_COUNTERS, not values["counter_ranks"], "nothing counters", "没有反主"),
        (_OF_THE_AUCTION, values["bidding"] is not None, "the deal is bid for", "以叫分定庄"),
    ):
        idle += [(name, decides_nothing, en, zh) for name in names]
    return {name: {"en": en, "zh": zh} for name, decides_nothing, en, zh in idle if decides_nothing}

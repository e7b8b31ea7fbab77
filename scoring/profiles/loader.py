"""Profiles from data files: reading, extending, changing by an event, checking."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from scoring.ladder import Ladder
from scoring.profiles.kitty import SCHEMES
from scoring.profiles.level_table import LevelTable
from scoring.profiles.option_words import phrase, say
from scoring.profiles.options import OPTIONS, BadValue, ProfileError
from scoring.profiles.profile import Clause, Profile
from scoring.values import AFTER_A, FLAG, Level, Text

_HOUSE = "_referee"
_DATA = files("scoring.profiles") / "rules"
TWO_TEAMS = "two_teams"
_MOST_SPEC_CHARACTERS = 20_000


@lru_cache(maxsize=1)
def profile_ids() -> tuple[str, ...]:
    """Ids of all profiles of two-team games, sorted: what a tournament can be played by."""
    return tuple(name for name in _files() if _read_file(name).get("game", TWO_TEAMS) == TWO_TEAMS)


@lru_cache(maxsize=1)
def individual_ids() -> tuple[str, ...]:
    """Ids of all profiles of individual games, sorted; `load` and `build` want to be told that one is expected."""
    return tuple(name for name in _files() if name not in profile_ids())


@lru_cache(maxsize=1)
def _files() -> tuple[str, ...]:
    names = (file.name for file in _DATA.iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json") and name[0] != "_"))


def load(profile_id: str, *, individual: bool = False) -> Profile:
    """The profile of that id; ProfileError `unknown_profile` when there is none.

    Individual games have no sides, so who asks must expect one: else ProfileError `individual_game`.
    """
    _refuse_unexpected(profile_id, individual=individual)
    return _build(profile_id, "{}")


def _refuse_unexpected(profile_id: str, *, individual: bool) -> None:
    if individual or profile_id not in individual_ids():
        return
    title = _read_file(profile_id)["title"]
    raise ProfileError(
        "individual_game",
        "profile",
        {
            "en": f"{title['en']} is played by single players, not by two sides.",
            "zh": f"{title['zh']}是个人赛，没有对阵双方。",
        },
    )


def build(spec: object, *, individual: bool = False) -> Profile:
    """A profile from its id, or from `{"base": id, "set": {option: value}}`.

    Raises ProfileError: `unknown_profile`, `bad_profile`, `unknown_option`, `bad_option`, `nonsense`, and
    `individual_game` unless one is expected.
    """
    if isinstance(spec, str):
        return load(spec, individual=individual)
    if not isinstance(spec, Mapping) or not isinstance(spec.get("base"), str) or set(spec) - {"base", "set"}:
        raise ProfileError(
            "bad_profile",
            "profile",
            {"en": "A profile is an id, or base and set.", "zh": "规则要写编号，或写 base 与 set。"},
        )
    changes = spec.get("set", {})
    if not isinstance(changes, Mapping) or any(not isinstance(name, str) for name in changes):
        raise ProfileError(
            "bad_profile", "set", {"en": "Set takes option names and values.", "zh": "set 要写选项名和值。"}
        )
    try:
        written = json.dumps(changes, sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        written = ""
    if not written or len(written) > _MOST_SPEC_CHARACTERS:
        raise ProfileError("bad_profile", "set", {"en": "These options cannot be read.", "zh": "这些选项读不懂。"})
    _refuse_unexpected(spec["base"], individual=individual)
    return _build(spec["base"], written)


@lru_cache(maxsize=512)
def _build(profile_id: str, changes_json: str) -> Profile:
    if profile_id not in _files():
        raise ProfileError(
            "unknown_profile",
            "profile",
            {"en": f"There are no rules called {profile_id[:60]}.", "zh": f"没有名为 {profile_id[:60]} 的规则。"},
        )
    data = _read_file(profile_id)
    changes: dict[str, Any] = json.loads(changes_json)
    changes = {name: value for name, value in changes.items() if _differs(data["options"], name, value)}
    options = _on_the_ladder({**data["options"], **changes}, changes)
    values = _read_options(options)
    _check_together(values)
    _check_division(values, individual=data.get("game", TWO_TEAMS) != TWO_TEAMS)
    _check_after_a(values)
    _check_regional(values)
    _check_auction(values)
    _check_changes(values, changes)
    _check_unused(values, changes)
    after = _after_a(values)
    clauses = _clauses(data, options, changes)
    topics = _topics(clauses, changes)
    in_force = {
        clause.id: clause for clause in clauses if topics.get(clause.topic) is clause or clause.id[:4] == "set."
    }
    # an option at the house's default is left out, so that one added later moves no digest of an event
    house = _read_file(_HOUSE)["options"]
    canonical = {
        "id": profile_id,
        "version": data["version"],
        "options": {name: value for name, value in options.items() if name not in house or house[name] != value},
        "clauses": [clause.to_json() for clause in in_force.values()],
    }
    table = LevelTable(
        values.pop("threshold"),
        values.pop("step"),
        values.pop("negative_total"),
        values.pop("score_cap"),
        values.pop("levels_cap"),
        values.pop("level_table"),
        values.pop("score_floor"),
    )
    line: int | None = values["flag_line"]
    text = json.dumps(canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return Profile(
        id=profile_id,
        game=data.get("game", TWO_TEAMS),
        version=data["version"],
        title=_changed_title(data["title"], changes),
        family=data["family"],
        about=data["about"],
        digest=hashlib.sha256(text.encode()).hexdigest(),
        clauses=in_force,
        topics=topics,
        options=options,
        changed=changes,
        table=table,
        flag_table=table if line is None else replace(table, threshold=line, rows=None),
        ladder=Ladder(
            values.pop("ladder") + after,
            values.pop("must_play"),
            values.pop("must_mode"),
            values.pop("finish"),
            values.pop("pass_a"),
            after=len(after),
        ),
        **values,
    )


def _after_a(values: dict[str, Any]) -> tuple[Level, ...]:
    """The levels that follow the ordinary ones; the flag comes last."""
    after: tuple[Level, ...] = values.pop("after_A")
    return after if values["flag_line"] is None else (*after, FLAG)


def _differs(options: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether a value differs as it is written, for Python holds 1, 1.0 and True to be equal."""
    return name not in options or json.dumps(options[name], sort_keys=True) != json.dumps(value, sort_keys=True)


def _read_file(name: str) -> dict[str, Any]:
    """A data file with what it extends folded in: options by name, clauses by topic, in order."""
    data: dict[str, Any] = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    for clause in data["clauses"]:
        clause["id"] = f"{data['prefix']}.{clause['topic']}"
        clause["source"] = {
            "title": data["source"],
            "section": clause.pop("section", ""),
            "items": clause.pop("items", []),
        }
    if "extends" in data:
        base = _read_file(data["extends"])
        dropped = set(data.get("drop", ()))
        inherited = [clause for clause in base["clauses"] if clause["topic"] not in dropped]
        data["clauses"] = _folded(inherited, data["clauses"])
        data["options"] = {**base["options"], **data["options"]}
    return data


def _folded(inherited: list[dict[str, Any]], own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Own clauses in the places of those they replace, the others at the end."""
    clauses, left = [], list(own)
    for clause in inherited:
        replacing = [one for one in own if _replaces(one, clause)]
        if not replacing:
            clauses.append(clause)
        for one in replacing:
            if one in left:
                left.remove(one)
                clauses.append(one)
    return clauses + left


def _replaces(own: Mapping[str, Any], inherited: Mapping[str, Any]) -> bool:
    """Whether a clause takes another's place: it is on the same topic, and both could be in force at once."""
    if own["topic"] != inherited["topic"]:
        return False
    apart = [own.get("when") and own["when"] == inherited.get("unless")]
    apart += [inherited.get("when") and inherited["when"] == own.get("unless")]
    return not any(apart)


def _on_the_ladder(options: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """An event that plays other levels keeps those must-play and hook levels that are left.

    A rank that an event makes a permanent trump is no level any more.
    """
    ladder, always = options["ladder"], options["permanent_ranks"]
    shorter = "permanent_ranks" in changes and "ladder" not in changes and isinstance(always, list)
    if shorter:
        ladder = options["ladder"] = [rank for rank in ladder if rank not in always]
    if (shorter or "ladder" in changes) and isinstance(ladder, list):
        for name in ("must_play", "hook_levels"):
            if name not in changes and isinstance(options[name], list):
                options[name] = [rank for rank in options[name] if rank in ladder or rank in AFTER_A]
        if not options["hook_levels"]:
            options["hook_limit"] = None
    return options


def _read_options(options: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        name = unknown[0][:60]
        raise ProfileError(
            "unknown_option", name, {"en": f"There is no option called {name}.", "zh": f"没有名为 {name} 的选项。"}
        )
    values = {}
    for name, option in OPTIONS.items():
        try:
            values[name] = option.read(options[name])
        except BadValue as bad:
            title = option.title
            raise ProfileError(
                "bad_option",
                name,
                {"en": f"{title['en']}: {bad.text['en']}.", "zh": f"{title['zh']}：{bad.text['zh']}。"},
            ) from None
    return values


def _check_together(values: Mapping[str, Any]) -> None:
    """Refuse options that are fine alone and make no sense together."""
    levels: tuple[Level, ...] = values["ladder"]
    decks: int = values["decks"]

    def refuse(field: str, en: str, zh: str) -> None:
        raise ProfileError("nonsense", field, {"en": en, "zh": zh})

    if decks not in values["deal_sizes"]:
        refuse("decks", f"Nothing says how {decks} decks are dealt.", f"没有规定 {decks} 副牌怎样发。")
    for count, (hand, kitty) in values["deal_sizes"].items():
        if values["players"] * hand + kitty != 54 * count:
            raise ProfileError(
                "bad_option",
                "deal_sizes",
                {"en": "The hands and the kitty must use all cards.", "zh": "各家手牌加底牌要用完所有牌。"},
            )
    off = [str(level) for level in values["must_play"] if level not in levels + values["after_A"]]
    if off:
        refuse("must_play", f"{off[0]} is not on the ladder.", f"{off[0]} 不在所打级别之内。")
    if values["must_play"] and values["must_mode"] == "none":
        refuse("must_mode", "Levels that must be played need a mode.", "有必打级别，就要写明必打方式。")
    off = [str(level) for level in values["hook_levels"] if level not in levels]
    if off:
        refuse("hook_levels", f"{off[0]} is not on the ladder.", f"{off[0]} 不在所打级别之内。")
    if values["hook_limit"] is not None and not values["hook_levels"]:
        refuse("hook_limit", "A limit of hooks needs a level of the hook.", "没有钩到底的级别，就没有次数限制。")
    if decks not in SCHEMES[values["kitty_scheme"]].decks:
        refuse("kitty_scheme", f"These factors are not made for {decks} decks.", f"这种倍数不适用于 {decks} 副牌。")
    if values["threshold"] > 100 * decks:
        refuse("threshold", f"{decks} decks hold {100 * decks} points only.", f"{decks} 副牌只有 {100 * decks} 分。")
    if values["level_table"] is not None:
        line = next((row.low for row in values["level_table"] if row.role == "attackers"), None)
        if line != values["threshold"]:
            refuse("level_table", "The table and the points to take the deal differ.", "升级表与上台分不一致。")
    if values["score_cap"] is not None and values["score_cap"] < values["threshold"]:
        refuse("score_cap", "With this cap nobody could take the deal.", "这样封顶，闲家永远不能上台。")
    if values["score_floor"] is not None and values["negative_total"] == "floor_zero":
        refuse("score_floor", "Totals below zero count as 0 already.", "负分已按 0 分计，不用再保底。")
    off = [str(level) for level in levels if level.rank in values["permanent_ranks"]]
    if off:
        refuse("permanent_ranks", f"{off[0]} is always a trump and no level.", f"{off[0]} 是常主，不能再作级别。")
    if len(levels) == 1 and values["finish"] == "reach_A":
        refuse("finish", "With one level everybody has reached it.", "只有一个级别，一开始就都升到了。")
    if values["throw_fine"] and not values["throws_allowed"]:
        refuse("throw_fine", "There are no throws to be fined.", "不能甩牌，就没有甩牌罚分。")
    if values["last_trick"] == "kitty":
        if not values["deal_sizes"][decks][1]:
            refuse("last_trick", "There is no kitty to dig.", "没有底牌，无从抠底。")
    elif values["deal_sizes"][decks][1] or values["dig_trump_only"] or values["dig_single_x1"]:
        refuse("last_trick", "The last trick digs no kitty here.", "末圈按张数乘分，不抠底。")


def _check_division(values: Mapping[str, Any], *, individual: bool) -> None:
    """Refuse a division of the players that does not fit the game, and what it lacks or has no use for."""

    def refuse(field: str, en: str, zh: str) -> None:
        raise ProfileError("nonsense", field, {"en": en, "zh": zh})

    division = values["division"]
    if individual is (division == "sides"):
        refuse("division", "Two sides and single players are different games.", "双方对阵与个人赛是不同的玩法。")
    if not individual and values["players"] != 4:
        refuse("players", "Two sides have two players each.", "双方对阵，每方两人。")
    if (values["bidding"] is not None) is not (division == "alone"):
        refuse("bidding", "Bids decide who plays alone, and nothing else.", "叫分只用来决定由谁一人坐庄。")
    if (values["stake"] is not None) is not (division == "alone"):
        refuse("stake", "A stake belongs to a dealer who plays alone.", "只有一人对其余各家时才有输赢注数。")
    if division in ("alone", "everyone") and len(values["ladder"]) > 1:
        refuse("ladder", "Nobody climbs levels in this game.", "这种玩法不升级，只能有一个级别。")
    if division in ("alone", "everyone") and values["finish"] != "wrap":
        refuse("finish", "No level is passed in this game.", "这种玩法不以级别定胜负。")
    if division == "ally" and values["finish"] == "wrap":
        refuse("finish", "Levels that begin again rank nobody.", "级别循环，个人名次无从比较。")
    if individual and values["last_trick"] != "kitty":
        refuse("last_trick", "Games of single players dig the kitty.", "个人赛的末圈抠底牌。")


def _check_after_a(values: Mapping[str, Any]) -> None:
    """Refuse levels after A, or a flag, that nobody could ever play."""

    def refuse(field: str, en: str, zh: str) -> None:
        raise ProfileError("nonsense", field, {"en": en, "zh": zh})

    decks, line = values["decks"], values["flag_line"]
    if values["after_A"] and values["finish"] == "reach_A":
        refuse("after_A", "Who reaches the last level has won; none follows it.", "升到末级即胜，其后不再加打。")
    if Level("no_trump") in values["after_A"] and not values["no_trump_allowed"]:
        refuse("after_A", "These rules do not allow no-trump.", "本规则不打无主，不能加打无主。")
    if line is None:
        return
    if values["finish"] != "pass_A":
        refuse("flag_line", "The flag comes after passing the last level.", "扛旗在打过末级之后，须以打过末级定胜负。")
    if 54 * decks % 4:
        refuse("flag_line", f"{decks} decks cannot be dealt without a kitty.", f"{decks} 副牌不留底牌就分不匀。")
    if line > 100 * decks:
        refuse("flag_line", f"{decks} decks hold {100 * decks} points only.", f"{decks} 副牌只有 {100 * decks} 分。")
    if values["score_cap"] is not None and values["score_cap"] < line:
        refuse("score_cap", "With this cap nobody could take the flag.", "这样封顶，扛旗时闲家永远不能上台。")


def _check_regional(values: Mapping[str, Any]) -> None:
    """Refuse plays that the cards or the kitty do not give."""

    def refuse(field: str, en: str, zh: str) -> None:
        raise ProfileError("nonsense", field, {"en": en, "zh": zh})

    jumps = values["level_jumps"]
    if "dig_with_510K" in jumps and values["last_trick"] != "kitty":
        refuse("level_jumps", "There is no kitty to dig.", "没有底牌，无从抠底。")
    if "pair_H5_declare_or_dig" in jumps and values["decks"] == 1:
        refuse("level_jumps", "One deck has no pair of red fives.", "一副牌没有一对红心 5。")
    if values["hidden_declare"] and values["last_trick"] != "kitty":
        refuse("hidden_declare", "Nothing is buried before the cards are turned up.", "没有底牌可扣，暗亮无从翻开。")


def _check_auction(values: Mapping[str, Any]) -> None:
    """Refuse ways to find a trump or to bury again that need a kitty where there is none."""

    def refuse(field: str, en: str, zh: str) -> None:
        raise ProfileError("nonsense", field, {"en": en, "zh": zh})

    kitty = values["deal_sizes"][values["decks"]][1]
    turned = values["no_declare"] != "partner_names"
    if turned and kitty < (3 if values["no_declare"] == "third" else 1):
        refuse("no_declare", "There is no such kitty card to turn.", "没有这样一张底牌可翻。")
    if values["no_declare_first"] == "flip" and not turned:
        refuse("no_declare_first", "No kitty is turned to find the dealer.", "不翻底牌，无从定庄。")
    if values["late_counter"] and not kitty:
        refuse("late_counter", "There is no kitty to bury again.", "没有底牌，无从抄底。")
    if "red_fives2" in values["counter_ranks"] and "H5" not in values["permanent_ranks"]:
        refuse("counter_ranks", "Red fives counter only where they are always trumps.", "红心 5 是常主时才能用来反主。")


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
        "hook_levels",
        "hook_card",
        "hook_needs_takeover",
        "hook_limit",
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
        raise ProfileError(
            "nonsense",
            name,
            {
                "en": f"{title['en']}: set to no effect, for nothing in this game looks at it.",
                "zh": f"{title['zh']}：设了也不起作用，这种玩法用不到。",
            },
        )


def _check_changes(values: Mapping[str, Any], changes: Mapping[str, Any]) -> None:
    """Refuse what an event sets when it would change nothing: the event meant something else."""
    for name, why in without_effect(values).items():
        if name in changes:
            title = OPTIONS[name].title
            raise ProfileError(
                "nonsense",
                name,
                {
                    "en": f"{title['en']}: set to no effect, for {why['en']}.",
                    "zh": f"{title['zh']}：设了也不起作用，{why['zh']}。",
                },
            )


_OF_LEVELS = ("threshold", "step", "level_table", "negative_total", "levels_cap", "finish", "pass_a")
_OF_SIDES = ("hook_levels", "rebellion", "timed_tie")
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
        ("stake", values["division"] != "alone", "nobody plays alone", "没有一家独打"),
    ]
    for names, decides_nothing, en, zh in (
        (_OF_LEVELS, no_levels, "no levels are won", "不升级"),
        (_OF_SIDES, values["division"] != "sides", "there are no two sides", "没有对阵双方"),
        (_OF_THE_DIG, no_factor, "no kitty is multiplied", "底牌不加倍"),
        (_OF_TRACTORS, not values["tractors"], "there are no tractors", "没有拖拉机"),
        (_OF_THROWS, not values["throws_allowed"], "there are no throws", "不能甩牌"),
        (_OF_COUNTERS, not values["counter_ranks"], "nothing counters", "没有反主"),
        (_OF_THE_AUCTION, values["bidding"] is not None, "the deal is bid for", "以叫分定庄"),
    ):
        idle += [(name, decides_nothing, en, zh) for name in names]
    return {name: {"en": en, "zh": zh} for name, decides_nothing, en, zh in idle if decides_nothing}


def _clauses(data: Mapping[str, Any], options: Mapping[str, Any], changes: Mapping[str, Any]) -> list[Clause]:
    clauses = []
    for row in data["clauses"]:
        if ("when" in row and not options[row["when"]]) or ("unless" in row and options[row["unless"]]):
            continue
        params = {name: options[name] for name in row.get("params", ())}
        shown = {name: phrase(name, value) for name, value in params.items()}
        text = {
            language: row["text"][language].format(**{name: value[language] for name, value in shown.items()})
            for language in ("en", "zh")
        }
        clauses.append(Clause(row["id"], row["topic"], text, row["source"], params, row.get("stated", True)))
    return clauses + [_event_clause(name, value) for name, value in sorted(changes.items())]


def _event_clause(name: str, value: Any) -> Clause:
    title, shown = OPTIONS[name].title, say(name, value)
    return Clause(
        id=f"set.{name}",
        topic=f"set.{name}",
        text={
            "en": f"The event sets: {title['en']}: {shown['en']}.",
            "zh": f"本赛事规定：{title['zh']}：{shown['zh']}。",
        },
        source={"title": "event", "section": "", "items": list(OPTIONS[name].items)},
        params={name: value},
        stated=True,
    )


def _topics(clauses: list[Clause], changes: Mapping[str, Any]) -> dict[str, Clause]:
    """Which clause speaks on which topic. A change by the event silences clauses that do not speak of its value."""
    topics = {clause.topic: clause for clause in clauses}
    for name in sorted(changes):
        for topic in OPTIONS[name].topics:
            spoken = topics.get(topic)
            if spoken is None or name not in spoken.params:
                topics[topic] = topics[f"set.{name}"]
    return topics


def _changed_title(title: Text, changes: Mapping[str, Any]) -> Text:
    if not changes:
        return title
    return {"en": f"{title['en']}, changed by the event", "zh": f"{title['zh']}（赛事有改动）"}

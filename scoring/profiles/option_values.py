"""How the value of an option of a profile is read from JSON: each reader gives the typed value or raises BadValue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scoring.profiles.level_table import GRAIN, LevelRow, table_problem
from scoring.values import AFTER_A, RANKS, SUITS, Level, Role, Text
from scoring.wording import both


class BadValue(ValueError):
    """An option value that cannot be read; the text says what is expected, in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.text: Text = {"en": en, "zh": zh}


Read = Callable[[Any], Any]


def whole(low: int, high: int, grain: int = 1) -> Read:
    assert not low % grain, "the lowest value is a step"
    assert not high % grain, "the highest value is a step"

    def read(value: Any) -> int:
        if type(value) is not int or not low <= value <= high or value % grain:
            step = _in_steps(grain)
            raise BadValue(f"a whole number from {low} to {high}{step['en']}", f"{low} 到 {high} 的整数{step['zh']}")
        return value

    return read


def _in_steps(grain: int) -> Text:
    """The end of the sentence that says what an option can be."""
    return both("", "") if grain == 1 else both(f" in steps of {grain}", f"，{grain} 的倍数")


def maybe(read_value: Read) -> Read:
    return lambda value: None if value is None else read_value(value)


def choice(*choices: str) -> Read:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise BadValue(f"one of {', '.join(choices)}", f"{'、'.join(choices)} 之一")
        return value

    return read


def yes_no(value: Any) -> bool:
    if type(value) is not bool:
        raise BadValue("true or false", "true 或 false")
    return value


def levels(value: Any) -> tuple[Level, ...]:
    """A list of different ranks in ascending order."""
    ranks = value if isinstance(value, list | tuple) else None
    if ranks is None or not all(isinstance(rank, str) and rank in RANKS for rank in ranks):
        raise BadValue("a list of ranks 2 to A", "2 到 A 的级别列表")
    if [RANKS.index(rank) for rank in ranks] != sorted({RANKS.index(rank) for rank in ranks}):
        raise BadValue("different ranks from low to high", "从低到高、互不相同的级别")
    return tuple(Level(rank) for rank in ranks)


def after_a(value: Any) -> tuple[Level, ...]:
    """Different levels after the last rank, in the order they are played."""
    return tuple(Level(one) for one in names(*AFTER_A)(value))


def must_play(value: Any) -> tuple[Level, ...]:
    """Ranks in ascending order, then levels after A."""
    if not isinstance(value, list | tuple):
        return levels(value)
    after = [one for one in value if one in AFTER_A]
    ranks = levels(list(value[: len(value) - len(after)]))
    return ranks + after_a(value[len(ranks) :])


def permanent(value: Any) -> tuple[str, ...]:
    """Ranks, or single cards such as H5, that are always trumps."""
    named = isinstance(value, list | tuple) and all(
        isinstance(one, str) and (one in RANKS or (one[:1] in SUITS and one[1:] in RANKS)) for one in value
    )
    if not named or len(set(value)) != len(value):
        raise BadValue("a list of different ranks or cards", "互不相同的级别或牌的列表")
    return tuple(value)


def names(*choices: str) -> Read:
    """A list of different ones of these names, in the order given."""

    def read(value: Any) -> tuple[str, ...]:
        named = isinstance(value, list | tuple) and all(isinstance(one, str) and one in choices for one in value)
        if not named or len(set(value)) != len(value):
            raise BadValue(f"a list from {', '.join(choices)}, each once", f"{'、'.join(choices)} 的列表，各至多一次")
        return tuple(value)

    return read


def suit_order(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or (value and sorted(map(str, value)) != sorted(SUITS)):
        raise BadValue("all four suits from low to high, or none", "从低到高的四门花色，或空列表")
    return tuple(value)


def deal_sizes(value: Any) -> Mapping[int, tuple[int, int]]:
    if not isinstance(value, Mapping) or not value:
        raise BadValue("deck count to [hand, kitty]", "副数 → [手牌，底牌]")
    sizes = {}
    for decks, size in value.items():
        cards = list(size) if isinstance(size, list | tuple) else []
        if str(decks) not in ("1", "2", "3", "4") or len(cards) != 2 or any(type(n) is not int for n in cards):
            raise BadValue("deck count to [hand, kitty]", "副数 → [手牌，底牌]")
        hand, kitty = cards
        if hand < 1 or kitty < 0:
            raise BadValue("deck count to [hand, kitty]", "副数 → [手牌，底牌]")
        sizes[int(decks)] = (hand, kitty)
    return sizes


def table_rows(value: Any) -> tuple[LevelRow, ...]:
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
        rows.append(LevelRow(edges[0], edges[1], Role(row["role"]), row["levels"]))
    problem = table_problem(rows)
    if problem is not None:
        raise BadValue(problem, "升级表必须首尾相接、不重叠、不倒退")
    return tuple(rows)


def win_names(value: Any) -> Mapping[str, tuple[int, int]]:
    if not isinstance(value, Mapping) or set(value) - {"big", "small"}:
        raise BadValue("big and small, each [from, to]", "big 与 small，各为 [起，止]")
    spans = {}
    for name, span in value.items():
        edges = list(span) if isinstance(span, list | tuple) else []
        if len(edges) != 2 or any(type(edge) is not int for edge in edges):
            raise BadValue("big and small, each [from, to]", "big 与 small，各为 [起，止]")
        low, high = edges
        spans[name] = (low, high)
    return spans


def bid_range(value: Any) -> Mapping[str, int]:
    shape = BadValue("high, low and step of the bids, in points", "叫分的 high、low 与 step")
    if not isinstance(value, Mapping) or set(value) != {"high", "low", "step"}:
        raise shape
    if any(type(one) is not int or one <= 0 or one % GRAIN for one in value.values()) or value["high"] < value["low"]:
        raise shape
    return dict(value)


def points(high: int) -> Read:
    return whole(0, high, GRAIN)

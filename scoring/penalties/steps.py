"""One penalty of a ladder: what it may be, how it is read from a schedule, and what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoring.values import Text, exact

_MOST_STEPS = 9
_MOST_POINTS = 400
_MOST_LEVELS = 13
_MOST_STANDINGS_POINTS = 100
_HALVES = re.compile(r"-?[0-9]{1,3}(\.[05])?")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


@dataclass(frozen=True, slots=True)
class Step:
    """One penalty. Which fields count depends on `unit`:

    `none`, `warning`, `forfeit`, `exclusion`; `points` of the hand for the innocent side; `levels` (`of`: taken from
    the guilty or given to the innocent side; `each`: so many for every period begun); `result` (the innocent side gains
    `amount` levels and has the deal); `annul` (`reason`); `match_points` (`mode`: add, or set, then perhaps `innocent`:
    what the match counts for the innocent side; `exact` decimals); `profile_fine` (`fine`: throw or dark_bid).

    Of single players the one at fault has them alone: `score` (`by_game`: what the player loses of the own score by
    `division`, levels, units or points), `result` (the hand is ruled against the player), `forfeit` (of the table).
    """

    unit: str
    amount: Fraction = Fraction()
    innocent: Fraction | None = None
    of: str = ""
    each: Mapping[str, int] | None = None
    by_game: Mapping[str, int] | None = None
    single: bool = False

    def to_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {"unit": self.unit}
        if self.unit in _AMOUNTS:
            row["amount"] = exact(self.amount) if self.unit == "match_points" else int(self.amount)
        if self.innocent is not None:
            row["innocent"] = exact(self.innocent)
        if self.of:
            row[_OF[self.unit]] = self.of
        row |= self.by_game or {}
        return row if self.each is None else {**row, "each": dict(self.each)}


#: Units with an amount; the name of the field that says whose, what or how.
_AMOUNTS = ("points", "levels", "result", "match_points")
_OF = {"levels": "of", "annul": "reason", "match_points": "mode", "profile_fine": "fine"}
_CHOICES = {
    "levels": ("guilty", "innocent"),
    "annul": ("misdeal", "redeal", "ruling"),
    "match_points": ("add", "set"),
    "profile_fine": ("throw", "dark_bid"),
}
UNITS = ("none", "warning", "forfeit", "exclusion", "points", "result", *_CHOICES)
#: Of single players levels are `score`, and nobody has a match of their own.
SINGLE_UNITS = ("none", "warning", "forfeit", "exclusion", "points", "result", "annul", "profile_fine", "score")
#: What a `score` is counted in, by the division of the game, with the most that it may be.
DIVISIONS: Mapping[str, tuple[str, int]] = {"alone": ("unit", 60), "everyone": ("point", 240), "ally": ("level", 13)}


def minutes_words(n: int) -> Text:
    return {"en": f"{n} minute{'' if n == 1 else 's'}", "zh": f"{n} 分钟"}


def read_ladder(value: Any, *, single: bool) -> tuple[Step, ...] | None:
    """The steps of a ladder; None when one cannot be read."""
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_STEPS:
        return None
    read = _read_single_step if single else _read_step
    steps = tuple(step for row in value if (step := read(row)) is not None)
    return steps if len(steps) == len(value) else None


def _read_single_step(row: Any) -> Step | None:
    """A step for single players: as of two sides, and `score` by game."""
    if not isinstance(row, Mapping) or row.get("unit") not in SINGLE_UNITS:
        return None
    if row["unit"] != "score":
        step = _read_step(row)
        fits = step is not None and step.of != "dark_bid" and (step.unit != "result" or step.amount > 0)
        return replace(step, single=True) if step is not None and fits else None
    by_game: dict[str, Any] = {name: row.get(name) for name in DIVISIONS}
    known = set(row) == {"unit", *DIVISIONS}
    if not known or not all(type(n) is int and -DIVISIONS[name][1] <= n < 0 for name, n in by_game.items()):
        return None
    return Step("score", by_game=by_game, single=True)


def _read_step(row: Any) -> Step | None:
    if not isinstance(row, Mapping) or not isinstance(row.get("unit"), str) or row["unit"] not in UNITS:
        return None
    unit = row["unit"]
    allowed = {"unit"} | ({"amount"} if unit in _AMOUNTS else set()) | ({_OF[unit]} if unit in _OF else set())
    if unit == "levels":
        allowed |= {"each"}
    if unit == "match_points" and row.get("mode") == "set":
        allowed |= {"innocent"}
    of = row.get(_OF[unit]) if unit in _OF else ""
    if set(row) - allowed or (unit in _CHOICES and of not in _CHOICES[unit]):
        return None
    amount = _amount(unit, row.get("amount", 0))
    if amount is not None and _favours_the_guilty(of, amount):
        return None
    innocent = None if row.get("innocent") is None else standings_points(row["innocent"])
    if row.get("innocent") is not None and (innocent is None or amount is None or innocent < amount):
        return None
    each = row.get("each")
    if each is not None and (not isinstance(each, Mapping) or not _is_period(each)):
        return None
    return None if amount is None else Step(unit, amount, innocent, str(of or ""), None if each is None else dict(each))


def _favours_the_guilty(of: object, amount: Fraction) -> bool:
    return (of in ("guilty", "add") and amount > 0) or (of == "innocent" and amount < 0)


def _is_period(each: Mapping[str, Any]) -> bool:
    return (
        set(each) == {"minutes", "after"}
        and all(type(n) is int and 0 <= n <= 120 for n in each.values())
        and (each["minutes"] > 0)
    )


def _amount(unit: str, value: Any) -> Fraction | None:
    """The amount as an exact number, within what makes sense for the unit."""
    if unit == "match_points":
        return standings_points(value)
    if type(value) is not int:
        return None
    fits = {
        "points": 0 < value <= _MOST_POINTS and value % 5 == 0,
        "levels": 0 < abs(value) <= _MOST_LEVELS,
        "result": 0 <= value <= _MOST_LEVELS,
    }
    return Fraction(value) if fits.get(unit, value == 0) else None


def standings_points(value: object) -> Fraction | None:
    """Points of the standings from their text, "-0.5": halves, at most 100; None for anything else."""
    if not isinstance(value, str) or not _HALVES.fullmatch(value):
        return None
    amount = Fraction(value)
    return amount if abs(amount) <= _MOST_STANDINGS_POINTS else None


def ladder_words(ladder: tuple[Step, ...]) -> Text:
    words = [step_words(step) for step in ladder]
    if len(words) == 1:
        return {"en": f"Penalty: {words[0]['en']}.", "zh": f"处罚：{words[0]['zh']}。"}
    en, zh = [], []
    for i, one in enumerate(words):
        last = i == len(words) - 1
        time = f"from {nth_time(i + 1)['en']}" if last else nth_time(i + 1)["en"]
        en.append(f"{time}: {one['en']}")
        zh.append(f"第 {i + 1} 次{'起' if last else ''}{one['zh']}")
    said = "; ".join(en)
    return {"en": f"{said[0].upper()}{said[1:]}.", "zh": f"{'，'.join(zh)}。"}


def nth_time(n: int) -> Text:
    """Which time it is, within a sentence: the second time · 第 2 次; past nine by number."""
    en = f"the {_ORDINALS[n - 1]} time" if n <= len(_ORDINALS) else f"time no. {n}"
    return {"en": en, "zh": f"第 {n} 次"}


def step_words(step: Step, division: str | None = None) -> Text:
    """A penalty in words, without saying who; of single players for one game, or for each."""
    if step.single and step.unit in _SINGLE:
        return _SINGLE[step.unit]
    if step.by_game is not None:
        return _score_words(step.by_game, division)
    amount = exact(abs(step.amount))
    if step.single and step.unit == "points":
        return {"en": f"{amount} points against this player", "zh": f"判罚该玩家 {amount} 分"}
    if step.unit == "levels":
        en = f"{amount} level{'' if amount == '1' else 's'} {'down' if step.amount < 0 else 'up for the opponents'}"
        zh = f"{'降' if step.amount < 0 else '对方升'} {amount} 级"
        if step.each is not None:
            period, after = minutes_words(step.each["minutes"]), step.each["after"]
            en += f" for each {period['en'].removeprefix('1 ')} begun{f' after {after}' if after else ''}"
            zh = f"{f'超过 {after} 分钟后' if after else ''}每 {period['zh']}（不足亦算）{zh}"
        return {"en": en, "zh": zh}
    if step.unit == "points":
        return {"en": f"{amount} points for the opponents", "zh": f"{amount} 分判归对方"}
    if step.unit == "result":
        if not step.amount:
            return {"en": "the opponents have the deal, without a level", "zh": "对方得庄，不升级"}
        return {
            "en": f"the opponents have the deal and gain {amount} level{'' if amount == '1' else 's'}",
            "zh": f"对方得庄并升 {amount} 级",
        }
    if step.unit == "match_points":
        if step.innocent is not None:
            theirs = exact(step.innocent)
            return {
                "en": f"the match counts {amount} points, {theirs} for the opponents",
                "zh": f"该场记 {amount} 场分，对方记 {theirs} 场分",
            }
        if step.of == "set":
            return {"en": f"the match counts {amount} points", "zh": f"该场记 {amount} 场分"}
        return {"en": f"{amount} match points less", "zh": f"扣 {amount} 场分"}
    return _PLAIN[step.unit if not step.of else f"{step.unit}.{step.of}"]


def _score_words(by_game: Mapping[str, int], division: str | None) -> Text:
    """What is taken off the score: of one game `1 level less`, else of every game by its name."""
    known = next(iter(by_game)) if len(by_game) == 1 else division
    if known is not None and known in by_game:
        return score_words(by_game[known], known)
    names = {"alone": "三打一", "everyone": "二百四", "ally": "找朋友"}
    rows = [(names[name], score_words(n, name)) for name, n in by_game.items()]
    return {
        "en": ", ".join(f"{words['en']} ({name})" for name, words in rows),
        "zh": "，".join(f"{name}{words['zh']}" for name, words in rows),
    }


def score_words(n: int, division: str) -> Text:
    """So much off a player's own score, in what the game counts."""
    what, many = DIVISIONS[division][0], abs(n)
    zh = {"unit": f"扣 {many} 个单位", "point": f"扣 {many} 分", "level": f"降 {many} 级"}[what]
    return {"en": f"{many} {what}{'' if many == 1 else 's'} less", "zh": zh}


#: Of single players.
_SINGLE: Mapping[str, Text] = {
    "forfeit": {"en": "the table is forfeited by this player", "zh": "该玩家本桌弃权"},
    "result": {"en": "the hand is ruled against this player", "zh": "本副判该玩家负"},
}
_PLAIN: Mapping[str, Text] = {
    "none": {"en": "none", "zh": "不罚"},
    "warning": {"en": "a warning", "zh": "警告"},
    "forfeit": {"en": "the match is forfeited", "zh": "该场判负"},
    "exclusion": {"en": "exclusion from the event", "zh": "取消比赛资格"},
    "annul.misdeal": {"en": "the hand is dealt again", "zh": "本副重新发牌"},
    "annul.redeal": {"en": "the hand is dealt again", "zh": "本副重新发牌"},
    "annul.ruling": {"en": "the hand does not count", "zh": "本副不计"},
    "profile_fine.throw": {"en": "the fine of the rules for a failed throw", "zh": "按规则的甩牌罚分"},
    "profile_fine.dark_bid": {"en": "the fine of the rules for each such bid", "zh": "按规则的暗炒罚分"},
}

"""A penalty schedule: offences, their cases and, for each case, a ladder of penalties for the first time, the second …

One data file per schedule. A schedule may extend another and replace ladders or conditions by `offence.case`; an
event may do the same with `{"base": id, "set": {"take_back.play": [{"unit": "warning"}]}}`, and state its own
minutes with `"limits": {"late.forfeit": 10}`. A case that is `like` another of its offence has its ladder where it has
none of its own. What a side did before is counted in the stage, or in the whole event where the offence says so
(`memory`); an event says it with `"memory": {"illegal_information": "stage"}`.

A failed throw (a dump, 甩牌) is the offence `throw_fail`; how many points it is fined is a rule of the profile
(`hands.totals.throw_penalty`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.values import Text, exact

_DATA = files("scoring.penalties") / "schedules"
_MOST_STEPS = 9
_MOST_POINTS = 400
_MOST_LEVELS = 13
_MOST_MINUTES = 600
_MOST_STANDINGS_POINTS = 100
_HALVES = re.compile(r"-?[0-9]{1,3}(\.[05])?")
_SHARES: Mapping[int, Text] = {
    4: {"en": ", or after a quarter of the round if that is sooner", "zh": "（不足一轮四分之一时以四分之一为准）"}
}

#: Where a case comes from, and whether a source of this game states it.
SOURCES: Mapping[str, tuple[Text, bool]] = {
    "rules": ({"en": "Rules of the game", "zh": "本项目规则"}, True),
    "events": ({"en": "Regulations of events of this game", "zh": "本项目赛事规程"}, True),
    "related": ({"en": "Regulations of related games", "zh": "相近项目赛事规程"}, False),
    "bridge": ({"en": "Regulations of bridge events", "zh": "桥牌赛事规程"}, False),
    "analogy": (
        {"en": "By analogy with events of two sides", "zh": "类推自双方对阵的赛事规程"},
        False,
    ),
    "derived": ({"en": "Derived, no source known", "zh": "推定，未见出处"}, False),
    "event": ({"en": "Set by the event", "zh": "赛事规定"}, True),
}

#: Where it is counted how often a side did something before.
MEMORIES = ("stage", "event")

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
_UNITS = ("none", "warning", "forfeit", "exclusion", "points", "result", *_CHOICES)
#: Of single players levels are `score`, and nobody has a match of their own.
_SINGLE_UNITS = ("none", "warning", "forfeit", "exclusion", "points", "result", "annul", "profile_fine", "score")
#: What a `score` is counted in, by the division of the game, with the most that it may be.
DIVISIONS: Mapping[str, tuple[str, int]] = {"alone": ("unit", 60), "everyone": ("point", 240), "ally": ("level", 13)}


@dataclass(frozen=True, slots=True)
class Case:
    """One case of an offence: when it applies, what is done at the table, and the ladder of penalties.

    `when` are facts that must hold; the first case of an offence that fits is taken. `or_real_result`: the innocent
    side keeps the real result of the hand where that is better for it. `name` is what it is called, where the name of
    its offence does not say enough.
    """

    clause: str
    when: Mapping[str, Any]
    text: Text
    source: Text
    stated: bool
    ladder: tuple[Step, ...]
    or_real_result: bool = False
    name: Text | None = None

    def step_for(self, times: int) -> Step:
        """The penalty for the so-manieth time (from 1); the last step holds for all later times."""
        return self.ladder[min(times, len(self.ladder)) - 1]

    def of_game(self, division: str) -> Case:
        """The same with scores as one game of single players counts them."""
        ladder = (
            step if step.by_game is None else replace(step, by_game={division: step.by_game[division]})
            for step in self.ladder
        )
        return replace(self, ladder=tuple(ladder))

    def whole_text(self) -> Text:
        """What is done, with the ladder in words."""
        ladder = _ladder_words(self.ladder)
        return {"en": f"{self.text['en']} {ladder['en']}", "zh": f"{self.text['zh']}{ladder['zh']}"}

    def to_json(self) -> dict[str, Any]:
        return {
            "clause": self.clause,
            "text": dict(self.whole_text()),
            "source": dict(self.source),
            "stated": self.stated,
            "when": dict(self.when),
            "ladder": [step.to_json() for step in self.ladder],
        }


@dataclass(frozen=True, slots=True)
class Offence:
    """One kind of irregularity (违规): its code, its name, its cases in the order in which they are tried, and where
    earlier times are counted: one of MEMORIES."""

    code: str
    title: Text
    cases: tuple[Case, ...]
    memory: str = "stage"


@dataclass(frozen=True, slots=True)
class Schedule:
    """All penalties of an event. `spec` is the JSON that `load` turns into this schedule again."""

    id: str
    version: int
    title: Text
    about: Text
    offences: Mapping[str, Offence]
    spec: Any
    individual: bool = False

    def of_game(self, division: str) -> Schedule:
        """What it says of one game of single players: its irregularities, and scores as that game counts them."""
        offences = {}
        for code, one in self.offences.items():
            cases = [case for case in one.cases if case.when.get("division") in (None, division)]
            if cases:
                offences[code] = replace(one, cases=tuple(case.of_game(division) for case in cases))
        return replace(self, offences=offences)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "version": self.version,
            "title": dict(self.title),
            "about": dict(self.about),
            "individual": self.individual,
            "offences": [
                {
                    "code": one.code,
                    "title": dict(one.title),
                    "memory": one.memory,
                    "cases": [case.to_json() for case in one.cases],
                }
                for one in self.offences.values()
            ],
        }


@lru_cache(maxsize=1)
def schedule_ids() -> tuple[str, ...]:
    """Ids of all schedules, sorted."""
    return tuple(sorted(file.name.removesuffix(".json") for file in _DATA.iterdir() if file.name.endswith(".json")))


def usual_schedule(*, individual: bool) -> str:
    """The schedule of an event that names none: of single players, or of two sides."""
    return "singles" if individual else "standard"


def load_for(spec: object, division: str) -> Schedule:
    """The schedule of an event; named none, or one of the other kind of game, the usual one. Of single players what it
    says of this game."""
    individual = division != "sides"
    usual = usual_schedule(individual=individual)
    schedule = load(usual if spec is None else spec)
    schedule = schedule if schedule.individual is individual else load(usual)
    return schedule.of_game(division) if individual else schedule


def load(spec: object = "standard", field: str = "schedule") -> Schedule:
    """A schedule from its id, or from `{"base": id, "set": {"offence.case": [steps]}, "limits": {…: minutes}, "memory":
    {offence: one of MEMORIES}}`.

    Refused: `unknown_schedule`, `wrong_type`, `unknown_penalty_case`, `bad_penalty`, `out_of_range`.
    """
    if isinstance(spec, str):
        spec = {"base": spec}
    if not isinstance(spec, Mapping) or set(spec) - {"base", "set", "limits", "memory"}:
        raise Refused([_shape(field, spec)])
    base, changes, limits = spec.get("base"), spec.get("set", {}), spec.get("limits", {})
    memory = spec.get("memory", {})
    if not isinstance(base, str) or base not in schedule_ids():
        choices = {"en": ", ".join(schedule_ids()), "zh": "、".join(schedule_ids())}
        raise Refused([finding("unknown_value", field, value=wording.shown(base), choices=choices)])
    for part in (changes, limits, memory):
        if not isinstance(part, Mapping):
            raise Refused([_shape(field, part)])
    data = _read_file(base)
    known = {f"{offence['code']}.{case['key']}" for offence in data["offences"] for case in offence["cases"]}
    single = _is_single(data)
    units = ", ".join(_SINGLE_UNITS if single else _UNITS)
    found = [
        finding("unknown_penalty_case", f"{field}.set", value=wording.shown(name))
        for name in changes
        if not isinstance(name, str) or name not in known
    ]
    found += [
        finding("bad_penalty", f"{field}.set.{name}", units={"en": units, "zh": units.replace(", ", "、")})
        for name, ladder in changes.items()
        if name in known and _read_ladder(ladder, single=single) is None
    ]
    found += _bad_limits(data, limits, field)
    found += _bad_memory(data, memory, field)
    if found:
        raise Refused(found)
    return _schedule(data, changes, limits, memory)


def with_limit(spec: object, case: str, minutes: int) -> dict[str, Any]:
    """The same schedule with the regulation's own number of minutes for a case."""
    whole: dict[str, Any] = dict(spec) if isinstance(spec, Mapping) else {"base": spec}
    return {**whole, "limits": {**whole.get("limits", {}), case: minutes}}


def _bad_limits(data: Mapping[str, Any], limits: Mapping[Any, Any], field: str) -> list[Finding]:
    """What is wrong with own minutes: a case that has none, or no whole number of minutes."""
    timed = {
        f"{offence['code']}.{case['key']}"
        for offence in data["offences"]
        for case in offence["cases"]
        if "minutes" in case["when"]
    }
    found = []
    for name, minutes in limits.items():
        if name not in timed:
            found.append(finding("unknown_penalty_case", f"{field}.limits", value=wording.shown(name)))
        elif type(minutes) is not int or not 0 <= minutes <= _MOST_MINUTES:
            where = f"{field}.limits.{name}"
            found.append(refusal("out_of_range", where, "Minutes from 0 to 600.", "要是 0 到 600 的整数分钟。"))
    return found


def _bad_memory(data: Mapping[str, Any], memory: Mapping[Any, Any], field: str) -> list[Finding]:
    """What is wrong with where earlier times are counted: no such offence, or no such place."""
    codes, found = {offence["code"] for offence in data["offences"]}, []
    for code, where in memory.items():
        names, value, at = (codes, code, "") if code not in codes else (MEMORIES, where, f".{code}")
        if value not in names:
            choices = {"en": ", ".join(sorted(names)), "zh": "、".join(sorted(names))}
            found.append(finding("unknown_value", f"{field}.memory{at}", value=wording.shown(value), choices=choices))
    return found


def _shape(field: str, value: object) -> Any:
    en, zh = "an id, or an object of base and set", "编号，或含 base 与 set 的对象"
    return finding("wrong_type", field, expected=en, expected_zh=zh, value=wording.shown(value))


def _read_file(name: str) -> dict[str, Any]:
    """A data file with what it extends folded in."""
    data: dict[str, Any] = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    if "extends" not in data:
        return data
    base = _read_file(data["extends"])
    for offence in base["offences"]:
        for case in offence["cases"]:
            key = f"{offence['code']}.{case['key']}"
            if key in data.get("ladders", {}):
                case["ladder"], case["source"] = data["ladders"][key], "derived"
            if key in data.get("when", {}):
                case["when"], case["source"] = data["when"][key], "derived"
    return {**base, **{name: data[name] for name in ("id", "version", "title", "about")}}


def _schedule(
    data: Mapping[str, Any], changes: Mapping[str, Any], limits: Mapping[str, int], memory: Mapping[str, str]
) -> Schedule:
    offences = {
        row["code"]: Offence(
            row["code"],
            row["title"],
            tuple(_cases(row, changes, limits, single=_is_single(data))),
            memory.get(row["code"], row.get("memory", "stage")),
        )
        for row in data["offences"]
    }
    parts = (("set", changes), ("limits", limits), ("memory", memory))
    own = {name: dict(part) for name, part in parts if part}
    spec = {"base": data["id"], **own} if own else data["id"]
    single = _is_single(data)
    return Schedule(data["id"], data["version"], data["title"], data["about"], offences, spec, single)


def _is_single(data: Mapping[str, Any]) -> bool:
    """Whether a data file is of games of single players."""
    return data.get("game") == "individual"


def _cases(
    row: Mapping[str, Any], changes: Mapping[str, Any], limits: Mapping[str, int], *, single: bool
) -> Iterator[Case]:
    """The cases of an offence; one that is like another has the ladder of that, changed by the event or not."""
    by_key = {case["key"]: case for case in row["cases"]}
    for case in row["cases"]:
        key = f"{row['code']}.{case['key']}"
        ladder_of = case if "ladder" in case or key in changes else by_key[case["like"]]
        ladder_key = f"{row['code']}.{ladder_of['key']}"
        changed = ladder_key in changes or key in limits
        source, stated = SOURCES["event" if changed else case["source"]]
        ladder = _read_ladder(changes[ladder_key] if ladder_key in changes else ladder_of["ladder"], single=single)
        assert ladder is not None
        when = _when(case["when"], limits.get(key))
        text = _text(case, when.get("minutes", {}))
        real = bool(case.get("or_real_result"))
        yield Case(f"penalty.{key}", when, text, source, stated, ladder, or_real_result=real, name=case.get("name"))


def _when(when: Mapping[str, Any], minutes: int | None) -> Mapping[str, Any]:
    """The conditions of a case with the regulation's own minutes, which no share of the round shortens."""
    if minutes is None:
        return when
    return {**when, "minutes": {"over" if "over" in when["minutes"] else "from": minutes}}


def _text(case: Mapping[str, Any], minutes: Mapping[str, int]) -> Text:
    """What a case says with its minutes; one that has some says it in other words where there are none to wait."""
    limit = minutes.get("from", minutes.get("over", 0))
    if not limit and minutes:
        return dict(case["text_at_zero"])
    length, share = _minutes(limit), _SHARES.get(minutes.get("or_part_of_round", 0), {})
    return {
        language: words.format(limit=length[language], part=share.get(language, ""))
        for language, words in case["text"].items()
    }


def _minutes(n: int) -> Text:
    return {"en": f"{n} minute{'' if n == 1 else 's'}", "zh": f"{n} 分钟"}


def _read_ladder(value: Any, *, single: bool) -> tuple[Step, ...] | None:
    """The steps of a ladder; None when one cannot be read."""
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_STEPS:
        return None
    read = _read_single_step if single else _read_step
    steps = tuple(step for row in value if (step := read(row)) is not None)
    return steps if len(steps) == len(value) else None


def _read_single_step(row: Any) -> Step | None:
    """A step for single players: as of two sides, and `score` by game."""
    if not isinstance(row, Mapping) or row.get("unit") not in _SINGLE_UNITS:
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
    if not isinstance(row, Mapping) or not isinstance(row.get("unit"), str) or row["unit"] not in _UNITS:
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


def _ladder_words(ladder: tuple[Step, ...]) -> Text:
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
            period, after = _minutes(step.each["minutes"]), step.each["after"]
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

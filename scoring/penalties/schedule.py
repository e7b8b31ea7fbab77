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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from scoring import wording
from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.penalties.steps import SINGLE_UNITS, UNITS, Step, ladder_words, minutes_words, read_ladder
from scoring.values import Text

_DATA = files("scoring.penalties") / "schedules"
_MOST_MINUTES = 600
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
        ladder = ladder_words(self.ladder)
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
    units = ", ".join(SINGLE_UNITS if single else UNITS)
    found = [
        finding("unknown_penalty_case", f"{field}.set", value=wording.shown(name))
        for name in changes
        if not isinstance(name, str) or name not in known
    ]
    found += [
        finding("bad_penalty", f"{field}.set.{name}", units={"en": units, "zh": units.replace(", ", "、")})
        for name, ladder in changes.items()
        if name in known and read_ladder(ladder, single=single) is None
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
        ladder = read_ladder(changes[ladder_key] if ladder_key in changes else ladder_of["ladder"], single=single)
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
    length, share = minutes_words(limit), _SHARES.get(minutes.get("or_part_of_round", 0), {})
    return {
        language: words.format(limit=length[language], part=share.get(language, ""))
        for language, words in case["text"].items()
    }

"""Profiles from data files: reading, extending, changing by an event."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from scoring.ladder import Ladder
from scoring.profiles.level_table import LevelTable
from scoring.profiles.option_checks import check_options
from scoring.profiles.option_values import BadValue
from scoring.profiles.option_words import phrase, say
from scoring.profiles.options import OPTIONS, ProfileError
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
    names = (file.name for file in _DATA.iterdir() if not file.name.startswith("_"))
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


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
    check_options(values, changes, individual=data.get("game", TWO_TEAMS) != TWO_TEAMS)
    after = _after_a(values)
    clauses = _clauses(data, options, changes)
    topics = _topics(clauses, changes)
    in_force = {
        clause.id: clause for clause in clauses if topics.get(clause.topic) is clause or clause.id.startswith("set.")
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
    return Profile(
        id=profile_id,
        game=data.get("game", TWO_TEAMS),
        version=data["version"],
        title=_changed_title(data["title"], changes),
        family=data["family"],
        about=data["about"],
        digest=_digest(profile_id, data["version"], options, in_force.values()),
        earlier_digests=frozenset() if changes else _earlier_digests().get(profile_id, frozenset()),
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
            beyond=after,
        ),
        **values,
    )


def _digest(profile_id: str, version: Any, options: Mapping[str, Any], clauses: Iterable[Clause]) -> str:
    """The digest of rules. An option at the house's default is left out, so that one added later moves no digest."""
    house = _read_file(_HOUSE)["options"]
    canonical = {
        "id": profile_id,
        "version": version,
        "options": {name: value for name, value in options.items() if name not in house or house[name] != value},
        "clauses": [clause.rule_json() for clause in clauses],
    }
    text = json.dumps(canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1)
def _earlier_digests() -> Mapping[str, frozenset[str]]:
    """By profile: what its digest was while digests counted the words of clauses as well as the rules."""
    held = json.loads((files("scoring.profiles") / "earlier_digests.json").read_text("utf-8"))
    return {name: frozenset(digests) for name, digests in held.items()}


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

"""The rules of an event at the desk: options as they are typed, and what a change of rules would change, in words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from referee.desk.presenters.board import name_of
from referee.desk.presenters.correction import result_words
from referee.parts.formats import score
from referee.parts.words import in_language, level_word, reached
from scoring import profiles
from scoring.profiles import OPTIONS
from scoring.profiles.comparing import compare, different_options
from scoring.profiles.option_words import NAMES, WORDS, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import QueryDict

    from referee.desk.guard import Desk
    from scoring.profiles import Profile
    from scoring.values import Text
    from tournaments.models import Entrant

SPARE_ROWS: Final = 3
_YES: Final = frozenset({"true", "yes", "是", "有", "可"})
_NO: Final = frozenset({"false", "no", "否", "无", "不"})


@dataclass(frozen=True, slots=True)
class ChangedOption:
    """One option the event changes: its name and its value as typed."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What the form holds: a base, and options the event sets otherwise."""

    base: str
    rows: tuple[ChangedOption, ...]

    @classmethod
    def of_event(cls, spec: Any) -> Rules:
        if isinstance(spec, str):
            return cls(spec, ())
        return cls(
            spec["base"],
            tuple(ChangedOption(name, written(name, value)) for name, value in spec.get("set", {}).items()),
        )

    @classmethod
    def posted(cls, data: QueryDict) -> Rules:
        pairs = zip(data.getlist("option"), data.getlist("value"), strict=False)
        return cls(data.get("base", ""), tuple(ChangedOption(name, value.strip()) for name, value in pairs if name))

    @property
    def spec(self) -> Any:
        """The spec for the service: values read as the options of the base are written."""
        if not self.rows:
            return self.base
        known = profiles.load(self.base).options if self.base in profiles.profile_ids() else {}
        return {
            "base": self.base,
            "set": {row.name: read(row.name, row.value, known.get(row.name)) for row in self.rows},
        }

    @property
    def lines(self) -> tuple[ChangedOption, ...]:
        """The rows of the form, with some left free."""
        return (*self.rows, *[ChangedOption("", "")] * SPARE_ROWS)


def read(name: str, text: str, present: Any) -> Any:
    """A typed value as JSON: names of values, yes and no in words of either language, lists with commas (or spaces
    between short names), nothing as a dash."""
    if text in ("", "–", "-"):
        return [] if isinstance(present, list | tuple) else None
    if isinstance(present, bool) and text.lower() in _YES | _NO:
        return text.lower() in _YES
    if text in (known := _by_words(WORDS.get(name, {}))):
        return known[text]
    if isinstance(present, list | tuple) and not text.startswith("["):
        known = _by_words(NAMES)
        between = r"[,，、]" if re.search(r"[,，、]", text) or text in known else r"\s+"
        parts = [part.strip() for part in re.split(between, text)]
        return [known.get(part, part) for part in parts if part]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _by_words(words: Mapping[str, Text]) -> dict[str, str]:
    return {text: value for value, texts in words.items() for text in texts.values()}


def written(name: str, value: Any) -> str:
    """A value of an option in a form that `read` reads back."""
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return ", ".join(in_language(NAMES.get(one, one)) for one in value) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None:
        return "–"
    if isinstance(value, str):
        return in_language(WORDS.get(name, {}).get(value, value))
    return json.dumps(value, ensure_ascii=False)


def said(name: str, value: Any) -> str:
    """A value of an option for reading only."""
    return in_language(say(name, value))


def form(rules: Rules) -> dict[str, Any]:
    """What the form needs: the rules to choose from, and every option with its value in the chosen base."""
    base = profiles.load(rules.base) if rules.base in profiles.profile_ids() else None
    return {
        "rules": rules,
        "profiles": [(name, in_language(profiles.load(name).title)) for name in profiles.profile_ids()],
        "options": [
            (name, in_language(option.title), said(name, base.options[name]) if base and name in base.options else "–")
            for name, option in OPTIONS.items()
        ],
    }


@dataclass(frozen=True, slots=True)
class Changed:
    """An option that differs, with both values."""

    title: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Clauses:
    """One topic on which the two sets of rules differ: what each says, nothing where it is silent."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Hand:
    """One entry under both."""

    number: str
    total: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Match:
    """One table whose record differs."""

    where: str
    home: str
    away: str
    old: str
    new: str
    old_levels: str
    new_levels: str
    hands: tuple[Hand, ...]
    loses_its_result: bool


@dataclass(frozen=True, slots=True)
class PlaceChange:
    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Blocked:
    where: str
    why: str


def of_rules(old: Profile, new: Profile) -> dict[str, Any]:
    """How the two sets of rules differ: options, and clauses in full."""
    options = different_options(old, new)
    return {
        "changed": [
            Changed(in_language(OPTIONS[name].title), said(name, one), said(name, two))
            for name, (one, two) in options.items()
        ],
        "clauses": [
            Clauses(*(in_language(one.text) if one is not None else "" for one in (row.clause_a, row.clause_b)))
            for row in compare(old, new)
            if not row.same
        ],
    }


def of_event(desk: Desk, found: Mapping[str, Any], rules: tuple[Profile, Profile]) -> dict[str, Any]:
    """The differences a change makes, with names; `rules` are the old and the new ones."""
    entrants = {entrant.pk: entrant for entrant in desk.tournament.entrants.all()}
    return {
        "judged": found["judged"],
        "matches": [_match(row, entrants, rules) for row in found["matches"]],
        "places": [
            PlaceChange(
                name_of(entrants[row["entrant"]]),
                str(row["old"]) if row["old"] is not None else "–",
                str(row["new"]) if row["new"] is not None else "–",
            )
            for row in sorted(found["places"], key=lambda row: (row["new"] is None, row["new"], row["old"]))
        ],
        "blocked": [Blocked(_where(row), in_language(row["message"])) for row in found["blocked"]],
    }


def _match(row: Mapping[str, Any], entrants: Mapping[int, Entrant], rules: tuple[Profile, Profile]) -> Match:
    old, new = row["old"], row["new"]
    return Match(
        where=_("Round %(r)s, table %(t)s") % {"r": row["round"], "t": row["table"]},
        home=name_of(entrants[row["home"]]),
        away=name_of(entrants[row["away"]]) if row["away"] else "–",
        old=result_words(old),
        new=result_words(new),
        old_levels=_levels(old["levels"], rules[0]),
        new_levels=_levels(new["levels"], rules[1]),
        hands=_hands(row["hands"], rules),
        loses_its_result=old["home_hundredths"] is not None and new["home_hundredths"] is None,
    )


def _hands(rows: Sequence[Mapping[str, Any]], rules: tuple[Profile, Profile]) -> tuple[Hand, ...]:
    return tuple(
        Hand(
            number=str(row["hand_no"] or "·"),
            total=str((row["new"] or row["old"] or {}).get("total", "–")),
            old=_after(row["old"], rules[0]),
            new=_after(row["new"], rules[1]),
        )
        for row in rows
        if row["hand_no"]
    )


def _after(hand: Mapping[str, Any] | None, profile: Profile) -> str:
    return _("does not count") if hand is None else _levels(hand["levels"], profile)


def _levels(levels: Mapping[str, str | None], profile: Profile) -> str:
    return score(*(level_word(reached(level, profile)) for level in (levels["NS"], levels["EW"])))


def _where(row: Mapping[str, Any]) -> str:
    known = {"r": row["round"], "t": row["table"], "n": row["hand_no"]}
    if row["hand_no"]:
        return _("Round %(r)s, table %(t)s, hand %(n)s") % known
    return _("Round %(r)s, table %(t)s") % known

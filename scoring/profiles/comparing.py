"""Two profiles side by side, topic by topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.profiles.options import OPTIONS
from scoring.profiles.profile import Clause, Profile
from scoring.profiles.tables import chapter_of, chapters


@dataclass(frozen=True, slots=True)
class Compared:
    """What two profiles say on one topic. `same` means that the same rule holds, in whatever words."""

    topic: str
    chapter: str
    clause_a: Clause | None
    clause_b: Clause | None
    same: bool


def compare(a: Profile, b: Profile) -> tuple[Compared, ...]:
    """A row for every topic that either profile speaks on, by chapter.

    A topic that options decide is the same when all of these options agree; a topic that no option decides is the same
    when the texts agree. The event's own clauses (`set.…`) are no topics: they speak for the topics they overrule.
    """
    different = {name for name in OPTIONS if _in_force(a, name) != _in_force(b, name)}
    decided_by: dict[str, list[str]] = {}
    for name, option in OPTIONS.items():
        for topic in option.topics:
            decided_by.setdefault(topic, []).append(name)
    order = [chapter.name for profile in (a, b) for chapter in chapters(profile)]
    rows = []
    for topic in _topics(a, b):
        one, other = a.topics.get(topic), b.topics.get(topic)
        if one is None or other is None:
            same = False
        elif topic in decided_by:
            same = not different.intersection(decided_by[topic])
        else:
            same = one.text == other.text
        rows.append(Compared(topic, chapter_of(topic), one, other, same))
    return tuple(sorted(rows, key=lambda row: order.index(row.chapter)))


def different_options(a: Profile, b: Profile) -> Mapping[str, tuple[Any, Any]]:
    """The options on which two profiles differ, with both values as written in JSON."""
    return {name: (a.options[name], b.options[name]) for name in OPTIONS if _in_force(a, name) != _in_force(b, name)}


def _topics(a: Profile, b: Profile) -> list[str]:
    topics = dict.fromkeys(topic for profile in (a, b) for topic in profile.topics)
    return [topic for topic in topics if not topic.startswith("set.")]


def _in_force(profile: Profile, name: str) -> Any:
    """The value of an option as far as it acts: of the ways to deal, the one for these decks."""
    return (profile.hand_cards, profile.kitty_cards) if name == "deal_sizes" else profile.options[name]

"""The tables of a profile as a reader wants them: kitty factors by shape, level bands, clauses by chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoring import wording
from scoring.profiles.clause_files import BESIDE, clauses_of
from scoring.profiles.level_table import GRAIN
from scoring.profiles.profile import Clause, Profile
from scoring.values import Role, Shape, Text

#: Longer tractors go on as the last rows show; their clause says how.
_MOST_RUNGS = 4

#: A total beyond every table: a band that reaches it has no end.
_FAR = 10**9


@dataclass(frozen=True, slots=True)
class KittyRow:
    """The factor for what was led to the last trick, and the clause that gives it.

    `shapes` has one shape, or several for a throw; `words` names it.
    """

    shapes: tuple[Shape, ...]
    words: Text
    factor: int
    clause: Clause | None

    def to_json(self) -> dict[str, Any]:
        return {
            "shapes": [shape.to_json() for shape in self.shapes],
            "words": dict(self.words),
            "factor": self.factor,
            "clause": _id(self.clause),
        }


@dataclass(frozen=True, slots=True)
class BandRow:
    """Totals `low` to `high` (both included, in points; None: no end) with one result, and the clause that decides."""

    low: int | None
    high: int | None
    role: Role
    levels: int
    clause: Clause | None

    def to_json(self) -> dict[str, Any]:
        return {
            "from": self.low,
            "to": self.high,
            "role": str(self.role),
            "levels": self.levels,
            "deal_changes_hands": self.role is Role.ATTACKERS,
            "clause": _id(self.clause),
        }


def _id(clause: Clause | None) -> str | None:
    return None if clause is None else clause.id


def kitty_table(profile: Profile) -> tuple[KittyRow, ...]:
    """A row for every shape the decks have (tractors up to four rungs), a throw of singles and a mixed throw.

    None where no clause says what decides the factor, because the last trick multiplies nothing.
    """
    if not {"kitty.decides", "last_trick"} & set(profile.topics):
        return ()
    return tuple(_kitty_row(profile, shapes) for shapes in _led(profile))


def _led(profile: Profile) -> Iterator[tuple[Shape, ...]]:
    for width in range(1, profile.decks + 1):
        yield (Shape(width),)
    if profile.tractors:
        for width in range(2, profile.decks + 1):
            for rungs in range(2, _MOST_RUNGS + 1):
                yield (Shape(width, rungs),)
    if profile.throws_allowed:
        yield (Shape(1), Shape(1))
        if profile.decks > 1:
            yield (Shape(2), Shape(1), Shape(1))


def _kitty_row(profile: Profile, shapes: tuple[Shape, ...]) -> KittyRow:
    factor = profile.kitty_factor(shapes)
    return KittyRow(shapes, _shape_words(shapes), factor.multiplier, profile.topics.get(factor.topic))


def _shape_words(shapes: tuple[Shape, ...]) -> Text:
    if len(shapes) == 1:
        return wording.shape_name(shapes[0])
    if all(shape.cards == 1 for shape in shapes):
        return {"en": "throw of two singles", "zh": "两张单张的甩牌"}
    return {"en": "throw of a pair and two singles", "zh": "一对加两张单张的甩牌"}


def level_bands(profile: Profile) -> tuple[BandRow, ...]:
    """Bands from the first below zero to all points of the decks, or to the last row of a table of its own.

    Where the table goes on beyond its ends, the first and the last row are whole bands and their clauses say how. None
    where no clause gives levels for points.
    """
    table = profile.table
    if "table.line" not in profile.topics:
        return ()
    last = max([profile.points_max, *(row.low or 0 for row in table.rows or ())])
    totals = [-GRAIN]
    while totals[-1] < last:
        end = _edge(profile, totals[-1], GRAIN)
        if end is None:
            break
        totals.append(end + GRAIN)
    rows = []
    for total in totals:
        low, high = _edge(profile, total, -GRAIN), _edge(profile, total, GRAIN)
        role, levels = table.look_up(table.settle(total))
        spoken = total if high is None else high
        rows.append(BandRow(low, high, role, levels, profile.topics.get(table.topic(table.settle(spoken)))))
    return tuple(rows)


def _edge(profile: Profile, total: int, step: int) -> int | None:
    """The last total of the same result in that direction; None where the result never changes."""
    table = profile.table
    result = table.look_up(table.settle(total))
    if table.look_up(table.settle(total + step * _FAR)) == result:
        return None
    while table.look_up(table.settle(total + step)) == result:
        total += step
    return total


@dataclass(frozen=True, slots=True)
class Chapter:
    """The clauses on one part of the game, in their order."""

    name: str
    title: Text
    clauses: tuple[Clause, ...]

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "title": dict(self.title), "clauses": [clause.id for clause in self.clauses]}


#: Chapters in the order of a hand: name, title, and the topics that belong there (a topic or the part before its dot).
_CHAPTERS: tuple[tuple[str, Text, tuple[str, ...]], ...] = (
    (
        "deal",
        {"en": "Cards and dealing", "zh": "用牌与抓牌"},
        ("name", "division", "play", "deal", "seats", "draw", "first_deal"),
    ),
    (
        "auction",
        {"en": "Declaring and countering", "zh": "亮主与反主"},
        (
            "bid",
            "all_pass",
            "declare",
            "joker_declare",
            "hidden_declare",
            "flip",
            "counter",
            "rebury",
            "dark_bid",
            "no_trump",
        ),
    ),
    ("kitty", {"en": "Taking and burying the kitty", "zh": "拿底与埋底"}, ("kitty.bury", "bury")),
    (
        "rebellion",
        {"en": "Rebellion and misdeal", "zh": "造反与错发"},
        ("rebellion", "rebellion_redeal", "rebellion_twice", "no_rebellion", "redeal", "misdeal"),
    ),
    (
        "cards",
        {"en": "Trumps, shapes and their order", "zh": "主牌、牌型与大小"},
        ("permanent_ranks", "cards", "tractors"),
    ),
    ("play", {"en": "Leading and following", "zh": "领出与跟牌"}, ("lead_first", "follow", "trick", "look")),
    ("throws", {"en": "Throws", "zh": "甩牌"}, ("throw", "throws", "throw_fine", "coins.throw")),
    (
        "points",
        {"en": "Points and the kitty", "zh": "分数与抠底"},
        ("points", "captured", "total", "kitty", "last_trick", "grain", "total_only", "cap", "floor", "winner"),
    ),
    (
        "levels",
        {"en": "Levels", "zh": "升级"},
        ("table", "own_line", "levels_cap", "ladder", "must_play", "level_words", "stake"),
    ),
    (
        "special",
        {"en": "Hook, jumps and the flag", "zh": "钩到底、直升与扛旗"},
        ("hook", "hook_limit", "no_hook", "jump", "flag"),
    ),
    ("dealer", {"en": "Who deals next", "zh": "轮庄"}, ("stage", "dealer", "ally")),
    (
        "match",
        {"en": "The match", "zh": "对局"},
        ("finish", "pass_a", "after_A", "format", "timed_tie", "lead", "forfeit", "end", "coins"),
    ),
    (
        "rulings",
        {"en": "Signals and rulings", "zh": "信号与判罚"},
        ("signal", "adjustment", "penalty", "level_penalty", "adjusted", "let_stand", "recompute"),
    ),
    ("event", {"en": "Set by the event", "zh": "赛事规定"}, ("set",)),
)
_OTHER: tuple[str, Text] = ("other", {"en": "Other rules", "zh": "其他"})
_CHAPTER_OF = {topic: name for name, _, topics in _CHAPTERS for topic in topics}
_CHAPTER_TITLES: dict[str, Text] = {name: title for name, title, _ in _CHAPTERS} | dict([_OTHER])
_PLACES = {topic: place for place, topic in enumerate(_CHAPTER_OF)}


def chapter_of(topic: str) -> str:
    """The name of the chapter a topic belongs to."""
    return _CHAPTER_OF.get(_root(topic), _OTHER[0])


def chapter_title(topic: str) -> Text:
    """The title of the chapter a topic belongs to."""
    return _CHAPTER_TITLES[chapter_of(topic)]


def _root(topic: str) -> str:
    """A topic, or the part before its dot where only that has a place."""
    return topic if topic in _CHAPTER_OF else topic.partition(".")[0]


def chapters(profile: Profile) -> tuple[Chapter, ...]:
    """All clauses in force by chapter, in the order of the topics there; chapters without one are left out."""
    by_name: dict[str, list[Clause]] = {}
    for clause in sorted(profile.clauses.values(), key=lambda one: _PLACES.get(_root(one.topic), len(_PLACES))):
        by_name.setdefault(chapter_of(clause.topic), []).append(clause)
    titles = [(name, title) for name, title, _ in _CHAPTERS] + [_OTHER]
    return tuple(Chapter(name, title, tuple(by_name[name])) for name, title in titles if name in by_name)


def chapters_beside() -> tuple[Chapter, ...]:
    """The chapters of what holds beside any profile: signals, duplicate boards, other ways to play."""
    return tuple(Chapter(package, title, tuple(clauses_of(package, name).values())) for package, name, title in BESIDE)

"""The plan of a stage: everything the regulation says about directing it that is not a column of `models.Stage`.

A plan is data: kept as JSON with what is usual left out, exported with the form of the event, and read back strictly.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self

from scoring.hands.findings import Finding, Refused, finding, refusal
from scoring.hands.reading import Reader
from scoring.hands.variants import Scoring
from scoring.sittings.states import FixedHand
from scoring.standings.results import score_of
from scoring.standings.scales import Bye

MOST_GROUPS, MOST_BOARDS, MOST_MINUTES, MOST_PRIZES, MOST_PRIZE = 64, 64, 240, 100, 1_000_000


class Order(StrEnum):
    """In which order entrants stand when a stage begins: by seed (then number), or by lot (抽签)."""

    SEEDED = "seeded"
    DRAWN = "drawn"


class Bracket(StrEnum):
    """How a knockout goes on: one bracket, or every round anew from the lowest draw number (签号) up."""

    BRACKET = "bracket"
    DRAW_NUMBER = "draw_number"


class Carry(StrEnum):
    """What of the stage before counts in this one: nothing, all points, or the results between those who meet again."""

    NONE = "none"
    POINTS = "points"
    BETWEEN = "between"


class Force(StrEnum):
    """How strict a rule of the Swiss draw is: never broken, broken as rarely as can be, not looked at."""

    MUST = "must"
    PREFER = "prefer"
    OFF = "off"


class Missed(StrEnum):
    """What the rounds that a late entrant missed are worth: nothing, or as a bye."""

    ZERO = "zero"
    BYE = "bye"


class BoardMeasure(StrEnum):
    """What a board is compared by: the levels with the deal counted as one, or the attackers' points."""

    HAND_POINTS = "hand_points"
    ATTACKERS_POINTS = "attackers_points"


class BoardWorth(StrEnum):
    """What a board is worth: to teams the difference of both rooms, 2 / 1 / 0, or IMPs; to pairs their part of the
    matchpoints, or the average of the comparisons with all others in the same seats (cross-IMPs)."""

    DIFFERENCE = "difference"
    WINS = "wins"
    IMP = "imp"
    MATCHPOINTS = "matchpoints"
    CROSS_IMP = "cross_imp"


class MovementKind(StrEnum):
    MITCHELL = "mitchell"
    HOWELL = "howell"
    BALANCED = "balanced"


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a stage; every field has its usual value.

    Who plays: `qualify` of each group (or of the one table) of the stage before come into this stage, all when None;
    `carry` says what they bring. `order` is how they stand before the first round; `groups` into how many groups they
    are dealt (snake when seeded), None: no groups; `group_of` says instead how many make a group, and `groups` is
    written when the stage begins. `rounds_by_field`: the regulation states no number of rounds; when the stage begins
    it has as many as the format needs for its field.
    How they meet: `bracket`, `crossed` (A1–B2, B1–A2 instead of a new seeding), `third_place`, `best_of` games a match;
    the forces `no_rematch`, `one_bye`, `units_apart`; `bye` what a bye is worth (None: as the scale says).
    How they play: `fixed` hands in order (level, and dealer where it does not rotate), and `scoring` what
    of them is counted; `boards` a round of duplicate,
    `measure`, `board_scale` (None: the difference to teams, matchpoints to pairs), `movement`, and `arrow` rounds with
    the arrow switched.
    The clock, in minutes: `warning` before the end; `late` after which an absent side forfeits (0: at the start;
    None: as the penalty schedule says).
    `missed`: what the rounds before a late entry are worth.
    What places decide: `places` are the lines (the first so many), `prizes` go to the first places, exact numbers as
    texts. Lines of the next stage's `qualify` are added by whoever ranks.
    """

    qualify: int | None = None
    carry: Carry = Carry.NONE
    order: Order = Order.SEEDED
    groups: int | None = None
    group_of: int | None = None
    rounds_by_field: bool = False
    bracket: Bracket = Bracket.BRACKET
    crossed: bool = False
    third_place: bool = False
    best_of: int = 1
    no_rematch: Force = Force.MUST
    one_bye: Force = Force.MUST
    units_apart: Force = Force.PREFER
    bye: Bye | None = None
    fixed: tuple[FixedHand, ...] = ()
    scoring: Scoring = Scoring.HAND_POINTS
    boards: int | None = None
    measure: BoardMeasure = BoardMeasure.HAND_POINTS
    board_scale: BoardWorth | None = None
    movement: MovementKind | None = None
    arrow: int = 0
    warning: int | None = None
    late: int | None = None
    missed: Missed = Missed.ZERO
    places: tuple[int, ...] = ()
    prizes: tuple[Fraction, ...] = ()

    @classmethod
    def from_json(cls, data: object, path: str = "plan") -> Self:
        """Read a plan; Refused with every finding."""
        reader = Reader(data, path)
        made = cls(
            qualify=_whole(reader, "qualify", "who advance", "出线数", 1, 10_000),
            carry=reader.choice("carry", Carry) or Carry.NONE,
            order=reader.choice("order", Order) or Order.SEEDED,
            groups=_whole(reader, "groups", "the number of groups", "组数", 1, MOST_GROUPS),
            group_of=_whole(reader, "group_of", "entrants in a group", "每组参赛方数", 2, 300),
            rounds_by_field=reader.flag("rounds_by_field") or False,
            bracket=reader.choice("bracket", Bracket) or Bracket.BRACKET,
            crossed=reader.flag("crossed") or False,
            third_place=reader.flag("third_place") or False,
            best_of=_whole(reader, "best_of", "games a match", "局数", 1, 7) or 1,
            no_rematch=reader.choice("no_rematch", Force) or Force.MUST,
            one_bye=reader.choice("one_bye", Force) or Force.MUST,
            units_apart=reader.choice("units_apart", Force) or Force.PREFER,
            bye=reader.choice("bye", Bye),
            fixed=_fixed(reader),
            scoring=reader.choice("scoring", Scoring) or Scoring.HAND_POINTS,
            boards=_whole(reader, "boards", "boards a round", "每轮副数", 1, MOST_BOARDS),
            measure=reader.choice("measure", BoardMeasure) or BoardMeasure.HAND_POINTS,
            board_scale=reader.choice("board_scale", BoardWorth),
            movement=reader.choice("movement", MovementKind),
            arrow=_whole(reader, "arrow", "rounds with the arrow switched", "换向轮数", 0, 100) or 0,
            warning=_whole(reader, "warning", "minutes before the end", "提醒的提前分钟数", 1, MOST_MINUTES),
            late=_whole(reader, "late", "minutes until a forfeit", "迟到判弃权的分钟数", 0, MOST_MINUTES),
            missed=reader.choice("missed", Missed) or Missed.ZERO,
            places=_places(reader),
            prizes=_prizes(reader),
        )
        reader.done()
        if made.best_of % 2 == 0:
            en, zh = "The games of a match are an odd number.", "一场的局数应是单数。"
            reader.findings.append(refusal("even_games", f"{path}.best_of", en, zh))
        reader.refuse_if_any()
        return made

    def to_json(self) -> dict[str, Any]:
        """The plan with everything usual left out; `from_json` reads it back."""
        usual = type(self)()
        return {
            one.name: _json(getattr(self, one.name))
            for one in fields(self)
            if getattr(self, one.name) != getattr(usual, one.name)
        }


def findings_of(data: object, path: str = "plan") -> tuple[Finding, ...]:
    """What is wrong with a plan, nothing when it can be read."""
    try:
        Plan.from_json(data, path)
    except Refused as refused:
        return refused.findings
    return ()


def _whole(reader: Reader, name: str, en: str, zh: str, low: int, high: int) -> int | None:
    return reader.whole(name, {"en": en, "zh": zh}, low=low, high=high)


def _fixed(reader: Reader) -> tuple[FixedHand, ...]:
    return reader.items("fixed", lambda item, path: FixedHand.read(reader.nested(item, path)))


def _places(reader: Reader) -> tuple[int, ...]:
    def read(item: object, path: str) -> int | None:
        if type(item) is int and 1 <= item <= 10_000:
            return item
        reader.findings.append(refusal("out_of_range", path, "A line is a place from 1 on.", "名次线是从 1 起的整数。"))
        return None

    return tuple(sorted(set(reader.items("places", read))))


def _prizes(reader: Reader) -> tuple[Fraction, ...]:
    def read(item: object, path: str) -> Fraction | None:
        try:
            value = score_of(item)
        except (ValueError, TypeError):
            value = None
        if value is None or not 0 <= value <= MOST_PRIZE:
            en = f"A prize is an exact number from 0 to {MOST_PRIZE:,}."
            reader.findings.append(refusal("bad_prize", path, en, f"奖项要写成 0 到 {MOST_PRIZE} 的准确的数。"))
            return None
        return value

    found = reader.items("prizes", read)
    if len(found) > MOST_PRIZES:
        reader.findings.append(finding("too_many", f"{reader.path}.prizes", most=MOST_PRIZES))
    return found


def _json(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, FixedHand):
        return value.to_json()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return [_json(one) for one in value]
    return value

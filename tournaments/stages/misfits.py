"""What of a stage does not fit: its settings one another, the stage before it, the rules, or the field.

A table of cases, each with the field it is told at and a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, ParamSpec

from scoring import profiles
from scoring.hands.findings import Finding, refusal
from scoring.hands.variants import Scoring
from scoring.standings import scales
from scoring.standings.scales import Scale
from scoring.standings.tiebreaks import TIEBREAKS

from ..acts.errors import Refusal
from ..models import StageFormat, TieRule
from ..plans.boards import in_imps, in_levels
from ..plans.plan import BoardMeasure, BoardWorth, Bracket, Carry, MovementKind, Plan

MOST_STAGES = 8

SWISS = StageFormat.SWISS_TIMED.value
ROUND_ROBIN, GROUPS = StageFormat.ROUND_ROBIN.value, StageFormat.GROUPS.value
KNOCKOUT, INDIVIDUAL = StageFormat.KO_TIMED.value, StageFormat.INDIVIDUAL.value
TEAMS, PAIRS = StageFormat.DUPLICATE_TEAMS.value, StageFormat.DUPLICATE_PAIRS.value

#: Formats of boards; formats that may have groups.
DUPLICATE = frozenset({TEAMS, PAIRS})
#: What a board can be worth, the usual first: boards of teams compare two rooms, those of pairs all tables.
WORTHS: Mapping[str, tuple[BoardWorth, ...]] = {
    TEAMS: (BoardWorth.DIFFERENCE, BoardWorth.WINS, BoardWorth.IMP),
    PAIRS: (BoardWorth.MATCHPOINTS, BoardWorth.CROSS_IMP),
}
GROUPED = frozenset({GROUPS, TEAMS})


class BadSetting(Refusal):
    """A field of the event's form does not hold what it should."""

    def __init__(self, field: str, message: Mapping[str, str] | None = None, code: str = "bad_setting") -> None:
        super().__init__(code, field=field, message=message, status=400)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a stage is checked by."""

    format: str
    plan: Plan
    scale: Scale | None
    minutes: int | None = None
    hands: int | None = None
    lead_levels: int | None = None
    tie_rule: str = ""
    chain: tuple[str, ...] = ()

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Settings:
        """From the fields of a stage that were read already."""
        return cls(
            facts["format"],
            Plan.from_json(facts["plan"]),
            scales.SCALES[facts["match_score"]] if facts["match_score"] else None,
            facts["minutes"],
            facts["hands"],
            facts["lead_levels"],
            facts["tie_rule"],
            tuple(facts["chain"]),
        )

    @property
    def grouped(self) -> bool:
        """Whether its entrants are dealt to groups."""
        return self.plan.groups is not None or self.plan.group_of is not None


P = ParamSpec("P")


@dataclass(frozen=True)
class Misfit(Generic[P]):
    """Settings that do not fit: the code, the field it is told at, when; a sentence where the code says too little."""

    code: str
    field: str
    wrong: Callable[P, bool]
    en: str = ""
    zh: str = ""


def _counts_levels(scale: Scale) -> bool:
    return not scale.by_hands and not scale.counts_wins_only


def _is_crossed(plan: Plan) -> bool:
    return plan.board_scale is BoardWorth.CROSS_IMP


_MISFITS: tuple[Misfit[[Settings]], ...] = (
    Misfit("groups_missing", "plan.groups", lambda one: one.format == GROUPS and (not one.grouped)),
    Misfit("groups_not_here", "plan.groups", lambda one: one.format not in GROUPED and one.grouped),
    Misfit(
        "bracket_not_here",
        "plan.bracket",
        lambda one: one.format != KNOCKOUT and one.plan.bracket is not Bracket.BRACKET,
    ),
    Misfit(
        "crossed_not_here",
        "plan.crossed",
        lambda one: one.plan.crossed and (one.format != KNOCKOUT or one.plan.bracket is not Bracket.BRACKET),
    ),
    Misfit("crossed_takes_two", "plan.qualify", lambda one: one.plan.crossed and one.plan.qualify != 2),
    Misfit("third_place_not_here", "plan.third_place", lambda one: one.plan.third_place and one.format != KNOCKOUT),
    Misfit(
        "third_place_needs_bracket",
        "plan.third_place",
        lambda one: one.plan.third_place and one.plan.bracket is Bracket.DRAW_NUMBER,
    ),
    Misfit("best_of_not_here", "plan.best_of", lambda one: one.plan.best_of > 1 and one.format != KNOCKOUT),
    Misfit(
        "boards_missing",
        "plan.boards",
        lambda one: one.format in DUPLICATE and one.plan.boards is None,
        "Say how many boards a round has.",
        "请写明每轮几副牌。",
    ),
    Misfit("boards_not_here", "plan.boards", lambda one: one.format not in DUPLICATE and one.plan.boards is not None),
    Misfit(
        "board_scale_not_here",
        "plan.board_scale",
        lambda one: one.plan.board_scale is not None and one.plan.board_scale not in WORTHS.get(one.format, ()),
    ),
    Misfit(
        "imps_of_levels",
        "plan.board_scale",
        lambda one: one.plan.board_scale is BoardWorth.IMP and one.plan.measure is BoardMeasure.HAND_POINTS,
    ),
    Misfit(
        "movement_not_here",
        "plan.movement",
        lambda one: one.format != PAIRS and (one.plan.movement is not None or one.plan.arrow > 0),
    ),
    Misfit(
        "arrow_of_balanced", "plan.arrow", lambda one: one.plan.movement is MovementKind.BALANCED and one.plan.arrow > 0
    ),
    Misfit("boards_have_no_levels", "lead_levels", lambda one: one.format in DUPLICATE and one.lead_levels is not None),
    Misfit("boards_are_the_hands", "hands", lambda one: one.format in DUPLICATE and one.hands is not None),
    Misfit(
        "scale_counts_levels",
        "match_score",
        lambda one: one.format in DUPLICATE and one.scale is not None and _counts_levels(one.scale),
    ),
    Misfit(
        "scale_counts_imps",
        "match_score",
        lambda one: one.scale is not None and one.scale.in_imps and not in_imps(one.plan),
    ),
    Misfit(
        "scale_counts_levels_of_boards",
        "match_score",
        lambda one: (
            one.scale is not None
            and one.scale.by_boards
            and not one.scale.in_imps
            and not (one.format in DUPLICATE and in_levels(one.plan) and (one.format != PAIRS or _is_crossed(one.plan)))
        ),
    ),
    Misfit(
        "levels_not_here",
        "chain",
        lambda one: one.format in DUPLICATE and any(TIEBREAKS[code].by_levels for code in one.chain),
        "Boards carry no levels: no tie-break can count them.",
        "复式赛的级别不累计，破同分不能比级数。",
    ),
    Misfit(
        "fixed_for_sides", "plan.fixed", lambda one: bool(one.plan.fixed) and one.format in {INDIVIDUAL, *DUPLICATE}
    ),
    Misfit("fixed_without_hands", "hands", lambda one: bool(one.plan.fixed) and one.hands is None),
    Misfit(
        "fixed_and_hands_differ",
        "hands",
        lambda one: bool(one.plan.fixed) and one.hands is not None and (one.hands != len(one.plan.fixed)),
    ),
    Misfit(
        "counted_without_fixed",
        "plan.scoring",
        lambda one: one.plan.scoring is not Scoring.HAND_POINTS and not one.plan.fixed,
    ),
    Misfit("fixed_has_no_lead", "lead_levels", lambda one: bool(one.plan.fixed) and one.lead_levels is not None),
    Misfit(
        "fixed_counts_hands",
        "match_score",
        lambda one: bool(one.plan.fixed) and one.scale is not None and _counts_levels(one.scale),
    ),
    Misfit(
        "warning_without_clock",
        "plan.warning",
        lambda one: one.plan.warning is not None and (one.minutes is None or one.plan.warning >= one.minutes),
    ),
    Misfit(
        "late_after_the_end",
        "plan.late",
        lambda one: one.plan.late is not None and one.minutes is not None and (one.plan.late >= one.minutes),
    ),
    Misfit("prizes_grow", "plan.prizes", lambda one: list(one.plan.prizes) != sorted(one.plan.prizes, reverse=True)),
    Misfit("knockout_draw", "tie_rule", lambda one: one.format == KNOCKOUT and one.tie_rule == TieRule.DRAW),
    Misfit("lots_alone", "chain", lambda one: one.chain == ("lots",) and one.format != KNOCKOUT),
)

#: What a regulation does not state together: once the stage begins the one follows from the other.
_STATED_TWICE: Misfit[[Settings]] = Misfit(
    "groups_twice", "plan.groups", lambda one: one.plan.groups is not None and one.plan.group_of is not None
)

#: What the first stage of a chain cannot have.
_OF_FIRST: tuple[Misfit[[Settings]], ...] = (
    Misfit("nothing_to_qualify_from", "plan.qualify", lambda one: one.plan.qualify is not None),
    Misfit("nothing_to_carry", "plan.carry", lambda one: one.plan.carry is not Carry.NONE),
    Misfit(
        "nothing_to_cross",
        "plan.crossed",
        lambda one: one.plan.crossed,
        "Groups cross over from a stage before; there is none.",
        "交叉淘汰要有前一阶段的分组。",
    ),
)

#: How a stage does not lead on from the one before.
_LEADS: tuple[Misfit[[Settings, Settings]], ...] = (
    Misfit(
        "carry_into_knockout",
        "plan.carry",
        lambda one, before: one.plan.carry is not Carry.NONE and one.format == KNOCKOUT,
    ),
    Misfit(
        "carry_other_scores",
        "plan.carry",
        lambda one, before: one.plan.carry is not Carry.NONE and one.scale != before.scale,
    ),
    Misfit(
        "nothing_to_cross",
        "plan.crossed",
        lambda one, before: one.plan.crossed and not before.grouped,
        "Groups cross over from a stage in groups.",
        "交叉淘汰要求前一阶段分组。",
    ),
    Misfit(
        "groups_do_not_cross",
        "plan.crossed",
        lambda one, before: one.plan.crossed and before.plan.group_of is None and (before.plan.groups or 0) % 2 == 1,
        "Groups that cross come in twos.",
        "交叉淘汰要求组数为双数。",
    ),
    Misfit(
        "too_many_qualify",
        "plan.qualify",
        lambda one, before: before.plan.group_of is not None and (one.plan.qualify or 0) > before.plan.group_of,
        "More qualify than a group has.",
        "出线数超过了每组参赛方数。",
    ),
)


def misfits_of(one: Settings, *, begun: bool) -> list[BadSetting]:
    """What of a stage's settings does not fit one another; `begun`: its groups follow from their size already."""
    return _found(_MISFITS if begun else (*_MISFITS, _STATED_TWICE), one)


def _found(table: Iterable[Misfit[P]], *settings: P.args, **named: P.kwargs) -> list[BadSetting]:
    return [
        BadSetting(f"stage.{one.field}", {"en": one.en, "zh": one.zh} if one.en else None, one.code)
        for one in table
        if one.wrong(*settings, **named)
    ]


def refuse_all(wrong: Iterable[BadSetting]) -> None:
    """Raise the first of these, if any; where there are more, all stand in its findings."""
    found = list(wrong)
    if not found:
        return
    first = found[0]
    if len(found) > 1:
        first.findings = tuple(
            replace(finding, params={**finding.params, **one.params})
            for one in found
            for finding in one.findings or (_as_finding(one),)
        )
    raise first


def _as_finding(one: BadSetting) -> Finding:
    return refusal(one.code, one.field or "", one.message["en"], one.message["zh"], **one.params)


def refuse_unless_playable(profile: profiles.Profile, stage: Mapping[str, Any]) -> None:
    """Single players' formats need rules of single players, the others rules of two sides; fixed levels are on the
    ladder of the rules."""
    alone = stage["format"] == INDIVIDUAL
    if alone == (profile.division != "sides"):
        off = [one.level for one in Plan.from_json(stage["plan"]).fixed if one.level not in profile.ladder.levels]
        if off:
            en, zh = f"These rules do not play level {off[0]}.", f"这套规则不打 {off[0]}。"
            raise BadSetting("stage.plan.fixed", {"en": en, "zh": zh}, "level_not_on_ladder")
        return
    if alone:
        message = {"en": "These rules are of two sides; choose another format.", "zh": "这套规则是双方对阵，请换赛制。"}
    else:
        message = {
            "en": "These rules are of single players; choose an evening of single players.",
            "zh": "这套规则是个人赛，请选个人赛的赛制。",
        }
    raise BadSetting("profile", message, "other_game")


def refuse_broken_chain(stages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse stages, in order, that do not lead from one to the next. Says the number of the stage in `params`."""
    if not 1 <= len(stages) <= MOST_STAGES:
        message = {"en": f"An event has 1 to {MOST_STAGES} stages.", "zh": f"一项赛事有 1 到 {MOST_STAGES} 个阶段。"}
        raise BadSetting("stages", message, "too_many_stages")
    before: Settings | None = None
    wrong: list[BadSetting] = []
    for number, facts in enumerate(stages, start=1):
        one = Settings.of(facts)
        for refused in _found(_OF_FIRST, one) if before is None else _found(_LEADS, one, before):
            refused.params = {"stage": number}
            wrong.append(refused)
        before = one
    refuse_all(wrong)


def refuse_unfit_field(one: Settings, sizes: Sequence[int], following: Plan | None = None) -> None:
    """Refuse a stage that so many (by group) cannot play, or that cannot lead to the plan of the following one."""
    smallest, total = min(sizes, default=0), sum(sizes)
    if smallest < 2:
        if one.grouped:
            raise BadSetting(
                "stage.plan.groups",
                {"en": f"A group would have fewer than two of {total}.", "zh": f"共 {total} 个，有的组不足两个。"},
                "group_too_small",
            )
        raise BadSetting(
            "stage", {"en": "A stage needs two entrants.", "zh": "一个阶段至少要有两个参赛方。"}, "too_few_entrants"
        )
    if following is None:
        return
    if following.qualify is not None and following.qualify > smallest:
        raise BadSetting(
            "stage.plan.groups" if one.grouped else "stage",
            {
                "en": f"{following.qualify} of each table go on to the next stage; one table would have {smallest}.",
                "zh": f"下一阶段要求每组 {following.qualify} 个出线，有的组只有 {smallest} 个。",
            },
            "too_many_qualify",
        )
    if following.crossed and len(sizes) % 2:
        raise BadSetting(
            "stage.plan.groups",
            {
                "en": f"There would be {len(sizes)} groups; the knockout after them crosses groups in twos.",
                "zh": f"将分成 {len(sizes)} 组，而其后的交叉淘汰要求组数为双数。",
            },
            "groups_do_not_cross",
        )

"""What a regulation says about a stage, in words of the page: one list of facts for desk and public pages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from referee.parts.formats import exact
from referee.parts.words import SEATS, in_language, level_word
from scoring.hands.variants import Scoring
from scoring.standings.chains import title_of as title_of_tiebreak
from scoring.standings.scales import SCALES, Bye
from scoring.wording import TRUMPS
from tournaments.models import StageFormat
from tournaments.plans.plan import BoardMeasure, BoardWorth, Bracket, Carry, Force, Missed, MovementKind, Order
from tournaments.stages.misfits import WORTHS
from tournaments.standings.stage_order import stage_before

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.parts.words import Word
    from scoring.sittings.states import FixedHand
    from tournaments.models import Stage
    from tournaments.plans.plan import Plan

ORDERS: Final[Mapping[Order, Word]] = {Order.SEEDED: gettext_lazy("by seeding"), Order.DRAWN: gettext_lazy("by lot")}
BRACKETS: Final[Mapping[Bracket, Word]] = {
    Bracket.BRACKET: gettext_lazy("one bracket to the end"),
    Bracket.DRAW_NUMBER: gettext_lazy("every round anew, from the lowest draw number up"),
}
CARRIES: Final[Mapping[Carry, Word]] = {
    Carry.NONE: gettext_lazy("nothing"),
    Carry.POINTS: gettext_lazy("all points"),
    Carry.BETWEEN: gettext_lazy("results between those who meet again"),
}
FORCES: Final[Mapping[Force, Word]] = {
    Force.MUST: gettext_lazy("always"),
    Force.PREFER: gettext_lazy("while possible"),
    Force.OFF: gettext_lazy("no rule"),
}
BYES: Final[Mapping[Bye, Word]] = {
    Bye.WIN: gettext_lazy("as a win by forfeit"),
    Bye.AVERAGE: gettext_lazy("the average of its other rounds"),
    Bye.ONE: gettext_lazy("1 point"),
    Bye.NOTHING: gettext_lazy("nothing"),
}
#: What of hands that are set is counted, and how, in a sentence.
SCORINGS: Final[Mapping[Scoring, tuple[Word, Word]]] = {
    Scoring.HAND_POINTS: (
        gettext_lazy("Hand points"),
        gettext_lazy(
            "Attackers get 1 for taking the deal and 1 for each level more, the dealer side 1 for each level."
        ),
    ),
    Scoring.POINTS: (
        gettext_lazy("Points taken"),
        gettext_lazy("Each side adds up the points it took as attackers."),
    ),
    Scoring.WINS: (
        gettext_lazy("Hands won"),
        gettext_lazy("A hand that is won counts 1, by however much it is won."),
    ),
}
_MARGINS: Final[Mapping[Scoring, Word]] = {
    Scoring.POINTS: gettext_lazy("how many points it is ahead"),
    Scoring.WINS: gettext_lazy("how many hands it is ahead"),
}
MISSED: Final[Mapping[Missed, Word]] = {
    Missed.ZERO: gettext_lazy("nothing"),
    Missed.BYE: gettext_lazy("as a bye"),
}
MEASURES: Final[Mapping[BoardMeasure, Word]] = {
    BoardMeasure.HAND_POINTS: gettext_lazy("levels, the deal counted as one"),
    BoardMeasure.ATTACKERS_POINTS: gettext_lazy("points of the attackers"),
}
BOARD_SCALES: Final[Mapping[BoardWorth, Word]] = {
    BoardWorth.DIFFERENCE: gettext_lazy("the difference itself"),
    BoardWorth.WINS: gettext_lazy("2 for the better, 1 each when equal"),
    BoardWorth.IMP: gettext_lazy("IMPs by the table of bridge"),
    BoardWorth.MATCHPOINTS: gettext_lazy("matchpoints: 2 for each pair beaten, 1 for each tie, in per cent"),
    BoardWorth.CROSS_IMP: gettext_lazy("cross-IMPs: the average of the differences to all other tables"),
}
MOVEMENTS: Final[Mapping[MovementKind, Word]] = {
    MovementKind.MITCHELL: gettext_lazy("Mitchell"),
    MovementKind.HOWELL: gettext_lazy("Howell"),
    MovementKind.BALANCED: gettext_lazy("balanced by search"),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the regulation; `assumed` where the published one does not say it."""

    label: str
    value: str
    assumed: bool = False


def joined(words: Sequence[str]) -> str:
    return pgettext("joins items of a list", ", ").join(words)


def chain_words(chain: Sequence[str], points_are: str | None = None) -> str:
    """The order of tie-breaks in words, points by the name they may have; a knockout has none."""
    if not chain:
        return _("how far one came")
    first, *others = [in_language(title_of_tiebreak(code, points_are)) for code in chain]
    if not others:
        return first
    # Translators: the order of tie-breaks: points, then opponent points, wins.
    return _("%(first)s, then %(others)s") % {"first": first, "others": joined(others)}


def scale_words(stage: Stage) -> str:
    scale = SCALES.get(stage.match_score)
    if stage.format == StageFormat.DUPLICATE_PAIRS and scale is not None and scale.by_hands and not scale.by_boards:
        return _("what its boards come to over the average")
    if scale is not None and scale.by_hands and stage.directing.scoring in _MARGINS:
        return str(_MARGINS[stage.directing.scoring])
    if not stage.match_score:
        return _("the score of each player")
    return in_language(SCALES[stage.match_score].named(draws=stage.may_be_drawn))


def title_of(stage: Stage) -> str:
    """Its name, else its format."""
    return stage.name or str(StageFormat(stage.format).label)


def comes_in(stage: Stage) -> str:
    """Who comes into a stage that follows another one."""
    qualify = stage.directing.qualify
    if qualify is None:
        return _("everybody goes on")
    before = stage_before(stage)
    if before is None or before.directing.groups is before.directing.group_of is None:
        return ngettext("the first goes on", "the first %(n)s go on", qualify) % {"n": qualify}
    return ngettext("the first of each group goes on", "the first %(n)s of each group go on", qualify) % {"n": qualify}


def fixed_words(plan: Plan) -> str:
    """Fixed hands in order: levels, each with its dealer and its trump where one is set; alike in a row, once."""
    said = [(_fixed_hand(one), len([*alike])) for one, alike in groupby(plan.fixed)]
    return joined([words if times == 1 else f"{times}\u00a0×\u00a0{words}" for words, times in said])


def _counted(plan: Plan) -> str:
    """What of hands that are set is counted, where it is not hand points."""
    return "" if plan.scoring is Scoring.HAND_POINTS else str(SCORINGS[plan.scoring][1])


def _fixed_hand(hand: FixedHand) -> str:
    level = level_word(hand.level)
    dealt = level if hand.dealer is None else f"{level} {SEATS[str(hand.dealer)]}"
    return dealt if hand.trump is None else f"{dealt} {in_language(TRUMPS[hand.trump])}"


def facts_of(stage: Stage, *, later: bool = False) -> list[Fact]:
    """Everything that is stated of a stage; `later`: it follows another one."""
    plan = stage.directing
    found: list[Fact | None] = [
        Fact(_("Format"), str(StageFormat(stage.format).label)),
        Fact(_("Who plays"), comes_in(stage)) if later else None,
        _said(_("Brings along"), str(CARRIES[plan.carry]) if later and plan.carry is not Carry.NONE else ""),
        _said(_("Groups"), _groups(plan)),
        Fact(_("Rounds"), _rounds(stage)),
        _said(_("Games a match"), _("best of %(n)s") % {"n": plan.best_of} if plan.best_of > 1 else ""),
        _said(pgettext("how long a round takes", "Time"), _time(stage)),
        _said(_("Hands"), _("%(n)s a match") % {"n": stage.hands} if stage.hands else ""),
        _said(_("Set hands"), fixed_words(plan)),
        _said(_("Of a hand counts"), _counted(plan)),
        _said(_("Boards"), _("%(n)s a round") % {"n": plan.boards} if plan.boards else ""),
        *_boards(stage, plan),
        _said(_("Movement"), str(MOVEMENTS[plan.movement]) if plan.movement else ""),
        _said(_("Wins at once"), _("%(n)s levels ahead") % {"n": stage.lead_levels} if stage.lead_levels else ""),
        _equal_levels(stage),
        Fact(_("Match score"), scale_words(stage), stage.match_score_assumed),
        _said(_("A bye is worth"), str(BYES[plan.bye]) if plan.bye else ""),
        *_knockout(stage, plan),
        _said(_("Not there"), _late(plan)),
        _said(_("Lines"), joined([str(place) for place in plan.places])),
        _said(_("Prizes"), joined([exact(prize) for prize in plan.prizes])),
    ]
    return [one for one in found if one is not None]


def _said(label: str, value: str) -> Fact | None:
    return Fact(label, value) if value else None


def order_words(stage: Stage) -> str:
    """By what the entrants of a stage are ranked."""
    return chain_words(() if stage.format == StageFormat.KO_TIMED else stage.chain, stage.points_are)


def _rounds(stage: Stage) -> str:
    by_field = stage.directing.rounds_by_field and stage.begun_at is None
    if by_field or not stage.rounds_planned:  # a stage of a preset that is not made yet has no number
        return _("as many as the field needs")
    return str(stage.rounds_planned)


def _groups(plan: Plan) -> str:
    if plan.groups is None and plan.group_of is None:
        return ""
    if plan.groups is None:
        return _("of %(n)s each, %(order)s") % {"n": plan.group_of, "order": ORDERS[plan.order]}
    return ngettext("%(n)s group, %(order)s", "%(n)s groups, %(order)s", plan.groups) % {
        "n": plan.groups,
        "order": ORDERS[plan.order],
    }


def _time(stage: Stage) -> str:
    if not stage.minutes:
        return ""
    said = _("%(n)s min a round") % {"n": stage.minutes}
    warning = stage.directing.warning
    return joined([said, _("called %(n)s min before") % {"n": warning}]) if warning else said


def _late(plan: Plan) -> str:
    if plan.late is None:
        return ""
    return _("forfeit after %(n)s min") % {"n": plan.late} if plan.late else _("forfeit at the start")


def _boards(stage: Stage, plan: Plan) -> list[Fact]:
    if stage.format not in WORTHS:
        return []
    worth = plan.board_scale or WORTHS[stage.format][0]
    return [
        Fact(_("A board is compared by"), str(MEASURES[plan.measure])),
        Fact(_("A board is worth"), str(BOARD_SCALES[worth])),
    ]


def _equal_levels(stage: Stage) -> Fact | None:
    if stage.format in (StageFormat.INDIVIDUAL, StageFormat.DUPLICATE_TEAMS, StageFormat.DUPLICATE_PAIRS):
        return None
    return Fact(_("Equal levels at the end"), str(stage.get_tie_rule_display()))


def _knockout(stage: Stage, plan: Plan) -> list[Fact | None]:
    if stage.format != StageFormat.KO_TIMED:
        return []
    bracket = _("winners of groups meet seconds of others") if plan.crossed else str(BRACKETS[plan.bracket])
    third = _("played for") if plan.third_place else _("shared by those who lose the semi-finals")
    return [Fact(_("Bracket"), bracket), Fact(_("Third place"), third)]

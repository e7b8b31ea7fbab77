"""Who would play in a stage that begins now: whoever entered, or qualified in the stage before; in order, by group."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scoring.hands.findings import Refused

from ..acts.errors import WrongStep
from ..draws import knockout
from ..draws.lots import by_lot
from ..models import Entrant, Stage
from ..plans.plan import Force, MovementKind, Order
from ..standings.penalised import penalised
from ..standings.rankings import basis_of, excluded_by, is_over
from ..standings.runs import stage_seed
from ..standings.stage_order import seeding, stage_after, stage_before
from ..standings.tables import Competitor
from .apart import apart_in
from .forms import STAGE_FIELDS
from .misfits import (
    GROUPS,
    INDIVIDUAL,
    KNOCKOUT,
    PAIRS,
    ROUND_ROBIN,
    TEAMS,
    BadSetting,
    Settings,
    refuse_unfit_field,
)


def facts_of(stage: Stage) -> dict[str, Any]:
    """The fields of a stage as `stage_facts` reads them."""
    return {name: getattr(stage, name) for name in STAGE_FIELDS}


@dataclass(frozen=True, slots=True)
class Coming:
    """An entrant (id) in the field of a stage to be; the order is that of the list. See models.StageEntrant."""

    entrant: int
    group: int | None = None
    from_group: int | None = None
    from_rank: int | None = None

    def to_json(self) -> list[int | None]:
        """As the history keeps it: entrant, group, group and place in the stage before."""
        return [self.entrant, self.group, self.from_group, self.from_rank]


def foresee_field(
    stage: Stage,
    *,
    order: Sequence[int] | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    replace_withdrawn: bool | None = None,
) -> tuple[Coming, ...]:
    """Who would play in a stage that begins now, in order; nothing is written.

    The first stage: everybody entered and still there. A later one: whoever qualifies in the stage before.
    `replace_withdrawn` decides about qualifiers who have left: the next one comes in (True), or their places stay empty
    (False); asked for with a refusal when there are such. `order` are ids in the order of draw numbers drawn by hand;
    `groups` ids by group, in the order of draw numbers there.
    """
    settings = Settings.of(facts_of(stage))
    before = stage_before(stage)
    if before is None:
        coming = [Coming(pk) for pk in _entered(stage)]
    else:
        coming = list(_qualifiers(stage, before, replace_withdrawn))
        if settings.plan.crossed:
            _refuse_uncrossed(coming)
    placed = _in_order(stage, coming, order if groups is None else _row_by_row(groups))
    count = dealt_groups(settings, len(placed))
    if count is None and groups is not None:
        raise BadSetting("groups", code="no_groups")
    if count is not None:
        placed = _dealt(stage, settings, placed, count, groups)
    following = stage_after(stage)
    refuse_unfit_field(settings, sizes_of(placed), following.directing if following is not None else None)
    return tuple(placed)


def entered_field(stage: Stage, without: Collection[int] = ()) -> list[Coming]:
    """The field of a first stage as the regulation alone made it when it began, without some of those who entered;
    unchecked."""
    settings = Settings.of(facts_of(stage))
    placed = _in_order(stage, [Coming(pk) for pk in _entered(stage) if pk not in without], None)
    count = dealt_groups(settings, len(placed))
    then = stage.begun_at
    return placed if count is None else _dealt(stage, settings, placed, count, None, then)


def _entered(stage: Stage) -> list[int]:
    """Ids of everybody who can begin the first stage, by seed, then number."""
    gone = excluded_by(penalised(stage.tournament))
    rows = Entrant.objects.filter(tournament=stage.tournament_id, withdrawn_at=None)
    ordered = sorted(rows.values_list("pk", "seed", "number"), key=lambda row: seeding(row[1], row[2]))
    return [pk for pk, _, _ in ordered if pk not in gone]


def _qualifiers(stage: Stage, before: Stage, replace_withdrawn: bool | None) -> Iterable[Coming]:
    """Who comes from the stage before: by place, the first of every group, then the second ones, and so on.

    Ties inside are in the order of lots; a tie across the line has to be decided first.
    """
    if not is_over(before):
        raise WrongStep(
            "stage_before_open",
            f"Stage {before.number} is not over: close its rounds, with every result and appeal settled.",
            f"第 {before.number} 阶段还没有结束：各轮要关闭，成绩齐全，申诉已决。",
            {"stage": before.number},
        )
    event, many = stage.tournament, stage.directing.qualify
    basis = basis_of(before, over=True)
    who = {one.entrant: one for one in basis.competitors}
    lots = {pk: place for place, pk in enumerate(by_lot(event.lot_seed, stage.number, who))}
    found: list[Coming] = []
    left: list[int] = []
    for table in basis.tables(stage_seed(event, before)):
        rows = [row for row in table.rows() if row.rank is not None and _eligible(who[int(row.entrant)])]
        rows.sort(key=lambda row: (row.rank or 0, lots[int(row.entrant)]))
        chosen = rows if many is None else rows[:many]
        absent = [row for row in chosen if _left(who[int(row.entrant)])]
        left += [who[int(row.entrant)].number for row in absent]
        if absent and (replace_withdrawn or many is None):
            rows = [row for row in rows if not _left(who[int(row.entrant)])]
            chosen = rows if many is None else rows[:many]
        if many is not None:
            _refuse_unclear(rows, many, table.group, {pk: one.number for pk, one in who.items()})
        found += [
            Coming(int(row.entrant), from_group=table.group, from_rank=number)
            for number, row in enumerate(chosen, start=1)
        ]
    if left and many is not None and replace_withdrawn is None:
        numbers = ", ".join(map(str, sorted(left)))
        raise WrongStep(
            "qualifier_left",
            f"Entrants who would qualify have left: {numbers}. Let the next come in, or leave their places empty.",
            f"出线者中已有人退出：{numbers} 号。请决定由下一名递补，或空出名额。",
            {"numbers": sorted(left)},
        )
    return sorted(found, key=lambda one: (one.from_rank or 0, one.from_group or 0))


def _eligible(one: Competitor) -> bool:
    return not one.excluded and not one.annulled


def _left(one: Competitor) -> bool:
    return one.withdrawn


def _refuse_unclear(rows: Sequence[Any], many: int, group: int | None, numbers: Mapping[int, int]) -> None:
    """Refuse when too few are there to qualify, or a tie stands across the line; `numbers` of the entrants by id."""
    where = ("", "") if group is None else (f" of group {group}", f"第 {group} 组")
    if len(rows) < many:
        raise WrongStep(
            "too_few_qualify",
            f"{many} qualify; the table{where[0]} has only {len(rows)}.",
            f"应有 {many} 个出线，{where[1] or '名次表'}只有 {len(rows)} 个。",
            {"group": group},
        )
    if len(rows) == many or rows[many - 1].rank != rows[many].rank:
        return
    undecided = rows[many].undecided
    told = undecided.text() if undecided is not None else {"en": "A tie stands across the line", "zh": "并列跨过出线线"}
    raise WrongStep(
        "tie_across_the_line",
        f"It is not decided who qualifies{where[0]}. {told['en']}.",
        f"{where[1]}出线名额未定：{told['zh']}。",
        {
            "group": group,
            "qualify": many,
            "rank": rows[many].rank,
            "tied": [numbers[int(row.entrant)] for row in rows if row.rank == rows[many].rank],
        },
    )


def _refuse_uncrossed(coming: Sequence[Coming]) -> None:
    groups = {one.from_group for one in coming}
    if len(groups) % 2 or None in groups:
        raise BadSetting(
            "stage.plan.crossed",
            {"en": "Groups that cross come in twos.", "zh": "交叉淘汰要求组数为双数。"},
            "groups_do_not_cross",
        )


def _in_order(stage: Stage, coming: Sequence[Coming], by_hand: Sequence[int] | None) -> list[Coming]:
    """As they come (seeding, or places before), by lot, or in the order drawn by hand, which names everybody once."""
    of = {one.entrant: one for one in coming}
    if by_hand is not None:
        if sorted(by_hand) != sorted(of):
            raise BadSetting("order", code="not_everybody_once")
        return [of[pk] for pk in by_hand]
    if stage.directing.order is Order.DRAWN:
        return [of[pk] for pk in by_lot(stage.tournament.lot_seed, stage.number, of)]
    return list(coming)


def _row_by_row(groups: Sequence[Sequence[int]]) -> list[int]:
    """Groups drawn by hand as one order: the first of every group, the second ones, and so on."""
    most = max(map(len, groups), default=0)
    return [group[row] for row in range(most) for group in groups if row < len(group)]


def _dealt(
    stage: Stage,
    settings: Settings,
    placed: Sequence[Coming],
    count: int,
    by_hand: Sequence[Sequence[int]] | None,
    then: datetime | None = None,
) -> list[Coming]:
    """The same with the group of each; in groups drawn by hand as given, else snake where seeded, units and those who
    are kept apart (`then`, or now) in different ones."""
    if by_hand is None:
        apart = settings.plan.units_apart is not Force.OFF
        try:
            found = knockout.groups(
                [one.entrant for one in placed],
                count,
                snake=settings.plan.order is Order.SEEDED,
                units=_units(stage) if apart else None,
                apart=apart_in(stage.tournament_id, then),
            )
        except Refused as refused:
            raise BadSetting("stage.plan.groups", refused.message, refused.code) from None
    elif settings.plan.group_of is None and len(by_hand) != count:
        raise BadSetting(
            "groups",
            {"en": f"There are {count} groups.", "zh": f"应分 {count} 组。"},
            "other_number_of_groups",
        )
    else:
        found = tuple(tuple(group) for group in by_hand)
    group_of = {entrant: number for number, group in enumerate(found, start=1) for entrant in group}
    return [replace(one, group=group_of[one.entrant]) for one in placed]


def _units(stage: Stage) -> dict[Any, str]:
    rows = Entrant.objects.filter(tournament=stage.tournament_id).exclude(unit="")
    return dict(rows.values_list("pk", "unit"))


def sizes_of(placed: Sequence[Coming]) -> list[int]:
    """How many are in each group, or in the whole field."""
    sizes: dict[int | None, int] = {}
    for one in placed:
        sizes[one.group] = sizes.get(one.group, 0) + 1
    return list(sizes.values())


def rounds_needed(one: Settings, sizes: Sequence[int]) -> int:
    """The rounds that a stage has where the regulation states none; `sizes` of its groups, or of the one table.

    Until all have met where everybody meets everybody, until one is left in a knockout, until a movement is through;
    else one round more than a knockout would have.
    """
    most = max(sizes, default=0)
    if most < 2 or one.format == INDIVIDUAL:
        return 1
    until_all_met = most - 1 + most % 2
    if one.format in {ROUND_ROBIN, GROUPS, TEAMS}:
        return until_all_met
    if one.format == PAIRS:
        tables = (most + 1) // 2
        return until_all_met if one.plan.movement is MovementKind.HOWELL else tables - 1 + tables % 2
    to_one = (most - 1).bit_length()
    return to_one if one.format == KNOCKOUT else to_one + 1


def dealt_groups(one: Settings, entrants: int) -> int | None:
    """Into how many groups so many are dealt; None in a stage without groups."""
    if one.plan.group_of is not None:
        return max(1, -(-entrants // one.plan.group_of))
    return one.plan.groups

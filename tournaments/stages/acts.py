"""The chain of stages: add, change and remove them; begin one, which fixes who plays in it and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..acts import history
from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import PAGES_MOVED, Add, AddAll, Change, Line, Move, Remove, RemoveAll, Write, carry_out
from ..acts.errors import NotFound, WrongStep, clean_text
from ..acts.rows import find_tournament, hold_tables
from ..models import Entrant, Match, RoundStatus, Sitting, Stage, StageEntrant, StandingsRun, Tournament
from ..plans.presets import plain
from ..standings.stage_order import current_stage, field_of, stage_after, stage_before
from .facts import changed_facts, stage_facts
from .fields import Coming, entered_field, facts_of, foresee_field, rounds_needed, sizes_of
from .misfits import BadSetting, Settings, refuse_broken_chain, refuse_unless_playable

#: What may be changed of a stage in play: nothing that decides results.
ALWAYS_FREE = frozenset({"name", "minutes", "rounds_planned", "plan.late", "plan.warning", "plan.rounds_by_field"})


def add_stage(*, tournament_id: int, actor: Actor, at: datetime, facts: Mapping[str, Any]) -> Stage:
    """One more stage at the end of the chain."""

    def decide() -> Change[Stage]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.SET_UP, tournament=event)
        stages = list(event.stages.order_by("number"))
        made = stage_facts(plain(facts))
        refuse_unless_playable(event.profile, made)
        refuse_broken_chain([*map(facts_of, stages), made])
        stage = Stage(tournament=event, number=stages[-1].number + 1 if stages else 1, **made)
        line = Line(Act.SET_UP, ("stage", stage), new={"number": stage.number, **made})
        return Change(admitted, stage, (Add(stage),), (line,), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


def change_stage(*, stage_id: int, actor: Actor, at: datetime, changes: Mapping[str, Any]) -> Stage:
    """Change fields of a stage; see `changed_fields`."""

    def decide() -> Change[Stage]:
        stage = _locked(stage_id)
        admitted = require(actor, Act.SET_UP, tournament=stage.tournament)
        old, new = changed_fields(stage, plain(changes))
        if not new:
            return Change(admitted, stage)
        line = Line(Act.SET_UP, ("stage", stage), old=old, new=new)
        return Change(admitted, stage, (Move(stage, new),), (line,), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


def remove_stage(*, stage_id: int, actor: Actor, at: datetime) -> None:
    """Take a stage that has not begun out of the chain; those after it move up. The event keeps at least one."""

    def decide() -> Change[None]:
        stage = _locked(stage_id)
        admitted = require(actor, Act.SET_UP, tournament=stage.tournament)
        if stage.begun_at is not None or stage.rounds.exists():
            raise WrongStep("stage_has_begun", "The stage has begun: it stays.", "本阶段已经开始，不能删去。")
        others = list(stage.tournament.stages.exclude(pk=stage.pk).order_by("number"))
        refuse_broken_chain([facts_of(one) for one in others])
        # its live table is worked out anew at any time, so it goes with it
        writes: list[Write] = [RemoveAll(StandingsRun, {"stage": stage.pk}), Remove(stage)]
        writes += [Move(one, {"number": number}) for number, one in enumerate(others, start=1) if one.number != number]
        line = Line(Act.SET_UP, f"stage:{stage.pk}", old={"number": stage.number, **facts_of(stage)})
        return Change(admitted, None, tuple(writes), (line,), PAGES_MOVED, stale=True)

    carry_out(decide, actor, at)


def changed_fields(stage: Stage, changes: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What changing fields of a stage would change: what they were, and what they would be.

    Refused for those that are fixed by then (`fixed_among`): begin the stage again to change what shaped its field.
    """
    event, current = stage.tournament, facts_of(stage)
    wanted = changed_facts(current, changes, begun=stage.begun_at is not None)
    refuse_unless_playable(event.profile, wanted)
    new = {name: value for name, value in wanted.items() if value != current[name]}
    _refuse_fixed(stage, current, new)
    if "rounds_planned" in new and new["rounds_planned"] < stage.rounds.filter(extra=False).count():
        raise BadSetting("stage.rounds_planned", code="rounds_there")
    refuse_broken_chain([wanted if one.pk == stage.pk else facts_of(one) for one in event.stages.order_by("number")])
    return {name: current[name] for name in new}, new


def fixed_among(stage: Stage, names: Iterable[str]) -> list[str]:
    """Those of these fields of a stage (``plan.groups``: of its plan) that can no longer be changed.

    Once the field is fixed these are the format and the plan, once play has begun all that decides results.
    """
    deciding = [name for name in names if name not in ALWAYS_FREE]
    if not deciding or _play_has_begun(stage):
        return deciding
    return [name for name in deciding if stage.begun_at and (name == "format" or name.startswith("plan."))]


def _play_has_begun(stage: Stage) -> bool:
    return stage.rounds.filter(status__in=[RoundStatus.RUNNING, RoundStatus.CLOSED]).exists()


def _refuse_fixed(stage: Stage, current: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuse changes that come too late."""
    old_plan, new_plan = current["plan"], new.get("plan", current["plan"])
    in_plan = {key for key in {*old_plan, *new_plan} if old_plan.get(key) != new_plan.get(key)}
    changed = [*sorted(set(new) - {"plan"}), *(f"plan.{key}" for key in sorted(in_plan))]
    if not (fixed := fixed_among(stage, changed)):
        return
    if _play_has_begun(stage):
        raise BadSetting(f"stage.{fixed[0]}", code="play_has_begun")
    raise BadSetting(
        f"stage.{fixed[0]}",
        {
            "en": "The stage has begun; who plays in it is fixed.",
            "zh": "本阶段已经开始，参赛名单是按这一项定的。",
        },
        "stage_has_begun",
    )


def _locked(stage_id: int) -> Stage:
    """The stage, its tournament's row locked and its tables held; `stage.tournament` is that very row."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        raise NotFound()
    stage.tournament = find_tournament(stage.tournament_id, lock=True)
    hold_tables(stage.tournament_id)
    return stage


def begin_stage(
    *,
    stage_id: int,
    actor: Actor,
    at: datetime,
    order: Sequence[int] | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    replace_withdrawn: bool | None = None,
    reason: str = "",
) -> Stage:
    """Fix who plays in a stage, in which order and in which group; as `foresee_field`.

    Again, with a reason, as long as no pairing of the stage is published: drafts of it are dropped.
    """

    def decide() -> Change[Stage]:
        stage = _locked(stage_id)
        admitted = require(actor, Act.BEGIN_STAGE, tournament=stage.tournament)
        again = stage.begun_at is not None
        said = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=again or bool(replace_withdrawn))
        _refuse_published(stage)
        for number, ids in enumerate([order, *(groups or ())]):
            if ids is not None and (not isinstance(ids, Sequence) or not all(type(one) is int for one in ids)):
                where = "order" if number == 0 else "groups"
                raise BadSetting(where, {"en": "A list of entrants.", "zh": "要是参赛方的列表。"}, "not_a_list")
        field = foresee_field(stage, order=order, groups=groups, replace_withdrawn=replace_withdrawn)
        by_hand = order is not None or groups is not None
        fixed = field_fixed(stage, field, at, by_hand=by_hand, reason=said)
        drafts = {"round__stage": stage.pk, "round__status": RoundStatus.DRAFT}
        writes = (*fixed.writes, RemoveAll(Sitting, drafts), RemoveAll(Match, drafts))
        return Change(admitted, stage, writes, fixed.lines, PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixes the field of a stage: writes, and lines of the history. Nothing where it is fixed already."""

    writes: tuple[Write, ...] = ()
    lines: tuple[Line, ...] = ()


def beginning(stage: Stage, at: datetime) -> Fixed:
    """The first stage begins with its first round; a later one has to be begun, because somebody may have to decide."""
    if stage.begun_at is not None or stage.field.exists():
        return Fixed()
    before = stage_before(stage)
    if before is not None:
        raise WrongStep(
            "stage_not_begun",
            f"Who plays in stage {stage.number} is not fixed yet. Begin the stage first.",
            f"第 {stage.number} 阶段的参赛名单还没有定，请先开始该阶段。",
            {"stage": stage.number},
        )
    return field_fixed(stage, foresee_field(stage), at)


def stage_for_round(event: Tournament, stage_id: int | None, *, extra: bool = False) -> Stage:
    """The stage that the next round belongs to: the one that is named, else the current one.

    Refused when a later stage has begun, when its rounds are all there, and where the next stage has to begin first.
    """
    stage = current_stage(event) if stage_id is None else event.stages.filter(pk=stage_id).first()
    if stage is None:
        raise NotFound()
    following = stage_after(stage)
    if following is not None and following.begun_at is not None:
        raise WrongStep(
            "next_stage_begun",
            f"Stage {following.number} has begun; stage {stage.number} is over.",
            f"第 {following.number} 阶段已经开始，第 {stage.number} 阶段已结束。",
            {"stage": following.number},
        )
    if extra or stage.rounds.filter(extra=False).count() < stage.rounds_planned or stage.begun_at is None:
        return stage
    if following is not None:
        raise WrongStep(
            "begin_next_stage",
            f"All rounds of stage {stage.number} are there. Begin stage {following.number}.",
            f"第 {stage.number} 阶段的各轮都已有了，请开始第 {following.number} 阶段。",
            {"stage": following.number},
        )
    raise WrongStep(
        "all_rounds_there",
        f"The regulation plans {stage.rounds_planned} rounds; all are there.",
        f"规程只安排 {stage.rounds_planned} 轮，已经都有了。",
    )


def is_drawn(stage: Stage) -> bool:
    """Whether anything was drawn or paired in the stage, if only as a draft."""
    return Match.objects.filter(round__stage=stage).exists()


def enlarged(stage: Stage, entrants: Sequence[Entrant], at: datetime) -> Fixed:
    """New entrants come into a first stage that has begun and of which nothing is drawn yet.

    Its field is simply fixed anew; an order drawn by hand stays, and they come last.
    """
    new = {one.pk for one in entrants}
    if _as_foreseen(stage, without=new):
        return field_fixed(stage, foresee_field(stage), at)
    last = StageEntrant.objects.filter(stage=stage).order_by("-order").values_list("order", flat=True).first() or 0
    grown = [Coming(place.entrant, place.group) for place in field_of(stage)]
    there = len(grown)
    for one in entrants:
        grown.append(Coming(one.pk, _smallest_group(grown)))
    rows = AddAll(_rows(stage, grown[there:], at, after=last))
    follows = following(stage, grown)
    line = Line(Act.BEGIN_STAGE, ("stage", stage), new={"joined": sorted(new)})
    return Fixed((rows, Move(stage, follows)) if follows else (rows,), (line,))


def _as_foreseen(stage: Stage, without: set[int]) -> bool:
    """Whether the field is as the regulation alone would have made it, before these came."""
    rows = StageEntrant.objects.filter(stage=stage).order_by("order").values_list("entrant", "group")
    try:
        made = entered_field(stage, without=without)
    except BadSetting:  # groups that cannot be dealt were dealt by hand
        return False
    return list(rows) == [(one.entrant, one.group) for one in made]


def _smallest_group(field: Sequence[Coming]) -> int | None:
    sizes: dict[int, int] = {}
    for place in field:
        if place.group is not None:
            sizes[place.group] = sizes.get(place.group, 0) + 1
    return min(sizes, key=lambda group: (sizes[group], -group), default=None)


def _refuse_published(stage: Stage) -> None:
    if stage.rounds.exclude(status=RoundStatus.DRAFT).exists():
        raise WrongStep("stage_is_drawn")
    before = stage_before(stage)
    if before is not None and before.begun_at is None:
        raise WrongStep(
            "stage_before_not_begun",
            f"Stage {before.number} comes first.",
            f"要先进行第 {before.number} 阶段。",
            {"stage": before.number},
        )


def field_fixed(
    stage: Stage, field: Sequence[Coming], at: datetime, *, by_hand: bool = False, reason: str = ""
) -> Fixed:
    """The field takes the place of the one that was, with what follows from it. The history says how the order came
    about, and who has which place."""
    follows = following(stage, field)
    how = "hand" if by_hand else str(stage.directing.order)
    rounds = follows.get("rounds_planned", stage.rounds_planned)
    new = {"order": how, "rounds": rounds, "field": [one.to_json() for one in field]}
    there = RemoveAll(StageEntrant, {"stage": stage.pk})
    writes = (there, AddAll(_rows(stage, field, at)), Move(stage, {"begun_at": at, **follows}))
    return Fixed(writes, (Line(Act.BEGIN_STAGE, ("stage", stage), reason, new=new),))


def _rows(stage: Stage, field: Sequence[Coming], at: datetime, *, after: int = 0) -> list[StageEntrant]:
    """The rows of a field, whose order begins after this one."""
    return [
        StageEntrant(
            stage=stage,
            entrant_id=one.entrant,
            order=order,
            group=one.group,
            from_group=one.from_group,
            from_rank=one.from_rank,
            joined_at=at,
        )
        for order, one in enumerate(field, start=after + 1)
    ]


def following(stage: Stage, field: Sequence[Coming]) -> dict[str, Any]:
    """The columns of a stage that follow from its field: how many groups there are, and how many rounds."""
    sizes, columns = sizes_of(field), dict[str, Any]()
    if stage.directing.group_of is not None:
        columns["plan"] = {**stage.plan, "groups": len(sizes)}
    if stage.directing.rounds_by_field:
        columns["rounds_planned"] = rounds_needed(Settings.of({**facts_of(stage), **columns}), sizes)
    return columns

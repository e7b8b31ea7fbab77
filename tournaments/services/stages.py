"""The chain of stages: add, change and remove them; begin one, which fixes who plays in it and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..exchange.forms import STAGE_FIELDS
from ..models import RoundStatus, Stage, Tournament
from .stage_facts import BadSetting, changed_facts, refuse_broken_chain, refuse_unless_playable

#: What may be changed of a stage in play, of its columns and of its plan: nothing that decides results.
FREE_FIELDS = frozenset({"name", "minutes", "rounds_planned"})
FREE_IN_PLAN = frozenset({"late", "warning", "rounds_by_field"})


def facts_of(stage: Stage) -> dict[str, Any]:
    """The fields of a stage as `stage_facts` reads them."""
    return {name: getattr(stage, name) for name in STAGE_FIELDS}


def write_changes(event: Tournament, stage: Stage, changes: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Change fields of a stage, in the caller's transaction; what they were and are.

    Once play has begun what decides results is fixed: all but name, minutes, rounds, and the warning and lateness of
    the plan. Once the field is fixed its format and the rest of the plan are: begin the stage again to change them.
    """
    current = facts_of(stage)
    wanted = changed_facts(current, changes)
    refuse_unless_playable(event.profile, wanted)
    new = {name: value for name, value in wanted.items() if value != current[name]}
    _refuse_fixed(stage, current, new)
    if "rounds_planned" in new and new["rounds_planned"] < stage.rounds.filter(extra=False).count():
        en, zh = "There are more rounds than that already.", "已有的轮数比这更多。"
        raise BadSetting("stage.rounds_planned", {"en": en, "zh": zh}, "rounds_there")
    refuse_broken_chain([wanted if one.pk == stage.pk else facts_of(one) for one in event.stages.order_by("number")])
    for name, value in new.items():
        setattr(stage, name, value)
    if new:
        stage.save(update_fields=list(new))
    return {name: current[name] for name in new}, new


def _refuse_fixed(stage: Stage, current: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuse changes that come too late."""
    changed_plan = {
        key
        for key in {*current["plan"], *new.get("plan", {})}
        if current["plan"].get(key) != new.get("plan", current["plan"]).get(key)
    }
    in_plan = sorted(changed_plan - FREE_IN_PLAN)
    fixed = sorted(set(new) - FREE_FIELDS - {"plan"}) + [f"plan.{key}" for key in in_plan]
    played = stage.rounds.filter(status__in=[RoundStatus.RUNNING, RoundStatus.CLOSED]).exists()
    if fixed and played:
        raise BadSetting(
            f"stage.{fixed[0]}",
            {"en": "Play has begun: this can no longer be changed.", "zh": "比赛已经开始，这一项不能再改。"},
            "play_has_begun",
        )
    shaping = [name for name in fixed if name == "format" or name.startswith("plan.")]
    if shaping and stage.begun_at is not None:
        raise BadSetting(
            f"stage.{shaping[0]}",
            {
                "en": "The stage has begun: who plays in it was fixed by this.",
                "zh": "本阶段已经开始，参赛名单是按这一项定的。",
            },
            "stage_has_begun",
        )

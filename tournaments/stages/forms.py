"""The form of an event as a file (赛事模板文件): rules, penalties and the chain of stages, without names or ids.

Canonical JSON: what is usual is left out, so the same regulation is always the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scoring.hands.reading import Reader

from ..acts.text import canonical_json
from ..models import Tournament
from ..plans.presets import Preset, plain

FORMAT = "referee/form/1"

#: The fields of a stage that stand in a form, in the order of models.Stage; those without a value are left out.
STAGE_FIELDS = (
    "name",
    "format",
    "match_score",
    "match_score_assumed",
    "tie_rule",
    "minutes",
    "hands",
    "lead_levels",
    "rounds_planned",
    "chain",
    "plan",
)


@dataclass(frozen=True, slots=True)
class Form:
    """What a regulation says: specs of rules and penalties (None: the usual), minutes to appeal, the stages' fields."""

    profile: str | Mapping[str, Any]
    stages: tuple[Mapping[str, Any], ...]
    penalties: str | Mapping[str, Any] | None = None
    appeal_minutes: int | None = None

    @classmethod
    def of_preset(cls, preset: Preset) -> Self:
        return cls(plain(preset.profile), tuple(plain(preset.stages)), plain(preset.penalties))

    @classmethod
    def of_event(cls, event: Tournament) -> Self:
        stages = [{name: getattr(stage, name) for name in STAGE_FIELDS} for stage in event.stages.order_by("number")]
        return cls(event.profile_spec, tuple(map(_as_stated, stages)), event.penalties, event.appeal_minutes)

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Read a form; Refused with every finding about its shape. What its values mean is checked by who makes it."""
        reader = Reader(data, "form")
        reader.word("format", (FORMAT,), required=True)
        profile, penalties = reader.raw("profile"), reader.raw("penalties")
        if profile is None:
            reader.missing("profile")
        minutes = reader.whole("appeal_minutes", {"en": "minutes to appeal", "zh": "申诉分钟数"}, low=0, high=1440)
        stages = reader.items("stages", lambda item, path: _read_stage(reader.nested(item, path)))
        if reader.raw("stages") in (None, []):
            reader.missing("stages")
        reader.done()
        reader.refuse_if_any()
        return cls(profile, stages, penalties, minutes)

    def to_json(self) -> dict[str, Any]:
        stated = {"penalties": self.penalties, "appeal_minutes": self.appeal_minutes}
        return {
            "format": FORMAT,
            "profile": self.profile,
            "stages": list(self.stages),
            **{name: value for name, value in stated.items() if value is not None},
        }

    def text(self) -> str:
        """The file: canonical JSON."""
        return canonical_json(self.to_json())


def _read_stage(reader: Reader) -> Mapping[str, Any]:
    found = {name: reader.raw(name) for name in STAGE_FIELDS}
    if found["format"] is None:
        reader.missing("format")
    reader.done()
    return {name: value for name, value in found.items() if value is not None}


def _as_stated(stage: Mapping[str, Any]) -> dict[str, Any]:
    """The fields as the regulation states them: without what was worked out for the field of this one event."""
    plan = dict(stage["plan"])
    if "group_of" in plan:
        plan.pop("groups", None)
    by_field = plan.pop("rounds_by_field", False)
    stated = {**stage, "plan": plan, "rounds_planned": None if by_field else stage["rounds_planned"]}
    return {name: value for name, value in stated.items() if value not in (None, "", False, {})}

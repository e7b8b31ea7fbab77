"""What an event is made from, as data: rules, penalties, the plans of stages."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.hands.variants import Scoring
from scoring.standings.scales import Bye
from tournaments.models import StageFormat, TieRule
from tournaments.plans.plan import BoardMeasure, BoardWorth, Bracket, Carry, Force, Missed, MovementKind, Order

from .base import SCALAR, Answer, a_flag, a_list, a_text, a_word, an_exact, an_int
from .words import SEATS

_ROW: Final[dict[str, Any]] = {"type": "object", "additionalProperties": {"oneOf": SCALAR}}
_NUMBERS: Final[dict[str, Any]] = {"type": "array", "items": {"type": "integer"}}
#: The value of an option of the rules: a word, a number, yes or no, a list of them, rows of a table, ranges by name.
OPTION: Final[dict[str, Any]] = {
    "oneOf": [
        *SCALAR,
        {"type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "integer"}, _ROW]}},
        {"type": "object", "additionalProperties": {"oneOf": [*SCALAR, _NUMBERS]}},
    ]
}
#: A step of the ladder of a penalty: its unit, how much, whose.
STEP: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "unit": {"type": "string"},
        "amount": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        "innocent": {"type": "string"},
        "of": {"type": "string"},
        "reason": {"type": "string"},
        "mode": {"type": "string"},
        "fine": {"type": "string"},
        "each": {"type": "object", "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
    },
    "required": ["unit"],
}


def changed(**parts: dict[str, Any]) -> dict[str, Any]:
    """The id of something, or what is changed upon it."""
    upon = {"base": {"type": "string"}, **parts}
    return {"oneOf": [{"type": "string"}, {"type": "object", "properties": upon, "required": ["base"]}]}


@extend_schema_field(OPTION)
class OptionValue(serializers.JSONField):
    pass


PROFILE: Final = changed(set={"type": "object", "additionalProperties": OPTION})


@extend_schema_field(PROFILE)
class ProfileSpec(serializers.JSONField):
    """The id of a profile, or options changed upon one."""


@extend_schema_field(
    changed(
        set={"type": "object", "additionalProperties": {"type": "array", "items": STEP}},
        limits={"type": "object", "additionalProperties": {"type": "integer"}},
    )
)
class PenaltySpec(serializers.JSONField):
    """The id of a penalty schedule, or ladders and limits changed upon one."""


class FixedHand(Answer):
    level = a_text()
    dealer = a_word(SEATS, required=False)
    trump = a_text(required=False)


def choices(kind: Any) -> list[str]:
    return [str(one) for one in kind]


class Plan(Answer):
    """What is usual is left out."""

    qualify = an_int(null=True, required=False)
    carry = a_word(choices(Carry), required=False)
    order = a_word(choices(Order), required=False)
    groups = an_int(null=True, required=False)
    group_of = an_int(null=True, required=False)
    rounds_by_field = a_flag(required=False)
    bracket = a_word(choices(Bracket), required=False)
    crossed = a_flag(required=False)
    third_place = a_flag(required=False)
    best_of = an_int(required=False)
    no_rematch = a_word(choices(Force), required=False)
    one_bye = a_word(choices(Force), required=False)
    units_apart = a_word(choices(Force), required=False)
    bye = a_word(choices(Bye), null=True, required=False)
    fixed = FixedHand(many=True, required=False)
    scoring = a_word(choices(Scoring), required=False)
    boards = an_int(null=True, required=False)
    measure = a_word(choices(BoardMeasure), required=False)
    board_scale = a_word(choices(BoardWorth), null=True, required=False)
    movement = a_word(choices(MovementKind), null=True, required=False)
    arrow = an_int(required=False)
    warning = an_int(null=True, required=False)
    late = an_int(null=True, required=False)
    missed = a_word(choices(Missed), required=False)
    places = a_list(serializers.IntegerField(), required=False)
    prizes = a_list(an_exact(), required=False)


class StageOfForm(Answer):
    """A stage as a regulation states it; what it leaves out is worked out for the field."""

    name = a_text(required=False)
    format = a_word(StageFormat.choices)
    match_score = a_text(required=False)
    match_score_assumed = a_flag(required=False)
    tie_rule = a_word(TieRule.choices, required=False)
    minutes = an_int(null=True, required=False)
    hands = an_int(null=True, required=False)
    lead_levels = an_int(null=True, required=False)
    rounds_planned = an_int(null=True, required=False)
    chain = a_list(serializers.CharField(), required=False)
    plan = Plan(required=False)


class FormAnswer(Answer):
    format = a_text()
    profile = ProfileSpec()
    stages = StageOfForm(many=True)
    penalties = PenaltySpec(required=False)
    appeal_minutes = an_int(required=False)

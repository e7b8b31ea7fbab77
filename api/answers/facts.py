"""Facts of a ledger entry, its results and the state it leads to, as the kernel tells them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.hands.fields import FIELDS, Field, Kind
from scoring.hands.variants import Scoring
from tournaments.models import EntryKind

from .base import SCALAR, Answer, Sentence, a_flag, a_list, a_map, a_text, a_word, an_int, one_of
from .words import DEALERS, REFUSAL, ROLES, SEATS, SIDES


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            {"type": "object", "properties": {"en": {"type": "string"}, "zh": {"type": "string"}}},
        ]
    }
)
class Why(serializers.JSONField):
    """A reason: a text, or one in each language."""


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {
            "oneOf": [
                *SCALAR,
                {"type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
                {"type": "object", "additionalProperties": {"type": "string"}},
            ]
        },
    }
)
class Params(serializers.JSONField):
    """The values inside a sentence, by name."""


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "object", "additionalProperties": {"type": "integer"}}]})
class PointsTaken(serializers.JSONField):
    """Points by place of a hand that everybody plays for himself; of a penalty one number."""


class Shape(Answer):
    type = a_text()
    width = an_int(required=False)
    length = an_int(required=False)


class Thrown(Answer):
    """A failed throw of a role, or of a place of single players."""

    cards = an_int()
    side = a_word(ROLES, required=False)
    place = a_text(required=False)


class SpecialPlay(Answer):
    event = a_text()
    by = a_word(ROLES)


class DarkBid(Answer):
    side = a_word(ROLES)
    times = an_int()


class PointsAdjusted(Answer):
    points = an_int()
    why = Why()
    clause = a_text(required=False)


class CalledCard(Answer):
    card = a_text()
    ordinal = an_int(required=False)


#: What the API tells of a field, by what it holds; `null` says whether it may be told as nothing.
_TOLD: Final[Mapping[Kind, Callable[[bool], Any]]] = {
    Kind.ENTRY: lambda _null: a_word(EntryKind.choices),
    Kind.DEALER: lambda null: a_word(DEALERS, null=null, required=False),
    Kind.SEAT: lambda null: a_word(SEATS, null=null, required=False),
    Kind.ROLE: lambda null: a_word(ROLES, null=null, required=False),
    Kind.SIDE: lambda null: a_word(SIDES, null=null, required=False),
    Kind.CATEGORY: lambda null: a_word(("trump", "side"), null=null, required=False),
    Kind.NUMBER: lambda null: an_int(null=null, required=False),
    Kind.FLAG: lambda null: a_flag(null=null, required=False),
    Kind.SHAPES: lambda _null: Shape(many=True, required=False),
    Kind.THROWS: lambda _null: Thrown(many=True, required=False),
    Kind.CARDS: lambda _null: a_list(serializers.CharField(), required=False),
    Kind.SPECIALS: lambda _null: SpecialPlay(many=True, required=False),
    Kind.DARK_BIDS: lambda _null: DarkBid(many=True, required=False),
    Kind.ADJUSTMENTS: lambda _null: PointsAdjusted(many=True, required=False),
    Kind.CALL: lambda _null: CalledCard(allow_null=True, required=False),
    Kind.BY_PLACE: lambda _null: a_map(serializers.IntegerField(), required=False),
    Kind.TEXT: lambda _null: Why(required=False),
}


def _told(field: Field) -> Any:
    if field.name == "points":  # of a penalty of single players one number
        return PointsTaken(required=False)
    tell = _TOLD.get(field.kind)
    return a_text(null=field.null, required=False) if tell is None else tell(field.null)


class Facts(Answer):
    """A ledger entry of the batch protocol, of two sides or of single players: what says nothing is left out."""

    def get_fields(self) -> dict[str, Any]:
        return {field.name: _told(field) for field in FIELDS}


class FindingAnswer(Answer):
    """One problem: where, whether it stops, the clause it rests on, a sentence and the values inside it."""

    code = a_word(REFUSAL)
    field = a_text(null=True)
    blocking = a_flag()
    clause = a_text(null=True, required=False)
    message = Sentence()
    params = Params(required=False)


class ReasonAnswer(Answer):
    clause = a_text()
    text = Sentence()
    amount = an_int(required=False)


class TotalAnswer(Answer):
    captured = an_int()
    bonus = an_int()
    multiplier = an_int(null=True)
    fines = an_int()
    dark_bids = an_int()
    adjustments = an_int()
    raw = an_int()
    for_levels = an_int()


class Position(Answer):
    levels = a_map(a_text(null=True))
    on_stage = a_word(SIDES, null=True)
    next_dealer = a_word(SEATS, null=True)


class PlacesPosition(Answer):
    levels = a_map(a_text(null=True))
    scores = a_map(serializers.IntegerField())
    next_dealer = a_text(null=True)


class Result(Answer):
    """What one entry of a table of two sides did."""

    kind = a_text()
    before = Position()
    after = Position()
    dealer = a_text(null=True)
    level = a_text(null=True)
    total = TotalAnswer(allow_null=True)
    winner_role = a_word(ROLES, null=True)
    levels_won = an_int()
    deal_changes_hands = a_flag()
    hook = a_flag()
    stopped_at = a_text(null=True)
    jump = a_word(SIDES, null=True)
    flag_failed = a_flag()
    passed = a_word(SIDES, null=True)
    finished = a_flag()
    discrepancies = FindingAnswer(many=True)
    because = ReasonAnswer(many=True, required=False)
    sentence = Sentence(required=False)
    levels_sentence = Sentence(required=False)


class PlacesResult(Answer):
    """What one entry of a table of single players did."""

    kind = a_text()
    before = PlacesPosition()
    after = PlacesPosition()
    dealer = a_text(null=True)
    ally = a_text(null=True)
    level = a_text(null=True)
    bid = an_int(null=True)
    total = TotalAnswer(allow_null=True)
    winner_role = a_word(ROLES, null=True)
    levels_won = an_int()
    winners = a_list(serializers.CharField())
    gains = a_map(serializers.IntegerField())
    stopped_at = a_map(a_text(null=True))
    passed = a_list(serializers.CharField())
    finished = a_flag()
    discrepancies = FindingAnswer(many=True)
    because = ReasonAnswer(many=True, required=False)
    sentence = Sentence(required=False)
    scores_sentence = Sentence(required=False)


class StateAnswer(Position):
    """Where a table of two sides stands; the entries that led to it only where they are asked for."""

    next_level = a_text(null=True)
    contested = a_flag()
    passed = a_word(SIDES, null=True)
    hands_played = an_int()
    finished = a_flag()
    end_reason = a_text(null=True)
    winner = a_word(SIDES, null=True)
    decided_by = a_text(null=True)
    draw = a_flag()
    undecided = a_text(null=True)
    last_was_rebellion = a_flag()
    flag_failures = a_map(serializers.IntegerField())
    hooked = a_map(serializers.IntegerField())
    entries = Result(many=True, required=False)
    fixed_hands = an_int(required=False)
    hand_points = an_int(required=False)
    scoring = a_word(list(map(str, Scoring)), required=False)


class PlacesState(PlacesPosition):
    """Where a table of single players stands."""

    next_level = a_text(null=True)
    contested = a_flag()
    passed = a_list(serializers.CharField())
    hands_played = an_int()
    hands_won = a_map(serializers.IntegerField())
    penalties = a_map(serializers.IntegerField())
    finished = a_flag()
    end_reason = a_text(null=True)
    winners = a_list(serializers.CharField())
    entries = PlacesResult(many=True, required=False)


class OnlyFinished(Answer):
    """All that is told of a table whose boards others have to play."""

    finished = a_flag()


def result(*, null: bool = False) -> Any:
    return one_of("EntryResult", Result, PlacesResult, null=null)


def state(*, hidden: bool = False) -> Any:
    return (
        one_of("SeenState", StateAnswer, PlacesState, OnlyFinished)
        if hidden
        else one_of("SittingState", StateAnswer, PlacesState)
    )

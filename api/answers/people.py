"""Entrants, their import from a file, the roll call and late tables."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.acts.names import name_of
from tournaments.models import CheckIn, Entrant
from tournaments.people.roll_call import LateTable, RollRow

from .base import SCALAR, Answer, Document, Sentence, a_flag, a_list, a_map, a_text, a_time, an_int, moment
from .events import Brief, brief_answer


class PlayerAnswer(Answer):
    name = a_text()
    name_latin = a_text()


class EntrantAnswer(Brief):
    unit = a_text()
    category = a_text()
    seed = an_int(null=True)
    withdrawn = a_flag()
    players = PlayerAnswer(many=True)


class SkippedRow(Answer):
    row = an_int()
    what = a_text()


class NamedRow(Answer):
    row = an_int()
    name = a_text()


_PLAYER: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}
_PLAYERS: dict[str, Any] = {"type": "array", "items": {"oneOf": [{"type": "string"}, _PLAYER]}}


@extend_schema_field({"type": "array", "items": {"oneOf": [*SCALAR, _PLAYERS]}})
class OldAndNew(serializers.JSONField):
    """What a field was, and what it becomes."""


class ChangedRow(Answer):
    row = an_int()
    fields = a_map(OldAndNew())  # type: ignore[assignment]


class RowProblem(Answer):
    row = an_int(null=True)
    code = a_text()
    field = a_text(null=True)
    message = Sentence()


class ImportAnswer(Answer):
    """What an import would do or did; its digest is the `plan` that carries it out."""

    plan = a_text(null=True)
    head = an_int(null=True)
    columns = a_list(serializers.CharField(allow_null=True))
    not_taken = a_list(serializers.CharField())
    skipped = SkippedRow(many=True)
    new = NamedRow(many=True)
    changed = ChangedRow(many=True)
    same = NamedRow(many=True)
    namesakes = a_list(serializers.IntegerField())
    problems = RowProblem(many=True)


class CheckInAnswer(Answer):
    """A check-in; empty when there was none to take back."""

    entrant = an_int(required=False)
    round = an_int(null=True, required=False)
    arrived_at = a_time(required=False)
    own_code = a_flag(required=False)
    undone_at = a_time(null=True, required=False)


class RollRowAnswer(Answer):
    entrant = Brief()
    table = an_int(null=True)
    side = a_text(null=True)
    bye = a_flag()
    arrived_at = a_time(null=True)


class LateParty(Answer):
    side = a_text()
    entrant = Brief()
    minutes = an_int(null=True)
    arrived_at = a_time(null=True)
    ruled = a_flag()


class LateTableAnswer(Answer):
    table = an_int()
    sitting = an_int()
    parties = LateParty(many=True)


class RollCall(Answer):
    there = an_int()
    results = RollRowAnswer(many=True)
    late = LateTableAnswer(many=True)


def entrant_answer(one: Entrant) -> Document:
    return {
        "number": one.number,
        "name": name_of(one),
        "name_latin": name_of(one, "name_latin"),
        "unit": one.unit,
        "category": one.category,
        "seed": one.seed,
        "withdrawn": one.withdrawn_at is not None,
        "players": [
            {"name": name_of(player), "name_latin": name_of(player, "name_latin")} for player in one.players.all()
        ],
    }


def check_in_answer(one: CheckIn | None) -> Document:
    """A check-in; empty when there was none to take back."""
    if one is None:
        return {}
    return {
        "entrant": one.entrant.number,
        "round": None if one.round is None else one.round.number,
        "arrived_at": moment(one.arrived_at),
        "own_code": one.noted_by_id is None,
        "undone_at": moment(one.undone_at),
    }


def roll_row_answer(row: RollRow) -> Document:
    return {
        "entrant": brief_answer(row.entrant),
        "table": row.table,
        "side": row.side or None,
        "bye": row.bye,
        "arrived_at": None if row.check_in is None else moment(row.check_in.arrived_at),
    }


def late_table_answer(table: LateTable) -> Document:
    return {
        "table": table.sitting.table.number,
        "sitting": table.sitting.pk,
        "parties": [
            {
                "side": party.side,
                "entrant": brief_answer(party.entrant),
                "minutes": party.minutes,
                "arrived_at": moment(party.arrived_at),
                "ruled": party.ruled,
            }
            for party in table.parties
        ],
    }

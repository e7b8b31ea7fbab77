"""Matches, sittings, their hands and corrections, calls, boards and the records of hands."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import (
    Basis,
    CallKind,
    Correction,
    EntryKind,
    EntryStatus,
    MatchOutcome,
    ScoredBy,
    SittingPhase,
)

from .base import (
    SEATS,
    SIDES,
    Answer,
    Scalar,
    Sentence,
    a_flag,
    a_list,
    a_map,
    a_text,
    a_time,
    a_word,
    an_exact,
    an_int,
)
from .events import Brief, RoundAnswer
from .facts import ROLES, Facts, FindingAnswer, result, state


class KeptBackAnswer(Answer):
    """What is told instead of boards that others have to play."""

    played = a_list(serializers.IntegerField())
    waiting = a_list(serializers.IntegerField())
    message = Sentence()


class Seat(Answer):
    """A sitting without its hands."""

    id = an_int()
    table = an_int()
    game = an_int()
    room = a_text()
    home_side = a_word(SIDES, blank=True)
    boards = a_list(serializers.IntegerField(), null=True)
    phase = a_word(SittingPhase.choices)
    scored_by = a_word(ScoredBy.choices)
    revision = an_int()
    hand_no = an_int()
    state = state(hidden=True)
    kept_back = KeptBackAnswer(required=False)


class PlaceAnswer(Answer):
    """One player's place at a table, with what he had at its end."""

    place = a_text()
    entrant = Brief(allow_null=True)
    score = an_exact(null=True)
    level = a_text()
    hands_won = an_int(null=True)
    penalties = an_int(null=True)
    winner = a_flag(null=True)


class MatchAnswer(Answer):
    """A match; of single players with their places."""

    id = an_int()
    number = an_int()
    home = Brief(allow_null=True)
    away = Brief(allow_null=True)
    outcome = a_word(MatchOutcome.choices)
    home_level = a_text()
    away_level = a_text()
    winner_side = a_word(SIDES, blank=True)
    decided_by = a_text()
    home_score = an_exact(null=True)
    away_score = an_exact(null=True)
    net = an_exact(null=True)
    away_net = an_exact(null=True)
    sittings = Seat(many=True)
    places = PlaceAnswer(many=True, required=False)


class MatchOfEvent(MatchAnswer):
    round = an_int()
    stage = an_int()


class RoundWhole(RoundAnswer):
    matches = MatchAnswer(many=True)


class RoundPaired(RoundWhole):
    findings = FindingAnswer(many=True)


class RoundPublished(RoundWhole):
    pairing = an_int()


class RoundStarted(RoundWhole):
    warnings = Sentence(many=True)


class Found(Answer):
    findings = FindingAnswer(many=True)


class EntryAnswer(Answer):
    """One version of an entry; who wrote it only for those inside the event."""

    id = an_int()
    position = an_int()
    version = an_int()
    kind = a_word(EntryKind.choices)
    hand_no = an_int(null=True)
    facts = Facts()
    status = a_word(EntryStatus.choices)
    entered_at = a_time()
    confirmed_at = a_time(null=True)
    reason = a_text()
    entered_side = a_text(required=False)
    entered_by = an_int(null=True, required=False)
    confirmed_side = a_text(required=False)
    confirmed_by = an_int(null=True, required=False)
    basis = a_word(Basis.choices, blank=True, required=False)


class HandAnswer(EntryAnswer):
    result = result()
    earlier = EntryAnswer(many=True)


class OpeningAnswer(Answer):
    levels = a_map(serializers.CharField())
    first_dealer = a_text(null=True)


class SittingWhole(Seat):
    event = a_text()
    round = an_int()
    match = an_int()
    opening = OpeningAnswer()
    hands = HandAnswer(many=True)
    levels = a_map(serializers.CharField())
    waiting = EntryAnswer(allow_null=True, required=False)


class RecordedAnswer(Answer):
    """What became of an entry; `replayed`: it was sent before."""

    entry = an_int()
    hand_no = an_int(null=True)
    status = a_word(EntryStatus.choices)
    answer = a_text()
    revision = an_int()
    replayed = a_flag()
    differing = a_list(serializers.CharField())
    findings = FindingAnswer(many=True)


class PreviewAnswer(Answer):
    findings = FindingAnswer(many=True)
    result = result(null=True)
    state = state()


@extend_schema_field({})
class AnyFact(serializers.JSONField):
    """The value of a field of the facts: see Facts."""


class ChangedFact(Answer):
    recorded = AnyFact()
    corrected = AnyFact()


class PlaceMoved(Answer):
    now = an_int(null=True)
    then = an_int(null=True)


class HandJudged(Answer):
    position = an_int()
    hand_no = an_int(null=True)
    recorded = result()
    judged = result(null=True)


@extend_schema_field(
    {
        "oneOf": [
            *({"type": kind} for kind in ("string", "integer", "boolean", "null")),
            {"type": "object", "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
        ]
    }
)
class Column(serializers.JSONField):
    """A column of a match; the finer scores are several by name."""


class Effect(Answer):
    """What a treatment would make of the sitting, its match, its games and the places in the table."""

    levels = a_map(serializers.CharField())
    match = a_map(Column())
    games = a_map(Scalar(), null=True)
    places = a_map(PlaceMoved)
    hands = HandJudged(many=True)


class CorrectionSeen(Answer):
    findings = FindingAnswer(many=True)
    changes = a_map(ChangedFact)
    effects = a_map(Effect)
    folds_into_one = a_flag()
    needs_second_official = a_flag()
    sitting_revision = an_int()


class CorrectionAnswer(Answer):
    id = an_int()
    entry = an_int()
    facts = Facts()
    treatment = a_text()
    reason = a_text()
    status = a_word(Correction.Status.choices)
    proposed_at = a_time()
    decided_at = a_time(null=True)


class CorrectedAnswer(Answer):
    correction = CorrectionAnswer()
    entry = an_int(null=True)
    revision = an_int()
    replayed = a_flag()


class Ruled(Answer):
    """What an official's act came to."""

    entry = an_int(null=True)
    sitting = an_int(null=True)
    match = an_int()
    outcome = a_word(MatchOutcome.choices)
    revision = an_int(null=True)
    replayed = a_flag()


class Penalised(Ruled):
    ruling = an_int()


class CallAnswer(Answer):
    id = an_int()
    sitting = an_int()
    kind = a_word(CallKind.choices)
    side = a_text()
    hand_no = an_int(null=True)
    note = a_text()
    called_at = a_time()
    taken_at = a_time(null=True)
    closed_at = a_time(null=True)


class Ended(Answer):
    over = a_flag()
    revision = an_int()


class AtTable(Answer):
    sitting = an_int()
    table = an_int()
    extra_minutes = an_int()


class Swapped(Answer):
    id = an_int()
    table = an_int()


class TrickAnswer(Answer):
    number = an_int()
    winner = a_word(SEATS, null=True)
    points = an_int()
    findings = FindingAnswer(many=True, required=False)


class Replay(Answer):
    dealer = a_word(SEATS, null=True)
    level = a_text()
    trump = a_text(null=True)
    tricks = TrickAnswer(many=True)
    complete = a_flag()
    redeal = a_flag()
    sheet = Facts()
    attackers_total = an_int(null=True)
    winner_side = a_word(ROLES, null=True)
    levels = an_int(null=True)
    next_dealer = a_word(SEATS, null=True)
    findings = FindingAnswer(many=True, required=False)
    unknown = Sentence(many=True)


class HandRecordAnswer(Answer):
    sitting = an_int()
    entry = an_int()
    hand_no = an_int()
    number = an_int()
    text = a_text()
    digest = a_text()
    attached_at = a_time()
    replay = Replay()
    disagreements = FindingAnswer(many=True)

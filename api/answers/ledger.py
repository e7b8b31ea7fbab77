"""The record of a table: entries, previews, corrections, what officials ruled there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.acts.leaves import Promise
from tournaments.ledger.corrections import Corrected, CorrectionPreview
from tournaments.ledger.officials_entries import Ruled
from tournaments.ledger.previewing import Preview
from tournaments.ledger.recorded import Recorded
from tournaments.models import Basis, Correction, EntryKind, EntryStatus, LedgerEntry, MatchOutcome
from tournaments.rulings.acts import Done

from .base import SCALAR, Answer, Document, Scalar, a_flag, a_list, a_map, a_text, a_time, a_word, an_int, moment
from .facts import Facts, FindingAnswer, result, state

_NAMED: Final[dict[str, Any]] = {"type": "object", "additionalProperties": {"oneOf": SCALAR}}


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


class PromiseAnswer(Answer):
    """That the act with this digest, done at this time, stands in the log of the event ten seconds later. Signed
    (Ed25519) is the JSON of `at`, `digest`, `event` and `format` (``referee/promise/1``), in this order, no spaces."""

    digest = a_text()
    at = a_text()
    signature = a_text()


class RecordedAnswer(Answer):
    """What became of an entry; `replayed`: it was sent before. Keep `promise`: it is the receipt of the act."""

    entry = an_int()
    hand_no = an_int(null=True)
    status = a_word(EntryStatus.choices)
    answer = a_text()
    revision = an_int()
    replayed = a_flag()
    differing = a_list(serializers.CharField())
    findings = FindingAnswer(many=True)
    promise = PromiseAnswer(required=False)


class PreviewAnswer(Answer):
    findings = FindingAnswer(many=True)
    result = result(null=True)
    state = state()


@extend_schema_field(
    {
        "oneOf": [
            *SCALAR,
            {"type": "array", "items": {"oneOf": [*SCALAR, _NAMED]}},
            _NAMED,
        ]
    }
)
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


class RuledAnswer(Answer):
    """What an official's act came to."""

    entry = an_int(null=True)
    sitting = an_int(null=True)
    match = an_int()
    outcome = a_word(MatchOutcome.choices)
    revision = an_int(null=True)
    replayed = a_flag()


class Penalised(RuledAnswer):
    ruling = an_int()


def entry_answer(one: LedgerEntry, *, inside: bool) -> Document:
    """One version of an entry; who wrote it (an id, a side) only for those inside the event."""
    made: Document = {
        "id": one.pk,
        "position": one.position,
        "version": one.version,
        "kind": one.kind,
        "hand_no": one.hand_no,
        "facts": one.facts,
        "status": one.status,
        "entered_at": moment(one.entered_at),
        "confirmed_at": moment(one.confirmed_at),
        "reason": one.reason,
    }
    if inside:
        made |= {
            "entered_side": one.entered_side,
            "entered_by": one.entered_by_id,
            "confirmed_side": one.confirmed_side,
            "confirmed_by": one.confirmed_by_id,
            "basis": one.basis,
        }
    return made


def recorded_answer(one: Recorded, made: Sequence[Promise]) -> Document:
    """`made`: the promises of what was written; the last is of what stood."""
    promise = {"promise": made[-1].to_json()} if made else {}
    return {
        "entry": one.entry.pk,
        "hand_no": one.entry.hand_no,
        "status": one.status,
        "answer": one.answer,
        "revision": one.revision,
        "replayed": False,
        "differing": list(one.differing),
        "findings": [finding.to_json() for finding in one.findings],
        **promise,
    }


def preview_answer(one: Preview) -> Document:
    return {
        "findings": [finding.to_json() for finding in one.findings],
        "result": one.result and one.result.to_json(),
        "state": one.state.to_json(),
    }


def correction_preview_answer(one: CorrectionPreview, numbers: Mapping[int, int]) -> Document:
    """`numbers` are entrant numbers by id."""
    return {
        "findings": [finding.to_json() for finding in one.findings],
        "changes": {field: {"recorded": old, "corrected": new} for field, (old, new) in one.changes.items()},
        "effects": {
            name: {
                "levels": {str(party): str(level) for party, level in effect.state.levels.items()},
                "match": dict(effect.match),
                "games": effect.games and dict(effect.games),
                "places": {
                    str(numbers[pk]): {"now": now, "then": then} for pk, (now, then) in sorted(effect.places.items())
                },
                "hands": [
                    {
                        "position": hand.position,
                        "hand_no": hand.hand_no,
                        "recorded": hand.recorded.to_json(),
                        "judged": hand.judged and hand.judged.to_json(),
                    }
                    for hand in effect.hands
                ],
            }
            for name, effect in one.effects.items()
        },
        "folds_into_one": one.folds_into_one,
        "needs_second_official": one.needs_second_official,
        "sitting_revision": one.sitting_revision,
    }


def correction_answer(one: Correction) -> Document:
    return {
        "id": one.pk,
        "entry": one.entry_id,
        "facts": one.facts,
        "treatment": one.treatment,
        "reason": one.reason,
        "status": one.status,
        "proposed_at": moment(one.proposed_at),
        "decided_at": moment(one.decided_at),
    }


def corrected_answer(one: Corrected) -> Document:
    return {
        "correction": correction_answer(one.correction),
        "entry": one.entry and one.entry.pk,
        "revision": one.revision,
        "replayed": False,
    }


def ruled_answer(one: Ruled) -> Document:
    return {
        "entry": one.entry and one.entry.pk,
        "sitting": one.sitting and one.sitting.pk,
        "match": one.match.pk,
        "outcome": one.match.outcome,
        "revision": one.revision,
        "replayed": False,
    }


def penalised_answer(one: Done) -> Document:
    """A penalty given at the table: as what it did to the record, with the number of its ruling."""
    sitting = one.ruling.sitting
    did = ruled_answer(Ruled(one.entry, sitting, sitting.match, one.revision))
    return did | {"ruling": one.ruling.number}

"""Rulings with their acts, appeals, and the digest by clause."""

from __future__ import annotations

from rest_framework import serializers

from scoring.penalties.schedule import MEMORIES
from tournaments.models import Ruling, RulingAct
from tournaments.models.rulings import AppealState, RulingSource, RulingStatus, RulingStep
from tournaments.rulings.acts import Done
from tournaments.rulings.reads import ByClause

from .base import Answer, Document, Scalar, Sentence, a_flag, a_list, a_text, a_time, a_word, an_int, moment
from .facts import Facts


class CaseOfAdjudicator(Answer):
    kind = a_text()
    query = a_text()


class RulingFacts(Answer):
    """What a ruling rests on: an irregularity of the schedule, or a position judged by the adjudicator."""

    irregularity = a_text(required=False)
    case = CaseOfAdjudicator(required=False)
    told = a_text(required=False)
    both = Scalar(required=False)
    found = Scalar(required=False)
    minutes = Scalar(required=False)
    cards = Scalar(required=False)
    agreed = Scalar(required=False)
    attackers_total = Scalar(required=False)
    dealer = Scalar(required=False)
    channel = Scalar(required=False)
    on_card = Scalar(required=False)
    reasoned = Scalar(required=False)
    reported = Scalar(required=False)
    seen = Scalar(required=False)
    used = Scalar(required=False)


class PenaltyAnswer(Answer):
    """A penalty as it is carried out: its unit, and the entry of the ledger it makes, if any."""

    unit = a_text()
    entry = Facts(allow_null=True, required=False)


class Proposal(PenaltyAnswer):
    on = a_text()
    count = an_int()
    sentence = Sentence()
    next_time = Sentence(allow_null=True, required=False)
    real_result_stands = a_flag(required=False)
    memory = a_word(MEMORIES, required=False)
    ask = Sentence(many=True, required=False)


class RulingActAnswer(Answer):
    step = a_word(RulingStep.choices)
    at = a_time()
    user = an_int(null=True)
    side = a_text()
    reason = a_text()
    entry = an_int(null=True)
    correction = an_int(null=True)
    committee = a_list(serializers.IntegerField())


class RulingAnswer(Answer):
    id = an_int()
    number = an_int()
    sitting = an_int()
    entry = an_int(null=True)
    hand_no = an_int(null=True)
    side = a_text()
    source = a_word(RulingSource.choices)  # type: ignore[assignment]
    facts = RulingFacts()
    clause = a_text()
    clause_text = Sentence()
    profile_digest = a_text()
    verdict = Sentence()
    proposal = Proposal(allow_null=True)
    penalty = PenaltyAnswer(allow_null=True)
    status = a_word(RulingStatus.choices)
    appeal = a_word(AppealState.choices)
    appeal_until = a_time(null=True)
    proposed_at = a_time()
    decided_at = a_time(null=True)
    acts = RulingActAnswer(many=True)


class RulingNamed(Answer):
    id = an_int()
    number = an_int()


class RulingWhole(RulingAnswer):
    same_clause = RulingNamed(many=True)


class RulingDone(Answer):
    ruling = RulingAnswer()
    entry = an_int(null=True)
    correction = an_int(null=True)
    revision = an_int(null=True)
    replayed = a_flag()


class RulingSeen(Answer):
    clause = a_text()
    clause_text = Sentence()
    verdict = Sentence()
    proposal = Proposal(allow_null=True)


class DecidedRuling(Answer):
    number = an_int()
    round = an_int()
    verdict = Sentence()
    penalty = PenaltyAnswer(allow_null=True)
    status = a_word(RulingStatus.choices)
    appeal = a_word(AppealState.choices)
    stands = a_flag()
    decided_at = a_time(null=True)


class RulingsByClause(Answer):
    clause = a_text()
    text = Sentence()
    rulings = DecidedRuling(many=True)


class LatenessProposed(Answer):
    ruling = an_int()
    proposal = Proposal(allow_null=True)


def ruling_answer(one: Ruling) -> Document:
    """A ruling as officials read it, with its acts in order."""
    return {
        "id": one.pk,
        "number": one.number,
        "sitting": one.sitting_id,
        "entry": one.entry_id,
        "hand_no": one.hand_no,
        "side": one.side,
        "source": one.source,
        "facts": one.facts,
        "clause": one.clause,
        "clause_text": one.clause_text,
        "profile_digest": one.profile_digest,
        "verdict": one.verdict,
        "proposal": one.proposal,
        "penalty": one.penalty,
        "status": one.status,
        "appeal": one.appeal,
        "appeal_until": moment(one.appeal_until),
        "proposed_at": moment(one.proposed_at),
        "decided_at": moment(one.decided_at),
        "acts": [ruling_act_answer(act) for act in one.acts.all()],
    }


def ruling_act_answer(one: RulingAct) -> Document:
    return {
        "step": one.step,
        "at": moment(one.at),
        "user": one.user_id,
        "side": one.side,
        "reason": one.reason,
        "entry": one.entry_id,
        "correction": one.correction_id,
        "committee": [member.user_id for member in one.committee.all()],
    }


def ruling_done_answer(one: Done) -> Document:
    return {
        "ruling": ruling_answer(one.ruling),
        "entry": one.entry and one.entry.pk,
        "correction": one.correction and one.correction.pk,
        "revision": one.revision,
        "replayed": False,
    }


def by_clause_answer(one: ByClause) -> Document:
    """Decided rulings on one clause as everybody may read them: no persons, no table, nothing as told."""
    return {
        "clause": one.clause,
        "text": dict(one.text),
        "rulings": [
            {
                "number": made.number,
                "round": made.sitting.round.number,
                "verdict": made.verdict,
                "penalty": made.penalty,
                "status": made.status,
                "appeal": made.appeal,
                "stands": made.stands,
                "decided_at": moment(made.decided_at),
            }
            for made in one.rulings
        ],
    }

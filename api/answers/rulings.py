"""Rulings with their acts, appeals, the digest by clause, and changes of the rules."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import RuleChange
from tournaments.models.rulings import AppealState, RulingSource, RulingStatus, RulingStep

from .base import Answer, Scalar, Sentence, a_flag, a_list, a_map, a_text, a_time, a_word, an_int
from .facts import Facts, Params
from .forms import ProfileSpec


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


class RulesNamed(Answer):
    profile = ProfileSpec()
    digest = a_text()


class Standing(Answer):
    """Where a match stands under one of two rules: its columns, levels, the next dealer."""

    outcome = a_text()
    home_level = a_text()
    away_level = a_text()
    winner_side = a_text()
    decided_by = a_text()
    home_hundredths = an_int(null=True)
    away_hundredths = an_int(null=True)
    net_hundredths = an_int(null=True)
    away_net_hundredths = an_int(null=True)
    finer_scores = a_map(Scalar())
    levels = a_map(a_text(null=True))
    next_dealer = a_text(null=True)
    finished = a_flag()


class HandInShort(Answer):
    total = an_int(null=True)
    levels = a_map(a_text(null=True))
    next_dealer = a_text(null=True)
    discrepancies = a_list(serializers.CharField())


class HandDiffers(Answer):
    entry = an_int()
    kind = a_text()
    hand_no = an_int(null=True)
    old = HandInShort(allow_null=True)
    new = HandInShort(allow_null=True)


class MatchDiffers(Answer):
    match = an_int()
    sitting = an_int()
    round = an_int()
    table = an_int()
    home = an_int(null=True)
    away = an_int(null=True)
    old = Standing()
    new = Standing()
    hands = HandDiffers(many=True)


class PlaceDiffers(Answer):
    stage = an_int()
    entrant = an_int()
    old = an_int(null=True)
    new = an_int(null=True)


class BlockedEntry(Answer):
    round = an_int()
    table = an_int()
    sitting = an_int()
    entry = an_int()
    hand_no = an_int(null=True)
    code = a_text()
    field = a_text()
    blocking = a_flag()
    clause = a_text(null=True)
    message = Sentence()
    params = Params()


class LookedAt(Answer):
    sittings = an_int()
    entries = an_int()


class RuleDifferences(Answer):
    matches = MatchDiffers(many=True)
    places = PlaceDiffers(many=True)
    blocked = BlockedEntry(many=True)
    judged = LookedAt()


class RulesForeseen(Answer):
    profile = ProfileSpec()
    digest = a_text()
    differences = RuleDifferences()
    at_once = a_flag()
    needs_second = a_flag()


class RuleChangeAnswer(Answer):
    id = an_int()
    old = RulesNamed()
    new = RulesNamed()
    reason = a_text()
    status = a_word(RuleChange.Status.choices)
    needs_second = a_flag()
    differences = RuleDifferences()
    proposed_at = a_time()
    decided_at = a_time(null=True)

"""A change of the event's rules: what differs, and what it would do."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import RuleChange

from .base import Answer, Scalar, Sentence, a_flag, a_list, a_map, a_text, a_time, a_word, an_int
from .facts import Params
from .forms import ProfileSpec


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

"""Events, their stages and boards, officials and tokens."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import Office, RoundStatus, StageFormat, TieRule

from .base import SEATS, Answer, Sentence, a_flag, a_list, a_text, a_time, a_word, an_int
from .forms import FormAnswer, PenaltySpec, Plan, ProfileSpec


class Brief(Answer):
    """An entrant where only who it is matters."""

    number = an_int()
    name = a_text()
    name_latin = a_text()


class ProfileAnswer(Answer):
    id = a_text()
    version = an_int()
    digest = a_text()
    title = Sentence()
    spec = ProfileSpec()


class StageAnswer(Answer):
    number = an_int()
    name = a_text()
    format = a_word(StageFormat.choices)
    match_score = a_text()
    match_score_assumed = a_flag()
    tie_rule = a_word(TieRule.choices)
    minutes = an_int(null=True)
    hands = an_int(null=True)
    lead_levels = an_int(null=True)
    rounds_planned = an_int()
    chain = a_list(serializers.CharField())
    plan = Plan()
    begun_at = a_time(null=True)


class StagePlace(Answer):
    entrant = an_int()
    order = an_int()
    group = an_int(null=True)
    withdrawn = a_flag()


class StageWhole(StageAnswer):
    field = StagePlace(many=True)


class RoundAnswer(Answer):
    number = an_int()
    stage = an_int()
    extra = a_flag()
    status = a_word(RoundStatus.choices)
    started_at = a_time(null=True)
    ends_at = a_time(null=True)
    stopped_at = a_time(null=True)
    closed_at = a_time(null=True)


class EventAnswer(Answer):
    slug = a_text()
    name = a_text()
    name_latin = a_text()
    place = a_text()
    starts_on = serializers.DateField(allow_null=True)
    language = a_text()
    timezone = a_text()
    profile = ProfileAnswer()
    single_official = a_flag()
    live_public = a_flag()
    penalties = PenaltySpec()
    appeal_minutes = an_int()
    demo = a_flag()
    lot_commitment = a_text()


class EventWhole(EventAnswer):
    stages = StageAnswer(many=True)
    rounds = RoundAnswer(many=True)


class Preset(Answer):
    id = a_text()
    title = Sentence()
    about = Sentence()
    form = FormAnswer()


class FixedBoard(Answer):
    number = an_int()
    dealer = a_word(SEATS)
    level = a_text()
    trump = a_text(null=True)


class OfficialAnswer(Answer):
    id = an_int()
    user = a_text()
    name = a_text()
    office = a_word(Office.choices)
    tables = a_list(serializers.IntegerField())


class InvitationAnswer(Answer):
    """Without the name of the account that is invited."""

    id = an_int()
    event = a_text()
    user = a_text()
    office = a_word(Office.choices)
    tables = a_list(serializers.IntegerField())
    invited_at = a_time()


class SignInLink(Answer):
    link = a_text()
    expires_at = a_time()


class TokenAnswer(Answer):
    id = a_text()
    key = a_text()
    created_at = a_time()
    expires_at = a_time(null=True)


class NewToken(TokenAnswer):
    token = a_text()


class TableAnswer(Answer):
    number = an_int()


class PartyCodeAnswer(Answer):
    table = an_int()
    side = a_text()
    code = a_text()
    pin = a_text()


class OwnCodeAnswer(Answer):
    entrant = an_int()
    code = a_text()


class PartyCodes(Answer):
    results = PartyCodeAnswer(many=True)
    warning = Sentence(allow_null=True)


class OwnCodeList(Answer):
    results = OwnCodeAnswer(many=True)
    warning = Sentence(allow_null=True)


class DeviceAnswer(Answer):
    """A side's place at a sitting; the token is told once."""

    device = a_text()
    token = a_text()
    side = a_text()
    sitting = an_int()


class HistoryLine(Answer):
    id = an_int()
    at = a_time()
    user = an_int(null=True)
    side = a_text()
    sitting = an_int(null=True)
    round = an_int(null=True)
    act = a_text()
    subject = a_text()
    reason = a_text()
    old = serializers.JSONField()
    new = serializers.JSONField()

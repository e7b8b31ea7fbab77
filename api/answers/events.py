"""Events, their stages and boards, officials and tokens."""

from __future__ import annotations

from rest_framework import serializers

from scoring import profiles
from tournaments.acts.names import name_of
from tournaments.ledger.codes import entrant_code_text, party_code_text, pin_text
from tournaments.models import (
    Board,
    Entrant,
    EntrantCode,
    HistoryEntry,
    Invitation,
    Office,
    Official,
    PartyCode,
    RoundStatus,
    Stage,
    StageFormat,
    Table,
    TieRule,
    TokenScope,
    Tournament,
)

from .base import Answer, Document, Sentence, a_flag, a_list, a_text, a_time, a_word, an_int, moment
from .forms import FormAnswer, PenaltySpec, Plan, ProfileSpec
from .words import SEATS


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
    second_factor = a_flag()
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
    scope = a_word(TokenScope.choices)
    created_at = a_time()
    expires_at = a_time(null=True)
    used_at = a_time(null=True)


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


def profile_answer(one: profiles.Profile) -> Document:
    return {"id": one.id, "version": one.version, "digest": one.digest, "title": dict(one.title), "spec": one.spec()}


def event_answer(one: Tournament) -> Document:
    return {
        "slug": one.slug,
        "name": one.name,
        "name_latin": one.name_latin,
        "place": one.place,
        "starts_on": one.starts_on and one.starts_on.isoformat(),
        "language": one.language,
        "timezone": one.timezone,
        "profile": profile_answer(one.profile),
        "single_official": one.single_official,
        "second_factor": one.second_factor,
        "live_public": one.live_public,
        "penalties": one.penalty_schedule.spec,
        "appeal_minutes": int(one.appeal_time.total_seconds() // 60),
        "demo": one.demo,
        "lot_commitment": one.lot_commitment,
    }


def stage_answer(one: Stage) -> Document:
    return {
        "number": one.number,
        "name": one.name,
        "format": one.format,
        "match_score": one.match_score,
        "match_score_assumed": one.match_score_assumed,
        "tie_rule": one.tie_rule,
        "minutes": one.minutes,
        "hands": one.hands,
        "lead_levels": one.lead_levels,
        "rounds_planned": one.rounds_planned,
        "chain": one.chain,
        "plan": one.plan,
        "begun_at": moment(one.begun_at),
    }


def brief_answer(one: Entrant | None) -> Document | None:
    if one is None:
        return None
    return {"number": one.number, "name": name_of(one), "name_latin": name_of(one, "name_latin")}


def party_code_answer(one: PartyCode) -> Document:
    """A code as it is printed on the card; only for officials."""
    return {"table": one.table.number, "side": one.side, "code": party_code_text(one), "pin": pin_text(one)}


def fixed_board_answer(one: Board) -> Document:
    return {"number": one.number, "dealer": one.dealer, "level": one.level, "trump": one.trump or None}


def own_code_answer(one: EntrantCode) -> Document:
    """An entrant's own code as it is printed; only for officials."""
    return {"entrant": one.entrant.number, "code": entrant_code_text(one)}


def table_answer(one: Table) -> Document:
    return {"number": one.number}


def history_entry_answer(one: HistoryEntry) -> Document:
    return {
        "id": one.pk,
        "at": moment(one.at),
        "user": one.user_id,
        "side": one.side,
        "sitting": one.sitting_id,
        "round": one.round and one.round.number,
        "act": one.act,
        "subject": one.subject,
        "reason": one.reason,
        "old": one.old,
        "new": one.new,
    }


def official_answer(one: Official) -> Document:
    return {
        "id": one.pk,
        "user": name_of(one.user, "username"),
        "name": name_of(one.user, "display_name"),
        "office": one.office,
        "tables": sorted(table.number for table in one.tables.all()),
    }


def invitation_answer(one: Invitation) -> Document:
    """Without the name of the account: who guesses a username learns nothing of its owner."""
    return {
        "id": one.pk,
        "event": one.tournament.slug,
        "user": name_of(one.user, "username"),
        "office": one.office,
        "tables": sorted(table.number for table in one.tables.all()),
        "invited_at": one.invited_at.isoformat(),
    }

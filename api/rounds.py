"""Rounds: create, pair, publish the pairing, start, close; and the rulings on whole matches."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.parts.downloads import download
from tournaments.acts.access import Act
from tournaments.acts.admission import NOBODY_SETTLES, allowed, who_may
from tournaments.boards.reads import KeptBack, kept_back
from tournaments.ledger.officials_entries import decide_by_lot, forfeit
from tournaments.models import Match, MatchOutcome, Round, RoundStatus, ScoredBy, Sitting, Tournament
from tournaments.rounds import board, closing, drawing, public, seating
from tournaments.rounds.acts import create_round, extend_round, start_round
from tournaments.rounds.pairing import check_pairing, publish_pairing, supersede_pairing
from tournaments.rounds.steps import REASON_LIMIT
from tournaments.transfer.paper import lists

from .answers.base import Document, list_of
from .answers.events import RoundAnswer
from .answers.ledger import RuledAnswer, ruled_answer
from .answers.play import Found, RoundPaired, RoundPublished, RoundStarted, RoundWhole, match_answer, round_answer
from .common.describe import described, written
from .common.strict import REASON, Body, Flag, Whole, Words
from .common.views import Endpoint, found


class RoundForm(Body):
    stage = Whole(required=False, help_text="number of the stage; left out: the one in play")
    extra = Flag(required=False, help_text="it only decides ties, and is none of the planned rounds")


class PairForm(Body):
    home = Whole(help_text="entrant number; sits North-South")
    away = Whole(allow_null=True, help_text="entrant number, or null for a bye")
    table = Whole(required=False, allow_null=True)
    first_dealer = serializers.ChoiceField(["N", "W", "S", "E"], required=False, allow_null=True)


class SeatsForm(Body):
    table = Whole(required=False, allow_null=True)
    players = serializers.ListField(child=Whole(), max_length=5, help_text="entrant numbers in the order of places")


class PairingForm(Body):
    pairs = serializers.ListField(
        child=PairForm(), required=False, max_length=5000, help_text="left out: drawn by the format of the stage"
    )
    tables = serializers.ListField(
        child=SeatsForm(), required=False, max_length=1000, help_text="single players; left out: they are drawn"
    )
    scored_by = serializers.ChoiceField(ScoredBy.values, required=False)
    first_dealer = serializers.ChoiceField(["N", "W", "S", "E"], required=False, allow_null=True)
    reason = Words(REASON_LIMIT, required=False, help_text="why a draw that stands is changed; not for single players")


class PairingPublishForm(Body):
    accept = Flag(default=False, help_text="true: publish although the check found something; else that is refused")


class SupersedeForm(Body):
    pairs = serializers.ListField(child=PairForm(), required=False, max_length=5000)
    tables = serializers.ListField(child=SeatsForm(), required=False, max_length=1000, help_text="single players")
    reason = Words(REASON_LIMIT)


class ExtendForm(Body):
    minutes = Whole(min_value=1, max_value=600)


class ForfeitForm(Body):
    outcome = serializers.ChoiceField(
        [MatchOutcome.HOME_FORFEIT.value, MatchOutcome.AWAY_FORFEIT.value, MatchOutcome.DOUBLE_FORFEIT.value]
    )
    reason = Words(REASON)


class LotForm(Body):
    winner_side = serializers.ChoiceField(
        ["NS", "EW"], required=False, allow_null=True, help_text="a draw made by hand; left out: the committed lots"
    )
    reason = Words(REASON)


class RoundEndpoint(Endpoint):
    def round(self, slug: str, number: int, act: Act) -> Round:
        one: Round = found(self.event(slug, act).rounds.select_related("stage"), number=number)
        return one


class Rounds(Endpoint):
    @described("The rounds of an event", name="rounds_list", answer=list_of(RoundAnswer))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        inside = allowed(self.actor, Act.SEE_DESK, tournament=event)
        rows = board.rounds_of(event) if inside else public.public_rounds(event)
        return Response({"results": [round_answer(one) for one in rows]})

    @written("Create the next round", body=RoundForm, status=201, answer=RoundAnswer)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.CREATE_ROUND)
        fields = self.body(RoundForm)
        number = fields.get("stage")
        made = create_round(
            tournament_id=event.pk,
            actor=self.actor,
            at=self.now,
            stage_id=None if number is None else found(event.stages.all(), number=number).pk,
            extra=fields.get("extra", False),
        )
        return Response(round_answer(made), status=201)


class OneRound(Endpoint):
    @described(
        "A round with its matches; results of boards that others have to play are for officials", answer=RoundWhole
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        round_ = _shown(self, slug, number)
        official = allowed(self.actor, Act.SEE_DESK, tournament=round_.tournament)
        return Response(_whole(round_, None if official else kept_back(round_.stage)))


class PairingPaper(Endpoint):
    @described("The pairing of a round on paper", media="application/pdf")
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return download(
            lists.pairing_pdf(_shown(self, slug, number)), f"{slug}-{number}-pairing.pdf", "application/pdf"
        )


def _shown(endpoint: Endpoint, slug: str, number: int) -> Round:
    """A round with its event; drafts are for officials."""
    event = endpoint.event(slug)
    round_: Round = found(event.rounds.select_related("stage", "tournament"), number=number)
    if round_.status == RoundStatus.DRAFT and not allowed(endpoint.actor, Act.SEE_DESK, tournament=event):
        raise Http404
    return round_


def _whole(round_: Round, kept: KeptBack | None = None) -> Document:
    """A round with its matches; without what of them is `kept` back."""
    active = Sitting.objects.filter(active=True).select_related("table", "round__tournament")
    matches = (
        Match.objects.filter(round=round_, superseded_in=None)
        .select_related("home", "away")
        .prefetch_related(Prefetch("sittings", queryset=active), "places__entrant")
        .order_by("number")
    )
    told = [match_answer(one, one.sittings.all(), kept) for one in matches]
    return round_answer(round_) | {"matches": told}


class Pair(RoundEndpoint):
    @written("Pair a draft round: by hand, or drawn by the format of its stage", body=PairingForm, answer=RoundPaired)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.PAIR)
        fields = self.body(PairingForm)
        pairs, tables = fields.pop("pairs", None), fields.pop("tables", None)
        of: dict[str, Any] = {"round_id": round_.pk, "actor": self.actor, "at": self.now}
        if tables is not None:
            fields.pop("first_dealer", None)
            fields.pop("reason", None)
            seating.seat_by_hand(**of, tables=_seats_with_ids(round_.tournament, tables), **fields)
        elif pairs is not None:
            drawing.pair_by_hand(**of, pairs=_with_ids(round_.tournament, pairs), **fields)
        elif round_.tournament.individual:
            fields.pop("first_dealer", None)
            fields.pop("reason", None)
            seating.seat_players(**of, **fields)
        else:
            drawing.draw_round(**of, **fields)
        return Response(_whole(round_) | {"findings": _findings(round_)})


def _with_ids(event: Tournament, pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entrant numbers to ids; a number that nobody has is an id that nobody has, which the service refuses."""
    ids = dict(event.entrants.values_list("number", "pk"))
    made = []
    for pair in pairs:
        away = pair["away"]
        made.append(pair | {"home": ids.get(pair["home"], 0), "away": None if away is None else ids.get(away, 0)})
    return made


def _seats_with_ids(event: Tournament, tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As `_with_ids`, for the players of tables."""
    ids = dict(event.entrants.values_list("number", "pk"))
    return [table | {"players": [ids.get(number, 2**62) for number in table["players"]]} for table in tables]


def _findings(round_: Round) -> list[Document]:
    return [one.to_json() for one in check_pairing(round_)]


class CheckPairing(RoundEndpoint):
    @described("What an independent check says of a pairing", answer=Found)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response({"findings": _findings(self.round(slug, number, Act.SEE_DESK))})


class PublishPairing(RoundEndpoint):
    @written("Publish the pairing of a round", body=PairingPublishForm, answer=RoundPublished)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.PUBLISH_PAIRING)
        pairing = publish_pairing(round_id=round_.pk, actor=self.actor, at=self.now, **self.body(PairingPublishForm))
        round_.refresh_from_db()
        return Response(_whole(round_) | {"pairing": pairing.number})


class SupersedePairing(RoundEndpoint):
    @written("Publish another pairing for tables without entries", body=SupersedeForm, answer=RoundPublished)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.SUPERSEDE_PAIRING)
        fields = self.body(SupersedeForm)
        of: dict[str, Any] = {"round_id": round_.pk, "actor": self.actor, "at": self.now, "reason": fields["reason"]}
        if "tables" in fields:
            pairing = seating.reseat(**of, tables=_seats_with_ids(round_.tournament, fields["tables"]))
        else:
            pairs = _with_ids(round_.tournament, fields.get("pairs", []))
            pairing = supersede_pairing(**of, pairs=pairs)
        return Response(_whole(round_) | {"pairing": pairing.number})


class Start(RoundEndpoint):
    @written(
        "Start a round: its clock runs and hands are taken; `warnings` says when nobody may settle a dispute",
        answer=RoundStarted,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.START_ROUND)
        started = start_round(round_id=round_.pk, actor=self.actor, at=self.now)
        lacking = [] if who_may(Act.SETTLE, tournament=round_.tournament) else [dict(NOBODY_SETTLES)]
        return Response(_whole(started) | {"warnings": lacking})


class Extend(RoundEndpoint):
    @written("Give a running round more time", body=ExtendForm, answer=RoundWhole)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.START_ROUND)
        fields = self.body(ExtendForm)
        return Response(_whole(extend_round(round_id=round_.pk, actor=self.actor, at=self.now, **fields)))


class Close(RoundEndpoint):
    @written("Close a round; every table must have its result", answer=RoundWhole)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.CLOSE_ROUND)
        return Response(_whole(closing.close_round(round_id=round_.pk, actor=self.actor, at=self.now)))


class Reopen(RoundEndpoint):
    @written(
        "Take the closing of a round back: for a minute, and only while nothing was built on it", answer=RoundWhole
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.REOPEN_ROUND)
        return Response(_whole(closing.reopen_round(round_id=round_.pk, actor=self.actor, at=self.now)))


class Forfeit(Endpoint):
    @written("Rule a match lost by absence", body=ForfeitForm, answer=RuledAnswer)
    def post(self, request: Request, match_id: int) -> Response:
        ruled = self.act(forfeit, ForfeitForm, match_id=match_id)
        return Response(ruled_answer(ruled))


class DecideByLot(Endpoint):
    @written("Decide a match that ended level and that its tie rule leaves open", body=LotForm, answer=RuledAnswer)
    def post(self, request: Request, match_id: int) -> Response:
        ruled = self.act(decide_by_lot, LotForm, match_id=match_id)
        return Response(ruled_answer(ruled))

"""Draws: draw a round by the format of its stage, read how it was drawn, ask why two do not meet."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.draws import sentences
from tournaments.models import Draw, Job, Pairing, Round, RoundStatus, ScoredBy
from tournaments.rounds import drawing
from tournaments.rounds.steps import REASON_LIMIT

from . import jobs
from .answers.draws import DrawMade, DrawWithPairings, WhyNotAnswer
from .common.describe import ASKED, asked, described, written
from .common.strict import Body, Whole, Words
from .common.views import Endpoint, found
from .entrants import entrant_of
from .rounds import RoundEndpoint


class DrawForm(Body):
    reason = Words(REASON_LIMIT, required=False, help_text="why it is drawn again; needed when a draft stands")
    scored_by = serializers.ChoiceField(ScoredBy.values, required=False)
    first_dealer = serializers.ChoiceField(["N", "W", "S", "E"], required=False, allow_null=True)
    first_table = Whole(required=False, min_value=1, max_value=5000, help_text="tables are numbered from here on")


class ExchangeForm(Body):
    entrants = serializers.ListField(child=Whole(), min_length=2, max_length=2, help_text="two entrant numbers")
    reason = Words(REASON_LIMIT, help_text="why the draw is changed")


class WhyNotForm(Body):
    one = Whole(help_text="entrant number")
    other = Whole(allow_null=True, help_text="entrant number, or null: why no bye")


class RoundDraw(Endpoint):
    @described(
        "How a round was drawn, and its published pairings, as documents; drafts are for officials",
        answer=DrawWithPairings,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(slug)
        round_: Round = found(event.rounds.all(), number=number)
        if round_.status == RoundStatus.DRAFT and not allowed(self.actor, Act.SEE_DESK, tournament=event):
            raise Http404
        draw = drawing.latest_draw(round_.pk)
        pairings = round_.pairings.order_by("number")
        return Response(
            {"draw": None if draw is None else _draw(draw), "pairings": [_pairing(one) for one in pairings]}
        )

    @written(
        "Draw a draft round by the format of its stage; a large field is drawn by a job", body=DrawForm, answer=DrawMade
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_: Round = found(self.event(slug, Act.PAIR).rounds.all(), number=number)
        made = drawing.ask_draw(round_id=round_.pk, actor=self.actor, at=self.now, **self.body(DrawForm))
        if isinstance(made, Job):
            return Response({"job": jobs.document(made)})
        return Response({"draw": _draw(made)})


class Exchange(RoundEndpoint):
    @written("Two entrants of a draft change places; the pairing is checked again", body=ExchangeForm, answer=DrawMade)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.PAIR)
        fields = self.body(ExchangeForm)
        one, other = (entrant_of(round_.tournament, named).pk for named in fields["entrants"])
        made = drawing.swap_entrants(
            round_id=round_.pk,
            actor=self.actor,
            at=self.now,
            one=one,
            other=other,
            reason=fields["reason"],
        )
        return Response({"draw": _draw(made)})


class WhyNot(Endpoint):
    @asked("Why two entrants do not meet in a drawn Swiss round", body=WhyNotForm, refused=ASKED, answer=WhyNotAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        round_: Round = found(event.rounds.all(), number=number)
        asked = self.body(WhyNotForm)
        ids = dict(event.entrants.values_list("number", "pk"))
        one, other = asked["one"], asked["other"]
        said = drawing.why_not(
            round_id=round_.pk,
            actor=self.actor,
            one=ids.get(one, 0),
            other=None if other is None else ids.get(other, 0),
        )
        return Response({**said, "sentence": dict(sentences.why_not_text(said, one, other))})


def _draw(draw: Draw) -> dict[str, Any]:
    document = drawing.document_of(draw)
    return {
        "number": draw.number,
        "method": draw.method,
        "reason": draw.reason,
        "drawn_at": draw.drawn_at.isoformat(),
        "digest": draw.digest,
        "sentence": dict(sentences.how_drawn(document)),
        "document": document,
    }


def _pairing(pairing: Pairing) -> dict[str, Any]:
    """A published pairing; those of older versions have no document."""
    return {
        "number": pairing.number,
        "published_at": pairing.published_at.isoformat(),
        "reason": pairing.reason,
        "digest": pairing.digest or None,
        "document": json.loads(pairing.document) if pairing.document else None,
    }

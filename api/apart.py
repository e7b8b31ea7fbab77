"""Entrants kept apart in draws: who is, said with a reason, and taken back."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.models import KeptApart, WishChoice
from tournaments.stages.apart import keep_apart, kept_in, let_meet

from .answers.apart import KeptApartAnswer, KeptApartList, kept_apart_answer
from .common.describe import described, written
from .common.strict import REASON, Body, Whole, Words
from .common.views import Endpoint, found
from .entrants import WhyForm, entrant_of


class ApartForm(Body):
    entrants = serializers.ListField(child=Whole(), min_length=2, max_length=2, help_text="two entrant numbers")
    force = serializers.ChoiceField(
        WishChoice.values, help_text="must: never meet in a round drawn; rather: where possible"
    )
    reason = Words(REASON, help_text="seen by officials only")


class Apart(Endpoint):
    @described("Who is kept apart now, with the reasons; for officials", answer=KeptApartList)
    def get(self, request: Request, slug: str) -> Response:
        return Response({"kept": [kept_apart_answer(one) for one in kept_in(self.event(slug, Act.SEE_DESK))]})

    @written("Keep two entrants apart in every draw from now on", body=ApartForm, status=201, answer=KeptApartAnswer)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.KEEP_APART)
        fields = self.body(ApartForm)
        one, other = (entrant_of(event, number).pk for number in fields.pop("entrants"))
        made = keep_apart(tournament_id=event.pk, actor=self.actor, at=self.now, one=one, other=other, **fields)
        return Response(kept_apart_answer(made), status=201)


class LetMeet(Endpoint):
    @written("Take back that two are kept apart", body=WhyForm, answer=KeptApartAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(slug, Act.LET_MEET)
        kept: KeptApart = found(event.kept_apart.all(), number=number)
        ended = let_meet(kept_id=kept.pk, actor=self.actor, at=self.now, **self.body(WhyForm))
        return Response(kept_apart_answer(ended))

"""The deals of duplicate boards: promised, drawn, shown. Reading them before is for the desk alone."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.deals.acts import LOT_LENGTH, commit_deals, draw_lot, show_deals
from tournaments.deals.reads import dealings_of
from tournaments.events.setup import new_secret
from tournaments.models import Dealing

from .answers.base import list_of
from .answers.boards import DealingAnswer, dealing_answer
from .common.describe import described, written
from .common.strict import Body, RowNumber, Whole, Words
from .common.views import Endpoint, found


class DealsForm(Body):
    first_board = Whole(min_value=1, max_value=1000)
    last_board = Whole(min_value=1, max_value=1000)
    reader = RowNumber(required=False, allow_null=True, help_text="user id of the official who may read them")


class DealLotForm(Body):
    lot = Words(LOT_LENGTH, help_text="as it was drawn in public")


class Deals(Endpoint):
    @described(
        "The deals of a stage on boards: promises, lots, and the secrets that are shown",
        name="deals_list",
        answer=list_of(DealingAnswer),
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        of = found(self.event(slug).stages.all(), number=stage)
        return Response({"results": [dealing_answer(one) for one in dealings_of(of)]})

    @written("Promise the deals of boards before play", body=DealsForm, status=201, answer=DealingAnswer)
    def post(self, request: Request, slug: str, stage: int) -> Response:
        of = found(self.event(slug, Act.COMMIT_DEALS).stages.all(), number=stage)
        asked = self.body(DealsForm)
        made = commit_deals(
            stage_id=of.pk,
            actor=self.actor,
            at=self.now,
            first=asked["first_board"],
            last=asked["last_board"],
            reader_id=asked.get("reader"),
            nonce=new_secret(),
        )
        return Response(dealing_answer(made), status=201)


class Lot(Endpoint):
    @written("Write down the lot that was drawn after the promise", body=DealLotForm, answer=DealingAnswer)
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        row = _dealing(self, slug, stage, number, Act.DRAW_DEALS)
        lot = self.body(DealLotForm)["lot"]
        return Response(dealing_answer(draw_lot(dealing_id=row.pk, actor=self.actor, at=self.now, lot=lot)))


class Show(Endpoint):
    @written("Show the deals when nobody has to play these boards any more", answer=DealingAnswer)
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        row = _dealing(self, slug, stage, number, Act.SHOW_DEALS)
        return Response(dealing_answer(show_deals(dealing_id=row.pk, actor=self.actor, at=self.now)))


def _dealing(asked: Any, slug: str, stage: int, number: int, act: Act) -> Dealing:
    row: Dealing = found(found(asked.event(slug, act).stages.all(), number=stage).dealings.all(), number=number)
    return row

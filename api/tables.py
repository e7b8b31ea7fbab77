"""Tables, the codes on their cards, and the devices that hold a side's place."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import queries
from tournaments.access import Act
from tournaments.exchange import paper
from tournaments.models import Device, ScoredBy, Sitting, Table
from tournaments.services import devices as services
from tournaments.services import rounds
from tournaments.services.devices import UnknownCode
from tournaments.services.setup import new_secret

from . import documents, limits
from .describe import AFTER, LIMIT, WRITE, described, written
from .strict import Body, Flag, Whole, Words
from .views import Endpoint, found

WRONG_CODES = 60


class ClaimForm(Body):
    code = Words(help_text="the text on the table card")
    take_over = Flag(required=False)


class ScoredByForm(Body):
    scored_by = serializers.ChoiceField(ScoredBy.values)


class SwapForm(Body):
    sittings = serializers.ListField(child=Whole(min_value=1), min_length=2, max_length=2)


class Tables(Endpoint):
    @described("The tables of an event", parameters=(AFTER, LIMIT))
    def get(self, request: Request, slug: str) -> Response:
        return self.page(self.event(slug).tables.all(), documents.table, order="number")


class Codes(Endpoint):
    @described("The valid codes as printed on the cards")
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.ISSUE_CODES)
        return Response({"results": [documents.code(one) for one in queries.codes_of(event)]})

    @written("Make sure that every table has a code for both sides", status=201)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.ISSUE_CODES)
        codes = services.issue_codes(tournament_id=event.pk, actor=self.actor, at=self.now)
        return Response({"results": [documents.code(one) for one in codes]}, status=201)


class Reissue(Endpoint):
    @written("Replace a lost code; phones that used it are signed out", status=201)
    def post(self, request: Request, slug: str, number: int, side: str) -> Response:
        table: Table = found(self.event(slug, Act.ISSUE_CODES).tables.all(), number=number)
        code = services.reissue(table_id=table.pk, side=side, actor=self.actor, at=self.now)
        return Response(documents.code(code), status=201)


class Devices(Endpoint):
    """A party code opens its side's place at the sitting that now stands at its table."""

    authentication_classes = []

    @described("Claim a side's place with its party code", body=ClaimForm, status=201, refused=WRITE)
    def post(self, request: Request) -> Response:
        limits.refuse_if_over(request, "code", WRONG_CODES)
        fields = self.body(ClaimForm)
        token = new_secret()
        try:
            device = services.claim(
                code_text=fields["code"],
                at=self.now,
                token=token,
                public_id=secrets.token_hex(6),
                take_over=fields.get("take_over", False),
            )
        except UnknownCode:
            limits.count(request, "code")
            raise
        made = {"device": device.public_id, "token": token, "side": device.side, "sitting": device.sitting_id}
        return Response(made, status=201)


class OneDevice(Endpoint):
    @described("Sign a phone out", status=204, empty=True, refused=WRITE)
    def delete(self, request: Request, public_id: str) -> Response:
        device: Device = found(Device.objects.all(), public_id=public_id)
        services.release(device_id=device.pk, actor=self.actor, at=self.now, why="desk")
        return Response(status=204)


class ScoredBySwitch(Endpoint):
    @written("Who writes down the hands of a sitting", body=ScoredByForm)
    def post(self, request: Request, sitting_id: int) -> Response:
        changed = rounds.set_scored_by(sitting_id=sitting_id, actor=self.actor, at=self.now, **self.body(ScoredByForm))
        return Response(documents.seat(Sitting.objects.select_related("table").get(pk=changed.pk)))


class Swap(Endpoint):
    @written("Two sittings of a round change tables, with their entries", body=SwapForm)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = found(self.event(slug, Act.SWAP_TABLES).rounds.all(), number=number)
        ids = self.body(SwapForm)["sittings"]
        moved = rounds.swap_tables(round_id=round_.pk, actor=self.actor, at=self.now, sitting_ids=ids)
        return Response({"results": [{"id": one.pk, "table": one.table.number} for one in moved]})


class Cards(Endpoint):
    @described("Table cards of a round with both codes, to print", media="application/pdf")
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        event = self.event(slug, Act.ISSUE_CODES)
        round_ = found(event.rounds.select_related("tournament"), number=number)
        base = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
        pdf = paper.table_cards_pdf(round_, address=f"{base}/t/", printed_at=self.now)
        return HttpResponse(pdf, content_type="application/pdf")


class Sheets(Endpoint):
    @described("Score sheets of a round, one for each table, to print", media="application/pdf")
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        event = self.event(slug, Act.SEE_DESK)
        round_ = found(event.rounds.select_related("stage", "tournament"), number=number)
        return HttpResponse(paper.score_sheets_pdf(round_), content_type="application/pdf")

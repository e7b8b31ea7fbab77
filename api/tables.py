"""Tables, the codes on their cards, and the devices that hold a side's place."""

from __future__ import annotations

import secrets

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee.parts.downloads import download
from referee.parts.printed import codes_warning, public_address, trusted_first
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor
from tournaments.acts.guessing import PARTY_CODE, one_try
from tournaments.events.setup import new_secret
from tournaments.ledger import devices
from tournaments.models import Device, ScoredBy, Sitting, Table
from tournaments.people import attendance
from tournaments.rounds import board
from tournaments.rounds.acts import set_scored_by, swap_tables
from tournaments.transfer.paper import cards, entrant_codes, sheets

from .answers.base import Document, list_of, page_of
from .answers.events import (
    DeviceAnswer,
    OwnCodeAnswer,
    OwnCodeList,
    PartyCodeAnswer,
    PartyCodes,
    TableAnswer,
    own_code_answer,
    party_code_answer,
    table_answer,
)
from .answers.play import Seat, Swapped, seat_answer
from .common.auth import actor_if_known
from .common.describe import AFTER, LIMIT, described, unsaved, written
from .common.strict import A_CODE, Body, Flag, RowNumber, Words
from .common.views import Endpoint, found
from .entrants import entrant_of

PDF = "application/pdf"


class ClaimForm(Body):
    code = Words(A_CODE, help_text="the text on the table card")
    take_over = Flag(required=False)


class ScoredByForm(Body):
    scored_by = serializers.ChoiceField(ScoredBy.values)


class SwapForm(Body):
    sittings = serializers.ListField(child=RowNumber(), min_length=2, max_length=2)


def warned(request: Request) -> dict[str, str]:
    """The header of a file with codes whose address opens nothing on a phone; none where it does."""
    warning = codes_warning(request)
    return {} if warning is None else {"Referee-Warning": warning["en"]}


class Tables(Endpoint):
    @described("The tables of an event", parameters=(AFTER, LIMIT), answer=page_of(TableAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return self.page(self.event(slug).tables.all(), table_answer, order="number")


class Codes(Endpoint):
    @described("The valid codes as printed on the cards", answer=PartyCodes)
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.ISSUE_CODES)
        return Response({"results": [party_code_answer(one) for one in board.codes_of(event)]} | _warning(request))

    @unsaved("GET this address for the codes.", "请用 GET 取这个地址上的码。")
    @written("Make sure that every table has a code for both sides", status=201, answer=PartyCodes)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.ISSUE_CODES)
        codes = devices.issue_codes(tournament_id=event.pk, actor=self.actor, at=self.now)
        return Response({"results": [party_code_answer(one) for one in codes]} | _warning(request), status=201)


def _warning(request: Request) -> Document:
    """What to read before the codes are printed: `warning`, null where phones reach their address."""
    return {"warning": codes_warning(request)}


class OwnCodes(Endpoint):
    @described("The own codes of the entrants, with which they check in and follow their matches", answer=OwnCodeList)
    def get(self, request: Request, slug: str) -> Response:
        codes = board.own_codes_of(self.event(slug, Act.ISSUE_CODES))
        return Response({"results": [own_code_answer(one) for one in codes]} | _warning(request))

    @unsaved("GET this address for the codes.", "请用 GET 取这个地址上的码。")
    @written("Make sure that every entrant has an own code", status=201, answer=OwnCodeList)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.ISSUE_CODES)
        codes = attendance.issue_entrant_codes(tournament_id=event.pk, actor=self.actor, at=self.now)
        return Response({"results": [own_code_answer(one) for one in codes]} | _warning(request), status=201)


def _with_codes(request: Request, pdf: bytes, name: str) -> HttpResponse:
    """Paper with codes on it, with the warning where their address leads to this machine only."""
    response = download(pdf, name, PDF)
    for header, said in warned(request).items():
        response[header] = said
    return response


class OwnCodesPaper(Endpoint):
    @described("The own codes of the entrants on paper, to cut and hand out", media="application/pdf")
    def get(self, request: Request, slug: str) -> HttpResponse:
        event = self.event(slug, Act.ISSUE_CODES)
        pdf = entrant_codes.entrant_codes_pdf(event, address=public_address(request, "/me/"), printed_at=self.now)
        return _with_codes(request, pdf, f"{slug}-codes.pdf")


class NewOwnCode(Endpoint):
    @unsaved(
        "GET entrant-codes/ for it, or replace it again with a new key.",
        "请用 GET 取 entrant-codes/，或用新的键再换一次。",
    )
    @written("Replace the own code of an entrant; the old one stops working", status=201, answer=OwnCodeAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        entrant = entrant_of(self.event(slug, Act.ISSUE_CODES), number)
        code = self.act(attendance.reissue_entrant_code, entrant_id=entrant.pk)
        return Response(own_code_answer(code), status=201)


class Reissue(Endpoint):
    @unsaved("GET codes/ for it, or replace it with a new key.", "请用 GET 取 codes/，或用新的键再换。")
    @written("Replace a lost code; phones that used it are signed out", status=201, answer=PartyCodeAnswer)
    def post(self, request: Request, slug: str, number: int, side: str) -> Response:
        table: Table = found(self.event(slug, Act.ISSUE_CODES).tables.all(), number=number)
        code = devices.reissue(table_id=table.pk, side=side, actor=self.actor, at=self.now)
        return Response(party_code_answer(code), status=201)


class Devices(Endpoint):
    """A party code opens its side's place at the sitting that now stands at its table."""

    authentication_classes = []
    door = True

    @property
    def actor(self) -> Actor:
        """Whose token came along; one of a place that has ended is nobody's, and claims as a stranger."""
        return actor_if_known(self.request)

    @unsaved(
        "Claim the place again with a new key, with take_over: this phone keeps it.",
        "请用新的键并带 take_over 再取一次，座位仍归这部手机。",
    )
    @written("Claim a side's place with its party code", body=ClaimForm, status=201, answer=DeviceAnswer)
    def post(self, request: Request) -> Response:
        fields = self.body(ClaimForm)
        token = new_secret()
        with one_try(PARTY_CODE, address=self.address, browser=self.known):
            device = devices.claim(
                code_text=fields["code"],
                at=self.now,
                token=token,
                public_id=secrets.token_hex(6),
                take_over=fields.get("take_over", False),
            )
        made = {"device": device.public_id, "token": token, "side": device.side, "sitting": device.sitting_id}
        return Response(made, status=201)


class OneDevice(Endpoint):
    @written("Sign a phone out", status=204, empty=True)
    def delete(self, request: Request, public_id: str) -> Response:
        device: Device = found(Device.objects.all(), public_id=public_id)
        devices.release(device_id=device.pk, actor=self.actor, at=self.now, why="desk")
        return Response(status=204)


class ScoredBySwitch(Endpoint):
    @written("Who writes down the hands of a sitting", body=ScoredByForm, answer=Seat)
    def post(self, request: Request, sitting_id: int) -> Response:
        changed = set_scored_by(sitting_id=sitting_id, actor=self.actor, at=self.now, **self.body(ScoredByForm))
        return Response(seat_answer(Sitting.objects.select_related("table").get(pk=changed.pk)))


class Swap(Endpoint):
    @written("Two sittings of a round change tables, with their entries", body=SwapForm, answer=list_of(Swapped))
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = found(self.event(slug, Act.SWAP_TABLES).rounds.all(), number=number)
        ids = self.body(SwapForm)["sittings"]
        moved = swap_tables(round_id=round_.pk, actor=self.actor, at=self.now, sitting_ids=ids)
        return Response({"results": [{"id": one.pk, "table": one.table.number} for one in moved]})


class Cards(Endpoint):
    @described("Table cards of a round with both codes, to print", media="application/pdf")
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        event = self.event(slug, Act.ISSUE_CODES)
        round_ = found(event.rounds.select_related("tournament"), number=number)
        pdf = cards.table_cards_pdf(
            round_, address=public_address(request, "/t/"), printed_at=self.now, **trusted_first()
        )
        return _with_codes(request, pdf, f"{slug}-{number}-cards.pdf")


class Sheets(Endpoint):
    @described("Score sheets of a round, one for each table, to print", media="application/pdf")
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        event = self.event(slug, Act.SEE_DESK)
        round_ = found(event.rounds.select_related("stage", "tournament"), number=number)
        return download(sheets.score_sheets_pdf(round_), f"{slug}-{number}-sheets.pdf", PDF)

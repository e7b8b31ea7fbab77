"""The record of a hand, card by card, beside its entry: attach one, read the newest with what its cards say."""

from __future__ import annotations

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.ledger import recorded_hands
from tournaments.ledger.hands_on_record import replayed
from tournaments.ledger.recorded_hands import TEXT_LIMIT

from .answers.hand_records import HandRecordAnswer, recorded_hand_answer
from .common.describe import described, written
from .common.strict import Body, Words
from .sittings import SittingEndpoint


class RecordForm(Body):
    text = Words(TEXT_LIMIT, help_text="one hand in the hand notation")


class RecordedHand(SittingEndpoint):
    @described(
        "The newest record of a hand that counts, its replay (for officials with what was against the rules), and "
        "where the entry says otherwise",
        answer=HandRecordAnswer,
    )
    def get(self, request: Request, sitting_id: int, hand_no: int) -> Response:
        sitting, _inside, kept = self.sitting(sitting_id)
        seen = None if sitting.pk in kept.sittings else replayed(sitting, hand_no)
        if seen is None:
            raise Http404
        official = allowed(self.actor, Act.SEE_DESK, tournament=sitting.round.tournament)
        return Response(recorded_hand_answer(seen, faults=official))

    @written(
        "Attach the record of a hand that counts",
        body=RecordForm,
        status=201,
        answer=HandRecordAnswer,
    )
    def post(self, request: Request, sitting_id: int, hand_no: int) -> Response:
        seen = self.act(recorded_hands.attach, RecordForm, sitting_id=sitting_id, hand_no=hand_no)
        return Response(recorded_hand_answer(seen, faults=True), status=201)

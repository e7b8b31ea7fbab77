"""Attendance and the clock: the roll call, lateness, extra time, the end that both sides state, who sat where."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.guessing import OWN_CODE, one_try
from tournaments.ledger import ending
from tournaments.models import Round, Sitting, Tournament
from tournaments.people import attendance, roll_call
from tournaments.rounds import reseating
from tournaments.rounds.acts import add_time, go_on, move_sitting, stop_clock
from tournaments.rounds.steps import REASON_LIMIT

from .answers.base import Document
from .answers.draws import Reseated
from .answers.events import RoundAnswer
from .answers.people import CheckInAnswer, RollCall, check_in_answer, late_table_answer, roll_row_answer
from .answers.play import AtTable, Ended, round_answer
from .answers.rulings import LatenessProposed
from .common.describe import described, written
from .common.strict import A_CODE, REASON, Body, Flag, Whole, Words
from .common.views import Endpoint, found
from .entrants import entrant_of
from .rounds import RoundEndpoint

ROUND = OpenApiParameter("round", int, description="number of a round; left out: the event")


class CheckInForm(Body):
    round = Whole(required=False, allow_null=True, help_text="number of a round; left out: the event")


class OwnCodeForm(Body):
    code = Words(A_CODE, help_text="the entrant's own code")


class ClockForm(Body):
    stopped = Flag()
    reason = Words(REASON, required=False, allow_blank=True, help_text="why it is stopped")


class TimeForm(Body):
    minutes = Whole(help_text="negative: taken back")
    reason = Words(REASON)


class MoveForm(Body):
    table = Whole(help_text="a free table")


class ReseatForm(Body):
    entrants = serializers.ListField(child=Whole(), min_length=2, max_length=2, help_text="two entrant numbers")
    reason = Words(REASON_LIMIT)


class LatenessForm(Body):
    side = serializers.ChoiceField(["NS", "EW"])


class Roll(Endpoint):
    @described(
        "The roll call of the event or a round, and who is late at which table", parameters=(ROUND,), answer=RollCall
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        round_ = _round(event, self.number_asked("round"))
        rows = roll_call.roll(event, round_)
        late = [] if round_ is None else roll_call.late_tables(round_, self.now)
        return Response(
            {
                "there": sum(row.there for row in rows),
                "results": [roll_row_answer(row) for row in rows],
                "late": [late_table_answer(table) for table in late],
            }
        )


def _round(event: Tournament, number: int | None) -> Round | None:
    if number is None:
        return None
    round_: Round = found(event.rounds.select_related("stage", "tournament"), number=number)
    return round_


class CheckIn(Endpoint):
    @written("Note that an entrant is there", body=CheckInForm, answer=CheckInAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        row = attendance.check_in(**self._whom(slug, number), actor=self.actor, at=self.now)
        return Response(check_in_answer(row))

    @written("Take a check-in back", body=CheckInForm, answer=CheckInAnswer)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        row = attendance.undo_check_in(**self._whom(slug, number), actor=self.actor, at=self.now)
        return Response(check_in_answer(row))

    def _whom(self, slug: str, number: int) -> dict[str, Any]:
        event = self.event(slug, Act.CHECK_IN)
        round_ = _round(event, self.body(CheckInForm).get("round"))
        return {"entrant_id": entrant_of(event, number).pk, "round_id": None if round_ is None else round_.pk}


class OwnCheckIn(Endpoint):
    @written("An entrant says with its own code that it is there", body=OwnCodeForm, answer=CheckInAnswer)
    def post(self, request: Request) -> Response:
        code = self.body(OwnCodeForm)["code"]
        with one_try(OWN_CODE, address=self.address, browser=self.known):
            row = attendance.check_in_by_code(code_text=code, at=self.now)
        return Response(check_in_answer(row))


class Clock(RoundEndpoint):
    @written("Stop the clock of a running round, or let it go on", body=ClockForm, answer=RoundAnswer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        fields = self.body(ClockForm)
        of: dict[str, Any] = {"round_id": self.round(slug, number, Act.SET_CLOCK).pk}
        of |= {"actor": self.actor, "at": self.now}
        if fields["stopped"]:
            return Response(round_answer(stop_clock(**of, reason=fields.get("reason", ""))))
        return Response(round_answer(go_on(**of)))


class Reseat(RoundEndpoint):
    @written("Two entrants sat at the places of one another", body=ReseatForm, answer=Reseated)
    def post(self, request: Request, slug: str, number: int) -> Response:
        round_ = self.round(slug, number, Act.RESEAT)
        fields = self.body(ReseatForm)
        ids = [entrant_of(round_.tournament, one).pk for one in fields["entrants"]]
        pairing = reseating.reseat_match(
            round_id=round_.pk, actor=self.actor, at=self.now, entrants=ids, reason=fields["reason"]
        )
        return Response({"pairing": pairing.number})


class ExtraTime(Endpoint):
    @written("Give one table extra time", body=TimeForm, answer=AtTable)
    def post(self, request: Request, sitting_id: int) -> Response:
        sitting = add_time(sitting_id=sitting_id, actor=self.actor, at=self.now, **self.body(TimeForm))
        return Response(_at_table(sitting))


class Move(Endpoint):
    @written("Move a sitting with its entries to a free table", body=MoveForm, answer=AtTable)
    def post(self, request: Request, sitting_id: int) -> Response:
        sitting = move_sitting(sitting_id=sitting_id, actor=self.actor, at=self.now, **self.body(MoveForm))
        return Response(_at_table(sitting))


def _at_table(sitting: Sitting) -> Document:
    return {"sitting": sitting.pk, "table": sitting.table.number, "extra_minutes": sitting.extra_minutes}


class AgreeEnd(Endpoint):
    @written("A side says that time is over and no hand is in progress; when both do, the match ends", answer=Ended)
    def post(self, request: Request, sitting_id: int) -> Response:
        agreed = self.act(ending.agree_end, sitting_id=sitting_id)
        return Response({"over": agreed.over, "revision": agreed.revision})


class Lateness(Endpoint):
    @written(
        "Propose what the penalties of the event say of a late side",
        body=LatenessForm,
        status=201,
        answer=LatenessProposed,
    )
    def post(self, request: Request, sitting_id: int) -> Response:
        done = self.act(attendance.propose_lateness, LatenessForm, sitting_id=sitting_id)
        return Response({"ruling": done.ruling.pk, "proposal": done.ruling.proposal}, status=201)

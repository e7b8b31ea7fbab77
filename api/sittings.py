"""A sitting and its hands: record, confirm, take back, send back, settle, call, penalise, end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.acts.leaves import promised
from tournaments.acts.text import digest_of
from tournaments.boards.reads import KeptBack, kept_back
from tournaments.ledger import calls, previewing, scorekeeping
from tournaments.ledger.officials_entries import end_sitting, reopen_sitting
from tournaments.ledger.recorded import Recorded
from tournaments.models import Call, LedgerEntry, RoundStatus, Sitting
from tournaments.rulings import adjusted_boards, given_penalties
from tournaments.sittings import records
from tournaments.sittings.moments import one_moment
from tournaments.sittings.records import COUNTED

from .answers.base import list_of, page_of
from .answers.boards import AdjustedAnswer, adjusted_answer
from .answers.documents import NUMBER, Mark
from .answers.facts import Facts
from .answers.ledger import (
    EntryAnswer,
    Penalised,
    PreviewAnswer,
    RecordedAnswer,
    RuledAnswer,
    entry_answer,
    penalised_answer,
    preview_answer,
    recorded_answer,
    ruled_answer,
)
from .answers.play import CallAnswer, SittingWhole, call_answer, sitting_answer
from .common.describe import AFTER, LIMIT, asked, described, written
from .common.entries import EntryEndpoint
from .common.strict import A_WORD, CLAUSE, REASON, Body, Whole, Words, shaped
from .common.views import Endpoint, found, tagged


class HandForm(Body):
    facts = shaped(Facts, help_text="a ledger entry of the batch protocol")
    hand_no = shaped(NUMBER, help_text="the number of the hand, from 1")
    basis = Words(A_WORD, required=False, allow_blank=True, help_text="officials: watched, signed_sheet or ruling")
    reason = Words(REASON, required=False, allow_blank=True)
    device_time = Words(200, required=False, allow_blank=True, help_text="a note, never an order")


class PreviewForm(Body):
    facts = shaped(Facts)
    hand_no = shaped(NUMBER, required=False, allow_null=True)


class ConfirmForm(Body):
    version = Whole(required=False, allow_null=True)
    pin = Words(A_WORD, required=False, allow_null=True, help_text="another party's PIN, on a shared phone")


class SendBackForm(Body):
    what = Words(scorekeeping.WHAT_LIMIT, help_text="the field that is wrong")
    note = Words(scorekeeping.NOTE_LIMIT, required=False, allow_blank=True)


class SettleForm(Body):
    facts = shaped(Facts)
    hand_no = shaped(NUMBER)
    reason = Words(REASON)


class NoteForm(Body):
    note = Words(calls.NOTE_LIMIT, required=False, allow_blank=True)


class PenaltyForm(Body):
    side = serializers.ChoiceField(["NS", "EW"])
    levels = Whole(help_text="negative")
    reason = Words(REASON)
    clause = Words(CLAUSE, help_text="of the event's rules or of its penalty schedule")


class PlacePenaltyForm(Body):
    amount = Whole(help_text="negative: taken; levels where the game keeps them, else points of the game")
    reason = Words(REASON)
    clause = Words(CLAUSE, help_text="of the event's rules or of its penalty schedule")


class EndForm(Body):
    reason = serializers.ChoiceField(["time", "hands", "lead", "forfeit", "ruling", "left"])
    by = serializers.ChoiceField(
        ["NS", "EW", "1", "2", "3", "4", "5"],
        required=False,
        allow_null=True,
        help_text="who gave up, leads or has left",
    )
    why = Words(REASON, required=False, allow_blank=True)
    award = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="where a single player forfeits: what each of the others gets beside what they have",
    )


class ReopenForm(Body):
    reason = Words(REASON)


class AdjustForm(Body):
    ns = shaped(Mark, of=serializers.DictField, help_text="for North-South: attackers_total, weighted or artificial")
    ew = shaped(Mark, of=serializers.DictField, required=False, help_text="for East-West; left out: the same")
    reason = Words(REASON)
    clause = Words(CLAUSE, help_text="of the event's rules or of its penalty schedule")


class AsPlayedForm(Body):
    reason = Words(REASON)


class SittingEndpoint(Endpoint):
    def sitting(self, sitting_id: int) -> tuple[Sitting, bool, KeptBack]:
        """The sitting, whether the asker is inside, and what he is not told: nothing to its own device or an official.

        Drafts are for officials.
        """
        rows = Sitting.objects.select_related("round__tournament", "round__stage", "table", "match")
        sitting: Sitting = found(rows, pk=sitting_id)
        inside = allowed(self.actor, Act.SEE_TABLE, tournament=sitting.round.tournament, sitting=sitting)
        if sitting.round.status == RoundStatus.DRAFT and not inside:
            raise Http404
        return sitting, inside, self.kept_back(sitting, inside)

    def kept_back(self, sitting: Sitting, inside: bool) -> KeptBack:
        """What the asker may not know of the stage while others have to play its boards."""
        if inside or allowed(self.actor, Act.SEE_DESK, tournament=sitting.round.tournament):
            return KeptBack()
        return kept_back(sitting.round.stage)


class OneSitting(SittingEndpoint):
    @described("A sitting with its confirmed hands and reasons; its ETag begins with its revision", answer=SittingWhole)
    def get(self, request: Request, sitting_id: int) -> Response:
        # the revision and the hands of one moment: a hand confirmed meanwhile is there with its revision or not at all
        with one_moment():
            sitting, inside, kept = self.sitting(sitting_id)
            document = sitting_answer(records.records([sitting])[0], inside=inside, kept=kept)
        # the table and who scores it change without a revision, so the revision alone would keep an old page alive
        tag = f"{sitting.revision}-{digest_of(document)[:16]}"
        return tagged(request, document, tag, public=not inside)


class Entries(SittingEndpoint):
    @described(
        "The ledger, every version; those inside see hands that never counted, or whose boards others have to play",
        parameters=(AFTER, LIMIT),
        answer=page_of(EntryAnswer),
    )
    def get(self, request: Request, sitting_id: int) -> Response:
        sitting, inside, kept = self.sitting(sitting_id)
        rows = LedgerEntry.objects.filter(sitting=sitting)
        if not inside:
            rows = rows.none() if sitting.pk in kept.sittings else rows.filter(status__in=COUNTED)
        return self.page(rows, lambda row: entry_answer(row, inside=inside))


class Hands(EntryEndpoint):
    @written("Enter a hand", body=HandForm, status=201, answer=RecordedAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        return self.record(scorekeeping.hand_to_enter, HandForm, 201, sitting_id=sitting_id)


class Preview(Endpoint):
    @asked("What a hand would do, without entering it", body=PreviewForm, answer=PreviewAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        seen = previewing.preview(sitting_id=sitting_id, actor=self.actor, **self.body(PreviewForm))
        return Response(preview_answer(seen))


class Confirm(EntryEndpoint):
    @written("Confirm another party's entry", body=ConfirmForm, answer=RecordedAnswer)
    def post(self, request: Request, sitting_id: int, entry_id: int) -> Response:
        return self.record(scorekeeping.hand_to_confirm, ConfirmForm, 200, sitting_id=sitting_id, entry_id=entry_id)


class Recording(Endpoint):
    """Does something with an entry, and answers what became of it."""

    def recorded(self, service: Callable[..., Recorded], form: type[Body] | None = None, **of: Any) -> Response:
        with promised() as made:
            done = self.act(service, form, **of)
        return Response(recorded_answer(done, made))


class TakeBack(Recording):
    @written("Take back one's own entry before it is answered", answer=RecordedAnswer)
    def post(self, request: Request, sitting_id: int, entry_id: int) -> Response:
        return self.recorded(scorekeeping.take_back, sitting_id=sitting_id, entry_id=entry_id)


class SendBack(Recording):
    @written("Say what is wrong with another party's entry", body=SendBackForm, answer=RecordedAnswer)
    def post(self, request: Request, sitting_id: int, entry_id: int) -> Response:
        return self.recorded(scorekeeping.send_back, SendBackForm, sitting_id=sitting_id, entry_id=entry_id)


class ObjectTo(Endpoint):
    @written("Object to an entry that a referee wrote down", body=NoteForm, status=201, answer=CallAnswer)
    def post(self, request: Request, sitting_id: int, entry_id: int) -> Response:
        call = self.act(calls.object_to, NoteForm, sitting_id=sitting_id, entry_id=entry_id)
        return Response(call_answer(call), status=201)


class Settle(Recording):
    @written("Rule on a hand that waits or is in dispute", body=SettleForm, versioned=True, answer=RecordedAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        return self.recorded(scorekeeping.settle, SettleForm, versioned=True, sitting_id=sitting_id)


class Penalties(Endpoint):
    @written("Take levels from a side", body=PenaltyForm, status=201, versioned=True, answer=Penalised)
    def post(self, request: Request, sitting_id: int) -> Response:
        done = self.act(given_penalties.penalise_level, PenaltyForm, versioned=True, sitting_id=sitting_id)
        return Response(penalised_answer(done), status=201)


class PlacePenalties(Endpoint):
    @written(
        "Take from one player of an individual game",
        body=PlacePenaltyForm,
        status=201,
        versioned=True,
        answer=Penalised,
    )
    def post(self, request: Request, sitting_id: int, place: str) -> Response:
        done = self.act(
            given_penalties.penalise_player, PlacePenaltyForm, versioned=True, sitting_id=int(sitting_id), place=place
        )
        return Response(penalised_answer(done), status=201)


class End(Endpoint):
    @written(
        "End a sitting: at time, by hands, by lead, or by forfeit", body=EndForm, versioned=True, answer=RuledAnswer
    )
    def post(self, request: Request, sitting_id: int) -> Response:
        ruled = self.act(end_sitting, EndForm, versioned=True, sitting_id=sitting_id)
        return Response(ruled_answer(ruled))


class Reopen(Endpoint):
    @written("Take back an end that was entered by mistake", body=ReopenForm, versioned=True, answer=RuledAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        ruled = self.act(reopen_sitting, ReopenForm, versioned=True, sitting_id=sitting_id)
        return Response(ruled_answer(ruled))


class Calls(SittingEndpoint):
    @described("The open calls of a sitting", answer=list_of(CallAnswer))
    def get(self, request: Request, sitting_id: int) -> Response:
        sitting, inside, _kept = self.sitting(sitting_id)
        if not inside:
            raise Http404
        rows = Call.objects.filter(sitting=sitting, closed_at=None).order_by("called_at")
        return Response({"results": [call_answer(one) for one in rows]})

    @written("Call a referee", body=NoteForm, status=201, answer=CallAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        call = self.act(calls.call_referee, NoteForm, sitting_id=sitting_id)
        return Response(call_answer(call), status=201)


class TakeCall(Endpoint):
    @written("A referee goes to the table", answer=CallAnswer)
    def post(self, request: Request, call_id: int) -> Response:
        return Response(call_answer(calls.take_call(call_id=call_id, actor=self.actor, at=self.now)))


class CloseCall(Endpoint):
    @written("The call is dealt with", answer=CallAnswer)
    def post(self, request: Request, call_id: int) -> Response:
        return Response(call_answer(calls.close_call(call_id=call_id, actor=self.actor, at=self.now)))


class AdjustBoard(Endpoint):
    @written(
        "Put an official's score in place of what a board came to at a table",
        body=AdjustForm,
        versioned=True,
        answer=AdjustedAnswer,
    )
    def post(self, request: Request, sitting_id: int, board: int) -> Response:
        revision, fields = self.expected_revision(), self.body(AdjustForm)
        fields.setdefault("ew", fields["ns"])
        done = adjusted_boards.adjust_board(
            sitting_id=sitting_id,
            number=board,
            actor=self.actor,
            at=self.now,
            expected_revision=revision,
            **fields,
        )
        return Response(adjusted_answer(done))

    @written(
        "Take an adjusted score back: what was played counts again",
        body=AsPlayedForm,
        versioned=True,
        answer=AdjustedAnswer,
    )
    def delete(self, request: Request, sitting_id: int, board: int) -> Response:
        done = self.act(
            adjusted_boards.take_back_adjustment, AsPlayedForm, versioned=True, sitting_id=sitting_id, number=board
        )
        return Response(adjusted_answer(done))

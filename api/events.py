"""Events."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.events import setup
from tournaments.models import Tournament
from tournaments.rounds import board, public

from .answers.base import Document, page_of
from .answers.events import EventAnswer, EventWhole, event_answer, stage_answer
from .answers.forms import FormAnswer, PenaltySpec, ProfileSpec
from .answers.play import round_answer
from .common.describe import AFTER, LIMIT, described, written
from .common.strict import A_WORD, Body, Flag, Whole, Words, length_of, shaped
from .common.views import Endpoint
from .stages import StageForm


class EventForm(Body):
    name = Words(length_of(Tournament, "name"))
    slug = Words(length_of(Tournament, "slug"))
    name_latin = Words(length_of(Tournament, "name_latin"), required=False, allow_blank=True)
    place = Words(length_of(Tournament, "place"), required=False, allow_blank=True)
    starts_on = Words(A_WORD, required=False, allow_null=True)
    language = Words(A_WORD, required=False)
    timezone = Words(A_WORD, required=False)
    preset = Words(A_WORD, required=False, allow_null=True)
    form = shaped(FormAnswer, required=False, allow_null=True, help_text="the form of an event, as from form/")
    profile = ProfileSpec(required=False, allow_null=True)
    stage = StageForm(required=False)
    single_official = Flag(required=False)
    judges = Flag(default=True, help_text="you are its chief referee too, and can settle disputes")


class StageChange(StageForm):
    number = Whole(required=False, help_text="of the stage; left out: the one in play")


class EventChange(Body):
    name = Words(length_of(Tournament, "name"), required=False)
    name_latin = Words(length_of(Tournament, "name_latin"), required=False, allow_blank=True)
    place = Words(length_of(Tournament, "place"), required=False, allow_blank=True)
    starts_on = Words(A_WORD, required=False, allow_null=True)
    language = Words(A_WORD, required=False)
    timezone = Words(A_WORD, required=False)
    single_official = Flag(required=False)
    second_factor = Flag(required=False, help_text="organisers and chief referees need one; you have to have it first")
    live_public = Flag(required=False)
    penalties = PenaltySpec(
        required=False, allow_null=True, help_text="id of a penalty schedule, or {base, set}; null: standard"
    )
    appeal_minutes = Whole(required=False, allow_null=True, help_text="to appeal against a ruling; null: 30")
    stage = StageChange(required=False)


class Events(Endpoint):
    @described("Events, newest first", parameters=(AFTER, LIMIT), name="events_list", answer=page_of(EventAnswer))
    def get(self, request: Request) -> Response:
        return self.page(Tournament.objects.all(), event_answer, order="-pk")

    @written(
        "Create an event; you become its organiser, and its chief referee unless you say otherwise",
        body=EventForm,
        status=201,
        answer=EventWhole,
    )
    def post(self, request: Request) -> Response:
        fields = self.body(EventForm)
        event = setup.create_tournament(actor=self.actor, at=self.now, lot_seed=setup.new_secret(), **fields)
        return Response(_whole(event), status=201)


class Event(Endpoint):
    @described("An event with its stages and rounds", answer=EventWhole)
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        return Response(_whole(event, drafts=allowed(self.actor, Act.SEE_DESK, tournament=event)))

    @written("Change an event", body=EventChange, answer=EventWhole)
    def patch(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        changed = setup.update_tournament(
            tournament_id=event.pk, actor=self.actor, at=self.now, changes=self.body(EventChange)
        )
        return Response(_whole(changed))


def _whole(event: Tournament, *, drafts: bool = True) -> Document:
    rounds = board.rounds_of(event) if drafts else public.public_rounds(event)
    return event_answer(event) | {
        "stages": [stage_answer(one) for one in event.stages.all()],
        "rounds": [round_answer(one) for one in rounds],
    }

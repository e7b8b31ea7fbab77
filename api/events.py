"""Events and their officials."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments import queries
from tournaments.access import Act, allowed
from tournaments.models import Office, Official, Tournament, User
from tournaments.services import setup

from . import documents
from .describe import AFTER, LIMIT, WRITE, described
from .stages import StageForm
from .strict import Body, Flag, Whole, Words
from .views import Endpoint, found


class EventForm(Body):
    name = Words()
    slug = Words()
    name_latin = Words(required=False, allow_blank=True)
    place = Words(required=False, allow_blank=True)
    starts_on = Words(required=False, allow_null=True)
    language = Words(required=False)
    timezone = Words(required=False)
    preset = Words(required=False, allow_null=True)
    form = serializers.JSONField(required=False, allow_null=True, help_text="the form of an event, as from form/")
    profile = serializers.JSONField(required=False, allow_null=True)
    stage = StageForm(required=False)
    single_official = Flag(required=False)


class StageChange(StageForm):
    number = Whole(required=False, help_text="of the stage; left out: the one in play")


class EventChange(Body):
    name = Words(required=False)
    name_latin = Words(required=False, allow_blank=True)
    place = Words(required=False, allow_blank=True)
    starts_on = Words(required=False, allow_null=True)
    language = Words(required=False)
    timezone = Words(required=False)
    single_official = Flag(required=False)
    live_public = Flag(required=False)
    penalties = serializers.JSONField(
        required=False, allow_null=True, help_text="id of a penalty schedule, or {base, set}; null: standard"
    )
    appeal_minutes = Whole(required=False, allow_null=True, help_text="to appeal against a ruling; null: 30")
    stage = StageChange(required=False)


class OfficialForm(Body):
    username = Words()
    office = serializers.ChoiceField(Office.values)
    tables = serializers.ListField(child=Whole(min_value=1), required=False)


class Events(Endpoint):
    @described("Events, newest first", parameters=(AFTER, LIMIT), name="events_list")
    def get(self, request: Request) -> Response:
        return self.page(Tournament.objects.all(), documents.event, order="-pk")

    @described("Create an event; you become its organiser", body=EventForm, status=201, refused=WRITE)
    def post(self, request: Request) -> Response:
        fields = self.body(EventForm)
        event = setup.create_tournament(actor=self.actor, at=self.now, lot_seed=setup.new_secret(), **fields)
        return Response(_whole(event), status=201)


class Event(Endpoint):
    @described("An event with its stages and rounds")
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        return Response(_whole(event, drafts=allowed(self.actor, Act.SEE_DESK, tournament=event)))

    @described("Change an event", body=EventChange, refused=WRITE)
    def patch(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        changed = setup.update_tournament(
            tournament_id=event.pk, actor=self.actor, at=self.now, changes=self.body(EventChange)
        )
        return Response(_whole(changed))


def _whole(event: Tournament, *, drafts: bool = True) -> documents.Document:
    rounds = queries.rounds_of(event) if drafts else queries.public_rounds(event)
    return documents.event(event) | {
        "stages": [documents.stage(one) for one in event.stages.all()],
        "rounds": [documents.round_(one) for one in rounds],
    }


class Officials(Endpoint):
    @described("Who holds which office")
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        return Response({"results": [documents.official(one) for one in queries.officials_of(event)]})

    @described("Appoint an official", body=OfficialForm, status=201, refused=WRITE)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        fields = self.body(OfficialForm)
        user = found(User.objects.all(), username=fields.pop("username"))
        appointed = setup.appoint(tournament_id=event.pk, actor=self.actor, at=self.now, user=user, **fields)
        return Response(documents.official(appointed), status=201)


class OneOfficial(Endpoint):
    @described("Take an office back", status=204, empty=True, refused=WRITE)
    def delete(self, request: Request, slug: str, official_id: int) -> Response:
        event = self.event(slug, Act.MANAGE_OFFICIALS)
        one = found(Official.objects.filter(tournament=event), pk=official_id)
        setup.revoke_office(official_id=one.pk, actor=self.actor, at=self.now)
        return Response(status=204)

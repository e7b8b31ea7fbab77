"""The chain of stages of an event: read, set up, begun; and the event's form as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.access import Act, allowed
from tournaments.exchange.forms import Form
from tournaments.models import Stage, Tournament
from tournaments.presets import PRESETS
from tournaments.queries.boards import boards_for_all, scores_of, sittings_with
from tournaments.queries.stages import field_of
from tournaments.services import stages as services
from tournaments.services.board_results import adjustments_of
from tournaments.services.errors import Refusal

from . import documents
from .describe import WRITE, described
from .strict import Body, Flag, Whole, Words
from .views import Endpoint, found


class StageForm(Body):
    name = Words(required=False, allow_blank=True)
    format = Words(required=False)
    match_score = Words(required=False)
    match_score_assumed = Flag(required=False)
    tie_rule = Words(required=False)
    minutes = Whole(required=False, allow_null=True)
    hands = Whole(required=False, allow_null=True)
    lead_levels = Whole(required=False, allow_null=True)
    rounds_planned = Whole(required=False, allow_null=True, help_text="null: as many as the format needs")
    chain = serializers.ListField(child=Words(), required=False, max_length=40)
    plan = serializers.JSONField(required=False, help_text="what the regulation says besides; see docs/api.md")


class BeginForm(Body):
    order = serializers.ListField(
        child=Whole(), required=False, max_length=10_000, help_text="entrant numbers by draw number, drawn by hand"
    )
    groups = serializers.ListField(
        child=serializers.ListField(child=Whole(), max_length=300),
        required=False,
        max_length=64,
        help_text="entrant numbers by group, drawn by hand",
    )
    replace_withdrawn = Flag(
        required=False, allow_null=True, help_text="a qualifier has left: the next comes in, or its place stays empty"
    )
    reason = Words(required=False, allow_blank=True)


class Stages(Endpoint):
    @described("The stages of an event, in order", name="stages_list")
    def get(self, request: Request, slug: str) -> Response:
        stages = self.event(slug).stages.order_by("number")
        return Response({"results": [documents.stage(one) for one in stages]})

    @described("Add a stage at the end", body=StageForm, status=201, refused=WRITE)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SET_UP)
        made = services.add_stage(tournament_id=event.pk, actor=self.actor, at=self.now, facts=self.body(StageForm))
        return Response(documents.stage(made), status=201)


class OneStage(Endpoint):
    @described("A stage with who plays in it, by order")
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(_whole(_stage(self.event(slug), number)))

    @described("Change a stage", body=StageForm, refused=WRITE)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        stage = _stage(self.event(slug, Act.SET_UP), number)
        changed = services.change_stage(stage_id=stage.pk, actor=self.actor, at=self.now, changes=self.body(StageForm))
        return Response(documents.stage(changed))

    @described("Remove a stage that has not begun", status=204, empty=True, refused=WRITE)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        stage = _stage(self.event(slug, Act.SET_UP), number)
        services.remove_stage(stage_id=stage.pk, actor=self.actor, at=self.now)
        return Response(status=204)


class Begin(Endpoint):
    @described("Begin a stage: fix who plays, in which order and group", body=BeginForm, refused=WRITE)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(slug, Act.BEGIN_STAGE)
        fields = self.body(BeginForm)
        ids = dict(event.entrants.values_list("number", "pk"))
        if "order" in fields:
            fields["order"] = _ids(fields["order"], ids)
        if "groups" in fields:
            fields["groups"] = [_ids(group, ids) for group in fields["groups"]]
        stage = _stage(event, number)
        begun = services.begin_stage(stage_id=stage.pk, actor=self.actor, at=self.now, **fields)
        return Response(_whole(begun))


class BoardSheet(Endpoint):
    @described("One board of duplicate at all tables; for everybody when nobody has to play it any more")
    def get(self, request: Request, slug: str, number: int, board: int) -> Response:
        event = self.event(slug)
        stage = _stage(event, number)
        shown = board in boards_for_all(stage) or allowed(self.actor, Act.SEE_DESK, tournament=event)
        if board not in stage.deals or not shown:
            raise Http404
        sittings = sittings_with(stage, board)
        scores = scores_of(stage, board, sittings)
        return Response(documents.board(stage, board, sittings, scores, adjustments_of(sittings, board)))


class EventForm(Endpoint):
    @described("The form of an event, without names, to make another one from")
    def get(self, request: Request, slug: str) -> HttpResponse:
        return HttpResponse(Form.of_event(self.event(slug)).text(), content_type="application/json")


class Presets(Endpoint):
    @described("Ready forms of real events")
    def get(self, request: Request) -> Response:
        return Response(
            {
                "results": [
                    {
                        "id": one.id,
                        "title": dict(one.title),
                        "about": dict(one.about),
                        "form": Form.of_preset(one).to_json(),
                    }
                    for one in PRESETS.values()
                ]
            }
        )


def _stage(event: Tournament, number: int) -> Stage:
    stage: Stage = found(event.stages.select_related("tournament"), number=number)
    return stage


def _whole(stage: Stage) -> dict[str, Any]:
    field = [
        {"entrant": place.number, "order": place.order, "group": place.group, "withdrawn": place.withdrawn}
        for place in field_of(stage)
    ]
    return documents.stage(stage) | {"field": field}


def _ids(numbers: Sequence[int], ids: Mapping[int, int]) -> list[int]:
    strange = [number for number in numbers if number not in ids]
    if strange:
        raise Refusal(
            "unknown_entrant",
            message={"en": f"There is no entrant {strange[0]}.", "zh": f"没有 {strange[0]} 号参赛方。"},
            params={"number": strange[0]},
            status=400,
        )
    return [ids[number] for number in numbers]

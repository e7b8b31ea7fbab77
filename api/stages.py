"""The chain of stages of an event: read, set up, begun; and the event's form as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.acts.admission import allowed
from tournaments.acts.errors import Refusal
from tournaments.boards.reads import boards_for_all, scores_of, sittings_with
from tournaments.boards.results import adjustments_of
from tournaments.models import Stage, Tournament
from tournaments.plans.presets import PRESETS
from tournaments.rounds import boards
from tournaments.stages.acts import add_stage, begin_stage, change_stage, remove_stage
from tournaments.stages.forms import Form
from tournaments.standings.stage_order import field_of

from .answers.base import list_of
from .answers.boards import BoardAnswer, board_answer
from .answers.events import FixedBoard, Preset, StageAnswer, StageWhole, fixed_board_answer, stage_answer
from .answers.forms import FormAnswer, Plan
from .common.describe import described, written
from .common.strict import A_WORD, REASON, Body, Flag, Whole, Words, length_of, shaped
from .common.views import Endpoint, found


class StageForm(Body):
    name = Words(length_of(Stage, "name"), required=False, allow_blank=True)
    format = Words(A_WORD, required=False)
    match_score = Words(A_WORD, required=False)
    match_score_assumed = Flag(required=False)
    tie_rule = Words(A_WORD, required=False)
    minutes = Whole(required=False, allow_null=True)
    hands = Whole(required=False, allow_null=True)
    lead_levels = Whole(required=False, allow_null=True)
    rounds_planned = Whole(required=False, allow_null=True, help_text="null: as many as the format needs")
    chain = serializers.ListField(child=Words(A_WORD), required=False, max_length=40)
    plan = shaped(Plan, required=False, help_text="what the regulation says besides; see docs/api.md")


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
    reason = Words(REASON, required=False, allow_blank=True)


class Stages(Endpoint):
    @described("The stages of an event, in order", name="stages_list", answer=list_of(StageAnswer))
    def get(self, request: Request, slug: str) -> Response:
        stages = self.event(slug).stages.order_by("number")
        return Response({"results": [stage_answer(one) for one in stages]})

    @written("Add a stage at the end", body=StageForm, status=201, answer=StageAnswer)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SET_UP)
        made = add_stage(tournament_id=event.pk, actor=self.actor, at=self.now, facts=self.body(StageForm))
        return Response(stage_answer(made), status=201)


class OneStage(Endpoint):
    @described("A stage with who plays in it, by order", answer=StageWhole)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(_whole(_stage(self.event(slug), number)))

    @written("Change a stage", body=StageForm, answer=StageAnswer)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        stage = _stage(self.event(slug, Act.SET_UP), number)
        changed = change_stage(stage_id=stage.pk, actor=self.actor, at=self.now, changes=self.body(StageForm))
        return Response(stage_answer(changed))

    @written("Remove a stage that has not begun", status=204, empty=True)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        stage = _stage(self.event(slug, Act.SET_UP), number)
        remove_stage(stage_id=stage.pk, actor=self.actor, at=self.now)
        return Response(status=204)


class Begin(Endpoint):
    @written("Begin a stage: fix who plays, in which order and group", body=BeginForm, answer=StageWhole)
    def post(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(slug, Act.BEGIN_STAGE)
        fields = self.body(BeginForm)
        ids = dict(event.entrants.values_list("number", "pk"))
        if "order" in fields:
            fields["order"] = _ids(fields["order"], ids)
        if "groups" in fields:
            fields["groups"] = [_ids(group, ids) for group in fields["groups"]]
        stage = _stage(event, number)
        begun = begin_stage(stage_id=stage.pk, actor=self.actor, at=self.now, **fields)
        return Response(_whole(begun))


class BoardForm(Body):
    number = Whole(min_value=1, max_value=5000)
    dealer = serializers.ChoiceField(["N", "W", "S", "E"])
    level = Words(A_WORD)
    trump = Words(A_WORD, required=False, allow_blank=True, help_text="a suit letter or NT; left out: it is declared")


class BoardsForm(Body):
    boards = serializers.ListField(
        child=BoardForm(), required=False, max_length=500, help_text="left out: those of all planned rounds are made"
    )


class Boards(Endpoint):
    @described("The boards of a stage of duplicate: what each fixes", name="boards_list", answer=list_of(FixedBoard))
    def get(self, request: Request, slug: str, number: int) -> Response:
        stage = _stage(self.event(slug, Act.SEE_DESK), number)
        return Response({"results": [fixed_board_answer(one) for one in stage.boards.order_by("number")]})

    @written(
        "Set what boards fix, all or none; or make those of all planned rounds",
        body=BoardsForm,
        answer=list_of(FixedBoard),
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        stage = _stage(self.event(slug, Act.SET_BOARDS), number)
        changes = self.body(BoardsForm).get("boards")
        if changes is None:
            boards.make_planned(stage_id=stage.pk, actor=self.actor, at=self.now)
        else:
            boards.set_boards(stage_id=stage.pk, actor=self.actor, at=self.now, changes=changes)
        return Response({"results": [fixed_board_answer(one) for one in stage.boards.order_by("number")]})


class BoardSheet(Endpoint):
    @described(
        "One board of duplicate at all tables; for everybody when nobody has to play it any more", answer=BoardAnswer
    )
    def get(self, request: Request, slug: str, number: int, board: int) -> Response:
        event = self.event(slug)
        stage = _stage(event, number)
        shown = board in boards_for_all(stage) or allowed(self.actor, Act.SEE_DESK, tournament=event)
        if board not in stage.deals or not shown:
            raise Http404
        sittings = sittings_with(stage, board)
        scores = scores_of(stage, board, sittings)
        return Response(board_answer(stage, board, sittings, scores, adjustments_of(sittings, board)))


class EventForm(Endpoint):
    @described("The form of an event, without names, to make another one from", answer=FormAnswer)
    def get(self, request: Request, slug: str) -> HttpResponse:
        return HttpResponse(Form.of_event(self.event(slug)).text(), content_type="application/json")


class Presets(Endpoint):
    @described("Ready forms of real events", answer=list_of(Preset))
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
    return stage_answer(stage) | {"field": field}


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

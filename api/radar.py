"""The radar: questions with evidence, for officials; and what they put aside."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.models import Tournament
from tournaments.models.radar import FLAG_LENGTH, NOTE_LENGTH
from tournaments.radar.acts import put_aside
from tournaments.radar.reads import questions_of

from .answers.radar import RadarAnswer, question_answer
from .common.describe import described, written
from .common.strict import Body, Flag, Words
from .common.views import Endpoint


class AsideForm(Body):
    flag = Words(FLAG_LENGTH, help_text="its name, as listed")
    note = Words(NOTE_LENGTH, help_text="seen by officials only")
    aside = Flag(required=False, help_text="false takes it up again")


class Radar(Endpoint):
    @described("What is worth a question in what stands, with evidence; for officials", answer=RadarAnswer)
    def get(self, request: Request, slug: str) -> Response:
        return _answer(self.event(slug, Act.SEE_DESK))

    @written("Put a question aside with a note, or take it up again", body=AsideForm, answer=RadarAnswer)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.PUT_ASIDE)
        put_aside(tournament_id=event.pk, actor=self.actor, at=self.now, **self.body(AsideForm))
        return _answer(event)


def _answer(event: Tournament) -> Response:
    return Response({"questions": [question_answer(one) for one in questions_of(event)]})

"""What the projector of an event shows now."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.projector.reads import projector_of

from .answers.projector import ProjectorAnswer, projector_answer
from .common.describe import described
from .common.views import Endpoint


class Screen(Endpoint):
    @described("The boards of the projector in their order, and how the desk steers it", answer=ProjectorAnswer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(projector_answer(projector_of(self.event(slug))))

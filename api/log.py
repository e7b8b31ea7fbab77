"""The signed log of an event, as the program `verify.py` reads it."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.log.reads import log_document

from .answers.log import LogAnswer
from .common.describe import described
from .common.views import Endpoint


class Log(Endpoint):
    @described(
        "The signed log of the event up to its newest head: the digest of every act, and of officials the acts",
        name="log",
        answer=LogAnswer,
        parameters=(OpenApiParameter("acts", str, description="1: with what every act wrote, for organisers"),),
    )
    def get(self, request: Request, slug: str) -> Response:
        acts = request.query_params.get("acts") == "1"
        event = self.event(slug, Act.EXPORT_NAMES) if acts else self.event(slug)
        return Response(log_document(event, acts=acts))

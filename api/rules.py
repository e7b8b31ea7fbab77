"""The rules: the batch protocol, and the profiles with their clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring import profiles
from tournaments import questions

from . import documents, limits
from .describe import EnvelopeSchema, described
from .errors import SENTENCES, envelope
from .views import Endpoint

MOST_QUESTIONS = 1000
CALLS = 240


class Ask(Endpoint):
    @extend_schema(
        summary="Put up to 1,000 questions to the rules; every one is answered or refused by itself",
        request={"application/json": {"type": "array", "items": {"type": "object"}, "maxItems": MOST_QUESTIONS}},
        responses={200: OpenApiResponse({"type": "array", "items": {"type": "object"}})}
        | {code: OpenApiResponse(EnvelopeSchema, "refused") for code in (400, 401, 406, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        if self.actor.user is None and self.actor.device is None:
            limits.spend(request, "ask", CALLS)
        asked = request.data
        if not isinstance(asked, list):
            return Response(envelope("bad_body", SENTENCES["bad_body"]), status=status.HTTP_400_BAD_REQUEST)
        if len(asked) > MOST_QUESTIONS:
            message = {"en": "At most 1,000 questions at once.", "zh": "一次最多 1000 题。"}
            body = envelope("too_many_questions", message)
            return Response(body, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        return Response([questions.answer(one) for one in asked])


class Profiles(Endpoint):
    @described("The rules that events can be played by", name="profiles_list")
    def get(self, request: Request) -> Response:
        return Response({"results": [documents.profile(profiles.load(one)) for one in profiles.profile_ids()]})


class OneProfile(Endpoint):
    @described("A profile with its clauses in order")
    def get(self, request: Request, profile_id: str) -> Response:
        if profile_id not in profiles.profile_ids():
            raise Http404
        one = profiles.load(profile_id)
        return Response(documents.profile(one) | {"clauses": [_clause(clause) for clause in one.clauses.values()]})


def _clause(clause: profiles.Clause) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: plain(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [plain(inner) for inner in value]
        return value

    return {
        "id": clause.id,
        "text": dict(clause.text),
        "source": plain(clause.source),
        "params": plain(clause.params),
        "stated": clause.stated,
    }

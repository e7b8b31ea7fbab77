"""The rules: the batch protocol, and the profiles with their clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring import profiles
from scoring.explaining.worked_cases import worked_cases
from scoring.profiles import comparing, tables
from scoring.profiles.option_words import say
from tournaments import questions
from tournaments.acts.guessing import Limit, spend

from .answers.base import list_of
from .answers.events import profile_answer
from .answers.forms import PROFILE
from .answers.rules import ClauseAnswer, ProfileHead, ProfilesCompared, ProfileWhole, QuestionAnswer
from .common.describe import READ, asked, described
from .common.errors import envelope, sentence_of
from .common.views import Endpoint

MOST_QUESTIONS = 1000
CALLS = Limit(240, 60)


#: What belongs to an operation is said in docs/questions.md.
QUESTION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        "profile": PROFILE,
        "input": {"type": "object", "properties": {"op": {"type": "string"}}, "required": ["op"]},
    },
}


class Ask(Endpoint):
    @asked(
        "Put up to 1,000 questions to the rules; every one is answered or refused by itself",
        body={"application/json": {"type": "array", "items": QUESTION, "maxItems": MOST_QUESTIONS}},
        answer=QuestionAnswer(many=True),
        refused=(400, 401, 411, 413, 415, 429),
    )
    def post(self, request: Request) -> Response:
        if self.actor.user is None and self.actor.device is None:
            spend("ask", CALLS, address=self.address)
        asked = request.data
        if not isinstance(asked, list):
            return Response(envelope("bad_body", sentence_of("bad_body")), status=status.HTTP_400_BAD_REQUEST)
        if len(asked) > MOST_QUESTIONS:
            message = {"en": "At most 1,000 questions at once.", "zh": "一次最多 1000 题。"}
            body = envelope("too_many_questions", message)
            return Response(body, status=status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        return Response([questions.answer(one) for one in asked])


class Profiles(Endpoint):
    @described(
        "All profiles: those that events can be played by, and the games of single players",
        name="profiles_list",
        answer=list_of(ProfileHead),
    )
    def get(self, request: Request) -> Response:
        return Response({"results": [_head(_profile(one)) for one in _all_ids()]})


class OneProfile(Endpoint):
    @described(
        "A profile: clauses in order, options in words, tables of levels and kitty, ladder, worked cases",
        answer=ProfileWhole,
    )
    def get(self, request: Request, profile_id: str) -> Response:
        one = _profile(profile_id)
        return Response(
            _head(one)
            | {
                "clauses": [_clause(clause) for clause in one.clauses.values()],
                "chapters": [chapter.to_json() for chapter in tables.chapters(one)],
                "options": [_option(name, value) for name, value in one.options.items()],
                "level_bands": [row.to_json() for row in tables.level_bands(one)],
                "kitty_table": [row.to_json() for row in tables.kitty_table(one)],
                "ladder": {
                    "levels": [str(level) for level in one.ladder],
                    "must_play": [str(level) for level in one.must_play],
                    "must_mode": one.must_mode,
                    "finish": one.finish,
                    "pass_a": one.pass_a,
                },
                "worked_cases": [case.to_json() for case in worked_cases(one)],
            }
        )


class OneClause(Endpoint):
    @described("One clause of a profile", answer=ClauseAnswer)
    def get(self, request: Request, profile_id: str, clause_id: str) -> Response:
        clause = _profile(profile_id).clauses.get(clause_id)
        if clause is None:
            raise Http404
        return Response(_clause(clause))


class Compared(Endpoint):
    @described(
        "Two profiles clause by clause, and the options on which they differ",
        parameters=(
            OpenApiParameter("a", str, description="id of a profile", required=True),
            OpenApiParameter("b", str, description="id of another", required=True),
        ),
        refused=(*READ, 400),
        answer=ProfilesCompared,
    )
    def get(self, request: Request) -> Response:
        for name in ("a", "b"):
            if not request.query_params.get(name):
                message = {"en": f"Say which profile {name} is.", "zh": f"请写明规则 {name}。"}
                return Response(envelope("missing", message, field=name), status=status.HTTP_400_BAD_REQUEST)
        a, b = (_profile(request.query_params[name]) for name in ("a", "b"))
        return Response(
            {
                "a": _head(a),
                "b": _head(b),
                "clauses": [
                    {
                        "topic": row.topic,
                        "chapter": row.chapter,
                        "a": row.clause_a and _clause(row.clause_a),
                        "b": row.clause_b and _clause(row.clause_b),
                        "same": row.same,
                    }
                    for row in comparing.compare(a, b)
                ],
                "options": [
                    {
                        "option": name,
                        "title": dict(profiles.OPTIONS[name].title),
                        "a": _said(name, x),
                        "b": _said(name, y),
                    }
                    for name, (x, y) in comparing.different_options(a, b).items()
                ],
            }
        )


def _all_ids() -> tuple[str, ...]:
    return profiles.profile_ids() + profiles.individual_ids()


def _profile(profile_id: str) -> profiles.Profile:
    """The profile of that id, whoever plays it; 404 where there is none."""
    if profile_id not in _all_ids():
        raise Http404
    return profiles.load(profile_id, individual=True)


def _head(one: profiles.Profile) -> dict[str, Any]:
    """What a profile is: id, title, digest, who plays it and for what."""
    return profile_answer(one) | {"game": one.game, "family": one.family, "about": dict(one.about)}


def _clause(clause: profiles.Clause) -> dict[str, Any]:
    return {"topic": clause.topic, "chapter": tables.chapter_of(clause.topic)} | _plain(clause.to_json())


def _option(name: str, value: Any) -> dict[str, Any]:
    return {"option": name, "title": dict(profiles.OPTIONS[name].title), **_said(name, value)}


def _said(name: str, value: Any) -> dict[str, Any]:
    return {"value": _plain(value), "words": dict(say(name, value))}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value

"""Rulings: proposed on facts with their clause, decided with a penalty, cancelled, appealed against."""

from __future__ import annotations

import re

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.models import User
from tournaments.rulings import appeals
from tournaments.rulings.cases import TOLD_LIMIT
from tournaments.rulings.log import cancel, decide, find_ruling, foresee, propose
from tournaments.rulings.reads import digest, log, same_clause

from .answers.base import Sentence, list_of, page_of
from .answers.rulings import (
    PenaltyAnswer,
    RulingAnswer,
    RulingDone,
    RulingFacts,
    RulingsByClause,
    RulingSeen,
    RulingWhole,
    by_clause_answer,
    ruling_answer,
    ruling_done_answer,
)
from .common.describe import AFTER, LIMIT, asked, described, written
from .common.strict import A_WORD, CLAUSE, Body, Flag, Whole, Words, length_of, shaped
from .common.views import BadQuery, Endpoint

_MOST_MEMBERS = 15
_CLAUSE = re.compile(r"[-\w.]{0,100}")


class RulingForm(Body):
    facts = shaped(
        RulingFacts,
        help_text="{irregularity, …} of the penalty schedule of the event, or {case: {kind, query}} of the adjudicator",
    )
    side = Words(A_WORD, required=False, allow_blank=True, help_text="whose act it was: NS, EW or a place")
    hand_no = Whole(required=False, allow_null=True)
    clause = Words(CLAUSE, required=False, allow_blank=True, help_text="of a case: what it rests on")
    verdict = shaped(Sentence, required=False, allow_null=True, help_text="of a case: {en, zh}")


class DecideForm(Body):
    penalty = shaped(
        PenaltyAnswer, required=False, allow_null=True, help_text="{unit, entry}; null: none; left out: as proposed"
    )
    treatment = Words(A_WORD, required=False, allow_blank=True, help_text="recompute, let_stand or adjust")
    reason = Words(TOLD_LIMIT, required=False, allow_blank=True)


class CancelForm(Body):
    treatment = Words(A_WORD, required=False, allow_blank=True)
    reason = Words(TOLD_LIMIT)


class AppealForm(Body):
    side = Words(A_WORD, required=False, allow_blank=True, help_text="for an official: who appeals")
    reason = Words(TOLD_LIMIT)


class AnswerForm(Body):
    upheld = Flag()
    treatment = Words(A_WORD, required=False, allow_blank=True)
    committee = serializers.ListField(
        child=Words(length_of(User, "username")),
        required=False,
        max_length=_MOST_MEMBERS,
        help_text="who decided: names officials sign in with",
    )
    reason = Words(TOLD_LIMIT)


SEARCH = (
    OpenApiParameter("clause", str, description="the beginning of a clause's id"),
    OpenApiParameter("table", int, description="number of a table"),
    OpenApiParameter("entrant", int, description="number of an entrant"),
)


class Rulings(Endpoint):
    @described(
        "The rulings of an event, newest first", parameters=(*SEARCH, AFTER, LIMIT), answer=page_of(RulingAnswer)
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        search = {"table": self.number_asked("table"), "entrant": self.number_asked("entrant")}
        clause = request.query_params.get("clause", "")
        if not _CLAUSE.fullmatch(clause):
            raise BadQuery("clause", "the id of a clause", "条款编号")
        rows = log(event, clause=clause, **search)
        return self.page(rows.prefetch_related("acts__committee"), ruling_answer, order="-pk")


class Digest(Endpoint):
    @described("Decided rulings by clause, without names", name="rulings_digest", answer=list_of(RulingsByClause))
    def get(self, request: Request, slug: str) -> Response:
        return Response({"results": [by_clause_answer(one) for one in digest(self.event(slug))]})


class OneRuling(Endpoint):
    @described("A ruling with its acts, and how its clause was ruled before in the event", answer=RulingWhole)
    def get(self, request: Request, ruling_id: int) -> Response:
        ruling = find_ruling(ruling_id=ruling_id, actor=self.actor)
        before = [{"id": one.pk, "number": one.number} for one in same_clause(ruling)]
        return Response(ruling_answer(ruling) | {"same_clause": before})


class AtSitting(Endpoint):
    @written("Propose a ruling", body=RulingForm, status=201, answer=RulingDone)
    def post(self, request: Request, sitting_id: int) -> Response:
        done = self.act(propose, RulingForm, sitting_id=sitting_id)
        return Response(ruling_done_answer(done), status=201)


class Preview(Endpoint):
    @asked("What a ruling on these facts would say and propose", body=RulingForm, answer=RulingSeen)
    def post(self, request: Request, sitting_id: int) -> Response:
        seen = foresee(sitting_id=sitting_id, actor=self.actor, **self.body(RulingForm))
        return Response(
            {
                "clause": seen.clause,
                "clause_text": dict(seen.clause_text),
                "verdict": dict(seen.verdict),
                "proposal": seen.proposal,
            }
        )


class Decide(Endpoint):
    @written(
        "Decide a ruling, with the penalty as proposed, another, or none",
        body=DecideForm,
        versioned=True,
        answer=RulingDone,
    )
    def post(self, request: Request, ruling_id: int) -> Response:
        done = self.act(decide, DecideForm, versioned=True, ruling_id=ruling_id)
        return Response(ruling_done_answer(done))


class Cancel(Endpoint):
    @written("Take a ruling back, with what it did to the record", body=CancelForm, versioned=True, answer=RulingDone)
    def post(self, request: Request, ruling_id: int) -> Response:
        done = self.act(cancel, CancelForm, versioned=True, ruling_id=ruling_id)
        return Response(ruling_done_answer(done))


class Appeal(Endpoint):
    @written("Appeal against a decided ruling", body=AppealForm, answer=RulingDone)
    def post(self, request: Request, ruling_id: int) -> Response:
        return Response(ruling_done_answer(self.act(appeals.lodge_appeal, AppealForm, ruling_id=ruling_id)))


class AnswerAppeal(Endpoint):
    @written(
        "What became of an appeal; upheld, the ruling's effect is taken back",
        body=AnswerForm,
        versioned=True,
        answer=RulingDone,
    )
    def post(self, request: Request, ruling_id: int) -> Response:
        done = self.act(appeals.decide_appeal, AnswerForm, versioned=True, ruling_id=ruling_id)
        return Response(ruling_done_answer(done))

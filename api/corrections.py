"""Corrections: seen with their effects, applied on a stated revision, approved by a second official."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.ledger import corrections
from tournaments.models import Correction, Entrant

from .answers.base import page_of
from .answers.facts import Facts
from .answers.ledger import (
    CorrectedAnswer,
    CorrectionAnswer,
    CorrectionSeen,
    corrected_answer,
    correction_answer,
    correction_preview_answer,
)
from .common.describe import AFTER, LIMIT, asked, described, written
from .common.strict import A_WORD, REASON, Body, Words, shaped
from .common.views import Endpoint


class FactsForm(Body):
    facts = shaped(Facts)


class CorrectionForm(Body):
    facts = shaped(Facts)
    treatment = Words(A_WORD, required=False, allow_blank=True, help_text="recompute, let_stand or adjust")
    reason = Words(REASON)


class RefuseForm(Body):
    reason = Words(REASON, required=False, allow_blank=True)


class PreviewCorrection(Endpoint):
    @asked("What a correction would change under each treatment", body=FactsForm, answer=CorrectionSeen)
    def post(self, request: Request, entry_id: int) -> Response:
        seen = corrections.correction_preview(entry_id=entry_id, actor=self.actor, **self.body(FactsForm))
        event = seen.entry.tournament_id
        numbers = dict(Entrant.objects.filter(tournament=event).values_list("pk", "number"))
        return Response(correction_preview_answer(seen, numbers))


class Correct(Endpoint):
    @written(
        "Correct an entry that counts: a new version",
        body=CorrectionForm,
        status=201,
        versioned=True,
        answer=CorrectedAnswer,
        also={202: CorrectedAnswer},
    )
    def post(self, request: Request, entry_id: int) -> Response:
        done = self.act(corrections.correct, CorrectionForm, versioned=True, entry_id=entry_id)
        return Response(corrected_answer(done), status=201 if done.entry else 202)


class Corrections(Endpoint):
    @described("Corrections of an event, newest first", parameters=(AFTER, LIMIT), answer=page_of(CorrectionAnswer))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        return self.page(Correction.objects.filter(entry__tournament=event), correction_answer, order="-pk")


class Approve(Endpoint):
    @written("A second official agrees", answer=CorrectedAnswer)
    def post(self, request: Request, correction_id: int) -> Response:
        done = self.act(corrections.approve_correction, correction_id=correction_id)
        return Response(corrected_answer(done))


class Refuse(Endpoint):
    @written("A second official refuses, or the proposer withdraws", body=RefuseForm, answer=CorrectedAnswer)
    def post(self, request: Request, correction_id: int) -> Response:
        done = self.act(corrections.refuse_correction, RefuseForm, correction_id=correction_id)
        return Response(corrected_answer(done))

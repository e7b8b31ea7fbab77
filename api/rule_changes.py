"""Changes of an event's rules: seen with what they would change, proposed, applied or refused."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.acts.access import Act
from tournaments.events import rule_changes
from tournaments.models import RuleChange

from .answers.base import Document, page_of
from .answers.forms import ProfileSpec
from .answers.rule_changes import RuleChangeAnswer, RulesForeseen
from .common.describe import AFTER, LIMIT, asked, described, written
from .common.strict import REASON, Body, Words
from .common.views import Endpoint


class RulesForm(Body):
    profile = ProfileSpec(help_text="a profile id, or {base, set}")


class RulesProposalForm(RulesForm):
    reason = Words(REASON)


class RefuseRulesForm(Body):
    reason = Words(REASON, required=False, allow_blank=True)


def document(change: RuleChange) -> Document:
    """A change; `differences` as they were shown when it was proposed."""
    return {
        "id": change.pk,
        "old": {"profile": change.old_spec, "digest": change.old_digest},
        "new": {"profile": change.new_spec, "digest": change.new_digest},
        "reason": change.reason,
        "status": change.status,
        "needs_second": change.needs_second,
        "differences": change.differences,
        "proposed_at": change.proposed_at.isoformat(),
        "decided_at": change.decided_at and change.decided_at.isoformat(),
    }


class RuleChanges(Endpoint):
    @described("Changes of an event's rules, newest first", parameters=(AFTER, LIMIT), answer=page_of(RuleChangeAnswer))
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(slug, Act.SEE_DESK)
        return self.page(event.rule_changes.all(), document, order="-pk")

    @written(
        "Propose other rules; before the first hand applied at once (200)",
        body=RulesProposalForm,
        status=202,
        answer=RuleChangeAnswer,
        also={200: RuleChangeAnswer},
    )
    def post(self, request: Request, slug: str) -> Response:
        fields = self.body(RulesProposalForm)
        change = rule_changes.propose(
            tournament_id=self.event(slug).pk,
            actor=self.actor,
            at=self.now,
            spec=fields["profile"],
            reason=fields["reason"],
        )
        return Response(document(change), status=202 if change.status == RuleChange.Status.PROPOSED else 200)


class Foresee(Endpoint):
    @asked("What other rules would change, and what they cannot judge", body=RulesForm, answer=RulesForeseen)
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(slug)
        seen = rule_changes.foresee(tournament_id=event.pk, actor=self.actor, spec=self.body(RulesForm)["profile"])
        return Response(
            {
                "profile": seen.spec,
                "digest": seen.digest,
                "differences": seen.differences,
                "at_once": seen.at_once,
                "needs_second": seen.needs_second,
            }
        )


class Apply(Endpoint):
    @written("The second step: everything recorded is judged by the new rules", answer=RuleChangeAnswer)
    def post(self, request: Request, change_id: int) -> Response:
        return Response(document(self.act(rule_changes.apply, change_id=change_id)))


class Refuse(Endpoint):
    @written("Refuse a proposed change, or take one's own back", body=RefuseRulesForm, answer=RuleChangeAnswer)
    def post(self, request: Request, change_id: int) -> Response:
        return Response(document(self.act(rule_changes.refuse, RefuseRulesForm, change_id=change_id)))

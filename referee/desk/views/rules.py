"""The rules of an event: read, changed in two steps, with everything that would differ shown before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk.act_views import OwnPage
from referee.desk.presenters.rules import Rules, form, of_event, of_rules
from scoring import profiles
from scoring.profiles import ProfileError
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.events import rule_changes
from tournaments.models import RuleChange

if TYPE_CHECKING:
    from referee.desk.guard import Desk
    from scoring.profiles import Profile


class RulesPage(OwnPage):
    """The rules in force and a form for others: first what they would change, then the proposal. Nothing is lost."""

    right = Act.PROPOSE_RULES
    template, current, button = "desk/rules.html", "rules", "propose"

    def look_up(self) -> None:
        sent = self.request.method == "POST"
        self.wanted = Rules.posted(self.request.POST) if sent else Rules.of_event(self.desk.tournament.profile_spec)

    def act(self) -> RuleChange:
        event = self.desk.tournament.pk
        self.made = rule_changes.propose(**self.by, tournament_id=event, spec=self.wanted.spec, reason=self.reason)
        return self.made

    def tell(self, done: RuleChange) -> None:
        applied = _("The rules are changed. No hand had been entered.")
        messages.success(self.request, applied if _is_applied(done) else _("Proposed. Nothing has changed yet."))

    def back(self) -> str:
        return self.request.path if _is_applied(self.made) else _address(self.desk, self.made)

    def shown(self) -> dict[str, Any]:
        desk = self.desk
        changes = RuleChange.objects.filter(tournament=desk.tournament).select_related("proposed_by").order_by("-pk")
        shown = form(self.wanted) | {"profile": desk.tournament.profile, "past": changes}
        if not self.look:
            return shown
        try:
            seen = rule_changes.foresee(tournament_id=desk.tournament.pk, actor=desk.actor, spec=self.wanted.spec)
        except Refusal as refusal:
            self.refusal = self.refusal or refusal
            return shown
        old, new = desk.tournament.profile, profiles.build(seen.spec)
        found = of_event(desk, seen.differences, (old, new))
        return shown | {"seen": seen, "found": found, "new": new} | of_rules(old, new)


class RuleChangeView(OwnPage):
    """One change of rules: what it changes, and the second step."""

    right = Act.SEE_DESK
    template, current = "desk/rule_change.html", "rules"

    def look_up(self) -> None:
        known = RuleChange.objects.select_related("proposed_by", "decided_by")
        self.proposed = get_object_or_404(known, tournament=self.desk.tournament, pk=self.kwargs["change"])
        self.agree = self.typed("decision") == "apply"

    def act(self) -> object:
        decide = rule_changes.apply if self.agree else rule_changes.refuse
        return decide(**self.by, change_id=self.proposed.pk)

    def tell(self, done: object) -> None:
        applied = _("Applied. Every hand is judged by the new rules.")
        messages.success(self.request, applied if self.agree else _("Refused. Nothing has changed."))

    def back(self) -> str:
        return _address(self.desk, self.proposed)

    def shown(self) -> dict[str, Any]:
        desk, proposed = self.desk, self.proposed
        return {
            "change": proposed,
            "found": of_event(desk, proposed.differences, _rules(proposed) or (desk.tournament.profile,) * 2),
            "may_decide": desk.may(Act.APPLY_RULES),
            "own": proposed.proposed_by_id == self.request.user.pk,
            **_titles(proposed),
        }


def _is_applied(change: RuleChange) -> bool:
    return change.status == RuleChange.Status.APPLIED


def _titles(change: RuleChange) -> dict[str, Any]:
    """The two sets of rules and how they differ; nothing of it when this program knows one of them no more."""
    rules = _rules(change)
    if rules is None:
        return {}
    return {"old_title": rules[0].title, "new_title": rules[1].title} | of_rules(*rules)


def _rules(change: RuleChange) -> tuple[Profile, Profile] | None:
    """The old and the new rules; None when this program knows one of them no more."""
    try:
        return profiles.build(change.old_spec), profiles.build(change.new_spec)
    except ProfileError:
        return None


def _address(desk: Desk, change: RuleChange) -> str:
    return reverse("desk:rule_change", kwargs={"event": desk.tournament.slug, "change": change.pk})

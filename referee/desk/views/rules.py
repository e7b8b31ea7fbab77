"""The rules of an event: read, changed in two steps, with everything that would differ shown before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk.act_views import ActView
from referee.desk.guard import SeeOther, official
from referee.desk.presenters.rules import Rules, form, of_event, of_rules
from scoring import profiles
from scoring.profiles import ProfileError
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.events import rule_changes
from tournaments.models import RuleChange

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from scoring.profiles import Profile


@official(Act.PROPOSE_RULES, "GET", "POST")
def rules(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The rules in force and a form for others: first what they would change, then the proposal. Nothing is lost."""
    if request.method == "GET":
        return _page(request, desk, Rules.of_event(desk.tournament.profile_spec))
    wanted = Rules.posted(request.POST)
    if "propose" not in request.POST:
        return _page(request, desk, wanted, look=True)
    try:
        change = rule_changes.propose(
            tournament_id=desk.tournament.pk,
            actor=desk.actor,
            at=desk.now,
            spec=wanted.spec,
            reason=request.POST.get("reason", ""),
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return _page(request, desk, wanted, look=True, refusal=refusal)
    if change.status == RuleChange.Status.APPLIED:
        messages.success(request, _("The rules are changed. No hand had been entered."))
        return SeeOther(request.path)
    messages.success(request, _("Proposed. Nothing has changed yet."))
    return SeeOther(_address(desk, change))


class RuleChangeView(ActView):
    """One change of rules: what it changes, and the second step."""

    right = Act.SEE_DESK

    def look_up(self) -> None:
        known = RuleChange.objects.select_related("proposed_by", "decided_by")
        self.proposed = get_object_or_404(known, tournament=self.desk.tournament, pk=self.kwargs["change"])
        self.agree = self.typed("decision") == "apply"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.page()

    def act(self) -> object:
        decide = rule_changes.apply if self.agree else rule_changes.refuse
        return decide(**self.by, change_id=self.proposed.pk)

    def tell(self, done: object) -> None:
        applied = _("Applied. Every hand is judged by the new rules.")
        messages.success(self.request, applied if self.agree else _("Refused. Nothing has changed."))

    def back(self) -> str:
        return _address(self.desk, self.proposed)

    def page(self) -> HttpResponse:
        desk, proposed = self.desk, self.proposed
        shown = _common(desk) | {
            "change": proposed,
            "found": of_event(desk, proposed.differences, _rules(proposed) or (desk.tournament.profile,) * 2),
            "may_decide": desk.may(Act.APPLY_RULES),
            "own": proposed.proposed_by_id == self.request.user.pk,
            **_titles(proposed),
        }
        return render(self.request, "desk/rule_change.html", shown)


def _page(
    request: HttpRequest,
    desk: Desk,
    wanted: Rules,
    *,
    look: bool = False,
    refusal: Refusal | None = None,
) -> HttpResponse:
    shown: dict[str, Any] = _common(desk) | form(wanted)
    shown |= {
        "profile": desk.tournament.profile,
        "past": RuleChange.objects.filter(tournament=desk.tournament).select_related("proposed_by").order_by("-pk"),
        "reason": request.POST.get("reason", ""),
    }
    if look:
        try:
            seen = rule_changes.foresee(tournament_id=desk.tournament.pk, actor=desk.actor, spec=wanted.spec)
        except Refusal as found:
            refusal = refusal or found
        else:
            old, new = desk.tournament.profile, profiles.build(seen.spec)
            shown |= {"seen": seen, "found": of_event(desk, seen.differences, (old, new)), "new": new}
            shown |= of_rules(old, new)
    shown["refusal"] = refusal
    return render(request, "desk/rules.html", shown, status=refusal.status if refusal else 200)


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


def _common(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "rules"}


def _address(desk: Desk, change: RuleChange) -> str:
    return reverse("desk:rule_change", kwargs={"event": desk.tournament.slug, "change": change.pk})

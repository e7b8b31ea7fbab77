"""Correcting a hand: new values, what they would change under each treatment, a reason, then apply or propose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.act_views import ActView, number_or_none
from referee.desk.guard import SeeOther, official
from referee.desk.presenters.correction import effects, facts_under, listed, proposed_effects, stands, table_address
from referee.desk.presenters.players import Sheet, posted_sheet, sheet_of
from referee.desk.presenters.record import facts_by_cards
from referee.desk.presenters.refusals import refusal as shown_refusal
from referee.desk.presenters.sheet_form import sheet_context
from referee.desk.presenters.sitting_words import players_at
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal, Stale
from tournaments.ledger.corrections import approve_correction, refuse_correction
from tournaments.ledger.corrections import correct as correct_hand
from tournaments.ledger.hands_on_record import replayed
from tournaments.models import Correction
from tournaments.rounds.board import publications_with

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import LedgerEntry


@official(Act.CORRECT, "GET", "POST")
def correct(request: HttpRequest, desk: Desk, entry: int) -> HttpResponse:
    """One page for the whole act: the sheet to change, then its effects, then Apply. Figures are never lost.

    Overtaken by another correction, it goes on with the version that counts now.
    """
    old = find.entry(desk.tournament, entry)
    desk.require(Act.CORRECT, old.sitting)
    newest = find.standing_version(old)
    if request.method == "GET":
        facts = _by_cards(newest) if "record" in request.GET else newest.facts
        form = sheet_of(facts, desk.tournament.profile).turned_to(request.GET.get("kind"))
        return _page(request, desk, newest, form)
    form = posted_sheet(request.POST, desk.tournament.profile)
    if "apply" not in request.POST:
        return _page(request, desk, newest, form, look=True, refusal=Stale() if newest != old else None)
    treatment = request.POST.get("treatment", "")
    try:
        done = correct_hand(
            entry_id=old.pk,
            actor=desk.actor,
            at=desk.now,
            expected_revision=number_or_none(request.POST.get("revision", "")),
            facts=facts_under(form, treatment),
            treatment=treatment,
            reason=request.POST.get("reason", ""),
        )
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return _page(request, desk, newest, form, look=True, refusal=refusal)
    if done.entry is None:
        messages.success(request, _("Sent to a second official. Nothing has changed yet."))
        return SeeOther(reverse("desk:corrections", kwargs={"event": desk.tournament.slug}))
    messages.success(request, _("Corrected. The first version stays in the record."))
    return SeeOther(table_address(desk, old.sitting))


def _page(
    request: HttpRequest,
    desk: Desk,
    old: LedgerEntry,
    form: Sheet,
    *,
    look: bool = False,
    refusal: Refusal | None = None,
) -> HttpResponse:
    shown: dict[str, Any] = (
        page(desk)
        | sheet_context(desk)
        | {
            "entry": old,
            "sitting": old.sitting,
            "round": old.sitting.round,
            "home": old.sitting.match.home,
            "away": old.sitting.match.away,
            "players": players_at(old.sitting.match, old.sitting.state),
            "back": table_address(desk, old.sitting),
            "form": form,
            "title": _title(old),
            "stands": stands(old, desk),
            "reason": request.POST.get("reason", ""),
            "treatment": request.POST.get("treatment", ""),
            # what is shown below is worked out from the record as it stands, whatever the page before was made from
            "revision": old.sitting.revision,
            "publications": publications_with(old),
            "may_propose": desk.may(Act.PROPOSE_CORRECTION, old.sitting),
        }
    )
    if look:
        try:
            shown |= effects(desk, old, form)
        except Refusal as found:
            refusal = refusal or found
    if refusal is not None:
        shown |= shown_refusal(refusal)
    return render(request, "desk/correct.html", shown, status=refusal.status if refusal else 200)


@official(Act.SEE_DESK)
def corrections(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {"corrections": listed(desk)}
    return render(request, "desk/corrections.html", page(desk) | shown)


class CorrectionView(ActView):
    """One proposed correction: what it changes, and the second official's yes or no."""

    right = Act.SEE_DESK

    def look_up(self) -> None:
        self.proposed = find.correction(self.desk.tournament, self.kwargs["correction"])
        self.approve = self.typed("decision") == "approve"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self.page()

    def act(self) -> object:
        decide = approve_correction if self.approve else refuse_correction
        return decide(**self.by, correction_id=self.proposed.pk)

    def tell(self, done: object) -> None:
        said = _("Approved and applied.") if self.approve else _("Refused. Nothing has changed.")
        messages.success(self.request, said)

    def back(self) -> str:
        known = {"event": self.desk.tournament.slug, "correction": self.proposed.pk}
        return reverse("desk:correction", kwargs=known)

    def page(self) -> HttpResponse:
        desk, proposed, entry = self.desk, self.proposed, self.proposed.entry
        sitting = entry.sitting
        may_decide = desk.may(Act.APPROVE_CORRECTION, sitting) and proposed.proposed_by_id != self.request.user.pk
        shown = page(desk) | {
            "correction": proposed,
            "entry": entry,
            "sitting": sitting,
            "round": sitting.round,
            "home": sitting.match.home,
            "away": sitting.match.away,
            "players": players_at(sitting.match, sitting.state),
            "back": table_address(desk, sitting),
            "may_decide": may_decide,
        }
        if proposed.status == Correction.Status.PROPOSED:
            shown |= proposed_effects(desk, proposed)
        return render(self.request, "desk/correction.html", shown)


def _title(old: LedgerEntry) -> str:
    return _("Correct hand %(n)s") % {"n": old.hand_no} if old.hand_no else _("Correct an entry")


def _by_cards(old: LedgerEntry) -> Mapping[str, Any]:
    """The sheet that the record of the hand fills; the entry's own where no record tells all of it."""
    seen = None if old.hand_no is None else replayed(old.sitting, old.hand_no)
    return old.facts if seen is None or not seen.replay.complete else facts_by_cards(seen)


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "board"}

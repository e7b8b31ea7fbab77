"""Correcting a hand: new values, what they would change under each treatment, a reason, then apply or propose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.act_views import OwnPage
from referee.desk.guard import official
from referee.desk.presenters.correction import effects, facts_under, listed, proposed_effects, stands, table_address
from referee.desk.presenters.players import Sheet, posted_sheet, sheet_of
from referee.desk.presenters.record import facts_by_cards
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


class Correct(OwnPage):
    """One page for the whole act: the sheet to change, then its effects, then Apply. Figures are never lost.

    Overtaken by another correction, it goes on with the version that counts now.
    """

    right = Act.CORRECT
    template, current, button = "desk/correct.html", "board", "apply"

    def look_up(self) -> None:
        self.old = find.entry(self.desk.tournament, self.kwargs["entry"])
        self.desk.require(Act.CORRECT, self.old.sitting)
        self.newest = find.standing_version(self.old)
        self.form = self._form(self.request)

    def _form(self, request: HttpRequest) -> Sheet:
        """The sheet as typed, else as the entry says it, or the record of the hand."""
        profile = self.desk.tournament.profile
        if request.method == "POST":
            return posted_sheet(request.POST, profile)
        facts = _by_cards(self.newest) if "record" in request.GET else self.newest.facts
        return sheet_of(facts, profile).turned_to(request.GET.get("kind"))

    def act(self) -> object:
        treatment = self.typed("treatment")
        return correct_hand(
            **self.by,
            entry_id=self.old.pk,
            expected_revision=self.revision,
            facts=facts_under(self.form, treatment),
            treatment=treatment,
            reason=self.reason,
        )

    def tell(self, done: Any) -> None:
        self.applied = done.entry is not None
        corrected = _("Corrected. The first version stays in the record.")
        sent = _("Sent to a second official. Nothing has changed yet.")
        messages.success(self.request, corrected if self.applied else sent)

    def back(self) -> str:
        if self.applied:
            return table_address(self.desk, self.old.sitting)
        return reverse("desk:corrections", kwargs={"event": self.desk.tournament.slug})

    def shown(self) -> dict[str, Any]:
        desk, entry = self.desk, self.newest
        shown = sheet_context(desk) | _at_table(desk, entry)
        shown |= {
            "form": self.form,
            "title": _title(entry),
            "stands": stands(entry, desk),
            "reason": self.reason,
            "treatment": self.typed("treatment"),
            # what is shown below is worked out from the record as it stands, whatever the page before was made from
            "revision": entry.sitting.revision,
            "publications": publications_with(entry),
            "may_propose": desk.may(Act.PROPOSE_CORRECTION, entry.sitting),
        }
        if self.look:
            if self.newest != self.old:
                self.refusal = self.refusal or Stale()
            try:
                shown |= effects(desk, entry, self.form)
            except Refusal as found:
                self.refusal = self.refusal or found
        return shown | self.by_field


@official(Act.SEE_DESK)
def corrections(request: HttpRequest, desk: Desk) -> HttpResponse:
    known = {"desk": desk, "tournament": desk.tournament, "current": "board"}
    return render(request, "desk/corrections.html", known | {"corrections": listed(desk)})


class CorrectionView(OwnPage):
    """One proposed correction: what it changes, and the second official's yes or no."""

    right = Act.SEE_DESK
    template, current = "desk/correction.html", "board"

    def look_up(self) -> None:
        self.proposed = find.correction(self.desk.tournament, self.kwargs["correction"])
        self.approve = self.typed("decision") == "approve"

    def act(self) -> object:
        decide = approve_correction if self.approve else refuse_correction
        return decide(**self.by, correction_id=self.proposed.pk)

    def tell(self, done: object) -> None:
        said = _("Approved and applied.") if self.approve else _("Refused. Nothing has changed.")
        messages.success(self.request, said)

    def back(self) -> str:
        known = {"event": self.desk.tournament.slug, "correction": self.proposed.pk}
        return reverse("desk:correction", kwargs=known)

    def shown(self) -> dict[str, Any]:
        desk, proposed, entry = self.desk, self.proposed, self.proposed.entry
        own = proposed.proposed_by_id == self.request.user.pk
        shown = _at_table(desk, entry) | {
            "correction": proposed,
            "may_decide": desk.may(Act.APPROVE_CORRECTION, entry.sitting) and not own,
        }
        if proposed.status == Correction.Status.PROPOSED:
            shown |= proposed_effects(desk, proposed)
        return shown


def _title(old: LedgerEntry) -> str:
    return _("Correct hand %(n)s") % {"n": old.hand_no} if old.hand_no else _("Correct an entry")


def _by_cards(old: LedgerEntry) -> Mapping[str, Any]:
    """The sheet that the record of the hand fills; the entry's own where no record tells all of it."""
    seen = None if old.hand_no is None else replayed(old.sitting, old.hand_no)
    return old.facts if seen is None or not seen.replay.complete else facts_by_cards(seen)


def _at_table(desk: Desk, entry: LedgerEntry) -> dict[str, Any]:
    """The entry, and who plays where it stands."""
    sitting = entry.sitting
    return {
        "entry": entry,
        "sitting": sitting,
        "round": sitting.round,
        "home": sitting.match.home,
        "away": sitting.match.away,
        "players": players_at(sitting.match, sitting.state),
        "back": table_address(desk, sitting),
    }

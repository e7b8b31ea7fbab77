"""Signals at the desk: what the event asks of them, the cards of all entrants, and one card filed by an official."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from referee.desk import find
from referee.desk.act_views import FormPage
from referee.desk.forms.events import TermsForm
from referee.desk.guard import official
from referee.parts.downloads import download
from referee.parts.signal_cards import CardForm, shown_card
from referee.parts.words import in_language
from tournaments.acts.access import Act
from tournaments.people.eligibility import has_played
from tournaments.signals.acts import file_card, set_terms
from tournaments.signals.reads import cards_of, filed_in, terms_of
from tournaments.transfer.paper.signal_cards import signal_cards_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


class Signals(FormPage):
    """What the event asks, and who has filed what."""

    right, done = Act.SEE_DESK, gettext_lazy("Saved.")
    template, current, form_class = "desk/signals.html", "entrants", TermsForm

    def initial(self) -> dict[str, Any]:
        terms = terms_of(self.desk.tournament)
        names = ("card", "return_duty", "return_fine")
        return {name: getattr(terms, name) for name in names} | {"prescribed": list(terms.prescribed)}

    def act(self) -> object:
        return set_terms(**self.by, tournament_id=self.desk.tournament.pk, **self.form.cleaned_data)

    def back(self) -> str:
        return reverse("desk:signals", kwargs={"event": self.desk.tournament.slug})

    def shown(self) -> dict[str, Any]:
        rows = [
            (
                one.entrant,
                None if one.card is None else shown_card(one.card),
                [in_language(f.message) for f in one.findings],
            )
            for one in filed_in(self.desk.tournament)
        ]
        return {
            "form": self.form,
            "terms": terms_of(self.desk.tournament),
            "rows": rows,
            "filed": sum(1 for _entrant, card, _told in rows if card is not None),
            "may_set": self.desk.may(Act.SET_SIGNALS),
        }


class OfEntrant(FormPage):
    """The card of one entrant."""

    right, done = Act.FILE_SIGNALS, gettext_lazy("The signal card is filed.")
    template, current = "desk/entrant_signals.html", "entrants"

    def look_up(self) -> None:
        self.entrant = find.entrant(self.desk.tournament, self.kwargs["number"])
        self.card = cards_of([self.entrant.pk]).get(self.entrant.pk)
        super().look_up()

    def made_form(self, *sent: Any) -> CardForm:
        prescribed = terms_of(self.desk.tournament).rules.prescribed or ()
        initial = CardForm.initial_of(self.card, prescribed)
        return CardForm(*sent[:1], initial=initial, prescribed=prescribed, reasoned=has_played(self.entrant))

    def act(self) -> object:
        reason = self.form.cleaned_data.get("reason", "")
        return file_card(**self.by, entrant_id=self.entrant.pk, agreement=self.form.agreement(), reason=reason)

    def back(self) -> str:
        return reverse("desk:signals", kwargs={"event": self.desk.tournament.slug})

    def shown(self) -> dict[str, Any]:
        return {"form": self.form, "entrant": self.entrant}


@official(Act.SEE_DESK)
@require_safe
def paper(request: HttpRequest, desk: Desk) -> HttpResponse:
    """All cards that are filed, as PDF."""
    data = signal_cards_pdf(desk.tournament)
    return download(data, f"{desk.tournament.slug}-signal-cards.pdf", "application/pdf")

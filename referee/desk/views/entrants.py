"""Entrants: the list, one at a time, from a file with a dry run first, and out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView, FormPage
from referee.desk.forms.entrants import EntrantForm, ImportForm, PlayersForm
from referee.desk.guard import official
from referee.parts.downloads import download
from tournaments.acts.access import Act
from tournaments.people.entrants import add_entrant, change_entrant
from tournaments.people.imports import entrants_csv
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds.board import entrants_of
from tournaments.stages.apart import kept_in

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Entrant


@official(Act.SEE_DESK)
def entrants(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The list; where nobody is entered yet, the ways to bring a list in."""
    shown = {
        "entrants": entrants_of(desk.tournament),
        "form": ImportForm(),
        "may_edit": desk.may(Act.EDIT_ENTRANTS),
        "may_import": desk.may(Act.IMPORT_ENTRANTS),
        "may_export": desk.may(Act.EXPORT_NAMES),
        "may_substitute": desk.may(Act.SUBSTITUTE),
        "kept_apart": len(kept_in(desk.tournament)),
    }
    return render(request, "desk/entrants.html", page(desk) | shown)


class Add(FormPage):
    right = Act.EDIT_ENTRANTS
    template, current, form_class = "desk/entrant.html", "entrants", EntrantForm

    def act(self) -> Entrant:
        of: dict[str, Any] = self.by | self.form.facts() | {"namesakes": self.form.cleaned_data["namesakes"]}
        return add_entrant(**of, tournament_id=self.desk.tournament.pk, players=self.form.people())

    def tell(self, done: Entrant) -> None:
        messages.success(self.request, _("%(n)s %(name)s is entered.") % {"n": done.number, "name": done.name})

    def back(self) -> str:
        return _list(self.desk, "desk:entrant_add" if "again" in self.request.POST else "desk:entrants")


class OfEntrant(FormPage):
    """One entrant: its form, and the withdrawal for those who may."""

    right = Act.EDIT_ENTRANTS
    template, current = "desk/entrant.html", "entrants"
    form_class: type[PlayersForm] = EntrantForm

    def look_up(self) -> None:
        self.entrant = find.entrant(self.desk.tournament, self.kwargs["number"])
        super().look_up()

    def initial(self) -> dict[str, Any]:
        return self.form_class.initial_of(self.entrant)

    def act(self) -> object:
        return change_entrant(**self.by, entrant_id=self.entrant.pk, changes=self.form.changes(), **self.form.how())

    def back(self) -> str:
        return _list(self.desk)

    def shown(self) -> dict[str, Any]:
        return _one(self.desk, self.entrant, self.form)


class Substitute(OfEntrant):
    """Other people play for an entrant: the chief referee allows it, with a reason."""

    right = Act.SUBSTITUTE
    form_class = PlayersForm


def shown_page(request: HttpRequest, desk: Desk, entrant: Entrant) -> HttpResponse:
    """The page of an entrant for who looks at it: its form, or that of its players alone."""
    form_class = EntrantForm if desk.may(Act.EDIT_ENTRANTS) else PlayersForm
    shown = _one(desk, entrant, form_class(initial=form_class.initial_of(entrant)))
    return render(request, "desk/entrant.html", page(desk) | shown)


def _one(desk: Desk, entrant: Entrant, form: PlayersForm) -> dict[str, Any]:
    shown = {"form": form, "entrant": entrant, "may_withdraw": desk.may(Act.WITHDRAW)}
    own = isinstance(form, EntrantForm)
    return shown | ({"may_issue": desk.may(Act.ISSUE_CODES)} if own else {"substituting": True})


def _list(desk: Desk, name: str = "desk:entrants") -> str:
    return reverse(name, kwargs={"event": desk.tournament.slug})


class Withdraw(ActView):
    """Withdraw an entrant; the form stands on the page of whatever else one may do with it."""

    right = Act.WITHDRAW
    done = gettext_lazy("Withdrawn. Matches already paired stay, as forfeits.")

    def look_up(self) -> None:
        self.entrant = find.entrant(self.desk.tournament, self.kwargs["number"])

    def act(self) -> object:
        return withdraw_entrant(**self.by, entrant_id=self.entrant.pk, reason=self.reason)

    def back(self) -> str:
        return _list(self.desk)

    def page(self) -> HttpResponse:
        return shown_page(self.request, self.desk, self.entrant)

    def at(self) -> str:
        name = "desk:entrant" if self.desk.may(Act.EDIT_ENTRANTS) else "desk:substitute"
        return reverse(name, kwargs={"event": self.desk.tournament.slug, "number": self.entrant.number})


@official(Act.EXPORT_NAMES)
def export(request: HttpRequest, desk: Desk) -> HttpResponse:
    return download(entrants_csv(desk.tournament), f"{desk.tournament.slug}-entrants.csv", "text/csv; charset=utf-8")


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "entrants"}

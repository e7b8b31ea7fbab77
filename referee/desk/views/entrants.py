"""Entrants: the list, one at a time, from a file with a dry run first, and out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView
from referee.desk.forms import EntrantForm, PlayersForm
from referee.desk.guard import SeeOther, official
from referee.parts.downloads import download
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.people.entrants import add_entrant, change_entrant
from tournaments.people.imports import entrants_csv
from tournaments.people.withdrawals import withdraw_entrant
from tournaments.rounds.board import entrants_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Entrant


@official(Act.SEE_DESK)
def entrants(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {
        "entrants": entrants_of(desk.tournament),
        "may_edit": desk.may(Act.EDIT_ENTRANTS),
        "may_import": desk.may(Act.IMPORT_ENTRANTS),
        "may_export": desk.may(Act.EXPORT_NAMES),
        "may_substitute": desk.may(Act.SUBSTITUTE),
    }
    return render(request, "desk/entrants.html", page(desk) | shown)


@official(Act.EDIT_ENTRANTS, "GET", "POST")
def add(request: HttpRequest, desk: Desk) -> HttpResponse:
    form = EntrantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = add_entrant(
                tournament_id=desk.tournament.pk,
                actor=desk.actor,
                at=desk.now,
                players=form.people(),
                namesakes=form.cleaned_data["namesakes"],
                **form.facts(),
            )
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("%(n)s %(name)s is entered.") % {"n": made.number, "name": made.name})
            again = "desk:entrant_add" if "again" in request.POST else "desk:entrants"
            return SeeOther(reverse(again, kwargs={"event": desk.tournament.slug}))
    return render(request, "desk/entrant.html", page(desk) | {"form": form}, status=422 if form.errors else 200)


@official(Act.EDIT_ENTRANTS, "GET", "POST")
def change(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    entrant = find.entrant(desk.tournament, number)
    form = EntrantForm(request.POST or None, initial=EntrantForm.initial_of(entrant))
    return _changed(request, desk, entrant, form) or _one(request, desk, entrant, form)


@official(Act.SUBSTITUTE, "GET", "POST")
def substitute(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Other people play for an entrant: the chief referee allows it, with a reason."""
    entrant = find.entrant(desk.tournament, number)
    form = PlayersForm(request.POST or None, initial=PlayersForm.players_of(entrant))
    return _changed(request, desk, entrant, form) or _one(request, desk, entrant, form)


def shown_page(request: HttpRequest, desk: Desk, entrant: Entrant) -> HttpResponse:
    """The page of an entrant for who looks at it: its form, or that of its players alone."""
    if desk.may(Act.EDIT_ENTRANTS):
        return _one(request, desk, entrant, EntrantForm(initial=EntrantForm.initial_of(entrant)))
    return _one(request, desk, entrant, PlayersForm(initial=PlayersForm.players_of(entrant)))


def _changed(request: HttpRequest, desk: Desk, entrant: Entrant, form: PlayersForm) -> HttpResponse | None:
    """Change an entrant as the form says, and on to the list; None where nothing was sent or it was refused."""
    if request.method != "POST" or not form.is_valid():
        return None
    try:
        change_entrant(entrant_id=entrant.pk, actor=desk.actor, at=desk.now, changes=form.changes(), **form.how())
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None
    return SeeOther(reverse("desk:entrants", kwargs={"event": desk.tournament.slug}))


def _one(request: HttpRequest, desk: Desk, entrant: Entrant, form: PlayersForm) -> HttpResponse:
    """The page of one entrant: a form, and the withdrawal for those who may."""
    own = isinstance(form, EntrantForm)
    shown = page(desk) | {"form": form, "entrant": entrant, "may_withdraw": desk.may(Act.WITHDRAW)}
    shown |= {"may_issue": desk.may(Act.ISSUE_CODES)} if own else {"substituting": True}
    return render(request, "desk/entrant.html", shown, status=422 if form.errors else 200)


class Withdraw(ActView):
    """Withdraw an entrant; the form stands on the page of whatever else one may do with it."""

    right = Act.WITHDRAW
    done = gettext_lazy("Withdrawn. Matches already paired stay, as forfeits.")

    def look_up(self) -> None:
        self.entrant = find.entrant(self.desk.tournament, self.kwargs["number"])

    def act(self) -> object:
        return withdraw_entrant(**self.by, entrant_id=self.entrant.pk, reason=self.reason)

    def back(self) -> str:
        return reverse("desk:entrants", kwargs={"event": self.desk.tournament.slug})

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

"""Entrants kept apart, at the desk: who is, said with a reason, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from referee.desk.act_views import ActView, FormPage
from referee.desk.find import entrants_written
from referee.desk.forms.entrants import ApartForm
from tournaments.acts.access import Act
from tournaments.models import KeptApart
from tournaments.rounds.board import entrants_of
from tournaments.stages.apart import keep_apart, kept_in, let_meet

if TYPE_CHECKING:
    from django.http import HttpResponse

    from referee.desk.guard import Desk


class Apart(FormPage):
    """Who is kept apart now, and the form that keeps two more apart."""

    right, done = Act.SEE_DESK, gettext_lazy("The next draw keeps them apart.")
    template, current = "desk/apart.html", "entrants"

    def made_form(self, *sent: Any) -> ApartForm:
        return _form(self.desk, *sent[:1])

    def act(self) -> object:
        typed = self.form.cleaned_data
        one, other = entrants_written(self.desk.tournament, [typed["one"], typed["other"]])
        of_event = {"tournament_id": self.desk.tournament.pk, "force": typed["force"], "reason": typed["reason"]}
        return keep_apart(**self.by, **of_event, one=one, other=other)

    def back(self) -> str:
        return _here(self.desk)

    def shown(self) -> dict[str, Any]:
        return _shown(self.desk) | {"form": self.form}


class LetMeet(ActView):
    """Take back that two are kept apart; the form stands beside them on that page."""

    right, done = Act.LET_MEET, gettext_lazy("They may meet again from the next draw on.")

    def look_up(self) -> None:
        found = KeptApart.objects.filter(tournament=self.desk.tournament, number=self.kwargs["number"]).first()
        if found is None:
            raise Http404
        self.kept = found

    def act(self) -> object:
        return let_meet(**self.by, kept_id=self.kept.pk, reason=self.reason)

    def back(self) -> str:
        return _here(self.desk)

    def page(self) -> HttpResponse:
        known = {"desk": self.desk, "tournament": self.desk.tournament, "current": "entrants"}
        return render(self.request, "desk/apart.html", known | _shown(self.desk) | {"form": _form(self.desk)})


def _form(desk: Desk, *sent: Any) -> ApartForm:
    entrants = [one for one in entrants_of(desk.tournament) if one.withdrawn_at is None]
    return ApartForm(*sent, entrants=entrants)


def _shown(desk: Desk) -> dict[str, Any]:
    may = {"may_set": desk.may(Act.KEEP_APART), "may_end": desk.may(Act.LET_MEET)}
    return may | {"kept": kept_in(desk.tournament)}


def _here(desk: Desk) -> str:
    return reverse("desk:apart", kwargs={"event": desk.tournament.slug})

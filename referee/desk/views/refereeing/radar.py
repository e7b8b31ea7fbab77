"""The radar at the desk: questions with evidence, and what officials put aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from referee.desk.act_views import ActView
from referee.desk.guard import official
from referee.desk.presenters.radar import shown
from tournaments.acts.access import Act
from tournaments.radar.acts import put_aside

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SEE_DESK)
def radar(request: HttpRequest, desk: Desk) -> HttpResponse:
    """All questions that stand now."""
    return render(request, "desk/radar.html", _known(desk) | shown(desk.tournament))


class PutAside(ActView):
    """A question is put aside with a note, or taken up again."""

    right, done, looked_at = Act.PUT_ASIDE, gettext_lazy("Noted."), "desk:radar"

    def act(self) -> object:
        return put_aside(
            **self.by,
            tournament_id=self.desk.tournament.pk,
            flag=self.typed("flag"),
            note=self.typed("note"),
            aside=self.typed("aside") != "0",
        )

    def back(self) -> str:
        return reverse("desk:radar", kwargs={"event": self.desk.tournament.slug})

    def page(self) -> HttpResponse:
        again = {"asked": self.typed("flag"), "typed_note": self.typed("note"), "refusal": self.refusal}
        return render(self.request, "desk/radar.html", _known(self.desk) | shown(self.desk.tournament) | again)


def _known(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "rulings", "may_put": desk.may(Act.PUT_ASIDE)}

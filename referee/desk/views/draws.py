"""Draws: draw a round by its format, draw it again, let two change places, take the document of a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.guard import official
from referee.desk.views.rounds import OnPairing
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.models import Draw, Job
from tournaments.rounds import drawing, seating

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

    from referee.desk.guard import Desk


class DrawRound(OnPairing):
    """Draw the round by the format of its stage; a large field is drawn by a worker."""

    right = Act.PAIR
    job: Job | None = None

    def act(self) -> None:
        if self.desk.tournament.individual:
            seating.seat_players(**self.of_round)
            return
        first_table = whole(self.typed("first_table") or "1")
        made = drawing.ask_draw(
            **self.of_round,
            reason=self.reason,
            scored_by=self.typed("scored_by") or "sides",
            first_dealer=self.typed("first_dealer") or None,
            first_table=first_table if isinstance(first_table, int) else 0,
        )
        self.job = made if isinstance(made, Job) else None

    def tell(self, done: object) -> None:
        drawn = _("The round is drawn. Look at it, then publish it.")
        if self.job is None:
            messages.success(self.request, _("The seats are drawn.") if self.desk.tournament.individual else drawn)

    def back(self) -> str:
        if self.job is None:
            return super().back()
        return reverse("desk:job", kwargs={"event": self.desk.tournament.slug, "job": self.job.pk})


class Exchange(OnPairing):
    """Two entrants of a draft change places."""

    right = Act.PAIR
    done = gettext_lazy("They have changed places. The check was made again.")
    fields: ClassVar[Mapping[str, str]] = {"pairs": "entrant"}

    def act(self) -> object:
        chosen = find.entrants_written(self.desk.tournament, self.request.POST.getlist("entrant"))
        one, other = chosen if len(chosen) == 2 else (0, 0)
        return drawing.swap_entrants(**self.of_round, one=one, other=other, reason=self.reason)


@official(Act.SEE_DESK)
def document(request: HttpRequest, desk: Desk, number: int, draw: int) -> HttpResponse:
    """The document of a draw, byte for byte."""
    kept = Draw.objects.filter(round__tournament=desk.tournament, round__number=number, number=draw).first()
    if kept is None:
        raise Http404
    return HttpResponse(kept.document, content_type="application/json; charset=utf-8")

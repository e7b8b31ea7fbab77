"""Draws: draw a round by its format, draw it again, let two change places, take the document of a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.giving_back import give_back
from referee.desk.guard import SeeOther, official, one_act
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.models import Draw, Job
from tournaments.rounds import drawing, seating

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.desk.guard import Desk


@official(Act.PAIR, "POST", page="desk:pair")
def draw(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Draw the round by the format of its stage; a large field is drawn by a worker."""
    the_round = find.round_numbered(desk.tournament, number)
    back = reverse("desk:pair", kwargs={"event": desk.tournament.slug, "number": number})
    if desk.tournament.individual:
        return one_act(
            request,
            lambda: seating.seat_players(round_id=the_round.pk, actor=desk.actor, at=desk.now),
            done=_("The seats are drawn."),
            back=back,
        )
    first_table = whole(request.POST.get("first_table") or "1")
    try:
        made = drawing.ask_draw(
            round_id=the_round.pk,
            actor=desk.actor,
            at=desk.now,
            reason=request.POST.get("reason", ""),
            scored_by=request.POST.get("scored_by") or "sides",
            first_dealer=request.POST.get("first_dealer") or None,
            first_table=first_table if isinstance(first_table, int) else 0,
        )
    except Refusal as refusal:
        return give_back(request, refusal, back)
    if isinstance(made, Job):
        return SeeOther(reverse("desk:job", kwargs={"event": desk.tournament.slug, "job": made.pk}))
    messages.success(request, _("The round is drawn. Look at it, then publish it."))
    return SeeOther(back)


@official(Act.PAIR, "POST", page="desk:pair")
def exchange(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Two entrants of a draft change places."""
    the_round = find.round_numbered(desk.tournament, number)
    chosen = find.entrants_written(desk.tournament, request.POST.getlist("entrant"))
    one, other = chosen if len(chosen) == 2 else (0, 0)
    return one_act(
        request,
        lambda: drawing.swap_entrants(
            round_id=the_round.pk,
            actor=desk.actor,
            at=desk.now,
            one=one,
            other=other,
            reason=request.POST.get("reason", ""),
        ),
        done=_("They have changed places. The check was made again."),
        back=reverse("desk:pair", kwargs={"event": desk.tournament.slug, "number": number}),
        fields={"pairs": "entrant"},
    )


@official(Act.SEE_DESK)
def document(request: HttpRequest, desk: Desk, number: int, draw: int) -> HttpResponse:
    """The document of a draw, byte for byte."""
    kept = Draw.objects.filter(round__tournament=desk.tournament, round__number=number, number=draw).first()
    if kept is None:
        raise Http404
    return HttpResponse(kept.document, content_type="application/json; charset=utf-8")

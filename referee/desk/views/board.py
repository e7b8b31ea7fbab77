"""The board: every table of the round, what was just recorded, and what waits for an official."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.guard import official, one_act
from referee.desk.presenters.board import board as shown_board
from tournaments.acts.access import Act
from tournaments.ledger import calls

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SEE_DESK)
def board(request: HttpRequest, desk: Desk) -> HttpResponse:
    return render(
        request,
        "desk/board.html",
        page(desk) | shown_board(desk) | {"live": reverse("desk:board_live", kwargs={"event": desk.tournament.slug})},
    )


@official(Act.SEE_DESK)
def round_board(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The board of a round that is not the present one."""
    shown = shown_board(desk, find.round_numbered(desk.tournament, number))
    return render(request, "desk/board.html", page(desk) | shown)


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of the board, fetched again whenever something changed."""
    return render(request, "desk/_board.html", page(desk) | shown_board(desk))


@official(Act.TAKE_CALL, "POST")
def take_call(request: HttpRequest, desk: Desk, call: int) -> HttpResponse:
    wanted = find.call(desk.tournament, call)
    return one_act(
        request,
        lambda: calls.take_call(call_id=wanted.pk, actor=desk.actor, at=desk.now),
        done=_("You are on your way. The table can see that."),
        back=_board(desk),
    )


@official(Act.CLOSE_CALL, "POST")
def close_call(request: HttpRequest, desk: Desk, call: int) -> HttpResponse:
    wanted = find.call(desk.tournament, call)
    return one_act(
        request,
        lambda: calls.close_call(call_id=wanted.pk, actor=desk.actor, at=desk.now),
        done=_("The call is closed."),
        back=_board(desk),
    )


def _board(desk: Desk) -> str:
    return reverse("desk:board", kwargs={"event": desk.tournament.slug})


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "board"}

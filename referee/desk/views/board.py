"""The board: every table of the round, what was just recorded, and what waits for an official."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.urls import reverse

from referee.desk import find
from referee.desk.act_views import ActView
from referee.desk.guard import official
from referee.desk.presenters.board import MAP
from referee.desk.presenters.board import board as shown_board
from tournaments.acts.access import Act
from tournaments.acts.text import plain_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Round


@official(Act.SEE_DESK)
def board(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The board; a number of a table (``table``) leads to that table."""
    shown = _asked(request, desk)
    table = plain_number(request.GET.get("table", ""))
    if table is not None and shown["round"] is not None:
        known = {"event": desk.tournament.slug, "number": shown["round"].number, "table": table}
        return redirect("desk:table", **known)
    return _board_page(request, desk, shown)


def board_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    return _board_page(request, desk, shown_board(desk))


def _board_page(request: HttpRequest, desk: Desk, shown: dict[str, Any]) -> HttpResponse:
    live = reverse("desk:board_live", kwargs={"event": desk.tournament.slug})
    if shown.get("hall"):
        live += f"?view={MAP}"
    elif shown.get("part"):
        live += f"?page={shown['part']}"
    return render(request, "desk/board.html", page(desk) | shown | {"live": live})


@official(Act.SEE_DESK)
def round_board(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """The board of a round that is not the present one."""
    return round_page(request, desk, number)


def round_page(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    shown = _asked(request, desk, find.round_numbered(desk.tournament, number))
    return render(request, "desk/board.html", page(desk) | shown)


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of the board, fetched again whenever something changed."""
    return render(request, "desk/_board.html", page(desk) | _asked(request, desk))


def _asked(request: HttpRequest, desk: Desk, the_round: Round | None = None) -> dict[str, Any]:
    """The board, with the page of tiles or the map that the address asks for."""
    return shown_board(desk, the_round, request.GET.get("page", ""), request.GET.get("view", ""))


class OnBoard(ActView):
    """An act whose form stands on the board."""

    def back(self) -> str:
        return board_address(self.desk)

    def page(self) -> HttpResponse:
        return board_page(self.request, self.desk)


def board_address(desk: Desk) -> str:
    return reverse("desk:board", kwargs={"event": desk.tournament.slug})


def page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "board"}

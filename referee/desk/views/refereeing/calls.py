"""The calls: the page of a referee who walks through the hall, and what is done about a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView
from referee.desk.guard import official
from referee.desk.presenters.calls import calls as shown_calls
from referee.desk.views import tables
from referee.desk.views.board import board_address, board_page
from tournaments.acts.access import Act
from tournaments.ledger import calls as acts

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Call


@official(Act.SEE_DESK)
def calls(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Who waits for this referee, the nearest first; ``?at=`` is the table where he is."""
    return calls_page(request, desk)


def calls_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    asked = request.GET.get("at", "")
    live = reverse("desk:calls_live", kwargs={"event": desk.tournament.slug})
    live += f"?{urlencode({'at': asked})}" if asked else ""
    return render(request, "desk/calls.html", _page(desk) | shown_calls(desk, asked) | {"live": live})


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of that page, fetched again whenever something changed."""
    return render(request, "desk/_calls.html", _page(desk) | shown_calls(desk, request.GET.get("at", "")))


def calls_address(desk: Desk) -> str:
    return reverse("desk:calls", kwargs={"event": desk.tournament.slug})


def _page(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "tournament": desk.tournament, "current": "board"}


class OnCall(ActView):
    """An act on a call; its form stands on the board, on the page of calls or on that of the table (``to``)."""

    call: Call

    def look_up(self) -> None:
        self.call = find.call(self.desk.tournament, self.kwargs["call"])

    def back(self) -> str:
        if self.typed("to") == "calls":
            return calls_address(self.desk)
        if self.typed("to") == "table":
            return tables.table_address(self.desk, self.call.sitting)
        return board_address(self.desk)

    def page(self) -> HttpResponse:
        if self.typed("to") == "calls":
            return calls_page(self.request, self.desk)
        if self.typed("to") == "table":
            sitting = self.call.sitting
            return tables.table_page(self.request, self.desk, sitting.round.number, sitting.table.number)
        return board_page(self.request, self.desk)


class TakeCall(OnCall):
    right = Act.TAKE_CALL
    done = gettext_lazy("You are on your way. The table can see that.")

    def act(self) -> object:
        return acts.take_call(**self.by, call_id=self.call.pk)


class CloseCall(OnCall):
    right = Act.CLOSE_CALL
    done = gettext_lazy("The call is closed.")

    def act(self) -> object:
        return acts.close_call(**self.by, call_id=self.call.pk)

"""Who did what, when, why, from what to what: newest first, by pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

from referee.desk.guard import official
from referee.desk.presenters import history as presenter
from tournaments.access import Act

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SEE_HISTORY)
def history(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {"desk": desk, "tournament": desk.tournament, "current": "history"}
    return render(request, "desk/history.html", shown | presenter.page(desk, request.GET.get("after", "")))

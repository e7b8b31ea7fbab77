"""Who did what, when, why, from what to what: newest first, by pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

from referee.desk.guard import official
from referee.desk.presenters.history import page
from tournaments.acts.access import Act

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SEE_HISTORY)
def history(request: HttpRequest, desk: Desk) -> HttpResponse:
    shown = {"desk": desk, "tournament": desk.tournament, "current": "history"}
    return render(request, "desk/history.html", shown | page(desk, request.GET.get("after", "")))

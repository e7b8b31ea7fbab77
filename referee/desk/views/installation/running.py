"""How the service does, for the organiser: one page that asks again by itself every few seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render

from referee.desk.guard import official
from referee.desk.presenters import running as presenter
from referee.running.state import look
from tournaments.acts import jobs
from tournaments.acts.access import Act

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SET_UP)
def running(request: HttpRequest, desk: Desk) -> HttpResponse:
    return render(request, "desk/running.html", _shown(desk))


@official(Act.SET_UP)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of the page, fetched again every few seconds: whoever is gone announces nothing."""
    return render(request, "desk/_running.html", _shown(desk))


def _shown(desk: Desk) -> dict[str, Any]:
    event = desk.tournament
    now = look(desk.now, event)
    known = {"desk": desk, "tournament": event, "current": "setup", "now": desk.now}
    return known | {"running": presenter.shown(now, len(jobs.open_jobs(event))), "copies": now.copies}

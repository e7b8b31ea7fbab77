"""From a table card to a place: the code is shown once, then a cookie holds the place."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods

from referee.parts.known_browser import address_of, last_known, remember
from referee.parts.names import shown_name
from referee.parts.words import listed
from referee.table.places import held_by, hold, private, refused, speak
from tournaments.acts.errors import Refusal
from tournaments.acts.guessing import PARTY_CODE, one_try
from tournaments.ledger import codes, devices

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.ledger.devices import Opened
    from tournaments.models import Sitting

# Read aloud at the desk, so no signs that look alike.
PUBLIC_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
PUBLIC_LENGTH = 8


@ensure_csrf_cookie
@require_http_methods(["GET", "POST"])
def land(request: HttpRequest, code: str) -> HttpResponse:
    """GET asks "Is this you?"; POST claims the place (`take_over` signs the other phone out) and goes to its page."""
    try:
        with one_try(PARTY_CODE, address=address_of(request), browser=last_known(request)):
            opened = devices.look_up(code)
    except Refusal as refusal:
        return refused(request, "table/places.html", refusal, code=code)
    speak(request, opened.sitting.round.tournament)
    for place in held_by(request):
        if place.sitting.pk == opened.sitting.pk and place.side == opened.code.side:
            return private(redirect("table:place", public_id=place.device.public_id))
    if request.method == "POST":
        return private(_claim(request, code, opened))
    return private(_ask(request, opened))


@require_http_methods(["GET", "POST"])
def places(request: HttpRequest) -> HttpResponse:
    """The places held in this browser, and a field for a code that cannot be scanned."""
    code = codes.read_code(request.POST.get("code", "")) if request.method == "POST" else ""
    if code and code.isalnum():
        return private(redirect("table:land", code=code[:40]))
    held = [(place, _name(place.sitting, place.side)) for place in held_by(request)]
    return private(render(request, "table/places.html", {"held": held}))


def _claim(request: HttpRequest, code: str, opened: Opened) -> HttpResponse:
    token = secrets.token_urlsafe(32)
    try:
        device = devices.claim(
            code_text=code,
            at=timezone.now(),
            token=token,
            public_id="".join(secrets.choice(PUBLIC_SIGNS) for _ in range(PUBLIC_LENGTH)),
            take_over=request.POST.get("take_over") == "yes",
        )
    except Refusal as refusal:
        return _ask(request, opened, refusal)
    response = HttpResponseRedirect("/")
    response["Location"] = redirect("table:place", public_id=device.public_id)["Location"]
    response.status_code = 303
    hold(request, response, device, token)
    remember(request, response, f"code:{device.code_id}")
    return response


def _ask(request: HttpRequest, opened: Opened, refusal: Refusal | None = None) -> HttpResponse:
    side = opened.code.side
    context = {
        "opened": opened,
        "table": opened.code.table.number,
        "side": side,
        "name": _name(opened.sitting, side),
        "against": "" if opened.sitting.match.individual else _name(opened.sitting, "EW" if side == "NS" else "NS"),
        "with": _companions(opened.sitting, side) if opened.sitting.match.individual else "",
        "tournament": opened.sitting.round.tournament,
        "held": opened.holder is not None,
        "refusal": refusal,
    }
    return render(request, "table/land.html", context, status=refusal.status if refusal else 200)


def _name(sitting: Sitting, side: str) -> str:
    match = sitting.match
    if match.individual:
        return next((shown_name(row.entrant) for row in match.places.all() if row.place == side), "")
    return shown_name(match.home if side == "NS" else match.away)


def _companions(sitting: Sitting, place: str) -> str:
    """Who else sits at the table of single players."""
    return listed(shown_name(row.entrant) for row in sitting.match.places.all() if row.place != place)

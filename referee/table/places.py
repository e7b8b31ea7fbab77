"""The places this browser holds: one cookie a place, so that both sides of a table can share one browser."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.http import HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from referee.parts.secret_addresses import tell_no_address
from referee.parts.views import cookie_name
from tournaments.acts import meters
from tournaments.acts.admission import Actor
from tournaments.acts.guessing import TooManyTries
from tournaments.ledger import devices
from tournaments.sittings.moments import one_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.acts.errors import Refusal
    from tournaments.models import Device, Sitting, Tournament

PREFIX: Final = f"{settings.COOKIE_PREFIX}place_"
# A round and its delays; the server releases the place when the round closes.
LIFETIME: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class HeldPlace:
    """One side's place at a sitting, held by this browser, and the time of the request."""

    device: Device
    now: datetime

    @property
    def sitting(self) -> Sitting:
        return self.device.sitting

    @property
    def tournament(self) -> Tournament:
        return self.sitting.round.tournament

    @property
    def side(self) -> str:
        return self.device.side

    @property
    def actor(self) -> Actor:
        return Actor(device=self.device)


def held_by(request: HttpRequest) -> Iterator[HeldPlace]:
    """Every place this browser still holds, by table and side."""
    now = timezone.now()
    found = []
    for name in sorted(request.COOKIES):
        if name.startswith(PREFIX):
            place = _place(request, name.removeprefix(PREFIX), now)
            if place is not None:
                found.append(place)
    yield from sorted(found, key=lambda place: (place.sitting.table.number, place.side != "NS"))


def hold(request: HttpRequest, response: HttpResponse, device: Device, token: str) -> None:
    """Keep the token of a place in this browser; scripts cannot read it."""
    response.set_cookie(
        PREFIX + device.public_id,
        token,
        max_age=LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def at_place(*methods: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """A page of one place: only for the browser that holds it. Anybody else is told to scan the card (404).

    Who held it until the round was closed still reads how the match ended and what comes next, but writes nothing.
    What is read is of one moment: a hand confirmed meanwhile is on the page with all that follows, or not at all.
    """
    wanted = methods or ("GET",)

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, public_id: str, **kwargs: Any) -> HttpResponse:
            if request.method not in wanted:
                return HttpResponseNotAllowed(wanted)
            reads = request.method == "GET"
            with one_moment() if reads else nullcontext():
                place = _place(request, public_id, timezone.now(), after_round=reads)
                if place is None:
                    return private(_not_held(request, public_id))
                speak(request, place.tournament)
                answer = private(view(request, place, **kwargs))
            if place.device.released_at is None:
                devices.note_seen(place.device, place.now)
            return answer

        return guarded

    return decorate


def private(response: HttpResponse) -> HttpResponse:
    """No cache keeps a page of a table but the worker of the phone itself (`keep`), and nothing it asks for tells its
    address, which can hold a code."""
    patch_cache_control(response, private=True, no_store=True)
    return tell_no_address(response)


def refused(request: HttpRequest, template: str, refusal: Refusal, **context: object) -> HttpResponse:
    """The page of `template` with the reason, counted; who tried too often is also told for how long (Retry-After)."""
    meters.refused(refusal)
    response = render(request, template, {"refusal": refusal, **context}, status=refusal.status)
    if isinstance(refusal, TooManyTries):
        response["Retry-After"] = str(refusal.wait)
    return private(response)


def speak(request: HttpRequest, tournament: Tournament) -> None:
    """The event's language unless the reader has one: by the setting of this browser, or by its Accept-Language."""
    accepted = request.headers.get("Accept-Language", "").lower()
    if cookie_name("language") in request.COOKIES or "zh" in accepted or "en" in accepted:
        return
    translation.activate(tournament.language)
    request.LANGUAGE_CODE = translation.get_language()


def wants_json(request: HttpRequest) -> bool:
    """Whether the page's script asks, not a plain form."""
    return request.headers.get("Accept", "").startswith("application/json")


def _place(request: HttpRequest, public_id: str, now: datetime, *, after_round: bool = False) -> HeldPlace | None:
    """The place that this browser holds; `after_round`: also one that it held until its round was closed."""
    token = request.COOKIES.get(PREFIX + public_id)
    if not token:
        return None
    device = devices.device_with(public_id=public_id, token=token)
    if device is None and after_round:
        device = devices.device_after_round(public_id=public_id, token=token)
    return None if device is None else HeldPlace(device, now)


def _not_held(request: HttpRequest, public_id: str) -> HttpResponse:
    token = request.COOKIES.get(PREFIX + public_id)
    device = devices.device_released(public_id=public_id, token=token) if token else None
    if wants_json(request):
        if device is not None and device.released_why == devices.ROUND_CLOSED:
            words = _("Round %(n)s is closed. For a correction see a referee.") % {"n": device.sitting.round.number}
            return JsonResponse({"code": "round_closed", "message": words}, status=409)
        message = _("This phone no longer holds this place. Scan the table card again, or call a referee.")
        return JsonResponse({"code": "place_lost", "message": message}, status=404)
    if device is not None:
        speak(request, device.sitting.round.tournament)
    return render(request, "table/lost.html", {"device": device}, status=404)

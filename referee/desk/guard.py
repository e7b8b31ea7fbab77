"""The door of every desk page: who asks, which event, may they; and how a refusal is shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control

from referee.desk.forms.accounts import ProofForm
from referee.desk.proof import asked_first
from referee.once import not_done
from referee.parts.words import in_language
from tournaments.acts import admission, meters
from tournaments.acts.errors import NotFound, Refusal, SecondFactorNeeded
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.acts.access import Act
    from tournaments.acts.admission import Actor, Offices
    from tournaments.models import User


@dataclass(frozen=True, slots=True)
class Desk:
    """What every desk view knows: the event, who acts, the offices held there, and the time of the request.

    What it answers of rights is for the page; a service that writes reads the offices anew.
    """

    tournament: Tournament
    actor: Actor
    offices: Offices
    now: datetime

    def may(self, act: Act, sitting: Any = None) -> bool:
        return admission.allowed(self.actor, act, tournament=self.tournament, sitting=sitting, held=self.offices)

    def require(self, act: Act, sitting: Any = None) -> None:
        admission.require(self.actor, act, tournament=self.tournament, sitting=sitting, held=self.offices)


class SeeOther(HttpResponseRedirect):
    """After a write: fetch that page, by GET."""

    status_code = 303


def signed_in(
    *methods: str, page: str = "", without_password: bool = False, proof: str = ""
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """A page that belongs to no event: any signed-in person; never stored by a cache.

    Who came by a link sets a password first: until then the account belongs to the event that made it. An address that
    only takes a form leads, looked at, to the `page` that the form stands on. `proof`: as of a page of one event.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            looked_at = bool(page) and request.method in ("GET", "HEAD")
            if not (looked_at or _is_among(request, methods)):
                return HttpResponseNotAllowed([*methods, *(["GET"] if page else [])])
            if not request.user.is_authenticated:
                return _private(not_done(redirect_to_login(request.get_full_path(), resolve_url("desk:sign_in"))))
            if not (without_password or person(request).has_usable_password()):
                return _private(SeeOther(reverse("desk:welcome")))
            if looked_at:
                return _private(HttpResponseRedirect(reverse(page)))
            return _private((_first(request, proof) if proof else None) or view(request, **kwargs))

        return guarded

    return decorate


#: The pages of events, with the act that one has to be allowed to see each.
_PAGES: dict[object, Act] = {}


def official(
    act: Act, *methods: str, page: str | None = None, proof: str = ""
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """A page of one event: for officials of that event who may do `act` (judged again by the service for a sitting).

    Strangers get 404 whether the event exists or not. An official whose office is not enough gets 403, in words.
    An address that only takes a form leads, when it is looked at (after a refusal, say, by a reload), to the page that
    the form stands on: `page`, with the same parts of the address, else the nearest one above. `proof`: the method
    before which password or code have to have been shown within the last minutes; of a page that is fetched, POST
    takes them and leads back to it.
    """
    wanted = methods or ("GET",)

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, event: str, **kwargs: Any) -> HttpResponse:
            looked_at = request.method in ("GET", "HEAD") and "GET" not in wanted
            if not (looked_at or _is_among(request, wanted)):
                return HttpResponseNotAllowed([*wanted, *([] if "GET" in wanted else ["GET"])])
            if not request.user.is_authenticated:
                return _private(not_done(redirect_to_login(request.get_full_path(), resolve_url("desk:sign_in"))))
            desk = _desk(request, event)
            try:
                desk.require(act)
                if looked_at:
                    there = reverse(page, kwargs={"event": event, **kwargs}) if page else _above(request, desk)
                    return _private(HttpResponseRedirect(there))
                response = (_first(request, proof) if proof else None) or view(request, desk, **kwargs)
            except SecondFactorNeeded as refusal:
                meters.refused(refusal)
                response = _to_factor(request, refusal)
            except Refusal as refusal:
                meters.refused(refusal)
                if isinstance(refusal, NotFound):
                    raise Http404 from refusal
                shown = {"desk": desk, "tournament": desk.tournament, "refusal": refusal}
                response = render(request, "desk/refused.html", shown, status=refusal.status)
            return _private(response)

        if "GET" in wanted:
            _PAGES[guarded] = act
        return guarded

    return decorate


def _first(request: HttpRequest, proof: str) -> HttpResponse | None:
    """What has to come before a request that needs a proof; None where nothing has."""
    if proof == "POST":
        return asked_first(request, person(request)) if request.method == "POST" else None
    asked = asked_first(request, person(request))
    return SeeOther(request.get_full_path()) if asked is None and ProofForm.NAME in request.POST else asked


def _to_factor(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Lead who needs a second factor to turn it on, and from there on to where they wanted to go."""
    messages.error(request, in_language(refusal.message))
    back = request.get_full_path() if request.method in ("GET", "HEAD") else ""
    return not_done(SeeOther(f"{reverse('desk:factor')}?{urlencode({'next': back})}"))


def _above(request: HttpRequest, desk: Desk) -> str:
    """The nearest address above this one that is a page this official may see; the board is above them all."""
    path = request.path_info
    while True:
        path = f"{path.rstrip('/').rpartition('/')[0]}/"
        try:
            found = resolve(path)
        except Resolver404:
            continue
        if found.func in _PAGES and desk.may(_PAGES[found.func]):
            query = request.GET.urlencode()
            return reverse(found.view_name, kwargs=found.kwargs) + (f"?{query}" if query else "")


def person(request: HttpRequest) -> User:
    """Who is signed in; only asked behind the doors above."""
    return cast("User", request.user)


def _is_among(request: HttpRequest, methods: tuple[str, ...]) -> bool:
    return request.method in methods or (request.method == "HEAD" and "GET" in methods)


def _desk(request: HttpRequest, slug: str) -> Desk:
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise Http404
    actor = admission.Actor(user=person(request))
    offices = admission.offices(actor, tournament)
    if not offices:
        raise Http404
    return Desk(tournament=tournament, actor=actor, offices=offices, now=timezone.now())


def _private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_store=True)
    return response

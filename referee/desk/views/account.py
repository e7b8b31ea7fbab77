"""Signing in: by name and password, or by a link that works once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee.desk.forms import SignInForm, WelcomeForm
from referee.desk.guard import SeeOther, person, signed_in
from referee.parts.known_browser import remember
from referee.parts.secret_addresses import tell_no_address
from tournaments.acts.errors import Refusal
from tournaments.acts.guessing import TooManyTries
from tournaments.acts.text import text_digest
from tournaments.events import sign_in_links
from tournaments.people import accounts

if TYPE_CHECKING:
    from django.contrib.auth.forms import AuthenticationForm
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from tournaments.models import User

#: In the session: the digest of the link that it came by.
BY_LINK: Final = "by_link"


class SignIn(LoginView):
    """Name and password; what is tried too often is not heard for some minutes (429)."""

    template_name = "desk/sign_in.html"
    authentication_form = SignInForm
    next_page = "desk:events"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(request, *args, **kwargs)
        except TooManyTries as refusal:
            return too_many(request, refusal)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        let_in(self.request, form.get_user())
        response = redirect(self.get_success_url())
        remember(self.request, response, f"user:{form.get_user().pk}")
        return response

    def get_context_data(self, **shown: Any) -> dict[str, Any]:
        return super().get_context_data(**shown) | {"nobody_yet": not accounts.anybody_has_password()}


sign_in = require_http_methods(["GET", "HEAD", "POST"])(SignIn.as_view())
_signing_out = LogoutView.as_view(next_page="desk:sign_in")


def let_in(request: HttpRequest, user: User) -> None:
    """Sign a person in, and note since when and with which browser."""
    login(request, user)
    request.session["started_at"] = timezone.now().isoformat()
    request.session["browser"] = request.headers.get("User-Agent", "")[:200]


def too_many(request: HttpRequest, refusal: TooManyTries) -> HttpResponse:
    """Not heard for some minutes."""
    response = render(request, "429.html", {"refusal": refusal}, status=refusal.status)
    response["Retry-After"] = str(refusal.wait)
    return response


def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Only its button signs out; looked at, the address leads to the list of events, where the button stands."""
    if request.method in ("GET", "HEAD"):
        return redirect("desk:events")
    if request.user.is_authenticated:
        accounts.end_sessions(person=person(request), ids={accounts.session_id(request.session.session_key)})
    return _signing_out(request)


@never_cache
@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest, secret: str, again: bool = False) -> HttpResponse:
    """A one-use link: seeing it changes nothing (chat programs fetch links to preview them), its button signs in.

    Pressed once more (`again`: the same form) by the browser that it let in, it leads where it led.
    """
    if request.method == "GET":
        response: HttpResponse = render(request, "desk/enter.html")
    elif request.user.is_authenticated and request.session.get(BY_LINK) == text_digest(secret):
        messages.info(request, _("You are signed in already."))
        response = SeeOther(reverse("desk:welcome"))
    else:
        try:
            user = sign_in_links.use(secret=secret, at=timezone.now(), again=again)
        except Refusal as refusal:
            response = render(request, "desk/enter.html", {"refusal": refusal}, status=refusal.status)
        else:
            let_in(request, user)
            request.session[BY_LINK] = text_digest(secret)
            response = SeeOther(reverse("desk:welcome"))
            remember(request, response, f"user:{user.pk}")
    return tell_no_address(response)


@signed_in("GET", "POST", without_password=True)
def welcome(request: HttpRequest) -> HttpResponse:
    """After the first link: a name to be shown, and a password, so that nobody depends on links."""
    user = person(request)
    if user.has_usable_password():
        return SeeOther(reverse("desk:events"))
    known = {"display_name": user.display_name, "username": user.username}
    form = WelcomeForm(request.POST or None, initial=known, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            user = accounts.introduce(user_id=user.pk, **form.cleaned_data)
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            let_in(request, user)
            return SeeOther(reverse("desk:events"))
    return render(request, "desk/welcome.html", {"form": form}, status=422 if form.errors else 200)

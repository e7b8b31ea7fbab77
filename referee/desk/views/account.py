"""Signing in: by name and password, or by a link that works once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee.desk.forms import SignInForm, WelcomeForm
from referee.desk.guard import SeeOther, person, signed_in
from tournaments.services import accounts, setup
from tournaments.services.errors import Refusal

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

BACKEND = "django.contrib.auth.backends.ModelBackend"

sign_in = require_http_methods(["GET", "HEAD", "POST"])(
    LoginView.as_view(
        template_name="desk/sign_in.html",
        authentication_form=SignInForm,
        next_page="desk:events",
        redirect_authenticated_user=True,
    )
)
_signing_out = LogoutView.as_view(next_page="desk:sign_in")


def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Only its button signs out; looked at, the address leads to the list of events, where the button stands."""
    return redirect("desk:events") if request.method in ("GET", "HEAD") else _signing_out(request)


@never_cache
@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest, secret: str) -> HttpResponse:
    """A one-use link: seeing it changes nothing (chat programs fetch links to preview them), its button signs in."""
    if request.method == "GET":
        response = render(request, "desk/enter.html")
    else:
        try:
            user = setup.use_sign_in_link(secret=secret, at=timezone.now())
        except Refusal as refusal:
            response = render(request, "desk/enter.html", {"refusal": refusal}, status=refusal.status)
        else:
            login(request, user, backend=BACKEND)
            response = redirect("desk:events" if user.has_usable_password() else "desk:welcome")
            response.status_code = 303
    return response


@signed_in("GET", "POST")
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
            login(request, user, backend=BACKEND)
            return SeeOther(reverse("desk:events"))
    return render(request, "desk/welcome.html", {"form": form}, status=422 if form.errors else 200)

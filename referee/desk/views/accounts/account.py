"""Signing in: by name and password, or by a link that works once; a second factor is shown where one is on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee.desk.forms.accounts import CodeForm, SignInForm, WelcomeForm
from referee.desk.guard import SeeOther, person, signed_in
from referee.desk.passkeys import answer_of, offer
from referee.desk.proof import note_proof, too_many
from referee.parts.known_browser import address_of, people_known, remember, stated_browser
from referee.parts.secret_addresses import tell_no_address
from tournaments.acts.errors import Refusal
from tournaments.acts.guessing import TooManyTries
from tournaments.acts.text import text_digest
from tournaments.events import sign_in_links
from tournaments.models import AccountEventKind, User
from tournaments.people import account_events, accounts, second_factor

if TYPE_CHECKING:
    from django.contrib.auth.forms import AuthenticationForm
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

#: In the session: the digest of the link that it came by.
BY_LINK: Final = "by_link"
#: In the session of nobody yet: whose password or link was right, and who has still to show the second factor.
HALF_IN: Final = "half_in"
#: How long the code may take.
HALF_IN_FOR: Final = timedelta(minutes=5)


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
        return come_in(self.request, form.get_user(), self.get_success_url())

    def get_context_data(self, **shown: Any) -> dict[str, Any]:
        return super().get_context_data(**shown) | {"nobody_yet": not accounts.anybody_has_password()}


sign_in = require_http_methods(["GET", "HEAD", "POST"])(SignIn.as_view())
_signing_out = LogoutView.as_view(next_page="desk:sign_in")


def come_in(request: HttpRequest, user: User, to: str, by_link: str = "", again: bool = False) -> HttpResponse:
    """Sign in who has shown password or link, and go on to `to`; first ask for the second factor where one is on.

    `by_link`: the digest of the link; `again`: the answer to the first press was lost, the sign-in is noted already."""
    if second_factor.is_on(user):
        request.session.cycle_key()
        request.session[HALF_IN] = {
            "user": user.pk,
            "proof": user.get_session_auth_hash(),
            "since": timezone.now().isoformat(),
            "to": to,
            "by_link": by_link,
        }
        return SeeOther(reverse("desk:sign_in_code"))
    return _come_in(request, user, to, by_link, again)


def _come_in(request: HttpRequest, user: User, to: str, by_link: str, again: bool = False) -> HttpResponse:
    let_in(request, user)
    if by_link:
        request.session[BY_LINK] = by_link
    if not again:
        account_events.note(user.pk, AccountEventKind.SIGNED_IN, timezone.now(), stated_browser(request))
    response = redirect(to) if not by_link else SeeOther(to)
    remember(request, response, f"user:{user.pk}")
    return response


def let_in(request: HttpRequest, user: User) -> None:
    """Sign a person in, and note since when and with which browser."""
    request.session.pop(HALF_IN, None)
    login(request, user)
    request.session["started_at"] = timezone.now().isoformat()
    request.session["browser"] = stated_browser(request)
    note_proof(request)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The code of the second factor, a recovery code or a passkey, of who was right with the password minutes ago."""
    half, user = request.session.get(HALF_IN), half_in(request)
    if half is None or user is None:
        request.session.pop(HALF_IN, None)
        return SeeOther(reverse("desk:sign_in"))
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            second_factor.show(
                person=user,
                code=form.cleaned_data["code"],
                passkey=answer_of(request),
                at=timezone.now(),
                address=address_of(request),
                browser=stated_browser(request),
                known=user.pk in people_known(request),
            )
        except TooManyTries as refusal:
            return too_many(request, refusal)
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            return _come_in(request, user, half["to"], half["by_link"])
    shown = {"form": form, "passkey": offer(request, user)}
    return render(request, "desk/sign_in_code.html", shown, status=422 if form.errors else 200)


def half_in(request: HttpRequest) -> User | None:
    """Who has still to show the code; None when that took too long, or the account is another one by now."""
    half = None if request.user.is_authenticated else request.session.get(HALF_IN)
    if half is None or timezone.now() - datetime.fromisoformat(half["since"]) > HALF_IN_FOR:
        return None
    user = accounts.person_of(half["user"])
    if user is None or not constant_time_compare(half["proof"], user.get_session_auth_hash()):
        return None
    return user


def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Only its button signs out; looked at, the address leads to the list of events, where the button stands."""
    if request.method in ("GET", "HEAD"):
        return redirect("desk:events")
    if request.user.is_authenticated:
        accounts.end_sessions(person=person(request), ids={accounts.session_id(request.session.session_key)})
    response = _signing_out(request)
    # what the browser kept of pages; neither its cookies nor its store, where the places, receipts and waiting hands of
    # a table are
    response["Clear-Site-Data"] = '"cache"'
    return response


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
            response = come_in(request, user, reverse("desk:welcome"), text_digest(secret), again)
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

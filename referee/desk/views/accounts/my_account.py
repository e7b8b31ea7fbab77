"""My account: another password, where I am signed in, the tokens of my programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.desk.forms.accounts import PasswordForm, TokenForm
from referee.desk.guard import SeeOther, person, signed_in
from referee.desk.proof import asked_first, too_many
from referee.parts.known_browser import address_of, stated_browser
from tournaments.acts.errors import NotFound, Refusal
from tournaments.acts.guessing import TooManyTries
from tournaments.models import TokenScope
from tournaments.people import account_events, accounts
from tournaments.people import tokens as api_tokens

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

#: What a browser says of itself, the more special first: many also claim to be the later ones.
BROWSERS: Final = (
    ("MicroMessenger", "WeChat"),
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


@signed_in("GET", "POST")
def account(request: HttpRequest) -> HttpResponse:
    """The page; POST sets another password, which ends every other session and every token."""
    me = person(request)
    form = PasswordForm(request.POST or None, user=me)
    if request.method == "POST" and form.is_valid():
        try:
            accounts.change_password(
                person=me,
                current=form.cleaned_data["current"],
                new=form.cleaned_data["password"],
                address=address_of(request),
                stated_browser=stated_browser(request),
            )
        except TooManyTries as refusal:
            return too_many(request, refusal)
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            update_session_auth_hash(request, me)
            messages.success(
                request, _("The password is changed. Every other browser is signed out, and every API token has ended.")
            )
            return SeeOther(request.path)
    now = timezone.now()
    sessions = [
        (one, accounts.session_id(one.session_key), browser_words(one.browser), one.pk == request.session.session_key)
        for one in accounts.sessions_of(me, now)
    ]
    shown = {"form": form, "sessions": sessions, "others": len(sessions) > 1, "token_form": TokenForm()}
    shown["tokens"] = [
        (one, api_tokens.token_id(one), api_tokens.scope_of(one).label, api_tokens.used_at(one))
        for one in api_tokens.tokens_of(me, now)
    ]
    shown["happened"] = [(one, browser_words(one.browser)) for one in account_events.happened_to(me)]
    return render(request, "desk/account.html", shown, status=422 if form.errors else 200)


@signed_in("POST", page="desk:account")
def end_session(request: HttpRequest) -> HttpResponse:
    """End the session of the form, or without one all but this; password or code come first."""
    me = person(request)
    if (first := asked_first(request, me)) is not None:
        return first
    own = accounts.session_id(request.session.session_key)
    others = {accounts.session_id(one.session_key) for one in accounts.sessions_of(me, timezone.now())} - {own}
    chosen = {request.POST["session"]} if "session" in request.POST else others
    accounts.end_sessions(person=me, ids=chosen & others)
    messages.success(request, _("Signed out there."))
    return SeeOther(reverse("desk:account"))


@signed_in("POST", page="desk:account")
def make_token(request: HttpRequest) -> HttpResponse:
    """A token for a program, shown on the page that answers and never again; password or code come first."""
    me, form = person(request), TokenForm(request.POST)
    if (first := asked_first(request, me)) is not None:
        return first
    if not form.is_valid():
        return render(request, "desk/token_made.html", {"form": form}, status=422)
    token, text = api_tokens.make(
        person=me,
        scope=TokenScope(form.cleaned_data["scope"]),
        days=form.cleaned_data["days"],
        at=timezone.now(),
        stated_browser=stated_browser(request),
    )
    shown = {"token": token, "text": text, "may": api_tokens.scope_of(token).label}
    return render(request, "desk/token_made.html", shown)


@signed_in("POST", page="desk:account")
def revoke_token(request: HttpRequest) -> HttpResponse:
    try:
        api_tokens.revoke(person=person(request), token=request.POST.get("token", ""))
    except NotFound as refusal:
        raise Http404 from refusal
    messages.success(request, _("The token has ended."))
    return SeeOther(reverse("desk:account"))


def browser_words(stated: str) -> str:
    """Chrome · Android, as far as the browser says; empty where it says nothing known."""
    known = (next((name for sign, name in names if sign in stated), "") for names in (BROWSERS, SYSTEMS))
    return " · ".join(name for name in known if name)

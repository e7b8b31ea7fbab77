"""The passkeys of my account: made, with a name, and removed; and what a script asks the browser to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee.desk.forms.accounts import PasskeyForm
from referee.desk.guard import SeeOther, person, signed_in
from referee.desk.passkeys import answer_of, keep, site
from referee.desk.proof import asked_first, is_proved
from referee.desk.views.accounts.account import half_in
from referee.desk.views.accounts.factor import next_of, shown_once
from referee.parts.known_browser import stated_browser
from referee.parts.words import in_language
from tournaments.acts.errors import Refusal
from tournaments.people import passkeys, second_factor

if TYPE_CHECKING:
    from django.http import HttpRequest

    from tournaments.models import User


@signed_in("GET", "POST")
def add(request: HttpRequest) -> HttpResponse:
    """A name and the browser's own window; the first one turns the second factor on. Password or code come first."""
    me, was_proved = person(request), is_proved(request)
    if (first := asked_first(request, me)) is not None:
        return first
    if request.method == "POST" and not was_proved:
        return SeeOther(request.get_full_path())
    here, is_first = site(request), not second_factor.is_on(me)
    form = PasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = _added(request, me, form.cleaned_data["name"])
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            if codes:
                update_session_auth_hash(request, me)
                return shown_once(request, codes, is_new=True)
            messages.success(request, _("The passkey is added."))
            return SeeOther(reverse("desk:factor"))
    shown = {"form": form, "has_site": here is not None, "is_first": is_first, "next": next_of(request)}
    return render(request, "desk/passkey_add.html", shown, status=422 if form.errors else 200)


def _added(request: HttpRequest, me: User, name: str) -> list[str]:
    """Recovery codes where it is the first factor."""
    answer = answer_of(request)
    if answer is None:
        raise Refusal("wrong_passkey")
    new: dict[str, Any] = {"person": me, "name": name, "at": timezone.now(), "browser": stated_browser(request)}
    if not second_factor.is_on(me):
        return second_factor.turn_on_by_passkey(**new, passkey=answer)
    passkeys.add(**new, answer=answer)
    return []


@signed_in("POST", page="desk:factor")
def remove(request: HttpRequest, passkey: int) -> HttpResponse:
    """One of my own lets nobody in any more; password or code come first."""
    me = person(request)
    if passkey not in {one.pk for one in passkeys.passkeys_of(me)}:
        raise Http404
    if (first := asked_first(request, me)) is not None:
        return first
    try:
        passkeys.remove(person=me, passkey=passkey, at=timezone.now(), browser=stated_browser(request))
    except Refusal as refusal:
        messages.error(request, in_language(refusal.message))
    else:
        messages.success(request, _("The passkey is removed."))
    return SeeOther(reverse("desk:factor"))


@signed_in("POST", page="desk:factor")
def ask(request: HttpRequest) -> HttpResponse:
    """What the browser is asked, as JSON: to make a passkey (``for=new``), else to show one."""
    me, here = person(request), site(request)
    if here is None:
        raise Http404
    ask_it = passkeys.ask_for_new if request.POST.get("for") == "new" else passkeys.ask_to_show
    return _asked(request, ask_it(me, here), here)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask_at_sign_in(request: HttpRequest) -> HttpResponse:
    """The same, to show one, of who was right with the password minutes ago."""
    user, here = half_in(request), site(request)
    if user is None or request.method != "POST":
        return HttpResponseRedirect(reverse("desk:sign_in"))
    if here is None:
        raise Http404
    return _asked(request, passkeys.ask_to_show(user, here), here)


def _asked(request: HttpRequest, asked: passkeys.Asked, here: passkeys.Site) -> HttpResponse:
    keep(request, asked, here)
    return HttpResponse(asked.options, content_type="application/json")

"""The second factor of my account: turned on with a QR code and a first code, off with the password and a code or a
passkey; new recovery codes. What is shown once stands on the page that answers the form, and nowhere else."""

from __future__ import annotations

import base64
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from referee.desk.forms.accounts import CodeForm, FactorForm, FactorOnForm
from referee.desk.guard import SeeOther, person, signed_in
from referee.desk.passkeys import answer_of, offer
from referee.desk.proof import too_many
from referee.parts.known_browser import address_of, stated_browser
from tournaments.acts.errors import Refusal
from tournaments.acts.guessing import TooManyTries
from tournaments.people import passkeys, second_factor
from tournaments.transfer.paper.share import code_svg

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.forms import Form
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import User

#: In the session, encrypted: the key that the page shows, until a code shows that a device has it.
DRAFT: Final = "factor_key"


def heard(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Tried too often: not heard for some minutes."""

    @wraps(view)
    def limited(request: HttpRequest) -> HttpResponse:
        try:
            return view(request)
        except TooManyTries as refusal:
            return too_many(request, refusal)

    return limited


@signed_in("GET", "POST")
@heard
def factor(request: HttpRequest) -> HttpResponse:
    """Off: the key as a QR code and as text, and the form that turns it on. On: its state, and the forms of it."""
    me = person(request)
    if second_factor.is_on(me):
        return _state(request, me, FactorForm(), CodeForm(), 409 if request.method == "POST" else 200)
    key, form = _draft(request), FactorOnForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = second_factor.turn_on(**_by(request), **form.cleaned_data, key=key)
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            del request.session[DRAFT]
            update_session_auth_hash(request, me)
            return shown_once(request, made, is_new=True)
    picture = base64.b64encode(code_svg(second_factor.key_address(me, key)).encode()).decode()
    spelt = " ".join(key[at : at + 4] for at in range(0, len(key), 4))
    shown = {"form": form, "picture": picture, "key": spelt, "next": next_of(request), "passkey": offer(request, me)}
    return render(request, "desk/factor_on.html", shown, status=422 if form.errors else 200)


@signed_in("POST", page="desk:factor")
@heard
def off(request: HttpRequest) -> HttpResponse:
    """By password and code; every other browser is signed out."""
    me, form = person(request), FactorForm(request.POST)
    if form.is_valid():
        try:
            second_factor.turn_off(**_by(request), **form.cleaned_data, passkey=answer_of(request))
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            update_session_auth_hash(request, me)
            messages.success(request, _("The second factor is turned off. Every other browser is signed out."))
            return SeeOther(reverse("desk:account"))
    return _state(request, me, form, CodeForm(), 422)


@signed_in("POST", page="desk:factor")
@heard
def codes(request: HttpRequest) -> HttpResponse:
    """Ten new recovery codes; the others end."""
    me, form = person(request), CodeForm(request.POST)
    if form.is_valid():
        try:
            made = second_factor.renew_recovery(**_by(request), **form.cleaned_data, passkey=answer_of(request))
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            request.session.cycle_key()
            return shown_once(request, made, is_new=False)
    return _state(request, me, FactorForm(), form, 422)


def refuse(form: Any, refusal: Refusal) -> None:
    """The sentence by its field; tried too often is no matter of a field."""
    if isinstance(refusal, TooManyTries):
        raise refusal
    form.add_refusal(refusal)


def next_of(request: HttpRequest) -> str:
    """Where to go on afterwards, inside this site; empty: nowhere in particular."""
    asked = request.POST.get("next") or request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if safe else ""


def _by(request: HttpRequest) -> dict[str, Any]:
    return {
        "person": person(request),
        "at": timezone.now(),
        "address": address_of(request),
        "browser": stated_browser(request),
    }


def _draft(request: HttpRequest) -> str:
    """The key that this session shows; a new one where there is none, or it cannot be read any more."""
    key = second_factor.opened(request.session.get(DRAFT, ""))
    if key is None:
        key = second_factor.new_key()
        request.session[DRAFT] = second_factor.sealed(key)
    return key


def _state(request: HttpRequest, me: User, off_form: Form, codes_form: Form, status: int) -> HttpResponse:
    shown = {"left": second_factor.recovery_left(me), "off_form": off_form, "codes_form": codes_form}
    shown |= {"passkeys": passkeys.passkeys_of(me), "passkey": offer(request, me)}
    # two forms of one page have fields of one name
    off_form.auto_id, codes_form.auto_id = "off_%s", "codes_%s"
    return render(request, "desk/factor.html", shown, status=status)


def shown_once(request: HttpRequest, made: list[str], *, is_new: bool) -> HttpResponse:
    """The page of the recovery codes; from there on to where the person wanted to go."""
    to = next_of(request) or reverse("desk:account")
    return render(request, "desk/recovery_codes.html", {"codes": made, "is_new": is_new, "to": to})

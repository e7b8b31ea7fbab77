"""Password or code once more before acts that matter: an open browser alone appoints nobody and takes nothing away."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.http import HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from referee.desk.forms.accounts import ProofForm
from referee.desk.passkeys import FIELD, PROOF_FIELD, answer_of, offer
from referee.once import not_done
from referee.parts.known_browser import address_of, stated_browser
from tournaments.acts.errors import FORBIDDEN, Refusal
from tournaments.acts.guessing import TooManyTries
from tournaments.people import second_factor

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import User

#: In the session: when its person last showed password or code.
PROVED: Final = "proved_at"
GOOD_FOR: Final = timedelta(minutes=10)


def note_proof(request: HttpRequest) -> None:
    """The person has just shown password, code or link."""
    request.session[PROVED] = timezone.now().isoformat()


def is_proved(request: HttpRequest) -> bool:
    """Whether that was within the last ten minutes."""
    told = request.session.get(PROVED)
    return told is not None and timedelta(0) <= timezone.now() - datetime.fromisoformat(told) <= GOOD_FOR


def asked_first(request: HttpRequest, user: User) -> HttpResponse | None:
    """The page that asks for password or code before this request is done; None where it may be done.

    The page sends the same form again, with what was typed and the proof besides; a page that was looked at (a file)
    is fetched by its form.
    """
    if is_proved(request):
        return None
    if not user.has_usable_password():  # came by a link: a password has to be set first
        return not_done(HttpResponseRedirect(reverse("desk:welcome")))
    form = ProofForm(request.POST if ProofForm.NAME in request.POST else None)
    if form.is_bound and form.is_valid():
        try:
            second_factor.prove(
                person=user,
                typed=form.cleaned_data[ProofForm.NAME],
                passkey=answer_of(request, PROOF_FIELD),
                at=timezone.now(),
                address=address_of(request),
                browser=stated_browser(request),
            )
        except TooManyTries as refusal:
            return too_many(request, refusal)
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            # who had the session before the proof has nothing with it
            request.session.cycle_key()
            note_proof(request)
            return None
    left_out = {ProofForm.NAME, FIELD, PROOF_FIELD, "key", "csrfmiddlewaretoken"}
    typed = [(name, one) for name, values in request.POST.lists() if name not in left_out for one in values]
    shown = {"form": form, "typed": typed, "passkey": offer(request, user), "field": PROOF_FIELD}
    return render(request, "desk/proof.html", shown, status=FORBIDDEN)


def too_many(request: HttpRequest, refusal: TooManyTries) -> HttpResponse:
    """Not heard for some minutes."""
    response = render(request, "429.html", {"refusal": refusal}, status=refusal.status)
    response["Retry-After"] = str(refusal.wait)
    return response

"""Who holds which office; a new person comes in by a sign-in link that is shown once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk import find
from referee.desk.forms import OfficialForm
from referee.desk.guard import SeeOther, official, one_act
from referee.parts.navigation import public_address
from tournaments import queries
from tournaments.access import Act
from tournaments.services import setup as setting_up
from tournaments.services.errors import Refusal

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.desk.guard import Desk


@official(Act.MANAGE_OFFICIALS, "GET", "POST")
def officials(request: HttpRequest, desk: Desk) -> HttpResponse:
    form = OfficialForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        facts = form.cleaned_data
        try:
            setting_up.appoint(
                tournament_id=desk.tournament.pk,
                actor=desk.actor,
                at=desk.now,
                user=setting_up.add_official(username=facts["username"], display_name=facts["display_name"]),
                office=facts["office"],
                tables=form.table_numbers(),
            )
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            return SeeOther(reverse("desk:officials", kwargs={"event": desk.tournament.slug}))
    return _page(request, desk, form=form)


@official(Act.MANAGE_OFFICIALS, "POST")
def revoke(request: HttpRequest, desk: Desk, official: int) -> HttpResponse:
    held = find.official(desk.tournament, official)
    return one_act(
        request,
        lambda: setting_up.revoke_office(official_id=held.pk, actor=desk.actor, at=desk.now),
        done=_("The office is taken back."),
        back=reverse("desk:officials", kwargs={"event": desk.tournament.slug}),
    )


@official(Act.MANAGE_OFFICIALS, "POST")
def link(request: HttpRequest, desk: Desk, official: int) -> HttpResponse:
    """A sign-in link, shown on this answer and never again. Only for a person without a password: a link to an
    account in use would hand that account, and its other events, to whoever asks.
    """
    held = find.official(desk.tournament, official)
    if held.user.has_usable_password():
        return _page(request, desk, refused=_("This person signs in with a password of their own."), status=409)
    secret = setting_up.new_secret()
    setting_up.issue_sign_in_link(user=held.user, at=desk.now, secret=secret)
    address = public_address(request, reverse("desk:enter", kwargs={"secret": secret}))
    return _page(request, desk, link=address, link_for=held)


def _page(
    request: HttpRequest, desk: Desk, *, form: OfficialForm | None = None, status: int = 200, **shown: object
) -> HttpResponse:
    form = form or OfficialForm()
    context = {"desk": desk, "tournament": desk.tournament, "current": "officials", "form": form}
    context |= {"officials": queries.officials_of(desk.tournament)} | shown
    return render(request, "desk/officials.html", context, status=422 if form.errors else status)

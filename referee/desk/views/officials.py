"""Who holds which office, who is invited, and what one is invited to oneself.

A new person comes in by a sign-in link that is shown once; whose account is their own answers an invitation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView, FormPage
from referee.desk.forms.accounts import OfficialForm
from referee.desk.guard import SeeOther, official, person, signed_in
from referee.parts.printed import public_address
from referee.parts.words import in_language
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor
from tournaments.acts.errors import Refusal
from tournaments.events import sign_in_links
from tournaments.events.officials import accept as accept_invitation
from tournaments.events.officials import appoint, belongs_to
from tournaments.events.officials import decline as decline_invitation
from tournaments.events.officials import revoke as revoke_office
from tournaments.events.officials import withdraw as withdraw_invitation
from tournaments.events.setup import new_secret
from tournaments.models import Invitation
from tournaments.rounds.board import events_of, invitations_for, invitations_of, officials_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


class Officials(FormPage):
    right, proof = Act.MANAGE_OFFICIALS, True
    template, current, form_class = "desk/officials.html", "officials", OfficialForm

    def made_form(self, *sent: Any) -> Any:
        """An office sent without any name is for who asks: the button on the next step sends it alone."""
        if sent and "username" not in self.request.POST:
            me = person(self.request)
            asked = {"office": self.typed("office"), "username": me.username, "display_name": str(me)}
            return OfficialForm(asked)
        return super().made_form(*sent)

    def act(self) -> object:
        names = ("username", "display_name", "office")
        asked: dict[str, Any] = {name: self.form.cleaned_data[name] for name in names}
        asked["tables"] = self.form.table_numbers()
        return appoint(**self.by, **asked, tournament_id=self.desk.tournament.pk)

    def tell(self, done: object) -> None:
        if isinstance(done, Invitation):
            invited = _("Invited: the office is theirs once they accept it at their own desk.")
            messages.info(self.request, invited)

    def back(self) -> str:
        if self.typed("to") == "board":
            return reverse("desk:board", kwargs={"event": self.desk.tournament.slug})
        return _here(self.desk)

    def at(self) -> str:
        return _here(self.desk)

    def shown(self) -> dict[str, Any]:
        return _held(self.desk) | {"form": self.form}


class OnOfficials(ActView):
    """An act whose form stands on the page of the officials."""

    right = Act.MANAGE_OFFICIALS

    def back(self) -> str:
        return _here(self.desk)

    def page(self) -> HttpResponse:
        return _page(self.request, self.desk)


class Revoke(OnOfficials):
    done, proof = gettext_lazy("The office is taken back."), True

    def look_up(self) -> None:
        self.held = find.official(self.desk.tournament, self.kwargs["official"])

    def act(self) -> object:
        return revoke_office(**self.by, official_id=self.held.pk)


@official(Act.MANAGE_OFFICIALS, "POST", proof="POST")
def link(request: HttpRequest, desk: Desk, official: int) -> HttpResponse:
    """A sign-in link for an account that was made for this event; shown on this answer and never again."""
    held = find.official(desk.tournament, official)
    secret = new_secret()
    try:
        sign_in_links.make(official_id=held.pk, actor=desk.actor, at=desk.now, secret=secret)
    except Refusal as refusal:
        messages.error(request, in_language(refusal.message))
        return _page(request, desk, status=refusal.status)
    address = public_address(request, reverse("desk:enter", kwargs={"secret": secret}))
    return _page(request, desk, link=address, link_for=held)


class Withdraw(OnOfficials):
    done = gettext_lazy("The invitation is taken back.")

    def look_up(self) -> None:
        self.asked = find.invitation(self.desk.tournament, self.kwargs["invitation"])

    def act(self) -> None:
        withdraw_invitation(**self.by, invitation_id=self.asked.pk)


@signed_in("POST", page="desk:events")
def accept(request: HttpRequest, invitation: int) -> HttpResponse:
    """Answered yes: on to the board of that event."""
    me = Actor(user=person(request))
    try:
        held = accept_invitation(invitation_id=invitation, actor=me, at=timezone.now())
    except Refusal as refusal:
        return _too_late(request, refusal)
    return SeeOther(reverse("desk:board", kwargs={"event": held.tournament.slug}))


@signed_in("POST", page="desk:events")
def decline(request: HttpRequest, invitation: int) -> HttpResponse:
    try:
        decline_invitation(invitation_id=invitation, actor=Actor(user=person(request)), at=timezone.now())
    except Refusal as refusal:
        return _too_late(request, refusal)
    messages.success(request, _("The invitation is declined."))
    return SeeOther(reverse("desk:events"))


def _too_late(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """The list of events with the refusal: an invitation can be gone when it is answered."""
    shown = {"mine": events_of(person(request)), "invitations": invitations_for(person(request))}
    return render(request, "desk/events.html", shown | {"refusal": refusal}, status=refusal.status)


def _here(desk: Desk) -> str:
    return reverse("desk:officials", kwargs={"event": desk.tournament.slug})


def _page(request: HttpRequest, desk: Desk, *, status: int = 200, **shown: object) -> HttpResponse:
    known = {"desk": desk, "tournament": desk.tournament, "current": "officials", "form": OfficialForm()}
    return render(request, "desk/officials.html", known | _held(desk) | shown, status=status)


def _held(desk: Desk) -> dict[str, Any]:
    """The offices as they are held and offered."""
    return {
        "officials": [(one, belongs_to(desk.tournament, one.user)) for one in officials_of(desk.tournament)],
        "invitations": invitations_of(desk.tournament),
        "may_settle": desk.may(Act.SETTLE),
    }

"""An event goes on at another installation: it leaves here, its file is fetched, and one that comes is taken in."""

from __future__ import annotations

from secrets import SystemRandom
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.desk.act_views import OwnPage
from referee.desk.forms.events import MovedEventForm
from referee.desk.guard import SeeOther, official, person, signed_in
from referee.parts.downloads import download
from tournaments.acts.access import Act
from tournaments.acts.admission import Actor
from tournaments.acts.errors import NotFound, Refusal
from tournaments.following import moving

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


class Move(OwnPage):
    """The page: where the event goes on, its file, and that it stays after all."""

    right, proof = Act.MOVE_EVENT, True
    template, current = "desk/move.html", "setup"

    def act(self) -> str:
        slug, what = self.desk.tournament.slug, self.typed("do")
        if what == "leave":
            moving.leave(slug, self.typed("to").strip(), **self.by)
            return _("Nothing is written to it here any more. Fetch its file now.")
        if what != "stay":
            raise NotFound()
        moving.stay(slug, **self.by)
        return _("The event goes on here. Destroy the file: it must not begin anywhere else.")

    def tell(self, done: Any) -> None:
        messages.success(self.request, done)

    def back(self) -> str:
        return reverse("desk:move_event", kwargs={"event": self.desk.tournament.slug})


@official(Act.MOVE_EVENT, "GET", "POST", proof="GET")
def parcel(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The file that is carried over. It holds the passwords of its officials as they are kept."""
    slug = desk.tournament.slug
    _acts, sent = moving.parcel(slug, actor=desk.actor, at=desk.now)
    return download(sent, f"{slug}.move", "application/gzip")


@signed_in("GET", "POST", proof="GET")
def take_in(request: HttpRequest) -> HttpResponse:
    """Take in an event that left another installation. The proof comes before the page: no file is sent twice."""
    sent = request.method == "POST"
    form = MovedEventForm(request.POST if sent else None, request.FILES if sent else None)
    if sent and form.is_valid():
        try:
            term, renamed = moving.move_in(
                form.cleaned_data["file"].read(),
                actor=Actor(user=person(request)),
                at=timezone.now(),
                chance=SystemRandom(),
                slug=form.cleaned_data["slug"],
            )
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            event = term.tournament
            done = _("%(event)s goes on here, at %(slug)s: term %(n)s.")
            messages.success(request, done % {"event": event.name, "slug": event.slug, "n": term.number})
            for name, new in renamed.items():
                other = _("The name %(name)s has another owner here: that official signs in as %(new)s.")
                messages.info(request, other % {"name": name, "new": new})
            return SeeOther(reverse("desk:events"))
    shown = {"form": form, "may_be_taken_in": moving.may_be_taken_in()}
    return render(request, "desk/move_in.html", shown, status=422 if form.errors else 200)

"""The second laptop at the desk: the code that lets it follow, how old its state is, taking over, the old disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk.act_views import ActView, OwnPage
from referee.desk.presenters.follower import reviewed
from referee.desk.proof import is_proved
from referee.parts.printed import public_address
from tournaments.acts.access import Act
from tournaments.acts.errors import NotFound
from tournaments.following import pairing, pulling, reviewing
from tournaments.following.taking_over import take_over
from tournaments.models import Term, UnderReview

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


class Follower(OwnPage):
    """The page, and what the chief referee does on it after showing password or code once more."""

    right, proof = Act.SEE_DESK, True
    template, current = "desk/follower.html", "setup"

    def act(self) -> str:
        event, what = self.desk.tournament.pk, self.typed("do")
        if what == "take":
            take_over(**self.by, tournament_id=event, unplugged=self.typed("unplugged") == "yes")
            return _("This laptop writes the event now. Let the phones open its address, or give it that of the first.")
        if what == "end":
            pairing.forget(**self.by, tournament_id=event, name=self.typed("name"))
            return _("That laptop receives nothing any more.")
        if what != "code":
            raise NotFound()
        pairing.make_code(**self.by, tournament_id=event)
        return _("The code is good for a quarter of an hour and for one laptop.")

    def tell(self, done: Any) -> None:
        messages.success(self.request, done)

    def back(self) -> str:
        return address(self.desk)

    def shown(self) -> dict[str, Any]:
        return shown(self.desk, self.request)


class Settle(ActView):
    """What was done about an act of the old disk; the form stands beside it on that page."""

    right, done = Act.SETTLE_REVIEW, gettext_lazy("It is noted, with your name and the time.")

    def look_up(self) -> None:
        found = UnderReview.objects.filter(tournament=self.desk.tournament, pk=self.kwargs["review"]).first()
        if found is None:
            raise Http404
        self.found = found

    def act(self) -> object:
        return reviewing.settle(**self.by, review_id=self.found.pk, note=self.typed("note"))

    def back(self) -> str:
        return address(self.desk)

    def page(self) -> HttpResponse:
        known = {"desk": self.desk, "tournament": self.desk.tournament, "current": "setup"}
        return render(self.request, "desk/follower.html", known | shown(self.desk, self.request))


def address(desk: Desk) -> str:
    return reverse("desk:follower", kwargs={"event": desk.tournament.slug})


def shown(desk: Desk, request: HttpRequest) -> dict[str, Any]:
    event = desk.tournament
    directs = desk.may(Act.TAKE_OVER)
    return {
        "now": desk.now,
        "follows": pulling.state(),
        "followers": pairing.followers(),
        "may_pair": desk.may(Act.PAIR_FOLLOWER),
        "may_take": directs,
        "may_settle": desk.may(Act.SETTLE_REVIEW),
        "code": pairing.code_now(desk.now) if desk.may(Act.PAIR_FOLLOWER) and is_proved(request) else "",
        "address": public_address(request, ""),
        "terms": Term.objects.filter(tournament=event),
        "under_review": reviewed(event),
    }

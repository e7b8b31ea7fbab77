"""Webhooks: which servers are told what happens, how they answer, and what was given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from referee.desk.act_views import CARRIED, ActView
from referee.desk.guard import official
from referee.desk.presenters.webhooks import shown
from tournaments.acts.access import Act
from tournaments.acts.errors import NotFound, Refusal
from tournaments.acts.text import row_number
from tournaments.models import Webhook
from tournaments.models.webhooks import HookKind
from tournaments.webhooks import acts
from tournaments.webhooks.sending import new_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest, HttpResponse
    from django.utils.functional import _StrPromise

    from referee.desk.guard import Desk

#: What a button does, and the sentence when it is done.
BUTTONS: Final[Mapping[str, tuple[Callable[..., object], _StrPromise]]] = {
    "test": (acts.try_it, gettext_lazy("A test is on its way; the answer will stand here.")),
    "stop": (acts.stop, gettext_lazy("Nothing is sent there until you let it go on.")),
    "go_on": (acts.go_on, gettext_lazy("It goes on at once, from where it stopped.")),
    "give_up": (acts.give_up, gettext_lazy("That message is put aside; the next ones follow.")),
    "remove": (acts.remove, gettext_lazy("That address is told nothing any more.")),
}


@official(Act.SET_WEBHOOKS)
def webhooks(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The addresses of the event, with how they answer."""
    return _page(request, desk)


@official(Act.SET_WEBHOOKS)
def live(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The inside of the page, fetched again after every delivery."""
    return render(request, "desk/_webhooks.html", _known(desk))


class OnWebhooks(ActView):
    """An act whose form stands on that page."""

    right = Act.SET_WEBHOOKS
    looked_at = None

    def page(self) -> HttpResponse:
        return _page(self.request, self.desk)

    def back(self) -> str:
        return address(self.desk)


class OfOne(OnWebhooks):
    """An act about one of the addresses."""

    def look_up(self) -> None:
        rows = Webhook.objects.filter(tournament=self.desk.tournament)
        found = rows.filter(number=self.kwargs["webhook"]).first()
        if found is None:
            raise Http404
        self.hook = found


class ShowsSecret(OnWebhooks):
    """The page that answers shows the secret, this once."""

    secret = ""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.secret = new_secret()
        answer = super().post(request, *args, **kwargs)
        return answer if self.refusal else _page(request, self.desk, secret=self.secret)


class Make(ShowsSecret):
    def act(self) -> Webhook:
        return acts.make(
            **self.by,
            tournament_id=self.desk.tournament.pk,
            address=self.typed("address").strip(),
            kinds=self.request.POST.getlist("kinds"),
            secret=self.secret,
        )

    def given_back(self, refusal: Refusal) -> HttpResponse:
        setattr(self.request, CARRIED, self.given)
        return _page(self.request, self.desk, refusal=refusal, typed=self.given)


class Secret(ShowsSecret, OfOne):
    def act(self) -> Webhook:
        return acts.renew_secret(**self.by, webhook_id=self.hook.pk, secret=self.secret)


class Button(OfOne):
    """What the buttons of an address do."""

    def act(self) -> _StrPromise:
        what = self.typed("do")
        if what == "again":
            line = row_number(self.typed("line"))
            if line is None:
                raise NotFound()
            acts.send_again(**self.by, webhook_id=self.hook.pk, line=line)
            return gettext_lazy("It is sent once more.")
        if what not in BUTTONS:
            raise NotFound()
        act, said = BUTTONS[what]
        act(**self.by, webhook_id=self.hook.pk)
        return said

    def tell(self, done: Any) -> None:
        messages.success(self.request, done)


def address(desk: Desk) -> str:
    return reverse("desk:webhooks", kwargs={"event": desk.tournament.slug})


def _known(desk: Desk) -> dict[str, Any]:
    hooks = shown(desk.tournament, desk.now)
    return {"desk": desk, "tournament": desk.tournament, "current": "setup", "now": desk.now, "hooks": hooks}


def _page(request: HttpRequest, desk: Desk, **more: Any) -> HttpResponse:
    refusal, typed = more.get("refusal"), more.get("typed")
    chosen = HookKind.values if typed is None else typed.values.get("kinds", ())
    kinds = [(kind.value, kind.label, kind.value in chosen) for kind in HookKind]
    known = _known(desk) | {"kinds": kinds} | more
    known["may_add"] = len(known["hooks"]) < acts.MOST
    return render(request, "desk/webhooks.html", known, status=refusal.status if refusal else 200)

"""One tap undoes what was done within the last minute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from referee.desk.act_views import ActView
from referee.desk.guard import person
from referee.desk.presenters import history
from referee.desk.proof import asked_first
from tournaments.acts.access import Act
from tournaments.undoing.acts import find, undo

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class Undo(ActView):
    """Undo what one line of the history tells of; back to the page on which the button stood."""

    right = Act.UNDO
    undoable = False

    def look_up(self) -> None:
        self.did = find(self.desk.tournament, self.kwargs["entry"])

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # an open browser alone gives no office back
        asked = asked_first(request, person(request)) if self.did.act == Act.MANAGE_OFFICIALS else None
        return asked or super().post(request, *args, **kwargs)

    def act(self) -> object:
        return undo(**self.by, tournament_id=self.desk.tournament.pk, entry_id=self.did.id)

    def tell(self, done: object) -> None:
        messages.success(self.request, _("Undone: %(what)s.") % {"what": history.ACTS[self.did.act]})

    def back(self) -> str:
        """A page of what was added is gone with it."""
        event = {"event": self.desk.tournament.slug}
        if self.did.added:
            return reverse("desk:setup" if self.did.act == Act.SET_UP else "desk:entrants", kwargs=event)
        there, mine = self.typed("back"), reverse("desk:board", kwargs=event)
        safe = url_has_allowed_host_and_scheme(there, allowed_hosts=None, require_https=self.request.is_secure())
        return there if safe and there.startswith(mine) else reverse("desk:history", kwargs=event)

    def page(self) -> HttpResponse:
        shown = {"desk": self.desk, "tournament": self.desk.tournament, "current": "history"}
        return render(self.request, "desk/history.html", shown | history.page(self.desk, ""))

    def at(self) -> str:
        return reverse("desk:history", kwargs={"event": self.desk.tournament.slug})

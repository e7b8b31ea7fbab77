"""The logos of an event, and the poster for the door that bears them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from referee.desk.act_views import ActView, OwnPage
from referee.desk.guard import official
from referee.parts import photos
from referee.parts.downloads import download
from referee.parts.printed import codes_warning, public_address
from referee.parts.words import page_language
from tournaments.acts.access import Act
from tournaments.logos import acts
from tournaments.logos.reads import logos_of
from tournaments.models.logos import LogoKind
from tournaments.transfer.paper.door import door_pdf

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk

#: Sizes of the poster, the larger first.
SIZES: Final = ("a3", "a4")


class Logos(OwnPage):
    """The logos that are shown, a form for one more, the poster."""

    right, done = Act.SEE_DESK, gettext_lazy("The logo is shown.")
    template, current = "desk/logos.html", "setup"

    def act(self) -> object:
        return acts.add(
            **self.by,
            tournament_id=self.desk.tournament.pk,
            kind=self.typed("kind"),
            name=self.typed("name"),
            file=photos.sent_with(self.request),
        )

    def back(self) -> str:
        return _address(self.desk)

    def shown(self) -> dict[str, Any]:
        typed = {name: self.typed(name) for name in ("kind", "name")} if self.refusal else {"kind": "sponsor"}
        return shown(self.request, self.desk) | {"typed": typed}


class Remove(ActView):
    """Take a logo away."""

    right, done = Act.SET_LOGOS, gettext_lazy("The logo is gone.")

    def act(self) -> object:
        return acts.remove(**self.by, tournament_id=self.desk.tournament.pk, digest=self.kwargs["digest"])

    def back(self) -> str:
        return _address(self.desk)

    def page(self) -> HttpResponse:
        known = {"desk": self.desk, "tournament": self.desk.tournament, "current": Logos.current}
        return render(self.request, Logos.template, known | shown(self.request, self.desk))


@official(Act.SEE_DESK)
@require_safe
def poster(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The poster for the door as PDF; ``?size=a3`` for the larger one."""
    size = request.GET.get("size", "")
    size = size if size in SIZES else SIZES[-1]
    known = {"language": page_language(), "event": desk.tournament.slug}
    address = public_address(request, reverse("public:event", kwargs=known))
    return download(
        door_pdf(desk.tournament, address, size), f"{desk.tournament.slug}-door-{size}.pdf", "application/pdf"
    )


def shown(request: HttpRequest, desk: Desk) -> dict[str, Any]:
    return {
        "logos": logos_of(desk.tournament),
        "language": page_language(),
        "kinds": LogoKind.choices,
        "may_change": desk.may(Act.SET_LOGOS),
        "warning": codes_warning(request),
    }


def _address(desk: Desk) -> str:
    return reverse("desk:logos", kwargs={"event": desk.tournament.slug})

"""A page to share something from, and the pictures that go with its link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse, HttpResponseRedirect

from referee.parts.printed import public_address
from referee.public import find
from referee.public.page import event_page, pdf
from referee.public.presenters import share
from tournaments.transfer.paper.share import poster_pdf, share_picture

if TYPE_CHECKING:
    from django.http import HttpRequest

    from referee.public.presenters.share import Shared
    from tournaments.models import Tournament

#: A picture says the same for ever under its address; a copy lives an hour at most, for names may be erased.
KEPT: Final = "public, max-age=3600, immutable"
PAPER: Final = "poster.pdf"


class Picture:
    """The last part of a picture's address: ``card-<digest>.png``, ``poster-<digest>.png`` or ``poster.pdf``."""

    regex = r"(?:card|poster)-[0-9a-f]{16}\.png|poster\.pdf"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def _shares(current: str) -> Callable[[Callable[..., Shared]], Callable[..., Any]]:
    """What is shared becomes its page, or one of its pictures; an outdated picture leads to the one of now."""

    def wrap(found: Callable[..., Shared]) -> Callable[..., Any]:
        @wraps(found)
        def shown(request: HttpRequest, tournament: Tournament, picture: str = "", **known: Any) -> Any:
            shared = found(request, tournament, **known)
            address = public_address(request, shared.page)
            if not picture:
                return {"share": shared, "shared_at": address}
            if picture == PAPER:
                return pdf(poster_pdf(shared.data, address, tournament.created_at), f"{tournament.slug}-poster")
            form, _, rest = picture.partition("-")
            if rest.removesuffix(".png") != shared.digest:
                newest = shared.card if form == "card" else shared.poster
                return HttpResponseRedirect(newest, headers={"Cache-Control": "no-store"})
            data = share_picture(shared.data, form, address)
            return HttpResponse(data, content_type="image/png", headers={"Cache-Control": KEPT})

        return event_page("share", current)(shown)

    return wrap


@_shares("event")
def event(request: HttpRequest, tournament: Tournament) -> Shared:
    return share.event_at(tournament)


@_shares("rounds")
def match(request: HttpRequest, tournament: Tournament, number: int, table: int) -> Shared:
    return share.match_at(find.sitting_at(tournament, number, table))


@_shares("entrants")
def entrant(request: HttpRequest, tournament: Tournament, number: int) -> Shared:
    return share.entrant_at(find.entrant(tournament, number))


@_shares("standings")
def publication(request: HttpRequest, tournament: Tournament, number: int) -> Shared:
    return share.of_publication(find.publication(tournament, number))

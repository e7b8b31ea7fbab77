"""Photos of a side: given with a call of its table, and seen again by the side that gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.utils.translation import gettext as _

from referee.parts import photos
from referee.table.places import at_place
from referee.table.views.acts import answer
from tournaments.acts.errors import Refusal
from tournaments.evidence import acts
from tournaments.evidence.reads import content_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.table.places import HeldPlace


@at_place("POST")
def attach(request: HttpRequest, place: HeldPlace, call: int) -> HttpResponse:
    """Give a photo to the referees."""

    def act() -> str:
        acts.attach(call_id=call, actor=place.actor, at=place.now, file=photos.sent_with(request))
        return _("The referees have the photo. The other side does not see it.")

    return answer(request, place, act)


@at_place("GET")
def photo(request: HttpRequest, place: HeldPlace, photo: int) -> HttpResponse:
    """A photo that this side gave."""
    try:
        return photos.answered(content_of(photo, place.actor))
    except Refusal:
        raise Http404 from None

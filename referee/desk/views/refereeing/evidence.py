"""Photos at the desk: given with a call, looked at, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.guard import official
from referee.desk.views.refereeing.calls import OnCall
from referee.desk.views.tables import AtTable
from referee.parts import photos
from tournaments.acts.access import Act
from tournaments.evidence import acts
from tournaments.evidence.reads import content_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk


@official(Act.SEE_DESK)
def photo(request: HttpRequest, desk: Desk, photo: int) -> HttpResponse:
    """The photo itself, for officials of its table."""
    found = find.photo(desk.tournament, photo)
    return photos.answered(content_of(found.pk, desk.actor))


class Attach(OnCall):
    right = Act.ATTACH_PHOTO
    done = gettext_lazy("The photo is with the call.")

    def act(self) -> object:
        return acts.attach(**self.by, call_id=self.call.pk, file=photos.sent_with(self.request))


class Remove(AtTable):
    right = Act.REMOVE_PHOTO
    done = gettext_lazy("The photo is gone. The history says that there was one.")

    def look_up(self) -> None:
        self.photo = find.photo(self.desk.tournament, self.kwargs["photo"])
        self.sitting = self.photo.call.sitting
        self.kwargs |= {"number": self.sitting.round.number, "table": self.sitting.table.number}

    def act(self) -> object:
        return acts.remove(**self.by, photo_id=self.photo.pk, reason=self.reason)

"""The offer to undo what a request did: what was done, where it is undone, and until when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk.presenters.history import ACTS
from referee.parts.notices import offer_undo
from tournaments.acts.history import UNDO_WITHIN
from tournaments.undoing.acts import offered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from referee.desk.guard import Desk
    from tournaments.models import HistoryEntry


def offer(request: HttpRequest, desk: Desk, rows: Sequence[HistoryEntry]) -> None:
    """Offer on the next page to undo what a request did, where that is one act that can be undone."""
    found = offered(rows, desk.actor, desk.tournament, desk.now, desk.offices)
    if len(found) != 1:
        return
    (row,) = found
    said = _("Done: %(what)s.") % {"what": ACTS[row.act]}
    address = reverse("desk:undo", kwargs={"event": desk.tournament.slug, "entry": row.pk})
    offer_undo(request, said, address, row.at + UNDO_WITHIN)

"""What the projector of an event shows: as saved, else everything."""

from __future__ import annotations

from ..models import Projector, Tournament
from ..models.projector import ScreenBoard


def projector_of(event: Tournament) -> Projector:
    """The row of the event, in one query; where nobody chose, one that is not stored, with all boards."""
    return Projector.objects.filter(tournament=event).first() or Projector(
        tournament=event, boards=list(ScreenBoard.values)
    )

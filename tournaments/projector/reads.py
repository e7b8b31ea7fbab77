"""What the projector of an event shows: as saved, else everything."""

from __future__ import annotations

from dataclasses import dataclass

from ..acts import origins
from ..models import Draw, Projector, Tournament
from ..models.projector import ScreenBoard


def projector_of(event: Tournament) -> Projector:
    """The row of the event, in one query; where nobody chose, one that is not stored, with all boards and the latest
    hands below them."""
    return Projector.objects.filter(tournament=event).first() or Projector(
        tournament=event, boards=list(ScreenBoard.values), ticker=True
    )


@dataclass(frozen=True, slots=True)
class Ball:
    """One entrant (id) as the document of a draw has it: its number on paper, table (none for a bye) and side."""

    entrant: int
    number: int
    table: int | None
    home: bool
    meeting: int


def balls_of(event: Tournament, draw: Draw) -> tuple[Ball, ...]:
    """The entrants of a draw in the order of its document, the two who meet one after the other; nothing where it has
    no meetings of two sides."""
    document = origins.document_of(event, draw)
    numbers = document.get("numbers", {})
    return tuple(
        Ball(one[side], numbers.get(str(one[side]), 0), one["table"], side == "home", at)
        for at, one in enumerate(document.get("meetings", ()))
        for side in ("home", "away")
        if one.get(side) is not None
    )


def draw_to_show(event: Tournament) -> Draw | None:
    """The draw that stands of the newest round that has one."""
    return Draw.objects.filter(round__tournament=event).order_by("-round__number", "-number").first()

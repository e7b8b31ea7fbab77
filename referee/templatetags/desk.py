"""`{% load desk %}`: what every page of the desk says alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from referee.desk.presenters import due
from referee.parts import spoken

if TYPE_CHECKING:
    from tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("desk/_due_line.html")
def due_line(tournament: Tournament) -> dict[str, Any]:
    """What is due now in the event, in one line with the way there."""
    return due.line(tournament)


@register.filter
def typed_as(found_by: str) -> str:
    """What somebody types to find an entrant, with what its Chinese names sound like (``gaofeng gf``)."""
    return " ".join((found_by, *filter(None, map(spoken.typed_as, found_by.split()))))

"""`{% load desk %}`: what every page of the desk says alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from referee.desk.presenters import due

if TYPE_CHECKING:
    from tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("desk/_due_line.html")
def due_line(tournament: Tournament) -> dict[str, Any]:
    """What is due now in the event, in one line with the way there."""
    return due.line(tournament)

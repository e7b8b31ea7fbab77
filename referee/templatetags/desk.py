"""`{% load desk %}`: what every page of the desk says alike."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import template

from referee.desk.presenters import next_step
from referee.parts import spoken

if TYPE_CHECKING:
    from referee.desk.guard import Desk

register = template.Library()


@register.inclusion_tag("desk/_due_line.html", takes_context=True)
def due_line(context: template.RequestContext, desk: Desk) -> dict[str, Any]:
    """What is due now in the event, with the button that does it; where something stands in the way, two. None leads to
    the page that is shown."""
    step = next_step.shown(desk)
    request = context["request"]
    ways = [way for way in step.ways if way.posts or way.address != request.get_full_path()]
    step = replace(step, ways=tuple(ways[: 2 if step.blocked else 1]))
    return {"step": step, "csrf_token": context.get("csrf_token"), "request": request}


@register.filter
def typed_as(found_by: str) -> str:
    """What somebody types to find an entrant, with what its Chinese names sound like (``gaofeng gf``)."""
    return " ".join((found_by, *filter(None, map(spoken.typed_as, found_by.split()))))

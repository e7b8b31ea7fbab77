"""Every address of the service, by room. The rooms' own modules say the rest."""

from __future__ import annotations

import warnings

from django.urls import URLPattern, URLResolver, include, path

from referee.health import health


def room(prefix: str, module: str) -> list[URLPattern | URLResolver]:
    """A room's addresses; none while the room is being built."""
    try:
        return [path(prefix, include(module))]
    except ImportError as error:
        warnings.warn(f"{module} left out: {error}", stacklevel=2)
        return []


urlpatterns = [
    path("health", health, name="health"),
    *room("", "referee.parts.live"),
    *room("", "referee.parts.urls"),
    *room("", "referee.table.urls"),
    *room("desk/", "referee.desk.urls"),
    *room("api/v1/", "api.urls"),
    *room("", "referee.public.urls"),
]

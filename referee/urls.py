"""Every address of the service, by room. The rooms' own modules say the rest."""

from __future__ import annotations

from django.urls import include, path

from referee.health import health

urlpatterns = [
    path("health", health, name="health"),
    path("", include("referee.parts.live")),
    path("", include("referee.parts.urls")),
    path("", include("referee.table.urls")),
    path("desk/", include("referee.desk.urls")),
    path("api/v1/", include("api.urls")),
    path("", include("referee.public.urls")),
]

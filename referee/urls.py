"""Every address of the pages and of the API, by room; the live streams stand beside them (`streams`)."""

from __future__ import annotations

from django.urls import include, path

handler500 = "referee.failures.failed"
urlpatterns = [
    path("api/v1/", include("api.urls")),
    path("", include("referee.health")),
    path("", include("referee.running.metrics")),
    path("follow/", include("referee.running.following")),
    path("", include("referee.parts.urls")),
    path("", include("referee.table.urls")),
    path("desk/", include("referee.desk.urls")),
    path("", include("referee.public.urls")),
]

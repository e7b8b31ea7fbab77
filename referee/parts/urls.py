"""Addresses of the shared parts: the reader's own settings, and what a phone installs to open pages without network."""

from __future__ import annotations

from django.urls import path

from referee.parts import offline, views

app_name = "parts"

urlpatterns = [
    path("preferences/<str:preference>/", views.set_preference, name="preference"),
    path("worker.js", offline.worker, name="worker"),
    path("app.webmanifest", offline.manifest, name="manifest"),
    path("offline/", offline.no_network, name="no_network"),
    path("code/", offline.result_code, name="code"),
    path("code/<slug:event>/", offline.result_code, name="code_of_event"),
]

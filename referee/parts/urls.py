"""Addresses of the shared parts: the reader's own settings."""

from __future__ import annotations

from django.urls import path

from referee.parts import views

app_name = "parts"

urlpatterns = [
    path("preferences/<str:preference>/", views.set_preference, name="preference"),
]

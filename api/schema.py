"""The schema and a reader of it that needs nothing from outside."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def reader(request: HttpRequest) -> HttpResponse:
    """A page that shows the schema with files of our own server only."""
    return render(request, "api/reader.html")

"""The schema and a reader of it that needs nothing from outside."""

from __future__ import annotations

from django.views.generic import TemplateView


class Reader(TemplateView):
    """A page that shows the schema with files of our own server only."""

    template_name = "api/reader.html"

"""The schema and a reader of it that needs nothing from outside."""

from __future__ import annotations

from threading import Lock
from typing import Any, Final

from django.views.generic import TemplateView
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.response import Response

#: Held while the schema is made: its maker loads what extends it at the first use, and two threads trip each other.
MAKING: Final = Lock()


class Schema(SpectacularAPIView):
    """The schema as a document."""

    @extend_schema(exclude=True)
    def get(self, *args: Any, **kwargs: Any) -> Response:
        with MAKING:
            return super().get(*args, **kwargs)


class Reader(TemplateView):
    """A page that shows the schema with files of our own server only."""

    template_name = "api/reader.html"

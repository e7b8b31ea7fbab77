"""Every other address under the API answers with the envelope too, not with a page."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from .views import Endpoint


@extend_schema(exclude=True)
class NoSuchAddress(Endpoint):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404

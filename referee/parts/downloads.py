"""Files handed to the browser to keep."""

from __future__ import annotations

from django.http import HttpResponse


def download(data: bytes | str, name: str, kind: str) -> HttpResponse:
    """`name` is made of a slug and plain letters only, so it needs no escaping."""
    return HttpResponse(data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

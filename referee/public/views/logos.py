"""A logo of an event, under an address that holds its digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from referee.parts.photos import HEADERS, JPEG
from tournaments.logos.reads import content_of
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.http import HttpRequest

#: Other bytes have another address.
KEPT: Final = "public, max-age=31536000, immutable"


@require_safe
def logo(request: HttpRequest, language: str, event: str, digest: str) -> HttpResponse:
    data = content_of(get_object_or_404(Tournament, slug=event), digest)
    if data is None:
        raise Http404
    told = {"Cache-Control": KEPT, "Content-Disposition": f'inline; filename="{digest[:12]}.jpg"'}
    return HttpResponse(data, content_type=JPEG, headers={**HEADERS, **told})

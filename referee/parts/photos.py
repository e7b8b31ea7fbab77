"""Photos as they come in and go out: read from a form with a limit, and answered so that nothing is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from csp.constants import HEADER
from django.http import HttpResponse

from tournaments.evidence.pictures import MOST_BYTES, too_large

if TYPE_CHECKING:
    from django.http import HttpRequest

#: The name of the field of a form.
FIELD: Final = "photo"
JPEG: Final = "image/jpeg"
#: A photo does nothing, is kept by nobody and stands on no other site, whatever a browser makes of it.
HEADERS: Final = {
    HEADER: "default-src 'none'; sandbox",
    "Cache-Control": "private, no-store",
    "Content-Disposition": 'inline; filename="photo.jpg"',
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def sent_with(request: HttpRequest) -> bytes:
    """The bytes of the photo in a form; none where there is no file. Refused: `photo_too_large`."""
    file = request.FILES.get(FIELD)
    if file is None:
        return b""
    if (file.size or 0) > MOST_BYTES:
        raise too_large()
    return bytes(file.read())


def answered(data: bytes) -> HttpResponse:
    """A photo as an answer."""
    return HttpResponse(data, content_type=JPEG, headers=dict(HEADERS))

"""How a phone comes to trust the authority of this laptop (``TLS=own``): in pictures, with its certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from referee.parts.printed import seal
from referee.parts.words import page_language
from referee.public.page import page

if TYPE_CHECKING:
    from django.http import HttpRequest


class Step(NamedTuple):
    """What is done, and what its picture shows: ``file``, ``row`` (one line of settings) or ``switch``."""

    picture: str
    words: Promise


class System(NamedTuple):
    name: str
    steps: tuple[Step, ...]


SYSTEMS: Final = (
    System(
        "iPhone · iPad",
        (
            Step("file", _("In Safari press the button above and allow the download.")),
            Step("row", _("Settings, at the top: Profile Downloaded. Press Install.")),
            Step("switch", _("Settings, General, About, Certificate Trust Settings: turn Referee on.")),
        ),
    ),
    System(
        "Android",
        (
            Step("file", _("Press the button above; the file goes into the downloads.")),
            Step("row", _("Settings: search for CA certificate, press Install anyway and choose the file.")),
            Step("switch", _("Show the lock of your screen if asked. Use Chrome, Edge or Samsung Internet.")),
        ),
    ),
    System(
        "Windows · macOS · Linux",
        (
            Step("file", _("Press the button above and open the file.")),
            Step("row", _("Windows: Install, into Trusted Root Certification Authorities. macOS: into the keychain.")),
            Step(
                "switch", _("macOS: open it there and choose Always Trust. Firefox and Linux: in the browser settings.")
            ),
        ),
    ),
)


def _has_authority() -> str:
    """Its fingerprint; 404 where this installation has none."""
    if not (found := seal()):
        raise Http404
    return found


@require_safe
def door(request: HttpRequest) -> HttpResponse:
    """To the page in the reader's language."""
    _has_authority()
    response = HttpResponseRedirect(reverse("public:trust", kwargs={"language": page_language()}))
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


@page("trust")
def trust(request: HttpRequest) -> dict[str, Any]:
    return {"seal": _has_authority(), "systems": SYSTEMS, "secure": settings.PUBLIC_URL}


@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """The authority's certificate; its key stays where it is."""
    _has_authority()
    text = (Path(settings.DATA_DIR) / "authority" / "authority.pem").read_bytes()
    # not as an attachment: an iPhone would lay it into its files, where it cannot be installed
    return HttpResponse(text, content_type="application/x-x509-ca-cert")

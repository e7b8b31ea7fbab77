"""Pages that open without network: what a browser installs, and what its worker may keep.

The worker (``offline-worker.js``) keeps nothing that the server has not marked with `keep`. It is sent with the version
of the program and the files of its pages in front, so a new version is a new worker; with ``OFFLINE=no`` a worker is
sent that takes itself away.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee import static_files
from referee.parts.words import language_tag

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

Answer = TypeVar("Answer", bound="HttpResponseBase")

HEADER: Final = "Offline-Keep"
#: What no page of a phone loads.
_NOT_ON_PHONES: Final = ("desk", "api-reader", "offline-worker", "print", ".png")
_WORKER: Final = Path(__file__).resolve().parent.parent / "static/referee/js/offline-worker.js"
#: Takes away what an older version installed, and what it kept; pages that are open go on without it.
_GONE: Final = """\
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(leave()));
async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
"""


def keep(response: Answer, what: Literal["own", "rules", "forget"]) -> Answer:
    """Marks a page that the worker may keep: of this browser's own place or code, or of rules; or has it forgotten."""
    response[HEADER] = what
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The worker of this version; switched off, one that ends every worker."""
    response = HttpResponse(_worker() if settings.OFFLINE else _GONE, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone needs to put the pages among its programs."""
    pictures = [("app-192.png", 192, "any"), ("app-512.png", 512, "any"), ("app-512-whole.png", 512, "maskable")]
    told = {
        "name": "Referee",
        "short_name": "Referee",
        "description": _("My table, rules and adjudicator, also without network."),
        "lang": language_tag(),
        "id": "/me/",
        "start_url": reverse("table:own_code"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f6f8",
        "theme_color": "#1f4a9c",
        "icons": [
            {"src": static(f"referee/{name}"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, size, purpose in pictures
        ],
    }
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
    kind = "application/manifest+json"
    return JsonResponse(told, headers=headers, content_type=kind, json_dumps_params={"ensure_ascii": False})


@require_safe
def no_network(request: HttpRequest) -> HttpResponse:
    """The page that stands for one which is not kept; opened with a network, it says what is kept and forgets it."""
    response = render(request, "offline.html")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def result_code(request: HttpRequest, event: str = "") -> HttpResponse:
    """Where a camera leads that reads a result code: the code itself stands behind the #, which no server is sent."""
    response = render(request, "result_code.html")
    response["Cache-Control"] = "no-cache"
    return response


def shell() -> list[str]:
    """The addresses of the files that the kept pages load."""
    names = [name for name, _file in static_files.sources(Path(settings.BASE_DIR)) if name.startswith("referee/")]
    ours = [name for name in names if not any(part in name.rsplit("/", 1)[-1] for part in _NOT_ON_PHONES)]
    return [static(name) for name in [*ours, "referee/css/print.css"]]


def version() -> str:
    """Names this version of the program and of every file of the shell."""
    return f"{settings.VERSION}-{hashlib.sha256(_known('').encode() + _WORKER.read_bytes()).hexdigest()[:12]}"


@lru_cache(maxsize=1)
def _worker() -> str:
    return _known(version()) + _WORKER.read_text("utf-8")


def _known(name: str) -> str:
    known = {
        "VERSION": name,
        "SHELL": shell(),
        "FALLBACK": reverse("parts:no_network"),
        "CODE": reverse("parts:code"),
        "WOKEN": reverse("table:own_table"),
        "SIGN": static("referee/app-192.png"),
    }
    return "".join(f"const {word} = {json.dumps(value)};\n" for word, value in known.items())

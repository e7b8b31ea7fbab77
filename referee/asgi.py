"""The whole service as one ASGI application: pages on threads, live streams on the event loop.

Pages are ordinary synchronous Django and run four to five times faster through WSGI threads than under Django's own
ASGI handler (measured); a stream waits for minutes and would hold such a thread all the while.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

from referee.wsgi import application as _pages

if TYPE_CHECKING:
    from a2wsgi.asgi_typing import Receive, Scope, Send

LIVE_PREFIX = "/live/"
PAGE_THREADS = 8

pages: Any = WSGIMiddleware(cast("Any", _pages), workers=PAGE_THREADS)
streams: Any = get_asgi_application()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Hand one request to the side that suits it."""
    live = scope["type"] == "http" and scope["path"].startswith(LIVE_PREFIX)
    await (streams if live else pages)(scope, receive, send)

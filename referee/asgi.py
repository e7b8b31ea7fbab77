"""The whole service as one ASGI application: pages on threads, live streams on the event loop.

Pages are ordinary synchronous Django and run four to five times faster through WSGI threads than under Django's own
ASGI handler (measured); a stream waits for minutes and would hold such a thread all the while.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

from referee.wsgi import application as _pages

# after Django is set up
from django.conf import settings  # isort: skip
from referee.serving.bodies import Bodies  # isort: skip
from referee.serving.page_threads import PageThreads  # isort: skip
from referee.serving.shared_answers import Shared  # isort: skip
from referee.serving.streams import PREFIX  # isort: skip
from referee.serving.streams import application as streams  # isort: skip
from referee.serving.turns import Turns  # isort: skip

if TYPE_CHECKING:
    from a2wsgi.asgi_typing import Receive, Scope, Send

PAGE_THREADS = 8
#: What everybody may read has threads of its own: however many read, phones and officials find theirs free.
PUBLIC_THREADS = 2
PUBLIC_PREFIXES = ("/zh/", "/en/")
#: Who operates the service hears of it also while all threads are taken: never refused, and nobody's in the way.
OPERATOR_THREADS = 2
OPERATOR_PREFIXES = ("/health", "/metrics")

pages: Any = PageThreads(_pages, PAGE_THREADS, Turns(PAGE_THREADS))
public: Any = Shared(
    PageThreads(_pages, PUBLIC_THREADS, Turns(PUBLIC_THREADS)), bodies=Bodies() if settings.REDIS_URL else None
)
operator: Any = PageThreads(_pages, OPERATOR_THREADS)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Hand one request to the side that suits it."""
    path = scope["path"] if scope["type"] == "http" else ""
    if path.startswith(PREFIX):
        side: Any = streams
    elif path.startswith(PUBLIC_PREFIXES):
        side = public
    elif path.startswith(OPERATOR_PREFIXES):
        side = operator
    else:
        side = pages
    await side(scope, receive, send)

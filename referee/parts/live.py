"""Live streams (server-sent events): asynchronous, without the database. A message says that something changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import path

from tournaments.announce import event_topic, hub, sitting_topic

PING_SECONDS = 15.0
LIFETIME_SECONDS = 30 * 60.0
RETRY_MILLISECONDS = 2_000
MOST_LISTENERS = 5_000


async def event(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Changes of one event: its board, standings, sittings and rounds."""
    return _stream(request, event_topic(slug))


async def sitting(request: HttpRequest, sitting_id: int) -> HttpResponseBase:
    """Changes of one sitting."""
    return _stream(request, sitting_topic(sitting_id))


def _stream(request: HttpRequest, topic: str) -> HttpResponseBase:
    if request.method != "GET":
        return HttpResponse(status=405, headers={"Allow": "GET"})
    if hub.size >= MOST_LISTENERS:
        return HttpResponse(status=503, headers={"Retry-After": "30"})
    response = StreamingHttpResponse(messages(topic), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-cache, no-store"
    response["X-Accel-Buffering"] = "no"
    return response


async def messages(topic: str) -> AsyncIterator[bytes]:
    """The stream of one page: a greeting, then each message, with a ping when nothing happens.

    It ends by itself after half an hour (the browser comes back), so that no stream outlives its page for long.
    """
    listener = hub.join(topic)
    ends = asyncio.get_running_loop().time() + LIFETIME_SECONDS
    try:
        await hub.ready()
        # the page was drawn before anybody listened: the greeting makes it look once more
        yield f'retry: {RETRY_MILLISECONDS}\ndata: {{"what":"hello"}}\n\n'.encode()
        while asyncio.get_running_loop().time() < ends:
            try:
                message = await asyncio.wait_for(listener.get(), PING_SECONDS)
            except TimeoutError:
                yield b": ping\n\n"
                continue
            yield f"data: {json.dumps(message, separators=(',', ':'))}\n\n".encode()
    finally:
        hub.leave(listener)


urlpatterns = [
    path("live/event/<slug:slug>/", event, name="live-event"),
    path("live/sitting/<int:sitting_id>/", sitting, name="live-sitting"),
]

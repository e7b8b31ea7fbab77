"""`/metrics`: how the service does, in the text form of Prometheus.

Asked from this machine without a proxy, or with the token of METRICS_TOKEN; for everybody else there is no such page.
It tells no name of a person or an event. Any web process tells of all; what nobody knows at the moment is left out.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import redis
from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseNotAllowed
from django.urls import path
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from referee.environment import is_loopback

from .state import look
from .sums import sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.http import HttpRequest

    from .state import Running

#: Headers of somebody who comes through a proxy: his address may be whatever he says it is.
_BY_PROXY: Final = (
    *("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"),
    *("X-Real-IP", "Forwarded", "Via"),
)


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        raise Http404
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET"])
    registry = CollectorRegistry()
    registry.register(_Now())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def may_read(request: HttpRequest) -> bool:
    """Whether who asks brings the token, or sits at this machine with no proxy in between."""
    given, token = request.headers.get("Authorization", ""), settings.METRICS_TOKEN
    if token and constant_time_compare(given, f"Bearer {token}"):
        return True
    return is_loopback(request.META.get("REMOTE_ADDR", "")) and not any(name in request.headers for name in _BY_PROXY)


class _Now(Collector):
    """Everything there is to tell, asked when it is told."""

    def collect(self) -> Iterable[Metric]:
        with suppress(redis.RedisError, OSError):
            yield from sums()
        yield from _gauges(look(timezone.now()))


def _gauges(now: Running) -> Iterator[Metric]:
    known = {part.name: part for part in now.parts if part.alive is not None}
    yield _gauge("up", "Whether a part is alive.", {name: part.alive for name, part in known.items()}, "part")
    if now.queues is not None:
        waiting = {queue.name: queue.waiting for queue in now.queues}
        oldest = {queue.name: queue.oldest for queue in now.queues}
        yield _gauge("tasks_waiting", "Tasks that no worker has begun, by queue.", waiting, "queue")
        yield _gauge("oldest_task_seconds", "How long the oldest of them has waited.", oldest, "queue")
    if now.stale is not None:
        about = "For how long live standings have been behind, of the event that waits longest."
        yield _gauge("standings_stale_seconds", about, {"": now.stale.total_seconds()})
    if now.streams is not None:
        strangers = now.streams.strangers
        by_reader = {"strangers": strangers, "known": now.streams.open - strangers}
        yield _gauge("open_streams", "Open live streams: of strangers, of officials and phones.", by_reader, "reader")
    if now.phones is not None:
        yield _gauge("phones_with_a_place", "Phones that hold a place at a table.", {"": now.phones})
    if now.copies.folder is not None:
        yield _gauge(
            "copies_stopped", "Whether something keeps copies from being made.", {"": bool(now.copies.problem)}
        )
    if now.copies.newest is not None:
        age = (timezone.now() - now.copies.newest.at).total_seconds()
        yield _gauge("newest_copy_age_seconds", "How old the newest copy of the database is.", {"": age})
    yield _gauge("free_bytes", "Room left in the data folder.", {"": now.room})


def _gauge(name: str, about: str, values: Mapping[str, float | bool | None], label: str = "") -> Metric:
    made = Metric(f"referee_{name}", about, "gauge")
    for key, value in values.items():
        made.add_sample(made.name, {label: key} if label else {}, float(value or 0))
    return made


urlpatterns = [path("metrics", metrics, name="metrics")]

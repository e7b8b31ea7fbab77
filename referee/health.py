"""Is the service well? For proxies, container engines and the people who operate it.

``/health`` tells of each part and is 200 while entries are taken in and pages answer, also without a part that the
service can do without; ``/health/ready`` is for whoever sends readers here, ``/health/live`` for whoever starts a
process again that no longer answers: it asks nothing but the process.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

import redis
from django.conf import settings
from django.db import Error, connection
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.acts import failures

if TYPE_CHECKING:
    from django.http import HttpRequest

REDIS_SECONDS: Final = 2.0
#: With less room than this in the data folder the next hands will not fit, in bytes.
LEAST_ROOM: Final = 4 << 20


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Each part by name; 503 only when the database does not answer, for without it nothing is served."""
    parts = {"database": "ok" if database_answers() else "down", "disk": "ok" if has_room() else "full"}
    if settings.REDIS_URL:
        parts["redis"] = "ok" if redis_answers() else "down"
    down = parts["database"] == "down"
    status = "down" if down else "ok" if set(parts.values()) == {"ok"} else "degraded"
    return JsonResponse({"status": status, **parts}, status=503 if down else 200)


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 while requests can be answered here."""
    well = database_answers()
    return JsonResponse({"status": "ok" if well else "down"}, status=200 if well else 503)


@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200 while this process answers at all."""
    return JsonResponse({"status": "ok"})


def database_answers() -> bool:
    """Whether the database runs a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))
    except Error:
        return False


def redis_answers() -> bool:
    """Whether the Redis server answers a ping."""
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
    )
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()


def has_room() -> bool:
    """Whether what comes can be saved: there is room in the data folder, and nothing was refused for lack of room
    by this process within the last minute (the disk of a PostgreSQL server cannot be asked)."""
    return not failures.full_lately() and shutil.disk_usage(settings.DATA_DIR).free >= LEAST_ROOM


urlpatterns = [
    path("health", health, name="health"),
    path("health/ready", ready, name="health-ready"),
    path("health/live", live, name="health-live"),
]

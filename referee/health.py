"""Is the service well? For proxies, container engines and the people who operate it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import redis
from django.conf import settings
from django.db import Error, connection
from django.http import JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http import HttpRequest

REDIS_SECONDS: Final = 2.0


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 when the database (and Redis, where there is one) answers, else 503; says which part is down, no more."""
    parts = {"database": database_answers()}
    if settings.REDIS_URL:
        parts["redis"] = redis_answers()
    well = all(parts.values())
    body = {"status": "ok" if well else "down", **{name: "ok" if up else "down" for name, up in parts.items()}}
    return JsonResponse(body, status=200 if well else 503)


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

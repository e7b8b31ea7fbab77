"""Sessions in the database, each with its person, its beginning and its browser (SESSION_ENGINE).

Whoever signed in is signed out after `SESSION_IDLE` without a request, and after `SESSION_COOKIE_AGE` in any case. The
end stands in the row, so that nothing the browser keeps or sends moves it.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError, transaction
from django.utils import timezone

if TYPE_CHECKING:
    from tournaments.models import Session

#: A use moves the end once in this time.
USED_EVERY: Final = timedelta(minutes=5)


class SessionStore(DatabaseStore):
    """Django's own store with columns of ours, as its documentation extends it."""

    @classmethod
    def get_model_class(cls) -> type[Any]:
        from tournaments.models import Session

        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast("Session", super().create_model_instance(data))
        started = data.get("started_at")
        row.user_id = data.get(SESSION_KEY)
        row.started_at = datetime.fromisoformat(started) if started else None
        row.browser = data.get("browser", "")
        if row.user_id is not None:
            row.expire_date = end_of(row, timezone.now())
        return row

    def _get_session_from_db(self) -> Session | None:
        row = cast("Session | None", super()._get_session_from_db())  # type: ignore[misc]  # the stubs leave it out
        if row is None or row.user_id is None:
            return row
        now = timezone.now()
        end = end_of(row, now)
        if end <= now:  # of a session from before there was an end, or with a longer one
            self._session_key = None
            return None
        if abs(end - row.expire_date) >= USED_EVERY:
            # who only reads is answered when nothing can be written
            with suppress(DatabaseError), transaction.atomic():
                self.model.objects.filter(pk=row.pk).update(expire_date=end)
        return row


def end_of(row: Session, now: datetime) -> datetime:
    """When a session that is used now ends unless it is used again, and at the latest."""
    idle = now + settings.SESSION_IDLE
    if row.started_at is None:
        return idle
    return min(idle, row.started_at + timedelta(seconds=settings.SESSION_COOKIE_AGE))

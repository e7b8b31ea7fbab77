"""Sessions in the database, each with its person, its beginning and its browser (SESSION_ENGINE)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

if TYPE_CHECKING:
    from tournaments.models import Session


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
        return row

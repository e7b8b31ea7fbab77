"""A cursor whose statements PostgreSQL keeps prepared: for the few that are asked again and again in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper


class _Cursor(psycopg.Cursor[Any]):
    """One that still knows its last statement when that was prepared: Django logs it."""

    def _get_prepared(self, pgq: Any, prepare: bool | None = None) -> Any:
        self._query = pgq
        return super()._get_prepared(pgq, prepare)


@contextmanager
def prepared() -> Iterator[CursorWrapper]:
    """Django's cursor in every way, except that values go to PostgreSQL beside the statement and not inside it, so that
    it need not read and plan the same words again (`prepare_threshold` in the settings). On SQLite the usual one."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.cursor.close()
            cursor.cursor = _Cursor(connection.connection)
        yield cursor

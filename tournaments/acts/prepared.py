"""A cursor whose statements PostgreSQL keeps prepared: for the few that are asked again and again in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
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
    here = connections[DEFAULT_DB_ALIAS]
    if here.vendor != "postgresql":
        with here.cursor() as cursor:
            yield cursor
        return
    here.close_if_health_check_failed()
    here.ensure_connection()
    with here._prepare_cursor(_Cursor(here.connection)) as cursor:  # type: ignore[attr-defined]
        yield cursor

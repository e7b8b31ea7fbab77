"""Django's SQLite, with a queue of the writers of this process in front of it.

SQLite lets one connection write. The others ask again after a pause that grows to a tenth of a second, whoever asks at
the right moment is next, and among sixty-four phones some are unlucky for seconds. Here a thread that wants to write
waits in a queue and is woken when it is its turn. Other processes (a command beside the running service) still wait as
SQLite does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from .queue import Queue

_QUEUES: Final[defaultdict[str, Queue]] = defaultdict(Queue)
_READS: Final = ("SELECT", "PRAGMA", "EXPLAIN", "BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")


class Cursor(base.SQLiteCursorWrapper):
    """A statement outside a transaction takes its turn by itself, unless it only reads."""

    wrapper: DatabaseWrapper

    def execute(self, query: Any, params: Any = None) -> Any:
        with self.wrapper.turn_for(query):
            return super().execute(query, params)

    def executemany(self, query: Any, param_list: Any) -> Any:
        with self.wrapper.turn_for(query):
            return super().executemany(query, param_list)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that holds its turn from the beginning of a transaction to its end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._has_turn = False

    @contextmanager
    def turn_for(self, query: Any) -> Iterator[None]:
        """A turn for one statement that writes; none where a transaction has it, or for what only reads."""
        if self._has_turn or self.in_atomic_block or str(query).lstrip(" (\n").upper().startswith(_READS):
            yield
            return
        self._take_turn()
        try:
            yield
        finally:
            self._end_turn()

    def create_cursor(self, name: Any = None) -> Any:
        cursor = self.connection.cursor(factory=Cursor)
        cursor.wrapper = self
        return cursor

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "DEFERRED":  # type: ignore[attr-defined]  # it only reads (`one_moment`)
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
            return
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> Any:
        done = super()._commit()  # type: ignore[misc]  # where it fails the transaction goes on, and is rolled back
        self._end_turn()
        return done

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _close(self) -> Any:
        try:
            return super()._close()  # type: ignore[misc]
        finally:
            self._end_turn()

    @property
    def _queue(self) -> Queue:
        return _QUEUES[str(self.settings_dict["NAME"])]

    def _take_turn(self) -> None:
        if not self._queue.enter(float(self.settings_dict["OPTIONS"].get("timeout", 5))):
            raise OperationalError("database is locked")
        self._has_turn = True

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self._queue.leave()

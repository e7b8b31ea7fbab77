"""What the service answers when it cannot do its work: the database is away, the disk is full, or the fault is ours.

A refusal (`errors`) was decided by a rule, and nothing was written. A failure was decided by nobody: what became of a
write is known only where nothing had been sent to the database yet. Then it says so; else the same is to be sent again
with the same key, which counts once (`idempotency`).
"""

from __future__ import annotations

import errno
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


@dataclass(frozen=True, slots=True)
class Failure:
    """A code, a sentence in both languages, the HTTP status, and after how many seconds it is worth trying again."""

    code: str
    status: int
    message: Mapping[str, str]
    wait: int | None = None


AWAY: Final = Failure(
    "database_away",
    503,
    {
        "en": "The database does not answer. Nothing was saved; try again in a few seconds.",
        "zh": "数据库没有答复，没有保存任何内容。请过几秒再试。",
    },
    wait=5,
)
UNKNOWN: Final = Failure(
    "outcome_unknown",
    503,
    {
        "en": "The database went away while this was saved: it is not known whether it was."
        " Send it again with the same key; it counts once.",
        "zh": "保存途中数据库中断，尚不知道是否已保存。请用同一个键再发一次，只算一次。",
    },
    wait=5,
)
FULL: Final = Failure(
    "disk_full",
    507,
    {
        "en": "The disk is full: nothing can be saved until there is room. What was confirmed is kept.",
        "zh": "磁盘已满，腾出空间之前无法保存。已确认的都在。",
    },
    wait=60,
)
BROKEN: Final = Failure(
    "server",
    500,
    {"en": "The server failed. Nothing was written.", "zh": "服务器出错，没有写入任何内容。"},
)
BROKEN_MIDWAY: Final = Failure(
    "server",
    500,
    {
        "en": "The server failed: it is not known whether this was saved. Look at the record, or send it again with"
        " the same key; it counts once.",
        "zh": "服务器出错，尚不知道是否已保存。请先看记录，或用同一个键再发一次，只算一次。",
    },
)

#: Refused before anything of it was begun; when to ask again is said to each apart.
BUSY: Final = Failure(
    "busy",
    503,
    {
        "en": "Too many ask at once, and hands go before pages. Nothing of this was done; try again in a few seconds.",
        "zh": "同时访问的人太多，录入优先于浏览。本次请求尚未执行，请过几秒再试。",
    },
    wait=5,
)

#: PostgreSQL's code of a disk without room.
_POSTGRES_FULL: Final = "53100"
#: Two waited for one another, and PostgreSQL ended this one.
_POSTGRES_DEADLOCK: Final = "40P01"
#: A server that went over to another one takes no writes for a moment.
_POSTGRES_READ_ONLY: Final = "25006"
#: A WAL cannot grow in its shared memory file: the only sign of a full disk that is not SQLITE_FULL.
_SQLITE_FULL: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
FULL_SECONDS: Final = 60.0
_last_full: float | None = None
_READING: Final = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA", "SET")


class Sent:
    """Notes whether anything that may write went to the database. An execute wrapper of one request's connection."""

    def __init__(self) -> None:
        self.writes = False

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        self.writes = self.writes or not str(sql)[:40].lstrip(" (\n").upper().startswith(_READING)
        return execute(sql, params, many, context)


def outage_of(error: BaseException, *, wrote: bool = False) -> Failure | None:
    """The failure behind an error when what the service stands on is away or full; None when the fault is ours.

    `wrote`: a write had been sent to the database before.
    """
    causes = list(_causes(error))
    if any(_is_full(cause) for cause in causes):
        return FULL
    if any(_is_away(cause) for cause in causes):
        return UNKNOWN if wrote else AWAY
    return None


def failure_of(error: BaseException, *, wrote: bool) -> Failure:
    """What to answer for an error that nobody foresaw; a full disk is remembered for whoever asks for the health."""
    global _last_full
    failure = outage_of(error, wrote=wrote) or (BROKEN_MIDWAY if wrote else BROKEN)
    if failure is FULL:
        _last_full = time.monotonic()
    return failure


def lost_a_deadlock(error: BaseException) -> bool:
    """Whether PostgreSQL ended this for another one to go on: nothing of it was written, and it can begin again."""
    return any(getattr(cause, "sqlstate", None) == _POSTGRES_DEADLOCK for cause in _causes(error))


def full_lately() -> bool:
    """Whether this process could not save something for lack of room within the last minute."""
    return _last_full is not None and time.monotonic() - _last_full < FULL_SECONDS


def may_have_written(request: Any) -> bool:
    """Whether a request of any framework may have written something so far."""
    sent: Sent | None = getattr(request, "sent", None)
    return request.method not in SAFE_METHODS and (sent is None or sent.writes)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from: Django's errors have the driver's as their cause."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__


def _is_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) in _SQLITE_FULL
    return getattr(error, "sqlstate", None) == _POSTGRES_FULL


def _is_away(error: BaseException) -> bool:
    if isinstance(error, OperationalError):
        # SQLite calls a mistake in a statement an operational error too
        return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, DatabaseError) and getattr(error.__cause__, "sqlstate", None) == _POSTGRES_READ_ONLY


def noting(connection: BaseDatabaseWrapper, request: Any) -> Any:
    """While the block runs, note on the request whether it wrote."""
    request.sent = Sent()
    return connection.execute_wrapper(request.sent)

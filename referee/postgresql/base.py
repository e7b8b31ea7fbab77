"""Django's PostgreSQL, which asks a connection that is taken up again whether it still stands only where it may not.

Django sends each request's first statement after a `SELECT 1`. A server that ended a connection (it was restarted, it
went over to another one) has said so: there is something to be read. Where nothing is, the connection stands as far as
anybody can know without asking, and the statement itself is as good a question.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection
from psycopg.pq import TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is asked only after a sign that it ended."""

    def is_usable(self) -> bool:
        connection = self.connection
        if connection is None or connection.closed or _in_transaction(connection) or _has_news(connection.fileno()):
            return super().is_usable()
        return True


def _in_transaction(connection: Connection[Any]) -> bool:
    """Whether a transaction was begun, which may have failed already."""
    return connection.info.transaction_status != TransactionStatus.IDLE


def _has_news(descriptor: int) -> bool:
    """Whether something waits to be read, or the other side is gone."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))

"""What one durable entry costs this side of the network: processor time and statements, in one process without clients.

Requests go through the whole application as a server calls it (WSGI); the database's own time is not in it.
"""

from __future__ import annotations

import io
import json
import os
import time
from contextlib import nullcontext
from statistics import median
from typing import Any
from unittest.mock import patch

from tests.bench.report import Figure
from tests.reliability.hall import Place, open_hall

TABLES, HANDS = 48, 10
STATEMENTS = 2


def measure() -> list[Figure]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    hall = open_hall(dict(os.environ), TABLES)
    taken, bare, statements = [], [], []
    for turn, place in enumerate(hall.places):
        signed = turn % 2 == 0
        with nullcontext() if signed else patch("tournaments.acts.leaves.leaf", lambda *_: None):
            (taken if signed else bare).append(_took(hall.referee, place))
        with CaptureQueriesContext(connection) as seen:
            enter(hall.referee, place, HANDS + 1, basis="watched")
        statements.append(len(seen))
    connection.close()
    cost, without, asked = median(taken[1:]), median(bare), median(statements)
    ours = f"{1000 * cost:.2f} ms, {asked:.0f}"
    what = "P1 an official's entry: processor time, statements / goal"
    log = "P1 the same entry / without its signed leaf"
    return [
        Figure(what, ours, f"{STATEMENTS} statements", asked / STATEMENTS, 1, less=True),
        Figure(log, f"{1000 * cost:.2f} ms", f"{1000 * without:.2f} ms", cost / without, 1.05, less=True),
    ]


def _took(credential: str, place: Place) -> float:
    """Processor time of an entry at this table, in seconds."""
    took = time.process_time()
    for number in range(1, HANDS + 1):
        enter(credential, place, number, basis="watched")
    return (time.process_time() - took) / HANDS


def enter(credential: str, place: Place, number: int, **more: Any) -> dict[str, Any]:
    """One hand sent to the application as a server would hand it on."""
    facts = {"kind": "hand", "trump": "H", "captured_in_tricks": 80, "last_trick_winner": "dealer"}
    path = f"/api/v1/sittings/{place.sitting}/hands/"
    return ask(credential, path, {"facts": facts, "hand_no": number, **more}, key=f"{place.sitting}-{number}")


def ask(credential: str, path: str, body: dict[str, Any], *, key: str) -> dict[str, Any]:
    from referee.wsgi import application

    sent = json.dumps(body).encode()
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": path, "SCRIPT_NAME": "", "QUERY_STRING": "", "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "http",
        "HTTP_HOST": "127.0.0.1", "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(sent)),
        "HTTP_AUTHORIZATION": credential, "HTTP_IDEMPOTENCY_KEY": key, "wsgi.input": io.BytesIO(sent),
        "wsgi.errors": io.StringIO(),
    }  # fmt: skip
    status: list[str] = []
    chunks = application(environ, lambda line, headers, error=None: status.append(line))
    answer = json.loads(b"".join(chunks))
    getattr(chunks, "close", lambda: None)()
    assert status[0][:1] == "2", (status, answer)
    return dict(answer)

"""Public standings of two hundred entrants from the laptop's own server, beside the same server giving constant bytes.

Both are asked in turn by the same clients; what counts is the processor time of the server for a request.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tests.bench.report import Figure
from tests.bench.standings import played_stage
from tests.reliability.hall import ROOT, SERVER
from tournaments.acts.doorbell import mark_stale
from tournaments.standings.runs import recalculate

ENTRANTS, CLIENTS, REQUESTS, TURNS = 200, 8, 400, 3
TICK = os.sysconf("SC_CLK_TCK")


def measure(folder: Path) -> list[Figure]:
    from django.utils import timezone

    event = played_stage(ENTRANTS).tournament
    mark_stale(event.pk)
    recalculate(tournament_id=event.pk, at=timezone.now())
    page = f"/en/e/{event.slug}/standings/"
    with ExitStack() as stack:
        ours = stack.enter_context(serving("referee.asgi:application", folder))
        with urlopen(Request(ours.address + page, headers={"Accept-Encoding": "gzip"})) as answer:
            body, tag = answer.read(), answer.headers["ETag"]
        (folder / "constant").write_bytes(body)
        constant = stack.enter_context(serving("tests.bench.constant:application", folder))
        figures = []
        for status, tags in ((200, ("", "")), (304, (tag, 'W/"constant"'))):
            taken = [(_cost(ours, page, tags[0], status), _cost(constant, page, tags[1], status)) for _ in range(TURNS)]
            our, limit = median([one for one, _ in taken]), median([one for _, one in taken])
            figures.append(
                Figure(
                    f"P7b public standings of {ENTRANTS}, laptop's own server, {status} / constant bytes",
                    f"{our * 1e6:.0f} µs",
                    f"{limit * 1e6:.0f} µs",
                    limit / our,
                    0.5,
                )
            )
    return figures


class _Server:
    def __init__(self, address: str, pid: int) -> None:
        self.address, self.pid = address, pid

    def spent(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def serving(application: str, folder: Path) -> Iterator[_Server]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-W", "ignore", "-m", "uvicorn", application, *SERVER]
    environment = os.environ | {"CONSTANT": str(folder / "constant")}
    with (folder / "bench.log").open("ab") as log:
        process = subprocess.Popen([*command, "--port", str(port)], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 40
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                assert time.monotonic() < end, "it does not start"
                time.sleep(0.1)
            else:
                break
        yield _Server(f"http://127.0.0.1:{port}", process.pid)
    finally:
        process.terminate()
        process.wait()


def _cost(server: _Server, page: str, tag: str, status: int) -> float:
    """Processor time of the server for one request, when many ask."""
    headers = {"Accept-Encoding": "gzip"} | ({"If-None-Match": tag} if tag else {})

    def client(_: int) -> None:
        connection = HTTPConnection(urlsplit(server.address).netloc, timeout=30)
        for _ in range(REQUESTS):
            connection.request("GET", page, headers=headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status, answer.status
        connection.close()

    before = server.spent()
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(client, range(CLIENTS)))
    return (server.spent() - before) / (CLIENTS * REQUESTS)

"""Public standings of two hundred entrants: from the laptop's own server, beside the same server giving constant bytes;
and through the proxy as it is shipped, beside the same bytes as a file of that proxy.

Both of each pair are asked in turn by the same clients; what counts is the processor time for a request, of every
process that has a part in the answer, so that who asks is no bottleneck.
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
from tests.proxied import PROGRAM, Names, Proxy, free_port, proxy
from tests.reliability.hall import ROOT, SERVER
from tournaments.acts.doorbell import mark_stale
from tournaments.standings.runs import recalculate

ENTRANTS, CLIENTS, REQUESTS, TURNS = 200, 8, 400, 3
#: Requests to the proxy for one figure, on so many connections.
PROXIED, CONNECTIONS = 20_000, 32
TICK = os.sysconf("SC_CLK_TCK")
NANOSECONDS = 1e9


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
    if PROGRAM is None:
        print("P7: not measured: no nginx", flush=True)
        return figures
    return [*_through_the_proxy(folder, page, body), *figures]


def _through_the_proxy(folder: Path, page: str, body: bytes) -> list[Figure]:
    """Two processes of pages behind the proxy as it is shipped, which has the same bytes as a file besides."""
    here = folder / "proxied"
    here.mkdir(exist_ok=True)
    (here / "standings").write_bytes(body)
    file = f"""        location = /file {{
            default_type text/html;
            add_header Content-Encoding gzip;
            alias {here}/standings;
        }}
"""
    names, port = Names({"web": ("127.0.0.1", "127.0.0.2"), "stream": "127.0.0.1"}), free_port()
    with ExitStack() as stack:
        webs = [
            stack.enter_context(serving("referee.asgi:application", folder, host, port))
            for host in ("127.0.0.1", "127.0.0.2")
        ]
        stack.enter_context(names.serving())
        front = stack.enter_context(proxy(here, names, port, file))
        front.ask(page)
        pids = [*front.processes, *(one.pid for one in webs)]
        figures = []
        for status, aim in ((200, 0.6), (304, 0.85)):
            taken = [
                (_proxied(front, pids, page, status), _proxied(front, pids, "/file", status)) for _ in range(TURNS)
            ]
            our, limit = median([one for one, _ in taken]), median([one for _, one in taken])
            what = f"P7 public standings of {ENTRANTS} through the proxy, {status} / a file of it"
            figures.append(Figure(what, f"{our * 1e6:.0f} µs", f"{limit * 1e6:.0f} µs", limit / our, aim))
    return figures


def _proxied(front: Proxy, pids: list[int], path: str, status: int) -> float:
    """Processor time of the proxy and the processes behind it for one request.

    On every connection one is asked for, then all are read: the bytes are counted, and each answer's first line.
    """
    tag = front.ask(path, **{"Accept-Encoding": "gzip"})[1]["ETag"] if status == 304 else ""
    known = f"If-None-Match: {tag}\r\n" if tag else ""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{front.port}\r\nAccept-Encoding: gzip\r\n{known}\r\n".encode()
    begins, turns = b"HTTP/1.1 %d " % status, PROXIED // CONNECTIONS
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", front.port), 30)) for _ in range(CONNECTIONS)
        ]
        before = 0.0
        for turn in range(turns + 1):
            for connection in connections:
                connection.sendall(request)
            for connection in connections:
                got = connection.recv(65536)
                assert got.startswith(begins), got[:200]
                head, _, rest = got.partition(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
                missing = (int(length) if length else 0) * (status == 200) - len(rest)
                while missing > 0:
                    missing -= len(connection.recv(65536))
            if not turn:
                before = _used(pids)
        return (_used(pids) - before) / (turns * CONNECTIONS)


def _used(pids: list[int]) -> float:
    """Seconds of processor time that these processes have used, to the nanosecond."""
    threads = (one for pid in pids for one in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(one.read_text("utf-8").split()[0]) for one in threads) / NANOSECONDS


class _Server:
    def __init__(self, address: str, pid: int) -> None:
        self.address, self.pid = address, pid

    def spent(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def serving(application: str, folder: Path, host: str = "127.0.0.1", port: int | None = None) -> Iterator[_Server]:
    port = free_port(host) if port is None else port
    command = [sys.executable, "-W", "ignore", "-m", "uvicorn", application, *SERVER]
    environment = os.environ | {"CONSTANT": str(folder / "constant")}
    with (folder / "bench.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, "--host", host, "--port", str(port)], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        end = time.monotonic() + 40
        while True:
            try:
                socket.create_connection((host, port), 1).close()
            except OSError:
                assert time.monotonic() < end, "it does not start"
                time.sleep(0.1)
            else:
                break
        yield _Server(f"http://{host}:{port}", process.pid)
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

"""Two thousand open streams: the memory of each, and the processor time of one announcement to all of them.

The service as a federation runs it, without its proxy: one process of the streams, one of pages. An official enters a
hand, every reader is told of it and then asks for what his page shows, on a connection of his own. Processor time is
that of both processes, so it is the same on a busy machine.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import resource
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from tests.bench.entries import wait_for
from tests.bench.report import Figure
from tests.reliability.hall import ROOT, SERVER, Hall, open_hall
from tests.reliability.phones import Phone

STREAMS = "referee.asgi_streams:application"
READERS = 2_000
#: So many have asked for what their page shows and wait for it, at any time: readers do not all ask in one moment.
AT_ONCE = 64
TURNS = 3
MEMORY, SECONDS = 30.0, 1.0
AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
#: What a browser says of itself with every request.
HEADERS = (
    f"User-Agent: {AGENT}\r\nAccept-Language: zh-CN,zh;q=0.9,en;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n"
    "Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Site: same-origin\r\nCache-Control: no-cache\r\n"
)


def measure(folder: Path) -> list[Figure]:
    """Three announcements to the same readers; the middle of them counts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    environment = dict(os.environ) | {"STREAMS_PER_ADDRESS": str(2 * READERS)}
    hall = open_hall(environment, 16, phones=False)
    plain = asyncio.run(_plain_writes())
    with (
        running_one(STREAMS, environment, folder) as streams,
        running_one("referee.asgi:application", environment, folder) as pages,
    ):
        memory, sending, whole = asyncio.run(_told(hall, streams, pages))
    return [
        Figure(f"P13 memory of one of {READERS:,} open streams", f"{memory:.1f} kB", f"{MEMORY:.0f} kB",
               memory / MEMORY, 1, less=True),
        Figure(f"P13 one announcement sent to {READERS:,} / plain writes", f"{1e3 * sending:,.0f} ms",
               f"{1e3 * plain:,.0f} ms", sending / plain),
        Figure("P13 the same, and what all of them then fetch", f"{whole:.2f} s", f"{SECONDS:.0f} s",
               whole / SECONDS, 1, less=True),
    ]  # fmt: skip


@dataclass(frozen=True)
class Process:
    """A service of this machine, and what it has used so far."""

    address: str
    pid: int

    @property
    def memory(self) -> int:
        """Resident kB."""
        status = Path(f"/proc/{self.pid}/status").read_text("utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))

    @property
    def used(self) -> float:
        """Seconds of a core, of all threads."""
        statistics = (Path(task, "schedstat") for task in Path(f"/proc/{self.pid}/task").iterdir())
        return sum(int(one.read_text("utf-8").split()[0]) for one in statistics) / 1e9


async def _told(hall: Hall, streams: Process, pages: Process) -> tuple[float, float, float]:
    """kB of each stream; seconds of sending one announcement to all; seconds with all that readers fetch after it."""
    part = _part(pages.address, f"/zh/e/{hall.slug}/")
    official = Phone(pages.address, hall.referee)
    sendings, wholes = [], []
    async with asyncio.TaskGroup() as group:
        warm = [Reader(streams, hall.slug) for _ in range(100)]
        await _each(warm, Reader.open)
        before = streams.memory
        readers = [Reader(streams, hall.slug) for _ in range(READERS - len(warm))]
        await _each(readers, Reader.open)
        await asyncio.sleep(0.5)
        memory = (streams.memory - before) / len(readers)
        readers += warm
        following = [group.create_task(reader.follow()) for reader in readers]
        # the first of all also warms the pages
        for number in range(TURNS + 1):
            place = hall.places[number]
            began, began_pages = streams.used, pages.used
            for reader in readers:
                reader.told.clear()
            given = {"key": f"streams-{place.sitting}", "basis": "watched"}
            answer = await asyncio.to_thread(official.enter, place.sitting, 1, 80, **given)
            assert answer.status == 201, answer
            await asyncio.gather(*(reader.told.wait() for reader in readers))
            await asyncio.sleep(0.3)
            sendings.append(streams.used - began)
            await _each(readers, lambda reader: _fetched(pages.address, part))
            await asyncio.sleep(0.3)
            wholes.append(streams.used - began + pages.used - began_pages)
        for task in following:
            task.cancel()
    for reader in readers:
        reader.close()
    return memory, sorted(sendings[1:])[TURNS // 2], sorted(wholes[1:])[TURNS // 2]


@dataclass
class Reader:
    """One open page's stream."""

    service: Process
    slug: str
    told: asyncio.Event = field(default_factory=asyncio.Event)
    _socket: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        """Returns when it has been greeted."""
        self._socket = await _asked(self.service.address, f"/live/event/{self.slug}/", "Accept: text/event-stream\r\n")
        status = await self._socket[0].readline()
        assert b" 200 " in status, status
        await self._socket[0].readuntil(b"hello")

    async def follow(self) -> None:
        assert self._socket is not None
        async for line in self._socket[0]:
            if line.startswith(b"data: ") and b"sitting" in line:
                self.told.set()

    def close(self) -> None:
        if self._socket is not None:
            self._socket[1].close()


async def _fetched(address: str, path: str) -> None:
    reader, writer = await _asked(address, path, "X-Requested-With: fetch\r\nConnection: close\r\n")
    answer = await reader.read()
    assert b" 200 " in answer.partition(b"\r\n")[0], answer[:200]
    writer.close()


async def _asked(address: str, path: str, more: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host = urlsplit(address)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host.netloc}\r\n{more}{HEADERS}\r\n".encode())
    return reader, writer


async def _each(readers: Iterable[Reader], act: Callable[[Reader], Awaitable[None]]) -> None:
    free = asyncio.Semaphore(AT_ONCE)

    async def one(reader: Reader) -> None:
        async with free:
            await act(reader)

    await asyncio.gather(*(one(reader) for reader in readers))


def _part(address: str, path: str) -> str:
    """The address of what a page fetches when it is told of a change."""
    with urlopen(f"{address}{path}", timeout=30) as answer:
        found = re.search(r'data-fragment-url="([^"]*)"', answer.read().decode())
    assert found
    return html.unescape(found[1])


async def _plain_writes() -> float:
    """Seconds of processor time in which a bare event loop writes as many bytes to as many sockets."""
    loop, said = (
        asyncio.get_running_loop(),
        b"2f\r\n" + b'data: {"what":"sitting","v":"0123456789abcdef"}\n\n' + b"\r\n",
    )
    with ExitStack() as stack:
        ends = [[stack.enter_context(one) for one in socket.socketpair()] for _ in range(READERS)]
        transports = [(await loop.create_connection(asyncio.Protocol, sock=here))[0] for here, _ in ends]
        began = _own_time()
        for transport in transports:
            transport.write(said)
        took = _own_time() - began
        for transport in transports:
            transport.abort()
        await asyncio.sleep(0)
    return took


def _own_time() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@contextmanager
def running_one(application: str, environment: dict[str, str], folder: Path) -> Iterator[Process]:
    """One process that serves this ASGI application."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["uvicorn", application, *SERVER, "--no-server-header"]
    with (folder / f"bench-{application.partition(':')[0]}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *command, "--timeout-graceful-shutdown", "3", "--port", str(port)],
            cwd=ROOT, env=environment, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        wait_for(f"http://127.0.0.1:{port}")
        yield Process(f"http://127.0.0.1:{port}", process.pid)
    finally:
        process.terminate()
        process.wait()

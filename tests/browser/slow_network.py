"""A narrow, late network between a browser and the service: a proxy on loopback, for pages and for their worker."""

from __future__ import annotations

import socket
import time
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class SlowNetwork:
    """What a browser sends waits `latency` seconds, and for as long as `open` is clear; what it is sent comes at
    `rate` bytes a second, all connections together. Zero: at once. All may be changed while it runs."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.latency = 0.0
        self.rate = 0
        self.open = Event()
        self.open.set()
        self._narrow = Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        Thread(target=self._serve, name="slow-network", daemon=True).start()

    def end(self) -> None:
        self.open.set()
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listening.accept()
                service = socket.create_connection(("127.0.0.1", self.target))
                for one, other, wait in ((browser, service, self._late), (service, browser, self._slow)):
                    Thread(target=self._pass_on, args=(one, other, wait), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, wait: Callable[[int], None]) -> None:
        with suppress(OSError):
            while data := one.recv(1500):
                wait(len(data))
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _late(self, _size: int) -> None:
        time.sleep(self.latency)
        self.open.wait()

    def _slow(self, size: int) -> None:
        if self.rate:
            with self._narrow:
                time.sleep(size / self.rate)


@contextmanager
def slow_network(server: str) -> Iterator[SlowNetwork]:
    """Before the service at the address `server`."""
    network = SlowNetwork(int(server.rsplit(":", 1)[1]))
    try:
        yield network
    finally:
        network.end()

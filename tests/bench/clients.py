"""Clients that take little of the cores which they share with what is measured: each is one kept socket, requests are
bytes that lie ready before the clock runs, one loop of a process waits for all its answers. What an answer says beyond
its status is looked at as bytes.

A phone makes and reads its own JSON on a processor of its own; `http.client`, JSON and a thread for each client took as
much of these cores as a third of the service.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

_LENGTH: Final = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
#: No answer for so many seconds: the service is away.
_SILENCE: Final = 60.0


def request(address: str, credential: str, path: str, body: Any, key: str = "") -> bytes:
    """A write to the API as it goes over the wire."""
    sent = json.dumps(body).encode()
    head = [
        f"POST /api/v1{path} HTTP/1.1", f"Host: {urlsplit(address).netloc}", "Content-Type: application/json",
        f"Authorization: {credential}", f"Content-Length: {len(sent)}", *([f"Idempotency-Key: {key}"] if key else []),
    ]  # fmt: skip
    return "\r\n".join((*head, "", "")).encode() + sent


@dataclass(slots=True)
class _Client:
    """One client: what it still has to send, when it sent the last, and what it has of the answer."""

    line: socket.socket
    left: Iterator[bytes]
    sent_at: float = 0.0
    got: bytes = b""

    def send_next(self) -> bool:
        following = next(self.left, None)
        if following is None:
            return False
        self.sent_at = time.monotonic()
        self.line.sendall(following)
        return True

    def answer(self) -> bytes | None:
        """What came: the whole answer, or None while some of it is still on its way."""
        came = self.line.recv(65_536)
        assert came, "the service hung up"
        self.got += came
        head, blank, body = self.got.partition(b"\r\n\r\n")
        if not blank:
            return None
        found = _LENGTH.search(head + b"\r\n")
        assert found, head
        if len(body) < int(found[1]):
            return None
        whole, self.got = self.got, b""
        return whole


def drive(
    address: str, work: Sequence[Sequence[bytes]], is_good: Callable[[bytes], bool], end: float = float("inf")
) -> list[float]:
    """Send each client's requests one after the other, all clients at once, until a moment of the steady clock: the
    seconds of each. An answer that is not good is an error."""
    place = urlsplit(address)
    waits = list[float]()
    with selectors.DefaultSelector() as chosen:
        for requests in work:
            line = socket.create_connection((place.hostname, place.port))
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client = _Client(line, iter(requests))
            chosen.register(line, selectors.EVENT_READ, client)
        for key in list(chosen.get_map().values()):
            if not key.data.send_next():
                _hang_up(chosen, key.data)
        while chosen.get_map():
            ready = chosen.select(_SILENCE)
            assert ready, "no answer"
            for key, _ in ready:
                client = key.data
                if (answer := client.answer()) is None:
                    continue
                assert is_good(answer), answer
                now = time.monotonic()
                waits.append(now - client.sent_at)
                if now > end or not client.send_next():
                    _hang_up(chosen, client)
    return waits


def _hang_up(chosen: selectors.BaseSelector, client: _Client) -> None:
    chosen.unregister(client.line)
    client.line.close()

"""A server elsewhere that takes webhooks: a real one, on this machine, which answers as it is told to."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Message:
    """A request as it came in."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)

    def is_signed(self, secret: str) -> bool:
        """Checked by hand, as a receiver does it."""
        stamp, name = self.headers["webhook-timestamp"], self.headers["webhook-id"]
        key = base64.b64decode(secret.split("_", 1)[1])
        mac = hmac.new(key, f"{name}.{stamp}.".encode() + self.body, hashlib.sha256).digest()
        wanted = "v1," + base64.b64encode(mac).decode()
        return any(hmac.compare_digest(wanted, one) for one in self.headers["webhook-signature"].split())


Answer = Callable[[socket.socket], None]


def status(code: int, *headers: str) -> Answer:
    lines = "".join(f"{one}\r\n" for one in headers)
    return lambda taken: taken.sendall(f"HTTP/1.1 {code} X\r\n{lines}Content-Length: 0\r\n\r\n".encode())


@dataclass
class Receiver:
    """Answers each message with the next of `answers`, then with 200."""

    port: int
    messages: list[Message] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?key=theirs"

    def hang(self, _taken: socket.socket) -> None:
        self.over.wait(60)

    def drip(self, taken: socket.socket) -> None:
        """A byte of the answer now and then, for ever."""
        taken.sendall(b"HTTP/1.1 200 OK\r\n")
        while not self.over.wait(0.02):
            taken.sendall(b"X: y\r\n")

    def flood(self, taken: socket.socket) -> None:
        taken.sendall(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1_000_000)

    def take(self, taken: socket.socket) -> None:
        with taken, taken.makefile("rb") as lines:
            line, headers = lines.readline().decode().strip(), dict[str, str]()
            while one := lines.readline().decode().strip():
                name, _, value = one.partition(":")
                headers[name.strip()] = value.strip()
            if not line:
                return
            self.messages.append(Message(line, headers, lines.read(int(headers.get("Content-Length", 0)))))
            answer = self.answers.pop(0) if self.answers else status(200)
            try:
                answer(taken)
            except OSError:  # the sender has gone
                return


@contextmanager
def receiving() -> Iterator[Receiver]:
    with socket.create_server(("127.0.0.1", 0)) as door:
        made = Receiver(door.getsockname()[1])

        def serve() -> None:
            while True:
                try:
                    taken, _ = door.accept()
                except OSError:
                    return
                threading.Thread(target=made.take, args=[taken], daemon=True).start()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield made
        finally:
            made.over.set()
            door.shutdown(socket.SHUT_RDWR)
            thread.join()

"""One message to one address: connected to the number that was judged, signed, and over within seconds.

The standard library's own client, over a connection made here: no proxy of the environment, no redirects, no second
question for the name. Of the answer only the status counts; its body is never read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import secrets
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from typing import Any, Final

from django.conf import settings

from .addresses import Address, NotThere, Number, Resolve, numbers_of, read

#: The whole of a delivery ends after so many seconds, a connection is given up after so many.
SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 4.0
#: Numbers of a name that are tried, and bytes of an answer that are read.
MOST_NUMBERS: Final = 3
MOST_BYTES: Final = 16 * 1024
PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32

Trust = Callable[[], ssl.SSLContext]


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of it: the status their server gave (None: none came), and a word for the trouble; "" when taken."""

    status: int | None
    trouble: str = ""

    @property
    def taken(self) -> bool:
        return not self.trouble


def new_secret() -> str:
    """A secret as receivers of webhooks take it."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature(secret: str, message: str, stamp: int, body: bytes) -> str:
    """The signature of a message, as Standard Webhooks has it: HMAC-SHA256 over name, time and body."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    said = f"{message}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, said, hashlib.sha256).digest()).decode()


def headers_of(sent_secrets: Sequence[str], message: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers of a message, signed with each of these secrets."""
    stamp = int(at.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Referee/{settings.VERSION}",
        "webhook-id": message,
        "webhook-timestamp": str(stamp),
        "webhook-signature": " ".join(signature(one, message, stamp, body) for one in sent_secrets),
    }


def send(
    text: str, headers: Mapping[str, str], body: bytes, *, resolve: Resolve | None = None, trust: Trust | None = None
) -> Answered:
    """POST a body to an address. Never raises for what happens on the way."""
    address = read(text)
    if address is None:
        return Answered(None, "not_allowed")
    until = time.monotonic() + SECONDS
    try:
        with _Connection(address, until, resolve, trust) as connection:
            status = connection.post(headers, body)
    except NotThere as found:
        return Answered(None, found.trouble)
    except TimeoutError:
        return Answered(None, "slow")
    except ssl.SSLError:
        return Answered(None, "tls")
    except (OSError, HTTPException, ValueError):
        return Answered(None, "broken")
    if 200 <= status < 300:
        return Answered(status)
    return Answered(status, "redirect" if 300 <= status < 400 else "status")


class _Connection:
    """A connection to one of the judged numbers, all of it over at `until` (seconds of the steady clock)."""

    def __init__(self, address: Address, until: float, resolve: Resolve | None, trust: Trust | None) -> None:
        self._address, self._until = address, until
        self._resolve, self._trust = resolve, trust or ssl.create_default_context
        self._socket: socket.socket | None = None

    def __enter__(self) -> _Connection:
        numbers = numbers_of(self._address.host, self._address.port, self._resolve)
        plain = self._connected(numbers[:MOST_NUMBERS])
        self._socket = plain
        if self._address.scheme == "https":
            plain.settimeout(self._left())
            self._socket = self._trust().wrap_socket(plain, server_hostname=self._address.host.rstrip("."))
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None:
            self._socket.close()

    def _connected(self, numbers: Sequence[Number]) -> socket.socket:
        for number in numbers:
            try:
                wait = min(CONNECT_SECONDS, self._left())
                return socket.create_connection((str(number), self._address.port), timeout=wait)
            except OSError:
                continue
        self._left()
        raise NotThere("no_connection")

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def post(self, headers: Mapping[str, str], body: bytes) -> int:
        """Send it and read the status. Raises OSError or HTTPException."""
        assert self._socket is not None
        client = HTTPConnection(self._address.host, self._address.port)
        client.auto_open = 0
        client.sock = _Timed(self._socket, self._left)
        client.request("POST", self._address.target, body, {"Host": self._address.header, **headers})
        return client.getresponse().status


class _Timed:
    """A socket as `http.client` uses one, of which every step ends in time, and which reads so many bytes at most."""

    def __init__(self, real: socket.socket, left: Callable[[], float]) -> None:
        self._real, self._left = real, left

    def sendall(self, data: Any) -> None:
        self._real.settimeout(self._left())
        self._real.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reading(self._real, self._left))

    def close(self) -> None:
        """Who made the connection closes it."""


class _Reading(io.RawIOBase):
    def __init__(self, real: socket.socket, left: Callable[[], float]) -> None:
        self._real, self._left, self._read = real, left, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._real.settimeout(self._left())
        count = self._real.recv_into(buffer)
        self._read += count
        if self._read > MOST_BYTES:
            raise OSError("the answer is too long")
        return count

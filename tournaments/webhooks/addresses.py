"""Which addresses may be told anything: as they are typed, and what their names turn out to stand for.

Whoever names an address could make the service speak to what only it can reach: its own machine, the network of the
hall, the clerk of a cloud that hands out passwords. So an address is judged by the numbers behind it, and the
connection is made to the very number that was judged.
"""

from __future__ import annotations

import queue
import re
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings

from ..acts.text import is_among

#: Characters of an address at most.
LONGEST: Final = 500
#: A server of names that says nothing is waited for so long, in seconds.
NAMES_SECONDS: Final = 5.0
#: Of the ports below it only these two: nobody takes messages at the others.
RESERVED_PORTS: Final = 1024
PORTS: Final = {"https": 443, "http": 80}

#: What no setting opens: networks that stand for one machine or for many, and what clouds give their machines to ask.
NEVER: Final = tuple(
    ip_network(one)
    for one in (
        "0.0.0.0/8",
        "169.254.0.0/16",
        "192.88.99.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
        "2001::/32",
        "2002::/16",
        "fd00:ec2::/32",
        "100.100.100.200/32",
    )
)
#: An IPv4 address in the last 32 bits, behind a translator of the network.
NAT64: Final = IPv6Network("64:ff9b::/96")
NAT64_OWN: Final = IPv6Network("64:ff9b:1::/48")

Number = IPv4Address | IPv6Address
#: Gives the numbers of a name and port, as `socket.getaddrinfo` does.
Resolve = Callable[[str, int], Sequence[Any]]
_HOST: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?")
_PATH: Final = re.compile(r"[!-~]*")


class NotThere(Exception):
    """No connection may or can be made. `trouble`: a word for why."""

    def __init__(self, trouble: str) -> None:
        super().__init__(trouble)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Address:
    """A typed address in its parts: `host` as names are asked for, `target` what the request asks of the server."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def header(self) -> str:
        """The Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def read(text: str) -> Address | None:
    """A typed address; None where it is none, one that the operator does not list, or one that is never told anything
    whatever it stands for."""
    if len(text) > LONGEST or not _PATH.fullmatch(text):
        return None
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    schemes = ("https", "http") if settings.WEBHOOK_HTTP else ("https",)
    if parts.scheme not in schemes or "@" in parts.netloc or parts.fragment or "#" in text or "\\" in text:
        return None
    port = PORTS[parts.scheme] if port is None else port
    if port < RESERVED_PORTS and port not in PORTS.values():
        return None
    if (number := _number(host)) is not None:
        if not may_be_told(number):
            return None
    elif len(host) > 253 or not _HOST.fullmatch(host) or _is_own_name(host):
        return None
    if settings.WEBHOOK_HOSTS and not is_among(host.rstrip("."), settings.WEBHOOK_HOSTS):
        return None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme, host, port, target)


def _is_own_name(host: str) -> bool:
    name = host.rstrip(".")
    return not settings.WEBHOOK_PRIVATE and (name == "localhost" or name.endswith(".localhost"))


def may_be_told(number: Number) -> bool:
    """Whether a connection to this number may be made."""
    if isinstance(number, IPv6Address):
        if number.scope_id is not None or number in NAT64_OWN:
            return False
        if number.ipv4_mapped is not None:
            return may_be_told(number.ipv4_mapped)
        if number in NAT64:
            return may_be_told(IPv4Address(int(number) & 0xFFFFFFFF))
    if number.is_multicast or number.is_unspecified or any(number in one for one in NEVER):
        return False
    if settings.WEBHOOK_PRIVATE and (number.is_private or number.is_loopback):
        return True
    if isinstance(number, IPv6Address) and number not in IPv6Network("2000::/3"):
        return False
    return number.is_global and not number.is_reserved and not number.is_loopback and not number.is_link_local


def numbers_of(host: str, port: int, resolve: Resolve | None = None) -> list[Number]:
    """The numbers that a name stands for now, asked once. Raises NotThere: `no_name`, or `not_allowed` where any of
    them may not be told: a name with two faces is nobody's honest address."""
    found = _asked(host, port, resolve or _resolve)
    numbers = list(dict.fromkeys(number for one in found if (number := _number(str(one[4][0]))) is not None))
    if not numbers:
        raise NotThere("no_name")
    if not all(may_be_told(one) for one in numbers):
        raise NotThere("not_allowed")
    return numbers


def _resolve(host: str, port: int) -> Sequence[Any]:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


def _asked(host: str, port: int, resolve: Resolve) -> Sequence[Any]:
    """The question to the server of names knows no time-out: a thread of its own waits for it, and may wait on."""
    answers: queue.SimpleQueue[Sequence[Any]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(host, port))
        except (OSError, UnicodeError):
            answers.put(())

    threading.Thread(target=ask, name="webhook-name", daemon=True).start()
    try:
        return answers.get(timeout=NAMES_SECONDS)
    except queue.Empty:
        return ()


def _number(text: str) -> Number | None:
    try:
        return ip_address(text)
    except ValueError:
        return None

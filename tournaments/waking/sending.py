"""Messages on their way to the push services: by a worker, to listed services only, for some seconds and no longer."""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from ..acts.waking import FRESH_SECONDS, Why
from . import acts, reads
from .sealing import padded, pass_for, sealed
from .services import is_listed

#: How long a service may take to accept a connection or to answer.
PATIENCE: Final = 4.0
#: When no message is begun any more: a task is well over before a broker takes it for lost.
ENOUGH: Final = 20.0
AT_ONCE: Final = 8
#: The answers by which a service says that an address has ended (RFC 8030, 7.3).
ENDED: Final = (404, 410)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Going:
    """A message sealed and addressed: the id of its address, and the request."""

    pk: int
    address: str
    body: bytes
    headers: dict[str, str]


@dataclass(slots=True)
class _Run:
    """Until when messages go, and hosts that do not answer: these are left alone for this time."""

    until: float
    silent: set[str] = field(default_factory=set)


def wake(*, why: str, about: int, at: datetime) -> None:
    """Wake the phones for this; forget the addresses that have ended."""
    reason = Why(why)
    going = [_addressed(one, reason, at) for one in reads.messages(reason, about, at) if is_listed(one.to.address)]
    ended = [one.pk for one, status in _sent(going) if status in ENDED]
    if ended:
        acts.gone(ended, at)


def _addressed(message: reads.Message, why: Why, at: datetime) -> _Going:
    to = message.to
    headers = {
        "Authorization": pass_for(to.address, at.timestamp()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(FRESH_SECONDS[why]),
        "Topic": message.tag,
        "Urgency": "high",
    }
    return _Going(to.pk, to.address, sealed(padded(message.said), to.public_key, to.secret), headers)


def _sent(going: Sequence[_Going]) -> list[tuple[_Going, int | None]]:
    if not going:
        return []
    run = _Run(time.monotonic() + ENOUGH)
    with ThreadPoolExecutor(min(AT_ONCE, len(going)), thread_name_prefix="wake") as threads:
        return list(zip(going, threads.map(lambda one: _post(one, run), going), strict=True))


def _post(one: _Going, run: _Run) -> int | None:
    """The status of the service's answer. No redirect is followed, no proxy of the environment is asked."""
    parts = urlsplit(one.address)
    host = parts.netloc
    if host in run.silent or time.monotonic() > run.until:
        return None
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        with closing(_connection(parts.scheme, host)) as connection:
            connection.request("POST", path or "/", one.body, one.headers)
            status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        run.silent.add(host)
        # the address is a secret: the host alone is told
        logger.warning("push service %s: %s", host, type(error).__name__, extra={"sparing": host})
        return None
    if status >= 300 and status not in ENDED:
        logger.warning("push service %s answers %s", host, status, extra={"sparing": host})
    return status


def _connection(scheme: str, host: str) -> HTTPConnection:
    if scheme == "https":
        return HTTPSConnection(host, timeout=PATIENCE, context=_trusted())
    return HTTPConnection(host, timeout=PATIENCE)


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()

"""TLS of one laptop (`manage.py serve`): which certificate, renewed while it serves, and both servers in one loop."""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from django.conf import settings
from django.utils import timezone

from referee.tls import authority

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

LOOK_SECONDS: Final = 3600.0

log = logging.getLogger(__name__)


class NoCertificate(Exception):
    """Why https cannot be served, as a sentence."""


def folder() -> Path:
    return Path(settings.DATA_DIR) / "authority"


def names() -> list[str]:
    """The names and addresses that the laptop is reached by, each once."""
    return list(dict.fromkeys(one.strip("[]") for one in settings.ALLOWED_HOSTS))


def context(at: datetime) -> ssl.SSLContext:
    """What new connections are encrypted with. Raises NoCertificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    load(made, at)
    return made


def load(into: ssl.SSLContext, at: datetime) -> None:
    """Take the certificate of now; open connections keep theirs. Raises NoCertificate."""
    try:
        if settings.TLS == "own":
            authority.leaf(folder(), names(), at)
        into.load_cert_chain(*files())
    except authority.NotCovered as strange:
        raise NoCertificate(
            f"TLS=own speaks for private addresses and .local names only, not for {strange}. Give a certificate: "
            "TLS_CERT and TLS_KEY."
        ) from None
    except (OSError, ssl.SSLError, ValueError) as problem:
        raise NoCertificate(f"The certificate {files()[0]} cannot be used with its key: {problem}.") from None


def files() -> tuple[str, str]:
    """Certificate and key."""
    if settings.TLS == "own":
        return str(folder() / "laptop.pem"), str(folder() / "laptop.key")
    return settings.TLS_CERT, settings.TLS_KEY


def door_address(port: int) -> str:
    host = settings.VENUE or next(iter(names()))
    return f"http://{host}:{port}"


@contextmanager
def renewing(into: ssl.SSLContext | None) -> Iterator[None]:
    """Look each hour whether another certificate is due, or was laid there, on a thread until the block ends."""
    stopping = threading.Event()

    def look() -> None:
        while into is not None and not stopping.wait(LOOK_SECONDS):
            try:
                load(into, timezone.now())
            except NoCertificate as problem:
                log.error("the certificate in use stays: %s", problem)

    thread = threading.Thread(target=look, name="certificates", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()


class PlainServer(uvicorn.Server):
    """The server of the plain port: it ends when the other one says so, and hears no signals."""

    def capture_signals(self) -> AbstractContextManager[Any]:  # type: ignore[override]
        return nullcontext()


def run_both(main: uvicorn.Server, encrypted: socket.socket, plain: PlainServer, listener: socket.socket) -> None:
    """Serve both until the main one ends."""

    async def serve() -> None:
        beside = asyncio.create_task(plain.serve(sockets=[listener]))
        try:
            await main.serve(sockets=[encrypted])
        finally:
            plain.should_exit = True
            await beside

    with asyncio.Runner(loop_factory=main.config.get_loop_factory()) as runner:
        runner.run(serve())

"""``manage.py serve``: the whole service in one process, for one laptop."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
from contextlib import contextmanager
from secrets import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.management import CommandError, call_command, get_commands
from django.core.management.base import BaseCommand
from django.utils import timezone

from referee.environment import EVERY_INTERFACE, LOOPBACK_NAMES, is_loopback
from referee.parts.printed import seal
from referee.tls import encryption
from tournaments.acts.errors import Refusal
from tournaments.copies.errors import CopyFailed
from tournaments.copies.restoring import in_use
from tournaments.following import kept, numbers, pulling

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator
    from types import FrameType

GRACE_SECONDS: Final = 3
BACKLOG: Final = 1024
SWITCH_SECONDS: Final = 0.0005


class Command(BaseCommand):
    """Pages, live streams, worker and beat; stops cleanly (exit code 0) on SIGTERM and Ctrl-C."""

    help = "Serve everything from this one process. HOST (lan for the hall) and PORT say where."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.FOLLOW and not (kept.has_copy() or kept.has_followed()):
            follow(self.stdout.write)
        with listening(bind_host(), settings.PORT) as listener, tls_listening() as encrypted, alone():
            call_command("migrate", interactive=False, verbosity=0)
            numbers.begin(SystemRandom())
            pulling.mark()
            # links and QR codes made by this process lead here, whatever name the desk's own browser used
            settings.PUBLIC_URL = settings.PUBLIC_URL or address_of((encrypted or listener).getsockname()[1])
            self.stdout.write(f"Referee {settings.VERSION} serves {settings.PUBLIC_URL}/")
            context = self.tls(listener.getsockname()[1])
            if kept.is_following():
                self.stdout.write(f"It follows {kept.read(kept.FOLLOWING)['address']} and writes nothing by itself.")
            elif "demo" in get_commands():
                call_command("demo", "--if-empty", stdout=self.stdout)
            self.stdout.write("Stop it with Ctrl-C.")
            self.stdout.flush()
            run(listener, encrypted, context)

    def tls(self, port: int) -> ssl.SSLContext | None:
        """The certificates in use; what to do on a phone, in words. CommandError where there can be none."""
        if settings.TLS == "no":
            return None
        try:
            context = encryption.context(timezone.now())
        except encryption.NoCertificate as problem:
            raise CommandError(str(problem)) from None
        if settings.TLS == "own":
            self.stdout.write(f"Phones trust it once: {encryption.door_address(port)}/trust/")
            self.stdout.write(f"Its authority, SHA-256: {seal()}")
        return context


def follow(tell: Callable[[str], Any]) -> None:
    """Pair with the laptop that FOLLOW names and take its copy; then this process begins anew, with that one's key.

    Raises:
        CommandError: it does not answer, the code is wrong, or there is an event here already; a sentence says why.
    """
    code = settings.FOLLOW_CODE
    if not code and sys.stdin.isatty():
        code = input(f"The code that the desk of {settings.FOLLOW} shows: ")
    if not code:
        raise CommandError("FOLLOW needs the code from the desk of the first laptop: type it, or set FOLLOW_CODE.")
    tell("Receiving a copy of everything and auditing it...")
    try:
        pulling.begin(settings.FOLLOW, code, timezone.now())
    except Refusal as refused:
        raise CommandError(refused.message["en"]) from None
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  this very program


@contextmanager
def alone() -> Iterator[None]:
    """Hold the data folder, so that no second service and no restoring works in it. CommandError where one does."""
    try:
        with in_use(settings.DATA_DIR):
            yield
    except CopyFailed as taken:
        raise CommandError(taken.message["en"]) from None


def bind_host() -> str:
    """What to bind, from HOST.

    Raises:
        CommandError: HOST=lan without a network, or an open HOST whose names are not stated.
    """
    if settings.HOST == "lan":
        if not settings.VENUE:
            raise CommandError("HOST=lan: this machine has no network. Join the network of the hall and start again.")
        return EVERY_INTERFACE[0]
    if not is_loopback(settings.HOST) and not reachable_names():
        raise CommandError(f"HOST={settings.HOST}: set ALLOWED_HOSTS to the names readers use, or take HOST=lan.")
    return str(settings.HOST)


def reachable_names() -> list[str]:
    """The allowed host names beyond loopback."""
    return [name for name in settings.ALLOWED_HOSTS if name not in LOOPBACK_NAMES]


def address_of(port: int) -> str:
    """The address to open in a browser."""
    host = settings.HOST if is_loopback(settings.HOST) else reachable_names()[0]
    return f"{'http' if settings.TLS == 'no' else 'https'}://{host}:{port}"


@contextmanager
def tls_listening() -> Iterator[socket.socket | None]:
    """The socket for https; None where this process speaks plain http alone."""
    if settings.TLS == "no":
        yield None
        return
    with listening(bind_host(), settings.TLS_PORT, "TLS_PORT") as listener:
        yield listener


def listening(host: str, port: int, variable: str = "PORT") -> socket.socket:
    """A listening socket; taken before anything else starts.

    Raises:
        CommandError: the port or the address cannot be had; a sentence says why.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host.strip("[]"), port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken by another program. Choose another: {variable}={port + 1}"
            ) from None
        if error.errno == errno.EACCES:
            raise CommandError(f"Port {port} may not be used by this user. Choose one above 1023.") from None
        raise CommandError(f"Cannot serve on {host}, port {port}: {error.strerror or error}.") from None
    # asyncio does not set it on connections of a socket it did not make, and each answer would wait 40 ms for its ACK
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def run(listener: socket.socket, encrypted: socket.socket | None, context: ssl.SSLContext | None) -> None:
    """Serve until a signal: all on the `listener`; where there is one, all on the `encrypted`, and on the other what
    leads there. Raises SystemExit(0) after running tasks have ended."""
    import uvicorn

    from referee import embedded
    from referee.asgi import application
    from referee.celery import app
    from referee.http_door import Door
    from referee.serving import streams
    from referee.tls.plain_port import PlainPort

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # a page holds its stream open as long as it can: waited for, each stop would take the whole grace
            streams.close()
            if plain is not None:
                plain.should_exit = True
            await super().shutdown(sockets)

    known: Any = {"http": Door, "lifespan": "off", "log_config": None, "access_log": False}
    known["timeout_graceful_shutdown"] = GRACE_SECONDS
    config, plain = uvicorn.Config(application, **known), None
    if context is not None:
        config = uvicorn.Config(application, **known, ssl_context_factory=lambda config, usual: context)
        plain = encryption.PlainServer(uvicorn.Config(PlainPort(application), **known))
    # an entry gives way at each of its many small statements; by default it gets its turn back only after 5 ms
    sys.setswitchinterval(SWITCH_SECONDS)
    # uvicorn raises the signal it caught once more when it has shut down; that one must unwind the blocks below
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    with embedded.worker(app), embedded.beat(app), pulling.following(), encryption.renewing(context):
        if plain is None or encrypted is None:
            Server(config).run(sockets=[listener])
        else:
            encryption.run_both(Server(config), encrypted, plain, listener)


def _leave(number: int, frame: FrameType | None) -> None:
    # a second signal during the warm stop must not cut it short
    for again in (signal.SIGINT, signal.SIGTERM):
        signal.signal(again, signal.SIG_IGN)
    sys.exit(0)

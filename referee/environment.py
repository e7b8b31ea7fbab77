"""Typed readers of environment variables. A value nobody can mean is refused by name, never guessed."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
EVERY_INTERFACE = ("0.0.0.0", "::")  # noqa: S104  compared with, never bound to


def text(name: str, default: str = "") -> str:
    """The variable without surrounding space; the default when it is unset or blank."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """A yes or no: 1/0, true/false, yes/no, on/off."""
    value = text(name).lower()
    if not value:
        return default
    if value in YES or value in NO:
        return value in YES
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def number(name: str, default: int, low: int, high: int) -> int:
    """A whole number between `low` and `high`, both included."""
    value = text(name)
    if not value:
        return default
    if not value.isascii() or not value.isdigit() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} must be a whole number from {low} to {high}, not {value!r}.")
    return int(value)


def words(name: str) -> list[str]:
    """A list separated by commas; blanks are dropped."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


#: The push services of those who make browsers.
MAKERS = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "*.notify.windows.com", "web.push.apple.com")
_HOST = r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+"
_PUSH_SERVICE = rf"{_HOST}|http://(127\.0\.0\.1|localhost):\d{{1,5}}"


def push_services(name: str, usual: bool) -> tuple[str, ...]:
    """Hosts of push services; unset, those of the makers where that is `usual`."""
    value = text(name).lower()
    if not value or value in NO:
        return MAKERS if usual and not value else ()
    return _listed(name, _PUSH_SERVICE, "host, *.host or http://127.0.0.1:port")


def hosts(name: str) -> tuple[str, ...]:
    """Hosts, and `*.host` for all below one; none where it is unset."""
    return _listed(name, _HOST, "host or *.host")


def _listed(name: str, form: str, kind: str) -> tuple[str, ...]:
    """A list in small letters whose words have this form; `kind` says it in words."""
    found = tuple(one.lower() for one in words(name))
    for one in found:
        if not re.fullmatch(form, one):
            raise ImproperlyConfigured(f"{name}: {one!r} is no {kind}.")
    return found


def one_of(name: str, choices: tuple[str, ...]) -> str:
    """One of `choices`; the first is the default."""
    value = text(name, choices[0])
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def secret(name: str) -> str:
    """A secret that nobody guesses, empty for none."""
    value = text(name)
    if value and (len(value) < 16 or not value.isascii() or not value.isprintable()):
        raise ImproperlyConfigured(f"{name} is too easy to guess: take 16 or more random letters and digits.")
    return value


def folder(name: str, default: Path) -> Path:
    """An absolute folder, made (for its owner only) when it is missing."""
    path = Path(text(name, str(default))).expanduser().resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: cannot use the folder {path}: {error.strerror}.") from None
    return path


def made_once(path: Path, text: str) -> str:
    """The text of a file, which gets `text` where there is none; all that begin at once get the same.

    It is made whole, and on the disk before this returns: what it signs must not outlive it when the power fails.
    """
    if not path.exists():
        whole = path.with_name(f".{path.name}.{os.getpid()}")
        with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(whole, path)
        except FileExistsError:
            pass
        except OSError:  # a file system that gives a file one name only
            whole.replace(path)
        whole.unlink(missing_ok=True)
        sync_folder(path.parent)
    return path.read_text("utf-8").strip()


def sync_folder(path: Path) -> None:
    """Let the names in a folder reach the disk, where its file system can."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError:
        pass  # not every file system of a stick or a share can
    finally:
        os.close(opened)


def copies(usual: Path | None) -> Path | None:
    """The folder of COPIES, None for none. The usual one is made; another has to be there, for it may be a stick."""
    value = text("COPIES")
    if value.lower() in NO:
        return None
    if value:
        return Path(value).expanduser().resolve()
    if usual is not None:
        usual.mkdir(mode=0o700, parents=True, exist_ok=True)
    return usual


def database(url: str, sqlite_path: Path) -> dict[str, Any]:
    """Django's database settings for a URL (postgresql:// or sqlite:///path); SQLite at `sqlite_path` for none.

    The host of a PostgreSQL URL may be a percent-encoded folder of a unix socket; what stands after ``?`` goes to
    libpq (sslmode and the like).
    """
    parts = urlsplit(url)
    if not url or parts.scheme == "sqlite":
        return sqlite(Path(unquote(parts.path.removeprefix("/"))) if url else sqlite_path)
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise ImproperlyConfigured("DATABASE_URL must be postgresql://user:password@host:port/name or sqlite:///path.")
    guards = {"statement_timeout": "30s", "lock_timeout": "10s", "idle_in_transaction_session_timeout": "60s"}
    options = {"connect_timeout": 5, "application_name": "referee", **dict(parse_qsl(parts.query))}
    options["prepare_threshold"] = 2  # for the cursors of `tournaments.acts.prepared`; Django's own prepare nothing
    options["options"] = " ".join(f"-c {key}={value}" for key, value in guards.items())
    return {
        "ENGINE": "referee.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        # not parts.hostname: that lowers the letters of a socket's folder
        "HOST": unquote(re.sub(r":\d*$", "", parts.netloc.rpartition("@")[2]).strip("[]")),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 300,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def sqlite(path: Path) -> dict[str, Any]:
    """SQLite that keeps every confirmed hand through a power cut and lets one writer wait for another."""
    return {
        "ENGINE": "referee.one_writer",
        "NAME": str(path),
        "CONN_MAX_AGE": 300,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
        "TEST": {"NAME": str(path.with_name(f"test_{path.name}"))},
    }


def celery_broker(redis_url: str) -> str:
    """The broker's URL for Celery, which spells a unix socket differently from the Redis client."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    query = {"virtual_host" if key == "db" else key: value for key, value in parse_qsl(parts.query)}
    return f"redis+socket://{parts.path}" + (f"?{urlencode(query)}" if query else "")


def is_loopback(host: str) -> bool:
    """Whether a server bound to `host` can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def names_of(host: str, venue: str) -> list[str]:
    """Under what names a server bound to `host` is reached beyond loopback, as far as that can be known."""
    if host == "lan":
        return [venue] if venue else []
    return [] if is_loopback(host) or host in EVERY_INTERFACE else [host]


def tls(behind_proxy: bool) -> str:
    """How this process speaks TLS: ``no``, by an authority of its ``own``, or ``given`` files."""
    own, files = one_of("TLS", ("no", "own")) == "own", [bool(text(one)) for one in ("TLS_CERT", "TLS_KEY")]
    if any(files) and not all(files):
        raise ImproperlyConfigured("TLS_CERT and TLS_KEY go together: the certificate and its key.")
    if own + all(files) + behind_proxy > 1:
        raise ImproperlyConfigured("Choose one: TLS=own, TLS_CERT with TLS_KEY, or HTTPS=yes for a proxy that does it.")
    return "own" if own else "given" if all(files) else "no"


def local_names() -> list[str]:
    """The name by which a network without a name server finds this machine (mDNS); none where it has no such name."""
    name = socket.gethostname().partition(".")[0].lower()
    return [f"{name}.local"] if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", name) else []


def venue_address() -> str:
    """The address of this machine in the hall's network; empty when it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # connecting a datagram socket only asks the routing table; 192.0.2.1 is kept free for documentation
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            address = ""
    if not address or is_loopback(address):
        address = next((known for known in _own_addresses() if not is_loopback(known)), "")
    return address


def _own_addresses() -> list[str]:
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    except OSError:
        return []

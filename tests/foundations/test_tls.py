"""TLS for a hall: an authority of one's own that speaks for private addresses only, certificates renewed by themselves,
given ones, and the plain port that leads to https. Judged by OpenSSL, as Python has it."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
from cryptography import x509
from django.core.exceptions import ImproperlyConfigured

from referee import environment
from referee.tls import authority, encryption
from tests.foundations.test_serve import command, serving, wait_for

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

NAMES = ["localhost", "127.0.0.1", "::1", "192.168.4.2", "laptop.local"]
#: The seal as it is shown, and as it is printed at the start.
SEAL = r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}"


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def shaken(context: ssl.SSLContext, host: str, trusted: bytes) -> dict[str, object]:
    """One handshake with a server of this context by somebody who trusts this; what its certificate says."""
    client = ssl.create_default_context(cadata=trusted.decode())
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    here, there = socket.socketpair()

    def serve() -> None:
        try:
            context.wrap_socket(there, server_side=True).close()
        except OSError:
            there.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        with closing(client.wrap_socket(here, server_hostname=host)) as open_one:
            return dict(open_one.getpeercert() or {})
    finally:
        here.close()
        thread.join(10)


def served(pair: authority.Pair) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    return context


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_who_trusts_the_authority_trusts_the_laptop(tmp_path: Path, name: str) -> None:
    trusted = authority.authority(tmp_path, now())
    assert shaken(served(authority.leaf(tmp_path, NAMES, now())), name, trusted)


def test_another_host_and_another_authority_are_refused(tmp_path: Path) -> None:
    trusted = authority.authority(tmp_path, now())
    context = served(authority.leaf(tmp_path, NAMES, now()))
    for host in ("192.168.4.3", "other.local", "example.org"):
        with pytest.raises(ssl.SSLCertVerificationError):
            shaken(context, host, trusted)
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken(context, "localhost", authority.authority(tmp_path / "another", now()))


@pytest.mark.parametrize("name", ["example.org", "8.8.8.8", "local.example.org", "2001:4860::1"])
def test_it_speaks_for_no_site_of_the_internet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(authority.NotCovered):
        authority.leaf(tmp_path, [*NAMES, name], now())
    monkeypatch.setattr(authority, "covers", lambda name: True)  # a thief of the key would not ask
    context = served(authority.leaf(tmp_path, [name], now()))
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shaken(context, name, authority.authority(tmp_path, now()))


def test_files_are_for_their_owner_and_the_authority_stays(tmp_path: Path) -> None:
    first = authority.authority(tmp_path / "a", now())
    authority.leaf(tmp_path / "a", NAMES, now())
    for file in (tmp_path / "a").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600, file.name
    assert authority.authority(tmp_path / "a", now() + timedelta(days=900)) == first
    assert authority.authority(tmp_path / "a", now() + authority.AUTHORITY_FOR + timedelta(days=1)) != first
    assert re.fullmatch(SEAL, authority.fingerprint(first))


def test_the_leaf_is_renewed_by_itself(tmp_path: Path) -> None:
    at = now()

    def serial(days: float, names: list[str] = NAMES) -> int:
        return read(authority.leaf(tmp_path, names, at + timedelta(days=days)).certificate).serial_number

    first = serial(0)
    assert serial(6.9) == first
    second = serial(7.1)
    assert second != first
    assert serial(7.2, [*NAMES, "10.0.0.9"]) != second, "another network, other addresses"
    third = serial(7.3)
    (tmp_path / "laptop.pem").write_text("half a fi")
    fourth = serial(7.3)
    assert fourth != third
    (tmp_path / "authority.pem").unlink()
    assert serial(7.3) != fourth, "another authority"
    made = read(tmp_path / "laptop.pem")
    assert made.not_valid_after_utc - made.not_valid_before_utc == authority.LEAF_FOR + authority.CLOCKS
    (tmp_path / "laptop.key").write_bytes((tmp_path / "authority.key").read_bytes())
    assert serial(7.4) != made.serial_number, "a key that is not its own"


def test_what_is_served_changes_while_it_serves(tmp_path: Path, settings: SettingsWrapper) -> None:
    settings.TLS, settings.DATA_DIR, settings.ALLOWED_HOSTS = "own", tmp_path, ["localhost", "127.0.0.1", "[::1]"]
    at = now()
    context = encryption.context(at - timedelta(days=7.5))
    trusted = (tmp_path / "authority" / "authority.pem").read_bytes()
    first = shaken(context, "127.0.0.1", trusted)
    encryption.load(context, at)
    second = shaken(context, "127.0.0.1", trusted)
    assert first["serialNumber"] != second["serialNumber"]


def test_it_says_what_it_cannot_serve(tmp_path: Path, settings: SettingsWrapper) -> None:
    settings.TLS, settings.DATA_DIR, settings.ALLOWED_HOSTS = "own", tmp_path, ["localhost", "cup.example.org"]
    with pytest.raises(encryption.NoCertificate, match=r"not for cup\.example\.org"):
        encryption.context(now())
    settings.TLS, settings.TLS_CERT, settings.TLS_KEY = "given", str(tmp_path / "no.pem"), str(tmp_path / "no.key")
    with pytest.raises(encryption.NoCertificate, match=r"no\.pem"):
        encryption.context(now())


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({}, "no"),
        ({"TLS": "own"}, "own"),
        ({"TLS_CERT": "a", "TLS_KEY": "b"}, "given"),
        ({"TLS_CERT": "a"}, "TLS_KEY go together"),
        ({"TLS": "own", "TLS_CERT": "a", "TLS_KEY": "b"}, "Choose one"),
        ({"TLS": "yes"}, "TLS must be one of"),
    ],
)
def test_the_variables(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], found: str) -> None:
    for name in ("TLS", "TLS_CERT", "TLS_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    if found in ("no", "own", "given"):
        assert environment.tls(False) == found
        return
    with pytest.raises(ImproperlyConfigured, match=found):
        environment.tls(False)


def test_a_proxy_and_this_process_do_not_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TLS", "own")
    with pytest.raises(ImproperlyConfigured, match="Choose one"):
        environment.tls(True)


# The whole service


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def answer(address: str, method: str = "GET", context: ssl.SSLContext | None = None) -> tuple[int, str, str]:
    """Status, where it leads, and the text; nothing is followed."""
    handlers: list[object] = [_Stay()]
    if context is not None:
        from urllib.request import HTTPSHandler

        handlers.append(HTTPSHandler(context=context))
    try:
        with build_opener(*handlers).open(Request(address, method=method), timeout=20) as got:  # type: ignore[arg-type]
            return got.status, got.headers.get("Location", ""), got.read().decode()
    except HTTPError as refused:
        return refused.code, refused.headers.get("Location", ""), refused.read().decode()


@contextmanager
def laptop(data: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str, str, Callable[[], str]]]:
    """The process, its plain address, its secure one, and a reader of what it says next."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with serving(data, **{"TLS_PORT": "0", **variables, "PORT": str(port)}) as (process, address):
        assert process.stdout
        yield process, f"http://127.0.0.1:{port}", address, process.stdout.readline


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data folder for all starts: the first makes the demonstration."""
    return tmp_path_factory.mktemp("laptop")


@pytest.mark.long
def test_a_laptop_with_its_own_authority(data: Path) -> None:
    with laptop(data, TLS="own") as (process, plain, secure, line):
        said = line() + line()
        seal = re.search(SEAL, said)
        assert seal
        assert "/trust/" in said
        wait_for(plain)
        assert answer(f"{plain}/desk/") == (302, "/trust/", "")
        status, to, _ = answer(f"{plain}/trust/")
        assert (status, to) == (302, "/en/trust/")
        page = answer(f"{plain}/en/trust/")[2]
        assert seal[0] in page
        assert f'href="{secure}/"' in page
        text = answer(f"{plain}/trust/referee.crt")[2]
        assert authority.fingerprint(text.encode()) == seal[0]
        assert "PRIVATE" not in text
        for method, path in (
            ("GET", "/api/v1/events/"),
            ("GET", "/metrics"),
            ("POST", "/api/v1/tokens/"),
            ("POST", "/desk/sign-in/"),
        ):
            refused = answer(f"{plain}{path}", method)
            assert (refused[0], "https://" in refused[2]) == (403, True)
        trusting = ssl.create_default_context(cadata=text)
        with urlopen(f"{secure}/desk/sign-in/", context=trusting, timeout=20) as got:
            assert got.status == 200
            assert "Strict-Transport-Security" not in got.headers, "the plain port has to stay open to this browser"
            cookies = got.headers.get_all("Set-Cookie")
            assert all(one.startswith("__Host-") and "Secure" in one for one in cookies)
        assert answer(f"{secure}/health", context=trusting)[0] == 200
        with pytest.raises(OSError, match="certificate verify failed"):
            urlopen(f"{secure}/health", timeout=20)
        process.terminate()
        assert process.wait(60) == 0


@pytest.mark.long
def test_a_laptop_with_a_given_certificate(data: Path, tmp_path: Path) -> None:
    pair = authority.leaf(tmp_path / "given", ["localhost", "127.0.0.1"], now())
    trusted = (tmp_path / "given" / "authority.pem").read_text()
    files = {"TLS_CERT": str(pair.certificate), "TLS_KEY": str(pair.key)}
    with laptop(data, **files) as (process, plain, secure, _):
        wait_for(plain)
        assert answer(f"{plain}/desk/") == (302, f"{secure}/", "")
        assert answer(f"{plain}/trust/")[0] == 404
        assert answer(f"{secure}/health", context=ssl.create_default_context(cadata=trusted))[0] == 200
        process.terminate()
        assert process.wait(60) == 0


def test_a_certificate_without_its_key_stops_the_start(tmp_path: Path) -> None:
    one, other = (authority.leaf(tmp_path / name, ["localhost"], now()) for name in "ab")
    files = {"TLS_CERT": str(one.certificate), "TLS_KEY": str(other.key), "TLS_PORT": "0", "PORT": "0"}
    arguments, variables = command(tmp_path / "data", **files)
    done = subprocess.run(arguments, env=variables, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "cannot be used with its key" in done.stderr

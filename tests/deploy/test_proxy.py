"""The proxy as it is shipped, in a real nginx where there is one: streams, logs, services that come back.

What can be read in the text of it is tested without (`test_compose`).
"""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

SHIPPED = Path(__file__).resolve().parents[2] / "deploy" / "nginx.conf"
PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no nginx here: apt-get install nginx-light")


@dataclass
class Names:
    """A name server on loopback: every name of the services has the address that the test says."""

    addresses: dict[str, str]
    port: int = 0

    @contextmanager
    def serving(self) -> Iterator[Names]:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.bind(("127.0.0.1", 0))
            asked.settimeout(0.1)
            self.port = asked.getsockname()[1]
            stop = threading.Event()
            thread = threading.Thread(target=self._answer, args=(asked, stop), daemon=True)
            thread.start()
            yield self
            stop.set()
            thread.join(5)

    def _answer(self, asked: socket.socket, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                question, client = asked.recvfrom(512)
            except TimeoutError:
                continue
            name = question[13 : 13 + question[12]].decode()
            end = question.index(b"\0", 12) + 5
            address = socket.inet_aton(self.addresses[name])
            head = question[:2] + struct.pack(">HHHHH", 0x8180, 1, 1, 0, 0)
            record = b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 600, 4) + address
            asked.sendto(head + question[12:end] + record, client)


class _Service(BaseHTTPRequestHandler):
    """Answers with its own address; on a stream it says a word, and another when the test lets it."""

    go_on = threading.Event()
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        if "v=" in self.path:
            self.send_header("Cache-Control", "public, max-age=3600, immutable")
            self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        self.wfile.write(self.server.server_address[0].encode())  # type: ignore[union-attr]
        if self.path.startswith("/live/"):
            self.go_on.wait(20)
            self.wfile.write(b" again")

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def service(address: str, port: int) -> Iterator[None]:
    server = ThreadingHTTPServer((address, port), _Service)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@dataclass
class Proxy:
    port: int
    log: Path
    errors: Path

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path, headers={"Referer": "http://here/t/REFERRED/", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()


@pytest.fixture
def upstream_port() -> int:
    return _free_port()


@pytest.fixture
def names() -> Iterator[Names]:
    with Names({"web": "127.0.0.2", "stream": "127.0.0.2"}).serving() as made:
        yield made


@pytest.fixture
def proxy(tmp_path: Path, names: Names, upstream_port: int, until: Callable[..., None]) -> Iterator[Proxy]:
    """nginx with the shipped configuration; only ports, paths and the name server's address are this test's."""
    made = Proxy(_free_port(), tmp_path / "access.log", tmp_path / "errors.log")
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = SHIPPED.read_text("utf-8")
    for shipped, here in (
        ("listen 80;", f"listen 127.0.0.1:{made.port};"),
        ("resolver 127.0.0.11 ", f"resolver 127.0.0.1:{names.port} "),
        (":8000;", f":{upstream_port};"),
        ("/dev/stdout", str(made.log)),
        ("/dev/stderr", str(made.errors)),
        ("/tmp/nginx.pid", str(tmp_path / "pid")),
        ("/tmp/pages", str(tmp_path / "pages")),
        ("    include /etc/nginx/mime.types;\n", folders),
    ):
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(text, "utf-8")
    assert PROGRAM is not None
    command = [PROGRAM, "-p", str(tmp_path), "-c", str(configuration), "-g", "daemon off;"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            until(lambda: process.poll() is not None or _takes(made.port))
            assert process.poll() is None, process.stdout and process.stdout.read()
            yield made
        finally:
            process.terminate()
            process.wait(10)


def test_a_service_that_comes_back_elsewhere_is_found(proxy: Proxy, names: Names, upstream_port: int) -> None:
    with service("127.0.0.2", upstream_port):
        assert proxy.get("/") == (200, "127.0.0.2")
    _Service.go_on.set()
    with service("127.0.0.3", upstream_port):
        names.addresses.update(web="127.0.0.3", stream="127.0.0.3")
        end = time.monotonic() + 60
        while (found := proxy.get("/")) != (200, "127.0.0.3"):
            assert time.monotonic() < end, found
            time.sleep(0.1)
        assert proxy.get("/live/event/x/") == (200, "127.0.0.3 again")


def test_a_stream_is_passed_on_as_it_comes(proxy: Proxy, upstream_port: int) -> None:
    _Service.go_on.clear()
    with ExitStack() as stack:
        stack.callback(_Service.go_on.set)
        stack.enter_context(service("127.0.0.2", upstream_port))
        connection = HTTPConnection("127.0.0.1", proxy.port, timeout=60)
        stack.callback(connection.close)
        connection.request("GET", "/live/event/x/?pass=SECRET")
        answer = connection.getresponse()
        assert answer.read1(100) == b"127.0.0.2"
        _Service.go_on.set()
        assert answer.read() == b" again"


def test_no_code_and_no_link_is_logged(proxy: Proxy, upstream_port: int, until: Callable[..., Any]) -> None:
    secret = ["/t/QWERTY/?next=SECRET", "/desk/enter/QWERTY/", "/me/QWERTY/", "/zh/e/cup/?q=SECRET", "/t/QWERTY"]
    with service("127.0.0.2", upstream_port):
        assert {proxy.get(path)[0] for path in secret} == {200}
    # nobody there any more: what goes wrong is logged elsewhere
    assert {proxy.get(path)[0] for path in secret[:3]} == {502}
    until(lambda: len(proxy.log.read_text("utf-8").splitlines()) == 8)
    lines = proxy.log.read_text("utf-8")
    assert [line.split()[3] for line in lines.splitlines()][:5] == [
        "/t/...", "/desk/enter/...", "/me/...", "/zh/e/cup/", "/t/...",
    ]  # fmt: skip
    for text in (lines, proxy.errors.read_text("utf-8")):
        assert not [word for word in ("QWERTY", "SECRET", "REFERRED") if word in text], text


def test_only_what_has_a_version_is_kept_and_for_strangers_alone(proxy: Proxy, upstream_port: int) -> None:
    part = "/zh/e/cup/standings/?part=live&v=00ff"
    with service("127.0.0.2", upstream_port):
        _Service.asked.clear()
        for _ in range(3):
            proxy.get(part, **{"Accept-Encoding": "br, gzip"})
            proxy.get(part, **{"Accept-Encoding": "gzip;q=0.9", "Cookie": "theme=dark"})
        assert _Service.asked == [part]
        for path, headers in (
            (part, {"Cookie": "theme=dark; sessionid=mine"}),
            (part, {"Cookie": "theme=dark; __Host-sessionid=mine"}),
            ("/zh/e/cup/standings/?part=live", {}),
            ("/zh/e/cup/standings/?part=live&v=<b>", {}),
            ("/desk/cup/?v=00ff", {}),
        ):
            _Service.asked.clear()
            for _ in range(2):
                assert proxy.get(path, **headers)[0] == 200
            assert len(_Service.asked) == 2, path


def _takes(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])

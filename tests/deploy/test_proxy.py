"""The proxy as it is shipped, in a real nginx where there is one: streams, logs, services that come back.

What can be read in the text of it is tested without (`test_compose`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from referee.serving.shared_answers import A_SECOND
from tests.proxied import PROGRAM, Names, Proxy, free_port
from tests.proxied import proxy as shipped_proxy

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no nginx here: apt-get install nginx-light")


class _Service(BaseHTTPRequestHandler):
    """Answers with its own address; on a stream it says a word, and another when the test lets it."""

    go_on = threading.Event()
    asked: ClassVar[list[str]] = []
    #: The tags that were asked for, and the one of what is there.
    tags: ClassVar[list[str | None]] = []
    tag = 'W/"a"'
    #: What it was told of the reader's place.
    places: ClassVar[list[tuple[str | None, ...]]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.places.append(tuple(self.headers.get_all("X-Forwarded-For") or ()))
        self.tags.append(self.headers["If-None-Match"])
        known = self.headers["If-None-Match"] == self.tag
        self.send_response(304 if known else 200)
        if self.path.endswith("/page/"):
            # as `shared_answers` says it
            for name, value in A_SECOND:
                self.send_header(name.decode(), value.decode())
            self.send_header("ETag", self.tag)
        if "v=" in self.path:
            self.send_header("Cache-Control", "public, max-age=3600, immutable")
            self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        if known:
            return
        if self.path.endswith("/page/"):
            self.wfile.write(self.tag.encode())
            return
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


@pytest.fixture
def upstream_port() -> int:
    return free_port()


@pytest.fixture
def names() -> Iterator[Names]:
    with Names({"web": "127.0.0.2", "stream": "127.0.0.2"}).serving() as made:
        yield made


@pytest.fixture
def proxy(tmp_path: Path, names: Names, upstream_port: int) -> Iterator[Proxy]:
    with shipped_proxy(tmp_path, names, upstream_port) as made:
        yield made


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


def test_a_part_is_kept_under_its_version_and_for_strangers_alone(proxy: Proxy, upstream_port: int) -> None:
    part = "/zh/e/cup/standings/?part=live&v=00ff"
    with service("127.0.0.2", upstream_port):
        _Service.asked.clear()
        for _ in range(3):
            proxy.get(part, **{"Accept-Encoding": "br, gzip"})
            proxy.get(part, **{"Accept-Encoding": "gzip;q=0.9", "Cookie": "theme=dark"})
        assert _Service.asked == [part]
        proxy.get(part, **{"Accept-Encoding": "br, gzip;q=0"})
        assert _Service.asked == [part, part], "who refuses gzip is not given what others took packed"
        for path, headers in (
            (part, {"Cookie": "theme=dark; sessionid=mine"}),
            (part, {"Cookie": "theme=dark; __Host-sessionid=mine"}),
            (part, {"Cookie": "messages=for-me"}),
            ("/zh/e/cup/standings/?part=live", {}),
            ("/zh/e/cup/standings/?part=live&v=<b>", {}),
            ("/desk/cup/?v=00ff", {}),
        ):
            _Service.asked.clear()
            for _ in range(2):
                assert proxy.get(path, **headers)[0] == 200
            assert len(_Service.asked) == 2, path


def test_a_page_is_kept_for_a_second_and_then_asked_for_by_its_tag(
    proxy: Proxy, upstream_port: int, until: Callable[..., Any]
) -> None:
    page = "/zh/e/cup/page/"
    with service("127.0.0.2", upstream_port):
        _Service.asked.clear()
        _Service.tags.clear()
        began = time.monotonic()
        status, headers, body = proxy.ask(page)
        assert (status, body, headers["Cache-Control"]) == (200, b'W/"a"', "public, no-cache, stale-while-revalidate=1")
        assert headers["X-Accel-Expires"] is None
        assert proxy.ask(page, **{"If-None-Match": 'W/"a"'})[::2] == (304, b"")
        assert _Service.asked == [page] or time.monotonic() - began > 1
        for cookie in ("sessionid=mine", "theme=dark; messages=for-me"):
            asked = len(_Service.asked)
            assert proxy.ask(page, Cookie=cookie)[0] == 200
            assert len(_Service.asked) == asked + 1, cookie
        # nothing moved: asked for by its tag, and kept on; then something did
        until(lambda: proxy.ask(page)[0] == 200 and 'W/"a"' in _Service.tags)
        _Service.tag = 'W/"b"'
        moved = time.monotonic()
        try:
            until(lambda: proxy.ask(page)[2] == b'W/"b"')
            assert time.monotonic() - moved < 5
            # a copy that nobody asked for meanwhile is not given to the first who does
            time.sleep(2.2)
            _Service.tag = 'W/"c"'
            assert proxy.ask(page)[2] == b'W/"c"'
        finally:
            _Service.tag = 'W/"a"'


def test_nobody_says_for_himself_where_he_is(proxy: Proxy, upstream_port: int) -> None:
    """15.3.4 of ASVS: the service counts wrong tries by what the proxy states, which is whom it heard."""
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
    _Service.places.clear()
    with service("127.0.0.2", upstream_port):
        for path in ("/", "/zh/e/cup/", "/desk/import/", "/t/QWERTY/", "/live/event/x/"):
            _Service.go_on.set()
            connection = HTTPConnection("127.0.0.1", proxy.port, timeout=60)
            connection.request("GET", path, headers=forged)
            assert connection.getresponse().read()
            connection.close()
    assert _Service.places == [("127.0.0.1",)] * 5

"""What comes over a connection: requests are read one after the other, and what is hostile is refused and closed."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from referee.http_door import MOST_HEAD, MOST_WAITING, Door

if TYPE_CHECKING:
    from collections.abc import Iterator

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
REFUSED = b"HTTP/1.1 400 Bad Request"


async def told(scope: Any, receive: Any, send: Any) -> None:
    """Answers with what it understood; `/slow` waits until the test lets it go."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if scope["path"] == "/slow":
        while not let_go.is_set():
            await asyncio.sleep(0.005)
    headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in scope["headers"]]
    said = {"method": scope["method"], "path": scope["path"], "body": body.decode("latin-1"), "headers": headers}
    answer = json.dumps(said).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(answer))]})
    await send({"type": "http.response.body", "body": answer})


let_go = threading.Event()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server of our own, with that application behind our door."""
    server = uvicorn.Server(uvicorn.Config(told, http=Door, lifespan="off", log_config=None))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        end = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < end
            time.sleep(0.01)
        yield listening.getsockname()[1]
        let_go.set()
        server.should_exit = True
        thread.join(20)


def answers(port: int, *parts: bytes) -> bytes:
    """All that comes back until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as there:
        try:
            for part in parts:
                there.sendall(part)
        except ConnectionError:  # refused before all of it was sent
            pass
        got = b""
        try:
            while more := there.recv(65536):
                got += more
        except ConnectionError:  # the rest of what we sent was not read
            pass
        return got


def understood(answer: bytes) -> list[dict[str, Any]]:
    """What the application said, answer by answer."""
    return [json.loads(part.partition(b"\r\n\r\n")[2]) for part in answer.split(b"HTTP/1.1 200 OK")[1:]]


def test_requests_of_one_connection_are_answered_in_turn(port: int) -> None:
    sent = [b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n%02d" % i for i in range(MOST_WAITING)]
    last = b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    said = understood(answers(port, b"".join([*sent, last])))
    assert [one["body"] for one in said] == [*(f"{i:02d}" for i in range(MOST_WAITING)), ""]


def test_a_request_may_come_byte_by_byte(port: int) -> None:
    head = b"POST /a%20b?c HTTP/1.1\r\nhost: a \t\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    whole = head + b"1;x=y\r\na\r\n0\r\n\r\n"
    (said,) = understood(answers(port, *[bytes([one]) for one in whole]))
    assert (said["path"], said["body"], said["headers"][0]) == ("/a b", "a", ["host", "a"])


def test_what_follows_a_body_is_no_header(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    (said,) = understood(answers(port, head + b"1\r\na\r\n0\r\nX-Forwarded-For: 127.0.0.1\r\n\r\n"))
    assert [name for name, _ in said["headers"]] == ["host", "connection", "transfer-encoding"]


def test_a_connection_is_kept(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as there:
        for _ in range(3):
            there.sendall(GET)
            got = b""
            while not got.endswith(b"}"):
                got += there.recv(65536)
            assert len(understood(got)) == 1


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        b"GET / HTTP/0.9\r\nHost: a\r\n\r\n",
        b"GET /\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
        b"GET / HTTP/1.1\nHost: a\n\n",
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        b"FOO / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 1\r\n\r\na",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_refused(port: int, sent: bytes) -> None:
    got = answers(port, sent + GET)
    assert got.startswith(REFUSED)
    assert b"HTTP/1.1" not in got[5:].replace(REFUSED, b"")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"a" * 10 * MOST_HEAD,
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 10 * MOST_HEAD,
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: a\r\n" * MOST_HEAD,
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * MOST_HEAD + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"x" * 10 * MOST_HEAD,
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " + b"a" * 10 * MOST_HEAD,
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: a\r\n" * MOST_HEAD,
    ],
    ids=["address", "header", "headers", "whole header", "chunk", "trailer", "trailers"],
)
def test_what_never_becomes_a_request_is_bounded(port: int, sent: bytes) -> None:
    got = answers(port, *(sent[i : i + 8_000] for i in range(0, len(sent), 8_000)))
    assert got.startswith(REFUSED) or not got, "a refusal is lost where more of it was on the way"


def test_bytes_of_a_whole_head_are_bounded(port: int) -> None:
    near = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: "
    assert len(understood(answers(port, near + b"a" * (MOST_HEAD - 200) + b"\r\n\r\n"))) == 1
    assert answers(port, near + b"a" * MOST_HEAD + b"\r\n\r\n").startswith(REFUSED)


def test_who_asks_for_another_protocol_is_answered_once_in_this_one(port: int) -> None:
    asked = b"GET /up HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"
    got = answers(port, asked + GET)
    assert [one["path"] for one in understood(got)] == ["/up"]
    assert b"connection: close" in got


def test_a_refusal_is_never_the_answer_to_another_request(port: int) -> None:
    let_go.clear()
    with socket.create_connection(("127.0.0.1", port), timeout=20) as there:
        there.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + b"nonsense\r\n\r\n")
        assert there.recv(65536) == b""
    let_go.set()


def test_so_many_may_wait_on_one_connection_and_no_more(port: int) -> None:
    let_go.clear()
    with socket.create_connection(("127.0.0.1", port), timeout=20) as there:
        there.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + GET * (MOST_WAITING + 1))
        assert there.recv(65536) == b""
    let_go.set()

"""Requests handed to a thread in one piece: the same answers as in parts, whatever their size."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.http import HttpResponse

from referee.serving.page_threads import SHORT_BODY, TOGETHER, PageThreads


def ask(pages: Callable[..., Any], *parts: bytes, stated: bool = True) -> tuple[int, dict[bytes, bytes], list[bytes]]:
    """The status, the headers and the pieces of an answer to a body that comes in parts."""
    length = [(b"content-length", str(sum(map(len, parts))).encode())]
    scope = {
        "type": "http", "method": "POST", "path": "/a b/中", "query_string": b"c=1", "http_version": "1.1",
        "headers": [(b"x-said", b"yes"), *(length if stated else [(b"transfer-encoding", b"chunked")])],
        "client": ("127.0.0.1", 5), "server": ("hall", 80),
    }  # fmt: skip
    left, sent = list(parts), list[Any]()

    async def receive() -> Any:
        return {"type": "http.request", "body": left.pop(0) if left else b"", "more_body": bool(left)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(PageThreads(pages, workers=2)(scope, receive, send))
    assert [one["type"] for one in sent] == ["http.response.start"] + ["http.response.body"] * (len(sent) - 1)
    assert [one.get("more_body", False) for one in sent[1:]] == [True] * (len(sent) - 2) + [False]
    return sent[0]["status"], dict(sent[0]["headers"]), [one["body"] for one in sent[1:]]


def echo(environ: Any, start: Any) -> list[bytes]:
    body = environ["wsgi.input"].read()
    seen = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ['QUERY_STRING']} {environ['HTTP_X_SAID']} "
    start("201 Created", [("Content-Type", "text/plain")])
    return [seen.encode("latin-1"), body]


@pytest.mark.parametrize("stated", [True, False])
def test_an_answer_is_the_same_whole_and_in_parts(stated: bool) -> None:
    status, headers, pieces = ask(echo, b"one ", b"two", stated=stated)
    assert (status, headers) == (201, {b"content-type": b"text/plain"})
    assert b"".join(pieces).decode() == "POST /a b/中?c=1 yes one two"
    assert len(pieces) == 1 or not stated


@pytest.mark.parametrize("stated", [True, False])
def test_a_cookie_has_no_blank_before_it(stated: bool) -> None:
    def cookie(environ: Any, start: Any) -> list[bytes]:
        response = HttpResponse("in")
        response.set_cookie("place", "x")
        start("200 OK", [("Set-Cookie", morsel.output(header="")) for morsel in response.cookies.values()])
        return [response.content]

    assert ask(cookie, b"", stated=stated)[1][b"set-cookie"] == b"place=x; Path=/"


def length(environ: Any, start: Any) -> list[bytes]:
    start("200 OK", [])
    return [environ.get("CONTENT_LENGTH", "none").encode(), environ["wsgi.input"].read()]


def test_a_body_that_comes_without_its_length_has_one_when_it_is_there() -> None:
    assert b"".join(ask(length, b"one ", b"two", stated=False)[2]) == b"7one two"
    assert b"".join(ask(length, b"", stated=False)[2]) == b"0"


def test_one_that_is_too_long_for_that_stays_without() -> None:
    assert b"".join(ask(length, b"x" * SHORT_BODY, b"xx", b"y", stated=False)[2]).startswith(b"none")


def test_a_large_body_goes_in_parts() -> None:
    body = b"x" * (SHORT_BODY + 1)
    assert b"".join(ask(echo, body)[2]).endswith(body)


def test_of_a_long_answer_what_is_ready_is_sent_and_the_end_is_told() -> None:
    ended: list[bool] = []

    class Long:
        def __iter__(self) -> Iterator[bytes]:
            return iter([b"x" * TOGETHER] * 3)

        def close(self) -> None:
            ended.append(True)

    def pages(environ: Any, start: Any) -> Long:
        start("200 OK", [])
        return Long()

    pieces = ask(pages)[2]
    assert (len(b"".join(pieces)), len(pieces) > 1, ended) == (3 * TOGETHER, True, [True])


def test_what_fails_is_raised() -> None:
    def pages(environ: Any, start: Any) -> list[bytes]:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        ask(pages)

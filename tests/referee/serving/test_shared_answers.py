"""Who asks for the same public page while it is being made gets the next answer, together with all others who wait."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from referee.serving.shared_answers import KEPT_BYTES, Shared

STANDINGS = "/zh/e/cup/standings/"


class Said:
    """What the hub of a process knows: when something was said of a topic last."""

    def __init__(self) -> None:
        self.moved: dict[str, float] = {}
        self.versions: dict[str, tuple[str, float]] = {}
        self.listens = self.deaf = False

    def listen(self) -> None:
        self.listens = True

    def still(self, topic: str, since: float) -> bool:
        return not self.deaf and self.moved.get(topic, 0.0) < since

    def say(self, topic: str, version: str = "") -> None:
        self.moved[topic] = time.time()
        if version:
            self.versions[topic] = (version, time.time())

    def version(self, topic: str) -> tuple[str, float]:
        return self.versions.get(topic, ("", 0.0))


class Slow:
    """An application that counts its answers and makes each as slowly as the test wants."""

    def __init__(self, headers: list[tuple[bytes, bytes]] | None = None) -> None:
        self.made = 0
        self.times = 1
        self.status = 200
        self.headers = headers or []
        self.go_on = asyncio.Event()
        self.asked: dict[bytes, bytes] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.made += 1
        self.asked = dict(scope["headers"])
        number = self.made
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": (b"%d" % number) * self.times})


def asking(app: Shared, path: str = "/zh/", method: str = "GET", **headers: str) -> asyncio.Task[bytes]:
    async def ask() -> bytes:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        given = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": given}
        await app(scope, lambda: asyncio.sleep(0), send)  # type: ignore[arg-type]
        return b"".join(message.get("body", b"") for message in sent)

    return asyncio.create_task(ask())


async def answered(
    app: Shared, path: str, query: str = "", method: str = "GET", **headers: str
) -> tuple[bytes, dict[str, str]]:
    """The body of an answer and its headers by name."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": given}
    await app(scope, lambda: asyncio.sleep(0), send)  # type: ignore[arg-type]
    return sent[1]["body"], {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_who_asks_meanwhile_gets_an_answer_made_after_his_question() -> None:
    async def main() -> None:
        slow = Slow()
        app = Shared(slow)
        first = asking(app)
        await soon()
        others = [asking(app, **{"user-agent": str(number)}) for number in range(50)]
        await soon()
        assert slow.made == 1
        slow.go_on.set()
        assert await first == b"1"
        assert {await one for one in others} == {b"2"}
        assert await asking(app) == b"3"
        assert slow.made == 3
        assert app._next == app._making == {}
        await asyncio.sleep(0.05)
        assert app._resting == {}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/en/", "GET", {}),
        ("/zh/", "POST", {}),
        ("/zh/", "GET", {"cookie": "theme=dark; sessionid=x"}),
        ("/zh/", "GET", {"accept-encoding": "gzip"}),
        ("/zh/", "GET", {"range": "bytes=0-1"}),
    ],
    ids=["another address", "another method", "signed in", "packed", "a part"],
)
def test_another_question_is_answered_by_itself(path: str, method: str, headers: dict[str, str]) -> None:
    async def main() -> None:
        slow = Slow()
        app = Shared(slow)
        both = [asking(app), asking(app, path, method, **headers)]
        await soon()
        assert slow.made == 2
        slow.go_on.set()
        assert {await one for one in both} == {b"1", b"2"}

    asyncio.run(main())


def test_a_cookie_is_given_to_one_only() -> None:
    async def main() -> None:
        slow = Slow([(b"Set-Cookie", b"csrftoken=x")])
        slow.go_on.set()
        app = Shared(slow)
        assert {await one for one in [asking(app), asking(app), asking(app)]} == {b"1", b"2", b"3"}

    asyncio.run(main())


def test_who_waits_for_a_page_that_finds_no_turn_is_told_so_with_all_others() -> None:
    async def main() -> None:
        slow, said = Slow(), Said()
        slow.status = 503
        app = Shared(slow, said)
        first = asking(app, STANDINGS)
        await soon()
        others = [asking(app, STANDINGS) for _ in range(50)]
        await soon()
        slow.go_on.set()
        assert (await first, {await one for one in others}) == (b"1", {b"2"})
        slow.status = 200
        assert (await asking(app, STANDINGS), slow.made) == (b"3", 3), "nothing of it is kept"

    asyncio.run(main())


def test_a_page_of_an_event_is_made_once_until_something_is_said_of_it() -> None:
    async def main() -> None:
        slow, said = Slow(), Said()
        slow.go_on.set()
        app = Shared(slow, said)
        assert await asking(app, STANDINGS) == b"1"
        assert said.listens
        readers = [asking(app, STANDINGS, cookie=f"csrftoken={number}", accept=f"x/{number}") for number in range(50)]
        assert {await one for one in readers} == {b"1"}
        said.say("event:league")
        assert await asking(app, STANDINGS) == b"1"
        said.say("event:cup")
        assert [await asking(app, STANDINGS), await asking(app, STANDINGS)] == [b"2", b"2"]
        assert slow.made == 2
        said.deaf = True
        assert await asking(app, STANDINGS) == b"3", "what cannot be known to be true is made anew"

    asyncio.run(main())


def test_who_asks_while_it_is_made_has_it_unless_something_was_said_meanwhile() -> None:
    async def main() -> None:
        slow, said = Slow(), Said()
        app = Shared(slow, said)
        first = asking(app, STANDINGS)
        await soon()
        second = asking(app, STANDINGS)
        await soon()
        slow.go_on.set()
        assert [await first, await second] == [b"1", b"1"]
        said.say("event:cup")
        slow.go_on.clear()
        third = asking(app, STANDINGS)
        while slow.made < 2:
            await asyncio.sleep(0.001)
        said.say("event:cup")
        fourth = asking(app, STANDINGS)
        await soon()
        slow.go_on.set()
        assert [await third, await fourth] == [b"2", b"3"]

    asyncio.run(main())


def test_it_is_not_kept_for_longer_than_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        slow = Slow()
        slow.go_on.set()
        app = Shared(slow, Said())
        assert await asking(app, STANDINGS) == b"1"
        now = time.time()
        monkeypatch.setattr("referee.serving.shared_answers.time.time", lambda: now + 5.1)
        assert await asking(app, STANDINGS) == b"2"
        monkeypatch.setattr("referee.serving.shared_answers.time.time", lambda: now - 10)
        assert await asking(app, STANDINGS) == b"3", "the clock was set back: nobody knows how old it is"

    asyncio.run(main())


def test_only_so_much_is_kept() -> None:
    async def main() -> None:
        slow = Slow()
        slow.times = KEPT_BYTES // 3
        slow.go_on.set()
        app = Shared(slow, Said())
        for page in range(4):
            await asking(app, f"{STANDINGS}{page}/")
        assert len(app._kept) == 3
        assert app._size == sum(len(made.body) for made in app._kept.values()) <= KEPT_BYTES

    asyncio.run(main())


def test_nothing_personal_goes_into_a_shared_page() -> None:
    async def main() -> None:
        slow = Slow()
        slow.go_on.set()
        app = Shared(slow, Said())
        await asking(
            app, STANDINGS, cookie="csrftoken=secret; known=me; theme=dark; suits=<b>", authorization="Bearer x"
        )
        assert slow.asked == {}
        await asking(app, STANDINGS, cookie="theme=dark; sessionid=mine")
        assert slow.asked == {b"cookie": b"theme=dark; sessionid=mine"}, "whoever is signed in is answered by himself"
        assert await asking(app, STANDINGS, cookie="theme=dark") == b"1"

    asyncio.run(main())


@pytest.mark.parametrize("tags", ['W/"a"', '"a"', '"b", W/"a"', " * "])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_who_has_it_is_told_so(tags: str, method: str) -> None:
    async def main() -> None:
        slow = Slow([(b"ETag", b'W/"a"'), (b"Content-Length", b"1"), (b"Cache-Control", b"public, no-cache")])
        slow.go_on.set()
        app = Shared(slow, Said())
        assert await asking(app, STANDINGS, **{"if-none-match": '"b"'}) == b"1"
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"if-none-match", tags.encode())]
        scope = {"type": "http", "method": method, "path": STANDINGS, "query_string": b"", "headers": headers}
        await app(scope, lambda: asyncio.sleep(0), send)  # type: ignore[arg-type]
        assert sent[0]["status"] == 304
        assert (b"Content-Length", b"1") not in sent[0]["headers"]
        assert sent[1]["body"] == b""
        assert slow.made == 1

    asyncio.run(main())


def test_a_question_for_the_head_alone_is_told_all_but_the_page() -> None:
    async def main() -> None:
        slow = Slow([(b"ETag", b'W/"a"'), (b"Content-Length", b"1")])
        slow.go_on.set()
        app = Shared(slow, Said())
        told = [await answered(app, STANDINGS, method=one) for one in ("HEAD", "GET")]
        assert [body for body, _ in told] == [b"", b"1"]
        assert told[0][1] == told[1][1]
        assert told[0][1]["etag"] == 'W/"a"'
        assert slow.made == 1

    asyncio.run(main())


def test_who_refuses_gzip_does_not_share_with_who_takes_it() -> None:
    async def main() -> None:
        slow = Slow()
        slow.go_on.set()
        app = Shared(slow, Said())
        asked = ("gzip, br", "gzip;q=0.5", "gzip;q=0, br", "gzip; q=0.000")
        told = [await asking(app, STANDINGS, **{"accept-encoding": one}) for one in asked]
        assert told == [b"1", b"1", b"2", b"2"]

    asyncio.run(main())


PAGE_SAYS = [(b"Cache-Control", b"public, no-cache"), (b"Vary", b"Accept-Encoding, Cookie")]


def test_a_part_under_the_newest_version_is_for_every_cache_and_under_any_other_for_none() -> None:
    async def main() -> None:
        slow, said = Slow(PAGE_SAYS), Said()
        slow.go_on.set()
        app = Shared(slow, said)
        said.say("event:cup", "aa")
        body, headers = await answered(app, STANDINGS, "page=2&part=live&v=aa", cookie="theme=dark")
        assert (body, headers["cache-control"], headers["vary"]) == (
            b"1", "public, max-age=3600, immutable", "Accept-Encoding",
        )  # fmt: skip
        assert slow.asked == {}, "the look of one reader is in no page of all"
        # whoever heard it gets the same, and asks the page nothing that has a version in it
        assert (await answered(app, STANDINGS, "page=2&part=live&v=aa"))[0] == b"1"
        assert (await answered(app, STANDINGS, "page=2&part=live"))[1]["cache-control"] == "public, no-cache"
        assert slow.made == 1
        said.say("event:cup", "bb")
        for version, made in (("aa", b"2"), ("bb", b"3"), ("0" * 16, b"4"), ("bb", b"3")):
            body, headers = await answered(app, STANDINGS, f"page=2&part=live&v={version}")
            newest = version == "bb"
            assert (body, "immutable" in headers["cache-control"]) == (made, newest), version
            assert newest or headers["cache-control"] == "no-store"
        # a page has no version, whatever its address says
        assert (await answered(app, STANDINGS, "v=bb"))[1]["cache-control"] == FOR_A_SECOND

    asyncio.run(main())


#: Whoever is no proxy of ours asks each time.
FOR_A_SECOND = "public, no-cache, stale-while-revalidate=1"


@pytest.mark.parametrize(
    ("path", "query", "headers", "kept"),
    [
        (STANDINGS, "", PAGE_SAYS, True),
        (STANDINGS, "page=2", PAGE_SAYS, True),
        (STANDINGS, "part=live", PAGE_SAYS, False),
        (STANDINGS, "part=live&page=2", PAGE_SAYS, False),
        (STANDINGS, "page=2&part=live", PAGE_SAYS, False),
        ("/zh/", "", PAGE_SAYS, False),
        (STANDINGS, "", [(b"Cache-Control", b"public, max-age=30")], False),
        (STANDINGS, "", [(b"Cache-Control", b"no-store")], False),
        (STANDINGS, "", [*PAGE_SAYS, (b"Set-Cookie", b"a=b")], False),
    ],
    ids=["page", "next page", "part", "part first", "part last", "of no event", "frozen", "kept by none", "a cookie"],
)  # fmt: skip
def test_only_a_whole_page_of_an_event_is_kept_for_a_second(
    path: str, query: str, headers: list[tuple[bytes, bytes]], kept: bool
) -> None:
    async def main() -> None:
        slow = Slow([*headers, (b"ETag", b'W/"a"')])
        slow.go_on.set()
        app = Shared(slow, Said())
        for asked in ({}, {"if-none-match": 'W/"a"'}):
            _, found = await answered(app, path, query, **asked)
            assert (found.get("x-accel-expires") == "1") == kept
            assert (found["cache-control"] == FOR_A_SECOND) == kept
            # nginx until 1.22 takes the first of both for the rule
            assert not kept or list(found).index("x-accel-expires") < list(found).index("cache-control")
        _, found = await answered(app, path, query, cookie="sessionid=mine")
        assert "x-accel-expires" not in found
        assert "public" not in found["cache-control"]

    asyncio.run(main())


def test_what_was_made_before_its_version_was_told_is_not_kept_under_it() -> None:
    async def main() -> None:
        slow, said = Slow(PAGE_SAYS), Said()
        app = Shared(slow, said)
        said.say("event:cup", "aa")
        asked = asyncio.create_task(answered(app, STANDINGS, "part=live&v=aa"))
        await soon()
        said.say("event:cup", "bb")
        slow.go_on.set()
        assert (await asked)[1]["cache-control"] == "no-store"

    asyncio.run(main())


def test_a_version_that_was_not_heard_here_yet_gets_nothing_that_was_kept() -> None:
    """The stream may be another process, and quicker: what this one keeps is older than the news."""

    async def main() -> None:
        slow, said = Slow(PAGE_SAYS), Said()
        slow.go_on.set()
        app = Shared(slow, said)
        assert await asking(app, STANDINGS) == b"1"
        assert (await answered(app, STANDINGS, "part=live"))[0] == b"2"
        body, headers = await answered(app, STANDINGS, "part=live&v=cc")
        assert (body, headers["cache-control"]) == (b"3", "no-store")
        assert (await answered(app, STANDINGS, "part=live"))[0] == b"2"
        assert app._next == app._making == {}

    asyncio.run(main())


@pytest.mark.parametrize("query", ["", "part=live", "part=live&v=aa"])
def test_no_cache_on_the_way_keeps_what_one_reader_is_answered_by_himself(query: str) -> None:
    async def main() -> None:
        slow, said = Slow([(b"Cache-Control", b"public, max-age=30")]), Said()
        slow.go_on.set()
        app = Shared(slow, said)
        said.say("event:cup", "aa")
        _, headers = await answered(app, STANDINGS, query, cookie="sessionid=mine")
        assert headers["cache-control"] == "private, max-age=30"
        stranger = Shared(Slow([(b"Cache-Control", b"public, max-age=30"), (b"Set-Cookie", b"a=b")]), said)
        stranger._inner.go_on.set()  # type: ignore[attr-defined]
        _, headers = await answered(stranger, STANDINGS, query)
        assert "private" in headers["cache-control"] or headers["cache-control"] == "no-store"

    asyncio.run(main())

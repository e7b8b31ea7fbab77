"""Two processes of the service make a public page once between them, over a real Redis."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import redis
from django.conf import settings

from referee.serving.bodies import MOST_BYTES, Bodies, name_of
from referee.serving.shared_answers import Shared
from tests.referee.serving.test_shared_answers import PAGE_SAYS, STANDINGS, Said, Slow, answered

pytestmark = pytest.mark.skipif(not settings.REDIS_URL, reason="one laptop has one process")


class Processes:
    """Two caches with pages of their own, which hear the same."""

    def __init__(self, headers: list[tuple[bytes, bytes]] | None = None, bodies: Callable[[], Bodies] = Bodies) -> None:
        self.inner = Slow([*PAGE_SAYS, (b"ETag", b'W/"a"')] if headers is None else headers)
        self.inner.go_on.set()
        self.heard = (Said(), Said())
        self.apps = [Shared(self.inner, heard, bodies()) for heard in self.heard]
        self.event = f"event:{secrets.token_hex(8)}"
        self.page = STANDINGS.replace("cup", self.event.removeprefix("event:"))

    def say(self, version: str = "") -> None:
        for heard in self.heard:
            heard.say(self.event, version)

    async def ask(self, process: int, version: str = "", **headers: str) -> bytes:
        query = f"part=live&v={version}" if version else ""
        body, said = await answered(self.apps[process], self.page, query, **headers)
        assert said["vary"] == "Accept-Encoding"
        assert not version or said["cache-control"] == "public, max-age=3600, immutable"
        return body


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


def test_what_one_process_has_made_the_other_gives() -> None:
    async def main() -> None:
        both = Processes()
        both.say("aa")
        assert [await both.ask(0, "aa"), await both.ask(1, "aa"), await both.ask(0, "aa")] == [b"1", b"1", b"1"]
        # packed is another one; so is the whole page
        assert [await both.ask(one, "aa", **{"accept-encoding": "gzip"}) for one in (0, 1)] == [b"2", b"2"]
        assert [await both.ask(one) for one in (1, 0)] == [b"3", b"3"]
        both.say("bb")
        assert [await both.ask(one, "bb") for one in (1, 0)] == [b"4", b"4"]

    run(main)


def test_who_asks_two_processes_at_once_has_it_made_once() -> None:
    async def main() -> None:
        both = Processes()
        both.say("aa")
        both.inner.go_on.clear()
        asked = [asyncio.create_task(both.ask(number % 2, "aa")) for number in range(20)]
        while not both.inner.made:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.1)
        both.inner.go_on.set()
        assert {await one for one in asked} == {b"1"}

    run(main)


def test_nobody_is_given_what_was_made_before_something_else_was_said() -> None:
    async def main() -> None:
        both = Processes()
        both.say("aa")
        assert await both.ask(0) == b"1"
        # no stranger is told of it, so that the version is the same: a name was mended
        both.say()
        assert [await both.ask(one) for one in (0, 1)] == [b"2", b"3"]
        # said while it is made: not for others
        both.say("bb")
        both.inner.go_on.clear()
        asked = asyncio.create_task(both.ask(0))
        while both.inner.made < 4:
            await asyncio.sleep(0.001)
        both.say()
        both.inner.go_on.set()
        assert [await asked, await both.ask(1)] == [b"4", b"5"]

    run(main)


def test_nothing_is_shared_without_a_version_nor_under_another_release(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        both = Processes()
        assert [await both.ask(0), await both.ask(1)] == [b"1", b"2"]
        both.heard[0].say(both.event, "aa")
        assert [await both.ask(0), await both.ask(1)] == [b"3", b"2"]
        both.say("bb")
        assert await both.ask(0, "bb") == b"4"
        monkeypatch.setattr(settings, "VERSION", "another")
        assert await both.ask(1, "bb") == b"5"

    run(main)


@pytest.mark.parametrize("headers", [[(b"Set-Cookie", b"a=b")], None], ids=["a cookie", "signed in"])
def test_what_is_for_one_reader_is_not_in_redis(headers: list[tuple[bytes, bytes]] | None) -> None:
    async def main() -> None:
        both = Processes(headers)
        both.say("aa")
        cookie = {"cookie": "sessionid=mine"} if headers is None else {}
        for one in (0, 1, 0):
            body, said = await answered(both.apps[one], both.page, "", **cookie)
            assert "public" not in said["cache-control"]
            assert body == b"%d" % both.inner.made
        assert both.inner.made == 3

    run(main)


def test_a_process_that_dies_while_it_makes_a_page_keeps_others_waiting_for_a_moment_only() -> None:
    async def main() -> None:
        both = Processes()
        both.say("aa")
        dead = Bodies()
        key = (both.page, b"part=live", frozenset())
        assert await dead.find(name_of("aa", key[0], key[1], sorted(key[2]))) is None
        began = time.monotonic()
        assert await both.ask(0, "aa") == b"1"
        assert 0.9 < time.monotonic() - began < 10

    run(main)


def test_without_redis_every_process_makes_its_own() -> None:
    def away() -> Any:
        return redis.asyncio.Redis(host="127.0.0.1", port=1, socket_connect_timeout=1)

    async def main() -> None:
        both = Processes(bodies=lambda: Bodies(away))
        both.say("aa")
        assert [await both.ask(0, "aa"), await both.ask(1, "aa"), await both.ask(1, "aa")] == [b"1", b"2", b"2"]

    run(main)


def test_it_is_kept_for_some_seconds_and_never_large() -> None:
    async def main() -> None:
        both = Processes()
        both.say("aa")
        await both.ask(0, "aa")
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            name = name_of("aa", both.page, b"part=live", [])
            assert 0 < client.pttl(name) <= 5000
            both.say("bb")
            both.inner.times = MOST_BYTES + 1
            assert len(await both.ask(0, "bb")) > MOST_BYTES
            large = name_of("bb", both.page, b"part=live", [])
            assert client.exists(large, f"{large}:making") == 0

    run(main)

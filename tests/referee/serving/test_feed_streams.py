"""The feed kept open: every line once and in order, from any cursor, however readers come, lag and go."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from django.utils import timezone

from referee.serving import feed_streams, streams
from referee.serving.feed_streams import Feeds, Line
from tests.referee.serving.test_streams import Reader
from tests.tournaments.playing import event, sittings_of
from tournaments.acts.announce import feed_topic
from tournaments.acts.hub import Hub, encoded_for_all
from tournaments.log.numbering import number_all


class Feed:
    """A feed that grows when it is told to; it counts how often it is read."""

    def __init__(self, size: int) -> None:
        self.size, self.reads = size, 0

    def event(self, slug: str) -> tuple[int, int] | None:
        return (1, self.size - 1) if slug == "cup" else None

    def lines(self, _event: int, after: int, limit: int = 3) -> list[Line]:
        self.reads += 1
        return [(n, f"id: {n}\ndata: {{}}\n\n".encode()) for n in range(after + 1, self.size)][:limit]


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Feed:
    made = Feed(10)
    monkeypatch.setattr(feed_streams, "read_event", made.event)
    monkeypatch.setattr(feed_streams, "read_lines", made.lines)
    monkeypatch.setattr(feed_streams, "KEPT", 5)
    return made


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Hub:
    settings.REDIS_URL = ""
    own = Hub()
    monkeypatch.setattr(streams, "feeds", Feeds(own))
    monkeypatch.setattr(streams, "places", streams.Places(most=40))
    return own


@pytest.fixture
def run(hub: Hub) -> Callable[[Callable[[], Coroutine[Any, Any, None]]], None]:
    def whole(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def then_stop() -> None:
            try:
                await main()
            finally:
                hub.stop()

        asyncio.run(then_stop())

    return whole


def grow(hub: Hub, feed: Feed, size: int) -> None:
    feed.size = size
    hub._deliver(feed_topic("cup"), encoded_for_all({"what": "feed"}, public=True), time.time())


def numbers(reader: Reader) -> list[int]:
    return [int(line[4:]) for line in reader.body.splitlines() if line.startswith(b"id: ")]


async def until(reader: Reader, last: int) -> list[int]:
    async with asyncio.timeout(10):
        while not (found := numbers(reader)) or found[-1] < last:
            await asyncio.sleep(0.001)
    return numbers(reader)


async def nobody_reads(hub: Hub) -> None:
    assert streams.places.held.total() == 0
    assert streams.feeds._tails == {}
    async with asyncio.timeout(10):
        while hub.size:
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("after", ["", "?after=-1", "?after=0", "?after=8", "?after=9", "?after=11"])
def test_every_line_once_and_in_order_from_any_cursor(run: Any, hub: Hub, feed: Feed, after: str) -> None:
    async def main() -> None:
        reader = Reader(f"/live/feed/cup/{after}")
        first = int(after.partition("=")[2] or -1) + 1
        if first < 10:
            await until(reader, 9)
        for size in (11, 12, 30):
            await asyncio.sleep(0.01)
            grow(hub, feed, size)
        assert await until(reader, 29) == list(range(first, 30))
        assert reader.headers[b"content-type"] == b"text/event-stream; charset=utf-8"
        assert reader.headers[b"access-control-allow-origin"] == b"*"
        await reader.leave()
        await nobody_reads(hub)

    run(main)


def test_a_browser_that_comes_back_goes_on_where_it_was(run: Any, hub: Hub, feed: Feed) -> None:
    async def main() -> None:
        reader = Reader("/live/feed/cup/?after=2")
        reader.scope["headers"].append((b"last-event-id", b"6"))  # type: ignore[attr-defined]
        assert await until(reader, 9) == [7, 8, 9]
        await reader.leave()

    run(main)


def test_many_readers_cost_one_reading(run: Any, hub: Hub, feed: Feed) -> None:
    async def main() -> None:
        readers = [Reader("/live/feed/cup/?after=9", client=f"10.0.1.{n}") for n in range(20)]
        for one in readers:
            await one.settled()
        await asyncio.sleep(0.05)
        before = feed.reads
        grow(hub, feed, 12)
        for one in readers:
            assert await until(one, 11) == [10, 11]
        await asyncio.sleep(0.01)
        assert feed.reads - before <= 3
        for one in readers:
            await one.leave()

    run(main)


def test_a_lost_announcement_is_made_up_for(run: Any, hub: Hub, feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_streams, "LOOK_SECONDS", 0.02)

    async def main() -> None:
        reader = Reader("/live/feed/cup/?after=9")
        await reader.settled()
        feed.size = 13
        assert await until(reader, 12) == [10, 11, 12]
        await reader.leave()

    run(main)


@pytest.mark.parametrize(
    ("address", "method", "host", "status"),
    [
        ("/live/feed/none/", "GET", "127.0.0.1", 404),
        ("/live/feed/cup/?after=x", "GET", "127.0.0.1", 400),
        ("/live/feed/cup/?after=-2", "GET", "127.0.0.1", 400),
        ("/live/feed/cup/?after=9999999999999999999", "GET", "127.0.0.1", 400),
        ("/live/feed/cup/", "POST", "127.0.0.1", 405),
        ("/live/feed/cup/", "GET", "elsewhere.example", 400),
        ("/live/feed/a/b/", "GET", "127.0.0.1", 404),
    ],
)
def test_what_is_refused(run: Any, feed: Feed, address: str, method: str, host: str, status: int) -> None:
    async def main() -> None:
        reader = Reader(address, method=method, host=host)
        await reader.task
        assert reader.status == status
        assert streams.places.held.total() == 0

    run(main)


def test_strangers_have_so_many_places(run: Any, feed: Feed, settings: Any) -> None:
    settings.STREAMS_PER_ADDRESS = 1

    async def main() -> None:
        first = Reader("/live/feed/cup/")
        await until(first, 9)
        second = Reader("/live/feed/cup/")
        await second.task
        assert second.status == 429
        await first.leave()

    run(main)


def test_it_ends_in_order_when_the_service_stops(run: Any, hub: Hub, feed: Feed) -> None:
    async def main() -> None:
        reader = Reader("/live/feed/cup/")
        await until(reader, 9)
        streams.close()
        await reader.task
        assert reader.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
        await nobody_reads(hub)

    run(main)


@pytest.mark.long
def test_an_open_feed_tells_a_hand_by_itself(live_server: Any) -> None:
    made = event(2)
    sitting = sittings_of(made.running((1, 2)))[0]
    number_all(at=timezone.now())
    found: list[Any] = []
    with urllib.request.urlopen(f"{live_server}/live/feed/{made.tournament.slug}/", timeout=20) as stream:
        for line in stream:
            if not line.startswith(b"data: "):
                continue
            found.append(json.loads(line[6:]))
            said = [one["what"] for one in found[-1]["public"]]
            if "hand" in said:
                break
            if {"what": "round", "round": 1, "status": "running"} in found[-1]["public"]:
                made.hand(sitting, 35)
                number_all(at=timezone.now())
    assert [one["number"] for one in found] == list(range(len(found)))
    assert found[-1]["public"] == [{"what": "hand", "round": 1, "table": 1, "hand": 1}]

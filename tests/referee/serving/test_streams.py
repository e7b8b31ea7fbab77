"""The streams' own application: who is let in, who is refused, how a stream lives and ends.

Asked directly, as a server would; no server and no database, but for the last test.
"""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from django.core.signing import Signer

from referee.parts import live
from referee.serving import streams
from tests.tournaments.playing import event, sittings_of
from tournaments.acts.hub import HELLO, OVER, Hub, encoded, encoded_for_all
from tournaments.models import Device, User

SITTING = "/live/sitting/7/"
PHONE = Device(pk=3)


class Reader:
    """One request to the application, as a server hands it over."""

    def __init__(self, address: str, client: str = "10.0.0.1", method: str = "GET", host: str = "127.0.0.1") -> None:
        path, _, query = address.partition("?")
        self.scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(b"host", host.encode())],
            "client": (client, 1234),
        }
        self.sent: list[Any] = []
        self.gone = asyncio.Event()
        self.task = asyncio.create_task(streams.application(self.scope, self.receive, self.send))

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    async def settled(self) -> Reader:
        for _ in range(8):
            await asyncio.sleep(0)
        return self

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])

    async def leave(self) -> None:
        self.gone.set()
        await self.task


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Hub:
    settings.REDIS_URL = ""
    own = Hub()
    monkeypatch.setattr(streams, "hub", own)
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


def test_a_stream_is_greeted_told_and_forgotten(run: Any, hub: Hub) -> None:
    async def main() -> None:
        stranger = await Reader("/live/event/cup/").settled()
        assert stranger.status == 200
        assert stranger.headers[b"content-type"] == b"text/event-stream; charset=utf-8"
        assert stranger.headers[b"x-accel-buffering"] == b"no"
        assert b"no-store" in stranger.headers[b"cache-control"]
        assert stranger.body == streams.RETRY + HELLO
        hub._deliver("event:cup", encoded_for_all({"what": "round", "id": 1}, public=True), time.time())
        hub._deliver("event:cup", encoded_for_all({"what": "job", "id": 1}, public=False), time.time())
        await stranger.settled()
        assert stranger.body == streams.RETRY + HELLO + encoded({"what": "round", "v": hub.version("event:cup")[0]})
        await stranger.leave()
        assert hub.size == 0
        assert streams.places.held.total() == 0
        assert streams.places.strangers == 0

    run(main)


def test_a_pass_hears_everything_and_only_what_is_new(run: Any, hub: Hub) -> None:
    async def main() -> None:
        hub._start()
        hub._hears_since = time.time() - 100
        phone = await Reader(live.with_pass(SITTING, PHONE)).settled()
        assert phone.body == streams.RETRY
        hub._deliver("sitting:7", encoded_for_all({"what": "sitting", "id": 7, "number": 2}, public=False), time.time())
        await phone.settled()
        assert phone.body == streams.RETRY + encoded({"what": "sitting", "id": 7, "number": 2})
        await phone.leave()

    run(main)


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"{SITTING}?pass=", 200),
        (f"{SITTING}?pass=u1.1.x", 403),
        (live.with_pass("/live/sitting/8/", PHONE).replace("/8/", "/7/"), 403),
        ("/live/sitting/x/", 404),
        ("/live/sitting/" + "9" * 19 + "/", 404),
        ("/live/event/a.b/", 404),
        ("/live/nothing/1/", 404),
    ],
    ids=["no pass", "broken pass", "pass of another table", "no number", "large number", "bad name", "no such kind"],
)
def test_what_is_no_stream(run: Any, address: str, status: int) -> None:
    async def main() -> None:
        reader = await Reader(address).settled()
        assert reader.status == status
        await reader.leave()

    run(main)


@pytest.mark.parametrize(("more", "status"), [({"method": "POST"}, 405), ({"host": "evil.example"}, 400)])
def test_another_method_or_host_is_refused(run: Any, more: dict[str, str], status: int) -> None:
    async def main() -> None:
        assert (await Reader(SITTING, **more).settled()).status == status

    run(main)


@pytest.mark.long
def test_a_pass_is_over_after_half_an_hour_and_so_is_its_stream(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    given = live.with_pass(SITTING, User(pk=1)).partition("?pass=")[2]
    assert live.read_pass(SITTING, given, now + 1700) == live.Pass("u1", int(given.split(".")[1]) / 1000)
    assert live.read_pass(SITTING, given, now + 1900) is None
    assert live.read_pass(SITTING, given, now - 100) is None
    assert live.read_pass("/live/sitting/70/", given, now) is None
    foreign = Signer(sep=".", salt="live:" + SITTING, key="another key").sign(f"u1.{int(now * 1000)}")
    assert live.read_pass(SITTING, foreign, now) is None

    async def main() -> None:
        monkeypatch.setattr(live, "PASS_SECONDS", 1.0)
        reader = Reader(live.with_pass(SITTING, PHONE))
        await asyncio.wait_for(reader.task, 5)
        assert reader.sent[-1] == {"type": "http.response.body", "body": OVER, "more_body": False}

    run(main)


def test_a_stream_ends_when_its_holder_may_hear_it_no_longer(run: Any, hub: Hub) -> None:
    """A phone that was signed out hears the end; its old pass opens nothing, a new one of the same holder does."""

    async def main() -> None:
        given = live.with_pass(SITTING, PHONE)
        phone = await Reader(given).settled()
        other = await Reader(live.with_pass(SITTING, Device(pk=4))).settled()
        hub._deliver("holder:d3", encoded_for_all({"what": "over"}, public=False), time.time())
        await asyncio.wait_for(phone.task, 5)
        assert phone.sent[-1] == {"type": "http.response.body", "body": OVER, "more_body": False}
        assert not other.task.done()
        assert (await Reader(given).settled()).status == 403
        hub._over["d3"] = time.time() - 5
        assert (await Reader(live.with_pass(SITTING, PHONE)).settled()).status == 200
        assert (await Reader("/live/event/cup/").settled()).status == 200

    run(main)


def test_strangers_never_take_the_places_of_phones(run: Any, settings: Any) -> None:
    """Forty places: strangers get thirty, eight of one address; a phone always finds its own, but no more than some."""
    settings.STREAMS_PER_ADDRESS = 8

    async def main() -> None:
        crowd = [Reader("/live/event/cup/", client="10.0.0.9") for _ in range(20)]
        await crowd[-1].settled()
        assert [one.status for one in crowd].count(200) == 8
        refused = next(one for one in crowd if one.status != 200)
        assert refused.status == 429
        assert (refused.headers[b"retry-after"], refused.headers[b"connection"]) == (b"60", b"close")
        others = [Reader("/live/event/cup/", client=f"10.0.1.{number}") for number in range(30)]
        await others[-1].settled()
        assert [one.status for one in others].count(200) == 22
        assert {one.status for one in others} == {200, 503}
        phones = [Reader(live.with_pass(SITTING, Device(pk=number)), client="10.0.0.9") for number in range(10)]
        await phones[-1].settled()
        assert {one.status for one in phones} == {200}
        # who leaves makes room
        await next(one for one in crowd if one.status == 200).leave()
        assert (await Reader("/live/event/cup/", client="10.0.0.9").settled()).status == 200

    run(main)


def test_one_holder_of_a_pass_cannot_take_them_all(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_OF_HOLDER", 3)

    async def main() -> None:
        found = [Reader(live.with_pass(SITTING, PHONE)) for _ in range(5)]
        await found[-1].settled()
        assert sorted(one.status for one in found) == [200, 200, 200, 429, 429]

    run(main)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
    ],
)
def test_of_ipv6_a_whole_network_is_one_reader(first: str, second: str, same: bool) -> None:
    assert (streams._reader({"client": (first, 1)}) == streams._reader({"client": (second, 1)})) == same


def test_a_stream_that_is_cancelled_ends_in_order(run: Any, hub: Hub) -> None:
    """As the server does when it stops: an unfinished answer would be a page of traceback for each stream."""

    async def main() -> None:
        reader = await Reader(SITTING).settled()
        reader.task.cancel()
        await reader.task
        assert reader.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
        assert hub.size == 0

    run(main)


def test_the_process_of_the_streams_says_that_it_is_well(run: Any) -> None:
    async def main() -> None:
        reader = await Reader("/health").settled()
        assert (reader.status, reader.body) == (200, b'{"status": "ok"}')

    run(main)


@pytest.mark.long
@pytest.mark.parametrize("where", ["event", "sitting"])
@pytest.mark.parametrize("trusted", [True, False])
def test_an_open_page_hears_of_a_hand(live_server: Any, where: str, trusted: bool) -> None:
    made = event(2)
    sitting = sittings_of(made.running((1, 2)))[0]
    address = live.event_stream(made.tournament.slug) if where == "event" else live.sitting_stream(sitting.pk)
    asked = live_server + (live.with_pass(address, PHONE) if trusted else address)
    # packed, an event would stay in the packer until more of them came
    request = urllib.request.Request(asked, headers={"Accept-Encoding": "gzip"})
    found = []
    with urllib.request.urlopen(request, timeout=30) as stream:
        assert stream.headers["Content-Encoding"] is None
        for line in stream:
            if line.startswith(b"data: "):
                found.append(json.loads(line[6:]))
                if len(found) == 1:
                    made.hand(sitting, 35)
                else:
                    break
    told = {"what": "sitting", "id": sitting.pk, "number": 1} if trusted else {"what": "sitting"}
    assert trusted == (found[1].pop("v", None) is None)
    assert found == [{"what": "hello"}, told]

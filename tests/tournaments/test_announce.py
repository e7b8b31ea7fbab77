"""Announcements: after commit, to the right pages, through Redis or inside the process; the stream itself."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings as live_settings
from django.db import transaction

from tests.tournaments.playing import event, sittings_of
from tournaments import announce
from tournaments.models import Tournament

both_ways = pytest.mark.parametrize("redis_url", ["", "redis"], ids=["in-process", "redis"])


@pytest.fixture
def way(redis_url: str, settings: Any) -> Iterator[None]:
    if redis_url:
        if not live_settings.REDIS_URL:
            pytest.skip("no Redis here")
        yield
        return
    settings.REDIS_URL = ""
    yield


def listening(topics: list[str], act: Callable[[], None], wait: float) -> dict[str, list[dict[str, Any]]]:
    """What the listeners of these topics hear of `act`, done on another thread as a page's request is."""

    async def main() -> dict[str, list[dict[str, Any]]]:
        listeners = [announce.hub.join(topic) for topic in topics]
        await announce.hub.ready()
        worker = threading.Thread(target=act)
        worker.start()
        heard: dict[str, list[dict[str, Any]]] = {topic: [] for topic in topics}
        await asyncio.sleep(wait)
        for topic, listener in zip(topics, listeners, strict=True):
            while not listener.queue.empty():
                heard[topic].append(await listener.get())
        worker.join()
        for listener in listeners:
            announce.hub.leave(listener)
        return heard

    return asyncio.run(main())


@both_ways
def test_a_message_reaches_its_topic_only(way: None) -> None:
    heard = listening(
        ["event:a", "event:b"], lambda: announce.publish("event:a", {"what": "board", "id": 1, "number": 2}), 0.5
    )
    assert heard == {"event:a": [{"what": "board", "id": 1, "number": 2}], "event:b": []}
    assert announce.hub.size == 0


@both_ways
def test_many_listeners_share_one_subscription(way: None) -> None:
    topics = [f"event:{n % 2}" for n in range(50)]
    heard = listening(topics, lambda: announce.publish("event:1", {"what": "board"}), 0.5)
    assert len(heard["event:1"]) == 25
    assert not heard["event:0"]


@pytest.mark.parametrize("redis_url", ["redis"])
def test_another_service_on_the_same_redis_is_not_heard(way: None, settings: Any) -> None:
    own = settings.REDIS_URL
    address = urlsplit(own)
    other = f"unix://{address.path}?db=15" if address.scheme == "unix" else urlunsplit(address._replace(path="/15"))

    def elsewhere_and_here() -> None:
        for url, number in ((other, 1), (own, 2)):
            settings.REDIS_URL = url
            announce._redis.cache_clear()
            announce.publish("event:a", {"what": "board", "number": number})

    try:
        heard = listening(["event:a"], elsewhere_and_here, 0.5)
    finally:
        announce._redis.cache_clear()
    assert [message["number"] for message in heard["event:a"]] == [2]


def test_a_slow_reader_keeps_the_newest(settings: Any) -> None:
    settings.REDIS_URL = ""

    async def main() -> list[object]:
        listener = announce.hub.join("event:slow")
        for number in range(100):
            announce.publish("event:slow", {"what": "board", "number": number})
        await asyncio.sleep(0)
        got = [(await listener.get())["number"] for _ in range(listener.queue.qsize())]
        announce.hub.leave(listener)
        return got

    got = asyncio.run(main())
    assert len(got) == announce.QUEUE_SIZE
    assert got[-1] == 99


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("commits", [True, False])
def test_nothing_is_told_before_the_commit(commits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made = event(0)
    told: list[tuple[str, object]] = []
    monkeypatch.setattr(announce, "publish", lambda topic, message: told.append((topic, message["number"])))

    def act() -> None:
        with transaction.atomic():
            announce.announce(made.tournament.pk, "sitting", 5, 7)
            assert told == []
            if not commits:
                raise ZeroDivisionError

    if commits:
        act()
        assert told == [(f"event:{made.tournament.slug}", 7), ("sitting:5", 7)]
    else:
        with pytest.raises(ZeroDivisionError):
            act()
        assert told == []


@pytest.mark.django_db(transaction=True)
def test_a_dead_redis_refuses_no_act(settings: Any) -> None:
    made = event(0)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    announce._redis.cache_clear()
    try:
        announce.announce(made.tournament.pk, "standings", None, 1)
    finally:
        announce._redis.cache_clear()


def read_stream(url: str, act: Callable[[], None]) -> list[dict[str, Any]]:
    """The greeting and the next message of a stream; `act` happens after the greeting."""
    found = []
    with urllib.request.urlopen(url, timeout=5) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.headers["X-Accel-Buffering"] == "no"
        assert "no-cache" in stream.headers["Cache-Control"]
        for line in stream:
            if line.startswith(b"data: "):
                found.append(json.loads(line[6:]))
                if len(found) == 1:
                    act()
                else:
                    break
    return found


@pytest.mark.parametrize("where", ["event", "sitting"])
def test_an_open_page_hears_of_a_hand(live_server: Any, where: str) -> None:
    made = event(2)
    sitting = sittings_of(made.running((1, 2)))[0]
    address = f"/live/event/{made.tournament.slug}/" if where == "event" else f"/live/sitting/{sitting.pk}/"
    greeting, message = read_stream(live_server + address, lambda: made.hand(sitting, 35))
    assert greeting == {"what": "hello"}
    assert message == {"what": "sitting", "id": sitting.pk, "number": 1}
    assert Tournament.objects.count() == 1


def test_streams_only_answer_get(live_server: Any) -> None:
    request = urllib.request.Request(live_server + "/live/event/x/", method="POST", data=b"")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=5)
    assert refused.value.code in (403, 405)


def test_a_full_house_is_asked_to_poll(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.parts.live.MOST_LISTENERS", 0)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(live_server + "/live/event/x/", timeout=5)
    assert (refused.value.code, refused.value.headers["Retry-After"]) == (503, "30")

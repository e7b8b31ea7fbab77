"""Tells open pages that something changed, never what: the page fetches the fragment it shows.

With REDIS_URL set, messages travel over Redis, a channel for each topic, to every process of the service; on one laptop
they stay in the process. Strangers are told only of what their own pages may show (`public`): never of a hand that
waits, a call, a draft, a job, or of a table whose boards others have still to play. Losing a message is harmless: pages
poll when a stream ends, and look again when the subscription comes back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from ..models import Device, Sitting, Tournament, User
from ..models.events import ON_BOARDS
from .hub import HOLDER, Message, channel, encoded_for_all, hub, new_version
from .resting import asking

What = Literal["standings", "board", "sitting", "round", "job", "attendance"]

#: Told whether a mark was set: False where it stood already, None where nobody could be asked.
Marked = Callable[[bool | None], None]
#: A topic, a message, and whether strangers hear of it.
Said = tuple[str, Message, bool]


@dataclass(slots=True)
class _Together:
    """What is sent in one go: messages, and marks of the cache by key, with the seconds they last and who is told."""

    said: list[Said] = field(default_factory=list)
    marks: dict[str, tuple[float, Marked]] = field(default_factory=dict)


_kept: ContextVar[_Together | None] = ContextVar("said", default=None)

logger = logging.getLogger(__name__)


def event_topic(slug: str) -> str:
    return f"event:{slug}"


def sitting_topic(sitting_id: int) -> str:
    return f"sitting:{sitting_id}"


def feed_topic(slug: str) -> str:
    return f"feed:{slug}"


def holder_of(who: User | Device) -> str:
    """Who holds a pass to a stream: a person, or a phone's place."""
    return f"d{who.pk}" if isinstance(who, Device) else f"u{who.pk}"


def announce(
    tournament_id: int, what: What, id: int | None = None, number: int | None = None, *, public: bool = False
) -> None:
    """After the running transaction commits, tell the pages of an event (and of a sitting) that `what` changed.

    `id` is the sitting or round, `number` the version that is now true. `public`: strangers may see what changed; of a
    sitting on boards they hear nothing all the same. Never raises: a result that is saved must not fail because nobody
    could be told.
    """
    transaction.on_commit(lambda: say(tournament_id, what, id, number, public=public), robust=True)


def announce_act(tournament_id: int) -> None:
    """After the running transaction commits, say that something of an event changed which no open page has to fetch:
    pages that are kept for the next reader are made anew."""
    transaction.on_commit(lambda: publish(event_topic(_slug(tournament_id)), {"what": None}, public=False), robust=True)


def announce_feed(tournament_id: int) -> None:
    """After the running transaction commits, say that the feed of an event has new lines."""
    transaction.on_commit(lambda: publish(feed_topic(_slug(tournament_id)), {"what": "feed"}, public=True), robust=True)


def announce_tables(sitting_ids: Iterable[int]) -> None:
    """After the running transaction commits, tell the phones at these tables, which only hear of their own sitting."""
    ids = list(sitting_ids)
    transaction.on_commit(lambda: _announce_tables(ids), robust=True)


def announce_over(*holders: User | Device) -> None:
    """After the running transaction commits, end the streams of these: their offices, sessions or places have changed.

    What was lost is over at once; who may still listen has a page that asks for a new pass. Where this announcement is
    lost, the passes that are out live to their own end.
    """
    names = [holder_of(who) for who in holders]
    transaction.on_commit(lambda: _announce_over(names), robust=True)


@contextmanager
def together() -> Iterator[None]:
    """What is said in the block is sent at its end, to Redis in one go, with the marks that are set in it."""
    if _kept.get() is not None:
        yield
        return
    kept = _Together()
    before = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(before)
        _send(kept)


def mark(key: str, seconds: float, then: Marked) -> None:
    """Set a mark of the cache, with what is said `together`, unless it stands; `then` is told whether it was set."""
    kept = _kept.get()
    if kept is None:
        _send(_Together(marks={key: (seconds, then)}))
    else:
        kept.marks[key] = (seconds, then)


def _announce_over(names: list[str]) -> None:
    with together():
        for name in names:
            publish(f"{HOLDER}{name}", {"what": "over"}, public=False)


def _announce_tables(ids: list[int]) -> None:
    with together():
        for pk in ids:
            publish(sitting_topic(pk), {"what": "round", "id": pk, "number": None}, public=True)


def say(
    tournament_id: int,
    what: What,
    id: int | None,
    number: int | None,
    *,
    public: bool,
    on_boards: bool | None = None,
) -> None:
    """As `announce`, now: for who knows that it is committed, and perhaps whether the sitting is on boards."""
    # one version, whether a page hears of the sitting or of its event
    message: Message = {"what": what, "id": id, "number": number, "v": new_version()}
    with together():
        if what == "sitting" and id is not None:
            public = public and not (_on_boards(id) if on_boards is None else on_boards)
            publish(sitting_topic(id), message, public=public)
        publish(event_topic(_slug(tournament_id)), message, public=public)


@lru_cache(maxsize=1024)
def _slug(tournament_id: int) -> str:
    return str(Tournament.objects.values_list("slug", flat=True).get(pk=tournament_id))


@lru_cache(maxsize=8192)
def _on_boards(sitting_id: int) -> bool:
    """Whether others play the same boards; then even how often a table is heard of would tell of them."""
    return Sitting.objects.filter(pk=sitting_id, round__stage__format__in=ON_BOARDS).exists()


def publish(topic: str, message: Message, *, public: bool) -> None:
    """Send a message to every listener of `topic`, in this process or through Redis."""
    kept = _kept.get()
    if kept is None:
        _send(_Together([(topic, message, public)]))
    else:
        kept.said.append((topic, message, public))


def _send(kept: _Together) -> None:
    if not kept.said and not kept.marks:
        return
    if not settings.REDIS_URL:
        for topic, message, public in kept.said:
            hub.deliver(topic, message, public=public)
        for key, (seconds, then) in kept.marks.items():
            then(cache.add(key, 1, seconds))
        return
    answers: list[bool | None]
    try:
        with asking(), _redis().pipeline(transaction=False) as pipeline:
            for topic, message, public in kept.said:
                pipeline.publish(channel(topic), encoded_for_all(message, public=public))
            for key, (seconds, _) in kept.marks.items():
                pipeline.set(cache.make_key(key), 1, ex=int(seconds), nx=True)  # as `cache.add` does
            answers = [bool(one) for one in pipeline.execute()[len(kept.said) :]]
    except redis.RedisError as error:
        logger.warning("announcement lost, pages will poll: %s", error, extra={"sparing": "redis"})
        answers = [None] * len(kept.marks)
    for (_, then), answer in zip(kept.marks.values(), answers, strict=True):
        then(answer)


@lru_cache(maxsize=1)
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1)

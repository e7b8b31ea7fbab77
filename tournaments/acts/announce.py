"""Tells open pages that something changed, never what: the page fetches the fragment it shows.

With REDIS_URL set, messages travel over Redis, a channel for each topic, to every process of the service; on one laptop
they stay in the process. Strangers are told only of what their own pages may show (`public`): never of a hand that
waits, a call, a draft, a job, or of a table whose boards others have still to play. Losing a message is harmless: pages
poll when a stream ends, and look again when the subscription comes back.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Literal

import redis
from django.conf import settings
from django.db import transaction

from ..models import Device, Sitting, Tournament, User
from ..models.events import ON_BOARDS
from .hub import HOLDER, Message, channel, encoded_for_all, hub, new_version
from .resting import asking

What = Literal["standings", "board", "sitting", "round", "job", "attendance"]

#: A topic, a message, and whether strangers hear of it.
Said = tuple[str, Message, bool]
#: What is to be sent `together`.
_kept: ContextVar[list[Said] | None] = ContextVar("said", default=None)

logger = logging.getLogger(__name__)


def event_topic(slug: str) -> str:
    return f"event:{slug}"


def sitting_topic(sitting_id: int) -> str:
    return f"sitting:{sitting_id}"


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
    transaction.on_commit(lambda: _announce(tournament_id, what, id, number, public), robust=True)


def announce_act(tournament_id: int) -> None:
    """After the running transaction commits, say that something of an event changed which no open page has to fetch:
    pages that are kept for the next reader are made anew."""
    transaction.on_commit(lambda: publish(event_topic(_slug(tournament_id)), {"what": None}, public=False), robust=True)


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
    """What is said in the block is sent at its end, to Redis in one go."""
    if _kept.get() is not None:
        yield
        return
    said: list[Said] = []
    before = _kept.set(said)
    try:
        yield
    finally:
        _kept.reset(before)
        _send(said)


def _announce_over(names: list[str]) -> None:
    with together():
        for name in names:
            publish(f"{HOLDER}{name}", {"what": "over"}, public=False)


def _announce_tables(ids: list[int]) -> None:
    with together():
        for pk in ids:
            publish(sitting_topic(pk), {"what": "round", "id": pk, "number": None}, public=True)


def _announce(tournament_id: int, what: What, id: int | None, number: int | None, public: bool) -> None:
    # one version, whether a page hears of the sitting or of its event
    message: Message = {"what": what, "id": id, "number": number, "v": new_version()}
    with together():
        if what == "sitting" and id is not None:
            public = public and not _on_boards(id)
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
        _send([(topic, message, public)])
    else:
        kept.append((topic, message, public))


def _send(said: list[Said]) -> None:
    if not said:
        return
    if not settings.REDIS_URL:
        for topic, message, public in said:
            hub.deliver(topic, message, public=public)
        return
    try:
        with asking(), _redis().pipeline(transaction=False) as pipeline:
            for topic, message, public in said:
                pipeline.publish(channel(topic), encoded_for_all(message, public=public))
            pipeline.execute()
    except redis.RedisError as error:
        logger.warning("announcement lost, pages will poll: %s", error, extra={"sparing": "redis"})


@lru_cache(maxsize=1)
def _redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1)

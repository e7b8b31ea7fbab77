"""The side that writes: a code made at the desk, the agreement with the laptop that brings it, and what it is given."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from ..acts import signing
from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Change, Line, carry_out
from ..acts.rows import find_tournament
from ..copies.making import make_copy
from . import feed, kept, terms
from .channel import Channel, NotOurs, Side, new_code, plain, spaced
from .errors import FollowFailed

GOOD_FOR: Final = timedelta(minutes=15)
_CODE: Final = "following.code"
_TRIES: Final = "following.tries"
#: Wrong frames after which a code is void.
MOST_TRIES: Final = 10
_SEEN: Final = "following.seen."
_KNOWN_SECONDS: Final = 3600


def make_code(*, tournament_id: int, actor: Actor, at: datetime) -> str:
    """A code for one other laptop, good for a quarter of an hour; one made before is void."""

    def decide() -> Change[str]:
        event = find_tournament(tournament_id)
        admitted = require(actor, Act.PAIR_FOLLOWER, tournament=event)
        return Change(admitted, new_code(), lines=(Line(Act.PAIR_FOLLOWER),))

    code = carry_out(decide, actor, at)
    kept.write(kept.CODE, {"code": plain(code), "until": (at + GOOD_FOR).isoformat()})
    cache.delete(_TRIES)
    return code


def _pending(at: datetime) -> str:
    """The code that is still good; refused: `no_follow_code`."""
    said = kept.read(kept.CODE)
    if not said.get("code") or at > datetime.fromisoformat(said["until"]):
        raise FollowFailed("no_follow_code")
    return str(said["code"])


def code_now(at: datetime) -> str:
    """The code that is still good, as it is typed; empty where there is none."""
    try:
        return spaced(_pending(at))
    except FollowFailed:
        return ""


def agree(public: str, at: datetime) -> dict[str, str]:
    """Answer the laptop that comes with its key: ours, the name of the pairing, and a frame that only who has the code
    can read. Nothing is kept before it has proved that (`opened`). Refused: `no_follow_code`."""
    code = _pending(at)
    side, name = Side.new(), secrets.token_hex(8)
    try:
        channel = side.agree(public, code, writes=True)
    except NotOurs:
        raise FollowFailed("no_follow_code") from None
    keys = [key.public_bytes_raw().hex() for key in signing.believed()]
    told = {"keys": keys, "version": settings.VERSION}
    cache.set(_CODE + name, channel.kept, GOOD_FOR.total_seconds())
    return {"name": name, "public": side.public, "frame": channel.close_json(told, f"{name} agreed").hex()}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request over the channel of a pairing: what is asked, and how it is answered."""

    name: str
    once: str
    said: Mapping[str, Any]
    channel: Channel

    def answer(self, data: bytes) -> bytes:
        return self.channel.close(data, f"{self.name} {self.once} answer")

    def answer_json(self, said: Any) -> bytes:
        return self.channel.close_json(said, f"{self.name} {self.once} answer")


def opened(name: str, once: str, frame: bytes, at: datetime) -> Asked:
    """A request of a follower. The first one that can be read proves the code, which is used up by it.

    Refused: `follower_not_known`.
    """
    known = kept.read(kept.FOLLOWERS)
    held = known[name]["channel"] if name in known else cache.get(_CODE + name)
    if held is None:
        raise FollowFailed("follower_not_known")
    channel = Channel.of(held)
    try:
        said = channel.open_json(frame, f"{name} {once}")
    except NotOurs:
        _count_wrong()
        raise FollowFailed("follower_not_known") from None
    if name not in known:
        _pending(at)
        kept.write(
            kept.FOLLOWERS, known | {name: {"channel": held, "at": at.isoformat(), "key": str(said.get("key", ""))}}
        )
        kept.write(kept.CODE, {})
        cache.delete(_CODE + name)
    return Asked(name, once, said, channel)


def _count_wrong() -> None:
    cache.add(_TRIES, 0, GOOD_FOR.total_seconds())
    if cache.incr(_TRIES) >= MOST_TRIES:
        kept.write(kept.CODE, {})


def answered(asked: Asked, at: datetime) -> bytes:
    """Do what a follower asks: a copy, what came since, or to hear that it took over."""
    what = asked.said.get("ask")
    if what == "copy":
        with tempfile.TemporaryDirectory(prefix="referee-follower-") as folder:
            return asked.answer(make_copy(Path(folder), at).path.read_bytes())
    if what == "over":
        told = [terms.heard(json.dumps(one), at) for one in asked.said.get("terms", ())]
        return asked.answer_json({"heard": sum(told)})
    cache.set(_SEEN + asked.name, at.isoformat(), _KNOWN_SECONDS)
    return asked.answer_json(feed.since(asked.said, at))


@dataclass(frozen=True, slots=True)
class Follower:
    """A laptop that follows this one, and when it last asked (None: not within the hour)."""

    name: str
    paired_at: datetime
    seen_at: datetime | None


def followers() -> list[Follower]:
    """Who may receive everything from here."""
    found = []
    for name, one in kept.read(kept.FOLLOWERS).items():
        seen = cache.get(_SEEN + name)
        found.append(Follower(name, datetime.fromisoformat(one["at"]), seen and datetime.fromisoformat(seen)))
    return sorted(found, key=lambda one: one.paired_at)


def forget(*, tournament_id: int, name: str, actor: Actor, at: datetime) -> None:
    """A laptop that is not to receive anything any more."""

    def decide() -> Change[None]:
        admitted = require(actor, Act.PAIR_FOLLOWER, tournament=find_tournament(tournament_id))
        return Change(admitted, None, lines=(Line(Act.PAIR_FOLLOWER, new={"ended": name}),))

    carry_out(decide, actor, at)
    kept.write(kept.FOLLOWERS, {one: said for one, said in kept.read(kept.FOLLOWERS).items() if one != name})

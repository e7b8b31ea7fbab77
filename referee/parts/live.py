"""Addresses of live streams. A page that may show more than a stranger's hands its reader a pass in the address.

A pass names its holder and when the page was drawn, and is signed for that one stream; so the streams ask no database.
It is good for half an hour, or until its holder loses an office, a session or the place: then the stream ends, and the
page asks for itself again and takes the new pass, where there is one (`live.js`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.core.signing import BadSignature, Signer

from tournaments.acts.announce import event_topic, holder_of, sitting_topic
from tournaments.models import Device, User

PASS_SECONDS = 1800.0
#: A pass may come from a machine whose clock is ahead of ours by so much.
AHEAD_SECONDS = 60.0


def event_stream(slug: str) -> str:
    """The address of the changes of one event: its board, standings, sittings and rounds."""
    return f"/live/event/{slug}/"


def sitting_stream(sitting_id: int) -> str:
    """The address of the changes of one sitting."""
    return f"/live/sitting/{sitting_id}/"


def topic_of(kind: str, name: str) -> str:
    """What a stream of `kind` (event or sitting) listens to; `name` is the slug or the id in its address."""
    return event_topic(name) if kind == "event" else sitting_topic(int(name))


@dataclass(frozen=True, slots=True)
class Pass:
    """Who holds it, when its page was drawn, until when it is good (seconds of the clock)."""

    holder: str
    drawn: float

    @property
    def ends(self) -> float:
        return self.drawn + PASS_SECONDS


def with_pass(address: str, who: User | Device) -> str:
    """The address of a stream for somebody whose page has been let in."""
    return f"{address}?pass={_signer(address).sign(f'{holder_of(who)}.{time.time_ns() // 1_000_000}')}"


def read_pass(address: str, text: str, now: float) -> Pass | None:
    """The pass to the stream at `address`; None when it is none, for another stream or over."""
    try:
        holder, _, drawn = _signer(address).unsign(text).partition(".")
    except BadSignature:
        return None
    found = Pass(holder, int(drawn) / 1000)
    return found if found.drawn - AHEAD_SECONDS <= now < found.ends else None


def _signer(address: str) -> Signer:
    return Signer(sep=".", salt=f"live:{address}")

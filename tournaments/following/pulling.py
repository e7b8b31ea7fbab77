"""The side that follows: it brings the code, receives a copy, and then asks every moment for what came since."""

from __future__ import annotations

import json
import logging
import secrets
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.core.cache import cache
from django.db import close_old_connections
from django.utils import timezone

from scoring.values import Text

from ..acts import signing
from ..acts.errors import SENTENCES
from ..copies import databases
from ..copies.restoring import restore
from ..models import Elsewhere, Tournament
from . import applying, kept, terms
from .channel import Channel, NotOurs, Side, in_json, plain
from .errors import FollowFailed

log = logging.getLogger(__name__)

EVERY_SECONDS: Final = 0.7
#: How often the laptop that was taken over from is told so, until it has heard it.
TELL_SECONDS: Final = 5.0
_WAIT: Final = 5
_COPY_WAIT: Final = 120
_STATE: Final = "following.state"
LOG_KEY: Final = "log_key"
_open: Final = build_opener(ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class State:
    """How following goes: from where, when it last had everything (None: not since this start), and what stops it."""

    address: str
    at: datetime | None
    problem: Text | None


def state() -> State | None:
    """None where this installation follows nobody."""
    said = kept.read(kept.FOLLOWING)
    if not said:
        return None
    told: dict[str, Any] = cache.get(_STATE) or {}
    at = told.get("at")
    return State(said["address"], None if at is None else datetime.fromisoformat(at), told.get("problem"))


def begin(address: str, code: str, at: datetime) -> None:
    """Pair with the laptop at this address by the code from its desk, and put its copy in the place of the database.

    Refused, with nothing changed: `wrong_follow_code`, `leader_away`, `follow_other_version`, and what `restore`
    refuses. Afterwards the process has to start anew: it has another key.
    """
    if databases.kind() != "sqlite":
        raise FollowFailed("follow_needs_laptop")
    if not plain(code):
        raise FollowFailed("wrong_follow_code")
    side = Side.new()
    answer = json.loads(_post(address, "/follow/pair/", in_json({"public": side.public})))
    channel = side.agree(answer["public"], code, writes=False)
    name = str(answer["name"])
    try:
        told = channel.open_json(bytes.fromhex(answer["frame"]), f"{name} agreed")
    except NotOurs:
        raise FollowFailed("wrong_follow_code") from None
    if told["version"] != settings.VERSION:
        raise FollowFailed("follow_other_version")
    own = secrets.token_urlsafe(64)
    said = {"address": address, "name": name, "channel": channel.kept, "keys": told["keys"]}
    packed = _ask(said, {"ask": "copy", "key": signing.key_of(own)}, wait=_COPY_WAIT)
    # said before the copy is here: whatever happens in between, it is never written to as if it were the first's
    kept.write(kept.FOLLOWING, said | {"copied": False})
    try:
        with tempfile.TemporaryDirectory(prefix="referee-follow-") as folder:
            file = Path(folder, "copy.zip")
            file.write_bytes(packed)
            restore(file, at)
    except Exception:
        kept.forget(kept.FOLLOWING)
        raise
    kept.put_text(LOG_KEY, own)
    kept.write(kept.FOLLOWING, said | {"copied": True})


def mark() -> None:
    """Every event that came in the copy is only followed here; before anything is served."""
    if kept.is_following():
        Tournament.objects.filter(elsewhere="").update(elsewhere=Elsewhere.FOLLOWED)


def pull_once() -> list[int]:
    """Ask for what came since and keep it; the events that moved. Refused: `leader_away`, `feed_bent`."""
    said = kept.read(kept.FOLLOWING)
    keys = [Ed25519PublicKey.from_public_bytes(bytes.fromhex(one)) for one in said["keys"]]
    known: dict[str, Any] = cache.get(_STATE) or {}
    asked = applying.have() | {"people": known.get("people", ""), "answers": known.get("answers", 0)}
    told = json.loads(_ask(said, {"ask": "since", **asked}))
    moved = applying.apply(told, keys)
    ids = [row[told["answers"]["columns"].index("id")] for row in told["answers"]["rows"]]
    cache.set(
        _STATE,
        {
            "at": timezone.now().isoformat(),
            "people": told.get("people_digest", asked["people"]),
            "answers": max(ids, default=asked["answers"]),
        },
        None,
    )
    return moved


def tell_over() -> bool:
    """Tell the laptop that wrote before that its term is over; whether it has heard it."""
    said = kept.read(kept.FOLLOWED)
    if not said:
        return True
    try:
        _ask(said, {"ask": "over", "terms": list(terms.ours())})
    except FollowFailed:
        return False
    kept.write(kept.FOLLOWED, {})
    return True


@contextmanager
def following() -> Iterator[None]:
    """Follow, and after taking over tell the one before, on a thread until the block ends."""
    stopping = threading.Event()

    def go() -> None:
        while not stopping.is_set():
            close_old_connections()
            wait = EVERY_SECONDS
            try:
                if kept.is_following():
                    _step()
                else:
                    tell_over()
                    wait = TELL_SECONDS
            except Exception:
                log.exception("following failed; it is tried again")
                wait = TELL_SECONDS
            stopping.wait(wait)

    thread = threading.Thread(target=go, name="following", daemon=True)
    if kept.is_following() or kept.read(kept.FOLLOWED):
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        if thread.is_alive():
            thread.join(_WAIT + 1)


def _step() -> None:
    try:
        pull_once()
    except FollowFailed as failed:
        known: dict[str, Any] = cache.get(_STATE) or {}
        if known.get("problem") != failed.message:
            log.warning("nothing received: %s", failed.message["en"])
        cache.set(_STATE, known | {"problem": failed.message}, None)


def _ask(said: dict[str, Any], what: dict[str, Any], *, wait: int = _WAIT) -> bytes:
    """An answer over the channel. Refused: `leader_away`, `follower_not_known`."""
    channel, once = Channel.of(said["channel"]), secrets.token_hex(12)
    frame = channel.close_json(what, f"{said['name']} {once}")
    body = in_json({"name": said["name"], "once": once, "frame": frame.hex()})
    packed = _post(said["address"], "/follow/", body, wait=wait)
    try:
        return channel.open(packed, f"{said['name']} {once} answer")
    except NotOurs:
        raise FollowFailed("leader_away") from None


def _post(address: str, path: str, body: bytes, *, wait: int = _WAIT) -> bytes:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise FollowFailed("follow_address")
    request = Request(  # noqa: S310  http and https only, as just looked
        f"{address.rstrip('/')}{path}", body, {"Content-Type": "application/json"}
    )
    try:
        with _open.open(request, timeout=wait) as answer:
            return bytes(answer.read())
    except HTTPError as error:
        raise _refused(error) from None
    except (OSError, ValueError):
        raise FollowFailed("leader_away") from None


def _refused(error: HTTPError) -> FollowFailed:
    """What the other side answered, in its own words where it has any."""
    try:
        code = str(json.loads(error.read())["code"])
    except (ValueError, KeyError, TypeError, OSError):
        code = ""
    return FollowFailed(code if code in SENTENCES else "leader_away")

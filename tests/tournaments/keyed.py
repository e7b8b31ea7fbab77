"""An act as a door carries it out: once for its key."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from tournaments.acts.admission import Actor
from tournaments.acts.keys import Keyed, Repeat, do_once


def keyed(key: str, act: Callable[..., Any], *, actor: Actor, at: datetime, **asked: Any) -> dict[str, Any]:
    """What is answered to the act, sent with a key: the first time and every other time."""
    sent = json.dumps([act.__name__, asked], sort_keys=True, default=str).encode()
    done = do_once(
        Keyed.of(actor.scope, key, [sent]),
        lambda: act(actor=actor, at=at, **asked),
        lambda result: (True, answer_of(result)),
        actor=actor,
        at=at,
    )
    return dict(done.answer or {}) if isinstance(done, Repeat) else answer_of(done)


def answer_of(done: Any) -> dict[str, Any]:
    """What a door says of an act on a ledger, as plain values."""
    row = getattr(done, "entry", None)
    return {
        "entry": None if row is None else row.pk,
        "answer": getattr(done, "answer", ""),
        "status": getattr(done, "status", ""),
        "revision": getattr(done, "revision", None),
    }

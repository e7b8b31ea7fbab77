"""Copies that make themselves: at every draw, close and publication, else every few minutes while anything happens."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache

from scoring.values import Text

from ..acts import history
from ..acts.access import Act
from .errors import CopyFailed, of_disk
from .files import Copy, copies_in
from .making import forget_old, make_copy, manifest_of

log = logging.getLogger(__name__)

EVERY: Final = timedelta(minutes=5)
#: After these a copy is made at once.
AT_ONCE: Final = (
    Act.PAIR,
    Act.PUBLISH_PAIRING,
    Act.SUPERSEDE_PAIRING,
    Act.CLOSE_ROUND,
    Act.PUBLISH,
    Act.BEGIN_STAGE,
)
_PROBLEM: Final = "copies.problem"
_BUSY: Final = "copies.busy"
_BUSY_SECONDS: Final = 600


@dataclass(frozen=True, slots=True)
class State:
    """What the desk tells: where copies go (None: nowhere), the newest, how many there are, and what stops them."""

    folder: Path | None
    newest: Copy | None = None
    count: int = 0
    problem: Text | None = None


def copy_if_due(*, at: datetime) -> Copy | None:
    """Make a copy where one is due, and let old ones go. What stops it is told at the desk, and loses nothing."""
    folder: Path | None = settings.COPIES
    if folder is None or not cache.add(_BUSY, 1, _BUSY_SECONDS):
        return None
    try:
        made = _made(folder, at)
    except CopyFailed as failed:
        if cache.get(_PROBLEM) != failed.message:
            log.warning("no copy was made: %s", failed.message["en"])
        cache.set(_PROBLEM, dict(failed.message), None)
        return None
    finally:
        cache.delete(_BUSY)
    cache.delete(_PROBLEM)
    return made


def _made(folder: Path, at: datetime) -> Copy | None:
    try:
        newest = next(iter(copies_in(folder)), None)
        if not _is_due(newest, at):
            return None
        made = make_copy(folder, at)
        forget_old(folder, at)
    except OSError as error:
        raise of_disk(error) from error
    return made


def _is_due(newest: Copy | None, at: datetime) -> bool:
    """Whether something happened since the newest copy that asks for another one now."""
    if newest is None:
        return history.acts_after(0)
    return history.acts_after(_last_act(newest), AT_ONCE if at - newest.at < EVERY else None)


def _last_act(copy: Copy) -> int:
    """The newest row of the history in a copy; of a copy that cannot be read none, so that a better one is made."""
    try:
        return manifest_of(copy.path).last_act
    except CopyFailed:
        return 0


def state_of_copies() -> State:
    """What is known of the copies now."""
    folder: Path | None = settings.COPIES
    if folder is None:
        return State(None)
    told: Mapping[str, Any] | None = cache.get(_PROBLEM)
    problem: Text | None = None if told is None else {"en": told["en"], "zh": told["zh"]}
    try:
        found = copies_in(folder)
    except OSError as error:
        failed = of_disk(error).message
        return State(folder, problem=problem or {"en": failed["en"], "zh": failed["zh"]})
    return State(folder, next(iter(found), None), len(found), problem)

"""Where copies lie, what they are called, and which are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"referee-(\d{8}T\d{6}Z)\.zip")
#: How long copies are kept: all of the last hour, of the last day one an hour, of the last month one a day.
KEPT: Final[Sequence[tuple[timedelta, timedelta]]] = (
    (timedelta(hours=1), timedelta(0)),
    (timedelta(days=1), timedelta(hours=1)),
    (timedelta(days=31), timedelta(days=1)),
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A whole copy and when it was made."""

    path: Path
    at: datetime


def name_of(at: datetime) -> str:
    """``referee-20260501T090000Z.zip``: the name says the time, so that no clock of a stick has to be believed."""
    return f"referee-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}.zip"


def copies_in(folder: Path) -> list[Copy]:
    """The copies in a folder, the newest first. One that is still being written has another name."""
    found = []
    for path in folder.iterdir():
        if named := _NAME.fullmatch(path.name):
            found.append(Copy(path, datetime.strptime(named[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)))
    return sorted(found, key=lambda one: one.at, reverse=True)


def not_kept(copies: Sequence[Copy], now: datetime) -> list[Copy]:
    """Those of the copies, newest first, that the rule lets go; the newest is always kept.

    Looked through from the oldest on: of those that are too near to an older one, the older stays. The other way round
    each would go as soon as it is an hour old, for a younger one is always near.
    """
    going, last = [], None
    for one in reversed(copies):
        step = next((step for age, step in KEPT if now - one.at <= age), None)
        if one is not copies[0] and (step is None or (last is not None and one.at - last.at < step)):
            going.append(one)
        else:
            last = one
    return going

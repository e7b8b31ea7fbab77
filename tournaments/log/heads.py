"""Signed heads of a log: how its tree stood. They stand in the database and in a file beside it (`HEADS`).

Who can write into the database can make it forget a head, but neither the file nor the signature. A line of the file is
the head as JSON with its signature and the key that checks it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from django.conf import settings

from ..acts import signing
from ..acts.text import canonical_json
from ..models import LogHead, Tournament
from .merkle import Frontier

FORMAT: Final = "referee/head/1"


@dataclass(frozen=True, slots=True)
class Head:
    """The tree of an event when it had `size` leaves. `root`: 64 hexadecimal figures."""

    event: int
    size: int
    root: str
    at: datetime
    signature: str = ""

    @property
    def text(self) -> str:
        """What is signed."""
        at = self.at.astimezone(UTC).isoformat()
        return canonical_json({"format": FORMAT, "event": self.event, "size": self.size, "root": self.root, "at": at})

    @property
    def line(self) -> str:
        said = json.loads(self.text) | {"signature": self.signature, "key": signing.public_key()}
        return canonical_json(said)

    @classmethod
    def of_row(cls, row: LogHead) -> Self:
        return cls(row.tournament_id, row.size, row.root, row.at, row.signature)

    @classmethod
    def of_line(cls, said: dict[str, Any]) -> Self:
        return cls(said["event"], said["size"], said["root"], datetime.fromisoformat(said["at"]), said["signature"])


def signed(event: int, size: int, root: bytes, at: datetime) -> Head:
    """A head of this moment, signed."""
    bare = Head(event, size, root.hex(), at)
    return Head(event, size, bare.root, at, signing.sign(bare.text))


def frontier(row: LogHead) -> Frontier:
    """The tree under a head of the database, as it is kept there to grow on."""
    return Frontier(row.size, tuple(map(bytes.fromhex, json.loads(row.frontier))))


def file_of(event: Tournament) -> Path:
    """Where the heads of an event are kept beside the database. The commitment of its lots tells it from an event of
    another database that had the same id."""
    return Path(settings.HEADS, f"{event.pk}-{event.lot_commitment[:16] or 'imported'}.ndjson")


def in_file(event: Tournament) -> Iterator[Head]:
    """The heads in the file, as they were written; none where it is not there. A line cut off by a crash is passed."""
    try:
        lines = file_of(event).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            yield Head.of_line(json.loads(line))
        except (ValueError, KeyError, TypeError):
            continue


def put_aside(stamp: str) -> None:
    """The database is another one now: the heads of the one before go into a folder with the time in its name."""
    folder, aside = Path(settings.HEADS), Path(settings.HEADS, f"before-{stamp}")
    for path in folder.glob("*.ndjson"):
        aside.mkdir(mode=0o700, exist_ok=True)
        path.rename(aside / path.name)


def keep(event: Tournament) -> None:
    """Write into the file what it has not got yet; on the disk before this returns."""
    last = max((one.size for one in in_file(event)), default=0)
    rows = LogHead.objects.filter(tournament=event, size__gt=last).order_by("size")
    text = "".join(Head.of_row(row).line + "\n" for row in rows)
    if not text:
        return
    path = file_of(event)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    signing.write_down()
    if path.exists() and not path.read_bytes().endswith(b"\n"):
        text = "\n" + text  # a crash cut the last line off: what is written now must stand on a line of its own
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())

"""The old disk looked through: what it acknowledged and nobody received becomes a list, applied by nobody.

The database of the laptop before, its data folder or a copy of it, is read as it is: every signed leaf of an event that
was taken over and that our log has not got. Texts are opened with the salts that lie beside them there.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.db.models import JSONField

from ..acts import signing
from ..acts.access import Act
from ..acts.admission import SYSTEM, Actor, require
from ..acts.change import AddAll, Change, Line, Move, carry_out
from ..acts.errors import NotFound, clean_text
from ..acts.leaves import commitment, opened
from ..acts.protected import Column
from ..acts.rows import find_tournament
from ..acts.text import canonical_json
from ..copies.making import unpacked
from ..models import LogLeaf, Tournament, UnderReview
from .errors import FollowFailed
from .feed import TABLES

DATABASE: Final = "referee.sqlite3"
NOTE_LENGTH: Final = 300


@dataclass(frozen=True, slots=True)
class Looked:
    """What a disk had of an event: acts that nobody received, those of them that are new in our list, and leaves that
    no key known here has signed, which are not listed."""

    event: Tournament
    missing: int
    listed: int
    not_signed: int


def look_through(path: Path, at: datetime) -> Sequence[Looked]:
    """List what a disk has and our logs have not, of every event that goes on here in a later term.

    Refused: `not_a_disk` for what is neither a data folder, a database nor a copy.
    """
    events = list(Tournament.objects.filter(elsewhere="", terms__isnull=False).distinct().order_by("pk"))
    if not events:
        raise FollowFailed("nothing_taken_over")
    with _opened(path) as disk:
        return [_of_event(disk, event, at) for event in events]


def _of_event(disk: sqlite3.Connection, event: Tournament, at: datetime) -> Looked:
    there = disk.execute(
        "SELECT lot_commitment FROM tournaments_tournament WHERE id = ? AND lot_commitment = ?",
        (event.pk, event.lot_commitment),
    ).fetchone()
    if there is None:
        return Looked(event, 0, 0, 0)
    ours = set(LogLeaf.objects.filter(tournament=event).values_list("digest", flat=True))
    keys, missing, not_signed = signing.believed(), list[UnderReview](), 0
    rows = disk.execute("SELECT * FROM tournaments_logleaf WHERE tournament_id = ? ORDER BY id", (event.pk,))
    for leaf in rows:
        if leaf["digest"] in ours:
            continue
        body = opened(leaf["body"], leaf["signature"], keys)
        if body is None:
            not_signed += 1
            continue
        missing.append(_found(disk, event, leaf, body, at))
    new = _list(event, missing, at)
    return Looked(event, len(missing), new, not_signed)


def _list(event: Tournament, missing: Sequence[UnderReview], at: datetime) -> int:
    def decide() -> Change[int]:
        known = set(UnderReview.objects.filter(tournament=event).values_list("digest", flat=True))
        new = [one for one in missing if one.digest not in known]
        admitted = require(SYSTEM, Act.SETTLE_REVIEW, tournament=event)
        lines = (Line(Act.SETTLE_REVIEW, new={"listed": len(new)}),) if new else ()
        return Change(admitted, len(new), (AddAll(new),), lines)

    return carry_out(decide, SYSTEM, at)


def _found(
    disk: sqlite3.Connection, event: Tournament, leaf: sqlite3.Row, body: Mapping[str, Any], at: datetime
) -> UnderReview:
    return UnderReview(
        tournament=event,
        digest=leaf["digest"],
        body=leaf["body"],
        signature=leaf["signature"],
        sitting_id=leaf["sitting_id"],
        done_at=datetime.fromisoformat(body["at"]),
        what=_what(disk, body, json.loads(leaf["salts"])),
        listed_at=at,
    )


def _what(disk: sqlite3.Connection, body: Mapping[str, Any], salts: Mapping[str, str]) -> list[Any]:
    """What an act wrote: of each row its table, how, and its columns, with texts where the disk still has them."""
    told = []
    for table, how, columns, rows in body["rows"]:
        for pk, *values in rows:
            kept, place = TABLES.get(table), f"{table}.{pk}"
            salt = salts.get(place, salts.get("", ""))
            stored = None
            if kept is not None:
                stored = disk.execute(
                    f'SELECT * FROM "{kept.model._meta.db_table}" WHERE id = ?',  # noqa: S608
                    (pk,),
                ).fetchone()
            known = {} if kept is None else {column.name: column for column in kept.columns}
            said = {
                name: _open(known.get(name), value, stored, salt, place)
                for name, value in zip(columns, values, strict=True)
            }
            told.append([table, how, {"id": pk, **said}])
    return told


def _open(column: Column | None, value: Any, stored: sqlite3.Row | None, salt: str, place: str) -> Any:
    """A value as it was; of a text that is no longer there what stands in the leaf."""
    if not (isinstance(value, str) and value.startswith("#")) or column is None or stored is None:
        return value
    raw = stored[column.name] if column.name in stored.keys() else None  # noqa: SIM118  a row has no other way
    if raw is None:
        return value
    plain = json.loads(raw) if column.kind is JSONField else str(raw)
    text = canonical_json(plain) if column.kind is JSONField else str(raw)
    return plain if commitment(salt, f"{place}.{column.name}", text) == value else value


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a disk, read from a copy of its files: nothing is written there."""
    with tempfile.TemporaryDirectory(prefix="referee-review-") as folder:
        if path.suffix == ".zip":
            with unpacked(path) as (said, file, _key):
                if said.database != "sqlite":
                    raise FollowFailed("not_a_disk")
                shutil.copyfile(file, Path(folder, DATABASE))
        else:
            source = path / DATABASE if path.is_dir() else path
            if not source.is_file():
                raise FollowFailed("not_a_disk")
            for end in ("", "-wal"):
                if Path(f"{source}{end}").exists():
                    shutil.copyfile(f"{source}{end}", Path(folder, f"{DATABASE}{end}"))
        with closing(sqlite3.connect(Path(folder, DATABASE))) as disk:
            disk.row_factory = sqlite3.Row
            try:
                disk.execute("SELECT 1 FROM tournaments_logleaf LIMIT 1")
            except sqlite3.DatabaseError:
                raise FollowFailed("not_a_disk") from None
            yield disk


def settle(*, review_id: int, note: str, actor: Actor, at: datetime) -> UnderReview:
    """Say what was done about an act of the old disk: entered again by an official, or left. Refused: `text_missing`,
    `review_settled`."""

    def decide() -> Change[UnderReview]:
        one = UnderReview.objects.select_for_update().filter(pk=review_id).first()
        if one is None:
            raise NotFound()
        admitted = require(actor, Act.SETTLE_REVIEW, tournament=find_tournament(one.tournament_id))
        if one.settled_at is not None:
            raise FollowFailed("review_settled")
        text = clean_text(note, "text", limit=NOTE_LENGTH, required=True)
        to = {"settled_at": at, "settled_by": actor.user, "note": text}
        line = Line(Act.SETTLE_REVIEW, ("review", one), text, new={"digest": one.digest[:16]})
        return Change(admitted, one, (Move(one, to, {"settled_at": None}),), (line,))

    return carry_out(decide, actor, at)


def open_count(event: Tournament) -> int:
    """How many acts of old disks nobody has looked at yet."""
    return UnderReview.objects.filter(tournament=event, settled_at=None).count()

"""What the log of an event tells: its newest head, the whole of it as a document, the receipts of a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ..acts import signing
from ..models import LogHead, LogLeaf, Tournament
from .heads import Head
from .merkle import inclusion

FORMAT: Final = "referee/log/1"
#: So many hexadecimal figures of a digest tell one act from all others of an event, as people write it down.
SHORT: Final = 16


@dataclass(frozen=True, slots=True)
class Receipt:
    """An act about the hands of a table. `what`: the status that it gave the hand, ``device`` for a phone, else empty;
    `number`: its place in the log, None until it has one."""

    digest: str
    number: int | None
    at: datetime
    what: str
    body: str
    signature: str


def newest_heads(event: Tournament, count: int = 1) -> Sequence[Head]:
    """The last heads, the newest first."""
    return [Head.of_row(row) for row in LogHead.objects.filter(tournament=event).order_by("-size")[:count]]


def head_over(event: Tournament, at: datetime) -> Head | None:
    """The first head signed at that moment or after it: it covers every act done before; None where none was yet."""
    row = LogHead.objects.filter(tournament=event, at__gte=at).order_by("size").first()
    return None if row is None else Head.of_row(row)


def log_document(event: Tournament, *, acts: bool = False) -> dict[str, Any]:
    """The log up to its newest head, as `verify` reads it. `acts`: with what the acts wrote, for officials; without
    it nothing of the event is told but how many acts there were, and when."""
    heads = [Head.of_row(row) for row in LogHead.objects.filter(tournament=event).order_by("size")]
    columns = ("number", "digest", "body", "signature") if acts else ("number", "digest")
    size = heads[-1].size if heads else 0
    leaves = LogLeaf.objects.filter(tournament=event, number__lt=size).order_by("number").values(*columns)
    return {
        "format": FORMAT,
        "event": event.pk,
        "slug": event.slug,
        "keys": [key.public_bytes_raw().hex() for key in signing.believed()],
        "heads": [
            {**{name: json.loads(one.text)[name] for name in ("size", "root", "at")}, "signature": one.signature}
            for one in heads
        ],
        "leaves": list(leaves),
    }


def receipts_of(sitting_id: int) -> Sequence[Receipt]:
    """The acts about the hands of a table, in their order."""
    rows = LogLeaf.objects.filter(sitting_id=sitting_id).order_by("pk")
    return [_receipt(row) for row in rows]


def _receipt(row: LogLeaf) -> Receipt:
    body = json.loads(row.body)
    at = datetime.fromisoformat(body["at"])
    return Receipt(row.digest, row.number, at, _status(body), row.body, row.signature)


def _status(body: Mapping[str, Any]) -> str:
    """The status that an act gave the hand it is about: the last one it wrote; or that it was about a phone."""
    found = "device" if any(table == "device" for table, *_ in body["rows"]) else ""
    for table, _, columns, rows in body["rows"]:
        if table == "ledgerentry" and "status" in columns:
            found = rows[-1][1 + columns.index("status")]
    return found


@dataclass(frozen=True, slots=True)
class Proof:
    """That an act stands in the log: its place, and the roots beside its way up to the root of the head."""

    number: int
    digest: str
    head: Head
    path: Sequence[str]


def proof_of(event: Tournament, digest: str) -> Proof | None:
    """The proof of an act under the newest head, by its digest or the first figures of it (`SHORT` or more); None where
    the log has no such act, or no head covers it yet."""
    if len(digest) < SHORT or not set(digest) <= set("0123456789abcdef"):
        return None
    heads = newest_heads(event)
    if not heads:
        return None
    leaves = LogLeaf.objects.filter(tournament=event, number__lt=heads[0].size).order_by("number")
    digests = list(leaves.values_list("digest", flat=True))
    number = next((place for place, one in enumerate(digests) if one.startswith(digest)), None)
    if number is None:
        return None
    path = inclusion([bytes.fromhex(one) for one in digests], number)
    return Proof(number, digests[number], heads[0], [one.hex() for one in path])

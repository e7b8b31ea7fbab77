"""What the log of an event tells: its newest head, the whole of it as a document, the receipts of a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from ..acts import signing
from ..models import LogHead, LogLeaf, Term, Tournament, UnderReview
from .heads import Head
from .merkle import Tree

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
        "keys": signing.public_keys(),
        "heads": [
            {**{name: json.loads(one.text)[name] for name in ("size", "root", "at")}, "signature": one.signature}
            for one in heads
        ],
        "leaves": list(leaves),
        "terms": terms_of(event),
        "review": list(UnderReview.objects.filter(tournament=event).values_list("digest", flat=True)),
    }


def terms_of(event: Tournament) -> list[dict[str, Any]]:
    """The installations that went on, in turn."""
    return [_term(one) for one in Term.objects.filter(tournament=event)]


def went_on(event: Tournament) -> bool:
    """Whether another installation wrote the event before this one."""
    return Term.objects.filter(tournament=event).exists()


def _term(one: Term) -> dict[str, Any]:
    """A later installation went on: the last head that it held of the one before, and the key by which it signs."""
    at = one.began_at.astimezone(UTC).isoformat()
    return {"number": one.number, "size": one.head_size, "root": one.head_root, "at": at, "key": one.key}


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
class Place:
    """Where an act stands in the log, and what proves it: the roots beside its way up to the root of the head."""

    number: int
    digest: str
    path: Sequence[str]


@dataclass(frozen=True, slots=True)
class Proofs:
    """What is proved of the newest head. `places`: of each code that was asked for, in order; None where no act has it.
    `growth`: that this head grew out of an earlier one."""

    head: Head
    places: Sequence[Place | None]
    growth: Sequence[str]


def proofs(event: Tournament, codes: Sequence[str], *, earlier: int = 0) -> Proofs | None:
    """Proofs under the newest head; None where there is none yet.

    `codes`: digests of acts or the first figures of them (`SHORT` or more). `earlier`: the size of a head that somebody
    saw before; 0 for none. ValueError where the log was never of that size.
    """
    heads = newest_heads(event)
    if not heads:
        return None
    leaves = LogLeaf.objects.filter(tournament=event, number__lt=heads[0].size).order_by("number")
    digests = list(leaves.values_list("digest", flat=True))
    tree = Tree([bytes.fromhex(one) for one in digests])
    growth = tree.growth(earlier) if earlier else []
    return Proofs(heads[0], [_place(tree, digests, code) for code in codes], _hex(growth))


def _place(tree: Tree, digests: Sequence[str], code: str) -> Place | None:
    if len(code) < SHORT:
        return None
    number = next((place for place, one in enumerate(digests) if one.startswith(code)), None)
    return None if number is None else Place(number, digests[number], _hex(tree.inclusion(number)))


def _hex(roots: Iterable[bytes]) -> list[str]:
    return [one.hex() for one in roots]

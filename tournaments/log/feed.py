"""The feed of an event: what happened, in the log's order, in lines that anybody may read.

A line is an act under a head: its number, digest and time, and what of it is public anyway: a round whose pairing is
published, started or closed, a publication, a hand that counts in live standings that everybody may see. Everything
else an act wrote says nothing here, not even that it was something: only the digest stands. `acts`: with what each act
wrote and its signature, for who may read that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Max

from ..models import EntryStatus, LedgerEntry, LogHead, LogLeaf, Publication, Round, RoundStatus, Sitting, Tournament
from ..models.events import ON_BOARDS

#: Lines in one answer at most.
MOST: Final = 500


def feed_of(event: Tournament, after: int | None, limit: int, *, acts: bool = False) -> list[dict[str, Any]]:
    """The lines after the act of that number (None: from the first one), at most `limit`; six queries."""
    newest = newest_line(event) + 1
    rows = LogLeaf.objects.filter(tournament=event, number__gt=-1 if after is None else after, number__lt=newest)
    leaves = list(rows.order_by("number")[: min(limit, MOST)])
    bodies = [json.loads(one.body) for one in leaves]
    known = _known(event, bodies)
    return [_line(leaf, body, known, acts) for leaf, body in zip(leaves, bodies, strict=True)]


def newest_line(event: Tournament) -> int:
    """The number of the last line; -1 where there is none."""
    return (LogHead.objects.filter(tournament=event).aggregate(most=Max("size"))["most"] or 0) - 1


@dataclass(frozen=True, slots=True)
class _Known:
    """What of the rows of these acts is public: rounds by id, publications by id, hands by the id of their entry."""

    rounds: Mapping[int, int]
    publications: Mapping[int, tuple[int, str]]
    hands: Mapping[int, Mapping[str, int]]


def _known(event: Tournament, bodies: Sequence[Mapping[str, Any]]) -> _Known:
    rounds = Round.objects.filter(tournament=event).exclude(status=RoundStatus.DRAFT)
    publications = Publication.objects.filter(tournament=event, pk__in=_ids(bodies, "publication"))
    entries = LedgerEntry.objects.none()
    if event.live_public:
        entries = LedgerEntry.objects.filter(
            tournament=event, pk__in=_ids(bodies, "ledgerentry"), hand_no__isnull=False
        ).exclude(status__in=(EntryStatus.WAITING, EntryStatus.CONTESTING))
    seats = {
        pk: (round_, table)
        for pk, round_, table in Sitting.objects.filter(
            pk__in={one.sitting_id for one in entries}, round__tournament=event
        )
        .exclude(round__stage__format__in=ON_BOARDS)
        .values_list("pk", "round__number", "table__number")
    }
    return _Known(
        dict(rounds.values_list("pk", "number")),
        {pk: (number, digest) for pk, number, digest in publications.values_list("pk", "number", "digest")},
        {
            one.pk: {"round": seats[one.sitting_id][0], "table": seats[one.sitting_id][1], "hand": one.hand_no or 0}
            for one in entries
            if one.sitting_id in seats
        },
    )


def _ids(bodies: Sequence[Mapping[str, Any]], name: str) -> set[int]:
    return {row[0] for body in bodies for table, _, _, rows in body["rows"] if table == name for row in rows}


def _line(leaf: LogLeaf, body: Mapping[str, Any], known: _Known, acts: bool) -> dict[str, Any]:
    line: dict[str, Any] = {"number": leaf.number, "digest": leaf.digest, "at": body["at"]}
    line["public"] = list(_public(body, known))
    return line | ({"body": leaf.body, "signature": leaf.signature} if acts else {})


def _public(body: Mapping[str, Any], known: _Known) -> Iterator[dict[str, Any]]:
    for table, how, columns, rows in body["rows"]:
        for pk, *values in rows:
            said = dict(zip(columns, values, strict=True))
            status = said.get("status")
            if table == "round" and how == "=" and pk in known.rounds and status in RoundStatus.values:
                if status != RoundStatus.DRAFT:
                    yield {"what": "round", "round": known.rounds[pk], "status": status}
            elif table == "publication" and pk in known.publications:
                number, digest = known.publications[pk]
                yield {"what": "publication", "publication": number, "digest": digest}
            elif table == "ledgerentry" and pk in known.hands and status == EntryStatus.EFFECTIVE:
                yield {"what": "hand", **known.hands[pk]}

"""A published pairing as a document: who meets whom at which table, the digest of its draw, what the checker found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from scoring.hands.findings import Finding

from ..acts.admission import Actor
from ..acts.rows import new_ids
from ..acts.text import canonical_json, text_digest
from ..models import Draw, Match, Pairing, Round
from ..standings.runs import person_of

PAIRING_FORMAT = "referee/pairing/1"


def numbered_pairing(
    round_: Round,
    actor: Actor,
    at: datetime,
    check: Callable[[Round], Iterable[Finding]],
    *,
    draw: Draw | None = None,
    reason: str = "",
    make: Callable[[Pairing], object] = lambda pairing: None,
) -> Pairing:
    """A pairing under the next number of its round, with its document, to be added; `make` replaces its matches.

    A published pairing is never changed, not even to add its document. So its id is taken first, its matches are made
    with that id, and the pairing itself is written last, with the document of how the round then stands.
    """
    last = round_.pairings.order_by("-number").values_list("number", flat=True).first() or 0
    pairing = Pairing(
        id=new_ids(Pairing, 1)[0],
        round=round_,
        number=last + 1,
        draw=draw,
        reason=reason,
        published_at=at,
        published_by=person_of(actor),
    )
    make(pairing)
    pairing.document = canonical_json(pairing_document(pairing, check(_fresh(round_))))
    pairing.digest = text_digest(pairing.document)
    return pairing


def _fresh(round_: Round) -> Round:
    return Round.objects.select_related("tournament", "stage").get(pk=round_.pk)


def pairing_document(pairing: Pairing, found: Iterable[Finding]) -> dict[str, Any]:
    """All matches of the round as they stand with this pairing; ids and numbers, never names."""
    round_ = pairing.round
    rows = Match.objects.filter(round=round_, superseded_in=None).order_by("number")
    draw = pairing.draw
    return {
        "format": PAIRING_FORMAT,
        "stage": round_.stage.number,
        "round": round_.number,
        "number": pairing.number,
        "draw": None if draw is None else {"number": draw.number, "digest": draw.digest},
        "matches": [_match(match) for match in rows.prefetch_related("places", "sittings__table")],
        "findings": [one.to_json() for one in found],
    }


def _match(match: Match) -> dict[str, Any]:
    said: dict[str, Any] = {
        "number": match.number,
        "tables": [
            {"table": sitting.table.number, "room": sitting.room, "game": sitting.game}
            for sitting in match.sittings.all()
            if sitting.active
        ],
    }
    if match.individual:
        said["players"] = [place.entrant_id for place in match.places.all()]
    else:
        said |= {"home": match.home_id, "away": match.away_id}
    places = {"group": match.group, "slot": match.slot, "for_place": match.for_place}
    return said | {name: value for name, value in places.items() if value is not None}

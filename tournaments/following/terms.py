"""Terms of an event: which installation writes it now, said and signed by the one that took over.

Whoever hears of a later term than its own, signed by a laptop it was paired with, writes no more to that event.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import transaction
from django.db.models import Max

from ..acts import signing
from ..acts.rows import read_entries_again
from ..acts.text import canonical_json
from ..models import Elsewhere, Term, Tournament
from . import kept

FORMAT: Final = "referee/term/1"


def number_of(event: Tournament) -> int:
    """The term in which the event is, as far as is known here; the first is 1."""
    return int(Term.objects.filter(tournament=event).aggregate(last=Max("number"))["last"] or 1)


def statement(term: Term) -> dict[str, Any]:
    """That a term began here, as whoever wrote before believes it."""
    said = {
        "format": FORMAT,
        "event": term.tournament_id,
        "lots": term.tournament.lot_commitment,
        "term": term.number,
        "size": term.head_size,
        "root": term.head_root,
        "at": term.began_at.astimezone(UTC).isoformat(),
    }
    return said | {"signature": signing.sign(canonical_json(said))}


def ours() -> Sequence[dict[str, Any]]:
    """The terms that began here."""
    found: Sequence[dict[str, Any]] = kept.read(kept.TERMS).get("terms", [])
    return found


def heard(text: str, at: datetime) -> bool:
    """Hear that a later term began; whether it is one. Then the event is only looked at here.

    Only a laptop that was paired with this one is believed, so that nobody stops an event with a made-up line.
    """
    try:
        said = json.loads(text)
        signature, event = str(said.pop("signature")), int(said["event"])
        number, lots = int(said["term"]), str(said["lots"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    if said.get("format") != FORMAT or not signing.is_signed(canonical_json(said), signature, _paired()):
        return False
    found = Tournament.objects.filter(pk=event, lot_commitment=lots).first()
    if found is None or number <= number_of(found):
        return False
    if found.elsewhere != Elsewhere.OVER:
        end_here(found.pk)
    return True


def end_here(event: int) -> None:
    """Nothing is written to the event here any more, no hand either that was decided before."""
    with transaction.atomic():
        read_entries_again(event)
        Tournament.objects.filter(pk=event).update(elsewhere=Elsewhere.OVER)


def _paired() -> list[Ed25519PublicKey]:
    """The keys by which laptops sign that were paired with this one."""
    found = []
    for one in kept.read(kept.FOLLOWERS).values():
        try:
            found.append(Ed25519PublicKey.from_public_bytes(bytes.fromhex(one.get("key", ""))))
        except ValueError:
            continue
    return found

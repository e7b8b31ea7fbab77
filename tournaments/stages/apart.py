"""Two entrants whom the organiser keeps apart: said, taken back, and what draws take of it.

A row is added for every wish and moved once, when it is taken back; what draws were made by stands in their documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import Q

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Add, Change, Line, Move, carry_out
from ..acts.errors import BAD_REQUEST, CONFLICT, NotFound, Refusal, clean_text
from ..acts.rows import find_tournament
from ..draws.apart import MOST_PAIRS, Wish
from ..models import Entrant, KeptApart, Tournament, WishChoice
from ..standings.runs import person_of

REASON_LENGTH: Final = 300


def keep_apart(
    *, tournament_id: int, actor: Actor, at: datetime, one: int, other: int, force: str, reason: str
) -> KeptApart:
    """Keep two entrants (ids) apart in every draw from now on: `force` is must or rather.

    Refused: `unknown_value`, `not_two_entrants` (not two different ones of this event), `entrant_withdrawn`,
    `kept_apart_already`, `too_many_apart`, and a missing reason.
    """
    if force not in WishChoice.values:
        message = {"en": "force is one of must, rather.", "zh": "force 只能是 must, rather。"}
        raise Refusal("unknown_value", field="force", message=message, status=BAD_REQUEST)

    def decide() -> Change[KeptApart]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.KEEP_APART, tournament=event)
        why = clean_text(reason, "reason", limit=REASON_LENGTH, required=True)
        first, second = _two(event, one, other)
        rows = list(event.kept_apart.all())
        standing = [row for row in rows if row.revoked_at is None]
        if any({row.one_id, row.other_id} == {first.pk, second.pk} for row in standing):
            raise Refusal("kept_apart_already", field="other", status=CONFLICT)
        if len(standing) >= MOST_PAIRS:
            raise Refusal("too_many_apart", field="other")
        row = KeptApart(
            tournament=event,
            number=len(rows) + 1,
            one=first,
            other=second,
            force=force,
            reason=why,
            set_at=at,
            set_by=person_of(actor),
        )
        line = Line(Act.KEEP_APART, ("kept_apart", row), why, new=_said(first, second, force))
        return Change(admitted, row, (Add(row),), (line,))

    return carry_out(decide, actor, at)


def let_meet(*, kept_id: int, actor: Actor, at: datetime, reason: str) -> KeptApart:
    """Take back that two are kept apart. Refused: `may_meet` (that was done already), and a missing reason."""

    def decide() -> Change[KeptApart]:
        row = KeptApart.objects.select_related("tournament", "one", "other").filter(pk=kept_id).first()
        if row is None:
            raise NotFound()
        admitted = require(actor, Act.LET_MEET, tournament=row.tournament)
        why = clean_text(reason, "reason", limit=REASON_LENGTH, required=True)
        if row.revoked_at is not None:
            raise Refusal("may_meet", status=CONFLICT)
        line = Line(Act.LET_MEET, ("kept_apart", row), why, old=_said(row.one, row.other, row.force))
        to = {"revoked_at": at, "revoked_by": person_of(actor), "revoked_why": why}
        return Change(admitted, row, (Move(row, to, still={"revoked_at": None}),), (line,))

    return carry_out(decide, actor, at)


def kept_in(event: Tournament) -> list[KeptApart]:
    """Who is kept apart now, in the order it was said."""
    rows = KeptApart.objects.filter(tournament=event, revoked_at=None).select_related("one", "other", "set_by")
    return list(rows.order_by("number"))


def apart_in(event: Tournament | int, then: datetime | None = None) -> dict[frozenset[Any], Wish]:
    """Who is kept apart, as draws take it: ids, and how much. `then`: at that time; now, where it is left out."""
    rows = KeptApart.objects.filter(tournament=event).order_by("number")
    if then is None:
        rows = rows.filter(revoked_at=None)
    else:
        rows = rows.filter(Q(revoked_at=None) | Q(revoked_at__gt=then), set_at__lte=then)
    found = rows.values_list("one_id", "other_id", "force")
    return {frozenset((one, other)): Wish(force) for one, other, force in found}


def written(apart: Mapping[frozenset[Any], Wish], numbers: Mapping[int, int]) -> list[list[Any]]:
    """As questions and documents have it, in order of the numbers of the entrants, whatever their ids."""
    pairs = [[*sorted(pair, key=numbers.__getitem__), str(wish)] for pair, wish in apart.items()]
    return sorted(pairs, key=lambda row: (numbers[row[0]], numbers[row[1]]))


def _two(event: Tournament, one: int, other: int) -> tuple[Entrant, Entrant]:
    """The two entrants in order of their numbers."""
    found = sorted(event.entrants.filter(pk__in=[one, other]), key=lambda entrant: entrant.number)
    if len(found) != 2:
        raise Refusal("not_two_entrants", field="other", status=BAD_REQUEST)
    if any(entrant.withdrawn_at is not None for entrant in found):
        raise Refusal("entrant_withdrawn", field="other")
    return found[0], found[1]


def _said(one: Entrant, other: Entrant, force: str) -> dict[str, Any]:
    return {"kept": f"{one.number} – {other.number}", "force": str(force)}

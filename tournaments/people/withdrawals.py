"""An entrant leaves the event: what it has not played is forfeited, and the pairing stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from ..acts import history
from ..acts.access import Act, Actor, Admitted, require
from ..acts.change import Change, Line, Move, Told, Write, carry_out
from ..acts.errors import clean_text
from ..acts.rows import locked_entrant
from ..ledger.acting import after
from ..ledger.officials_entries import overruled
from ..models import Entrant, MatchOutcome, RoundStatus, Sitting, SittingPhase, Stage
from ..sittings.ledgers import Ledger, open_ledger
from ..sittings.results import result_writes, unplayed_result
from ..standings.chain import current_stage
from ..standings.results import annuls


def withdraw_entrant(*, entrant_id: int, actor: Actor, at: datetime, reason: str) -> Entrant:
    """An entrant leaves the event: it is paired no more, and its open matches are forfeited, keeping their pairing.

    Before half of a round robin is played, all its results in it are annulled.
    """
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)

    def decide() -> Change[Entrant]:
        entrant = locked_entrant(entrant_id)
        admitted = require(actor, Act.WITHDRAW, tournament=entrant.tournament)
        if entrant.withdrawn_at is not None:
            return Change(admitted, entrant)
        stage = current_stage(entrant.tournament)
        annulled_in = stage if stage is not None and annuls(stage, entrant.pk) else None
        return withdrawn(entrant, admitted, at, reason, annulled_in, _open_matches(entrant))

    return carry_out(decide, actor, at)


def withdrawn(
    entrant: Entrant, admitted: Admitted, at: datetime, reason: str, annulled_in: Stage | None, open_: Sequence[Ledger]
) -> Change[Entrant]:
    """The entrant has left; the matches of these ledgers are ruled lost by it, and claims that wait are overruled."""
    writes: list[Write] = [Move(entrant, {"withdrawn_at": at, "annulled_in": annulled_in})]
    told: list[Told] = []
    for ledger in open_:
        match = ledger.match
        lost = MatchOutcome.HOME_FORFEIT if match.home_id == entrant.pk else MatchOutcome.AWAY_FORFEIT
        result = tuple(result_writes(match, unplayed_result(ledger.stage, lost), at=at))
        claims = overruled(ledger, admitted.actor, at)
        then = after(ledger, claims, at=at, phase=SittingPhase.FINISHED, counts=False, result=result)
        writes += then.writes
        told += [*then.told, Told("sitting", ledger.sitting.pk, then.revision, public=True)]
    forfeited = list(dict.fromkeys(ledger.match.pk for ledger in open_))
    new = {"number": entrant.number, "forfeited": forfeited, "annulled": annulled_in is not None}
    line = Line(Act.WITHDRAW, ("entrant", entrant), reason, new=new)
    return Change(admitted, entrant, tuple(writes), (line,), tuple(told), stale=True)


def _open_matches(entrant: Entrant) -> list[Ledger]:
    """The ledgers of the entrant's matches without a result in published and running rounds, their sittings locked."""
    # a table of single players plays on or is ended by an official: nobody wins by the absence of one
    sittings = Sitting.objects.filter(
        Q(match__home=entrant) | Q(match__away=entrant),
        active=True,
        match__outcome=MatchOutcome.PENDING,
        round__status__in=[RoundStatus.PUBLISHED, RoundStatus.RUNNING],
    ).order_by("pk")
    return [open_ledger(pk, lock=True) for pk in sittings.values_list("pk", flat=True)]

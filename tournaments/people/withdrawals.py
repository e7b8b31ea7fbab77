"""An entrant leaves the event: what it has not played is forfeited, and the pairing stays."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from ..acts import history
from ..acts.access import Act, Actor, require
from ..acts.announce import announce
from ..acts.doorbell import mark_stale
from ..acts.errors import clean_text
from ..acts.rows import locked_entrant
from ..ledger.calls import close_disputes
from ..ledger.judging import write_sitting
from ..models import Entrant, EntryStatus, Match, MatchOutcome, RoundStatus, Sitting, SittingPhase
from ..sittings.ledgers import Ledger, open_ledger
from ..sittings.results import unplayed_result
from ..standings.chain import current_stage
from ..standings.results import annuls
from .entrants import dated


def withdraw_entrant(*, entrant_id: int, actor: Actor, at: datetime, reason: str) -> Entrant:
    """An entrant leaves the event: it is paired no more, and its open matches are forfeited, keeping their pairing.

    Before half of a round robin is played, all its results in it are annulled.
    """
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)
    with transaction.atomic():
        entrant = locked_entrant(entrant_id)
        require(actor, Act.WITHDRAW, tournament=entrant.tournament)
        if entrant.withdrawn_at is not None:
            return entrant
        stage = current_stage(entrant.tournament)
        entrant.withdrawn_at = at
        entrant.annulled_in = stage if stage is not None and annuls(stage, entrant.pk) else None
        dated(entrant, at).save(update_fields=["withdrawn_at", "annulled_in"])
        forfeited = list(dict.fromkeys(_forfeit(ledger, entrant, actor, at) for ledger in _open_matches(entrant)))
        history.record(
            tournament=entrant.tournament,
            actor=actor,
            at=at,
            act=Act.WITHDRAW,
            subject=f"entrant:{entrant.pk}",
            reason=reason,
            new={"number": entrant.number, "forfeited": forfeited, "annulled": entrant.annulled_in_id is not None},
        )
        mark_stale(entrant.tournament_id)
    return entrant


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


def _forfeit(ledger: Ledger, entrant: Entrant, actor: Actor, at: datetime) -> int:
    """Rule one match lost by who withdrew; claims that wait are overruled. Returns the match's id."""
    for claim in ledger.pending:
        ledger.move(claim, EntryStatus.OVERRULED)
    close_disputes(ledger, actor, at)
    match = ledger.match
    at_home = match.home_id == entrant.pk
    result = unplayed_result(ledger.stage, MatchOutcome.HOME_FORFEIT if at_home else MatchOutcome.AWAY_FORFEIT)
    Match.objects.filter(pk=match.pk).update(**result, finished_at=at)
    write_sitting(ledger, at=at, phase=SittingPhase.FINISHED)
    announce(entrant.tournament_id, "sitting", ledger.sitting.pk, ledger.sitting.revision, public=True)
    return match.pk

"""An entrant leaves the event: what it has not played is forfeited, and the pairing stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from ..acts import history
from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import PAGES_MOVED, Change, Line, Move, Told, carry_out, commit
from ..acts.errors import clean_text
from ..acts.rows import locked_entrant
from ..ledger.officials_entries import given_up, ledger_of_match, reopened
from ..models import Entrant, MatchOutcome, RoundStatus, Sitting
from ..sittings.ledgers import Ledger, open_ledger
from ..standings.results import annuls
from ..standings.stage_order import current_stage


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
        forfeited = []
        for ledger in _open_matches(entrant):
            # each is written before the next is decided: other pairs are compared with those who still play
            commit(lost(ledger, entrant, admitted, at), actor, at)
            forfeited.append(ledger.match.pk)
        gone = Move(entrant, {"withdrawn_at": at, "annulled_in": annulled_in})
        new = {"number": entrant.number, "forfeited": forfeited, "annulled": annulled_in is not None}
        line = Line(Act.WITHDRAW, ("entrant", entrant), reason, new=new)
        return Change(admitted, entrant, (gone,), (line,), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


def readmit(*, entrant_id: int, actor: Actor, at: datetime, reason: str, forfeited: Sequence[int]) -> Entrant:
    """An entrant that withdrew by mistake plays on: its results count, and these matches (ids), which its withdrawal
    made forfeits, are open again. Refused where such a match cannot go on."""
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)

    def decide() -> Change[Entrant]:
        entrant = locked_entrant(entrant_id)
        admitted = require(actor, Act.READMIT, tournament=entrant.tournament)
        if entrant.withdrawn_at is None:
            return Change(admitted, entrant)
        for match in sorted(forfeited):
            ledger = ledger_of_match(match)
            then = reopened(ledger, admitted, at, ledger.sitting.revision, reason)
            # the one line of this act tells of them
            goes_on = Change(admitted, None, then.writes, (), then.told, then.stale, then.at_table, tables=then.tables)
            commit(goes_on, actor, at)
        back = Move(entrant, {"withdrawn_at": None, "annulled_in": None}, {"withdrawn_at": entrant.withdrawn_at})
        line = Line(Act.READMIT, ("entrant", entrant), reason, new={"number": entrant.number})
        return Change(admitted, entrant, (back,), (line,), PAGES_MOVED, stale=True)

    return carry_out(decide, actor, at)


def lost(ledger: Ledger, entrant: Entrant, admitted: Admitted, at: datetime) -> Change[None]:
    """A match is ruled lost by the entrant, as the chief referee would rule it."""
    at_home = ledger.match.home_id == entrant.pk
    outcome = MatchOutcome.HOME_FORFEIT if at_home else MatchOutcome.AWAY_FORFEIT
    then = given_up(ledger, admitted.actor, at, outcome)
    told = Told("sitting", ledger.sitting.pk, then.revision, public=True)
    return Change(admitted, None, then.writes, told=(*then.told, told))


def _open_matches(entrant: Entrant) -> list[Ledger]:
    """A ledger of each of its matches without a result in published and running rounds, the sitting locked."""
    # a table of single players plays on or is ended by an official: nobody wins by the absence of one
    sittings = Sitting.objects.filter(
        Q(match__home=entrant) | Q(match__away=entrant),
        active=True,
        match__outcome=MatchOutcome.PENDING,
        round__status__in=[RoundStatus.PUBLISHED, RoundStatus.RUNNING],
    ).order_by("-pk")
    first = dict(sittings.values_list("match", "pk"))
    return [open_ledger(pk, lock=True) for pk in sorted(first.values())]

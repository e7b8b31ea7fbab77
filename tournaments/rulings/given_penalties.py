"""Penalties that the chief referee gives at the table: written to the record, and a ruling decided at once.

So they count for repeats, can be appealed against, and are taken back like any other ruling.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from ..acts.access import Act, Actor
from ..ledger.judging import admit
from ..ledger.officials_entries import Penalty, write_penalty
from ..models import EntryKind, RulingAct, RulingStep
from ..sittings.ledgers import open_ledger
from .acts import Done, close_act, enter_ruling, mark_decided
from .cases import judge_given
from .effects import Landed


def penalise_level(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    side: str,
    levels: int,
    reason: str,
    clause: str,
) -> Done:
    """Take levels from a side (negative `levels`), or give them to it for an act of the other one."""
    penalty = Penalty(EntryKind.LEVEL_PENALTY, side, levels, reason, clause)
    return _give(penalty, sitting_id, actor, at, expected_revision)


def penalise_player(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    place: str,
    amount: int,
    reason: str,
    clause: str,
) -> Done:
    """The same for one player of an individual game: levels (`amount`) where the game keeps them, else points."""
    penalty = Penalty(EntryKind.PENALTY, place, amount, reason, clause)
    return _give(penalty, sitting_id, actor, at, expected_revision)


@transaction.atomic
def _give(penalty: Penalty, sitting_id: int, actor: Actor, at: datetime, expected_revision: int | None) -> Done:
    """Write the penalty to the record, with the ruling that it is."""
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.PENALISE, ledger)
    entry = write_penalty(penalty, sitting_id=sitting_id, actor=actor, at=at, expected_revision=expected_revision)
    guilty, judged = judge_given(ledger, penalty.party, penalty.amount, penalty.clause.strip(), entry.reason)
    ruling = enter_ruling(ledger, actor, at, judged, guilty, None)
    RulingAct.objects.create(ruling=ruling, step=RulingStep.PROPOSE, at=at, user=actor.user)
    mark_decided(ruling, actor, at, {"unit": "levels", "entry": entry.facts})
    return close_act(ledger, actor, at, ruling, RulingStep.DECIDE, landed=Landed(entry))

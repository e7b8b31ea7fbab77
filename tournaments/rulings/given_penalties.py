"""Penalties that the chief referee gives at the table: written to the record, and a ruling decided at once.

So they count for repeats, can be appealed against, and are taken back like any other ruling.
"""

from __future__ import annotations

from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, in_turn
from ..ledger.acting import act_on
from ..ledger.officials_entries import Penalty, penalised
from ..models import EntryKind, RulingAct, RulingStep
from ..sittings.ledgers import Ledger
from .acts import Done, as_decided, next_ruling, stepped
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


def _give(penalty: Penalty, sitting_id: int, actor: Actor, at: datetime, expected_revision: int | None) -> Done:
    """Write the penalty to the record, with the ruling that it is."""

    def decide(ledger: Ledger, admitted: Admitted) -> Change[Done]:
        written = penalised(ledger, admitted, at, penalty, expected_revision)
        entry = written.answer
        guilty, judged = judge_given(ledger, penalty.party, penalty.amount, penalty.clause.strip(), entry.reason)
        ruling = next_ruling(ledger, actor, at, judged, guilty, None)
        proposal = RulingAct(ruling=ruling, step=RulingStep.PROPOSE, at=at, user=actor.user)
        effect = in_turn(written, Change(admitted, Landed(entry), (Add(ruling), Add(proposal))))
        to = as_decided(ledger, actor, at, {"unit": "levels", "entry": entry.facts})
        return stepped(ledger, admitted, at, ruling, RulingStep.DECIDE, to=to, effect=effect)

    return act_on(sitting_id, Act.PENALISE, actor, at, decide)

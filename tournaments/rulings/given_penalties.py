"""Penalties that the chief referee gives at the table: written to the record, and a ruling decided at once.

So they count for repeats, can be appealed against, and are taken back like any other ruling.
"""

from __future__ import annotations

from datetime import datetime

from ..acts.access import Act, Actor
from ..acts.idempotency import Once, in_one_transaction, once
from ..ledger.judging import admit
from ..ledger.officials_entries import Penalty, write_penalty
from ..models import EntryKind, RulingAct, RulingStep
from ..sittings.ledgers import open_ledger
from .acts import Done, close_act, enter_ruling, mark_decided, replay
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
    key: str | None = None,
) -> Done:
    """Take levels from a side (negative `levels`), or give them to it for an act of the other one."""
    body = {"act": "give_level_penalty", "sitting": sitting_id, "side": side, "levels": levels}
    request = once(actor=actor, key=key, body=body | {"reason": reason, "clause": clause})
    penalty = Penalty(EntryKind.LEVEL_PENALTY, side, levels, reason, clause)
    return _give(penalty, request, sitting_id, actor, at, expected_revision)


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
    key: str | None = None,
) -> Done:
    """The same for one player of an individual game: levels (`amount`) where the game keeps them, else points."""
    body = {"act": "give_player_penalty", "sitting": sitting_id, "place": place, "amount": amount}
    request = once(actor=actor, key=key, body=body | {"reason": reason, "clause": clause})
    penalty = Penalty(EntryKind.PENALTY, place, amount, reason, clause)
    return _give(penalty, request, sitting_id, actor, at, expected_revision)


def _give(
    penalty: Penalty, request: Once, sitting_id: int, actor: Actor, at: datetime, expected_revision: int | None
) -> Done:
    """Write the penalty to the record, with the ruling that it is."""

    def act() -> Done:
        ledger = open_ledger(sitting_id, lock=True)
        admit(actor, Act.PENALISE, ledger)
        if (saved := request.look_up()) is not None:
            return replay(saved)
        entry = write_penalty(penalty, sitting_id=sitting_id, actor=actor, at=at, expected_revision=expected_revision)
        guilty, judged = judge_given(ledger, penalty.party, penalty.amount, penalty.clause.strip(), entry.reason)
        ruling = enter_ruling(ledger, actor, at, judged, guilty, None)
        RulingAct.objects.create(ruling=ruling, step=RulingStep.PROPOSE, at=at, user=actor.user)
        mark_decided(ruling, actor, at, {"unit": "levels", "entry": entry.facts})
        return close_act(ledger, actor, at, request, ruling, RulingStep.DECIDE, landed=Landed(entry))

    return in_one_transaction(act)

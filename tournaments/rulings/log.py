"""The log of rulings: proposed with the facts and the clause, decided with a penalty, cancelled.

Nothing in it is edited: every step is an act with its reason, and what a decision does to the record of a table is
an entry of that record, written in the same transaction (`effects`). A ruling without a clause does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from ..acts.access import Act, Actor, require
from ..acts.errors import NotFound, clean_text
from ..ledger.judging import admit, refuse_unless_current
from ..models import AppealState, Ruling, RulingStatus, RulingStep
from ..sittings.games import parties_of
from ..sittings.ledgers import open_ledger
from .acts import (
    Done,
    appeal_refused,
    close_act,
    enter_ruling,
    mark_decided,
    open_ruling,
    refuse_unless_status,
)
from .cases import TOLD_LIMIT, Judged, judge
from .effects import Landed, land, read_penalty, undo

AS_PROPOSED: Final = "as_proposed"


def foresee(
    *,
    sitting_id: int,
    actor: Actor,
    facts: Mapping[str, Any],
    side: str = "",
    hand_no: int | None = None,
    clause: str = "",
    verdict: Mapping[str, str] | None = None,
) -> Judged:
    """What a ruling on these facts would say and propose. Reads only."""
    ledger = open_ledger(sitting_id, lock=False)
    admit(actor, Act.PROPOSE_RULING, ledger)
    return judge(ledger, facts, side, hand_no, clause, verdict)


@transaction.atomic
def propose(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    facts: Mapping[str, Any],
    side: str = "",
    hand_no: int | None = None,
    clause: str = "",
    verdict: Mapping[str, str] | None = None,
) -> Done:
    """Put a ruling into the log.

    `facts` hold `irregularity` (a code of the event's penalty schedule, with what STATED names) or `case` (a position
    of the adjudicator: `kind`, `query`), and perhaps `told`. A case states its clause (`clause_required`) and verdict;
    an irregularity has both from the schedule. `hand_no`: None for no certain hand.
    """
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.PROPOSE_RULING, ledger)
    judged = judge(ledger, facts, side, hand_no, clause, verdict)
    ruling = enter_ruling(ledger, actor, at, judged, side, hand_no)
    return close_act(ledger, actor, at, ruling, RulingStep.PROPOSE)


@transaction.atomic
def decide(
    *,
    ruling_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    penalty: Mapping[str, Any] | str | None = AS_PROPOSED,
    treatment: str = "",
    reason: str = "",
) -> Done:
    """The chief referee decides: with the penalty as proposed, another one (`unit`, `entry`), or none.

    What the penalty does to the record is written at once. `expected_revision` is that of the table's record as seen;
    `treatment` must be chosen where a changed hand changes what was due later. From now on an appeal is possible.
    """
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT)

    ledger, ruling = open_ruling(ruling_id)
    admit(actor, Act.DECIDE_RULING, ledger)
    refuse_unless_current(ledger, expected_revision)
    refuse_unless_status(ruling, RulingStatus.PROPOSED)
    proposed = penalty == AS_PROPOSED
    decided = read_penalty(_as_proposed(ruling) if proposed else penalty, parties_of(ledger.profile))
    landed = land(ledger, actor, at, ruling, decided, treatment)
    mark_decided(ruling, actor, at, decided)
    return close_act(ledger, actor, at, ruling, RulingStep.DECIDE, reason, landed=landed)


@transaction.atomic
def propose_and_decide(
    *,
    sitting_id: int,
    actor: Actor,
    at: datetime,
    facts: Mapping[str, Any],
    side: str = "",
    hand_no: int | None = None,
    clause: str = "",
    verdict: Mapping[str, str] | None = None,
) -> Done:
    """Put a ruling into the log, as `propose` does, and decide it as proposed. Where either is refused, neither is."""
    done = propose(
        sitting_id=sitting_id,
        actor=actor,
        at=at,
        facts=facts,
        side=side,
        hand_no=hand_no,
        clause=clause,
        verdict=verdict,
    )
    return decide(ruling_id=done.ruling.pk, actor=actor, at=at, expected_revision=done.revision)


def _as_proposed(ruling: Ruling) -> dict[str, Any] | None:
    """The proposal as a penalty: nothing where the real result stands, or where no proposal was made."""
    proposal = ruling.proposal
    if proposal is None or proposal["unit"] == "none":
        return None
    if proposal["entry"] is None:
        return {"unit": "warning"} if proposal["unit"] == "warning" else None
    return {"unit": proposal["unit"], "entry": proposal["entry"]}


@transaction.atomic
def cancel(
    *,
    ruling_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    treatment: str = "",
) -> Done:
    """Take a ruling back with a reason: a referee a proposal, the chief referee a decided one with its effects."""
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT, required=True)

    ledger, ruling = open_ruling(ruling_id)
    decided = ruling.status == RulingStatus.DECIDED
    admit(actor, Act.DECIDE_RULING if decided else Act.CANCEL_RULING, ledger)
    refuse_unless_current(ledger, expected_revision)
    refuse_unless_status(ruling, RulingStatus.PROPOSED, RulingStatus.DECIDED)
    if ruling.appeal in (AppealState.LODGED, AppealState.UPHELD):
        raise appeal_refused(ruling)
    landed = undo(ledger, actor, at, ruling, reason, treatment) if decided else Landed()
    ruling.status = RulingStatus.CANCELLED
    ruling.save(update_fields=["status"])
    return close_act(ledger, actor, at, ruling, RulingStep.CANCEL, reason, landed=landed)


def find_ruling(*, ruling_id: int, actor: Actor) -> Ruling:
    """A ruling with its acts, for who may see the desk."""
    rows = Ruling.objects.select_related("tournament", "sitting__round", "sitting__table", "sitting__match")
    try:
        ruling = rows.get(pk=ruling_id)
    except (Ruling.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    require(actor, Act.SEE_DESK, tournament=ruling.tournament)
    return ruling

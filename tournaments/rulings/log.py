"""The log of rulings: proposed with the facts and the clause, decided with a penalty, cancelled.

Nothing in it is edited: every step is an act with its reason, and what a decision does to the record of a table is
an entry of that record, written in the same transaction (`effects`). A ruling without a clause does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Change, in_turn
from ..acts.errors import NotFound, clean_text
from ..ledger.acting import act_on
from ..ledger.judging import admit, refuse_unless_current
from ..models import AppealState, Ruling, RulingStatus, RulingStep
from ..sittings.games import parties_of
from ..sittings.ledgers import Ledger, open_ledger
from .acts import Done, act_on_ruling, appeal_refused, as_decided, next_ruling, refuse_unless_status, stepped
from .cases import TOLD_LIMIT, Judged, judge
from .effects import land, read_penalty, undo

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
    at_once: bool = False,
) -> Done:
    """Put a ruling into the log. `at_once`: the chief referee decides it as proposed; where either is refused, neither
    is done.

    `facts` hold `irregularity` (a code of the event's penalty schedule, with what STATED names) or `case` (a position
    of the adjudicator: `kind`, `query`), and perhaps `told`. A case states its clause (`clause_required`) and verdict;
    an irregularity has both from the schedule. `hand_no`: None for no certain hand.
    """

    def proposed(ledger: Ledger, admitted: Admitted) -> Change[Done]:
        judged = judge(ledger, facts, side, hand_no, clause, verdict)
        ruling = next_ruling(ledger, actor, at, judged, side, hand_no)
        put = stepped(ledger, admitted, at, ruling, RulingStep.PROPOSE)
        if not at_once:
            return put
        return in_turn(put, _decided(ledger, admit(actor, Act.DECIDE_RULING, ledger), at, ruling))

    return act_on(sitting_id, Act.PROPOSE_RULING, actor, at, proposed)


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

    def decided(ledger: Ledger, ruling: Ruling) -> Change[Done]:
        admitted = admit(actor, Act.DECIDE_RULING, ledger)
        refuse_unless_current(ledger, expected_revision)
        refuse_unless_status(ruling, RulingStatus.PROPOSED)
        return _decided(ledger, admitted, at, ruling, penalty, treatment, reason)

    return act_on_ruling(ruling_id, actor, at, decided)


def _decided(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    ruling: Ruling,
    penalty: Mapping[str, Any] | str | None = AS_PROPOSED,
    treatment: str = "",
    reason: str = "",
) -> Change[Done]:
    stated = _as_proposed(ruling) if penalty == AS_PROPOSED else penalty
    given = read_penalty(stated, parties_of(ledger.profile))
    effect = land(ledger, admitted, at, ruling, given, treatment)
    to = as_decided(ledger, admitted.actor, at, given)
    return stepped(ledger, admitted, at, ruling, RulingStep.DECIDE, reason, to=to, effect=effect)


def _as_proposed(ruling: Ruling) -> dict[str, Any] | None:
    """The proposal as a penalty: nothing where the real result stands, or where no proposal was made."""
    proposal = ruling.proposal
    if proposal is None or proposal["unit"] == "none":
        return None
    if proposal["entry"] is None:
        return {"unit": "warning"} if proposal["unit"] == "warning" else None
    return {"unit": proposal["unit"], "entry": proposal["entry"]}


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

    def cancelled(ledger: Ledger, ruling: Ruling) -> Change[Done]:
        decided = ruling.status == RulingStatus.DECIDED
        admitted = admit(actor, Act.DECIDE_RULING if decided else Act.CANCEL_RULING, ledger)
        refuse_unless_current(ledger, expected_revision)
        refuse_unless_status(ruling, RulingStatus.PROPOSED, RulingStatus.DECIDED)
        if ruling.appeal in (AppealState.LODGED, AppealState.UPHELD):
            raise appeal_refused(ruling)
        effect = undo(ledger, admitted, at, ruling, reason, treatment) if decided else None
        to = {"status": RulingStatus.CANCELLED}
        return stepped(ledger, admitted, at, ruling, RulingStep.CANCEL, reason, to=to, effect=effect)

    return act_on_ruling(ruling_id, actor, at, cancelled)


def find_ruling(*, ruling_id: int, actor: Actor) -> Ruling:
    """A ruling with its acts, for who may see the desk."""
    rows = Ruling.objects.select_related("tournament", "sitting__round", "sitting__table", "sitting__match")
    try:
        ruling = rows.get(pk=ruling_id)
    except (Ruling.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    require(actor, Act.SEE_DESK, tournament=ruling.tournament)
    return ruling

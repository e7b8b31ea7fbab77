"""What every act on a ruling shares: entering and opening it, what refuses it, its row, and the answer kept for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Max

from ..acts.access import Act, Actor
from ..acts.errors import NotFound
from ..ledger.judging import finish_act, note, refusal
from ..models import (
    AppealMember,
    AppealState,
    Correction,
    LedgerEntry,
    Ruling,
    RulingAct,
    RulingStatus,
    RulingStep,
    Tournament,
    User,
)
from ..sittings.ledgers import Ledger, open_ledger
from ..standings.runs import person_of
from .cases import Judged, hand_at
from .effects import Landed

_ACT_OF: Final[Mapping[RulingStep, Act]] = {
    RulingStep.PROPOSE: Act.PROPOSE_RULING,
    RulingStep.DECIDE: Act.DECIDE_RULING,
    RulingStep.CANCEL: Act.CANCEL_RULING,
    RulingStep.LODGE: Act.LODGE_APPEAL,
    RulingStep.UPHOLD: Act.DECIDE_APPEAL,
    RulingStep.REJECT: Act.DECIDE_APPEAL,
}


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an act on a ruling, with what it wrote to the record and the table's revision after it."""

    ruling: Ruling
    entry: LedgerEntry | None
    correction: Correction | None
    revision: int


def enter_ruling(ledger: Ledger, actor: Actor, at: datetime, judged: Judged, side: str, hand_no: int | None) -> Ruling:
    """The next ruling of the event, proposed."""
    event = Tournament.objects.select_for_update(no_key=True).get(pk=ledger.tournament.pk)
    last = Ruling.objects.filter(tournament=event).aggregate(last=Max("number"))["last"]
    return Ruling.objects.create(
        tournament=event,
        number=(last or 0) + 1,
        sitting=ledger.sitting,
        entry=hand_at(ledger, hand_no),
        hand_no=hand_no,
        side=side,
        source=judged.source,
        facts=judged.facts,
        clause=judged.clause,
        clause_text=judged.clause_text,
        profile_digest=event.profile_digest,
        verdict=judged.verdict,
        proposal=judged.proposal,
        proposed_by=person_of(actor),
        proposed_at=at,
    )


def mark_decided(ruling: Ruling, actor: Actor, at: datetime, penalty: dict[str, Any] | None) -> None:
    """Decided now, with this penalty or none: from now until the time that the event sets an appeal is possible."""
    ruling.status, ruling.penalty = RulingStatus.DECIDED, penalty
    ruling.decided_by, ruling.decided_at = person_of(actor), at
    ruling.appeal_until = at + ruling.tournament.appeal_time
    ruling.save(update_fields=["status", "penalty", "decided_by", "decided_at", "appeal_until"])


def open_ruling(ruling_id: int) -> tuple[Ledger, Ruling]:
    """The ruling as it stands, with the ledger of its table held until the transaction ends."""
    try:
        sitting_id = Ruling.objects.values_list("sitting_id", flat=True).get(pk=ruling_id)
    except (Ruling.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=True)
    return ledger, Ruling.objects.get(pk=ruling_id)


def refuse_unless_status(ruling: Ruling, *statuses: RulingStatus) -> None:
    """Refuse what can only be done to a ruling in one of these statuses, by the status that it has."""
    if ruling.status in statuses:
        return
    current = {"ruling": ruling.pk, "status": str(ruling.status)}
    if ruling.status == RulingStatus.PROPOSED:
        raise refusal("ruling_open", current=current)
    if ruling.status == RulingStatus.CANCELLED:
        raise refusal("ruling_cancelled", current=current)
    raise refusal("ruling_decided", current=current)


def appeal_refused(ruling: Ruling) -> Exception:
    """What refuses an act that does not go with the state of the appeal against the ruling."""
    current = {"ruling": ruling.pk, "appeal": str(ruling.appeal)}
    if ruling.appeal == AppealState.NONE:
        return refusal("no_appeal", current=current)
    if ruling.appeal == AppealState.LODGED:
        return refusal("appeal_open", current=current)
    return refusal("appeal_decided", current=current)


def close_act(
    ledger: Ledger,
    actor: Actor,
    at: datetime,
    ruling: Ruling,
    step: RulingStep,
    reason: str = "",
    *,
    landed: Landed | None = None,
    side: str = "",
    members: Sequence[User] = (),
) -> Done:
    """The act's row, its line of the history, the kept answer, and word to the open pages."""
    act, landed = _ACT_OF[step], landed or Landed()
    row = RulingAct.objects.create(
        ruling=ruling,
        step=step,
        at=at,
        user=actor.user,
        side=side or actor.side or "",
        reason=reason,
        entry=landed.entry,
        correction=landed.correction,
        forfeited=landed.forfeited,
    )
    AppealMember.objects.bulk_create(AppealMember(act=row, user=member) for member in members)
    new = {"ruling": ruling.number, "clause": ruling.clause, "status": str(ruling.status), "appeal": str(ruling.appeal)}
    if step == RulingStep.DECIDE:
        new["penalty"] = (ruling.penalty or {}).get("unit", "none")
    note(ledger, actor, at, act, f"ruling:{ruling.pk}", reason=reason[:300], new=new)
    ledger.sitting.refresh_from_db(fields=["revision"])
    done = Done(ruling, landed.entry, landed.correction, ledger.sitting.revision)
    # an open appeal keeps the standings provisional
    moved = act in (Act.LODGE_APPEAL, Act.DECIDE_APPEAL)
    finish_act(ledger, moved=moved, public=ruling.decided_at is not None)
    return done

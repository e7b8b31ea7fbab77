"""What every act on a ruling shares: entering and opening it, what refuses it, its row, and the answer kept for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Max

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, AddAll, Change, Line, Move, Told, Write, carry_out, in_turn
from ..acts.errors import NotFound
from ..acts.rows import find_tournament
from ..ledger.judging import refusal
from ..models import (
    AppealMember,
    AppealState,
    Correction,
    LedgerEntry,
    Ruling,
    RulingAct,
    RulingStatus,
    RulingStep,
    Sitting,
    User,
)
from ..sittings.ledgers import Ledger, open_ledger
from ..standings.penalised import FREE
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


def act_on_ruling(ruling_id: int, actor: Actor, at: datetime, decide: Callable[[Ledger, Ruling], Change[Done]]) -> Done:
    """Carry out an act on a ruling, as `decide` has it from the ruling and the ledger of its table, which is held."""

    def read_and_decide() -> Change[Done]:
        try:
            sitting_id = Ruling.objects.values_list("sitting_id", flat=True).get(pk=ruling_id)
        except (Ruling.DoesNotExist, OverflowError, TypeError, ValueError):
            raise NotFound() from None
        ledger = open_ledger(sitting_id, lock=True)
        return decide(ledger, Ruling.objects.get(pk=ruling_id))

    return carry_out(read_and_decide, actor, at)


def next_ruling(ledger: Ledger, actor: Actor, at: datetime, judged: Judged, side: str, hand_no: int | None) -> Ruling:
    """The next ruling of the event, proposed and not stored yet. The event is held, so that it has its number alone."""
    event = find_tournament(ledger.tournament.pk, lock=True)
    last = Ruling.objects.filter(tournament=event).aggregate(last=Max("number"))["last"]
    return Ruling(
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


def as_decided(ledger: Ledger, actor: Actor, at: datetime, penalty: dict[str, Any] | None) -> dict[str, Any]:
    """Decided now, with this penalty or none: from now until the time that the event sets an appeal is possible."""
    return {
        "status": RulingStatus.DECIDED,
        "penalty": penalty,
        "decided_by": person_of(actor),
        "decided_at": at,
        "appeal_until": at + ledger.tournament.appeal_time,
    }


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


def stepped(
    ledger: Ledger,
    admitted: Admitted,
    at: datetime,
    ruling: Ruling,
    step: RulingStep,
    reason: str = "",
    *,
    to: Mapping[str, Any] | None = None,
    effect: Change[Landed] | None = None,
    side: str = "",
    members: Sequence[User] = (),
) -> Change[Done]:
    """A step of a ruling: what it does to the record (`effect`), then the ruling as it then stands (`to`), the row of
    the step, its line in the history, and word to the open pages."""
    act, actor, to = _ACT_OF[step], admitted.actor, to or {}
    effect = effect or Change(admitted, Landed())
    landed = effect.answer
    row = RulingAct(
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
    writes = (
        Move(ruling, to) if to else Add(ruling),
        Add(row),
        AddAll([AppealMember(act=row, user=one) for one in members]),
    )
    status, appeal, penalty = (to.get(name, getattr(ruling, name)) for name in ("status", "appeal", "penalty"))
    new = {"ruling": ruling.number, "clause": ruling.clause, "status": str(status), "appeal": str(appeal)}
    if step == RulingStep.DECIDE:
        new["penalty"] = (penalty or {}).get("unit", "none")
    line = Line(act, ("ruling", ruling), reason[:300], new=new, sitting=ledger.sitting)
    revision = _revision_after(effect.writes, ledger.sitting)
    public = to.get("decided_at", ruling.decided_at) is not None
    told = Told("sitting", ledger.sitting.pk, revision, public)
    done = Done(ruling, landed.entry, landed.correction, revision)
    # an open appeal keeps the standings provisional; a penalty may stand in them though the record stays as it is
    costs = (penalty or {}).get("unit", "none") not in FREE
    stale = act in (Act.LODGE_APPEAL, Act.DECIDE_APPEAL) or (step == RulingStep.DECIDE and costs)
    return in_turn(effect, Change(admitted, done, writes, (line,), (told,), stale, ledger.sitting.pk))


def _revision_after(writes: Iterable[Write], sitting: Sitting) -> int:
    """The revision that these writes leave the record of a table at."""
    moves = (one for one in writes if isinstance(one, Move) and isinstance(one.row, Sitting) and "revision" in one.to)
    return next((int(one.to["revision"]) for one in moves if one.row.pk == sitting.pk), sitting.revision)

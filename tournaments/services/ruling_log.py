"""The log of rulings: proposed with the facts and the clause, decided with a penalty, cancelled, appealed against.

Nothing in it is edited: every step is an act with its reason, and what a decision does to the record of a table is
an entry of that record, written in the same transaction (ruling_effects). A ruling without a clause does not exist. A
penalty that is given at the table is a ruling too, proposed and decided in one act.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Max

from ..access import Act, Actor, require
from ..exchange.text import same_reading
from ..models import (
    AppealMember,
    AppealState,
    Correction,
    EntryKind,
    LedgerEntry,
    Official,
    Player,
    RoundStatus,
    Ruling,
    RulingAct,
    RulingStatus,
    RulingStep,
    Tournament,
    User,
)
from ..queries.games import parties_of
from .errors import BAD_REQUEST, FORBIDDEN, NotFound, clean_text
from .idempotency import Once, in_one_transaction, once
from .judging import admit, finish_act, note, refusal, refuse_unless_current
from .ledgers import Ledger, open_ledger
from .ruling_cases import TOLD_LIMIT, Judged, hand_at, judge, judge_given
from .ruling_effects import Landed, land, read_penalty, undo
from .rulings import Penalty, write_penalty
from .standings import person_of

AS_PROPOSED: Final = "as_proposed"


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an act on a ruling, with what it wrote to the record and the table's revision after it."""

    ruling: Ruling
    entry: LedgerEntry | None
    correction: Correction | None
    revision: int
    replayed: bool = False


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
    key: str | None = None,
) -> Done:
    """Put a ruling into the log.

    `facts` hold `irregularity` (a code of the event's penalty schedule, with what STATED names) or `case` (a position
    of the adjudicator: `kind`, `query`), and perhaps `told`. A case states its clause (`clause_required`) and verdict;
    an irregularity has both from the schedule. `hand_no`: None for no certain hand.
    """
    body = {"act": "propose_ruling", "sitting": sitting_id, "facts": facts, "side": side, "hand": hand_no}
    request = once(actor=actor, key=key, body=body | {"clause": clause, "verdict": verdict})

    def act() -> Done:
        ledger = open_ledger(sitting_id, lock=True)
        admit(actor, Act.PROPOSE_RULING, ledger)
        if (saved := request.look_up()) is not None:
            return _replay(saved)
        judged = judge(ledger, facts, side, hand_no, clause, verdict)
        ruling = _enter(ledger, actor, at, judged, side, hand_no)
        return _close(ledger, actor, at, request, Act.PROPOSE_RULING, ruling, RulingStep.PROPOSE)

    return in_one_transaction(act)


def _enter(ledger: Ledger, actor: Actor, at: datetime, judged: Judged, side: str, hand_no: int | None) -> Ruling:
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
    """Levels taken from a side (negative), or given to it for an act of the other one."""
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
    """Levels taken from (negative) or given to one player of an individual game; points where it keeps no levels."""
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
            return _replay(saved)
        entry = write_penalty(penalty, sitting_id=sitting_id, actor=actor, at=at, expected_revision=expected_revision)
        guilty, judged = judge_given(ledger, penalty.party, penalty.amount, penalty.clause.strip(), entry.reason)
        ruling = _enter(ledger, actor, at, judged, guilty, None)
        RulingAct.objects.create(ruling=ruling, step=RulingStep.PROPOSE, at=at, user=actor.user)
        _decide(ruling, actor, at, {"unit": "levels", "entry": entry.facts})
        done = (ledger, actor, at, request, Act.DECIDE_RULING, ruling, RulingStep.DECIDE)
        return _close(*done, landed=Landed(entry))

    return in_one_transaction(act)


def decide(
    *,
    ruling_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    penalty: Mapping[str, Any] | str | None = AS_PROPOSED,
    treatment: str = "",
    reason: str = "",
    key: str | None = None,
) -> Done:
    """The chief referee decides: with the penalty as proposed, another one (`unit`, `entry`), or none.

    What the penalty does to the record is written at once. `expected_revision` is that of the table's record as seen;
    `treatment` must be chosen where a changed hand changes what was due later. From now on an appeal is possible.
    """
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT)
    body = {"act": "decide_ruling", "ruling": ruling_id, "penalty": penalty, "treatment": treatment, "reason": reason}
    request = once(actor=actor, key=key, body=body)

    def act() -> Done:
        ledger, ruling = _open(ruling_id)
        admit(actor, Act.DECIDE_RULING, ledger)
        if (saved := request.look_up()) is not None:
            return _replay(saved)
        refuse_unless_current(ledger, expected_revision)
        _refuse_unless(ruling, RulingStatus.PROPOSED)
        proposed = penalty == AS_PROPOSED
        decided = read_penalty(_as_proposed(ruling) if proposed else penalty, parties_of(ledger.profile))
        landed = land(ledger, actor, at, ruling, decided, treatment)
        _decide(ruling, actor, at, decided)
        return _close(ledger, actor, at, request, Act.DECIDE_RULING, ruling, RulingStep.DECIDE, reason, landed=landed)

    return in_one_transaction(act)


def _decide(ruling: Ruling, actor: Actor, at: datetime, penalty: dict[str, Any] | None) -> None:
    ruling.status, ruling.penalty = RulingStatus.DECIDED, penalty
    ruling.decided_by, ruling.decided_at = person_of(actor), at
    ruling.appeal_until = at + ruling.tournament.appeal_time
    ruling.save(update_fields=["status", "penalty", "decided_by", "decided_at", "appeal_until"])


def cancel(
    *,
    ruling_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    treatment: str = "",
    key: str | None = None,
) -> Done:
    """Take a ruling back with a reason: a referee a proposal, the chief referee a decided one with its effects."""
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT, required=True)
    body = {"act": "cancel_ruling", "ruling": ruling_id, "treatment": treatment, "reason": reason}
    request = once(actor=actor, key=key, body=body)

    def act() -> Done:
        ledger, ruling = _open(ruling_id)
        decided = ruling.status == RulingStatus.DECIDED
        admit(actor, Act.DECIDE_RULING if decided else Act.CANCEL_RULING, ledger)
        if (saved := request.look_up()) is not None:
            return _replay(saved)
        refuse_unless_current(ledger, expected_revision)
        _refuse_unless(ruling, RulingStatus.PROPOSED, RulingStatus.DECIDED)
        if ruling.appeal in (AppealState.LODGED, AppealState.UPHELD):
            raise _appeal_refused(ruling)
        landed = undo(ledger, actor, at, ruling, reason, treatment) if decided else Landed()
        ruling.status = RulingStatus.CANCELLED
        ruling.save(update_fields=["status"])
        return _close(ledger, actor, at, request, Act.CANCEL_RULING, ruling, RulingStep.CANCEL, reason, landed=landed)

    return in_one_transaction(act)


def lodge_appeal(
    *, ruling_id: int, actor: Actor, at: datetime, reason: str, side: str = "", key: str | None = None
) -> Done:
    """A side appeals against a decided ruling at its own table, or an official takes its written appeal (`side`).

    Once, and until the time stated with the decision (`appeal_late`). Play goes on; standings are provisional.
    """
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT, required=True)
    body = {"act": "lodge_appeal", "ruling": ruling_id, "side": side, "reason": reason}
    request = once(actor=actor, key=key, body=body)

    def act() -> Done:
        ledger, ruling = _open(ruling_id)
        admit(actor, Act.LODGE_APPEAL, ledger)
        if (saved := request.look_up()) is not None:
            return _replay(saved)
        party = actor.side or side
        if party not in parties_of(ledger.profile):
            raise refusal(
                "unknown_side", "Say which side appeals.", "请写明是哪一方申诉。", status=BAD_REQUEST, field="side"
            )
        _refuse_unless(ruling, RulingStatus.DECIDED)
        if ruling.appeal != AppealState.NONE:
            raise _appeal_refused(ruling)
        assert ruling.appeal_until is not None
        if at > ruling.appeal_until:
            raise refusal(
                "appeal_late",
                "The time to appeal against this ruling is over.",
                "对这项判罚的申诉时间已过。",
                current={"appeal_until": ruling.appeal_until.isoformat()},
            )
        ruling.appeal = AppealState.LODGED
        ruling.save(update_fields=["appeal"])
        done = (ledger, actor, at, request, Act.LODGE_APPEAL, ruling, RulingStep.LODGE, reason)
        return _close(*done, side=party)

    return in_one_transaction(act)


def decide_appeal(
    *,
    ruling_id: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    upheld: bool,
    reason: str,
    treatment: str = "",
    committee: Sequence[str] = (),
    key: str | None = None,
) -> Done:
    """What became of an appeal. Upheld, what the ruling did to the record is taken back by a new entry.

    `committee`: who decided, by the names officials sign in with; nobody where the chief referee decided alone. In a
    closed round nobody then overturns his own ruling, unless one official does everything.
    """
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT, required=True)
    body = {"act": "decide_appeal", "ruling": ruling_id, "upheld": upheld, "treatment": treatment, "reason": reason}
    if committee:
        body["committee"] = list(committee)
    request = once(actor=actor, key=key, body=body)

    def act() -> Done:
        ledger, ruling = _open(ruling_id)
        admit(actor, Act.DECIDE_APPEAL, ledger)
        if (saved := request.look_up()) is not None:
            return _replay(saved)
        refuse_unless_current(ledger, expected_revision)
        if ruling.appeal != AppealState.LODGED:
            raise _appeal_refused(ruling)
        members = _members(ledger, ruling, committee)
        if upheld and not members:
            _refuse_own_in_closed_round(ledger, ruling, actor)
        landed = undo(ledger, actor, at, ruling, reason, treatment) if upheld else Landed()
        ruling.appeal = AppealState.UPHELD if upheld else AppealState.REJECTED
        ruling.save(update_fields=["appeal"])
        step = RulingStep.UPHOLD if upheld else RulingStep.REJECT
        done = (ledger, actor, at, request, Act.DECIDE_APPEAL, ruling, step, reason)
        return _close(*done, landed=landed, members=members)

    return in_one_transaction(act)


def _members(ledger: Ledger, ruling: Ruling, committee: Sequence[str]) -> list[User]:
    """The members of a committee; refused unless they may decide this appeal together.

    They are officials of the event and odd in number; none made the ruling, none plays on a side concerned.
    """
    if not committee:
        return []
    rows = Official.objects.filter(tournament=ledger.tournament, revoked_at=None, user__username__in=committee)
    found = {row.user.username: row.user for row in rows.select_related("user").order_by("pk")}
    members = [found[name] for name in committee if name in found]
    if len(members) != len(committee) or len(found) != len(committee):
        raise _bad_committee(
            "committee_unknown",
            "Every member of the committee is an official of this event, named once.",
            "仲裁委员须是本赛事的裁判或主办方人员，每人只列一次。",
        )
    if len(members) % 2 == 0:
        raise _bad_committee(
            "committee_even", "A committee has an odd number of members.", "仲裁委员会的人数应为单数。"
        )
    if any(member.pk == ruling.decided_by_id for member in members):
        raise _bad_committee(
            "committee_ruled",
            "Who made the ruling does not sit on the committee.",
            "作出判罚的裁判不得担任仲裁委员。",
        )
    concerned = _names_concerned(ledger)
    if any(same_reading(str(member)) in concerned for member in members):
        raise _bad_committee(
            "committee_concerned",
            "Nobody of the sides concerned sits on the committee.",
            "有关双方的人员不得担任仲裁委员。",
        )
    return members


def _names_concerned(ledger: Ledger) -> frozenset[str]:
    """The names of everybody who plays in the match, as they read.

    Players have no account that a member could be known by: of somebody who is both, only the name is in both places.
    """
    match = ledger.match
    entrants = [one for one in (match.home_id, match.away_id) if one is not None]
    entrants += match.places.values_list("entrant_id", flat=True)
    names = Player.objects.filter(entrant__in=entrants).values_list("name", "name_latin")
    return frozenset(same_reading(name) for both_names in names for name in both_names if name)


def _bad_committee(code: str, en: str, zh: str) -> Exception:
    return refusal(code, en, zh, status=BAD_REQUEST, field="committee")


def _refuse_own_in_closed_round(ledger: Ledger, ruling: Ruling, actor: Actor) -> None:
    closed = ledger.round.status == RoundStatus.CLOSED and not ledger.tournament.single_official
    if closed and person_of(actor).pk == ruling.decided_by_id:
        raise refusal(
            "second_official_same",
            "In a closed round another official than the one who ruled overturns a ruling.",
            "轮次关闭后，须由作出判罚以外的另一名裁判撤销判罚。",
            status=FORBIDDEN,
        )


def _as_proposed(ruling: Ruling) -> dict[str, Any] | None:
    """The proposal as a penalty: nothing where the real result stands, or where no proposal was made."""
    proposal = ruling.proposal
    if proposal is None or proposal["unit"] == "none":
        return None
    if proposal["entry"] is None:
        return {"unit": "warning"} if proposal["unit"] == "warning" else None
    return {"unit": proposal["unit"], "entry": proposal["entry"]}


def _open(ruling_id: int) -> tuple[Ledger, Ruling]:
    try:
        sitting_id = Ruling.objects.values_list("sitting_id", flat=True).get(pk=ruling_id)
    except (Ruling.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    ledger = open_ledger(sitting_id, lock=True)
    return ledger, Ruling.objects.get(pk=ruling_id)


def _refuse_unless(ruling: Ruling, *statuses: RulingStatus) -> None:
    if ruling.status in statuses:
        return
    current = {"ruling": ruling.pk, "status": str(ruling.status)}
    if ruling.status == RulingStatus.PROPOSED:
        raise refusal("ruling_open", "This ruling is not decided yet.", "这项判罚还没有决定。", current=current)
    if ruling.status == RulingStatus.CANCELLED:
        raise refusal("ruling_cancelled", "This ruling was cancelled.", "这项判罚已撤销。", current=current)
    raise refusal("ruling_decided", "This ruling is decided already.", "这项判罚已经决定。", current=current)


def _appeal_refused(ruling: Ruling) -> Exception:
    current = {"ruling": ruling.pk, "appeal": str(ruling.appeal)}
    if ruling.appeal == AppealState.NONE:
        return refusal("no_appeal", "Nobody has appealed against it.", "没有人对这项判罚申诉。", current=current)
    if ruling.appeal == AppealState.LODGED:
        return refusal(
            "appeal_open", "An appeal is open against this ruling.", "对这项判罚的申诉正在处理。", current=current
        )
    return refusal(
        "appeal_decided", "The appeal against this ruling is decided.", "对这项判罚的申诉已有结论。", current=current
    )


def _close(
    ledger: Ledger,
    actor: Actor,
    at: datetime,
    request: Any,
    act: Act,
    ruling: Ruling,
    step: RulingStep,
    reason: str = "",
    *,
    landed: Landed | None = None,
    side: str = "",
    members: Sequence[User] = (),
) -> Done:
    """The act's row, its line of the history, the kept answer, and word to the open pages."""
    landed = landed or Landed()
    row = RulingAct.objects.create(
        ruling=ruling,
        step=step,
        at=at,
        user=actor.user,
        side=side or actor.side or "",
        reason=reason,
        entry=landed.entry,
        correction=landed.correction,
    )
    AppealMember.objects.bulk_create(AppealMember(act=row, user=member) for member in members)
    new = {"ruling": ruling.number, "clause": ruling.clause, "status": str(ruling.status), "appeal": str(ruling.appeal)}
    if step == RulingStep.DECIDE:
        new["penalty"] = (ruling.penalty or {}).get("unit", "none")
    note(ledger, actor, at, act, f"ruling:{ruling.pk}", reason=reason[:300], new=new)
    ledger.sitting.refresh_from_db(fields=["revision"])
    done = Done(ruling, landed.entry, landed.correction, ledger.sitting.revision)
    answer = {
        "ruling": ruling.pk,
        "entry": landed.entry.pk if landed.entry else None,
        "correction": landed.correction.pk if landed.correction else None,
        "revision": done.revision,
    }
    request.save(answer, at=at, tournament_id=ledger.tournament.pk)
    # an open appeal keeps the standings provisional
    finish_act(ledger, moved=act in (Act.LODGE_APPEAL, Act.DECIDE_APPEAL))
    return done


def _replay(saved: Mapping[str, Any]) -> Done:
    entry = LedgerEntry.objects.get(pk=saved["entry"]) if saved["entry"] else None
    correction = Correction.objects.get(pk=saved["correction"]) if saved["correction"] else None
    ruling = Ruling.objects.get(pk=saved["ruling"])
    return Done(ruling, entry, correction, saved["revision"], replayed=True)


def find_ruling(*, ruling_id: int, actor: Actor) -> Ruling:
    """A ruling with its acts, for who may see the desk."""
    rows = Ruling.objects.select_related("tournament", "sitting__round", "sitting__table", "sitting__match")
    try:
        ruling = rows.get(pk=ruling_id)
    except (Ruling.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    require(actor, Act.SEE_DESK, tournament=ruling.tournament)
    return ruling

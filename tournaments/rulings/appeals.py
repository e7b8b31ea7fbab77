"""Appeals against decided rulings: lodged by a side in time, decided by the chief referee or by a committee."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor
from ..acts.change import Change
from ..acts.errors import BAD_REQUEST, FORBIDDEN, clean_text
from ..acts.text import same_reading
from ..ledger.judging import admit, refusal, refuse_unless_current
from ..models import AppealState, Official, Player, RoundStatus, Ruling, RulingStatus, RulingStep, User
from ..sittings.games import parties_of
from ..sittings.ledgers import Ledger
from ..standings.runs import person_of
from .acts import Done, act_on_ruling, appeal_refused, refuse_unless_status, stepped
from .cases import TOLD_LIMIT
from .effects import undo


def lodge_appeal(*, ruling_id: int, actor: Actor, at: datetime, reason: str, side: str = "") -> Done:
    """A side appeals against a decided ruling at its own table, or an official takes its written appeal (`side`).

    Once, and until the time stated with the decision (`appeal_late`). Play goes on; standings are provisional.
    """
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT, required=True)

    def decide(ledger: Ledger, ruling: Ruling) -> Change[Done]:
        admitted = admit(actor, Act.LODGE_APPEAL, ledger)
        party = actor.side or side
        if party not in parties_of(ledger.profile):
            raise refusal(
                "unknown_side", "Say which side appeals.", "请写明是哪一方申诉。", status=BAD_REQUEST, field="side"
            )
        refuse_unless_status(ruling, RulingStatus.DECIDED)
        if ruling.appeal != AppealState.NONE:
            raise appeal_refused(ruling)
        assert ruling.appeal_until is not None
        if at > ruling.appeal_until:
            raise refusal("appeal_late", current={"appeal_until": ruling.appeal_until.isoformat()})
        to = {"appeal": AppealState.LODGED}
        return stepped(ledger, admitted, at, ruling, RulingStep.LODGE, reason, to=to, side=party)

    return act_on_ruling(ruling_id, actor, at, decide)


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
) -> Done:
    """What became of an appeal. Upheld, what the ruling did to the record is taken back by a new entry.

    `committee`: who decided, by the names officials sign in with; nobody where the chief referee decided alone. In a
    closed round nobody then overturns his own ruling, unless one official does everything.
    """
    reason = clean_text(reason, "reason", limit=TOLD_LIMIT, required=True)

    def decide(ledger: Ledger, ruling: Ruling) -> Change[Done]:
        admitted = admit(actor, Act.DECIDE_APPEAL, ledger)
        refuse_unless_current(ledger, expected_revision)
        if ruling.appeal != AppealState.LODGED:
            raise appeal_refused(ruling)
        members = _members(ledger, ruling, committee)
        if not upheld:
            to = {"appeal": AppealState.REJECTED}
            return stepped(ledger, admitted, at, ruling, RulingStep.REJECT, reason, to=to, members=members)
        if not members:
            _refuse_own_in_closed_round(ledger, ruling, actor)
        effect, to = undo(ledger, admitted, at, ruling, reason, treatment), {"appeal": AppealState.UPHELD}
        return stepped(ledger, admitted, at, ruling, RulingStep.UPHOLD, reason, to=to, effect=effect, members=members)

    return act_on_ruling(ruling_id, actor, at, decide)


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
        raise _bad_committee("committee_unknown")
    if len(members) % 2 == 0:
        raise _bad_committee("committee_even")
    if any(member.pk == ruling.decided_by_id for member in members):
        raise _bad_committee("committee_ruled")
    concerned = _names_concerned(ledger)
    if any(same_reading(str(member)) in concerned for member in members):
        raise _bad_committee("committee_concerned")
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


def _bad_committee(code: str) -> Exception:
    return refusal(code, status=BAD_REQUEST, field="committee")


def _refuse_own_in_closed_round(ledger: Ledger, ruling: Ruling, actor: Actor) -> None:
    closed = ledger.round.status == RoundStatus.CLOSED and not ledger.tournament.single_official
    if closed and person_of(actor).pk == ruling.decided_by_id:
        raise refusal(
            "second_official_same",
            "In a closed round another official than the one who ruled overturns a ruling.",
            "轮次关闭后，须由作出判罚以外的另一名裁判撤销判罚。",
            status=FORBIDDEN,
        )

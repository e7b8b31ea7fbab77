"""An event changes its rules: proposed with everything that would differ, then applied in a second step.

Only between rounds: a hand in progress was begun under the rules that stood. Before the first hand of the event nothing
can differ, so the change is applied at once. Published tables keep the rules and the digest they were published with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, offices, require
from ..acts.change import Add, Change, Line, Move, MoveAll, Told, Write, carry_out, commit
from ..acts.errors import BAD_REQUEST, FORBIDDEN, NotFound, Stale, clean_text
from ..acts.rows import find_tournament
from ..acts.text import canonical_json
from ..ledger.judging import refusal
from ..models import (
    LedgerEntry,
    Office,
    Official,
    Round,
    RoundStatus,
    RuleChange,
    Sitting,
    SittingPhase,
    Tournament,
    User,
)
from ..plans.presets import plain
from ..sittings.ledgers import Ledger
from ..sittings.next_state import next_state
from ..sittings.results import ruled_on_match
from ..standings.runs import person_of
from .facts import build_profile
from .rule_differences import differences, judge, ledgers_of, opening_of, opening_under, under

REASON_LIMIT = 300
_DIRECTION = (Office.ORGANISER, Office.CHIEF_REFEREE)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A change before it is proposed: the differences, whether it is applied at once, whether a second must agree."""

    spec: Any
    digest: str
    differences: Mapping[str, Any]
    at_once: bool
    needs_second: bool


def foresee(*, tournament_id: int, actor: Actor, spec: Any) -> Foreseen:
    """What judging the event by the rules of `spec` would change. Reads only, at any time."""
    event = find_tournament(tournament_id)
    _admit(actor, Act.PROPOSE_RULES, event)
    spec, digest = _other_rules(event, spec)
    return Foreseen(spec, digest, differences(event, spec), not _begun(event), _needs_second(event, person_of(actor)))


def propose(*, tournament_id: int, actor: Actor, at: datetime, spec: Any, reason: str) -> RuleChange:
    """Propose other rules for an event, with the differences kept beside them; applied at once before the first hand.

    A proposal that is still open is overtaken by the new one. Refused while a round runs (`round_runs`), when an
    entry could not be judged any more (`entries_blocked`), and when the rules are the same (`nothing_changed`).
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    def decide() -> Change[RuleChange]:
        event = _hold(tournament_id)
        admitted = _admit(actor, Act.PROPOSE_RULES, event)
        person = person_of(actor)
        wanted, digest = _other_rules(event, spec)
        begun = _begun(event)
        if begun:
            _refuse_while_a_round_runs(event)
        found = differences(event, wanted)
        _refuse_if_blocked(found)
        change = RuleChange(
            tournament=event,
            old_spec=event.profile_spec,
            old_digest=event.profile_digest,
            new_spec=wanted,
            new_digest=digest,
            reason=reason,
            differences=found,
            needs_second=begun and _needs_second(event, person),
            proposed_by=person,
            proposed_at=at,
        )
        older = {"tournament": event, "status": RuleChange.Status.PROPOSED}
        overtaken = {"status": RuleChange.Status.OVERTAKEN, "decided_by": None, "decided_at": at}
        proposed = (MoveAll(RuleChange, older, overtaken), Add(change))
        if not begun:
            return _applied(event, change, admitted, at, *proposed)
        return Change(admitted, change, proposed, (_line(change, Act.PROPOSE_RULES),))

    return carry_out(decide, actor, at)


def apply(*, change_id: int, actor: Actor, at: datetime) -> RuleChange:
    """The second step: the event is judged by the new rules from now on, everything recorded is judged again.

    Where the event has a chief referee, another person than the proposer applies it. When anything that was shown is
    different by now, the proposal is overtaken (`stale`) and the rules stay.
    """

    def decide() -> Change[RuleChange]:
        event, change = _open(change_id)
        admitted = _admit(actor, Act.APPLY_RULES, event)
        _refuse_unless_proposed(change)
        proposer = change.proposed_by
        if (change.needs_second or _needs_second(event, proposer)) and person_of(actor) == proposer:
            raise refusal(
                "second_official_same",
                "Proposer and approver must be two people.",
                "提出人和核准人要是两个人。",
                status=FORBIDDEN,
            )
        _refuse_while_a_round_runs(event)
        if _still_true(event, change):
            return _applied(event, change, admitted, at)
        overtaken = _decided(change, RuleChange.Status.OVERTAKEN, None, at)
        line = _line(change, Act.REFUSE_RULES, status="overtaken")
        return Change(admitted, change, (overtaken,), (line,), refused=Stale({"rule_change": change.pk}))

    return carry_out(decide, actor, at)


def refuse(*, change_id: int, actor: Actor, at: datetime, reason: str = "") -> RuleChange:
    """Refuse a proposed change, or take one's own back; nothing else changes."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)

    def decide() -> Change[RuleChange]:
        event, change = _open(change_id)
        admitted = _admit(actor, Act.REFUSE_RULES, event)
        _refuse_unless_proposed(change)
        refused = _decided(change, RuleChange.Status.REFUSED, person_of(actor), at)
        return Change(admitted, change, (refused,), (_line(change, Act.REFUSE_RULES, reason, "refused"),))

    return carry_out(decide, actor, at)


def _admit(actor: Actor, act: Act, event: Tournament) -> Admitted:
    """Refuse who may not: outsiders learn nothing (`not_found`), officials are told (`forbidden`)."""
    if not actor.system and not offices(actor, event):
        raise NotFound()
    return require(actor, act, tournament=event)


def _hold(tournament_id: int) -> Tournament:
    """The event with its rounds and sittings locked, in the order every other act takes its locks."""
    list(Round.objects.select_for_update(no_key=True).filter(tournament=tournament_id).order_by("pk"))
    list(Sitting.objects.select_for_update(no_key=True).filter(round__tournament=tournament_id).order_by("pk"))
    return find_tournament(tournament_id, lock=True)


def _open(change_id: int) -> tuple[Tournament, RuleChange]:
    try:
        tournament_id = RuleChange.objects.values_list("tournament_id", flat=True).get(pk=change_id)
    except (RuleChange.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    event = _hold(tournament_id)
    return event, RuleChange.objects.select_related("proposed_by").get(pk=change_id)


def _other_rules(event: Tournament, spec: Any) -> tuple[Any, str]:
    """The spec as it is kept, and its digest; refused when these are the rules already, or those of another game."""
    spec = plain(spec)
    profile = build_profile(spec)
    if profile.digest == event.profile_digest:
        raise refusal(
            "nothing_changed",
            "These are the rules of the event already.",
            "赛事用的就是这套规则，没有改动。",
            status=BAD_REQUEST,
            field="profile",
        )
    if event.individual or profile.game != event.profile.game:
        raise refusal("rules_for_two_sides", field="profile")
    return spec, profile.digest


def _still_true(event: Tournament, change: RuleChange) -> bool:
    """Whether applying the change does exactly what was shown."""
    rules = (event.profile_digest, build_profile(change.new_spec).digest)
    if rules != (change.old_digest, change.new_digest):
        return False
    return canonical_json(differences(event, change.new_spec)) == canonical_json(change.differences)


def _begun(event: Tournament) -> bool:
    return LedgerEntry.objects.filter(tournament=event).exists()


def _needs_second(event: Tournament, proposer: User) -> bool:
    """An event with a chief referee has a change applied by another person; never where one official does all."""
    if event.single_official:
        return False
    direction = Official.objects.filter(tournament=event, office__in=_DIRECTION, revoked_at=None)
    has_chief = direction.filter(office=Office.CHIEF_REFEREE).exists()
    return has_chief and direction.exclude(user=proposer).exists()


def _refuse_while_a_round_runs(event: Tournament) -> None:
    running = event.rounds.filter(status=RoundStatus.RUNNING).first()
    if running is not None:
        raise refusal(
            "round_runs",
            f"Round {running.number} is being played by the rules as they are. Close it first.",
            f"第 {running.number} 轮正按现行规则进行，请先关闭这一轮。",
            params={"round": running.number},
        )


def _refuse_if_blocked(found: Mapping[str, Any]) -> None:
    blocked = found["blocked"]
    if blocked:
        raise refusal(
            "entries_blocked",
            f"{len(blocked)} recorded entries cannot be judged by these rules. Correct them first.",
            f"有 {len(blocked)} 条记录不能按这套规则判定，请先更正。",
            current={"blocked": blocked},
        )


def _refuse_unless_proposed(change: RuleChange) -> None:
    if change.status != RuleChange.Status.PROPOSED:
        raise refusal("rule_change_decided", current={"rule_change": change.pk, "status": str(change.status)})


def _applied(
    event: Tournament, change: RuleChange, admitted: Admitted, at: datetime, *before: Write
) -> Change[RuleChange]:
    """The new rules, then every sitting and match as they judge it.

    Each sitting is decided when those before it are written: rooms on boards and games of a match look at each other.
    """
    actor, old = admitted.actor, under(event, event.profile_spec)
    decided = _decided(change, RuleChange.Status.APPLIED, person_of(actor), at)
    rules = Move(event, {"profile_spec": change.new_spec, "profile_digest": change.new_digest})
    commit(Change(admitted, None, (*before, decided, rules)), actor, at)
    for ledger in ledgers_of(event):
        commit(_judged_anew(ledger, old, admitted, at), actor, at)
    return Change(admitted, change, lines=(_line(change, Act.APPLY_RULES),), stale=True)


def _judged_anew(ledger: Ledger, old: Tournament, admitted: Admitted, at: datetime) -> Change[None]:
    """A sitting as the rules of its event judge it, which were those of `old`."""
    sitting = ledger.sitting
    opening = opening_under(opening_of(ledger), old, ledger.tournament)
    more = {} if opening == ledger.opening else {"opening": opening.to_json()}
    sitting.opening = opening.to_json()
    state = judge(ledger, opening).state
    phase = SittingPhase(sitting.phase)
    if phase == SittingPhase.FINISHED and not state.finished and not ruled_on_match(ledger):
        phase = SittingPhase.PLAYING
    then = next_state(ledger, at=at, phase=phase, state=state, more=more)
    told = Told("sitting", sitting.pk, then.revision, public=True)
    return Change(admitted, None, then.writes, told=(*then.told, told))


def _decided(change: RuleChange, status: RuleChange.Status, by: User | None, at: datetime) -> Move:
    return Move(change, {"status": status, "decided_by": by, "decided_at": at}, {"status": change.status})


def _line(change: RuleChange, act: Act, reason: str = "", status: str | None = None) -> Line:
    """A line of the history: the rules before and after, or what became of the proposal."""
    old = new = None
    if status is None:
        old = {"profile": change.old_spec, "profile_digest": change.old_digest}
        new = {"profile": change.new_spec, "profile_digest": change.new_digest}
    about = ("rule_change", change)
    return Line(act, about, reason or change.reason, old, new if status is None else {"status": status})

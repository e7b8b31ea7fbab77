"""An event changes its rules: proposed with everything that would differ, then applied in a second step.

Only between rounds: a hand in progress was begun under the rules that stood. Before the first hand of the event nothing
can differ, so the change is applied at once. Published tables keep the rules and the digest they were published with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from ..acts import history
from ..acts.access import Act, Actor, offices, require
from ..acts.announce import announce
from ..acts.doorbell import mark_stale
from ..acts.errors import BAD_REQUEST, FORBIDDEN, NotFound, Stale, clean_text
from ..acts.rows import find_tournament
from ..acts.text import canonical_json
from ..ledger.judging import refusal, write_sitting
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


@transaction.atomic
def propose(*, tournament_id: int, actor: Actor, at: datetime, spec: Any, reason: str) -> RuleChange:
    """Propose other rules for an event, with the differences kept beside them; applied at once before the first hand.

    A proposal that is still open is overtaken by the new one. Refused while a round runs (`round_runs`), when an
    entry could not be judged any more (`entries_blocked`), and when the rules are the same (`nothing_changed`).
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)

    event = _hold(tournament_id)
    _admit(actor, Act.PROPOSE_RULES, event)
    person = person_of(actor)
    wanted, digest = _other_rules(event, spec)
    begun = _begun(event)
    if begun:
        _refuse_while_a_round_runs(event)
    found = differences(event, wanted)
    _refuse_if_blocked(found)
    for older in event.rule_changes.filter(status=RuleChange.Status.PROPOSED):
        _decide(older, RuleChange.Status.OVERTAKEN, None, at)
    change = RuleChange.objects.create(
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
    if begun:
        _note(change, actor, at, Act.PROPOSE_RULES)
    else:
        _apply(event, change, actor, at)
    return change


def apply(*, change_id: int, actor: Actor, at: datetime) -> RuleChange:
    """The second step: the event is judged by the new rules from now on, everything recorded is judged again.

    Where the event has a chief referee, another person than the proposer applies it. When anything that was shown is
    different by now, the proposal is overtaken (`stale`) and the rules stay.
    """
    with transaction.atomic():
        event, change = _open(change_id)
        _admit(actor, Act.APPLY_RULES, event)
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
        if overtaken := not _still_true(event, change):
            _decide(change, RuleChange.Status.OVERTAKEN, None, at)
            _note(change, actor, at, Act.REFUSE_RULES, status="overtaken")
        else:
            _apply(event, change, actor, at)
    if overtaken:
        raise Stale({"rule_change": change.pk})
    return change


@transaction.atomic
def refuse(*, change_id: int, actor: Actor, at: datetime, reason: str = "") -> RuleChange:
    """Refuse a proposed change, or take one's own back; nothing else changes."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)

    event, change = _open(change_id)
    _admit(actor, Act.REFUSE_RULES, event)
    _refuse_unless_proposed(change)
    _decide(change, RuleChange.Status.REFUSED, person_of(actor), at)
    _note(change, actor, at, Act.REFUSE_RULES, reason=reason, status="refused")
    return change


def _admit(actor: Actor, act: Act, event: Tournament) -> None:
    """Refuse who may not: outsiders learn nothing (`not_found`), officials are told (`forbidden`)."""
    if not actor.system and not offices(actor, event):
        raise NotFound()
    require(actor, act, tournament=event)


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


def _apply(event: Tournament, change: RuleChange, actor: Actor, at: datetime) -> None:
    """Write the new rules, then every sitting and match as they judge them."""
    _decide(change, RuleChange.Status.APPLIED, person_of(actor), at)
    before = under(event, event.profile_spec)
    event.profile_spec, event.profile_digest = change.new_spec, change.new_digest
    event.save(update_fields=["profile_spec", "profile_digest"])
    for ledger in ledgers_of(event):
        opening = opening_under(opening_of(ledger), before, event)
        if opening != ledger.opening:
            ledger.sitting.opening = opening.to_json()
            ledger.sitting.save(update_fields=["opening"])
        state = judge(ledger, opening).state
        phase = SittingPhase(ledger.sitting.phase)
        if phase == SittingPhase.FINISHED and not state.finished and not ruled_on_match(ledger):
            phase = SittingPhase.PLAYING
        write_sitting(ledger, at=at, phase=phase, state=state)
        announce(event.pk, "sitting", ledger.sitting.pk, ledger.sitting.revision, public=True)
    _note(change, actor, at, Act.APPLY_RULES)
    mark_stale(event.pk)


def _decide(change: RuleChange, status: RuleChange.Status, by: User | None, at: datetime) -> None:
    change.status, change.decided_by, change.decided_at = status, by, at
    change.save(update_fields=["status", "decided_by", "decided_at"])


def _note(
    change: RuleChange, actor: Actor, at: datetime, act: Act, *, reason: str = "", status: str | None = None
) -> None:
    """A row of the history: the rules before and after, or what became of the proposal."""
    old = new = None
    if status is None:
        old = {"profile": change.old_spec, "profile_digest": change.old_digest}
        new = {"profile": change.new_spec, "profile_digest": change.new_digest}
    history.record(
        tournament=change.tournament,
        actor=actor,
        at=at,
        act=act,
        subject=f"rule_change:{change.pk}",
        reason=reason or change.reason,
        old=old,
        new=new if status is None else {"status": status},
    )

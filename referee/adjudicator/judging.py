"""Judging a position of the adjudicator: `verdict_of(kind, profile, params)`, and the same position by other rules.

The kernel judges the values that a position was read into; what it answers is told kind by kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import individual_ids, load, profile_ids

from . import (
    ally_verdicts,
    auction_verdicts,
    deal_verdicts,
    offence_verdicts,
    play_verdicts,
    signal_verdicts,
    throw_verdicts,
)
from .cases import Case
from .questions import (
    ALLY,
    BIDS,
    BURIAL,
    CONTEST,
    COUNTER,
    DECLARE,
    FLIP,
    FOLLOW,
    INFORMATION,
    OFFENCE,
    ORDER,
    RETURN,
    SHAPES,
    SIGNAL,
    THROW,
    TRICK,
    kinds_of,
)
from .verdicts import OPEN, Verdict, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scoring.profiles import Profile


_JUDGES: Final[Mapping[str, Callable[[Case], Verdict]]] = {
    TRICK: play_verdicts.trick,
    FOLLOW: play_verdicts.follow,
    THROW: throw_verdicts.throw,
    SHAPES: play_verdicts.shapes,
    ORDER: play_verdicts.order,
    BIDS: deal_verdicts.bids,
    CONTEST: deal_verdicts.contested,
    BURIAL: deal_verdicts.burial,
    ALLY: ally_verdicts.ally,
    COUNTER: auction_verdicts.counter,
    FLIP: auction_verdicts.flip,
    DECLARE: auction_verdicts.declared_in_turn,
    SIGNAL: signal_verdicts.answered,
    RETURN: signal_verdicts.returned,
    INFORMATION: signal_verdicts.told_how,
    OFFENCE: offence_verdicts.cost,
}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The same position by other rules; `same`: the headline and what follows do not differ."""

    profile: Profile
    verdict: Verdict
    same: bool


def verdict_of(kind: str, profile: Profile, params: Mapping[str, Any]) -> Verdict:
    """The verdict on a position: `kind` is one of `questions.KINDS`, `params` the query of its link (or a QueryDict).

    Never raises for what somebody typed: what cannot be judged is a verdict with `findings` or `needs`.
    """
    return judge(Case.of(kind, profile, params))


def judge(case: Case) -> Verdict:
    found = case.unread()
    if found:
        return _refused(case, found)
    if case.kind in (COUNTER, FLIP) and not case.profile.ladder:  # nobody declares, so nothing is countered or turned
        return _refused(case, [finding("no_levels", "", profile=case.profile, topic="ladder")])
    if case.kind not in kinds_of(case.profile):
        return _refused(case, [finding("question_not_here", "")])
    if case.kind == COUNTER and not case.needs and not auction_verdicts.is_declaration(case):
        shown = finding("declare_cards", "declared", profile=case.profile, topic="declare", level=case.get("level"))
        return _refused(case, [shown])
    if case.needs:
        return Verdict(case.kind, OPEN, say("Enter the cards.", "请输入牌。"), needs=case.needs)
    try:
        return _JUDGES[case.kind](case)
    except Refused as refused:
        return _refused(case, [replace(one, field=case.field_of(one.field)) for one in refused.findings])


def by_other_rules(case: Case, here: Verdict) -> list[Elsewhere]:
    """The position under every other profile that has the question at such a table, with as many decks; those that
    say something else first."""
    told = []
    for other in _all_rules():
        if not _is_such_a_table(case, other) or (other.id == case.profile.id and not case.profile.changed):
            continue
        verdict = verdict_of(case.kind, other, case.values)
        told.append(Elsewhere(other, verdict, same=verdict.text == here.text))
    return sorted(told, key=lambda one: one.same)


def _all_rules() -> Iterator[Profile]:
    alone = individual_ids()
    return (load(name, individual=name in alone) for name in (*profile_ids(), *alone))


def _is_such_a_table(case: Case, other: Profile) -> bool:
    """Whether the same players sit there with the same cards, and the question is known."""
    same = (other.decks, other.seats) == (case.profile.decks, case.profile.seats)
    return same and case.kind in kinds_of(other)


def _refused(case: Case, findings: Iterable[Finding]) -> Verdict:
    headline = say("This cannot be judged as it stands.", "现在还不能裁定。")
    return Verdict(case.kind, OPEN, headline, findings=tuple(findings))

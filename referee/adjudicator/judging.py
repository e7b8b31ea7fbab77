"""Judging a position of the adjudicator: `verdict_of(kind, profile, params)`, and the same position by other rules.

The kernel judges the values that a position was read into; what it answers is told kind by kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from scoring.hands.findings import Finding, Refused, finding
from scoring.profiles import load, profile_ids

from . import auction_verdicts, play_verdicts, signal_verdicts
from .cases import COUNTER, FLIP, FOLLOW, RETURN, SHAPES, THROW, TRICK, Case
from .verdicts import OPEN, Verdict, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoring.profiles import Profile


_JUDGES: Final[Mapping[str, Callable[[Case], Verdict]]] = {
    TRICK: play_verdicts.trick,
    FOLLOW: play_verdicts.follow,
    THROW: play_verdicts.throw,
    SHAPES: play_verdicts.shapes,
    COUNTER: auction_verdicts.counter,
    FLIP: auction_verdicts.flip,
    RETURN: signal_verdicts.returned,
}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The same position by other rules; `same`: the headline and what follows do not differ."""

    profile: Profile
    verdict: Verdict
    same: bool


def verdict_of(kind: str, profile: Profile, params: Mapping[str, Any]) -> Verdict:
    """The verdict on a position: `kind` is one of `cases.KINDS`, `params` the query of its link (a QueryDict will do).

    Never raises for what somebody typed: what cannot be judged is a verdict with `findings` or `needs`.
    """
    return judge(Case.of(kind, profile, params))


def judge(case: Case) -> Verdict:
    found = case.unread()
    if found:
        return _refused(case, found)
    if case.kind in (COUNTER, FLIP) and not case.profile.ladder:  # nobody declares, so nothing is countered or turned
        return _refused(case, [finding("no_levels", "", profile=case.profile, topic="ladder")])
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
    """The position under every other profile with as many decks, those that say something else first."""
    told = []
    for name in profile_ids():
        other = load(name)
        if other.decks == case.profile.decks and (name != case.profile.id or case.profile.changed):
            verdict = verdict_of(case.kind, other, case.values)
            told.append(Elsewhere(other, verdict, same=verdict.text == here.text))
    return sorted(told, key=lambda one: one.same)


def _refused(case: Case, findings: Iterable[Finding]) -> Verdict:
    headline = say("This cannot be judged as it stands.", "现在还不能裁定。")
    return Verdict(case.kind, OPEN, headline, findings=tuple(findings))

"""How a sitting ends: by an entry, by a winning lead, by its last hand; and what equal levels mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from scoring.hands.entries import End
from scoring.hands.variants import Scoring
from scoring.profiles import Profile
from scoring.sittings.states import UNTIMED, Conditions, EntryResult, SittingState
from scoring.values import Side


def end_by_entry(
    profile: Profile, conditions: Conditions, state: SittingState, entry: End
) -> tuple[SittingState, EntryResult]:
    if entry.reason == "forfeit":
        winner = None if entry.by is None else entry.by.other
        after = replace(state, finished=True, end_reason="forfeit", winner=winner, decided_by="forfeit")
    elif entry.reason == "lead" and not state.fixed and lead(profile, state):
        after = won_by_lead(profile, state)
    else:
        after = by_levels(profile, conditions, state, entry.reason)
    because = profile.cite({"forfeit": "forfeit", "lead": "lead"}.get(entry.reason, "timed_tie"))
    after = replace(after, entry_count=state.next_entry)
    return after, EntryResult(entry.kind, state, after, because=because)


def end_by_conditions(profile: Profile, conditions: Conditions, state: SittingState) -> SittingState:
    """A sitting ends by itself with a winning lead, or with its last hand.

    Where equal levels call for one more hand, it goes on until they differ; hands of fixed levels are no more than set.
    """
    if state.finished or conditions is UNTIMED:
        return state
    if conditions.lead_levels is not None and abs(lead(profile, state)) >= conditions.lead_levels:
        return won_by_lead(profile, state)
    if state.hands_played < hands_in_all(conditions):
        return state
    ended = by_levels(profile, conditions, state, "hands")
    return state if ended.undecided == "extra_hand" and not conditions.fixed else ended


def hands_in_all(conditions: Conditions) -> int | float:
    """How many hands a sitting has; infinite where nothing says so."""
    return min(conditions.hands or inf, len(conditions.fixed) or inf)


def lead(profile: Profile, state: SittingState) -> int:
    """Levels N–S are ahead; negative when E–W are."""
    return profile.ladder.index(state.levels[Side.NS]) - profile.ladder.index(state.levels[Side.EW])


def won_by_lead(profile: Profile, state: SittingState) -> SittingState:
    winner = Side.NS if lead(profile, state) > 0 else Side.EW
    return replace(state, finished=True, end_reason="lead", winner=winner, decided_by="lead")


def by_levels(profile: Profile, conditions: Conditions, state: SittingState, reason: str) -> SittingState:
    """The end as it stands: by levels, or by what is counted where every hand has its level."""
    if conditions.fixed:
        verdict = decide(state.hand_points, conditions.tie_rule, on_stage=None)
        if verdict.decided_by == "levels":
            verdict = replace(verdict, decided_by=_COUNTED[state.scoring])
        return _ended(state, reason, verdict)
    first = None
    if state.reached_at[Side.NS] != state.reached_at[Side.EW]:
        first = min(Side, key=lambda side: state.reached_at[side])
    verdict = decide(lead(profile, state), conditions.tie_rule, on_stage=state.on_stage, reached_first=first)
    return _ended(state, reason, verdict)


def _ended(state: SittingState, reason: str, verdict: Verdict) -> SittingState:
    return replace(
        state,
        finished=True,
        end_reason=reason,
        winner=verdict.winner,
        draw=verdict.draw,
        undecided=verdict.undecided,
        decided_by=verdict.decided_by,
    )


_COUNTED: Mapping[Scoring, Literal["hand_points", "points", "wins"]] = {
    Scoring.HAND_POINTS: "hand_points",
    Scoring.POINTS: "points",
    Scoring.WINS: "wins",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """How levels at the end decide a match."""

    winner: Side | None = None
    draw: bool = False
    undecided: Literal["extra_hand", "lots"] | None = None
    decided_by: Literal["levels", "hand_points", "points", "wins", "tie_rule"] | None = None


# tie rules that name no winner
_NAMING_NOBODY = {
    "draw": Verdict(draw=True, decided_by="tie_rule"),
    "extra_hand": Verdict(undecided="extra_hand"),
}


def decide(difference: int, tie_rule: str, *, on_stage: Side | None, reached_first: Side | None = None) -> Verdict:
    """The verdict on the levels N–S are ahead (negative: behind). Equal levels: the tie rule.

    A rule that cannot decide (nobody on stage yet, both levels reached at once) leaves it to lots.
    """
    if difference > 0:
        return Verdict(winner=Side.NS, decided_by="levels")
    if difference < 0:
        return Verdict(winner=Side.EW, decided_by="levels")
    if tie_rule in _NAMING_NOBODY:
        return _NAMING_NOBODY[tie_rule]
    side = {"on_stage": on_stage, "first_to_reach": reached_first}.get(tie_rule)
    return Verdict(undecided="lots") if side is None else Verdict(winner=side, decided_by="tie_rule")

"""A sitting: an opening and a ledger of entries, folded into a state. There is one fold.

Dealer and level on a sheet are facts as played; the fold works out what was due and reports a difference as a
discrepancy. Roles follow the dealer as played. The gain counts from the due level (`recompute`), or the recorded
level becomes that side's level from there (`let_stand`).

Where the hands are fixed (固定级, a board) levels do not carry: a hand is played at its own level, its dealer is set or
the next seat counter-clockwise, and its hand points count instead of levels: or, where the conditions say so, what
the attackers took in points, or who won it (固定主).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.frozen import replace
from scoring.hands.entries import Adjusted, Annulled, Entry, HandSheet, LevelPenalty
from scoring.hands.findings import Refused
from scoring.hands.outcomes import (
    NO_HOOK,
    HandOutcome,
    LevelResult,
    hand_outcome,
    hook,
    next_dealer,
    plain_outcome,
)
from scoring.hands.regional import failures_after
from scoring.hands.totals import Total, attackers_total
from scoring.hands.variants import Scoring, fixed_reasons, hand_worth, result_by_line, with_line
from scoring.profiles import Profile, Reason
from scoring.sittings import sentences
from scoring.sittings.checks import counted_level, dealer_due, discrepancies, impossible
from scoring.sittings.endings import end_by_conditions, end_by_entry
from scoring.sittings.states import UNTIMED, Conditions, EntryResult, Opening, SittingState
from scoring.values import Level, Role, Seat, Side

#: A member of an enumeration costs as much as a call.
_NS, _EW = Side.NS, Side.EW


def start(opening: Opening, conditions: Conditions = UNTIMED) -> SittingState:
    """The state before the first entry. The first of fixed hands has its own level, and perhaps its own dealer."""
    if conditions.fixed:
        first = conditions.fixed[0]
        dealer = first.dealer or opening.first_dealer
        levels = dict.fromkeys(Side, first.level)
        return SittingState(levels, dealer, fixed=conditions.fixed, scoring=conditions.scoring)
    levels = {Side.NS: opening.levels[Side.NS], Side.EW: opening.levels[Side.EW]}
    return SittingState(levels=levels, next_dealer=opening.first_dealer)


def fold(
    profile: Profile,
    opening: Opening,
    entries: Iterable[Entry],
    conditions: Conditions = UNTIMED,
    *,
    reasons: bool = False,
) -> SittingState:
    """The state after all entries, one result per entry.

    Refused where an entry cannot be counted at all (`dealer_missing`, `match_over`); everything else that is odd is a
    discrepancy of its entry.
    """
    state, results = start(opening, conditions), []
    for entry in entries:
        state, result = step(profile, conditions, state, entry, reasons=reasons)
        results.append(result)
    return replace(state, entries=tuple(results))


def step(
    profile: Profile, conditions: Conditions, state: SittingState, entry: Entry, *, reasons: bool = False
) -> tuple[SittingState, EntryResult]:
    """The state after one more entry, and what the entry did. Its `entries` are empty: the fold gathers them."""
    refused = impossible(profile, state, entry)
    if refused:
        raise Refused(refused)
    if state.entries:
        state = replace(state, entries=())
    if isinstance(entry, HandSheet):
        after, result = _play_hand(profile, conditions, state, entry, reasons=reasons)
    elif isinstance(entry, Adjusted):
        after, result = _play_adjusted(profile, conditions, state, entry, reasons=reasons)
    elif isinstance(entry, Annulled):
        after, result = _annul(profile, state, entry, reasons=reasons)
    elif isinstance(entry, LevelPenalty):
        after, result = _penalize(profile, conditions, state, entry, reasons=reasons)
    else:
        after, result = end_by_entry(profile, conditions, state, entry)
    if reasons:
        line = sentences.what_happened(profile, entry, state, after, result)
        result = replace(result, sentence=line, levels_sentence=sentences.levels(state, after))
    return after, result


def _is_plain(profile: Profile, state: SittingState, sheet: HandSheet) -> bool:
    """Whether nothing but its total decides what a hand moves."""
    flagged = profile.flag_line is not None and any(state.flag_failures.values())
    return not (sheet.winning_play or sheet.specials or sheet.line is not None or flagged)


def _play_hand(
    profile: Profile, conditions: Conditions, state: SittingState, sheet: HandSheet, *, reasons: bool
) -> tuple[SittingState, EntryResult]:
    dealer = sheet.dealer or dealer_due(profile, state, sheet)
    assert dealer is not None
    dealing = dealer.side
    level = counted_level(sheet, state.levels[dealing])
    levels = state.levels if state.levels[dealing] is level else {**state.levels, dealing: level}
    total = attackers_total(profile, sheet, level=level, reasons=reasons)
    if not (reasons or state.fixed) and _is_plain(profile, state, sheet):
        outcome = plain_outcome(profile, dealer, levels[_NS], levels[_EW], total.for_levels)
        return _settle(profile, conditions, state, sheet, dealer, level, outcome, total, ())
    result = result_by_line(profile, sheet.line, total.for_levels, level=level, reasons=reasons)
    if state.fixed:
        outcome, because = _fixed_outcome(state, dealer, result), total.because + result.because
        if reasons and state.scoring is not Scoring.HAND_POINTS:
            because += fixed_reasons(state.scoring)
        return _settle(profile, conditions, state, sheet, dealer, level, outcome, total, because)
    hooking = NO_HOOK
    if sheet.winning_play:
        hooking = hook(
            profile if sheet.line is None else with_line(profile, sheet.line),
            dealer_level=level,
            trump=sheet.trump,
            winning_play=sheet.winning_play,
            won_by_that_play=sheet.last_trick_winner is not Role.DEALER,
            attackers_total=total.for_levels,
            hooked_before=state.hooked[dealing],
            reasons=reasons,
        )
    outcome = hand_outcome(
        profile,
        dealer=dealer,
        levels=levels,
        result=result,
        hook=hooking,
        specials=sheet.specials,
        failures=state.flag_failures,
        reasons=reasons,
    )
    because = ()
    if reasons:
        taken = state.next_dealer is not None and dealer.side is not state.next_dealer.side
        because = profile.cite("joker_declare") if sheet.declared_by is not None and taken else ()
        because += total.because + _treatment_reasons(profile, sheet, state) + outcome.because
    return _settle(profile, conditions, state, sheet, dealer, level, outcome, total, because)


def _treatment_reasons(profile: Profile, sheet: HandSheet, state: SittingState) -> tuple[Reason, ...]:
    dealer = sheet.dealer or dealer_due(profile, state, sheet)
    if dealer is None or sheet.level is None or sheet.level == state.levels[dealer.side]:
        return ()
    return profile.cite(sheet.treatment or "recompute")


def _play_adjusted(
    profile: Profile, conditions: Conditions, state: SittingState, entry: Adjusted, *, reasons: bool
) -> tuple[SittingState, EntryResult]:
    dealer = entry.dealer or state.next_dealer
    assert dealer is not None
    attackers_gain = entry.deal_changes_hands if entry.side is None else entry.side is not dealer.side
    result = LevelResult(
        winner_role=Role.ATTACKERS if attackers_gain else Role.DEALER,
        levels=entry.levels,
        deal_changes_hands=entry.deal_changes_hands,
        because=profile.cite("adjusted", entry.levels) if reasons else (),
    )
    if state.fixed:
        outcome = _fixed_outcome(state, dealer, result)
    else:
        outcome = hand_outcome(
            profile, dealer=dealer, levels=state.levels, result=result, failures=state.flag_failures, reasons=reasons
        )
    return _settle(profile, conditions, state, entry, dealer, state.levels[dealer.side], outcome, None, outcome.because)


def _fixed_outcome(state: SittingState, dealer: Seat, result: LevelResult) -> HandOutcome:
    """What a fixed hand does: nobody climbs or wins the deal, the next one is due (after the last the levels stay)."""
    played = state.hands_played + 1
    following = state.fixed[played] if played < len(state.fixed) else None
    set_dealer = None if following is None else following.dealer
    return HandOutcome(
        winner_role=result.winner_role,
        levels_won=result.levels,
        deal_changes_hands=result.deal_changes_hands,
        levels=state.levels if following is None else dict.fromkeys(Side, following.level),
        next_dealer=set_dealer or (state.next_dealer or dealer).right,
        stopped_at=None,
        hooked=None,
        passed=None,
        winner=None,
        flag_failures=state.flag_failures,
        because=result.because,
    )


def _settle(
    profile: Profile,
    conditions: Conditions,
    state: SittingState,
    entry: HandSheet | Adjusted,
    dealer: Seat,
    level: Level,
    outcome: HandOutcome,
    total: Total | None,
    because: tuple[Reason, ...],
) -> tuple[SittingState, EntryResult]:
    hooked = state.hooked
    if outcome.hooked is not None:
        hooked = {**hooked, outcome.hooked: hooked[outcome.hooked] + 1}
    won, played = outcome.winner is not None, state.hands_played + 1
    ahead = state.hand_points
    if state.fixed:
        side, worth = hand_worth(
            state.scoring,
            dealer.side,
            deal_changes_hands=outcome.deal_changes_hands,
            levels=outcome.levels_won,
            attackers_total=0 if total is None else int(total.raw),
        )
        ahead += worth if side is _NS else -worth
    after = SittingState(
        levels=outcome.levels,
        # after the last of fixed hands nobody deals
        next_dealer=None if played == len(state.fixed) else outcome.next_dealer,
        hooked=hooked,
        flag_failures=outcome.flag_failures,
        passed=outcome.passed,
        hands_played=played,
        finished=won,
        end_reason="passed" if won else None,
        winner=outcome.winner,
        decided_by="passed" if won else None,
        reached_at=_reached(state, outcome.levels),
        entry_count=state.next_entry,
        fixed=state.fixed,
        hand_points=ahead,
        scoring=state.scoring,
    )
    after = end_by_conditions(profile, conditions, after)
    found = discrepancies(profile, state, entry)
    return after, EntryResult(entry.kind, state, after, dealer, level, total, outcome, found, because)


def _annul(
    profile: Profile, state: SittingState, entry: Annulled, *, reasons: bool
) -> tuple[SittingState, EntryResult]:
    dealer = entry.dealer or state.next_dealer
    rebelled = entry.reason == "rebellion"
    following = None if dealer is None else next_dealer(dealer, entry.reason)
    after = replace(
        state,
        next_dealer=(state.next_dealer or dealer) if state.fixed else following,
        last_was_rebellion=rebelled or (state.last_was_rebellion and entry.reason != "ruling"),
        entry_count=state.next_entry,
    )
    because: tuple[Reason, ...] = ()
    if reasons:
        because = profile.cite("rebellion") + profile.cite("rebellion_redeal") if rebelled else profile.cite("redeal")
    return after, EntryResult(
        entry.kind,
        state,
        after,
        dealer=dealer,
        level=None if dealer is None else state.levels[dealer.side],
        discrepancies=discrepancies(profile, state, entry),
        because=because,
    )


def _penalize(
    profile: Profile, conditions: Conditions, state: SittingState, entry: LevelPenalty, *, reasons: bool
) -> tuple[SittingState, EntryResult]:
    if state.fixed:
        points = entry.levels if entry.side is Side.NS else -entry.levels
        after = replace(state, hand_points=state.hand_points + points, entry_count=state.next_entry)
        because = profile.cite("level_penalty", entry.levels) if reasons else ()
        return after, EntryResult(entry.kind, state, after, because=because)
    levels = {**state.levels, entry.side: profile.ladder.fall(state.levels[entry.side], -entry.levels)}
    after = replace(
        state,
        levels=levels,
        flag_failures=failures_after(levels, state.flag_failures),
        reached_at=_reached(state, levels),
        entry_count=state.next_entry,
    )
    after = end_by_conditions(profile, conditions, after)
    because = profile.cite("level_penalty", entry.levels) if reasons else ()
    return after, EntryResult(entry.kind, state, after, because=because)


def _reached(state: SittingState, levels: Mapping[Side, Level]) -> Mapping[Side, int]:
    """With which entry each side came to its level."""
    was, reached = state.levels, state.reached_at
    ns, ew = levels[_NS] is was[_NS], levels[_EW] is was[_EW]
    if ns and ew:
        return reached
    number = state.next_entry
    return {_NS: reached[_NS] if ns else number, _EW: reached[_EW] if ew else number}

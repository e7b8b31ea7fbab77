"""From a total to what happens: levels, must-play cut, hook, next dealer, finish; and who may rebel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from scoring.hands.entries import Special
from scoring.hands.regional import after_jump, at_the_flag, deciding_jump, failures_after
from scoring.hands.totals import settle_reasons
from scoring.ladder import Climb
from scoring.profiles import Profile, Reason
from scoring.values import FLAG, Card, Level, Role, Seat, Side, Trump


@dataclass(frozen=True, slots=True)
class LevelResult:
    """Who gains how many levels. `winner_role` is the dealer side below the line, the attackers from it on."""

    winner_role: Role
    levels: int
    deal_changes_hands: bool
    because: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Hook:
    """Whether the dealer side is hooked (钩到底), and the level it falls to."""

    hook: bool
    level: Level | None = None
    because: tuple[Reason, ...] = ()


NO_HOOK = Hook(hook=False)
NO_FAILURES: Mapping[Side, int] = {Side.NS: 0, Side.EW: 0}


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """What one hand does to a sitting.

    `levels` are the levels after it; `passed` is the side that passed the last level, `finished` says that the match
    is won by `winner`; `stopped_at` is the must-play level that cut the gain. `jump` is the side that a special play
    sent up; `flag_failures` are the failures running of each side at the flag, `flag_failed` says that this hand
    was one.
    """

    winner_role: Role
    levels_won: int
    deal_changes_hands: bool
    levels: Mapping[Side, Level]
    next_dealer: Seat
    stopped_at: Level | None
    hooked: Side | None
    passed: Side | None
    winner: Side | None
    jump: Side | None = None
    flag_failed: bool = False
    flag_failures: Mapping[Side, int] = field(default_factory=lambda: dict(NO_FAILURES))
    because: tuple[Reason, ...] = ()


def level_result(profile: Profile, total: int, *, level: Level | None = None, reasons: bool = True) -> LevelResult:
    """The level table for a total as summed up (signed points); cap and floor are applied first.

    `level` is the level of the hand, where it matters: the flag has a line of its own.
    """
    table = profile.table_at(level)
    settled = table.settle(total)
    role, levels = table.look_up(settled)
    because: tuple[Reason, ...] = ()
    if reasons:
        because = settle_reasons(profile, total, settled)
        because += profile.cite("flag") if level == FLAG else ()
        topic = "flag.levels" if level == FLAG else table.topic(settled)
        because += profile.cite(topic, levels if role is Role.ATTACKERS else -levels)
        if profile.levels_cap is not None and levels == profile.levels_cap:
            because += profile.cite("levels_cap")
    return LevelResult(role, levels, role is Role.ATTACKERS, because)


def advance(profile: Profile, role: Role, level: Level, levels_won: int) -> Climb:
    """Where a side stands that gains levels in the given role; the dealer side gains only by holding the deal."""
    return profile.ladder.climb(level, levels_won, held=role is Role.DEALER)


def advance_reasons(profile: Profile, climb: Climb) -> tuple[Reason, ...]:
    because: tuple[Reason, ...] = ()
    if climb.stopped_at is not None:
        must = climb.stopped_at in profile.must_play and profile.must_mode != "none"
        because += profile.cite("flag" if climb.stopped_at == FLAG else "must_play" if must else "pass_a")
    if climb.level == FLAG:
        because += profile.cite("flag")
    if climb.finished:
        because += profile.cite("finish")
    return because or profile.cite("ladder")


def next_dealer(
    dealer: Seat,
    event: Literal["hand", "rebellion", "misdeal", "redeal", "ruling"],
    *,
    deal_changes_hands: bool = False,
) -> Seat:
    """Who deals next: the partner after a held deal or a rebellion, the right-hand neighbour after a lost one."""
    if event == "rebellion":
        return dealer.partner
    if event != "hand":
        return dealer
    return dealer.right if deal_changes_hands else dealer.partner


def hook(
    profile: Profile,
    *,
    dealer_level: Level,
    trump: Trump | None,
    winning_play: Sequence[Card],
    won_by_that_play: bool,
    attackers_total: int,
    hooked_before: int,
    reasons: bool = True,
) -> Hook:
    """Whether the attackers dug with the hook card.

    `winning_play` are the attackers' cards in the last trick, `won_by_that_play` that these very cards won it,
    `attackers_total` the total for levels, `hooked_before` how often the dealer side was hooked in this match.
    """
    if not profile.hook_levels:
        return Hook(hook=False, because=profile.cite("no_hook")) if reasons else NO_HOOK
    rank = dealer_level.rank
    held = any(
        card.rank == rank and not card.is_joker and (profile.hook_card == "any" or card.suit == trump)
        for card in winning_play
    )
    if dealer_level not in profile.hook_levels or not held or not won_by_that_play:
        return Hook(hook=False, because=profile.cite("hook")) if reasons else NO_HOOK
    if profile.hook_needs_takeover and attackers_total < profile.threshold:
        return Hook(hook=False, because=profile.cite("hook")) if reasons else NO_HOOK
    if profile.hook_limit is not None and hooked_before >= profile.hook_limit:
        return Hook(hook=False, because=profile.cite("hook_limit")) if reasons else NO_HOOK
    return Hook(hook=True, level=profile.ladder.first, because=profile.cite("hook") if reasons else ())


def hand_outcome(
    profile: Profile,
    *,
    dealer: Seat,
    levels: Mapping[Side, Level],
    result: LevelResult,
    hook: Hook = NO_HOOK,
    specials: Sequence[Special] = (),
    failures: Mapping[Side, int] = NO_FAILURES,
    reasons: bool = True,
) -> HandOutcome:
    """Apply a level result to the levels before the hand; order: must-play cut, hook, jump, flag, next dealer, finish.

    `failures` are the failures running of each side at the flag before the hand.
    """
    dealing = dealer.side
    gaining = dealing.other if result.winner_role is Role.ATTACKERS else dealing
    held = result.winner_role is Role.DEALER and not result.deal_changes_hands
    climb = profile.ladder.climb(levels[gaining], result.levels, held=held)
    after = {Side.NS: levels[Side.NS], Side.EW: levels[Side.EW]}
    passed = gaining if climb.level is None else None
    winner = gaining if climb.finished else None
    stopped_at = climb.stopped_at
    if hook.hook and gaining is dealing:
        passed = winner = stopped_at = None
    elif climb.level is not None:
        after[gaining] = climb.level
    else:
        after[gaining] = profile.ladder.last
    if hook.hook and hook.level is not None:
        after[dealing] = hook.level
    jumped = deciding_jump(specials, winner=result.winner_role) if specials else None
    up: Side | None = None
    if jumped is not None:
        up = dealing if jumped[0] is Role.DEALER else dealing.other
        after = after_jump(profile, after, up=up)
        stopped_at = None
        if up is not gaining:
            passed = winner = None
    flag_failed = profile.flag_line is not None and result.deal_changes_hands and levels[dealing] == FLAG
    if flag_failed:
        flag = at_the_flag(profile, held=False, failures_before=failures[dealing])
        failures = {**failures, dealing: flag.failures}
        after[dealing] = flag.level or after[dealing]
    because: tuple[Reason, ...] = ()
    if reasons:
        told = bool(stopped_at or winner or (after[gaining] == FLAG != levels[gaining]))
        failed = failures[dealing] if flag_failed else None
        because = _because(profile, result, climb if told else None, hook, jumped[1] if jumped else None, failed)
    return HandOutcome(
        winner_role=result.winner_role,
        levels_won=result.levels,
        deal_changes_hands=result.deal_changes_hands,
        levels=after,
        next_dealer=next_dealer(dealer, "hand", deal_changes_hands=result.deal_changes_hands),
        stopped_at=stopped_at,
        hooked=dealing if hook.hook else None,
        passed=passed,
        winner=winner,
        jump=up,
        flag_failed=flag_failed,
        flag_failures=failures_after(after, failures),
        because=because,
    )


@lru_cache(maxsize=65536)
def plain_outcome(profile: Profile, dealer: Seat, ns: Level, ew: Level, total: int) -> HandOutcome:
    """What a hand does where nothing but its total counts, without reasons; worked out once for many sittings.

    `ns` and `ew` are the levels before it.
    """
    levels = {Side.NS: ns, Side.EW: ew}
    result = level_result(profile, total, level=levels[dealer.side], reasons=False)
    return hand_outcome(profile, dealer=dealer, levels=levels, result=result, reasons=False)


def _because(
    profile: Profile, result: LevelResult, climb: Climb | None, hook: Hook, jump: str | None, failed: int | None
) -> tuple[Reason, ...]:
    """Why: the result, a climb worth telling, the hook, a jump (its topic), the flag (failures running), the deal."""
    because = result.because + (advance_reasons(profile, climb) if climb is not None else ())
    because += hook.because if hook.hook else ()
    because += profile.cite(jump) if jump is not None else ()
    because += profile.cite("flag.failed", failed) if failed is not None else ()
    return because + profile.cite("dealer.lost" if result.deal_changes_hands else "dealer.kept")


def rebellion_allowed(
    profile: Profile,
    *,
    role: Role,
    hand_points: int,
    trump_count: int,
    trump: Trump,
    buried_kitty: bool,
    previous_hand_was_rebellion: bool,
) -> tuple[bool, tuple[Reason, ...]]:
    """Whether a player may rebel (造反), and the clauses that decide. Trumps are counted after all countering."""
    if not profile.rebellion:
        return False, profile.cite("no_rebellion")
    if previous_hand_was_rebellion:
        return False, profile.cite("rebellion_twice")
    few_points = hand_points <= profile.rebellion_points
    few_trumps = trump is not Trump.NT and trump_count <= profile.rebellion_trumps
    allowed = role is Role.ATTACKERS and not buried_kitty and (few_points or few_trumps)
    return allowed, profile.cite("rebellion")

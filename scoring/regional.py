"""Rules of regional and online games beside the ordinary hand: level jumps, the flag, bids, coins, joker points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoring.profiles import Profile, Reason
from scoring.values import Level, Role, Seat

#: The clause each jump rests on.
_JUMP_TOPICS = {"pair_H5_declare_or_dig": "jump.pair_H5", "dig_with_510K": "jump.510K"}


@dataclass(frozen=True, slots=True)
class Jump:
    """The levels both sides play after a jump (升级打 A、降级打 2)."""

    dealer_side: Level
    attackers: Level
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Flag:
    """One hand at the flag (扛旗): `failures` running after it; `level` is where too many of them lead."""

    passed: bool
    failures: int
    level: Level | None
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Bid:
    """Who plays alone in a bid game (三打一), for how many points, and whether the three others get them."""

    dealer: Seat
    points: int
    attackers_win: bool
    because: tuple[Reason, ...]


def level_jump(profile: Profile, event: str, *, by: Role, attackers_total: int) -> Jump:
    """The side that made the play goes to the last level and the other to the first.

    With a pair of red fives it must also hold or take the deal, else the sides change places; 510K needs no total.
    """
    taken_by, _ = profile.table.look_up(profile.table.settle(attackers_total))
    up = by if event == "dig_with_510K" or taken_by is by else _other(by)
    first, last = profile.ladder.first, profile.ladder.last
    because = profile.cite(_JUMP_TOPICS[event])
    return Jump(last, first, because) if up is Role.DEALER else Jump(first, last, because)


def _other(role: Role) -> Role:
    return Role.ATTACKERS if role is Role.DEALER else Role.DEALER


def flag_stage(profile: Profile, *, attackers_total: int, failures_before: int) -> Flag:
    """The dealer side passes the flag when the attackers stay below its line (a profile with one)."""
    assert profile.flag_line is not None
    passed = attackers_total < profile.flag_line
    failures = 0 if passed else failures_before + 1
    level = profile.ladder.first if failures >= profile.flag_failures else None
    return Flag(passed, failures, level, profile.cite("flag"))


def lowest_bid(profile: Profile, bids: Mapping[Seat, int], *, attackers_total: int) -> Bid:
    """The lowest of different bids (at least one) decides who deals; at least as many points win against it."""
    dealer = min(bids, key=lambda seat: bids[seat])
    return Bid(dealer, bids[dealer], attackers_total >= bids[dealer], profile.cite("bid"))


def coins_after_counters(profile: Profile, base_result: int, counters: int) -> int:
    """Coins won (or lost, negative), multiplied once for each counter."""
    assert profile.coins_per_counter is not None
    return int(base_result * profile.coins_per_counter**counters)


def coins_for_failed_throw(profile: Profile, room_base: int) -> Fraction:
    """Coins a failed throw costs."""
    assert profile.coins_throw_share is not None
    return Fraction(room_base, profile.coins_throw_share)

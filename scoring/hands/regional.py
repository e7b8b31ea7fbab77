"""Rules of regional and online games beside the ordinary hand: level jumps, the flag, bids, coins, joker points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.hands.entries import Special
from scoring.profiles import Profile, Reason
from scoring.values import FLAG, Level, Role, Seat, Shape, Side

#: The jump of `level_jumps` that each play on a sheet is, in the order in which they happen in a hand.
JUMPS: Mapping[str, str] = {
    "red_fives_declared": "pair_H5_declare_or_dig",
    "red_fives_dug": "pair_H5_declare_or_dig",
    "dug_510K": "dig_with_510K",
}

#: What was led to the last trick where attackers dug with such a play: it beats plays of its own shape only.
SPECIAL_DIGS: Mapping[str, tuple[Shape, ...]] = {
    "red_fives_dug": (Shape(2),),
    "dug_510K": (Shape(1), Shape(1), Shape(1)),
}

#: The clause each jump rests on.
JUMP_TOPICS = {"pair_H5_declare_or_dig": "jump.pair_H5", "dig_with_510K": "jump.510K"}


@dataclass(frozen=True, slots=True)
class Jump:
    """The levels both sides play after a jump (升级打 A、降级打 2)."""

    dealer_side: Level
    attackers: Level
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Flag:
    """One hand at the flag (扛旗): `failures` running after it; `level` is where too many of them lead."""

    failures: int
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """Who plays alone in a bid game (三打一), for how many points, and whether the three others get them."""

    dealer: Seat
    points: int
    attackers_win: bool
    because: tuple[Reason, ...]


def level_jump(profile: Profile, event: str, *, by: Role, attackers_total: int) -> Jump:
    """The side that made the play goes to the last ordinary level and the other to the first.

    With a pair of red fives it must also hold or take the deal, else the sides change places; 510K needs no total.
    """
    winner, _ = profile.table.look_up(profile.table.settle(attackers_total))
    up = _goes_up(event, by=by, winner=winner)
    first, last = profile.ladder.first, profile.ladder.top
    because = profile.cite(JUMP_TOPICS[event])
    return Jump(last, first, because) if up is Role.DEALER else Jump(first, last, because)


def _goes_up(jump: str, *, by: Role, winner: Role) -> Role:
    return by if jump == "dig_with_510K" or winner is by else _other(by)


def special_digs(profile: Profile) -> dict[str, tuple[Shape, ...]]:
    """The special digs that a profile has, by event, with what was led."""
    return {event: led for event, led in SPECIAL_DIGS.items() if JUMPS[event] in profile.level_jumps}


def deciding_special(specials: Sequence[Special]) -> Special:
    """Of the plays of one hand (at least one) the last: a dig comes after a declaration."""
    order = list(JUMPS)
    return max(specials, key=lambda one: order.index(one.event))


def deciding_jump(specials: Sequence[Special], *, winner: Role) -> tuple[Role, str] | None:
    """Who goes up after a hand that `winner` holds or takes, and the clause topic; None without a special play."""
    if not specials:
        return None
    last = deciding_special(specials)
    jump = JUMPS[last.event]
    return _goes_up(jump, by=last.by, winner=winner), JUMP_TOPICS[jump]


def after_jump(profile: Profile, levels: Mapping[Side, Level], *, up: Side) -> dict[Side, Level]:
    """Levels after a jump, from those the hand alone would give: a side above the last ordinary level stays there."""
    ladder = profile.ladder
    top = max(ladder.top, levels[up], key=ladder.index)
    return {up: top, up.other: ladder.first}


def _other(role: Role) -> Role:
    return Role.ATTACKERS if role is Role.DEALER else Role.DEALER


def at_the_flag(profile: Profile, *, held: bool, failures_before: int) -> Flag:
    """A dealer side that loses the deal at the flag has failed; too many failures running lead to the first level."""
    if held:
        return Flag(0)
    failures = failures_before + 1
    return Flag(failures, profile.ladder.first if failures >= profile.flag_failures else None)


def failures_after(levels: Mapping[Side, Level], failures: Mapping[Side, int]) -> Mapping[Side, int]:
    """Failures running, of sides that still stand at the flag."""
    if not any(failures.values()):
        return failures
    return {side: times if levels[side] == FLAG else 0 for side, times in failures.items()}


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

"""The rules of one hand's outcome as a table for a program that knows no rule: what a phone without network adds up by.

Every cell is filled by the functions that play a hand in the fold, so the table holds no rule of its own. What is not
in it (a total beyond `LOW` and `HIGH`, a level off the ladder) the phone leaves to the server.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from scoring.hands.entries import Special
from scoring.hands.outcomes import HandOutcome, LevelResult, hand_outcome, level_result
from scoring.hands.regional import JUMPS, after_jump, at_the_flag, deciding_jump
from scoring.profiles import Profile
from scoring.profiles.level_table import GRAIN
from scoring.values import FLAG, Level, Role, Seat, Side

if TYPE_CHECKING:
    from scoring.hands.entries import SpecialEvent

LOW: Final = -300
HIGH: Final = 800
_INITIAL: Final = {Role.DEALER: "D", Role.ATTACKERS: "A"}
#: The dealer of the hands of the table; N–S deal.
_DEALER: Final = Seat.N


@lru_cache(maxsize=64)
def step_table(profile: Profile) -> dict[str, Any]:
    """The table of a profile of two sides, as JSON.

    `results` are the ways a hand can end: who gains (D, A), how many levels, whether the deal changes hands. `bands`
    ([low, high, result], `flag_bands` at the flag) lead to them from the attackers' total. `gains` say, by the level of
    who gains and the result: the level after it and whether the match is won.
    """
    plain, flag = _bands(profile, None), _bands(profile, FLAG) if profile.flag_line is not None else []
    results = sorted({(role, levels, deal) for *_, (role, levels, deal) in [*plain, *flag]})
    number = {result: at for at, result in enumerate(results)}
    return {
        "profile": profile.id,
        "version": profile.version,
        "results": [[role, levels, deal] for role, levels, deal in results],
        "bands": [[low, high, number[result]] for low, high, result in plain],
        "flag_bands": [[low, high, number[result]] for low, high, result in flag],
        "gains": {
            str(level): [
                _gain(profile, level, LevelResult(_role(role), levels, deal)) for role, levels, deal in results
            ]
            for level in profile.ladder
        },
        "flag": FLAG.rank,
        "failed": _failed(profile),
        "hook": _hook(profile),
        "jumps": _jumps(profile),
    }


def written(profile: Profile) -> str:
    """The table as text, always the same for the same rules."""
    return json.dumps(step_table(profile), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@lru_cache(maxsize=64)
def digest(profile: Profile) -> str:
    """Names the table by what it says."""
    return hashlib.sha256(written(profile).encode()).hexdigest()[:16]


def _role(initial: str) -> Role:
    return next(role for role, sign in _INITIAL.items() if sign == initial)


def _bands(profile: Profile, level: Level | None) -> list[tuple[int, int, tuple[str, int, bool]]]:
    bands: list[tuple[int, int, tuple[str, int, bool]]] = []
    for total in range(LOW, HIGH + GRAIN, GRAIN):
        seen = level_result(profile, total, level=level, reasons=False)
        result = (_INITIAL[seen.winner_role], seen.levels, seen.deal_changes_hands)
        if bands and bands[-1][2] == result:
            bands[-1] = (bands[-1][0], total, result)
        else:
            bands.append((total, total, result))
    return bands


def _gain(profile: Profile, level: Level, result: LevelResult) -> list[Any]:
    """The level after a gain, and whether it wins the match."""
    gaining = _DEALER.side if result.winner_role is Role.DEALER else _DEALER.side.other
    after = _outcome(profile, {gaining: level, gaining.other: profile.ladder.first}, result)
    return [str(after.levels[gaining]), after.winner is not None]


def _outcome(profile: Profile, levels: dict[Side, Level], result: LevelResult) -> HandOutcome:
    return hand_outcome(profile, dealer=_DEALER, levels=levels, result=result, reasons=False)


def _failed(profile: Profile) -> list[list[Any]]:
    """A dealer side that loses the deal at the flag: failures running before it → those after it, where it leads."""
    if profile.flag_line is None:
        return []
    failed = [at_the_flag(profile, held=False, failures_before=before) for before in range(profile.flag_failures)]
    return [[one.failures, None if one.level is None else str(one.level)] for one in failed]


def _hook(profile: Profile) -> dict[str, Any] | None:
    """When a dig with the hook card counts, and the level it leads to; None where the profile has no hook."""
    if not profile.hook_levels:
        return None
    return {
        "levels": [str(level) for level in profile.hook_levels],
        "from": int(profile.threshold) if profile.hook_needs_takeover else None,
        "limit": profile.hook_limit,
        "to": str(profile.ladder.first),
    }


def _jumps(profile: Profile) -> dict[str, Any] | None:
    """Special plays that set the levels of both sides, in the order in which the last decides; None: there are none."""
    events = [event for event, jump in JUMPS.items() if jump in profile.level_jumps]
    if not events:
        return None
    up = {}
    for event in events:
        for by in Role:
            for winner in Role:
                found = deciding_jump([Special(cast("SpecialEvent", event), by)], winner=winner)
                assert found is not None
                up[f"{event} {_INITIAL[by]} {_INITIAL[winner]}"] = _INITIAL[found[0]]
    first = profile.ladder.first
    tops = {level: after_jump(profile, {Side.NS: level, Side.EW: first}, up=Side.NS) for level in profile.ladder}
    return {
        "events": events,
        "up": up,
        "top": {str(level): str(after[Side.NS]) for level, after in tops.items()},
        "first": str(first),
    }

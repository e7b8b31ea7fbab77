"""The ladder of a profile as a staircase: a step for each level, flags where one must be played, the fall of the hook.

Lengths across are per cent of the drawing, heights are pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.parts.formats import as_percent
from referee.parts.words import level_word

if TYPE_CHECKING:
    from scoring.profiles import Profile

_LOW: Final = 30
_RISE: Final = 84
_FLAG: Final = 26
_FALL: Final = 30


@dataclass(frozen=True, slots=True)
class Stair:
    """One level. `must` says that it must be played, `hook` that the dealer side can be hooked there."""

    x: str
    width: str
    middle: str
    y: int
    height: int
    text: str
    must: bool
    hook: bool


@dataclass(frozen=True, slots=True)
class Staircase:
    """`foot` is the height of the floor; `falls` are the steps from which the hook leads to the first one."""

    height: int
    foot: int
    stairs: tuple[Stair, ...]
    falls: tuple[Stair, ...]
    wraps: bool


def draw(profile: Profile) -> Staircase:
    """The ladder of a profile with more than one level."""
    ladder = tuple(profile.ladder)
    count = len(ladder)
    musts = profile.must_play if profile.must_mode != "none" else ()
    foot = _FLAG + _LOW + _RISE
    stairs = []
    for number, level in enumerate(ladder):
        tall = _LOW + _RISE * number // (count - 1)
        stairs.append(
            Stair(
                x=as_percent(100 * number / count),
                width=as_percent(100 / count),
                middle=as_percent(100 * (number + 0.5) / count),
                y=foot - tall,
                height=tall,
                text=level_word(level),
                must=level in musts,
                hook=level in profile.hook_levels and number > 0,
            )
        )
    falls = tuple(stair for stair in stairs if stair.hook)
    wraps = profile.finish == "wrap"
    return Staircase(foot + (_FALL if falls or wraps else 4), foot, tuple(stairs), falls, wraps)

"""The ruler: a profile's level table drawn to scale, as plain geometry for an SVG partial and for the page's script.

Lengths along the ruler are per cent of ``low … high``; a band reaches half a step over its first and last total, so
that the line where the deal turns stands between two legal totals.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.formats import as_percent, exact, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

STEP: Final = 5
TICK: Final = 40
BAR_HEIGHT: Final = 84
FLAG_HEIGHT: Final = 34
_ALWAYS_FULL: Final = 24.0
_SNUG: Final = 16.0
_ROOMY: Final = 11.5
_FIGURE: Final = 6.0


class Band(Protocol):
    """What `Profile.bands` yields: totals ``low … high`` (in steps of 5) that give the same result."""

    @property
    def low(self) -> int: ...
    @property
    def high(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def levels(self) -> int: ...
    @property
    def deal_changes_hands(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class DrawnBand:
    """One coloured band. ``full`` and ``brief`` are its labels, "" where none fits.

    ``room`` tells the style sheet when the brief one takes over: ``snug`` on the narrowest phones, ``roomy`` in every
    narrow column, ``always`` (no full label) or "" (never).
    """

    low: int
    high: int
    css: str
    x: str
    width: str
    middle: str
    full: str
    brief: str
    room: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Tick:
    x: str
    text: str
    minor: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram standing on the ruler."""

    x: str
    width: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class Ruler:
    """Everything the partial draws. ``flag`` is None without a total; ``outcome`` is the total's result in words."""

    low: int
    high: int
    total: int | None
    flag: str | None
    outcome: str
    bands: tuple[DrawnBand, ...]
    turns: tuple[str, ...]
    ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    top: int
    height: int
    bands_json: str


def draw(
    bands: Callable[[int, int], Sequence[Band]],
    *,
    points_max: int,
    total: int | None = None,
    low: int | None = None,
    high: int | None = None,
    counts: Mapping[int, int] | None = None,
) -> Ruler:
    """Lay out the ruler of a profile.

    `bands` is ``profile.bands``; `points_max` what the decks hold; `total` where the flag stands (the ruler grows to
    hold it); `low` and `high` force the ends; `counts` are hands per total, drawn as bars that stand on their outcome.
    """
    least = min(0, total or 0, *(counts or ()))
    most = max(points_max, total or 0, *(counts or ()))
    start = low if low is not None else -_up(-least, STEP if least > -TICK else TICK)
    end = high if high is not None else _up(most, TICK)
    scale = _Scale(start, end)
    found = tuple(bands(start, end))
    drawn = tuple(_drawn(band, scale) for band in found)
    turns = tuple(
        scale.at(after.low - STEP / 2)
        for before, after in pairwise(found)
        if before.deal_changes_hands != after.deal_changes_hands
    )
    top = FLAG_HEIGHT + (BAR_HEIGHT + 4 if counts else 0)
    return Ruler(
        low=start,
        high=end,
        total=total,
        flag=None if total is None else scale.at(total),
        outcome="" if total is None else next((band.outcome for band in drawn if band.low <= total <= band.high), ""),
        bands=drawn,
        turns=turns,
        ticks=_ticks(scale),
        bars=_bars(counts or {}, scale, top),
        top=top,
        height=top + 62,
        bands_json=json.dumps([[band.low, band.high, band.outcome] for band in drawn], ensure_ascii=False),
    )


def outcome_words(band: Band) -> str:
    """The result of a band as a clause of a sentence: "attackers take the deal, +2" · 闲家上台升 2 级."""
    if band.deal_changes_hands:
        if not band.levels:
            return _("attackers take the deal, +0")
        return _("attackers take the deal, +%(n)s") % {"n": band.levels}
    if str(band.role) == "attackers":
        return _("dealer side keep the deal, attackers +%(n)s") % {"n": band.levels}
    if not band.levels:
        return _("dealer side keep the deal, +0")
    return _("dealer side keep the deal, +%(n)s") % {"n": band.levels}


def _labels(band: Band) -> tuple[str, str]:
    if band.deal_changes_hands:
        word = pgettext("band of the ruler", "take")
        full = f"{word} {signed(band.levels)}" if band.levels else word
    else:
        word = pgettext("band of the ruler", "keep")
        full = f"{word} {signed(band.levels)}"
    return full, signed(band.levels)


def _drawn(band: Band, scale: _Scale) -> DrawnBand:
    left = max(scale.percent(band.low - STEP / 2), 0.0)
    right = min(scale.percent(band.high + STEP / 2), 100.0)
    width = right - left
    full, brief = _labels(band)
    kind = f"take{min(band.levels, 3)}" if band.deal_changes_hands else f"hold{min(max(band.levels, 1), 3)}"
    return DrawnBand(
        low=band.low,
        high=band.high,
        css=kind,
        x=as_percent(left),
        width=as_percent(width),
        middle=as_percent(left + width / 2),
        full=full if width >= _ROOMY else "",
        brief=brief if _FIGURE <= width < _ALWAYS_FULL else "",
        room="" if width >= _ALWAYS_FULL else "snug" if width >= _SNUG else "roomy" if width >= _ROOMY else "always",
        outcome=outcome_words(band),
    )


def _ticks(scale: _Scale) -> tuple[Tick, ...]:
    every = TICK
    while (scale.high - scale.low) / every > 10:
        every *= 2
    first = -(-scale.low // every) * every
    values = range(first, scale.high + 1, every)
    many = len(values) > 7
    return tuple(Tick(scale.at(value), exact(value), many and bool(value % (2 * every))) for value in values)


def _bars(counts: Mapping[int, int], scale: _Scale, top: int) -> tuple[Bar, ...]:
    most = max(counts.values(), default=0)
    width = scale.percent(scale.low + STEP) * 0.8
    bars = []
    for total, count in sorted(counts.items()):
        tall = round(BAR_HEIGHT * count / most, 2)
        bars.append(
            Bar(as_percent(scale.percent(total) - width / 2), as_percent(width), f"{top - 4 - tall:g}", f"{tall:g}")
        )
    return tuple(bars)


@dataclass(frozen=True, slots=True)
class _Scale:
    low: int
    high: int

    def percent(self, total: float) -> float:
        return 100 * (total - self.low) / (self.high - self.low)

    def at(self, total: float) -> str:
        return as_percent(min(max(self.percent(total), 0.0), 100.0))


def _up(value: int, step: int) -> int:
    return -(-value // step) * step

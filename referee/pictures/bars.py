"""Shares as bars, each with its number: a table that is also a picture (``partials/bars.html``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Bar:
    """One share: what it is of, the number in words, how long the bar is (per cent)."""

    label: str
    number: str
    width: str


@dataclass(frozen=True, slots=True)
class Bars:
    """A picture of shares: its title, a sentence that says how it was counted, the bars."""

    title: str
    note: str
    bars: tuple[Bar, ...]


def bars(title: str, note: str, rows: Sequence[tuple[str, int]], *, longest: int = 1000) -> Bars:
    """Bars of shares in thousandths; a share of `longest` takes the whole width."""
    found = (Bar(label, percent(share), f"{100 * share // max(longest, 1)}%") for label, share in rows)
    return Bars(title, note, tuple(found))


def percent(thousandths: int) -> str:
    """``12 %``; small shares with one digit more."""
    return f"{thousandths / 10:.0f} %" if thousandths >= 10 or not thousandths else f"{thousandths / 10:.1f} %"


def share_of(part: int, whole: int) -> int:
    """In thousandths, rounded half up; nothing of nothing."""
    return 0 if not whole else (2000 * part + whole) // (2 * whole)

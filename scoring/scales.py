"""Match score scales (场分办法) as data: what a net measure is worth, and what unplayed matches are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol

from scoring.values import Text


class Party(StrEnum):
    """One of the two entrants of a match: 主队 or 客队."""

    HOME = "home"
    AWAY = "away"


class Worth(Protocol):
    """What a played match is worth: from the net measure of the home entrant and the winner to both scores."""

    def scores(self, net: int, winner: Party | None) -> tuple[Fraction, Fraction]: ...

    def capped(self, net: int) -> int:
        """The net that counts, when the scale has a cap."""


@dataclass(frozen=True, slots=True)
class WinDrawLoss:
    """The same points for every win, draw and loss, whatever the difference."""

    win: int
    draw: int
    loss: int

    def scores(self, net: int, winner: Party | None) -> tuple[Fraction, Fraction]:
        if winner is None:
            return Fraction(self.draw), Fraction(self.draw)
        win, loss = Fraction(self.win), Fraction(self.loss)
        return (win, loss) if winner is Party.HOME else (loss, win)

    def capped(self, net: int) -> int:
        return net


@dataclass(frozen=True, slots=True)
class BaseAndDifference:
    """`base` plus and minus the difference of levels, at most `cap`."""

    base: int
    cap: int

    def scores(self, net: int, winner: Party | None) -> tuple[Fraction, Fraction]:
        counted = self.capped(net)
        return Fraction(self.base + counted), Fraction(self.base - counted)

    def capped(self, net: int) -> int:
        return max(-self.cap, min(self.cap, net))


@dataclass(frozen=True, slots=True)
class HundredthsTable:
    """The score of the better side by the difference of levels, in hundredths; the other side gets the rest of `total`.

    A difference beyond the table counts as its last row.
    """

    rows: tuple[int, ...]
    total: int

    def scores(self, net: int, winner: Party | None) -> tuple[Fraction, Fraction]:
        better = self.rows[abs(self.capped(net))]
        high, low = Fraction(better, 100), Fraction(self.total - better, 100)
        return (high, low) if net >= 0 else (low, high)

    def capped(self, net: int) -> int:
        last = len(self.rows) - 1
        return max(-last, min(last, net))


@dataclass(frozen=True, slots=True)
class SumOfHands:
    """The sum of the hand results, signed, seen from each side."""

    def scores(self, net: int, winner: Party | None) -> tuple[Fraction, Fraction]:
        return Fraction(net), Fraction(-net)

    def capped(self, net: int) -> int:
        return net


@dataclass(frozen=True, slots=True)
class Scale:
    """A match score scale. `present` and `absent` are the scores of a forfeit, `bye` that of a side without a match.

    `by_hands` says that the net measure is the sum of hand points, not the difference of levels.
    """

    id: str
    title: Text
    text: Text
    worth: Worth
    present: Fraction
    absent: Fraction
    both_absent: Fraction
    bye: Fraction
    by_hands: bool = False


def both(en: str, zh: str) -> Text:
    """A text in both languages."""
    return MappingProxyType({"en": en, "zh": zh})


# Continuous victory points over ten levels (the bridge formula with X = 10), rounded to hundredths: d = 0 to 10.
_VP20 = (1000, 1176, 1328, 1460, 1574, 1673, 1759, 1833, 1897, 1952, 2000)

SCALES: Mapping[str, Scale] = MappingProxyType(
    {
        scale.id: scale
        for scale in (
            Scale(
                "mp_210",
                both("2 for a win, 1 for a draw, 0 for a loss", "胜 2 平 1 负 0"),
                both(
                    "A win is worth 2, a draw 1, a loss 0; a forfeit 2 : 0, both absent 0 : 0, a bye 2.",
                    "胜 2 分，平 1 分，负 0 分；对方弃权 2 : 0，双方弃权 0 : 0，轮空 2 分。",
                ),
                WinDrawLoss(2, 1, 0),
                present=Fraction(2),
                absent=Fraction(0),
                both_absent=Fraction(0),
                bye=Fraction(2),
            ),
            Scale(
                "base15",
                both("15 plus or minus the level difference, at most 10", "15 分加减级差，级差最多计 10"),
                both(
                    "Each side gets 15, plus or minus the difference of levels, of which at most 10 count; "
                    "a forfeit is 18 : 0, both absent 0 : 0, a bye 18.",
                    "双方各 15 分，加减级差，级差最多计 10 级；对方弃权 18 : 0，双方弃权 0 : 0，轮空 18 分。",
                ),
                BaseAndDifference(base=15, cap=10),
                present=Fraction(18),
                absent=Fraction(0),
                both_absent=Fraction(0),
                bye=Fraction(18),
            ),
            Scale(
                "vp20_cont",
                both("20 victory points, continuous over ten levels", "20 分制胜利分，按十级连续换算"),
                both(
                    "The two sides share 20 by the table for differences of 0 to 10 levels: 10, 11.76, 13.28, 14.60, "
                    "15.74, 16.73, 17.59, 18.33, 18.97, 19.52, 20; a forfeit is 12 : 0, both absent 0 : 0, a bye 12.",
                    "双方共 20 分，按级差 0 至 10 查表：10、11.76、13.28、14.60、15.74、16.73、17.59、18.33、18.97、"
                    "19.52、20；对方弃权 12 : 0，双方弃权 0 : 0，轮空 12 分。",
                ),
                HundredthsTable(_VP20, total=2000),
                present=Fraction(12),
                absent=Fraction(0),
                both_absent=Fraction(0),
                bye=Fraction(12),
            ),
            Scale(
                "hand_points",
                both("Sum of hand points", "各副积分之和"),
                both(
                    "Every hand gives the attackers 1 for taking the deal and 1 for each level more, and the dealer "
                    "side 1 for each level; the other side gets the negative. Forfeits and byes are worth 0.",
                    "每副闲家上台得 1 分，每多升一级加 1 分；庄家方每升一级得 1 分；另一方得相反数。"
                    "弃权、轮空均为 0 分。",
                ),
                SumOfHands(),
                present=Fraction(0),
                absent=Fraction(0),
                both_absent=Fraction(0),
                bye=Fraction(0),
                by_hands=True,
            ),
        )
    }
)

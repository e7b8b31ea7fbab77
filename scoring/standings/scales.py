"""Match score scales (场分办法) as data: what a net measure is worth, and what unplayed matches are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol

from scoring.standings.victory_points import victory_points
from scoring.values import Text, exact
from scoring.wording import both

#: What a match came to for home: steps of the ladder, or points of hands or boards (adjusted scores have parts).
Net = int | Fraction


class Party(StrEnum):
    """One of the two entrants of a match: 主队 or 客队."""

    HOME = "home"
    AWAY = "away"


class Bye(StrEnum):
    """What an event gives for a bye (轮空). Where it says nothing, the scale's own value holds."""

    NOTHING = "0"
    ONE = "1"
    WIN = "win"
    AVERAGE = "average"


class Worth(Protocol):
    """What a played match is worth: from the net measure of the home entrant and the winner to both scores."""

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]: ...

    def capped(self, net: Net) -> Net:
        """The net that counts, when the scale has a cap."""


@dataclass(frozen=True, slots=True)
class WinDrawLoss:
    """The same points for every win, draw and loss, whatever the difference."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        if winner is None:
            return self.draw, self.draw
        return (self.win, self.loss) if winner is Party.HOME else (self.loss, self.win)

    def capped(self, net: Net) -> Net:
        return net


@dataclass(frozen=True, slots=True)
class WinAndSteps:
    """A win, draw or loss; the winner gets `step` more for each level of the difference and the loser as much less."""

    win: Fraction
    draw: Fraction
    loss: Fraction
    step: Fraction

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        if winner is None:
            return self.draw, self.draw
        more = self.step * abs(Fraction(net))
        high, low = self.win + more, self.loss - more
        return (high, low) if winner is Party.HOME else (low, high)

    def capped(self, net: Net) -> Net:
        return net


@dataclass(frozen=True, slots=True)
class SharedTotal:
    """Both sides share `total`: half each for a draw; a win is worth `win` and 1 a level, at most the whole."""

    total: int
    win: int

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        if winner is None:
            return Fraction(self.total, 2), Fraction(self.total, 2)
        high = self.win + abs(Fraction(self.capped(net)))
        low = self.total - high
        return (high, low) if winner is Party.HOME else (low, high)

    def capped(self, net: Net) -> Net:
        most = self.total - self.win
        return max(-most, min(most, net))


@dataclass(frozen=True, slots=True)
class BaseAndDifference:
    """`base` plus and minus the difference of levels, at most `cap`."""

    base: int
    cap: int

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        counted = self.capped(net)
        return Fraction(self.base + counted), Fraction(self.base - counted)

    def capped(self, net: Net) -> Net:
        return max(-self.cap, min(self.cap, net))


@dataclass(frozen=True, slots=True)
class HundredthsTable:
    """The score of the better side by the difference of levels, in hundredths; the other side gets the rest of `total`.

    A difference beyond the table counts as its last row.
    """

    rows: tuple[int, ...]
    total: int

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        better = self.rows[abs(int(self.capped(net)))]
        high, low = Fraction(better, 100), Fraction(self.total - better, 100)
        return (high, low) if net == abs(net) else (low, high)

    def capped(self, net: Net) -> Net:
        last = len(self.rows) - 1
        return max(-last, min(last, net))


@dataclass(frozen=True, slots=True)
class SumOfHands:
    """The sum of the hand results, signed, seen from each side."""

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        return Fraction(net), Fraction(-net)

    def capped(self, net: Net) -> Net:
        return net


@dataclass(frozen=True, slots=True)
class OverBoards:
    """20 victory points by the sum over the boards; how many `boards` there were is known with the match.

    `factor` belongs to what the boards are scored in: 15 to IMPs, 4 to levels.
    """

    factor: Fraction
    boards: int = 1

    def scores(self, net: Net, winner: Party | None) -> tuple[Fraction, Fraction]:
        return victory_points(net, boards=self.boards, factor=self.factor)

    def capped(self, net: Net) -> Net:
        return net


@dataclass(frozen=True, slots=True)
class Scale:
    """A match score scale. `present` and `absent` are the scores of a forfeit, `bye` that of a side without a match.

    `by_hands` says that the net measure is the sum of hand points, not the difference of levels. `in_imps`: it is a
    sum of boards in IMPs, worth the less the more boards there were. `decided` is the title
    where no match can be drawn; None: the title itself does not speak of draws.
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
    in_imps: bool = False
    decided: Text | None = None

    def named(self, *, draws: bool) -> Text:
        """Its title, without what a draw is worth where no match can be drawn."""
        return self.title if draws or self.decided is None else self.decided

    def over(self, boards: int) -> Worth:
        """What a match of so many boards is worth."""
        return replace(self.worth, boards=boards) if isinstance(self.worth, OverBoards) else self.worth

    @property
    def by_boards(self) -> bool:
        """Whether it shares victory points by boards: the same sum is worth the less the more there were."""
        return isinstance(self.worth, OverBoards)

    @property
    def counts_wins_only(self) -> bool:
        """Whether only who won matters, so that hand points or boards may tell it as well as levels do."""
        return isinstance(self.worth, WinDrawLoss)

    def bye_worth(self, rule: Bye | None) -> Fraction:
        """The score of a bye under the event's rule; an average is the scale's own value until the rounds are over."""
        if rule is None or rule is Bye.AVERAGE:
            return self.bye
        return self.present if rule is Bye.WIN else Fraction(rule.value)


# Continuous victory points over ten levels (the bridge formula with X = 10), rounded to hundredths: d = 0 to 10.
_VP20 = (1000, 1176, 1328, 1460, 1574, 1673, 1759, 1833, 1897, 1952, 2000)


def _wins(id: str, win: Fraction, draw: Fraction, loss: Fraction) -> Scale:
    """A scale that counts wins: the side present at a forfeit gets a win, absence nothing, a bye is a win."""
    w, d, lost = exact(win), exact(draw), exact(loss)
    return Scale(
        id,
        both(f"{w} for a win, {d} for a draw, {lost} for a loss", f"胜 {w} 平 {d} 负 {lost}"),
        both(
            f"A win is worth {w}, a draw {d}, a loss {lost}; a forfeit {w} : 0, both absent 0 : 0, a bye {w}.",
            f"胜 {w} 分，平 {d} 分，负 {lost} 分；对方弃权 {w} : 0，双方弃权 0 : 0，轮空 {w} 分。",
        ),
        WinDrawLoss(win, draw, loss),
        present=win,
        absent=Fraction(0),
        both_absent=Fraction(0),
        bye=win,
        decided=both(f"{w} for a win, {lost} for a loss", f"胜 {w} 负 {lost}"),
    )


def _base(base: int, cap: int, present: int) -> Scale:
    """A base plus and minus the difference of levels; a bye is worth as much as a forfeit of the opponents."""
    return Scale(
        f"base{base}",
        both(f"{base} plus or minus the level difference, at most {cap}", f"{base} 分加减级差，级差最多计 {cap}"),
        both(
            f"Each side gets {base}, plus or minus the difference of levels, of which at most {cap} count; "
            f"a forfeit is {present} : 0, both absent 0 : 0, a bye {present}.",
            f"双方各 {base} 分，加减级差，级差最多计 {cap} 级；对方弃权 {present} : 0，双方弃权 0 : 0，"
            f"轮空 {present} 分。",
        ),
        BaseAndDifference(base=base, cap=cap),
        present=Fraction(present),
        absent=Fraction(0),
        both_absent=Fraction(0),
        bye=Fraction(present),
    )


_WIN_TENTH = Scale(
    "win_tenth",
    both("2 for a win, and a tenth for each level", "胜 2 平 1 负 0，每级加减 0.1"),
    both(
        "A win is worth 2 and 0.1 for each level of the difference, a loss 0 and 0.1 less for each level, a draw 1; "
        "a forfeit 2 : 0, both absent 1 : 1, a bye 2.",
        "胜 2 分，每多一级加 0.1 分；负 0 分，每差一级减 0.1 分；平 1 分；对方弃权 2 : 0，双方弃权 1 : 1，轮空 2 分。",
    ),
    WinAndSteps(Fraction(2), Fraction(1), Fraction(0), step=Fraction(1, 10)),
    present=Fraction(2),
    absent=Fraction(0),
    both_absent=Fraction(1),
    bye=Fraction(2),
    decided=both("2 for a win, and a tenth for each level", "胜 2 负 0，每级加减 0.1"),
)

_VP20_CONT = Scale(
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
)

_VP20_DISC = Scale(
    "vp20_disc",
    both("20 victory points, 11 for a win and 1 for each level", "20 分制胜利分，胜 11 分，每级加 1"),
    both(
        "The two sides share 20: a win is worth 11 and 1 for each level of the difference, at most 20, a draw 10; "
        "equal levels that the tie rule decides are 11 : 9; a forfeit is 18 : 0, both absent 0 : 0, a bye 12.",
        "双方共 20 分：胜 11 分，每多一级加 1 分，最多 20 分；平各 10 分；级数相同而按平级规定判胜为 11 : 9；"
        "对方弃权 18 : 0，双方弃权 0 : 0，轮空 12 分。",
    ),
    SharedTotal(total=20, win=11),
    present=Fraction(18),
    absent=Fraction(0),
    both_absent=Fraction(0),
    bye=Fraction(12),
)

_VP20_IMP = Scale(
    "vp20_imp",
    both("20 victory points, by IMPs and boards", "20 分制胜利分，按 IMP 与牌副数换算"),
    both(
        "The two sides share 20 by the sum of the IMPs of their boards: 10 each when equal, all 20 from 15 times the "
        "square root of the number of boards that count, continuous between; a forfeit is 12 : 0, both absent 0 : 0, "
        "a bye 12.",
        "双方共 20 分，按各副 IMP 之和换算：相等各 10 分，达到 15 乘以计分牌副数的平方根得满 20 分，其间连续换算；"
        "对方弃权 12 : 0，双方弃权 0 : 0，轮空 12 分。",
    ),
    OverBoards(Fraction(15)),
    present=Fraction(12),
    absent=Fraction(0),
    both_absent=Fraction(0),
    bye=Fraction(12),
    by_hands=True,
    in_imps=True,
)

_VP20_LEVELS = Scale(
    "vp20_levels",
    both("20 victory points, by levels and boards", "20 分制胜利分，按级差与牌副数换算"),
    both(
        "The two sides share 20 by the sum of the levels by which their boards differ, the deal counted as one: 10 "
        "each when equal, all 20 from 4 times the square root of the number of boards that count, continuous between; "
        "a forfeit is 12 : 0, both absent 0 : 0, a bye 12.",
        "双方共 20 分，按各副级差之和换算（上台计为一级）：相等各 10 分，达到 4 乘以计分牌副数的平方根得满 20 分，"
        "其间连续换算；"
        "对方弃权 12 : 0，双方弃权 0 : 0，轮空 12 分。",
    ),
    OverBoards(Fraction(4)),
    present=Fraction(12),
    absent=Fraction(0),
    both_absent=Fraction(0),
    bye=Fraction(12),
    by_hands=True,
)

_HAND_POINTS = Scale(
    "hand_points",
    both("Sum of hand points", "各副积分之和"),
    both(
        "Every hand gives the attackers 1 for taking the deal and 1 for each level more, and the dealer "
        "side 1 for each level; the other side gets the negative. Forfeits and byes are worth 0.",
        "每副闲家上台得 1 分，每多升一级加 1 分；庄家方每升一级得 1 分；另一方得相反数。弃权、轮空均为 0 分。",
    ),
    SumOfHands(),
    present=Fraction(0),
    absent=Fraction(0),
    both_absent=Fraction(0),
    bye=Fraction(0),
    by_hands=True,
)

SCALES: Mapping[str, Scale] = MappingProxyType(
    {
        scale.id: scale
        for scale in (
            _wins("mp_210", Fraction(2), Fraction(1), Fraction(0)),
            _wins("mp_10", Fraction(1), Fraction(1, 2), Fraction(0)),
            _wins("mp_30", Fraction(3), Fraction(1), Fraction(0)),
            _wins("mp_321", Fraction(3), Fraction(2), Fraction(1)),
            _base(15, cap=10, present=18),
            _base(13, cap=13, present=13),
            _WIN_TENTH,
            _VP20_CONT,
            _VP20_DISC,
            _VP20_IMP,
            _VP20_LEVELS,
            _HAND_POINTS,
        )
    }
)

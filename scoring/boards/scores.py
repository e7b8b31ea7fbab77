"""One board over many tables (复式成绩): matchpoints, Neuberg's adjustment, cross-IMPs, and board against board.

A measure says what a result is worth to the pair sitting NS: the attackers' points, or the hand points (the levels with
the deal counted as one). A method compares the results of a board with one another. An adjusted score is assigned (a
result, or several with weights: each is converted first and weighted after), artificial (a percentage), or split (each
side its own). Everything is an exact fraction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from scoring.standings.results import EntrantId
from scoring.values import Side

#: The smallest difference that is worth 1, 2, … 24 international match points.
IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
#: Percentages of the usual artificial scores.
AVERAGES: Mapping[str, Fraction] = MappingProxyType(
    {"average_plus": Fraction(60), "average": Fraction(50), "average_minus": Fraction(40)}
)
#: What ten per cent over the average are worth where a board is scored in IMPs.
IMPS_OF_TEN_PERCENT = Fraction(3)
HALF = Fraction(50)


class BoardScale(StrEnum):
    """How the difference of the two rooms becomes the score of a board: as it is, 2 / 1 / 0, or in IMPs."""

    DIFFERENCE = "difference"
    WINS = "wins"
    IMP = "imp"


class NoWorth(LookupError):
    """An artificial score of this board has no worth, for nobody said what ten per cent are worth."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """What a result is worth to NS: a value, or several with weights that sum to 1."""

    outcomes: tuple[tuple[int, Fraction], ...]

    def __neg__(self) -> Assigned:
        return Assigned(tuple((-value, weight) for value, weight in self.outcomes))


@dataclass(frozen=True, slots=True)
class Artificial:
    """A percentage in place of a result."""

    percent: Fraction


Mark = Assigned | Artificial


@dataclass(frozen=True, slots=True)
class TableResult:
    """One board at one table. The two marks are alike (both as NS see it) unless the score is split or artificial."""

    ns: EntrantId
    ew: EntrantId
    ns_mark: Mark
    ew_mark: Mark


def seen_by_ns(dealer_side: Side, attackers_value: int) -> int:
    """The value for NS of what a result is worth to the attackers."""
    return -attackers_value if dealer_side is Side.NS else attackers_value


def imps(difference: int) -> int:
    """International match points of a difference of points, signed."""
    return bisect_right(IMP_STEPS, difference) - bisect_right(IMP_STEPS, -difference)


def neuberg_score(matchpoints: Fraction, *, actual: int, expected: int) -> Fraction:
    """Matchpoints out of `actual` results as they would be out of `expected`, with 2 for each pair beaten."""
    return Fraction(expected, actual) * (matchpoints + 1) - 1


def matchpoints(results: Sequence[TableResult]) -> dict[EntrantId, Fraction]:
    """2 for each result beaten in the same seats, 1 for each equal one; an artificial score is a part of the top."""
    scores: dict[EntrantId, Fraction] = {}
    for marks in _directions(results):
        top = top_of(sum(isinstance(mark, Assigned) for _, mark in marks))
        for entrant, got in _compared(marks, _beaten):
            scores[entrant] = top * got.percent / 100 if isinstance(got, Artificial) else got
    return scores


def neuberg(results: Sequence[TableResult], *, expected: int | None = None) -> dict[EntrantId, Fraction]:
    """Matchpoints as if the board had `expected` results (default: as many as tables, whatever their scores)."""
    number = len(results) if expected is None else expected
    scores: dict[EntrantId, Fraction] = {}
    for marks in _directions(results):
        actual = sum(isinstance(mark, Assigned) for _, mark in marks)
        for entrant, got in _compared(marks, _beaten):
            if isinstance(got, Artificial):
                scores[entrant] = top_of(number) * got.percent / 100
            else:
                scores[entrant] = neuberg_score(got, actual=actual, expected=number)
    return scores


def top_of(results: int) -> Fraction:
    """The most matchpoints a board with this many results can give."""
    return Fraction(2 * max(0, results - 1))


def datum(results: Sequence[TableResult]) -> Fraction | None:
    """The average of a board (均值) as North-South see it, over every result; None without any. An artificial score is
    no result."""
    marks = [one.ns_mark for one in results if isinstance(one.ns_mark, Assigned)]
    if not marks:
        return None
    return sum((value * weight for mark in marks for value, weight in mark.outcomes), Fraction(0)) / len(marks)


def cross_imps(
    results: Sequence[TableResult], convert: Callable[[int], int] = imps, *, ten_percent: Fraction | None = None
) -> dict[EntrantId, Fraction]:
    """The average, over all other results in the same seats, of the converted differences.

    `ten_percent` is what an artificial score is worth for each ten per cent from the average; NoWorth when one is
    needed and nobody said.
    """
    scores: dict[EntrantId, Fraction] = {}
    for marks in _directions(results):
        others = sum(isinstance(mark, Assigned) for _, mark in marks) - 1
        for entrant, got in _compared(marks, lambda mine, other: convert(mine - other)):
            if isinstance(got, Artificial):
                scores[entrant] = _worth(got, ten_percent)
            else:
                scores[entrant] = got / others if others > 0 else Fraction(0)
    return scores


def board_against_board(
    rooms: tuple[TableResult, TableResult],
    scale: BoardScale = BoardScale.DIFFERENCE,
    *,
    ten_percent: Fraction | None = None,
) -> dict[EntrantId, Fraction]:
    """A board of a match of teams of four, for both teams; each sits NS in one room and EW in the other.

    ValueError when the same two teams do not sit the other way round.
    """
    first, second = rooms
    if (first.ns, first.ew) != (second.ew, second.ns) or first.ns == first.ew:
        raise ValueError("the rooms do not have the same two teams the other way round")
    return {
        first.ns: _board(first.ns_mark, second.ew_mark, scale, ten_percent),
        first.ew: _board(second.ns_mark, first.ew_mark, scale, ten_percent),
    }


def _board(as_ns: Mark, as_ew: Mark, scale: BoardScale, ten_percent: Fraction | None) -> Fraction:
    """A team's score of a board from its mark as NS in one room and as EW in the other."""
    if isinstance(as_ns, Assigned) and isinstance(as_ew, Assigned):
        convert = _BOARD_SCALES[scale]
        return _weighted(as_ns, as_ew, lambda mine, other: convert(mine - other))
    percents = [mark.percent for mark in (as_ns, as_ew) if isinstance(mark, Artificial)]
    artificial = Artificial(sum(percents, Fraction(0)) / len(percents))
    return artificial.percent / 50 if scale is BoardScale.WINS else _worth(artificial, ten_percent)


def _wins(difference: int) -> int:
    return 1 + (difference > 0) - (difference < 0)


_BOARD_SCALES: Mapping[BoardScale, Callable[[int], int]] = MappingProxyType(
    {BoardScale.DIFFERENCE: int, BoardScale.WINS: _wins, BoardScale.IMP: imps}
)


def _worth(artificial: Artificial, ten_percent: Fraction | None) -> Fraction:
    if ten_percent is None:
        raise NoWorth
    return (artificial.percent - HALF) / 10 * ten_percent


def _directions(results: Sequence[TableResult]) -> Iterator[list[tuple[EntrantId, Mark]]]:
    """The marks of all NS, then of all EW, each as its own pair sees them."""
    yield [(one.ns, one.ns_mark) for one in results]
    yield [(one.ew, -one.ew_mark if isinstance(one.ew_mark, Assigned) else one.ew_mark) for one in results]


def _compared(
    marks: Sequence[tuple[EntrantId, Mark]], compare: Callable[[int, int], int]
) -> Iterator[tuple[EntrantId, Fraction | Artificial]]:
    """Each entrant with its comparisons summed, or its artificial score; results compare with results only."""
    for i, (entrant, mine) in enumerate(marks):
        if isinstance(mine, Artificial):
            yield entrant, mine
            continue
        others = (other for j, (_, other) in enumerate(marks) if j != i and isinstance(other, Assigned))
        yield entrant, sum((_weighted(mine, other, compare) for other in others), Fraction(0))


def _weighted(mine: Assigned, other: Assigned, compare: Callable[[int, int], int]) -> Fraction:
    """The comparison of every outcome of one with every outcome of the other: converted first, weighted after."""
    return sum((w * v * compare(a, b) for a, w in mine.outcomes for b, v in other.outcomes), Fraction(0))


def _beaten(mine: int, other: int) -> int:
    return _wins(mine - other)

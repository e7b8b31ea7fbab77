"""The steps of `scoring.explaining.flows` laid out as a flow chart: geometry for an SVG partial, text already broken.

A spine of boxes runs down on the left; the other answer to a question stands in a lane on the right and leads down,
back to its question, to a later step, or nowhere. Lengths are user units of a drawing `WIDTH` wide.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.parts.words import in_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.explaining.flows import Branch, Step

WIDTH: Final = 336
_SPINE: Final = 188
_LANE_X: Final = 210
_LANE: Final = 118
_AROUND: Final = 334
_RETURN_X: Final = 154
_TOP: Final = 3
_LINE: Final = 18
_PADDING: Final = 9
_GAP: Final = 34
_LETTER: Final = 13.0


@dataclass(frozen=True, slots=True)
class BoxText:
    """A line of text and the height of its foot."""

    y: int
    text: str


@dataclass(frozen=True, slots=True)
class Box:
    """A box with its outline; `css` is its kind."""

    css: str
    outline: str
    x: int
    lines: tuple[BoxText, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The word beside an arrow."""

    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class FlowChart:
    """Everything the partial draws."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[str, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One step on the paper: where it begins, its own height, and the height of its lane box (0: none)."""

    step: Step
    y: int
    height: int
    lane: int

    @property
    def middle(self) -> int:
        return self.y + self.height // 2

    @property
    def end(self) -> int:
        return self.y + max(self.height, self.lane)


def draw(steps: Sequence[Step]) -> FlowChart:
    """Lay out the steps in the language of the page."""
    rows = _rows(steps)
    boxes: list[Box] = []
    arrows: list[str] = []
    answers: list[Answer] = []
    for row, below in zip(rows, [*rows[1:], None], strict=True):
        boxes.append(_box(row.step.kind, 0, row.y, _SPINE, row.height, in_language(row.step.label)))
        if below is not None:
            arrows.append(f"M{_SPINE // 2} {row.y + row.height}V{below.y - 2}")
            if row.step.answer is not None:
                answers.append(Answer(_SPINE // 2 + 7, below.y - 12, in_language(row.step.answer)))
        if row.step.branch is not None:
            kind = "stop" if row.step.branch.then == "stop" else "lane"
            boxes.append(_box(kind, _LANE_X, row.y, _LANE, row.lane, _lane_words(row.step.branch)))
            arrows.append(f"M{_SPINE} {row.middle}H{_LANE_X - 2}")
            arrows += _onwards(row, below, rows)
    return FlowChart(WIDTH, rows[-1].end + _TOP, tuple(boxes), tuple(arrows), tuple(answers))


def _rows(steps: Sequence[Step]) -> list[_Row]:
    rows: list[_Row] = []
    y = _TOP
    for step in steps:
        height = _height(in_language(step.label), _SPINE)
        lane = 0 if step.branch is None else max(_height(_lane_words(step.branch), _LANE), height)
        rows.append(_Row(step, y, height, lane))
        y = rows[-1].end + _GAP
    return rows


def _onwards(row: _Row, below: _Row | None, rows: Sequence[_Row]) -> list[str]:
    """Where the lane box of a row leads."""
    assert row.step.branch is not None
    foot, middle = row.y + row.lane, _LANE_X + _LANE // 2
    then = row.step.branch.then
    if then == "stop" or below is None:
        return []
    if then == "again":
        return [f"M{middle} {foot}V{row.end + 12}H{_RETURN_X}V{row.y + row.height + 2}"]
    if then == "on":
        return [f"M{middle} {foot}V{below.y - 12}H{_SPINE // 2 + 2}"]
    later = rows[rows.index(row) + 1 :]
    target = next((one for one in later if one.step.id == "kitty"), later[-1])
    return [f"M{_LANE_X + _LANE} {row.y + row.lane // 2}H{_AROUND}V{target.middle}H{_SPINE + 2}"]


def _lane_words(branch: Branch) -> str:
    return f"{in_language(branch.answer)}\n{in_language(branch.label)}"


def _box(kind: str, x: int, y: int, width: int, height: int, words: str) -> Box:
    lines = _broken(words, width)
    first = y + (height - _LINE * len(lines)) // 2 + _LINE - 5
    text = tuple(BoxText(first + _LINE * number, line) for number, line in enumerate(lines))
    return Box(kind, _outline(kind, x, y, width, height), x + width // 2, text)


def _outline(kind: str, x: int, y: int, width: int, height: int) -> str:
    """A question is a hexagon, an end is round, everything else has small corners."""
    right, bottom = x + width, y + height
    if kind == "ask":
        tip, middle = 12, y + height // 2
        return f"M{x + tip} {y}H{right - tip}L{right} {middle}L{right - tip} {bottom}H{x + tip}L{x} {middle}Z"
    r = min(height // 2, 22) if kind in ("end", "stop") else 7
    return (
        f"M{x + r} {y}H{right - r}A{r} {r} 0 0 1 {right} {y + r}V{bottom - r}A{r} {r} 0 0 1 {right - r} {bottom}"
        f"H{x + r}A{r} {r} 0 0 1 {x} {bottom - r}V{y + r}A{r} {r} 0 0 1 {x + r} {y}Z"
    )


def _height(words: str, width: int) -> int:
    return _LINE * len(_broken(words, width)) + 2 * _PADDING


def _broken(words: str, width: int) -> list[str]:
    """The words in lines that fit a box of that width; a line never begins with a Chinese mark."""
    room = width - 2 * _PADDING - (8 if width == _SPINE else 0)
    return [line for part in words.split("\n") for line in _lines(_pieces(part), room)]


def _pieces(words: str) -> list[str]:
    """What may not be broken: a Latin word with its blank, or one Chinese sign with the marks after it."""
    pieces: list[str] = []
    for sign in words:
        joins = pieces and (
            (not _is_wide(sign) and not _is_wide(pieces[-1][-1]) and not pieces[-1].endswith(" "))
            or sign == " "
            or unicodedata.category(sign)[0] == "P"
        )
        if joins:
            pieces[-1] += sign
        else:
            pieces.append(sign)
    return pieces


def _lines(pieces: Sequence[str], room: float) -> list[str]:
    lines = [""]
    for piece in pieces:
        if lines[-1] and _long(lines[-1]) + _long(piece.rstrip()) > room:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def _long(words: str) -> float:
    """About how long words are in a type of 13 units."""
    return sum(_LETTER if _is_wide(sign) else _narrow(sign) for sign in words)


def _narrow(sign: str) -> float:
    if sign in "iljtfr.,:;!' ":
        return 4.6
    return 10.5 if sign in "mwMW" or sign.isupper() else 7.4


def _is_wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in "WF"

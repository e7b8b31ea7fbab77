"""Plots as plain geometry for one SVG partial: across in per cent, down in pixels, so that text never stretches.

Each plot carries its finding as one sentence (the text alternative) and the same numbers as rows of a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.formats import as_percent
from referee.parts.names import shortened
from referee.parts.words import SIDES_SHORT, level_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TOP: Final = 16
_MOST_TICKS: Final = 12


@dataclass(frozen=True, slots=True)
class Mark:
    """A text or marker at ``x`` (per cent), ``y`` (pixels); ``css`` says whose or what, ``anchor`` how text hangs."""

    x: str
    y: str
    css: str
    text: str = ""
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across with its label at the left; ``must`` is the word of a must-play level, else ""."""

    y: int
    label: str
    must: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A path in columns × rows, stretched over the frame."""

    css: str
    path: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing area: ``left`` and ``width`` in per cent, ``columns`` × ``rows`` steps, ``row`` pixels each."""

    left: float
    width: float
    columns: float
    rows: int
    row: int
    top: int = _TOP

    def x(self, column: float) -> str:
        return as_percent(self.left + self.width * column / self.columns)

    def y(self, row: float) -> float:
        return round(self.top + self.row * row, 2)

    @property
    def start(self) -> str:
        return f"{self.left:g}%"

    @property
    def end(self) -> str:
        return f"{self.left + self.width:g}%"

    @property
    def across(self) -> str:
        return f"{self.width:g}%"

    @property
    def box(self) -> str:
        return f"0 0 {self.columns:g} {self.rows}"

    @property
    def deep(self) -> int:
        return self.row * self.rows

    @property
    def height(self) -> int:
        return self.top + self.deep + 28


@dataclass(frozen=True, slots=True)
class Plot:
    """What ``partials/plot.html`` draws."""

    caption: str
    frame: Frame
    rules: tuple[Rule, ...]
    columns: tuple[Mark, ...]
    lines: tuple[Curve, ...]
    points: tuple[Mark, ...]
    texts: tuple[Mark, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


# Levels over hands


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that counts: its number, both levels after it (past the top in words), and what befell it in words.

    ``note`` is short ("hook", "void"); ``note_side`` is the side it befell, None for the table.
    """

    number: int
    levels: Mapping[str, str]
    note: str = ""
    note_side: str | None = None


def levels_plot(
    ladder: Sequence[str], start: Mapping[str, str], hands: Sequence[PlayedHand], must_play: Sequence[str] = ()
) -> Plot:
    """Levels over hands as steps: circles on a solid line for N–S, squares on dashes for E–W.

    `ladder` is the profile's levels in order, then what is past them in words; `start` both levels before the first
    hand, `hands` the confirmed ones.
    """
    levels = ladder if any(ladder[-1] in hand.levels.values() for hand in hands) else ladder[:-1]
    row_of = {level: len(levels) - 1 - number for number, level in enumerate(levels)}
    frame = Frame(left=6.5, width=78.0, columns=max(len(hands), 1), rows=len(levels) - 1, row=21)
    tracks = {side: [start[side], *(hand.levels[side] for hand in hands)] for side in ("NS", "EW")}
    return Plot(
        caption=levels_caption(ladder, start, hands),
        frame=frame,
        rules=tuple(
            Rule(int(frame.y(row_of[level])), level_word(level), _must(level, must_play)) for level in reversed(levels)
        ),
        columns=_column_labels(frame, [str(hand.number) for hand in hands], middle=0.5),
        lines=tuple(_steps(side, [row_of[level] for level in track]) for side, track in tracks.items()),
        points=tuple(
            Mark(frame.x(column), f"{frame.y(row_of[after] + _nudge(side)):g}", f"point-{side.lower()}")
            for side, track in tracks.items()
            for column, (before, after) in enumerate(pairwise(track), start=1)
            if before != after
        ),
        texts=(*_level_ends(frame, tracks, row_of), *_level_notes(frame, tracks, row_of, hands)),
        heads=(_("Hand"), str(SIDES_SHORT["NS"]), str(SIDES_SHORT["EW"]), _("Note")),
        rows=tuple(
            (str(hand.number), level_word(hand.levels["NS"]), level_word(hand.levels["EW"]), hand.note)
            for hand in hands
        ),
    )


def levels_caption(ladder: Sequence[str], start: Mapping[str, str], hands: Sequence[PlayedHand]) -> str:
    """The finding in one sentence: where each side began, where it turned back, where it ended."""
    height = {level: number for number, level in enumerate(ladder)}
    stories = (_story(side, height, start[side], hands) for side in ("NS", "EW"))
    return pgettext("joins two sentences", "; ").join(stories) + pgettext("ends a sentence", ".")


def _story(side: str, height: Mapping[str, int], level: str, hands: Sequence[PlayedHand]) -> str:
    parts = [_("%(side)s from %(level)s") % {"side": SIDES_SHORT[side], "level": level_word(level)}]
    climbed_in = None
    for hand in hands:
        before, level = level, hand.levels[side]
        if height[level] > height[before]:
            climbed_in = hand.number
        elif height[level] < height[before]:
            if climbed_in:
                parts.append(_("up to %(level)s in hand %(hand)s") % {"level": level_word(before), "hand": climbed_in})
            parts.append(_fall(hand, side, level))
            climbed_in = None
    if climbed_in:
        parts.append(_("to %(level)s") % {"level": level_word(level)})
    elif len(parts) == 1:
        parts.append(_("still there"))
    return pgettext("joins parts of a sentence", ", ").join(parts)


def _fall(hand: PlayedHand, side: str, level: str) -> str:
    said = {"hand": hand.number, "level": level_word(level), "what": hand.note}
    if hand.note and hand.note_side in (side, None):
        return _("%(what)s in hand %(hand)s, back to %(level)s") % said
    return _("down to %(level)s in hand %(hand)s") % said


def _steps(side: str, rows: Sequence[int]) -> Curve:
    nudge = _nudge(side)
    path = f"M0 {rows[0] + nudge:g}"
    for column, (before, after) in enumerate(pairwise(rows), start=1):
        path += f"H{column}" + (f"V{after + nudge:g}" if after != before else "")
    return Curve(f"line-{side.lower()}", path)


def _nudge(side: str) -> float:
    """Where both sides stand on one level the dashed line runs a hair below the solid one."""
    return 0.14 if side == "EW" else 0.0


def _level_ends(frame: Frame, tracks: Mapping[str, Sequence[str]], row_of: Mapping[str, int]) -> list[Mark]:
    """Names at the right end, pushed apart where both sides end close together."""
    heights = {side: frame.y(row_of[track[-1]]) + 4 for side, track in tracks.items()}
    upper, lower = sorted(heights, key=lambda side: heights[side])
    if heights[lower] - heights[upper] < 15:
        middle = (heights[lower] + heights[upper]) / 2
        heights = {upper: middle - 8, lower: middle + 8}
    return [
        Mark(
            frame.end,
            f"{heights[side]:g}",
            f"text-{side.lower()}",
            f"{SIDES_SHORT[side]} {level_word(tracks[side][-1])}",
        )
        for side in ("NS", "EW")
    ]


def _level_notes(
    frame: Frame, tracks: Mapping[str, Sequence[str]], row_of: Mapping[str, int], hands: Sequence[PlayedHand]
) -> list[Mark]:
    """Words beside the drop they explain, or under the lower line where nothing moved."""
    marks = []
    for column, hand in enumerate(hands, start=1):
        if not hand.note:
            continue
        side = hand.note_side or max(tracks, key=lambda name: row_of[tracks[name][column]])
        before, after = row_of[tracks[side][column - 1]], row_of[tracks[side][column]]
        if before == after:
            marks.append(Mark(frame.x(column - 0.5), f"{frame.y(after) + 16:g}", "text-note", hand.note, "middle"))
        else:
            before_line = column > len(hands) * 0.75
            y = f"{frame.y((before + after) / 2):g}"
            marks.append(Mark(frame.x(column), y, "text-note", hand.note, "end" if before_line else "start"))
    return marks


def _must(level: str, must_play: Sequence[str]) -> str:
    return _("%(level)s must be played") % {"level": level_word(level)} if level in must_play else ""


# Places over rounds

_MOST_PLACES: Final = 32
_LEADERS: Final = 8
_NAME_COLUMNS: Final = 27


@dataclass(frozen=True, slots=True)
class Placed:
    """An entrant's places after each round (None where it had none); ``mark`` is ``focus``, ``rival`` or ""."""

    name: str
    places: tuple[int | None, ...]
    mark: str = ""


def places_plot(entrants: Sequence[Placed], rounds: Sequence[str]) -> Plot:
    """Places over rounds: the eight leaders and whoever is marked by name, all others as quiet lines.

    `rounds` are the labels of the rounds ("R1"); every entrant has one place per round.
    """
    now = [entrant for entrant in entrants if entrant.places and entrant.places[-1] is not None]
    now.sort(key=lambda entrant: (entrant.places[-1] or 0, entrant.name))
    named = [entrant for number, entrant in enumerate(now) if number < _LEADERS or entrant.mark]
    deepest = max((place for entrant in entrants for place in entrant.places if place), default=1)
    frame = Frame(
        left=4.0,
        width=36.0,
        columns=max(len(rounds) - 1, 1),
        rows=max(min(deepest, _MOST_PLACES), 2) - 1,
        row=17,
        top=28,
    )
    quiet = [entrant for entrant in entrants if entrant not in named]
    last = len(rounds) - 1
    return Plot(
        caption=places_caption(now, rounds),
        frame=frame,
        rules=(),
        columns=tuple(Mark(frame.x(column), "12", "tick", label, "middle") for column, label in enumerate(rounds)),
        lines=tuple(
            Curve(entrant.mark or ("leader" if entrant in named else "quiet-line"), path)
            for entrant in (*quiet, *reversed(named))
            if (path := _track(entrant.places, frame))
        ),
        points=tuple(
            Mark(frame.x(column), f"{frame.y(_row(place, frame)):g}", f"dot {entrant.mark}".strip())
            for entrant in named
            for column, place in enumerate(entrant.places)
            if place
        ),
        texts=_place_ends(frame, named, last),
        heads=(_("Entrant"), *rounds),
        rows=tuple((entrant.name, *(str(place or "–") for place in entrant.places)) for entrant in now),
    )


def places_caption(now: Sequence[Placed], rounds: Sequence[str]) -> str:
    """Who leads and who rose most, in one sentence; `now` is in order of the last places."""
    if not now:
        return _("No places yet.")
    said = {"leader": now[0].name, "round": rounds[-1]}
    climbs = [
        (entrant.places[-2] - entrant.places[-1], entrant)
        for entrant in now
        if len(entrant.places) > 1 and entrant.places[-2] and entrant.places[-1]
    ]
    most = max(climbs, key=lambda climb: climb[0], default=(0, None))
    if most[1] is None or most[0] <= 0:
        return _("After %(round)s %(leader)s lead.") % said
    said |= {"climber": most[1].name, "from": str(most[1].places[-2]), "to": str(most[1].places[-1])}
    return _("After %(round)s %(leader)s lead; %(climber)s rose most, from %(from)s to %(to)s.") % said


def _row(place: int, frame: Frame) -> int:
    return min(place - 1, frame.rows)


def _track(places: Sequence[int | None], frame: Frame) -> str:
    path, pen = "", "M"
    for column, place in enumerate(places):
        if place:
            path += f"{pen}{column} {_row(place, frame)}"
        pen = "L" if place else "M"
    return path


def _place_ends(frame: Frame, named: Sequence[Placed], last: int) -> tuple[Mark, ...]:
    """Place and name at the right end, one per row even where a place is shared."""
    marks: list[Mark] = []
    free = 0.0
    for entrant in named:
        y = max(frame.y(_row(entrant.places[last] or 1, frame)) + 4, free)
        free = y + 15
        css = "end-name strong" if entrant.mark else "end-name"
        text = f"{entrant.places[last]}  {shortened(entrant.name, _NAME_COLUMNS)}"
        marks.append(Mark(frame.end, f"{y:g}", css, text))
    return tuple(marks)


def _column_labels(frame: Frame, labels: Sequence[str], middle: float) -> tuple[Mark, ...]:
    every = -(-len(labels) // _MOST_TICKS) or 1
    y = f"{frame.y(frame.rows) + 20:g}"
    return tuple(
        Mark(frame.x(column + middle), y, "tick", label, "middle")
        for column, label in enumerate(labels)
        if column % every == 0
    )

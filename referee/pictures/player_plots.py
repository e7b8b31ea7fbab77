"""Scores, or levels, of single players over the hands of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.names import shortened

from .plots import Curve, Frame, Mark, Plot, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MOST_RULES: Final = 9
_MOST_TICKS: Final = 12
_STEPS: Final = (1, 2, 5)
_LABEL_CELLS: Final = 10  # what fits beside the lines on a phone: five Chinese characters, ten Latin ones


@dataclass(frozen=True, slots=True)
class Track:
    """One player: name, and where he stood before the first hand and after each."""

    name: str
    heights: tuple[int, ...]


def players_plot(
    tracks: Sequence[Track], hands: Sequence[str], written: Callable[[int], str], *, most: int | None = None
) -> Plot:
    """Where every player stood over the hands; `written` writes a height (a score, a level), `most` is the highest
    there is."""
    low = min(min(track.heights) for track in tracks)
    high = max(max(track.heights) for track in tracks)
    step = _step(high - low)
    bottom, rows = low // step, max(-(-high // step) - low // step, 1)
    frame = Frame(left=9.0, width=62.0, columns=max(len(hands), 1), rows=rows, row=max(200 // rows, 22))

    def row(height: int) -> float:
        return rows - (height / step - bottom)

    ruled = [(bottom + n) * step for n in range(rows + 1)]
    if most is not None:
        ruled[-1] = min(ruled[-1], most)
    every = -(-len(hands) // _MOST_TICKS) or 1
    return Plot(
        caption=_caption(tracks, written),
        frame=frame,
        rules=tuple(Rule(int(frame.y(row(height))), written(height)) for height in ruled),
        columns=tuple(
            Mark(frame.x(number), f"{frame.y(rows) + 20:g}", "tick", label, "middle")
            for number, label in enumerate(hands, start=1)
            if (number - 1) % every == 0
        ),
        lines=tuple(
            Curve(
                f"line-player-{number}",
                "M" + "L".join(f"{x} {row(height):g}" for x, height in enumerate(track.heights)),
            )
            for number, track in enumerate(tracks, start=1)
        ),
        points=(),
        texts=_ends(frame, [(track.name, row(track.heights[-1]), written(track.heights[-1])) for track in tracks]),
        heads=(_("Hand"), *(track.name for track in tracks)),
        rows=tuple(
            (label, *(written(track.heights[number]) for track in tracks))
            for number, label in enumerate(hands, start=1)
        ),
    )


def _step(span: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 … that needs few lines."""
    scale = 1
    while True:
        for step in _STEPS:
            if span <= step * scale * (_MOST_RULES - 1):
                return step * scale
        scale *= 10


def _ends(frame: Frame, ends: Sequence[tuple[str, float, str]]) -> tuple[Mark, ...]:
    """Number, name and height at the right end, pushed apart where lines end close together."""
    marks, free = [], 0.0
    numbered = sorted(enumerate(ends, start=1), key=lambda item: item[1][1])
    for number, (name, row, height) in numbered:
        y = max(frame.y(row) + 4, free)
        free = y + 16
        marks.append(Mark(frame.end, f"{y:g}", f"text-player-{number}", f"{shortened(name, _LABEL_CELLS)} {height}"))
    return tuple(marks)


def _caption(tracks: Sequence[Track], written: Callable[[int], str]) -> str:
    """Who stands highest, in one sentence."""
    most = max(track.heights[-1] for track in tracks)
    leaders = [track.name for track in tracks if track.heights[-1] == most]
    names = pgettext("joins items of a list", ", ").join(leaders)
    return _("Highest now: %(names)s, %(height)s.") % {"names": names, "height": written(most)}

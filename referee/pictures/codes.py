"""QR codes for pages: squares as the path of an SVG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

import segno

#: Squares kept free around a code, as ISO/IEC 18004 asks.
QUIET: Final = 4


@dataclass(frozen=True, slots=True)
class Code:
    """A code of so many squares with its quiet zone; `path` fills the dark ones. `text` is what it says."""

    text: str
    size: int
    path: str


@lru_cache(maxsize=256)
def drawn(text: str) -> Code:
    """The code of a text, correcting 15 % of it (level M)."""
    rows = segno.make(text, error="m", micro=False).matrix
    runs = []
    for y, row in enumerate(rows, start=QUIET):
        x = QUIET
        for dark, squares in groupby(row):
            width = len(list(squares))
            if dark:
                runs.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return Code(text, len(rows) + 2 * QUIET, "".join(runs))

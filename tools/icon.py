"""The sign of the product as pictures for the screens of phones: drawn from the same figures as ``icon.svg``.

``python -m tools.icon`` writes them beside it.
"""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

FOLDER: Final = Path(__file__).resolve().parent.parent / "referee/static/referee"
#: The name of each, its pixels, and whether the ground fills all of it.
FILES: Final = {
    "app-180.png": (180, True),
    "app-192.png": (192, False),
    "app-512.png": (512, False),
    "app-512-whole.png": (512, True),
}
#: The figures of ``icon.svg``: a square of 28 units with round corners, the staircase of levels, the point.
SIDE: Final = 28.0
_CORNER: Final = 7.0
_STAIRS: Final = ((5.5, 21.5), (11.0, 21.5), (11.0, 16.5), (16.5, 16.5), (16.5, 11.5), (22.0, 11.5), (22.0, 6.0))
_STROKE: Final = 1.5
_POINT: Final = ((22.0, 21.0), 2.4)
_BLUE, _WHITE, _GOLD = (0x1F, 0x4A, 0x9C), (0xFF, 0xFF, 0xFF), (0xF1, 0xD2, 0x97)
#: A phone may cut the sign to any shape: then its figures keep to the middle four fifths and the ground fills all.
_SAFE: Final = 0.8


def png(pixels: int, *, whole_ground: bool = False) -> bytes:
    """The sign as PNG of `pixels` × `pixels`; `whole_ground`: without round corners, for phones that cut their own."""
    unit = SIDE / pixels
    line = (np.arange(pixels) + 0.5) * unit
    x, y = np.meshgrid(line, line)
    opaque = np.ones_like(x) if whole_ground else _cover(_of_square(x, y), unit)
    if whole_ground:
        x, y = (SIDE / 2 + (axis - SIDE / 2) / _SAFE for axis in (x, y))
    stairs = np.min([_of_line(x, y, *ends) for ends in pairwise(_STAIRS)], axis=0) - _STROKE
    (at_x, at_y), radius = _POINT
    point = np.hypot(x - at_x, y - at_y) - radius
    colour = np.broadcast_to(np.array(_BLUE, float), (*x.shape, 3))
    for shape, ink in ((stairs, _WHITE), (point, _GOLD)):
        share = _cover(shape, unit)[..., None]
        colour = colour * (1 - share) + np.array(ink, float) * share
    return _file(np.dstack([colour, opaque * 255]).round().astype(np.uint8))


def _cover(distance: Any, unit: float) -> Any:
    """How much of a pixel a shape covers whose edge is that far off (negative: inside)."""
    return np.clip(0.5 - distance / unit, 0, 1)


def _of_square(x: Any, y: Any) -> Any:
    inner = SIDE / 2 - _CORNER
    out_x, out_y = (np.maximum(np.abs(axis - SIDE / 2) - inner, 0) for axis in (x, y))
    return np.hypot(out_x, out_y) - _CORNER


def _of_line(x: Any, y: Any, start: tuple[float, float], end: tuple[float, float]) -> Any:
    """The distance from the line between two points."""
    along = np.array(end) - np.array(start)
    at = np.clip(((x - start[0]) * along[0] + (y - start[1]) * along[1]) / (along @ along), 0, 1)
    return np.hypot(x - start[0] - at * along[0], y - start[1] - at * along[1])


def _file(picture: Any) -> bytes:
    """A picture of red, green, blue and cover as a PNG file."""
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + picture[row].tobytes() for row in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    for name, (pixels, whole) in FILES.items():
        (FOLDER / name).write_bytes(png(pixels, whole_ground=whole))

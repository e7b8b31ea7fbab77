"""A file that is said to be a photo becomes a JPEG made here, or is refused. Pure; nothing the sender says is believed.

The file is known by its content. Its size in pixels is read from its head, and judged, before anything of it is
decoded. What is kept are the pixels alone, written anew: no place, time, camera, comment, profile or hidden part of
the file comes with them.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from threading import Lock
from typing import Final

from PIL import Image

from ..acts.errors import BAD_REQUEST, Refusal

#: Kinds of files that are decoded; everything else is refused unread.
KINDS: Final = ("JPEG", "PNG", "WEBP")
#: Bytes of a file as it comes.
MOST_BYTES: Final = 10_000_000
#: Pixels of a file as it comes; decoded, one takes four bytes.
MOST_PIXELS: Final = 25_000_000
#: Pixels of the longer edge as it is kept: a slip can be read, and a face in the hall cannot be told.
EDGE: Final = 1800
QUALITY: Final = 80
#: A progressive JPEG goes through its whole picture once a scan; those of cameras and editors have some ten.
MOST_SCANS: Final = 40
_SCAN: Final = b"\xff\xda"
#: The tag of EXIF that says how the camera was held, and how a picture is turned back by each of its values.
_HELD: Final = 0x0112
_TURNS: Final = {
    2: (Image.Transpose.FLIP_LEFT_RIGHT,),
    3: (Image.Transpose.ROTATE_180,),
    4: (Image.Transpose.FLIP_TOP_BOTTOM,),
    5: (Image.Transpose.TRANSPOSE,),
    6: (Image.Transpose.ROTATE_270,),
    7: (Image.Transpose.TRANSVERSE,),
    8: (Image.Transpose.ROTATE_90,),
}
_PAPER: Final = (255, 255, 255)

#: One picture is decoded at a time in this process, so that many at once take no more memory than one.
_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True, slots=True)
class Kept:
    """A photo as it is kept: the bytes of a JPEG, their SHA-256, and its edges in pixels."""

    data: bytes
    digest: str
    width: int
    height: int


def kept(file: bytes, edge: int = EDGE) -> Kept:
    """The photo in a file, made anew, its longer edge at most so many pixels.

    Refused: `photo_too_large`, `photo_too_many_pixels`, `not_a_photo`.
    """
    if len(file) > MOST_BYTES:
        raise too_large()
    with _ONE_AT_A_TIME:
        return _remade(file, edge)


def too_large() -> Refusal:
    """More bytes than a photo may have."""
    return Refusal("photo_too_large", field="photo", status=413)


def _remade(file: bytes, edge: int) -> Kept:
    try:
        with Image.open(io.BytesIO(file), formats=KINDS) as seen:
            if seen.width * seen.height > MOST_PIXELS:
                raise _too_many_pixels()
            if seen.format in ("JPEG", "MPO") and file.count(_SCAN) > MOST_SCANS:
                raise _no_photo()
            seen.draft("RGB", (edge, edge))  # a JPEG is decoded at about the size in which it is kept
            held = _held(seen)
            pixels = _on_paper(seen, edge)
        for turn in _TURNS.get(held, ()):
            pixels = pixels.transpose(turn)
        return _written(pixels)
    except Image.DecompressionBombError:
        raise _too_many_pixels() from None
    except (Refusal, MemoryError):
        raise
    except Exception:  # a file that is bent fails in any of the ways in which the decoders know to fail
        raise _no_photo() from None


def _held(seen: Image.Image) -> int:
    """How the camera was held; 1 where the file does not say it readably."""
    try:
        return int(seen.getexif().get(_HELD, 1))
    except Exception:  # what is bent in it is not kept anyway
        return 1


def _on_paper(seen: Image.Image, edge: int) -> Image.Image:
    """The first picture of a file at the size in which it is kept, what is clear in it white."""
    seen.load()
    seen.thumbnail((edge, edge))
    if seen.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in seen.info:
        clear = seen.convert("RGBA")
        paper = Image.new("RGB", clear.size, _PAPER)
        paper.paste(clear, mask=clear.getchannel("A"))
        return paper
    return seen.convert("RGB")


def _written(pixels: Image.Image) -> Kept:
    bare = Image.new("RGB", pixels.size)  # brings along nothing that was said beside the pixels
    bare.paste(pixels)
    target = io.BytesIO()
    bare.save(target, "JPEG", quality=QUALITY, optimize=True)
    data = target.getvalue()
    return Kept(data, hashlib.sha256(data).hexdigest(), *bare.size)


def _no_photo() -> Refusal:
    return Refusal("not_a_photo", field="photo", status=BAD_REQUEST)


def _too_many_pixels() -> Refusal:
    return Refusal("photo_too_many_pixels", field="photo", status=BAD_REQUEST)

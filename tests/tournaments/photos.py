"""Files that are said to be photos, made in the test that needs them."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from tournaments.evidence.pictures import MOST_BYTES

#: What no byte of a kept photo may hold.
SECRETS = (b"SECRET", b"Exif", b"http://ns.adobe.com", b"ICC_PROFILE", b"<script")


def photo(form: str = "JPEG", size: tuple[int, int] = (320, 240), colour: Any = (180, 40, 40), **more: Any) -> bytes:
    """A plain picture in a format."""
    target = io.BytesIO()
    Image.new("RGB" if len(colour) == 3 else "RGBA", size, colour).save(target, form, **more)
    return target.getvalue()


def told_everything() -> bytes:
    """A JPEG as a telephone makes it: turned, with place, camera, comment, profile and XMP."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "SECRET camera"
    place = exif.get_ifd(0x8825)
    place[1], place[2] = "N", tuple(IFDRational(one) for one in (31, 14, 5))
    place[29] = "SECRET date"
    xmp = b"<x:xmpmeta>SECRET http://ns.adobe.com</x:xmpmeta>"
    told = {"exif": exif.tobytes(), "comment": b"SECRET comment", "icc_profile": b"SECRET ICC_PROFILE", "xmp": xmp}
    return photo(size=(400, 200), **told)


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_of(width: int, height: int, *more: bytes) -> bytes:
    """A PNG whose head says so many pixels, with nothing behind it."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(more) + data + chunk(b"IEND", b"")


def many_scans() -> bytes:
    """A progressive JPEG that goes through its picture a thousand times."""
    whole = photo(progressive=True)
    at = whole.index(b"\xff\xda")
    return whole[:-2] + whole[at:-2] * 200 + whole[-2:]


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>SECRET</script></svg>'

#: Files that are refused, with the code.
HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not_a_photo"),
    "text": (b"no photo at all", "not_a_photo"),
    "svg": (SVG, "not_a_photo"),
    "html": (b"<!doctype html><script>SECRET</script>", "not_a_photo"),
    "pdf": (b"%PDF-1.7\n%SECRET", "not_a_photo"),
    "gif": (photo("GIF"), "not_a_photo"),
    "tiff": (photo("TIFF"), "not_a_photo"),
    "bmp": (photo("BMP"), "not_a_photo"),
    "icon": (photo("ICO", (32, 32)), "not_a_photo"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nSECRET", "not_a_photo"),
    "head_alone": (b"\xff\xd8\xff", "not_a_photo"),
    "truncated_jpeg": (photo(size=(800, 600))[:1500], "not_a_photo"),
    "truncated_png": (png_of(1000, 1000), "not_a_photo"),
    "truncated_webp": (photo("WEBP", quality=100)[:40], "not_a_photo"),
    "no_pixels": (png_of(0, 10), "not_a_photo"),
    "bomb": (png_of(100_000, 100_000), "photo_too_many_pixels"),
    "largest_head": (png_of(2**31 - 1, 2**31 - 1), "photo_too_many_pixels"),
    "just_too_many": (png_of(5001, 5000), "photo_too_many_pixels"),
    "bomb_of_text": (png_of(10, 10, chunk(b"zTXt", b"a\0\0" + zlib.compress(b"a" * 3_000_000, 9))), "not_a_photo"),
    "many_scans": (many_scans(), "not_a_photo"),
    "too_large": (photo() + b"\0" * MOST_BYTES, "photo_too_large"),
    "20_mb": (b"\xff\xd8" + b"\0" * 20_000_000, "photo_too_large"),
}

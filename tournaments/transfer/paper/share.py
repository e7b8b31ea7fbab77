"""Pictures to share: a card for links, a poster to keep or print. What they say is given; nothing is looked up."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import segno

from .typesetting import set_pages, set_picture

TEMPLATE: Final = "share.typ"
#: ``card`` is 1200 × 630 pixels, as programs show links; ``poster`` 1080 × 1440.
FORMATS: Final = ("card", "poster")
_KEPT: Final = 64


def share_picture(data: Mapping[str, Any], form: str, address: str) -> bytes:
    """A PNG; `address` is where its code leads. The same data give the same bytes."""
    return _picture(json.dumps({**data, "format": form, "address": address}, ensure_ascii=False, sort_keys=True))


def poster_pdf(data: Mapping[str, Any], address: str, at: datetime) -> bytes:
    """The poster on paper."""
    return set_pages(TEMPLATE, {**data, "format": "poster", "qr": code_svg(address)}, at)


@lru_cache(maxsize=_KEPT)
def _picture(text: str) -> bytes:
    data = json.loads(text)
    return set_picture(TEMPLATE, {**data, "qr": code_svg(data["address"])})


def code_svg(address: str) -> str:
    """A QR code as SVG with its quiet zone of four modules."""
    out = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(out, kind="svg", border=4, xmldecl=False, svgns=True, nl=False, light="#fff")
    return out.getvalue().decode()

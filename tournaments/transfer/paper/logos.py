"""Logos as typst takes them: pictures within an SVG, with the name for those who do not see them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from ...logos.reads import contents_of
from ...models import Tournament
from ...models.logos import LogoKind


def logos_on_paper(event: Tournament) -> dict[str, Sequence[dict[str, Any]]]:
    """``{"association": […], "sponsors": […]}``; a logo has `name` and `svg`."""
    found = [
        (
            content.logo.kind,
            {"name": content.logo.name, "svg": _svg(bytes(content.content), content.width, content.height)},
        )
        for content in contents_of(event)
    ]
    return {
        "association": [one for kind, one in found if kind == LogoKind.ASSOCIATION],
        "sponsors": [one for kind, one in found if kind == LogoKind.SPONSOR],
    }


def _svg(jpeg: bytes, width: int, height: int) -> str:
    data = b64encode(jpeg).decode()
    size = f'width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><image {size} href="data:image/jpeg;base64,{data}"/></svg>'

"""The poster for the door: what is played, where and when, and a code that opens the page of the event."""

from __future__ import annotations

from typing import Any, Final

from ...log.reads import newest_heads
from ...models import Tournament
from .logos import logos_on_paper
from .share import code_svg
from .typesetting import common, set_pages

#: Times the measures of A4.
SCALES: Final = {"a3": 2**0.5, "a4": 1.0}


def door_pdf(event: Tournament, address: str, size: str) -> bytes:
    """One page, `size` ``a3`` or ``a4``; the same event, log and logos give the same bytes."""
    return set_pages("door.typ", door_data(event, address, size), event.created_at)


def door_data(event: Tournament, address: str, size: str) -> dict[str, Any]:
    head = next(iter(newest_heads(event)), None)
    day = event.starts_on
    weekdays = "一二三四五六日"
    return (
        common(event)
        | logos_on_paper(event)
        | {
            "size": size,
            "scale": SCALES[size],
            "place": event.place,
            "day": {
                "zh": f"{day.year} 年 {day.month} 月 {day.day} 日　星期{weekdays[day.weekday()]}",
                "en": f"{day:%A}, {day.day} {day:%B %Y}",
            }
            if day
            else None,
            "address": address,
            "qr": code_svg(address),
            "head": None if head is None else {"acts": head.size, "root": head.root},
        }
    )

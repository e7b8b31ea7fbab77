"""Time zones to choose from: the likely ones by a name in the language of the page, then all others."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

CONTINENTS: Final = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "UTC")

LIKELY: Final[Mapping[str, _StrPromise]] = {
    "Asia/Shanghai": gettext_lazy("Beijing time"),
    "Asia/Hong_Kong": gettext_lazy("Hong Kong time"),
    "Asia/Taipei": gettext_lazy("Taipei time"),
    "Asia/Singapore": gettext_lazy("Singapore time"),
    "Asia/Tokyo": gettext_lazy("Tokyo time"),
    "Australia/Sydney": gettext_lazy("Sydney time"),
    "Europe/London": gettext_lazy("London time"),
    "Europe/Berlin": gettext_lazy("Central European time"),
    "America/New_York": gettext_lazy("New York time"),
    "America/Chicago": gettext_lazy("Chicago time"),
    "America/Los_Angeles": gettext_lazy("Los Angeles time"),
    "UTC": gettext_lazy("Universal time"),
}


def zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """The choices in two groups. An event can have any zone; a likely one is found without scrolling."""
    year = timezone.now().year
    words = _("%(name)s (%(ahead)s)")
    likely = [(zone, words % {"name": name, "ahead": ahead(zone, year)}) for zone, name in LIKELY.items()]
    others = [(zone, f"{zone.replace('_', ' ')} ({ahead(zone, year)})") for zone in _others()]
    return [(_("Often chosen"), likely), (_("All others, by place"), others)]


@cache
def _others() -> tuple[str, ...]:
    """The zones this machine knows that are not among the likely ones, by place."""
    return tuple(sorted(z for z in available_timezones() if z.split("/")[0] in CONTINENTS and z not in LIKELY))


@cache
def ahead(zone: str, year: int) -> str:
    """How far a zone is ahead of UTC: ``UTC+8``, with summer time ``UTC+0/+1``."""
    found = {_offset(datetime(year, month, 1, tzinfo=ZoneInfo(zone))): None for month in (1, 7)}
    return "UTC" + "/".join(sorted(found, key=lambda text: float(text.replace("−", "-").replace(":", "."))))


def _offset(at: datetime) -> str:
    """``+8``, ``−3:30``; the seconds of old local times are left out."""
    offset = at.utcoffset()
    assert offset is not None
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02d}" if rest else "")

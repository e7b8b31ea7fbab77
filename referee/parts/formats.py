"""Numbers, times and ages as every page writes them. Pure: zone and present time are given."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import dateformat
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.words import BETWEEN, page_language

MINUS: Final = "\u2212"
NO_BREAK: Final = "\u00a0"
_DATE: Final = {"en": "j M", "zh": "n 月 j 日"}
_DATE_AND_TIME: Final = {"en": "j M, H:i", "zh": "n 月 j 日 H:i"}


def exact(value: object) -> str:
    """A whole number, fraction or exact decimal string with a true minus; fractions without end stay fractions."""
    if isinstance(value, float):
        raise TypeError("a result is never a float")
    if value is None:
        return ""
    if isinstance(value, Fraction):
        value = _decimal(value)
    return str(value).replace("-", MINUS)


def _decimal(value: Fraction) -> str:
    """Shortest decimal of a fraction when it has one, else ``n/d``."""
    for places in range(7):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            sign = "-" if value < 0 else ""
            return sign + (digits if not places else f"{digits[:-places]}.{digits[-places:]}")
    return f"{value.numerator}/{value.denominator}"


def signed(value: object) -> str:
    """Like `exact`, always with its sign: ``+3``, ``−2``, ``+0``."""
    text = exact(value)
    return text if not text or text.startswith(MINUS) else f"+{text}"


def as_percent(value: float) -> str:
    """A place or a width in a drawing, as a part of the whole width."""
    return f"{round(value, 2):g}%"


def in_ranges(numbers: Iterable[int]) -> str:
    """Whole numbers in order, neighbours joined: ``1–7, 9``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = (f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return pgettext("between numbers", ", ").join(parts)


def score(own: object, other: object) -> str:
    """``2 : 0`` that never breaks over a line."""
    return f"{exact(own)}{BETWEEN}{exact(other)}"


def zone_of(where: object) -> tzinfo:
    """A zone from a zone, its name, or anything with a ``timezone`` (a tournament)."""
    where = getattr(where, "timezone", where)
    return where if isinstance(where, tzinfo) else ZoneInfo(str(where))


def event_time(moment: datetime, where: object) -> str:
    """``14:30`` in the event's zone."""
    return f"{moment.astimezone(zone_of(where)):%H:%M}"


def day_words(day: date) -> str:
    """``16 May 2026`` · ``2026 年 5 月 16 日``."""
    return dateformat.format(day, "Y 年 n 月 j 日" if page_language() == "zh" else "j M Y")


def event_date(moment: datetime, where: object) -> str:
    """``16 May`` · ``5 月 16 日`` in the event's zone."""
    return dateformat.format(moment.astimezone(zone_of(where)), _DATE[page_language()])


def event_date_time(moment: datetime, where: object) -> str:
    """``16 May, 14:30`` · ``5 月 16 日 14:30`` in the event's zone."""
    return dateformat.format(moment.astimezone(zone_of(where)), _DATE_AND_TIME[page_language()])


def age(then: datetime, now: datetime) -> str:
    """How long ago, in the largest whole unit: ``12 s ago``, ``4 min ago`` · ``4 分前``. Never negative."""
    seconds = max(0, int((now - then).total_seconds()))
    if seconds < 60:
        return _("%(n)s s ago") % {"n": seconds}
    if seconds < 3600:
        return _("%(n)s min ago") % {"n": seconds // 60}
    if seconds < 86400:
        return _("%(n)s h ago") % {"n": seconds // 3600}
    return _("%(n)s d ago") % {"n": seconds // 86400}


def span(seconds: float) -> str:
    """A length of time in the largest whole unit: ``12 s``, ``4 min`` · ``4 分钟``. Never negative."""
    seconds = max(0, int(seconds))
    if seconds < 60:
        return _("%(n)s s") % {"n": seconds}
    if seconds < 3600:
        return _("%(n)s min") % {"n": seconds // 60}
    if seconds < 86400:
        return _("%(n)s h") % {"n": seconds // 3600}
    return _("%(n)s d") % {"n": seconds // 86400}


def clock(span: timedelta | int) -> str:
    """``34:48``; an hour and more ``1:04:05``. Whole seconds, never below zero."""
    seconds = max(0, int(span.total_seconds()) if isinstance(span, timedelta) else span)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

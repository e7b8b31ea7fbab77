"""The questions of the radar as the page shows them: what was seen, where, and how often it comes up honestly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.parts.words import in_language
from scoring.radar.rates import honest
from tournaments.radar.reads import questions_of

if TYPE_CHECKING:
    from tournaments.models import PutAside, Tournament
    from tournaments.radar.reads import Question


@dataclass(frozen=True, slots=True)
class Line:
    """One question. `rate` says how often it comes up under honest play, `often` in how many matches of ten thousand a
    question of its kind does; empty where it is not known."""

    key: str
    title: str
    where: str
    address: str
    seen: str
    ask: str
    rate: str
    often: str
    last: PutAside | None


def shown(event: Tournament) -> dict[str, Any]:
    """For ``desk/radar.html``: what is open, and what was put aside."""
    found = questions_of(event)
    measured = honest(event.profile.id).measured
    return {
        "open": [_line(one, event) for one in found if not one.aside],
        "aside": [_line(one, event) for one in found if one.aside],
        "measured": bool(measured),
        "any_of": _share(event, "any"),
    }


def _line(one: Question, event: Tournament) -> Line:
    flag, place = one.flag, one.flag.place
    where = _("round %(r)s, table %(t)s") % {"r": place.round, "t": place.table}
    if flag.hand is not None:
        where += " · " + _("hand %(n)s") % {"n": flag.hand}
    address = reverse("desk:table", kwargs={"event": event.slug, "number": place.round, "table": place.table})
    return Line(
        key=flag.key,
        title=in_language(flag.title),
        where=where,
        address=address + (f"?game={place.game}" if place.game > 1 else ""),
        seen=in_language(flag.seen),
        ask=in_language(flag.ask),
        rate="" if flag.rate is None else in_language(flag.rate.text),
        often=_share(event, str(flag.kind)),
        last=one.last,
    )


def _share(event: Tournament, kind: str) -> str:
    rate = honest(event.profile.id).flagged(kind)
    return "" if rate is None else in_language(rate.text)

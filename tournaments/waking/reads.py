"""Which phones are woken, and what each is told: where to go, never a name, a figure or a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from ..acts.waking import Why
from ..models import Call, CallKind, Entrant, EntryStatus, LedgerEntry, Round, RoundStatus, Sitting, WakeAddress
from ..people.roll_call import roll
from .acts import TERM


@dataclass(frozen=True, slots=True)
class Message:
    """What one phone is told. A newer one with the same `tag` takes the place of the older on its screen."""

    to: WakeAddress
    title: str
    body: str
    tag: str

    @property
    def said(self) -> dict[str, str]:
        return {"title": self.title, "body": self.body, "tag": self.tag, "lang": self.to.language}


def known_addresses(entrant: Entrant) -> list[str]:
    """The digests of the addresses by which the phones of an entrant are woken, for its own page."""
    if not settings.PUSH_SERVICES:
        return []
    rows = WakeAddress.objects.filter(code__entrant=entrant, code__revoked_at=None)
    return list(rows.values_list("digest", flat=True))


def messages(why: Why, about: int, at: datetime) -> list[Message]:
    """Everybody who is woken for this now; nobody where it is over meanwhile."""
    made = {Why.DRAWN: _drawn, Why.ENTERED: _entered, Why.COMING: _coming}
    return made[why](about, at)


def _addresses(at: datetime, **of: object) -> list[WakeAddress]:
    rows = WakeAddress.objects.filter(code__revoked_at=None, asked_at__gte=at - TERM, **of)
    return list(rows.select_related("code"))


def _drawn(round_id: int, at: datetime) -> list[Message]:
    """The pairing of a round is published: everybody hears where he plays."""
    up = (RoundStatus.PUBLISHED, RoundStatus.RUNNING)
    round_ = Round.objects.select_related("tournament", "stage").filter(pk=round_id, status__in=up).first()
    if round_ is None or not (phones := _addresses(at, code__entrant__tournament=round_.tournament)):
        return []
    rows = {row.entrant.pk: row for row in roll(round_.tournament, round_)}
    found = []
    for one in phones:
        row = rows.get(one.code.entrant_id)
        if row is None:
            continue
        with translation.override(one.language):
            words = {"n": round_.number, "t": row.table}
            title = _("Round %(n)s: table %(t)s") % words if row.table else _("Round %(n)s: you have a bye") % words
            found.append(Message(one, title, _("The pairing is published."), f"{Why.DRAWN}-{round_.pk}"))
    return found


def _entered(sitting_id: int, at: datetime) -> list[Message]:
    """A hand waits: everybody at the table but the side that entered it."""
    waiting = {"sitting": sitting_id, "status": EntryStatus.WAITING}
    entry = LedgerEntry.objects.filter(**waiting).order_by("-pk").first()
    sitting = _sitting(sitting_id)
    if entry is None or sitting is None:
        return []
    asked = [pk for side, pk in _seated(sitting) if side != entry.entered_side]
    return _at_table(sitting, asked, _entered_words, at)


def _coming(call_id: int, at: datetime) -> list[Message]:
    """A call is answered: the side that called, and both where two entries differ."""
    call = Call.objects.filter(pk=call_id, taken_at__isnull=False, closed_at=None).first()
    sitting = None if call is None else _sitting(call.sitting_id)
    if call is None or sitting is None:
        return []
    both = call.kind == CallKind.DISPUTE or not call.side
    called = [pk for side, pk in _seated(sitting) if both or side == call.side]
    return _at_table(sitting, called, _coming_words, at)


def _entered_words() -> str:
    return _("The other side has entered a hand. Please check it.")


def _coming_words() -> str:
    return _("A referee is coming.")


def _sitting(sitting_id: int) -> Sitting | None:
    rows = Sitting.objects.select_related("table", "match__home", "match__away").filter(pk=sitting_id, active=True)
    return rows.prefetch_related("match__places").first()


def _seated(sitting: Sitting) -> list[tuple[str, int]]:
    """Who sits there, by side or place: ids of entrants."""
    if sitting.match.individual:
        return [(one.place, one.entrant_id) for one in sitting.match.places.all()]
    sides = (("NS", sitting.north_south), ("EW", sitting.east_west))
    return [(side, one.pk) for side, one in sides if one is not None]


def _at_table(sitting: Sitting, entrants: Iterable[int], words: Callable[[], str], at: datetime) -> list[Message]:
    found = []
    for one in _addresses(at, code__entrant__in=list(entrants)):
        with translation.override(one.language):
            title = _("Table %(n)s") % {"n": sitting.table.number}
            found.append(Message(one, title, words(), f"table-{sitting.pk}"))
    return found

"""Undoing an act of the desk: a new act sets right what it did, within a minute and while nothing was built on it.

No snapshot is restored: the opposite is an act of the same room, with its checks, and the history shows both, and which
undid which. Here alone the history is read to decide something: what the act did is nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q

from ..acts import history
from ..acts.access import Act
from ..acts.admission import Actor, Offices, allowed, require
from ..acts.change import Change, Line, commit
from ..acts.errors import NotFound, Refusal
from ..acts.history import UNDO_WITHIN
from ..models import HistoryEntry, Tournament
from . import people, running
from .did import Did, Opposite
from .not_undone import NOT_UNDONE, SINCE

OPPOSITES: Final[Mapping[Act, Opposite]] = {**people.OPPOSITES, **running.OPPOSITES}
#: Names of acts that are done by nobody who holds an office: they are never undone here.
_KNOWN: Final = frozenset(act.value for act in Act)


def undo(*, tournament_id: int, entry_id: int, actor: Actor, at: datetime) -> HistoryEntry:
    """Undo the act that a line of the history tells of; the line that says so is the answer.

    Whoever may do the act and its opposite may: who did it, or somebody of the same office. Refused: `not_undone`,
    `too_late_to_undo`, `undone_already`, `changed_since`, `built_on_act`, and what refuses the opposite.
    """
    with transaction.atomic(), history.noted() as rows:
        did = find(tournament_id, entry_id)
        admitted = require(actor, Act.UNDO, tournament=did.event)
        _refuse_if_undone(did)
        opposite = _opposite(did)
        for act in (did.act, opposite.does):
            require(actor, act, tournament=did.event, sitting=did.sitting)
        if at - did.at > UNDO_WITHIN:
            raise Refusal("too_late_to_undo")
        opposite.hold(did)
        _refuse_if_undone(did)
        _refuse_what_came_after(did, opposite)
        opposite.do(did, actor, at)
        line = Line(Act.UNDO, _called(did.id), new={"undone": str(did.act)}, sitting=did.sitting)
        commit(Change(admitted, None, lines=(line,)), actor, at)
    return rows[-1]


def offered(
    rows: Iterable[HistoryEntry], actor: Actor, event: Tournament, at: datetime, held: Offices | None = None
) -> list[HistoryEntry]:
    """Those of these lines that the actor could undo now, as far as they tell themselves."""
    return [one for one in rows if _is_offered(one, actor, event, at, held)]


def can_be_undone(row: HistoryEntry) -> bool:
    """Whether what a line tells of is undone at all, whoever asks and whenever."""
    fits = row.act in OPPOSITES and row.user_id is not None
    return fits and OPPOSITES[Act(row.act)].fits(_value(row, row.tournament))


def _is_offered(row: HistoryEntry, actor: Actor, event: Tournament, at: datetime, held: Offices | None) -> bool:
    if at - row.at > UNDO_WITHIN:
        return False
    row.tournament = event  # as it was just read
    if not can_be_undone(row):
        return False
    act = Act(row.act)
    asked = (Act.UNDO, act, OPPOSITES[act].does)
    return all(allowed(actor, one, tournament=event, sitting=row.sitting, held=held) for one in asked)


def undone_among(event: Tournament, ids: Iterable[int]) -> set[int]:
    """Those of these lines that were undone."""
    called = {_called(pk): pk for pk in ids}
    rows = HistoryEntry.objects.filter(tournament=event, act=Act.UNDO, subject__in=called)
    return {called[subject] for subject in rows.values_list("subject", flat=True)}


def find(event: Tournament | int, entry_id: int) -> Did:
    """What a line of the event's history tells of. Refused: `not_found`."""
    rows = HistoryEntry.objects.select_related("tournament", "sitting__round__tournament")
    row = rows.filter(pk=entry_id, tournament=event).first()
    if row is None:
        raise NotFound()
    if row.act not in _KNOWN:
        raise Refusal("not_undone")
    return _value(row, row.tournament)


def _value(row: HistoryEntry, event: Tournament) -> Did:
    return Did(
        id=row.pk,
        event=event,
        act=Act(row.act),
        subject=row.subject,
        at=row.at,
        by_person=row.user_id is not None,
        sitting=row.sitting,
        round_id=row.round_id,
        old=row.old,
        new=row.new,
    )


def _opposite(did: Did) -> Opposite:
    opposite = OPPOSITES.get(did.act)
    if opposite is None:
        raise Refusal("not_undone", message=NOT_UNDONE[did.act])
    if not did.by_person or not opposite.fits(did):
        raise Refusal("not_undone")
    return opposite


def _refuse_if_undone(did: Did) -> None:
    if undone_among(did.event, [did.id]):
        raise Refusal("undone_already")


def _refuse_what_came_after(did: Did, opposite: Opposite) -> None:
    """Refuse where it was changed again, or built on."""
    later = HistoryEntry.objects.filter(tournament=did.event.pk, pk__gt=did.id)
    same = Q(subject=did.subject, round=did.round_id)
    if did.sitting is not None:
        same |= Q(sitting=did.sitting.pk)
    changed = later.filter(same, act__in={did.act, *opposite.changed}).order_by("pk").first()
    if changed is not None:
        raise _since("changed_since", changed)
    built = later.filter(act__in=opposite.built).order_by("pk").first()
    if built is not None:
        raise _since("built_on_act", built)


def _since(code: str, row: HistoryEntry) -> Refusal:
    said = SINCE[Act(row.act)]
    message = {
        "en": f"This cannot be undone any more: since then {said['en']}.",
        "zh": f"不能再撤销：此后{said['zh']}。",
    }
    return Refusal(code, message=message, params={"act": row.act, "history": row.pk})


def _called(pk: int) -> str:
    return f"history:{pk}"

"""Remove demonstrations whole. The guards of the database let only their rows go."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Model, QuerySet

from ..models import (
    Board,
    Call,
    Correction,
    Device,
    Entrant,
    HistoryEntry,
    LedgerEntry,
    Match,
    Pairing,
    PartyCode,
    Player,
    Publication,
    Round,
    SavedAnswer,
    Sitting,
    Stage,
    Table,
    Tournament,
    User,
)
from . import cast


def remove() -> int:
    """Delete every demonstration and its officials who never signed in, but the organiser; how many events went.

    The organiser stays, so that there is always somebody to whom a sign-in link can be given.
    """
    with transaction.atomic():
        events = list(Tournament.objects.filter(demo=True).select_for_update())
        for event in events:
            _remove(event)
        User.objects.filter(username__in=[name for name, _ in cast.REFEREES], last_login=None, offices=None).delete()
    return len(events)


def _remove(event: Tournament) -> None:
    for rows in _rows_of(event):
        rows.delete()
    event.delete()


def _rows_of(event: Tournament) -> list[QuerySet[Model]]:
    """Everything of an event, what refers to others first."""
    ledger = LedgerEntry.objects.filter(tournament=event)
    players = list(Player.objects.filter(entrant__tournament=event).values_list("pk", flat=True))
    superseding = Publication.objects.filter(tournament=event).order_by("-number")
    return [
        SavedAnswer.objects.filter(tournament=event),
        Correction.objects.filter(entry__tournament=event),
        Call.objects.filter(sitting__round__tournament=event),
        HistoryEntry.objects.filter(tournament=event),
        ledger.filter(contests__isnull=False),
        ledger,
        *[Publication.objects.filter(pk=one.pk) for one in superseding],
        Device.objects.filter(sitting__round__tournament=event),
        PartyCode.objects.filter(table__tournament=event),
        Sitting.objects.filter(round__tournament=event),
        Board.objects.filter(stage__tournament=event),
        Match.objects.filter(round__tournament=event),
        Pairing.objects.filter(round__tournament=event),
        Round.objects.filter(tournament=event),
        Table.objects.filter(tournament=event),
        Player.objects.filter(pk__in=players),
        Entrant.objects.filter(tournament=event),
        Player.history.filter(id__in=players),
        Entrant.history.filter(tournament=event),
        Stage.objects.filter(tournament=event),
    ]

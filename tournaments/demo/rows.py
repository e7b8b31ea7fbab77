"""Removing a demonstration: the only rows of an event that the database lets go."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from ..acts.errors import NotFound, Refusal
from ..models import (
    AppealMember,
    Board,
    BoardResult,
    Call,
    CheckIn,
    Correction,
    Dealing,
    Device,
    DeviceKey,
    Draw,
    DrawnLots,
    Entrant,
    EntrantCode,
    HallFixture,
    HistoryEntry,
    HookDelivery,
    Invitation,
    Job,
    KeptApart,
    LedgerEntry,
    LogHead,
    LogLeaf,
    Logo,
    LogoContent,
    Match,
    Official,
    Pairing,
    PartyCode,
    Photo,
    PhotoContent,
    Player,
    Projector,
    Publication,
    PutAside,
    Recalculation,
    RecordedHand,
    ResultCode,
    Round,
    RuleChange,
    Ruling,
    RulingAct,
    SignalCard,
    SignalTerms,
    SignInLink,
    Sitting,
    Stage,
    StageEntrant,
    StaleCount,
    StandingsRun,
    Table,
    TablePlace,
    Term,
    Tournament,
    UnderReview,
    WakeAddress,
    Webhook,
)


def delete_demo(*, tournament_id: int) -> None:
    """Remove a demonstration with everything in it; any other event is refused (`not_a_demo`) and stays whole."""
    with transaction.atomic():
        event = Tournament.objects.filter(pk=tournament_id).first()
        if event is None:
            raise NotFound()
        if not event.demo:
            raise Refusal("not_a_demo")
        for rows in _rows(event):
            # straight to the database: nothing here may cascade further than what is named
            rows._raw_delete(rows.db)


def _rows(event: Tournament) -> list[QuerySet]:
    """All rows of an event, those that point before those pointed at."""
    of_event = {"tournament": event}
    of_round = {"round__tournament": event}
    return [
        HookDelivery.objects.filter(webhook__tournament=event),
        Webhook.objects.filter(**of_event),
        LogoContent.objects.filter(logo__tournament=event),
        Logo.objects.filter(**of_event),
        Projector.objects.filter(**of_event),
        Job.objects.filter(**of_event),
        HistoryEntry.objects.filter(**of_event),
        RuleChange.objects.filter(**of_event),
        AppealMember.objects.filter(act__ruling__tournament=event),
        RulingAct.objects.filter(ruling__tournament=event),
        Ruling.objects.filter(**of_event),
        PhotoContent.objects.filter(photo__call__sitting__round__tournament=event),
        Photo.objects.filter(call__sitting__round__tournament=event),
        Call.objects.filter(sitting__round__tournament=event),
        RecordedHand.objects.filter(**of_event),
        PutAside.objects.filter(**of_event),
        Correction.objects.filter(entry__tournament=event),
        ResultCode.objects.filter(sitting__round__tournament=event),
        LedgerEntry.objects.filter(**of_event),
        DeviceKey.objects.filter(device__sitting__round__tournament=event),
        Device.objects.filter(sitting__round__tournament=event),
        PartyCode.objects.filter(table__tournament=event),
        KeptApart.objects.filter(**of_event),
        SignalCard.objects.filter(entrant__tournament=event),
        SignalTerms.objects.filter(**of_event),
        CheckIn.objects.filter(entrant__tournament=event),
        WakeAddress.objects.filter(code__entrant__tournament=event),
        EntrantCode.objects.filter(entrant__tournament=event),
        Publication.objects.filter(**of_event),
        StandingsRun.objects.filter(stage__tournament=event),
        Recalculation.objects.filter(**of_event),
        StaleCount.objects.filter(**of_event),
        DrawnLots.objects.filter(stage__tournament=event),
        BoardResult.objects.filter(board__stage__tournament=event),
        Sitting.objects.filter(**of_round),
        Match.objects.filter(**of_round),
        Pairing.objects.filter(**of_round),
        Draw.objects.filter(**of_round),
        StageEntrant.objects.filter(stage__tournament=event),
        Dealing.objects.filter(stage__tournament=event),
        Board.objects.filter(stage__tournament=event),
        Round.objects.filter(**of_event),
        Stage.objects.filter(**of_event),
        Player.history.filter(entrant__tournament=event),
        Player.objects.filter(entrant__tournament=event),
        Entrant.history.filter(**of_event),
        Entrant.objects.filter(**of_event),
        Invitation.tables.through.objects.filter(invitation__tournament=event),
        Invitation.objects.filter(**of_event),
        SignInLink.objects.filter(official__tournament=event),
        Official.tables.through.objects.filter(official__tournament=event),
        Official.objects.filter(**of_event),
        TablePlace.objects.filter(**of_event),
        HallFixture.objects.filter(**of_event),
        Table.objects.filter(**of_event),
        UnderReview.objects.filter(**of_event),
        Term.objects.filter(**of_event),
        LogHead.objects.filter(**of_event),
        LogLeaf.objects.filter(**of_event),
        Tournament.objects.filter(pk=event.pk),
    ]

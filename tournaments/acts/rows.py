"""Rows that acts ask for by id: found, locked, or refused as not found."""

from __future__ import annotations

from django.db import connection
from django.db.models import F, Model

from ..models import Entrant, Round, RoundStatus, Sitting, StaleCount, Tournament
from .errors import NotFound


def find_tournament(tournament_id: int, *, lock: bool = False) -> Tournament:
    """The tournament, or the refusal `not_found`."""
    rows = Tournament.objects.select_for_update(no_key=True) if lock else Tournament.objects
    try:
        return rows.get(pk=tournament_id)
    except Tournament.DoesNotExist:
        raise NotFound() from None


def hold_tables(tournament_id: int) -> None:
    """Let no table move a result before this transaction ends: what is worked out in it is of one moment.

    Hands that end a match wait with their last write. For acts that freeze a result; they hold the tournament's row.
    """
    slots = [StaleCount(tournament_id=tournament_id, slot=slot) for slot in range(StaleCount.SLOTS)]
    StaleCount.objects.bulk_create(slots, ignore_conflicts=True)
    list(StaleCount.objects.select_for_update(no_key=True).filter(tournament=tournament_id).order_by("slot"))


def read_entries_again(tournament_id: int) -> None:
    """Let no hand be written that was decided before this transaction ends: for acts that change what the entries of a
    whole event rest on (who officiates where, what is asked of officials, where the event is written).

    Before the event's row is locked: a round comes first everywhere.
    """
    playing = Round.objects.filter(tournament=tournament_id).exclude(status=RoundStatus.CLOSED).order_by("pk")
    held = [one.pk for one in playing.select_for_update(no_key=True)]
    Round.objects.filter(pk__in=held).update(grounds=F("grounds") + 1)


def locked_round(round_id: int) -> Round:
    """The round with its tournament and stage, its row locked.

    Order of locks everywhere: round, sittings, and the tournament's row, its counters last (`doorbell`).
    """
    rows = Round.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament", "stage")
    try:
        return rows.get(pk=round_id)
    except Round.DoesNotExist:
        raise NotFound() from None


def sitting_or_refusal(sitting_id: int) -> Sitting:
    try:
        return Sitting.objects.get(pk=sitting_id)
    except Sitting.DoesNotExist:
        raise NotFound() from None


def locked_sitting(sitting_id: int) -> Sitting:
    try:
        return (
            Sitting.objects.select_for_update(no_key=True, of=("self",))
            .select_related("round__tournament", "round__stage", "table", "match")
            .get(pk=sitting_id)
        )
    except Sitting.DoesNotExist:
        raise NotFound() from None


def locked_entrant(entrant_id: int) -> Entrant:
    try:
        return (
            Entrant.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament").get(pk=entrant_id)
        )
    except Entrant.DoesNotExist:
        raise NotFound() from None


def new_ids(model: type[Model], count: int) -> list[int]:
    """Ids that nothing else will have, rising: for rows that are written after rows that refer to them."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
            )
            return sorted(one for (one,) in cursor.fetchall())
        # the transaction holds the only lock for writing; ids of deleted rows are not used again
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = cursor.fetchone()
    first = (last[0] if last else 0) + 1
    return list(range(first, first + count))

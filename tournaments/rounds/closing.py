"""The end of a round: it is closed, and for a minute the closing can be taken back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from ..acts.access import Act, Actor, require
from ..acts.doorbell import mark_stale
from ..acts.errors import WrongStep
from ..acts.rows import locked_round
from ..ledger.devices import ROUND_CLOSED
from ..models import Device, Round, RoundStatus, Sitting, Tournament
from .steps import list_tables, note_round, tables_without_result, tell_round

#: How long a closing can be taken back.
UNDO_WITHIN = timedelta(minutes=1)
#: The columns that closing a round writes.
CLOSING = ("status", "closed_at", "stopped_at", "stood_since", "built_before")


def close_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Close a round whose matches all have a result; its devices are signed out."""
    with transaction.atomic():
        round_ = locked_round(round_id)
        require(actor, Act.CLOSE_ROUND, tournament=round_.tournament)
        if round_.status == RoundStatus.CLOSED:
            return round_
        if round_.status != RoundStatus.RUNNING:
            raise WrongStep("round_not_running")
        # lock the sittings: a hand being entered right now either finishes before this or is refused after it
        list(Sitting.objects.select_for_update(no_key=True).filter(round=round_, active=True).order_by("pk"))
        tables = tables_without_result(round_)
        if tables:
            en, zh = list_tables(tables)
            raise WrongStep(
                "round_open",
                f"{en} no result; round {round_.number} cannot be closed.",
                f"{zh} 桌还没有结果，不能关闭第 {round_.number} 轮。",
                {"tables": tables, "round": round_.number},
            )
        round_.status, round_.closed_at = RoundStatus.CLOSED, at
        round_.stood_since, round_.stopped_at = round_.stopped_at, None
        round_.built_before = round_.tournament.built_number
        round_.save(update_fields=CLOSING)
        Device.objects.filter(sitting__round=round_, released_at=None).update(released_at=at, released_why=ROUND_CLOSED)
        old = None if round_.stood_since is None else {"stopped_at": round_.stood_since.isoformat()}
        note_round(round_, actor, at, Act.CLOSE_ROUND, old=old)
        mark_stale(round_.tournament_id)
        tell_round(round_)
    return round_


def reopen_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Take the closing of a round back: it runs again, its clock and its phones as they were.

    Only for `UNDO_WITHIN` after it was closed, and only while nothing was built on it. Refused: `round_not_closed`,
    `too_late_to_reopen`, `built_on_round`.
    """
    with transaction.atomic():
        round_ = locked_round(round_id)
        require(actor, Act.REOPEN_ROUND, tournament=round_.tournament)
        # whoever publishes, draws or begins a stage holds this row: it was done before this, or sees the round run
        round_.tournament = Tournament.objects.select_for_update(no_key=True).get(pk=round_.tournament_id)
        if round_.status == RoundStatus.RUNNING:
            return round_
        if round_.status != RoundStatus.CLOSED:
            raise WrongStep("round_not_closed")
        if _built_on(round_):
            raise WrongStep("built_on_round")
        if not _in_time(round_, at):
            raise WrongStep("too_late_to_reopen")
        signed_out_at = round_.closed_at
        round_.status, round_.closed_at = RoundStatus.RUNNING, None
        round_.stopped_at, round_.stood_since, round_.built_before = round_.stood_since, None, None
        round_.save(update_fields=CLOSING)
        Device.objects.filter(sitting__round=round_, released_why=ROUND_CLOSED, released_at=signed_out_at).update(
            released_at=None, released_why=""
        )
        note_round(round_, actor, at, Act.REOPEN_ROUND)
        mark_stale(round_.tournament_id)
        tell_round(round_)
    return round_


def may_be_reopened(round_: Round, at: datetime) -> bool:
    """Whether the closing of a round can still be taken back."""
    return round_.status == RoundStatus.CLOSED and _in_time(round_, at) and not _built_on(round_)


def _built_on(round_: Round) -> bool:
    """Whether anything was built on a closed round. Told by a number of the event, for clocks differ."""
    return round_.built_before != round_.tournament.built_number


def _in_time(round_: Round, at: datetime) -> bool:
    return round_.closed_at is not None and at - round_.closed_at <= UNDO_WITHIN

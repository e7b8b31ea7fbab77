"""The end of a round: it is closed, and for a minute the closing can be taken back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from ..acts.access import Act, Actor, require
from ..acts.errors import WrongStep
from ..acts.rows import locked_round
from ..ledger.devices import ROUND_CLOSED
from ..models import Device, HistoryEntry, Round, RoundStatus, Sitting, Tournament
from ..standings.runs import mark_stale
from .steps import list_tables, note_round, tables_without_result, tell_round

#: How long a closing can be taken back.
UNDO_WITHIN = timedelta(minutes=1)

#: Acts that build on a closed round: once one of them was done, the round stays closed.
BUILDING = (
    Act.PUBLISH,
    Act.PAIR,
    Act.PUBLISH_PAIRING,
    Act.SUPERSEDE_PAIRING,
    Act.START_ROUND,
    Act.BEGIN_STAGE,
    Act.APPLY_RULES,
)


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
        stood_since = round_.stopped_at
        round_.status = RoundStatus.CLOSED
        round_.closed_at = at
        round_.stopped_at = None
        round_.save(update_fields=["status", "closed_at", "stopped_at"])
        Device.objects.filter(sitting__round=round_, released_at=None).update(released_at=at, released_why=ROUND_CLOSED)
        old = None if stood_since is None else {"stopped_at": stood_since.isoformat()}
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
        Tournament.objects.select_for_update(no_key=True).get(pk=round_.tournament_id)
        if round_.status == RoundStatus.RUNNING:
            return round_
        closing = closing_of(round_)
        if round_.status != RoundStatus.CLOSED or closing is None:
            raise WrongStep("round_not_closed")
        if built_on(closing):
            raise WrongStep("built_on_round")
        if not _in_time(round_, at):
            raise WrongStep("too_late_to_reopen")
        signed_out_at = round_.closed_at
        round_.status, round_.closed_at = RoundStatus.RUNNING, None
        round_.stopped_at = _stood_since(closing)
        round_.save(update_fields=["status", "closed_at", "stopped_at"])
        Device.objects.filter(sitting__round=round_, released_why=ROUND_CLOSED, released_at=signed_out_at).update(
            released_at=None, released_why=""
        )
        note_round(round_, actor, at, Act.REOPEN_ROUND)
        mark_stale(round_.tournament_id)
        tell_round(round_)
    return round_


def may_be_reopened(round_: Round, at: datetime) -> bool:
    """Whether the closing of a round can still be taken back."""
    if round_.status != RoundStatus.CLOSED or not _in_time(round_, at):
        return False
    closing = closing_of(round_)
    return closing is not None and not built_on(closing)


def closing_of(round_: Round) -> HistoryEntry | None:
    """The act that closed the round last."""
    return HistoryEntry.objects.filter(round=round_, act=str(Act.CLOSE_ROUND)).order_by("-pk").first()


def built_on(closing: HistoryEntry) -> bool:
    """Whether anything was built on a closed round. Told by the order of the history, for clocks differ."""
    later = HistoryEntry.objects.filter(tournament=closing.tournament_id, pk__gt=closing.pk)
    return later.filter(act__in=[str(act) for act in BUILDING]).exists()


def _in_time(round_: Round, at: datetime) -> bool:
    return round_.closed_at is not None and at - round_.closed_at <= UNDO_WITHIN


def _stood_since(closing: HistoryEntry) -> datetime | None:
    """Since when the clock of the hall stood as the round was closed."""
    written = closing.old.get("stopped_at") if isinstance(closing.old, dict) else None
    return None if written is None else datetime.fromisoformat(written)

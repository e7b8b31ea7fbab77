"""The end of a round: it is closed, and for a minute the closing can be taken back."""

from __future__ import annotations

from datetime import datetime

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import Change, Move, MoveAll, Write, carry_out
from ..acts.errors import WrongStep
from ..acts.history import UNDO_WITHIN
from ..acts.rows import find_tournament, locked_round
from ..ledger.devices import ROUND_CLOSED
from ..models import Device, Round, RoundStatus, Sitting
from .steps import changed, line_on, list_tables, tables_without_result


def close_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Close a round whose matches all have a result; its devices are signed out."""

    def decide() -> Change[Round]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.CLOSE_ROUND, tournament=round_.tournament)
        if round_.status == RoundStatus.CLOSED:
            return Change(admitted, round_)
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
        stood = round_.stopped_at
        closed = {"status": RoundStatus.CLOSED, "closed_at": at, "stopped_at": None, "stood_since": stood}
        phones = {"sitting__round": round_, "released_at": None}
        writes: list[Write] = [
            Move(round_, {**closed, "built_before": round_.tournament.built_number}),
            MoveAll(Device, phones, {"released_at": at, "released_why": ROUND_CLOSED}),
        ]
        old = None if stood is None else {"stopped_at": stood.isoformat()}
        return changed(admitted, round_, writes, line_on(round_, Act.CLOSE_ROUND, old=old), stale=True)

    return carry_out(decide, actor, at)


def reopen_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Take the closing of a round back: it runs again, its clock and its phones as they were.

    Only for `UNDO_WITHIN` after it was closed, and only while nothing was built on it. Refused: `round_not_closed`,
    `too_late_to_reopen`, `built_on_round`.
    """

    def decide() -> Change[Round]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.REOPEN_ROUND, tournament=round_.tournament)
        # whoever publishes, draws or begins a stage holds this row: it was done before this, or sees the round run
        round_.tournament = find_tournament(round_.tournament_id, lock=True)
        if round_.status == RoundStatus.RUNNING:
            return Change(admitted, round_)
        if round_.status != RoundStatus.CLOSED:
            raise WrongStep("round_not_closed")
        if _built_on(round_):
            raise WrongStep("built_on_round")
        if not _in_time(round_, at):
            raise WrongStep("too_late_to_reopen")
        runs = {"status": RoundStatus.RUNNING, "closed_at": None, "stopped_at": round_.stood_since}
        phones = {"sitting__round": round_, "released_why": ROUND_CLOSED, "released_at": round_.closed_at}
        writes: list[Write] = [
            Move(round_, {**runs, "stood_since": None, "built_before": None}),
            MoveAll(Device, phones, {"released_at": None, "released_why": ""}),
        ]
        return changed(admitted, round_, writes, line_on(round_, Act.REOPEN_ROUND), stale=True)

    return carry_out(decide, actor, at)


def may_be_reopened(round_: Round, at: datetime) -> bool:
    """Whether the closing of a round can still be taken back."""
    return round_.status == RoundStatus.CLOSED and _in_time(round_, at) and not _built_on(round_)


def _built_on(round_: Round) -> bool:
    """Whether anything was built on a closed round. Told by a number of the event, for clocks differ."""
    return round_.built_before != round_.tournament.built_number


def _in_time(round_: Round, at: datetime) -> bool:
    return round_.closed_at is not None and at - round_.closed_at <= UNDO_WITHIN

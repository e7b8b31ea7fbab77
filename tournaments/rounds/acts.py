"""Rounds: create, start, extend; who scores a table; moving sittings between tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from ..acts import history
from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, Change, Line, Move, Told, Write, carry_out
from ..acts.errors import Refusal, WrongStep, clean_text
from ..acts.rows import find_tournament, locked_round, locked_sitting, sitting_or_refusal
from ..models import Round, RoundStatus, ScoredBy, Sitting, SittingPhase, Table
from ..stages.acts import beginning, stage_for_round
from ..standings.stage_order import is_empty_extra
from .steps import BadPairing, byes_scored, changed, line_on

Answer = TypeVar("Answer")

MOST_MINUTES = 120


def create_round(
    *, tournament_id: int, actor: Actor, at: datetime, stage_id: int | None = None, extra: bool = False
) -> Round:
    """The next round of the event, to be paired: of the current stage, or of the one that is named.

    The first stage begins with its first round. An `extra` round only decides ties and is none of those planned;
    one that was asked for by mistake, with nobody paired, becomes the round that is asked for now.
    """

    def decide() -> Change[Round]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.CREATE_ROUND, tournament=event)
        stage = stage_for_round(event, stage_id, extra=extra)
        last = event.rounds.order_by("-number").first()
        if last is not None and not extra and is_empty_extra(last):
            # an empty extra round becomes an ordinary round of the stage
            old, new = {"extra": True, "stage": last.stage.number}, {"extra": False, "stage": stage.number}
            line, fixed = line_on(last, Act.CREATE_ROUND, old=old, new=new), beginning(stage, at)
            writes = (*fixed.writes, Move(last, {"extra": False, "stage": stage}))
            return Change(admitted, last, writes, (*fixed.lines, line))
        if last is not None and last.status == RoundStatus.DRAFT:
            raise WrongStep(
                "round_not_paired",
                f"Round {last.number} is not published yet. Pair and publish it first.",
                f"第 {last.number} 轮还没有公布编排，请先编排并公布。",
            )
        fixed = beginning(stage, at)
        created = Round(tournament=event, stage=stage, number=(last.number if last else 0) + 1, extra=extra)
        line = line_on(created, Act.CREATE_ROUND)
        return Change(admitted, created, (*fixed.writes, Add(created)), (*fixed.lines, line))

    return carry_out(decide, actor, at)


def start_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Start the clock of a published round: hands may be entered, byes score, and at most one round runs."""

    def decide() -> Change[Round]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.START_ROUND, tournament=round_.tournament)
        if round_.status == RoundStatus.DRAFT:
            raise WrongStep("pairing_not_published", "Publish the pairing first.", "请先公布编排。")
        if round_.status != RoundStatus.PUBLISHED:
            raise WrongStep("round_started")
        running = round_.tournament.rounds.filter(status=RoundStatus.RUNNING).first()
        if running is not None:
            raise WrongStep(
                "another_round_runs",
                f"Round {running.number} is still running. Close it first.",
                f"第 {running.number} 轮还在进行，请先关闭。",
            )
        minutes = round_.stage.minutes
        ends_at = at + timedelta(minutes=minutes) if minutes else None
        begun = Move(round_, {"status": RoundStatus.RUNNING, "started_at": at, "ends_at": ends_at})
        line = line_on(round_, Act.START_ROUND)
        return changed(admitted, round_, [begun, byes_scored(round_, at)], line, stale=True)

    return carry_out(decide, actor, at)


def extend_round(*, round_id: int, actor: Actor, at: datetime, minutes: int, reason: str = "") -> Round:
    """Move the end of a running round by whole minutes (extra time; negative takes back)."""
    minutes = _minutes(minutes)
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT)

    def decide(round_: Round, ends_at: datetime, admitted: Admitted) -> Change[Round]:
        return _clock_set(round_, admitted, reason, ends_at=ends_at + timedelta(minutes=minutes))

    return _act_on_clock(round_id, actor, at, decide)


def stop_clock(*, round_id: int, actor: Actor, at: datetime, reason: str) -> Round:
    """Stop the clock of the hall: what is left stays until it goes on. Hands can be entered all the same."""
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)

    def decide(round_: Round, ends_at: datetime, admitted: Admitted) -> Change[Round]:
        if round_.stopped_at is not None:
            return Change(admitted, round_)
        if at >= ends_at:
            raise WrongStep("time_is_over")
        return _clock_set(round_, admitted, reason, stopped_at=at)

    return _act_on_clock(round_id, actor, at, decide)


def go_on(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Let a stopped clock go on; the end moves by as long as it stood."""

    def decide(round_: Round, ends_at: datetime, admitted: Admitted) -> Change[Round]:
        if round_.stopped_at is None:
            raise WrongStep("clock_runs")
        ends_at += max(at - round_.stopped_at, timedelta(0))
        return _clock_set(round_, admitted, "", ends_at=ends_at, stopped_at=None)

    return _act_on_clock(round_id, actor, at, decide)


def add_time(*, sitting_id: int, actor: Actor, at: datetime, minutes: int, reason: str) -> Sitting:
    """Give one table extra time (negative takes back), shown at the table and at the desk."""
    minutes = _minutes(minutes)
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)

    def decide() -> Change[Sitting]:
        round_ = locked_round(sitting_or_refusal(sitting_id).round_id)
        sitting = locked_sitting(sitting_id)
        admitted = require(actor, Act.EXTRA_TIME, tournament=round_.tournament, sitting=sitting)
        _end_of(round_)
        if not sitting.active or sitting.phase == SittingPhase.FINISHED:
            raise WrongStep("match_over", "The match at this table is over.", "这一桌的对局已经结束。")
        extra = sitting.extra_minutes + minutes
        if not -MOST_MINUTES <= extra <= MOST_MINUTES:
            raise _bad_minutes()
        old, new = {"extra_minutes": sitting.extra_minutes}, {"extra_minutes": extra}
        line = Line(Act.EXTRA_TIME, ("sitting", sitting), reason, old, new, sitting, round_)
        told = Told("sitting", sitting.pk, sitting.revision, public=True)
        return Change(admitted, sitting, (Move(sitting, new),), (line,), (told,))

    return carry_out(decide, actor, at)


def _minutes(minutes: object) -> int:
    if type(minutes) is not int or not -MOST_MINUTES <= minutes <= MOST_MINUTES or minutes == 0:
        raise _bad_minutes()
    return minutes


def _bad_minutes() -> Refusal:
    return Refusal("bad_minutes", field="minutes", status=400)


def _act_on_clock(
    round_id: int, actor: Actor, at: datetime, decide: Callable[[Round, datetime, Admitted], Change[Round]]
) -> Round:
    """Carry out an act on the clock of the hall, as `decide` has it from the round, its end and who may."""

    def read_and_decide() -> Change[Round]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.SET_CLOCK, tournament=round_.tournament)
        return decide(round_, _end_of(round_), admitted)

    return carry_out(read_and_decide, actor, at)


def _end_of(round_: Round) -> datetime:
    """When the running clock of a round ends; refused where none runs."""
    if round_.status != RoundStatus.RUNNING or round_.ends_at is None:
        raise WrongStep("round_not_running", "This round has no running clock.", "这一轮没有在计时。")
    return round_.ends_at


def _clock_set(round_: Round, admitted: Admitted, reason: str, **moments: datetime | None) -> Change[Round]:
    """The end of the clock moves, or since when it stands."""
    was = {name: _text(getattr(round_, name)) for name in moments}
    now = {name: _text(moment) for name, moment in moments.items()}
    line = line_on(round_, Act.SET_CLOCK, reason=reason, old=was, new=now)
    return changed(admitted, round_, [Move(round_, moments)], line, stale=False)


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def set_scored_by(*, sitting_id: int, actor: Actor, at: datetime, scored_by: str) -> Sitting:
    """Let the sides or a referee score a table."""
    if scored_by not in ScoredBy.values:
        raise BadPairing("bad_scored_by", "Tables are scored by the sides or a referee.", "记分方只有双方或裁判。")

    def decide() -> Change[Sitting]:
        sitting = locked_sitting(sitting_id)
        admitted = require(actor, Act.SET_SCORED_BY, tournament=sitting.round.tournament)
        if sitting.scored_by == scored_by:
            return Change(admitted, sitting)
        old, new = {"scored_by": sitting.scored_by}, {"scored_by": scored_by}
        line = Line(Act.SET_SCORED_BY, ("sitting", sitting), "", old, new, sitting)
        told = Told("sitting", sitting.pk, sitting.revision)
        return Change(admitted, sitting, (Move(sitting, new),), (line,), (told,))

    return carry_out(decide, actor, at)


def swap_tables(*, round_id: int, actor: Actor, at: datetime, sitting_ids: Sequence[int]) -> list[Sitting]:
    """Two sittings of a round change tables, each with its entries and devices."""

    def decide() -> Change[list[Sitting]]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.SWAP_TABLES, tournament=round_.tournament)
        here = Sitting.objects.select_for_update(no_key=True, of=("self",)).select_related("table")
        chosen = list(here.filter(round=round_, active=True, pk__in=list(sitting_ids)).order_by("pk"))
        if len(chosen) != 2 or round_.status == RoundStatus.CLOSED:
            raise BadPairing("two_sittings", field="sitting_ids")
        first, second = chosen
        # a table has one active sitting at any time
        left = Move(first, {"active": False})
        writes = (left, Move(second, {"table": first.table}), Move(first, {"table": second.table, "active": True}))
        places = {first: second.table, second: first.table}
        return _moved(admitted, round_, chosen, writes, places)

    return carry_out(decide, actor, at)


def move_sitting(*, sitting_id: int, actor: Actor, at: datetime, table: int) -> Sitting:
    """Move a sitting, with its entries and devices, to a free table."""
    if type(table) is not int or not 1 <= table <= 9_999:
        raise BadPairing("bad_table", "A table is a number from 1 to 9999.", "桌号要是 1 到 9999 的整数。", "table")

    def decide() -> Change[Sitting]:
        round_ = locked_round(sitting_or_refusal(sitting_id).round_id)
        sitting = locked_sitting(sitting_id)
        admitted = require(actor, Act.SWAP_TABLES, tournament=round_.tournament)
        if round_.status == RoundStatus.CLOSED or not sitting.active:
            raise WrongStep("round_closed", "This round is closed.", "这一轮已关闭。")
        if Sitting.objects.filter(round=round_, table__number=table, active=True).exclude(pk=sitting.pk).exists():
            raise BadPairing("table_twice", f"Table {table} is in use.", f"{table} 桌正在使用。", "table")
        place = round_.tournament.tables.filter(number=table).first()
        writes: list[Write] = []
        if place is None:
            place = Table(tournament=round_.tournament, number=table)
            writes.append(Add(place))
        writes.append(Move(sitting, {"table": place}))
        return _moved(admitted, round_, sitting, writes, {sitting: place})

    return carry_out(decide, actor, at)


def _moved(
    admitted: Admitted, round_: Round, answer: Answer, writes: Sequence[Write], places: Mapping[Sitting, Table]
) -> Change[Answer]:
    left = {str(sitting.pk): sitting.table_id for sitting in places}
    new = {"tables": {str(sitting.pk): table for sitting, table in places.items()}}
    line = line_on(round_, Act.SWAP_TABLES, old={"tables": left}, new=new)
    public = round_.status != RoundStatus.DRAFT
    told = tuple(Told("sitting", sitting.pk, public=public) for sitting in places)
    return Change(admitted, answer, tuple(writes), (line,), told)

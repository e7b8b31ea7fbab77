"""Rounds: create, start, extend; who scores a table; moving sittings between tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from ..acts import history
from ..acts.access import Act, Actor, require
from ..acts.announce import announce
from ..acts.doorbell import mark_stale
from ..acts.errors import Refusal, WrongStep, clean_text
from ..acts.rows import find_tournament, locked_round, locked_sitting, sitting_or_refusal
from ..models import Round, RoundStatus, ScoredBy, Sitting, SittingPhase, Stage
from ..stages.acts import ensure_begun, stage_for_round
from ..standings.chain import is_empty_extra
from .pairs import tables_numbered
from .steps import BadPairing, note_round, score_byes, tell_round

MOST_MINUTES = 120


def create_round(
    *, tournament_id: int, actor: Actor, at: datetime, stage_id: int | None = None, extra: bool = False
) -> Round:
    """The next round of the event, to be paired: of the current stage, or of the one that is named.

    The first stage begins with its first round. An `extra` round only decides ties and is none of those planned;
    one that was asked for by mistake, with nobody paired, becomes the round that is asked for now.
    """
    with transaction.atomic():
        event = find_tournament(tournament_id, lock=True)
        require(actor, Act.CREATE_ROUND, tournament=event)
        stage = stage_for_round(event, stage_id, extra=extra)
        last = event.rounds.order_by("-number").first()
        if last is not None and not extra and is_empty_extra(last):
            return _taken_back(last, stage, actor, at)
        if last is not None and last.status == RoundStatus.DRAFT:
            raise WrongStep(
                "round_not_paired",
                f"Round {last.number} is not published yet. Pair and publish it first.",
                f"第 {last.number} 轮还没有公布编排，请先编排并公布。",
            )
        ensure_begun(stage, actor, at)
        number = (last.number if last else 0) + 1
        created = Round.objects.create(tournament=event, stage=stage, number=number, extra=extra)
        note_round(created, actor, at, Act.CREATE_ROUND)
    return created


def _taken_back(round_: Round, stage: Stage, actor: Actor, at: datetime) -> Round:
    """An empty extra round as an ordinary round of the stage."""
    ensure_begun(stage, actor, at)
    old = {"extra": True, "stage": round_.stage.number}
    round_.extra, round_.stage = False, stage
    round_.save(update_fields=["extra", "stage"])
    note_round(round_, actor, at, Act.CREATE_ROUND, old=old, new={"extra": False, "stage": stage.number})
    return round_


def start_round(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Start the clock of a published round: hands may be entered, byes score, and at most one round runs."""
    with transaction.atomic():
        round_ = locked_round(round_id)
        require(actor, Act.START_ROUND, tournament=round_.tournament)
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
        round_.status = RoundStatus.RUNNING
        round_.started_at = at
        minutes = round_.stage.minutes
        round_.ends_at = at + timedelta(minutes=minutes) if minutes else None
        round_.save(update_fields=["status", "started_at", "ends_at"])
        score_byes(round_, at)
        note_round(round_, actor, at, Act.START_ROUND)
        mark_stale(round_.tournament_id)
        tell_round(round_)
    return round_


def extend_round(*, round_id: int, actor: Actor, at: datetime, minutes: int, reason: str = "") -> Round:
    """Move the end of a running round by whole minutes (extra time; negative takes back)."""
    minutes = _minutes(minutes)
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT)
    with transaction.atomic():
        round_ = _with_running_clock(round_id, actor)
        assert round_.ends_at is not None
        return _set_clock(round_, actor, at, reason, ends_at=round_.ends_at + timedelta(minutes=minutes))


def stop_clock(*, round_id: int, actor: Actor, at: datetime, reason: str) -> Round:
    """Stop the clock of the hall: what is left stays until it goes on. Hands can be entered all the same."""
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)
    with transaction.atomic():
        round_ = _with_running_clock(round_id, actor)
        assert round_.ends_at is not None
        if round_.stopped_at is not None:
            return round_
        if at >= round_.ends_at:
            raise WrongStep("time_is_over")
        return _set_clock(round_, actor, at, reason, stopped_at=at)


def go_on(*, round_id: int, actor: Actor, at: datetime) -> Round:
    """Let a stopped clock go on; the end moves by as long as it stood."""
    with transaction.atomic():
        round_ = _with_running_clock(round_id, actor)
        if round_.stopped_at is None or round_.ends_at is None:
            raise WrongStep("clock_runs")
        ends_at = round_.ends_at + max(at - round_.stopped_at, timedelta(0))
        return _set_clock(round_, actor, at, "", ends_at=ends_at, stopped_at=None)


def add_time(*, sitting_id: int, actor: Actor, at: datetime, minutes: int, reason: str) -> Sitting:
    """Give one table extra time (negative takes back), shown at the table and at the desk."""
    minutes = _minutes(minutes)
    reason = clean_text(reason, "reason", limit=history.REASON_LIMIT, required=True)
    with transaction.atomic():
        round_ = locked_round(sitting_or_refusal(sitting_id).round_id)
        sitting = locked_sitting(sitting_id)
        require(actor, Act.EXTRA_TIME, tournament=round_.tournament, sitting=sitting)
        _refuse_unless_timed(round_)
        if not sitting.active or sitting.phase == SittingPhase.FINISHED:
            raise WrongStep("match_over", "The match at this table is over.", "这一桌的对局已经结束。")
        old = sitting.extra_minutes
        sitting.extra_minutes = old + minutes
        if not -MOST_MINUTES <= sitting.extra_minutes <= MOST_MINUTES:
            raise _bad_minutes()
        sitting.save(update_fields=["extra_minutes"])
        history.record(
            tournament=round_.tournament,
            actor=actor,
            at=at,
            act=Act.EXTRA_TIME,
            sitting=sitting,
            round=round_,
            subject=f"sitting:{sitting.pk}",
            reason=reason,
            old={"extra_minutes": old},
            new={"extra_minutes": sitting.extra_minutes},
        )
        announce(round_.tournament_id, "sitting", sitting.pk, sitting.revision, public=True)
    return sitting


def _minutes(minutes: object) -> int:
    if type(minutes) is not int or not -MOST_MINUTES <= minutes <= MOST_MINUTES or minutes == 0:
        raise _bad_minutes()
    return minutes


def _bad_minutes() -> Refusal:
    return Refusal("bad_minutes", field="minutes", status=400)


def _with_running_clock(round_id: int, actor: Actor) -> Round:
    round_ = locked_round(round_id)
    require(actor, Act.SET_CLOCK, tournament=round_.tournament)
    _refuse_unless_timed(round_)
    return round_


def _refuse_unless_timed(round_: Round) -> None:
    if round_.status != RoundStatus.RUNNING or round_.ends_at is None:
        raise WrongStep("round_not_running", "This round has no running clock.", "这一轮没有在计时。")


def _set_clock(round_: Round, actor: Actor, at: datetime, reason: str, **moments: datetime | None) -> Round:
    """Write the end of the clock, or since when it stands, and tell the open pages."""
    was = {name: _text(getattr(round_, name)) for name in moments}
    for name, moment in moments.items():
        setattr(round_, name, moment)
    round_.save(update_fields=list(moments))
    now = {name: _text(moment) for name, moment in moments.items()}
    note_round(round_, actor, at, Act.SET_CLOCK, reason=reason, old=was, new=now)
    tell_round(round_)
    return round_


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def set_scored_by(*, sitting_id: int, actor: Actor, at: datetime, scored_by: str) -> Sitting:
    """Let the sides or a referee score a table."""
    if scored_by not in ScoredBy.values:
        raise BadPairing("bad_scored_by", "Tables are scored by the sides or a referee.", "记分方只有双方或裁判。")
    with transaction.atomic():
        sitting = locked_sitting(sitting_id)
        require(actor, Act.SET_SCORED_BY, tournament=sitting.round.tournament)
        if sitting.scored_by == scored_by:
            return sitting
        old, sitting.scored_by = sitting.scored_by, scored_by
        sitting.save(update_fields=["scored_by"])
        history.record(
            tournament=sitting.round.tournament,
            actor=actor,
            at=at,
            act=Act.SET_SCORED_BY,
            sitting=sitting,
            round=sitting.round,
            subject=f"sitting:{sitting.pk}",
            old={"scored_by": old},
            new={"scored_by": scored_by},
        )
        announce(sitting.round.tournament_id, "sitting", sitting.pk, sitting.revision)
    return sitting


def swap_tables(*, round_id: int, actor: Actor, at: datetime, sitting_ids: Sequence[int]) -> list[Sitting]:
    """Two sittings of a round change tables, each with its entries and devices."""
    with transaction.atomic():
        round_ = locked_round(round_id)
        require(actor, Act.SWAP_TABLES, tournament=round_.tournament)
        chosen = list(
            Sitting.objects.select_for_update(no_key=True)
            .filter(round=round_, active=True, pk__in=list(sitting_ids))
            .order_by("pk")
        )
        if len(chosen) != 2 or round_.status == RoundStatus.CLOSED:
            raise BadPairing("two_sittings", field="sitting_ids")
        first, second = chosen
        tables = (second.table_id, first.table_id)
        Sitting.objects.filter(pk=first.pk).update(active=False)
        for sitting, table_id in ((second, tables[1]), (first, tables[0])):
            Sitting.objects.filter(pk=sitting.pk).update(table_id=table_id, active=True)
            sitting.table_id = table_id
        _record_move(round_, actor, at, {first.pk: tables[0], second.pk: tables[1]})
    return [Sitting.objects.select_related("table").get(pk=sitting.pk) for sitting in chosen]


def move_sitting(*, sitting_id: int, actor: Actor, at: datetime, table: int) -> Sitting:
    """Move a sitting, with its entries and devices, to a free table."""
    if type(table) is not int or not 1 <= table <= 9_999:
        raise BadPairing("bad_table", "A table is a number from 1 to 9999.", "桌号要是 1 到 9999 的整数。", "table")
    with transaction.atomic():
        round_ = locked_round(sitting_or_refusal(sitting_id).round_id)
        sitting = locked_sitting(sitting_id)
        require(actor, Act.SWAP_TABLES, tournament=round_.tournament)
        place = tables_numbered(round_.tournament, [table])[table]
        if round_.status == RoundStatus.CLOSED or not sitting.active:
            raise WrongStep("round_closed", "This round is closed.", "这一轮已关闭。")
        if Sitting.objects.filter(round=round_, table=place, active=True).exclude(pk=sitting.pk).exists():
            raise BadPairing("table_twice", f"Table {table} is in use.", f"{table} 桌正在使用。", "table")
        Sitting.objects.filter(pk=sitting.pk).update(table=place)
        _record_move(round_, actor, at, {sitting.pk: place.pk})
    return Sitting.objects.select_related("table").get(pk=sitting_id)


def _record_move(round_: Round, actor: Actor, at: datetime, places: Mapping[int, int]) -> None:
    new = {"tables": {str(sitting): table for sitting, table in places.items()}}
    note_round(round_, actor, at, Act.SWAP_TABLES, new=new)
    for sitting_id in places:
        announce(round_.tournament_id, "sitting", sitting_id, public=round_.status != RoundStatus.DRAFT)

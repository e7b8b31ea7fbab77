"""What is due now in the whole life of an event, what stands in its way, and what comes after: one line for everybody
who directs it. Between rounds it is the next step; before them and while one is played it is worked out here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.values import Text

from ..models import MatchOutcome, Office, Round, RoundStatus, Sitting, SittingPhase, Tournament
from .next_step import Kind, NextStep, next_step

#: A round needs at least so many entrants.
FEWEST: Final = 2


class Due(StrEnum):
    """Entrants are to be entered; a chief referee is missing; the first round is to be paired; a round that is
    published waits for its start; a dispute waits for a referee; tables play; a round can be closed; then those of
    between the rounds (`next_step.Kind`)."""

    ENTRANTS = "entrants"
    CHIEF = "chief"
    FIRST_ROUND = "first_round"
    START = "start"
    DISPUTE = "dispute"
    PLAY = "play"
    CLOSE = "close"
    PAIR = "pair"
    MAKE_ROUND = "make_round"
    OPEN = "open"
    EXTRA_MATCH = "extra_match"
    BEGIN_STAGE = "begin_stage"
    PUBLISH = "publish"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class WhatIsDue:
    """`title` is what is due, `why` what it waits for or means, `after` what follows; `blocked`: something has to be
    solved first. `round`, `table`, `stage` and `publication` are numbers of what is meant, where something is."""

    due: Due
    title: Text
    why: Text | None = None
    after: Text | None = None
    blocked: bool = False
    round: int | None = None
    table: int | None = None
    stage: int | None = None
    publication: int | None = None


def what_is_due(event: Tournament) -> WhatIsDue:
    """The first thing that is both open and needed. A handful of queries, whatever the size of the event."""
    up = event.rounds.filter(status=RoundStatus.RUNNING).first() or (
        event.rounds.filter(status=RoundStatus.PUBLISHED).order_by("number").first()
    )
    if up is not None:
        return _start(up) if up.status == RoundStatus.PUBLISHED else _running(up)
    step = next_step(event)
    return _before(event) if step is None else _between(step)


def _before(event: Tournament) -> WhatIsDue:
    entered = event.entrants.filter(withdrawn_at=None).count()
    then: Text = {"en": "Then pair round 1.", "zh": "然后编排第 1 轮。"}
    if entered < FEWEST:
        title: Text = {"en": "Enter who plays", "zh": "录入参赛方"}
        why: Text = {"en": f"{entered} entered; a round needs two.", "zh": f"已有 {entered} 方，至少要两方。"}
        return WhatIsDue(
            Due.ENTRANTS, title, why, {"en": "Then pair round 1.", "zh": "然后编排第 1 轮。"}, blocked=True
        )
    if not event.officials.filter(office=Office.CHIEF_REFEREE, revoked_at=None).exists():
        title = {"en": "Appoint a chief referee", "zh": "指定裁判长"}
        why = {"en": "Nobody could settle a dispute.", "zh": "一开始就可能有争议，现在没有人能判。"}
        return WhatIsDue(Due.CHIEF, title, why, then, blocked=True)
    return WhatIsDue(
        Due.FIRST_ROUND,
        {"en": "Pair round 1", "zh": "编排第 1 轮"},
        {"en": f"{entered} are entered.", "zh": f"已有 {entered} 方参赛。"},
        {"en": "Then publish the pairing and print the cards.", "zh": "然后公布编排，打印桌卡。"},
        round=1,
    )


def _start(round_: Round) -> WhatIsDue:
    return WhatIsDue(
        Due.START,
        {"en": f"Start round {round_.number}", "zh": f"开始第 {round_.number} 轮"},
        {"en": "The pairing is published; phones can take their places.", "zh": "编排已公布，手机可以入座。"},
        {"en": "Then hands are entered at the tables.", "zh": "然后各桌开始录入。"},
        round=round_.number,
    )


def _running(round_: Round) -> WhatIsDue:
    number = round_.number
    rows = Sitting.objects.filter(round=round_, active=True, match__outcome=MatchOutcome.PENDING)
    phases: Counter[str] = Counter()
    disputed: list[int] = []
    for phase, table in rows.order_by("table__number").values_list("phase", "table__number"):
        phases[phase] += 1
        if phase == SittingPhase.DISPUTED:
            disputed.append(table)
    after: Text = {"en": f"Then close round {number}.", "zh": f"然后关闭第 {number} 轮。"}
    if disputed:
        table = disputed[0]
        title: Text = {"en": f"Table {table} has a dispute", "zh": f"{table} 桌有争议"}
        return WhatIsDue(Due.DISPUTE, title, _tables(phases), after, blocked=True, round=number, table=table)
    if phases:
        title = {"en": f"Round {number} is being played", "zh": f"第 {number} 轮正在打"}
        return WhatIsDue(Due.PLAY, title, _tables(phases), after, round=number)
    return WhatIsDue(
        Due.CLOSE,
        {"en": f"Close round {number}", "zh": f"关闭第 {number} 轮"},
        {"en": "Every table has its result.", "zh": "各桌都有结果。"},
        {"en": "Then publish the standings or pair the next round.", "zh": "然后公布名次，或编排下一轮。"},
        round=number,
    )


def _tables(phases: Counter[str]) -> Text:
    """``9 tables play, 2 wait for an answer, 1 is in dispute``."""
    words: list[tuple[SittingPhase, str, str, str]] = [
        (SittingPhase.PLAYING, "plays", "play", "在打"),
        (SittingPhase.WAITING, "waits for an answer", "wait for an answer", "等确认"),
        (SittingPhase.DISPUTED, "is in dispute", "are in dispute", "有争议"),
        (
            SittingPhase.FINISHED,
            "waits for the other room or a lot",
            "wait for the other room or a lot",
            "等另一室或抽签",
        ),
    ]
    said = [(phases[phase], one, many, zh) for phase, one, many, zh in words if phases[phase]]
    english = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many, _ in said)
    return {
        "en": f"Tables: {english}.",
        "zh": f"{'，'.join(f'{count} 桌{zh}' for count, _, _, zh in said)}。",
    }


def _between(step: NextStep) -> WhatIsDue:
    stage, number = step.stage.number, step.round
    if step.kind in (Kind.PAIR, Kind.MAKE_ROUND):
        due = Due(step.kind.value)
        title: Text = {"en": f"Pair round {number}", "zh": f"编排第 {number} 轮"}
        unpublished: Text = {"en": "The last standings are not published.", "zh": "上一轮的名次还没公布。"}
        why = unpublished if step.closed is not None and step.published is None else None
        after: Text = {"en": "Then publish the pairing.", "zh": "然后公布编排。"}
        return WhatIsDue(due, title, why, after, round=number, stage=stage)
    if step.kind is Kind.OPEN:
        first = step.open[0]
        where: Text = {
            "en": f"Round {first['round']}, table {first['table']} comes first.",
            "zh": f"先看第 {first['round']} 轮 {first['table']} 桌。",
        }
        title = {"en": "All rounds are played; something is open", "zh": "各轮都打完了，还有未完的"}
        after = {"en": "Then publish the standings.", "zh": "然后公布名次。"}
        known = {"round": first["round"], "table": first["table"]}
        return WhatIsDue(Due.OPEN, title, where, after, blocked=True, stage=stage, **known)
    if step.kind is Kind.EXTRA_MATCH:
        title = {"en": "Decide a tie at the table", "zh": "加赛决出并列"}
        return WhatIsDue(Due.EXTRA_MATCH, title, blocked=True, stage=stage)
    if step.kind is Kind.BEGIN_STAGE:
        assert step.following is not None
        following = step.following.number
        title = {"en": f"Begin stage {following}", "zh": f"开始第 {following} 阶段"}
        return WhatIsDue(Due.BEGIN_STAGE, title, stage=following)
    if step.kind is Kind.PUBLISH:
        title = {"en": "Publish the final standings", "zh": "公布最终名次"}
        why = {"en": "Every result is there.", "zh": "结果都齐了。"}
        return WhatIsDue(Due.PUBLISH, title, why, {"en": "Then the awards.", "zh": "然后颁奖。"}, stage=stage)
    assert step.published is not None
    return WhatIsDue(
        Due.OVER,
        {"en": "The event is over", "zh": "赛事已结束"},
        {"en": "Print the awards, keep the event as a file.", "zh": "打印奖状，把赛事存成文件。"},
        publication=step.published.number,
    )

"""The life of an event as one row of steps, from the set-up to the awards: done, now, to come."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.values import Text
from scoring.wording import both

from ..models import CheckIn, Tournament
from ..standings.stage_order import current_stage


class Step(StrEnum):
    """What an event goes through, in order; the steps of a round come again with each."""

    SET_UP = "set_up"
    ENTRANTS = "entrants"
    CHECK_IN = "check_in"
    PAIR = "pair"
    PRINT = "print"
    START = "start"
    PLAY = "play"
    CLOSE = "close"
    PUBLISH = "publish"
    STAGE = "stage"
    AWARD = "award"


class Reached(StrEnum):
    """How far a step is."""

    DONE = "done"
    NOW = "now"
    TO_COME = "to_come"


_WORDS: Final[Mapping[Step, Text]] = {
    Step.SET_UP: both("Set-up", "设置"),
    Step.ENTRANTS: both("Entrants", "名单"),
    Step.CHECK_IN: both("Check-in", "签到"),
    Step.PAIR: both("Pairing", "编排"),
    Step.PRINT: both("Print", "打印"),
    Step.START: both("Start", "开始"),
    Step.PLAY: both("Play", "进行"),
    Step.CLOSE: both("Close", "关闭"),
    Step.PUBLISH: both("Publish", "公布"),
    Step.STAGE: both("Next stage", "下一阶段"),
    Step.AWARD: both("Awards", "颁奖"),
}


@dataclass(frozen=True, slots=True)
class LifeStep:
    """One step of the row."""

    step: Step
    words: Text
    reached: Reached


def life_of(event: Tournament, now: Step, undone: Collection[Step] = ()) -> tuple[LifeStep, ...]:
    """The row with the step that is due now; `undone` are earlier ones that were passed over. What this event does
    without is not in it: a roll call that nobody keeps, a next stage where there is one only; in the last stage that
    step is done."""
    numbers = list(event.stages.values_list("number", flat=True))
    at = current_stage(event)
    left_out = set[Step]()
    if len(numbers) == 1:
        left_out.add(Step.STAGE)
    if now is not Step.CHECK_IN and not keeps_roll(event):
        left_out.add(Step.CHECK_IN)
    in_last = at is not None and at.number == max(numbers)
    order = list(Step)
    found = []
    for one in (one for one in Step if one not in left_out):
        done = order.index(one) < order.index(now) or (one is Step.STAGE is not now and in_last)
        done = done and one not in undone
        found.append(
            LifeStep(one, _WORDS[one], Reached.NOW if one is now else Reached.DONE if done else Reached.TO_COME)
        )
    return tuple(found)


def keeps_roll(event: Tournament) -> bool:
    """Whether anybody was called out or came in by code before the rounds."""
    return CheckIn.objects.filter(entrant__tournament=event, round=None, undone_at=None).exists()

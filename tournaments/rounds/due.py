"""What is due now in the whole life of an event, what stands in its way, and what comes after: one line for everybody
who directs it. Between rounds it is the next step; before them and while one is played it is worked out here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from django.db.models import Exists, OuterRef

from scoring.values import Text
from scoring.wording import both

from ..acts.access import Act
from ..acts.admission import who_may
from ..acts.errors import Refusal
from ..models import (
    Call,
    CheckIn,
    Entrant,
    Match,
    MatchOutcome,
    PartyCode,
    Round,
    RoundStatus,
    Sitting,
    SittingPhase,
    Tournament,
)
from ..stages.fields import foresee_field
from ..standings.results import open_by_round
from .life import Step, keeps_roll
from .next_step import Kind, NextStep, next_step

#: A round needs at least so many entrants.
FEWEST: Final = 2
#: So many entrants are named in a sentence; of the rest their count is told.
NAMED: Final = 4
#: What a table with an open call counts as.
_CALLED: Final = "called"
#: The refusal of a stage that waits for a tie to be decided.
TIE: Final = "tie_across_the_line"


class Due(StrEnum):
    """Entrants are to be entered; some have not come yet; the first round is to be paired; the cards of the first
    tables are to be printed; nobody could settle a dispute; a round that is published waits for its start; a dispute
    waits for a referee; tables play; a round can be closed; then those of between the rounds (`next_step.Kind`)."""

    ENTRANTS = "entrants"
    CHECK_IN = "check_in"
    FIRST_ROUND = "first_round"
    PRINT = "print"
    CHIEF = "chief"
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


#: Where in the life of the event that is.
_STEPS: Final[Mapping[Due, Step]] = {
    Due.ENTRANTS: Step.ENTRANTS,
    Due.CHECK_IN: Step.CHECK_IN,
    Due.FIRST_ROUND: Step.PAIR,
    Due.PRINT: Step.PRINT,
    Due.CHIEF: Step.START,
    Due.START: Step.START,
    Due.DISPUTE: Step.PLAY,
    Due.PLAY: Step.PLAY,
    Due.CLOSE: Step.CLOSE,
    Due.PAIR: Step.PAIR,
    Due.MAKE_ROUND: Step.PAIR,
    Due.OPEN: Step.CLOSE,
    Due.EXTRA_MATCH: Step.PUBLISH,
    Due.BEGIN_STAGE: Step.STAGE,
    Due.PUBLISH: Step.PUBLISH,
    Due.OVER: Step.AWARD,
}


@dataclass(frozen=True, slots=True)
class WhatIsDue:
    """`title` is what is due, `why` what it waits for or means, `after` what follows; `blocked`: something has to be
    solved first. `round`, `table`, `stage` and `publication` are numbers of what is meant, where something is.
    `refused` is the code of what a stage that cannot begin waits for. `drawn`: the round to be paired has its pairing,
    which is to be published. `undone`: steps of the event's life that were passed over. `between`: the step between two
    rounds, where it is one."""

    due: Due
    title: Text
    why: Text | None = None
    after: Text | None = None
    blocked: bool = False
    round: int | None = None
    table: int | None = None
    stage: int | None = None
    publication: int | None = None
    refused: str = ""
    drawn: bool = False
    undone: tuple[Step, ...] = ()
    between: NextStep | None = None

    @property
    def step(self) -> Step:
        return _STEPS[self.due]


def what_is_due(event: Tournament) -> WhatIsDue:
    """The first thing that is both open and needed. A handful of queries, whatever the size of the event."""
    up = event.rounds.filter(status=RoundStatus.RUNNING).first() or (
        event.rounds.filter(status=RoundStatus.PUBLISHED).order_by("number").first()
    )
    if up is not None:
        return _start(up) if up.status == RoundStatus.PUBLISHED else _running(up)
    step = next_step(event)
    if step is None:
        return _before(event)
    # a stage may be followed by the next one without a table that was published
    undone = (Step.PUBLISH,) if step.kind is Kind.BEGIN_STAGE and step.published is None else ()
    return replace(_between(step), undone=undone, between=step)


def _before(event: Tournament) -> WhatIsDue:
    there = event.entrants.filter(withdrawn_at=None)
    entered = there.count()
    if entered < FEWEST:
        title, why = both("Enter who plays", "录入参赛方"), f"已有 {entered} 方，至少要两方。"
        then = both("Then pair round 1.", "然后编排第 1 轮。")
        return WhatIsDue(Due.ENTRANTS, title, both(f"{entered} entered; a round needs two.", why), then, blocked=True)
    if keeps_roll(event):
        here = CheckIn.objects.filter(entrant__tournament=event, round=None, undone_at=None).values("entrant")
        if missing := list(there.exclude(pk__in=here).order_by("number")):
            return _missing(entered - len(missing), missing)
    return WhatIsDue(
        Due.FIRST_ROUND,
        both("Pair round 1", "编排第 1 轮"),
        both(f"{entered} are entered.", f"已有 {entered} 方参赛。"),
        both("Then publish the pairing and print the cards.", "然后公布编排，打印桌卡。"),
        round=1,
    )


def _missing(here: int, missing: Sequence[Entrant]) -> WhatIsDue:
    names, count = _named(missing), len(missing)
    return WhatIsDue(
        Due.CHECK_IN,
        both(f"{here} have come, {count} {'is' if count == 1 else 'are'} missing", f"到了 {here} 方，还差 {count} 方"),
        both(f"Not here yet: {names['en']}.", f"还没签到：{names['zh']}。"),
        both("Then pair round 1.", "然后编排第 1 轮。"),
        blocked=True,
        round=1,
    )


def _named(entrants: Sequence[Entrant]) -> Text:
    """Their names, of many the first ones with how many more there are."""
    more = len(entrants) - NAMED if len(entrants) > NAMED + 1 else 0
    shown = entrants[: len(entrants) - more]
    en, zh = ", ".join(one.name_latin or one.name for one in shown), "、".join(one.name for one in shown)
    return both(f"{en} and {more} more", f"{zh}等 {len(entrants)} 方") if more else both(en, zh)


def _start(round_: Round) -> WhatIsDue:
    number = round_.number
    first = not round_.tournament.rounds.filter(started_at__isnull=False).exists()
    if first and not PartyCode.objects.filter(table__tournament=round_.tournament, revoked_at=None).exists():
        tables = round_.sittings.filter(active=True).count()
        return WhatIsDue(
            Due.PRINT,
            both("Print the table cards", "打印桌卡"),
            both(
                f"{tables} {'table' if tables == 1 else 'tables'}, no card yet: phones take their places by its codes.",
                f"{tables} 桌都还没有桌卡：手机扫桌卡入座。",
            ),
            both(f"Then start round {number}.", f"然后开始第 {number} 轮。"),
            round=number,
        )
    if not who_may(Act.SETTLE, tournament=round_.tournament):
        return _nobody_settles(both(f"Then start round {number}.", f"然后开始第 {number} 轮。"), number)
    return WhatIsDue(
        Due.START,
        both(f"Start round {number}", f"开始第 {number} 轮"),
        both("The pairing is published; phones can take their places.", "编排已公布，手机可以入座。"),
        both("Then hands are entered at the tables.", "然后各桌开始录入。"),
        round=number,
    )


def _nobody_settles(after: Text, number: int) -> WhatIsDue:
    title = both("Appoint a chief referee", "指定裁判长")
    why = both("A dispute can come at any time, and nobody could settle it.", "一开始就可能有争议，现在没有人能判。")
    return WhatIsDue(Due.CHIEF, title, why, after, blocked=True, round=number)


def _running(round_: Round) -> WhatIsDue:
    number = round_.number
    called = Exists(Call.objects.filter(sitting=OuterRef("pk"), closed_at=None))
    rows = Sitting.objects.filter(round=round_, active=True, match__outcome=MatchOutcome.PENDING).annotate(
        called=called
    )
    phases: Counter[str] = Counter()
    disputed: list[int] = []
    for phase, table, calls in rows.order_by("table__number").values_list("phase", "table__number", "called"):
        # as the board counts it: the most urgent thing about a table
        phases[_CALLED if calls and phase != SittingPhase.DISPUTED else phase] += 1
        if phase == SittingPhase.DISPUTED:
            disputed.append(table)
    after: Text = {"en": f"Then close round {number}.", "zh": f"然后关闭第 {number} 轮。"}
    if disputed:
        if not who_may(Act.SETTLE, tournament=round_.tournament):
            return _nobody_settles(after, number)
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
    words: list[tuple[str, str, str, str]] = [
        (SittingPhase.PLAYING, "plays", "play", "在打"),
        (_CALLED, "calls a referee", "call a referee", "叫裁判"),
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
        why: Text | None = None
        if step.closed is not None and step.published is None:
            why = both("The last standings are not published.", "上一轮的名次还没公布。")
            if step.waits is not None:
                why = both("The last standings are published within a minute.", "上一轮的名次一分钟内公布。")
        after: Text = {"en": "Then publish the pairing.", "zh": "然后公布编排。"}
        of_round = Match.objects.filter(round__stage=step.stage, round__number=number)
        if drawn := step.kind is Kind.PAIR and of_round.exists():
            title = {"en": f"Publish the pairing of round {number}", "zh": f"公布第 {number} 轮编排"}
            after = {"en": f"Then start round {number}.", "zh": f"然后开始第 {number} 轮。"}
        return WhatIsDue(due, title, why, after, round=number, stage=stage, drawn=drawn)
    if step.kind is Kind.OPEN:
        first = step.open[0]
        title = both("All rounds are played; something is open", "各轮都打完了，还有未完的")
        after = both("Then publish the standings.", "然后公布名次。")
        known = {"round": first["round"], "table": first["table"]}
        return WhatIsDue(Due.OPEN, title, _open_words(step.open), after, blocked=True, stage=stage, **known)
    if step.kind is Kind.EXTRA_MATCH:
        title = both("Decide a tie at the table", "加赛决出并列")
        after = both("Then publish the final standings.", "然后公布最终名次。")
        return WhatIsDue(Due.EXTRA_MATCH, title, _tied(step), after, blocked=True, stage=stage)
    if step.kind is Kind.BEGIN_STAGE:
        return _begin_stage(step)
    if step.kind is Kind.PUBLISH:
        title = both("Publish the final standings", "公布最终名次")
        why = both("Every result is there.", "结果都齐了。")
        if step.waits is not None:
            title = both("The final standings are published within a minute", "最终名次一分钟内公布")
            why = both("Until they are published they can be stopped.", "公布之前可以停止。")
        return WhatIsDue(Due.PUBLISH, title, why, both("Then the awards.", "然后颁奖。"), stage=stage)
    assert step.published is not None
    final = step.published.number
    return WhatIsDue(
        Due.OVER,
        both("The event is over", "赛事已结束"),
        both(
            f"The final standings are published as no. {final}: print the awards, keep the event as a file.",
            f"最终名次已公布为第 {final} 号：打印奖状，把赛事存成文件。",
        ),
        publication=final,
    )


def _open_words(items: Iterable[Mapping[str, Any]]) -> Text:
    """What is still open, a sentence for each round and reason."""
    en, zh = list[str](), list[str]()
    for one in open_by_round(items):
        numbers = [str(number) for number in one.tables]
        where = f"Round {one.round}, {'table' if len(numbers) == 1 else 'tables'} {', '.join(numbers)}"
        here = f"第 {one.round} 轮 {'、'.join(numbers)} 桌"
        missing = "has no result yet." if len(numbers) == 1 else "have no result yet."
        en.append(f"{where}: an appeal is open." if one.appeal else f"{where} {missing}")
        zh.append(f"{here}：有未决的申诉。" if one.appeal else f"{here}还没有结果。")
    return both(" ".join(en), "".join(zh))


def _tied(step: NextStep) -> Text:
    """Who shares the places that an extra match decides."""
    who = Entrant.objects.in_bulk([pk for tie in step.ties for pk in tie.entrants])
    said = [(_named([who[pk] for pk in tie.entrants]), tie.undecided.text()) for tie in step.ties]
    return both(
        " ".join(f"{names['en']}: {told['en']}." for names, told in said),
        "".join(f"{names['zh']}：{told['zh']}。" for names, told in said),
    )


def _begin_stage(step: NextStep) -> WhatIsDue:
    assert step.following is not None
    following = step.following.number
    begins = both(f"Begin stage {following}", f"开始第 {following} 阶段")
    then = both(f"Then begin stage {following}.", f"然后开始第 {following} 阶段。")
    try:
        count = len(foresee_field(step.following))
    except Refusal as refusal:
        known: dict[str, Any] = {"blocked": True, "stage": following, "refused": refusal.code}
        if refusal.code == TIE:
            title, why = _tie_across_the_line(step, refusal)
            return WhatIsDue(Due.BEGIN_STAGE, title, why, then, **known)
        title = both(f"Before stage {following} can begin", f"第 {following} 阶段开始之前")
        return WhatIsDue(Due.BEGIN_STAGE, title, refusal.message, then, **known)
    why = both(f"{count} {'entrant plays' if count == 1 else 'entrants play'} on.", f"{count} 方出线。")
    after = both("Then pair its first round.", "然后编排它的第一轮。")
    return WhatIsDue(Due.BEGIN_STAGE, begins, why, after, stage=following)


def _tie_across_the_line(step: NextStep, refusal: Refusal) -> tuple[Text, Text]:
    """``Top 8: 1 place is open, places 8 and 9 are tied``, and who is tied on what."""
    group, many, rank, numbers = (refusal.params[name] for name in ("group", "qualify", "rank", "tied"))
    last, left = rank + len(numbers) - 1, many - rank + 1
    where = ("", "") if group is None else (f"Group {group}, top", f"第 {group} 组")
    title = both(
        f"{where[0] or 'Top'} {many}: {left} {'place is' if left == 1 else 'places are'} open, "
        f"places {rank}{' and ' if last == rank + 1 else '–'}{last} are tied",
        f"{where[1]}前 {many} 名还差 {left} 个：第 {rank}{'、' if last == rank + 1 else '–'}{last} 名并列",
    )
    tied = list(Entrant.objects.filter(tournament=step.stage.tournament_id, number__in=numbers).order_by("number"))
    names = _named(tied)
    return title, both(f"{names['en']}. {refusal.message['en']}", f"{names['zh']}。{refusal.message['zh']}")

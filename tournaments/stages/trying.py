"""Advice on a stage before it is played: its form tried many times with made-up strengths (`advice`), as a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NoReturn

from scoring.hands.findings import Refused
from scoring.standings.scales import SCALES

from ..acts import jobs
from ..acts.access import Act
from ..acts.admission import Actor
from ..acts.errors import NotFound, Refusal
from ..acts.jobs import Made, Tell, Work
from ..advice.advising import Question, advise
from ..advice.boards import laid_out
from ..advice.playing import Form, Model
from ..advice.singles import SINGLES, seated
from ..advice.trials import FEWEST_THROUGH, FORMATS
from ..draws.swiss_field import Rule
from ..models import Job, Stage
from ..plans.plan import MovementKind
from .misfits import DUPLICATE, GROUPS, KNOCKOUT, PAIRS, ROUND_ROBIN, SWISS, TEAMS, BadSetting

ADVICE = "advice"
FEWEST, MOST = 4, 300
MOST_ROUNDS = 40
#: How far the sides of a field are apart: points of a hand for each point of strength, in quarters.
SPREADS: Mapping[str, int] = MappingProxyType({"even": 1, "mixed": 2, "wide": 4})
#: Pairs that all events of one report have together, so that large fields do not take for ever.
_PAIRS = 16_000
#: A match on boards and a table of single players take so many times as long as a match of levels.
_SLOWER_ON_BOARDS, _SLOWER_AS_SINGLES = 8, 4
_MOST_EVENTS, _FEWEST_EVENTS = 1_000, 100
#: Formats that have as many rounds as their field needs.
_BY_FIELD = (ROUND_ROBIN, GROUPS, KNOCKOUT)


def ask_advice(
    *,
    stage_id: int,
    actor: Actor,
    at: datetime,
    entrants: int | None,
    rounds: Sequence[int],
    minutes: int | None = None,
    pace: int | None = 6,
    spread: str = "mixed",
    seed: str = "1",
) -> Job:
    """Ask what the form of a stage would do: with so many sides and these numbers of rounds (one, two or three of them,
    left out where the format has as many as its field needs), `pace` minutes a hand and `minutes` a round (None: as the
    stage has it). The same seed gives the same answer."""
    stage = Stage.objects.select_related("tournament").filter(pk=stage_id).first()
    if stage is None:
        raise NotFound()
    if spread not in SPREADS:
        _wrong("spread", "Choose one of the fields.", "请选择一种实力分布。")
    minutes = None if minutes is None else _whole("minutes", minutes, 5, 240)
    _form(stage, minutes)
    given: dict[str, Any] = {
        "entrants": _whole("entrants", entrants, FEWEST, MOST),
        "rounds": _rounds(stage, rounds, entrants),
        "minutes": minutes,
        "pace": _whole("pace", pace, 1, 30),
        "spread": spread,
        "seed": seed.strip()[:40] or "1",
    }
    _check_stages_after(stage, given["entrants"])
    return jobs.ask(
        tournament_id=stage.tournament_id, kind=ADVICE, subject=stage.pk, act=Act.SEE_DESK, actor=actor, at=at, **given
    )


def usual_rounds(stage: Stage, entrants: int = MOST) -> list[int]:
    """The numbers of rounds to compare where nobody says: what is planned, and two more, as far as so many entrants can
    play them; none where the field says."""
    if _has_rounds_of_field(stage):
        return []
    most = _most_rounds(stage, entrants)
    return sorted({min(one, most) for one in (stage.rounds_planned, stage.rounds_planned + 2)})


def _most_rounds(stage: Stage, field: int) -> int:
    """How many rounds so many can play: in a Swiss and among teams nobody meets anybody twice."""
    once = {SWISS: field - 1, TEAMS: field - 1 + field % 2}
    return min(MOST_ROUNDS, once.get(stage.format, MOST_ROUNDS))


def _has_rounds_of_field(stage: Stage) -> bool:
    """Whether there are as many rounds as the field needs, whatever anybody plans."""
    return stage.format in _BY_FIELD or (stage.format == PAIRS and stage.directing.movement is MovementKind.HOWELL)


def can_be_tried(stage: Stage) -> bool:
    """Whether trials know the form of this stage."""
    try:
        _form(stage, None)
    except Refusal:
        return False
    return True


def stages_after(stage: Stage) -> list[Stage]:
    """The stages after this one, which are tried with it; none where trials do not know one of them."""
    later = list(stage.tournament.stages.filter(number__gt=stage.number).order_by("number"))
    return later if all(can_be_tried(one) for one in later) else []


def _form(stage: Stage, minutes: int | None) -> Form:
    """What trials need of the stage; refused where they do not know its format, or its match score is not of levels."""
    scale, plan = SCALES.get(stage.match_score), stage.directing
    on_boards, singles = stage.format in DUPLICATE, stage.format == SINGLES
    counts = singles or (scale is not None and (on_boards or not scale.by_hands))
    if stage.format not in FORMATS or not counts or plan.fixed or plan.best_of != 1:
        raise Refusal("cannot_be_tried", status=422)
    force = {Rule.NO_REMATCH: plan.no_rematch, Rule.ONE_BYE: plan.one_bye, Rule.UNITS_APART: plan.units_apart}
    return Form(
        profile=stage.tournament.profile,
        format=stage.format,
        match_score=stage.match_score,
        chain=tuple(one for one in stage.chain if one not in ("extra_match", "board_points", "penalties")),
        tie_rule=stage.tie_rule,
        rounds=stage.rounds_planned,
        minutes=minutes or stage.minutes,
        hands=stage.hands,
        lead_levels=stage.lead_levels,
        rules=force,
        groups=plan.groups,
        group_of=plan.group_of,
        qualify=plan.qualify,
        carry=plan.carry,
        plan=plan if on_boards else None,
    )


def _rounds(stage: Stage, rounds: Sequence[int], entrants: int | None) -> list[int]:
    if stage.format == KNOCKOUT:
        return [((entrants or 2) - 1).bit_length()]
    field = entrants or FEWEST
    if _has_rounds_of_field(stage):
        form = _form(stage, None)
        size = -(-field // form.groups_of(field)) if stage.format == GROUPS else field
        wanted = [size - 1 + size % 2]
        _check_movement(stage, field, wanted)
        return wanted
    wanted = sorted({_whole("rounds", one, 1, _most_rounds(stage, field)) for one in rounds})
    if not 1 <= len(wanted) <= 3:
        _wrong("rounds", "Write one, two or three numbers of rounds.", "请写一到三个轮数。")
    _check_movement(stage, field, wanted)
    return wanted


def _check_stages_after(stage: Stage, field: int) -> None:
    """Refuse where those who come into a stage after this one do not fill its table, or no movement of it is theirs."""
    before = _form(stage, None)
    for one in stages_after(stage):
        form = _form(one, None)
        if form.qualify is not None:
            field = before.through(field, form.qualify)
        if field < FEWEST_THROUGH:
            return
        try:
            _check_movement(one, field, [one.rounds_planned])
        except BadSetting as refused:
            en, zh = refused.message["en"], refused.message["zh"]
            said = {"en": f"Stage {one.number}: {en}", "zh": f"第 {one.number} 阶段：{zh}"}
            raise BadSetting("entrants", said, refused.code) from None
        before = form


def _check_movement(stage: Stage, field: int, rounds: Sequence[int]) -> None:
    """Refuse what no movement or seating of the stage does: so many pairs or players, or so many rounds."""
    for one in rounds:
        try:
            if stage.format == PAIRS:
                laid_out(stage.directing, field, one)
            elif stage.format == SINGLES:
                # that one table can be filled: later rounds seat the same players
                seated(field, 1, stage.tournament.profile.players)
        except Refused as refused:
            found = refused.findings[0]
            at = "entrants" if found.field == "entrants" else "rounds"
            raise BadSetting(at, found.message, found.code) from None


def _whole(field: str, value: int | None, low: int, high: int) -> int:
    if value is None or not low <= value <= high:
        _wrong(field, f"A whole number from {low} to {high}.", f"请写 {low} 到 {high} 的整数。")
    return value


def _wrong(field: str, en: str, zh: str) -> NoReturn:
    raise BadSetting(field, {"en": en, "zh": zh})


def _prepare(job: Job, tell: Tell) -> dict[str, Any]:
    stage = Stage.objects.select_related("tournament").filter(pk=job.subject).first()
    if stage is None:
        raise NotFound()
    given = job.arguments
    # stages may have been changed while the work waited
    _check_movement(stage, given["entrants"], given["rounds"])
    _check_stages_after(stage, given["entrants"])
    slower = _SLOWER_ON_BOARDS if stage.format in DUPLICATE else _SLOWER_AS_SINGLES if stage.format == SINGLES else 1
    events = max(_FEWEST_EVENTS, min(_MOST_EVENTS, _PAIRS // slower * 2 // given["entrants"]))
    step = {"en": "Playing made-up events", "zh": "正在模拟赛事"}
    asked = Question(
        form=_form(stage, given["minutes"]),
        model=Model(pace=60 * given["pace"], spread=SPREADS[given["spread"]]),
        entrants=given["entrants"],
        rounds=tuple(given["rounds"]),
        events=events,
        seed=given["seed"],
        then=tuple(_form(one, None) for one in stages_after(stage)),
    )
    return advise(asked, lambda done, of: tell(step, done, of))


def _finish(job: Job, report: dict[str, Any], actor: Actor, at: datetime) -> Made:
    events = report["events"]
    return Made({
        "report": report,
        "words": {"en": f"{events:,} made-up events were played.", "zh": f"模拟了 {events:,} 次赛事。"},
    })  # fmt: skip


WORK = Work({"en": "Advice on a form", "zh": "赛制参谋"}, _prepare, _finish)

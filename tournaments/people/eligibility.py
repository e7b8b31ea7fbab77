"""Who may enter and play: nobody in two entrants, substitutes, and entrants that come when rounds were played.

Pairs and single players play without substitutes once they began, unless the chief referee allows one with a reason;
the players of a team may change between its rounds. A late entrant joins where every round is drawn by score; it
cannot join a table of all against all, a bracket or a movement that is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Q

from ..acts.access import Act
from ..acts.admission import Actor, allowed
from ..acts.change import AddAll, Line, Write
from ..acts.errors import BAD_REQUEST, CONFLICT, FORBIDDEN, Refusal
from ..models import (
    Entrant,
    Match,
    MatchOutcome,
    Player,
    Round,
    RoundStatus,
    Stage,
    StageEntrant,
    StageFormat,
    Tournament,
)
from ..plans.plan import Missed
from ..rounds.pairs import free_numbers
from ..rounds.steps import bye_hundredths
from ..stages.acts import enlarged, is_drawn
from ..standings.stage_order import current_stage, stage_before
from .imports import PlayerRow, person_key

#: Formats whose rounds are drawn one by one, so that somebody can join.
OPEN_FORMATS = frozenset({StageFormat.SWISS_TIMED, StageFormat.DANISH, StageFormat.INDIVIDUAL})
PAIR = 2


def refuse_twins(
    event: Tournament, people: Sequence[PlayerRow], unit: str, *, own: Entrant | None = None, namesakes: bool = False
) -> None:
    """Nobody plays for two entrants: the same external id is refused; the same name and unit too, unless `namesakes`
    says that they are two people."""
    known: dict[tuple[str, ...], int] = {}
    others = Player.objects.filter(entrant__tournament=event, entrant__withdrawn_at=None)
    if own is not None:
        others = others.exclude(entrant=own)
    for number, home, name, external_id in others.values_list(
        "entrant__number", "entrant__unit", "name", "external_id"
    ):
        known[person_key(name, external_id, home)] = number
    seen: set[tuple[str, ...]] = set()
    for person in people:
        key = person_key(person.name, person.external_id, unit)
        sure = key[0] == "id"
        if key in seen and (sure or not namesakes):
            raise _twin(person.name, None, sure=sure)
        if key in known and (sure or not namesakes):
            raise _twin(person.name, known[key], sure=sure)
        seen.add(key)


def _twin(name: str, number: int | None, *, sure: bool) -> Refusal:
    en = f"{name} is entered twice." if number is None else f"{name} is already in entrant {number}."
    zh = f"{name} 写了两次。" if number is None else f"{name} 已在 {number} 号参赛方。"
    if not sure:
        en += " If they are two people, say so."
        zh += "如果是同名的两个人，请注明。"
    code = "player_twice" if sure else "namesake"
    return Refusal(code, field="players", message={"en": en, "zh": zh}, params={"name": name, "number": number})


def substitutes(
    entrant: Entrant, before: Sequence[Player], people: Sequence[PlayerRow], actor: Actor, reason: str
) -> bool:
    """Whether other people than before will play for an entrant that has played; refused where that is not allowed.

    What was misspelt is told from another person by the external id only.
    """
    if _identities(before) == _identities(people) or not has_played(entrant):
        return False
    if _own_matches(entrant).filter(round__status=RoundStatus.RUNNING, outcome=MatchOutcome.PENDING).exists():
        raise Refusal("plays_now", field="players")
    if len(before) > PAIR:
        return True
    if not allowed(actor, Act.SUBSTITUTE, tournament=entrant.tournament):
        raise Refusal("no_substitutes", field="players", status=FORBIDDEN)
    if not reason:
        raise Refusal("reason_missing", field="reason", status=BAD_REQUEST)
    return True


def _identities(people: Sequence[Any]) -> list[tuple[str, str]]:
    return sorted((one.external_id, "" if one.external_id else one.name) for one in people)


def _own_matches(entrant: Entrant) -> Any:
    seated = Q(home=entrant) | Q(away=entrant) | Q(places__entrant=entrant)
    return Match.objects.filter(seated, superseded_in=None).exclude(outcome=MatchOutcome.BYE)


def has_played(entrant: Entrant) -> bool:
    """Whether a match of it runs or ran."""
    return _own_matches(entrant).filter(round__status__in=(RoundStatus.RUNNING, RoundStatus.CLOSED)).exists()


@dataclass(frozen=True, slots=True)
class Late:
    """What coming late means: what is written besides, and the numbers of the rounds that were missed."""

    writes: tuple[Write, ...] = ()
    lines: tuple[Line, ...] = ()
    missed: tuple[int, ...] = ()


def join_late(event: Tournament, entrants: Sequence[Entrant], at: datetime) -> Late:
    """How new entrants come into the stage that is being directed.

    As long as nothing of it is drawn they are dealt in like everybody else. Refused (`late_entry`) where
    nobody can join. What missed rounds are worth, the plan of the stage says.
    """
    stage = current_stage(event)
    if stage is None or not entrants or not _has_begun(stage):
        return Late()
    stage.tournament = event
    first = stage_before(stage) is None
    if first and stage.begun_at is not None and not is_drawn(stage):
        fixed = enlarged(stage, entrants, at)
        return Late(fixed.writes, fixed.lines)
    if stage.format not in OPEN_FORMATS or not first:
        raise Refusal("late_entry", status=CONFLICT)
    last = StageEntrant.objects.filter(stage=stage).aggregate(last=Max("order"))["last"]
    rounds = stage.rounds.filter(extra=False).exclude(status=RoundStatus.DRAFT).order_by("number")
    byes = stage.directing.missed is Missed.BYE and not event.individual
    missed = [(one, free_numbers(one, len(entrants)) if byes else []) for one in rounds]
    return came_late(stage, entrants, at, last, missed)


def came_late(
    stage: Stage, entrants: Sequence[Entrant], at: datetime, last: int | None, missed: Sequence[tuple[Round, list[int]]]
) -> Late:
    """Places after the `last` of the field, where it is fixed (else None), and byes in the rounds that were missed,
    each with its free numbers; without numbers there is none."""
    places = [
        StageEntrant(stage=stage, entrant=one, order=last + number, joined_at=at)
        for number, one in enumerate(entrants, start=1)
        if last is not None
    ]
    byes = [_bye(round_, *who, at) for round_, numbers in missed for who in zip(numbers, entrants, strict=False)]
    return Late((AddAll(places), AddAll(byes)), missed=tuple(round_.number for round_, _ in missed))


def _bye(round_: Round, number: int, entrant: Entrant, at: datetime) -> Match:
    """A bye; in a round that has not started it is scored with the others."""
    bye = Match(round=round_, number=number, home=entrant)
    if round_.status != RoundStatus.PUBLISHED:
        bye.outcome, bye.home_hundredths, bye.finished_at = MatchOutcome.BYE, bye_hundredths(round_.stage), at
    return bye


def _has_begun(stage: Stage) -> bool:
    return stage.begun_at is not None or stage.rounds.exclude(status=RoundStatus.DRAFT).exists()

"""The chain of stages: what comes before and after one, and who plays in it, in the order in which draws take them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q

from ..models import Entrant, Round, RoundStatus, Stage, StageEntrant, Tournament


class FieldPlace(NamedTuple):
    """An entrant in a stage. `order` is from 1 (seeding or draw number), `group` from 1 or None."""

    entrant: int
    number: int
    order: int
    group: int | None
    unit: str
    withdrawn: bool


def field_of(stage: Stage) -> tuple[FieldPlace, ...]:
    """Who plays in a stage, withdrawn ones included, by order.

    A stage whose field was not fixed is open to everybody entered when it is the first (by seed, then number), and to
    nobody yet when it is a later one.
    """
    rows = (
        StageEntrant.objects.filter(stage=stage)
        .order_by("order")
        .values_list("entrant", "entrant__number", "order", "group", "entrant__unit", "entrant__withdrawn_at")
    )
    found = [
        FieldPlace(pk, number, order, group, unit, gone is not None) for pk, number, order, group, unit, gone in rows
    ]
    if found or stage_before(stage) is not None:
        return tuple(found)
    entered = Entrant.objects.filter(tournament=stage.tournament_id).values_list(
        "pk", "number", "seed", "unit", "withdrawn_at"
    )
    ordered = sorted(entered, key=lambda row: seeding(row[2], row[1]))
    return tuple(
        FieldPlace(pk, number, order, None, unit, gone is not None)
        for order, (pk, number, _, unit, gone) in enumerate(ordered, start=1)
    )


def seeding(seed: int | None, number: int) -> tuple[bool, int, int]:
    """The order in which entrants come before anything is played: by seed, those without one behind, by number."""
    return seed is None, seed or 0, number


def stage_before(stage: Stage) -> Stage | None:
    return Stage.objects.filter(tournament=stage.tournament_id, number__lt=stage.number).order_by("-number").first()


def stage_after(stage: Stage) -> Stage | None:
    return Stage.objects.filter(tournament=stage.tournament_id, number__gt=stage.number).order_by("number").first()


def is_empty_extra(round_: Round) -> bool:
    """Whether it is an extra round that nobody is paired in: asked for, perhaps by mistake, and nothing more."""
    return round_.extra and round_.status == RoundStatus.DRAFT and not round_.matches.exists()


def current_stage(event: Tournament) -> Stage | None:
    """The stage that is being directed: the latest that has begun or has a round, else the first."""
    stages = event.stages.order_by("-number")
    begun = stages.filter(Q(begun_at__isnull=False) | Q(rounds__isnull=False)).first()
    return begun or stages.last()

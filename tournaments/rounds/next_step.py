"""What comes next between two rounds: the first thing that is both open and needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from scoring.standings.ranked import Undecided

from ..models import Job, Publication, Round, RoundStatus, Stage, Tournament
from ..standings.publications import is_final
from ..standings.rankings import basis_of
from ..standings.results import open_tables
from ..standings.stage_order import current_stage, is_empty_extra, stage_after
from ..standings.waiting import waiting_in


class Kind(StrEnum):
    """A round that is there is to be paired; the next one is to be made; something of the stage is still open; a tie
    waits for an extra match; the next stage is to begin; the last table is to be published; nothing is left to do."""

    PAIR = "pair"
    MAKE_ROUND = "make_round"
    OPEN = "open"
    EXTRA_MATCH = "extra_match"
    BEGIN_STAGE = "begin_stage"
    PUBLISH = "publish"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Tie:
    """Entrants (ids) whose shared place has to be decided, and what the table says of it."""

    undecided: Undecided
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NextStep:
    """`stage` is the one being directed, `following` the one that is to begin. `round` is the number of the round to
    be paired or made; `open` what is still open in the stage; `ties` those that wait for an extra match; `closed` its
    last closed round, `published` the table after it, `waits` one that is asked for and waits its minute."""

    kind: Kind
    stage: Stage
    following: Stage | None = None
    round: int = 0
    open: tuple[Mapping[str, Any], ...] = ()
    ties: tuple[Tie, ...] = ()
    closed: Round | None = None
    published: Publication | None = None
    waits: Job | None = None


def next_step(event: Tournament) -> NextStep | None:
    """What comes next where no round runs and none is published; None where one is, and before the first round."""
    rounds, stage = list(event.rounds.select_related("stage").order_by("number")), current_stage(event)
    if stage is None or not rounds or any(one.status in (RoundStatus.RUNNING, RoundStatus.PUBLISHED) for one in rounds):
        return None
    closed = next((one for one in reversed(rounds) if _is_closed(one, stage)), None)
    published = event.publications.filter(round=closed, superseded_by=None).first() if closed else None
    waits = next((job for job in waiting_in(event) if job.subject == closed.pk), None) if closed else None
    step = partial(NextStep, closed=closed, published=published, waits=waits)
    draft = next((one for one in rounds if one.status == RoundStatus.DRAFT and not is_empty_extra(one)), None)
    if draft is not None:
        return step(Kind.PAIR, draft.stage, round=draft.number)
    if sum(one.stage_id == stage.pk and not one.extra for one in rounds) < stage.rounds_planned:
        # an extra round that was asked for by mistake becomes the next one
        number = rounds[-1].number + (not is_empty_extra(rounds[-1]))
        return step(Kind.MAKE_ROUND, stage, round=number)
    if still_open := open_tables(stage):
        return step(Kind.OPEN, stage, open=tuple(still_open))
    if (following := stage_after(stage)) is not None:
        return step(Kind.BEGIN_STAGE, stage, following)
    if published is not None and is_final(published):
        return step(Kind.OVER, stage)
    ties = ties_for_a_match(stage)
    return step(Kind.EXTRA_MATCH if ties else Kind.PUBLISH, stage, ties=ties)


def _is_closed(round_: Round, stage: Stage) -> bool:
    return round_.stage_id == stage.pk and round_.status == RoundStatus.CLOSED


def ties_for_a_match(stage: Stage) -> tuple[Tie, ...]:
    """The ties that matter and wait for an extra match: none where the order of tie-breaks knows no such match."""
    if "extra_match" not in stage.chain:
        return ()
    found: dict[tuple[int | None, Undecided], list[int]] = {}
    for table in basis_of(stage, over=True).tables():
        for row in table.rows():
            if row.undecided is not None and row.undecided.by == "extra_match":
                found.setdefault((table.group, row.undecided), []).append(int(row.entrant))
    return tuple(Tie(undecided, tuple(entrants)) for (_group, undecided), entrants in found.items())

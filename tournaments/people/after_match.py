"""What happens now for somebody whose match, or round, is over: their next table, the wait for it, or their place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q

from ..acts.origins import document_of
from ..models import Entrant, Match, Publication, Round, RoundStatus, Sitting, Tournament
from ..standings.publications import is_final, rows_in
from ..standings.stage_order import current_stage, is_empty_extra, stage_after
from .roll_call import round_up


class Now(StrEnum):
    """The round is not closed yet; they sit at a table; they have a bye; they are not paired in the round that is
    up; the next round is being drawn; the next stage is to begin; the final table is to come; the event is over."""

    PLAYING = "playing"
    TABLE = "table"
    BYE = "bye"
    NOT_PAIRED = "not_paired"
    DRAWING = "drawing"
    NEXT_STAGE = "next_stage"
    TABLE_TO_COME = "table_to_come"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class AfterMatch:
    """`round` is the round that is meant (its number), `running` whether it has begun; `sitting` where they sit in it.
    When the event is over, `rank` of `count`, as `published`."""

    now: Now
    round: int = 0
    running: bool = False
    sitting: Sitting | None = None
    published: Publication | None = None
    rank: int | None = None
    shared: bool = False
    count: int = 0

    @property
    def key(self) -> str:
        """Another one whenever there is something else to say."""
        at = "" if self.sitting is None else f"{self.sitting.pk}-{self.sitting.table_id}"
        return f"{self.now}-{self.round}-{self.running:d}-{at}-{self.published and self.published.pk}"


def after_match(sitting: Sitting, entrant: Entrant | None) -> AfterMatch:
    """What happens now for an entrant of a sitting that is over."""
    own = sitting.round
    event = own.tournament
    up = round_up(event)
    if up is not None and up.number > own.number:
        return _in_round(up, entrant)
    if own.status == RoundStatus.RUNNING:
        return AfterMatch(Now.PLAYING, own.number)
    return _between_rounds(event, entrant)


def _in_round(up: Round, entrant: Entrant | None) -> AfterMatch:
    """Where the entrant plays in the round that is up."""
    running = up.status == RoundStatus.RUNNING
    mine = Q(home=entrant) | Q(away=entrant) | Q(places__entrant=entrant)
    match = Match.objects.filter(mine, round=up, superseded_in=None).first() if entrant is not None else None
    if match is None:
        return AfterMatch(Now.NOT_PAIRED, up.number, running)
    seat = _seat(match, entrant)
    return AfterMatch(Now.BYE if seat is None else Now.TABLE, up.number, running, seat)


def _seat(match: Match, entrant: Entrant | None) -> Sitting | None:
    """The first table in play of a match; of two rooms the open one."""
    rows = Sitting.objects.filter(match=match, active=True).select_related("table", "match__home", "match__away")
    return rows.prefetch_related("match__places__entrant").order_by("-room", "game").first()


def _between_rounds(event: Tournament, entrant: Entrant | None) -> AfterMatch:
    """While no round is up: the next one is drawn, or nothing of the stage is left."""
    stage = current_stage(event)
    assert stage is not None
    rounds = [one for one in event.rounds.order_by("number") if not is_empty_extra(one)]
    draft = next((one for one in rounds if one.status == RoundStatus.DRAFT), None)
    planned = sum(one.stage_id == stage.pk and not one.extra for one in rounds)
    if draft is not None or planned < stage.rounds_planned:
        return AfterMatch(Now.DRAWING, draft.number if draft is not None else rounds[-1].number + 1)
    if stage_after(stage) is not None:
        return AfterMatch(Now.NEXT_STAGE, stage.number)
    published = event.publications.filter(round=rounds[-1], superseded_by=None).first()
    if published is None or not is_final(published):
        return AfterMatch(Now.TABLE_TO_COME)
    return _place(event, published, entrant)


def _place(event: Tournament, published: Publication, entrant: Entrant | None) -> AfterMatch:
    """The place of an entrant in the last table of the event; of all stages where there were several."""
    document = document_of(event, published)
    rows = document["placing"]["rows"] if "placing" in document else rows_in(document)
    mine = next((row for row in rows if entrant is not None and int(row["entrant"]) == entrant.pk), None)
    rank = None if mine is None else mine["rank"]
    shared = rank is not None and sum(row["rank"] == rank for row in rows) > 1
    return AfterMatch(Now.OVER, published=published, rank=rank, shared=shared, count=len(rows))

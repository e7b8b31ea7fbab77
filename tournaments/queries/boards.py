"""Boards of duplicate as kernel values: what the rooms of a match came to, and what officials put in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scoring.states import SittingState
from scoring.values import Side

from ..boards import Marks, PairTable, Played, Room, played_of
from ..models import BoardResult, Match, MatchOutcome, Sitting, SittingPhase, Stage


def room_of(sitting: Sitting, state: SittingState, marks: Mapping[int, Marks]) -> Room:
    """The room of a sitting on boards, with this fold of its ledger."""
    numbers = tuple(sitting.boards or ())
    return Room(Side(sitting.home_side), numbers, played_of(state, numbers), marks, state.finished)


def marks_of(sitting: Sitting) -> dict[int, Marks]:
    """What officials put in place of results at a sitting, by number of the board."""
    return _marks(BoardResult.objects.filter(sitting=sitting).select_related("board"))


def rooms_of(match: Match, *, without: int | None = None) -> list[Room]:
    """The rooms of a match on boards as they are kept, the open one first."""
    sittings = Sitting.objects.filter(match=match, boards__isnull=False).order_by("-room")
    return [_kept(one) for one in sittings.prefetch_related("board_results__board") if one.pk != without]


def pair_tables(stage: Stage) -> list[PairTable]:
    """The tables of a stage of duplicate pairs as they are kept; what was forfeited is compared with nothing."""
    sittings = Sitting.objects.filter(round__stage=stage, active=True, boards__isnull=False).order_by("pk")
    played = sittings.filter(match__outcome__in=[MatchOutcome.PENDING, MatchOutcome.PLAYED])
    return [PairTable(one.match_id, _kept(one)) for one in played.prefetch_related("board_results__board")]


def _kept(sitting: Sitting) -> Room:
    rows = list(sitting.board_results.all())
    played = {
        row.board.number: Played(Side(row.dealer_side), row.hand_points, row.attackers_points)
        for row in rows
        if row.hand_points is not None and row.attackers_points is not None
    }
    over = sitting.phase == SittingPhase.FINISHED
    return Room(Side(sitting.home_side), tuple(sitting.boards or ()), played, _marks(rows), over)


def _marks(rows: Iterable[BoardResult]) -> dict[int, Marks]:
    return {
        row.board.number: Marks(row.ns_mark, row.ew_mark)
        for row in rows
        if row.ns_mark is not None and row.ew_mark is not None
    }

"""What the boards of a sitting came to, kept beside its fold so that the other room can be compared with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.sittings.states import SittingState

from ..acts.change import Add, Move, Remove, Write
from ..models import Board, BoardResult, Match, Sitting, Tournament
from ..plans.boards import played_of


def board_writes(sitting: Sitting, state: SittingState) -> list[Write]:
    """The results of the boards as folded; a mark of an official stays with its board."""
    writes: list[Write] = []
    numbers = sitting.boards or []
    played = played_of(state, numbers)
    boards = {one.number: one for one in Board.objects.filter(stage=sitting.round.stage_id, number__in=numbers)}
    kept = {row.board_id: row for row in BoardResult.objects.filter(sitting=sitting)}
    for number, board in boards.items():
        row, got = kept.get(board.pk), played.get(number)
        if got is None and row is not None and row.ns_mark is None:
            writes.append(Remove(row))
        elif got is not None or row is not None:
            columns = {
                "dealer_side": "" if got is None else str(got.dealer_side),
                "hand_points": None if got is None else got.hand_points,
                "attackers_points": None if got is None else got.attackers_points,
            }
            if row is None:
                writes.append(Add(BoardResult(sitting=sitting, board=board, **columns)))
            elif any(getattr(row, name) != value for name, value in columns.items()):
                writes.append(Move(row, columns))
    return writes


def hold_match(match: Match) -> None:
    """Hold the match until the transaction ends: the other room, ending at the same time, waits and then sees this."""
    Match.objects.select_for_update(no_key=True).get(pk=match.pk)
    match.refresh_from_db(fields=["outcome", "winner_side", "decided_by", "finished_at"])


def hold_field(match: Match) -> None:
    """Hold the event until the transaction ends: a board of pairs moves the results of other tables, one at a time."""
    Tournament.objects.select_for_update(no_key=True).get(pk=match.round.tournament_id)
    match.refresh_from_db(fields=["outcome", "winner_side", "decided_by", "finished_at"])


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Why an official put a score in place of what was played: the reason, and the clause it rests on ("": none)."""

    reason: str
    clause: str


def adjustments_of(sittings: Iterable[Sitting], number: int) -> dict[int, Adjustment]:
    """What was said of the adjusted scores of a board that stand, by sitting."""
    rows = BoardResult.objects.filter(sitting__in=[one.pk for one in sittings], board__number=number)
    return {row.sitting_id: Adjustment(row.mark_reason, row.mark_clause) for row in rows.exclude(ns_mark=None)}

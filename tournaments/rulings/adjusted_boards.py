"""Boards of a match that an official adjusts: assigned, weighted, a percentage, or split; and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scoring.hands.findings import Refused
from scoring.values import Side

from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Add, Change, Line, Move, Remove, Write
from ..acts.errors import BAD_REQUEST, clean_text
from ..acts.schedule import clause_texts
from ..boards.reads import marks_of
from ..ledger.acting import act_on, after, change_at
from ..ledger.judging import refusal, refuse_unless_current
from ..models import Board, BoardResult, Sitting, SittingPhase
from ..plans.boards import Marks, dealer_side_of, mark_of
from ..sittings.ledgers import Ledger

REASON_LIMIT = 300


CLAUSE_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The answer to a ruling on a board: its row, None once it was taken back, and the sitting's revision."""

    result: BoardResult | None
    sitting: Sitting
    revision: int


def adjust_board(
    *,
    sitting_id: int,
    number: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    ns: Mapping[str, Any],
    ew: Mapping[str, Any],
    reason: str,
    clause: str,
) -> Adjusted:
    """Put an official's score in place of a board's result: one mark for each side, as N–S see it.

    A mark is `{"attackers_total": 85}` (assigned), `{"weighted": [{"attackers_total": 85, "weight": "60"}, …]}`, or
    `{"artificial": "60"}` (a percentage, or average_plus, average, average_minus). Different marks split the score.
    `clause` is one of the event's rules or of its penalty schedule (`clause_required`).
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    clause = clean_text(clause, "clause", limit=CLAUSE_LIMIT)
    return _adjust(sitting_id, number, actor, at, expected_revision, Marks(ns, ew), reason, clause)


def take_back_adjustment(
    *,
    sitting_id: int,
    number: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
) -> Adjusted:
    """Take back an adjusted score: what was played counts again."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    return _adjust(sitting_id, number, actor, at, expected_revision, None, reason, "")


def _adjust(
    sitting_id: int,
    number: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    marks: Marks | None,
    reason: str,
    clause: str,
) -> Adjusted:
    def decide(ledger: Ledger, admitted: Admitted) -> Change[Adjusted]:
        board = _board_here(ledger, number)
        refuse_unless_current(ledger, expected_revision)
        row = BoardResult.objects.filter(sitting=ledger.sitting, board=board).first()
        old = None if row is None or row.ns_mark is None else {"ns": row.ns_mark, "ew": row.ew_mark}
        if marks is None and old is None:
            raise refusal("not_adjusted")
        new, standing = None, marks_of(ledger.sitting)
        standing.pop(number, None)
        if marks is not None:
            _refuse_unless_cited(ledger, clause)
            _check_marks(ledger, board, row, marks)
            new, standing[number] = {"ns": dict(marks.ns), "ew": dict(marks.ew), "clause": clause}, marks
        write, kept = _written(ledger, board, row, marks, reason, clause)
        ledger = replace(ledger, marks=standing)
        then = after(ledger, [write], at=at, phase=SittingPhase(ledger.sitting.phase), counts=True)
        line = Line(Act.ADJUST_BOARD, f"board:{number}", reason, old, new, ledger.sitting)
        answer = Adjusted(kept, ledger.sitting, then.revision)
        return change_at(ledger, admitted, answer, then, [line], moved=True)

    return act_on(sitting_id, Act.ADJUST_BOARD, actor, at, decide)


def _written(
    ledger: Ledger, board: Board, row: BoardResult | None, marks: Marks | None, reason: str, clause: str
) -> tuple[Write, BoardResult | None]:
    """What is written of the board, and its row after that; a board neither played nor marked has none."""
    columns: dict[str, Any] = {"ns_mark": None, "ew_mark": None, "mark_reason": "", "mark_clause": ""}
    if marks is not None:
        columns = {"ns_mark": dict(marks.ns), "ew_mark": dict(marks.ew), "mark_reason": reason, "mark_clause": clause}
    if row is None:
        row = BoardResult(sitting=ledger.sitting, board=board, **columns)
        return Add(row), row
    if marks is None and row.hand_points is None:
        return Remove(row), None
    return Move(row, columns), row


def _refuse_unless_cited(ledger: Ledger, clause: str) -> None:
    if clause not in clause_texts(ledger.tournament):
        raise refusal(
            "clause_required", "An adjusted score must cite a clause.", "调整成绩要写明依据哪一条。",
            status=BAD_REQUEST, field="clause",
        )  # fmt: skip


def _check_marks(ledger: Ledger, board: Board, row: BoardResult | None, marks: Marks) -> None:
    dealing = Side(row.dealer_side) if row is not None and row.dealer_side else dealer_side_of(board.fixed)
    try:
        for path, mark in (("ns", marks.ns), ("ew", marks.ew)):
            mark_of(mark, ledger.stage.directing, ledger.profile, board.fixed, dealing, path)
    except Refused as refused:
        first = refused.findings[0]
        raise refusal(
            first.code, first.message["en"], first.message["zh"], status=BAD_REQUEST, field=first.field,
            findings=refused.findings,
        ) from None  # fmt: skip


def _board_here(ledger: Ledger, number: int) -> Board:
    if ledger.sitting.boards is None or number not in ledger.sitting.boards:
        raise refusal('board_not_here', status=BAD_REQUEST, field='board')  # fmt: skip
    return Board.objects.get(stage=ledger.stage.pk, number=number)

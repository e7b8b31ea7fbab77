"""Boards of a match that an official adjusts: assigned, weighted, a percentage, or split; and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from scoring.hands.findings import Refused
from scoring.values import Side

from ..acts.access import Act, Actor
from ..acts.errors import BAD_REQUEST, clean_text
from ..acts.schedule import clause_texts
from ..ledger.judging import admit, finish_act, note, refusal, refuse_unless_current, write_sitting
from ..models import Board, BoardResult, Sitting, SittingPhase
from ..plans.boards import dealer_side_of, mark_of
from ..sittings.ledgers import Ledger, open_ledger

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
    return _adjust(sitting_id, number, actor, at, expected_revision, (ns, ew), reason, clause)


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


@transaction.atomic
def _adjust(
    sitting_id: int,
    number: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    marks: tuple[Mapping[str, Any], Mapping[str, Any]] | None,
    reason: str,
    clause: str,
) -> Adjusted:
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.ADJUST_BOARD, ledger)
    board = _board_here(ledger, number)
    refuse_unless_current(ledger, expected_revision)
    row = BoardResult.objects.filter(sitting=ledger.sitting, board=board).first()
    old = None if row is None or row.ns_mark is None else {"ns": row.ns_mark, "ew": row.ew_mark}
    new = None
    if marks is None:
        if row is None or old is None:
            raise refusal("not_adjusted")
        row.ns_mark = row.ew_mark = None
        row.mark_reason = row.mark_clause = ""
        row.save()
    else:
        _refuse_unless_cited(ledger, clause)
        for side, mark in zip(Side, marks, strict=True):
            _check_mark(ledger, board, row, mark, str(side).lower())
        row = row or BoardResult(sitting=ledger.sitting, board=board)
        row.ns_mark, row.ew_mark = dict(marks[0]), dict(marks[1])
        row.mark_reason, row.mark_clause = reason, clause
        row.save()
        new = {"ns": row.ns_mark, "ew": row.ew_mark, "clause": clause}
    subject = f"board:{number}"
    note(ledger, actor, at, Act.ADJUST_BOARD, subject, reason=reason, old=old, new=new)
    write_sitting(ledger, at=at, phase=SittingPhase(ledger.sitting.phase), state=ledger.fold())
    kept = BoardResult.objects.filter(sitting=ledger.sitting, board=board).first()
    finish_act(ledger, moved=True)
    return Adjusted(kept, ledger.sitting, ledger.sitting.revision)


def _refuse_unless_cited(ledger: Ledger, clause: str) -> None:
    if clause not in clause_texts(ledger.tournament):
        raise refusal(
            "clause_required", "An adjusted score must cite a clause.", "调整成绩要写明依据哪一条。",
            status=BAD_REQUEST, field="clause",
        )  # fmt: skip


def _check_mark(ledger: Ledger, board: Board, row: BoardResult | None, mark: Mapping[str, Any], path: str) -> None:
    dealing = Side(row.dealer_side) if row is not None and row.dealer_side else dealer_side_of(board.fixed)
    try:
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

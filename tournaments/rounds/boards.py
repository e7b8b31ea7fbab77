"""Duplicate boards: made for a round, set by the organiser, and adjusted where an official rules on one.

A board is one deal for the whole stage: its dealer, level and perhaps trump hold at every table that plays it, so it
can be set only until a hand of it is entered. An adjusted score never edits the ledger: it stands beside what was
played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import Any

from scoring.sittings.fold import start
from scoring.values import Level, Seat, Trump

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, AddAll, Change, Line, Move, Told, Write, carry_out
from ..acts.errors import BAD_REQUEST, NotFound
from ..ledger.judging import refusal
from ..models import Board, BoardResult, EntryStatus, LedgerEntry, Round, Sitting, Stage
from ..sittings.ledgers import cached_state
from ..sittings.records import conditions_of, opening_of

MOST_NUMBER = 1_000
BOARDS_A_ROUND = 4


def boards_of(round_: Round, set_number: int | None = None) -> list[int]:
    """The numbers of the boards of a round, or of a set (from 1): they run through the stage."""
    count = round_.stage.directing.boards or BOARDS_A_ROUND
    before = _sets_before(round_) if set_number is None else set_number - 1
    return [number + before * count for number in range(1, count + 1)]


def _sets_before(round_: Round) -> int:
    """How many rounds of the stage have boards before this one; rounds that decide ties come after all others."""
    stage = round_.stage
    if round_.extra:
        return stage.rounds_planned + stage.rounds.filter(number__lt=round_.number, extra=True).count()
    return stage.rounds.filter(number__lt=round_.number, extra=False).count()


def missing_boards(stage: Stage, numbers: Sequence[int]) -> list[Board]:
    """Boards that are not there yet, by the standard turn: dealers N, W, S, E, and a level of the ladder each. From now
    on the stage knows what they deal."""
    ladder, seats = list(stage.tournament.profile.ladder), list(Seat)
    missing = [
        Board(
            stage=stage,
            number=number,
            dealer=seats[(number - 1) % len(seats)],
            level=str(ladder[(number - 1) % len(ladder)]),
        )
        for number in numbers
        if number not in stage.deals
    ]
    stage.deals = {**stage.deals, **{board.number: board.fixed for board in missing}}
    return missing


def set_boards(*, stage_id: int, actor: Actor, at: datetime, changes: Sequence[Mapping[str, Any]]) -> list[Board]:
    """Set what boards fix (number, dealer, level, trump); all or none. Refused once a hand of one is entered."""

    def decide() -> Change[list[Board]]:
        stage, admitted = _locked_stage(stage_id, actor)
        rows = {board.number: board for board in stage.boards.all()}
        facts = {number: _facts(board) for number, board in rows.items()}
        writes: list[Write] = []
        lines, answer = [], []
        for change in changes:
            new = {"trump": "", **change}
            number = new.pop("number")
            _check_board(stage, number, **new)
            if number in rows:
                refuse_if_begun(stage, number)
                writes.append(Move(rows[number], new))
            else:
                rows[number] = Board(stage=stage, number=number, **new)
                writes.append(Add(rows[number]))
            answer.append(rows[number])
            old, facts[number] = facts.get(number), _facts(Board(**new))
            lines.append(Line(Act.SET_BOARDS, f"board:{number}", "", old, facts[number]))
            stage.deals = {**stage.deals, number: Board(number=number, **new).fixed}
        writes += _starts_again(stage, {board.number for board in answer})
        return Change(admitted, answer, tuple(writes), tuple(lines), (Told("board"),) * len(lines))

    return carry_out(decide, actor, at)


def make_planned(*, stage_id: int, actor: Actor, at: datetime) -> int:
    """Make the boards of all planned rounds that are not there yet, by the standard turn. Gives how many are made."""

    def decide() -> Change[int]:
        stage, admitted = _locked_stage(stage_id, actor)
        made = missing_boards(stage, range(1, stage.rounds_planned * (stage.directing.boards or BOARDS_A_ROUND) + 1))
        line = Line(Act.SET_BOARDS, ("stage", stage), new={"made": len(made)})
        return Change(admitted, len(made), (AddAll(made),), (line,))

    return carry_out(decide, actor, at)


def _locked_stage(stage_id: int, actor: Actor) -> tuple[Stage, Admitted]:
    try:
        stage = Stage.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=stage_id)
    except (Stage.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    return stage, require(actor, Act.SET_BOARDS, tournament=stage.tournament)


def _check_board(stage: Stage, number: object, dealer: str, level: str, trump: str) -> None:
    ladder = [str(one) for one in stage.tournament.profile.ladder]
    if type(number) is not int or not 1 <= number <= MOST_NUMBER:
        raise refusal(
            "bad_board_number", f"A board has a number from 1 to {MOST_NUMBER}.", f"牌号是 1 到 {MOST_NUMBER} 的整数。",
            status=BAD_REQUEST, field="number",
        )  # fmt: skip
    checks = (("dealer", dealer, list(Seat)), ("level", level, ladder), ("trump", trump, ["", *Trump]))
    for field, value, choices in checks:
        if value not in choices:
            words = ", ".join(one for one in choices if one)
            raise refusal(
                "unknown_value", f"{field} is one of {words}.", f"{field} 只能是 {words}。", status=BAD_REQUEST,
                field=field,
            )  # fmt: skip


def _facts(board: Board) -> dict[str, str]:
    return {"dealer": str(board.dealer), "level": str(Level(board.level)), "trump": str(board.trump)}


def refuse_if_begun(stage: Stage, number: int) -> None:
    """Refused once a hand of this board is entered, or waits for its answer, at any table."""
    scored = BoardResult.objects.filter(board__stage=stage, board__number=number)
    if scored.exists() or any(_reached(sitting, number) for sitting in _sittings_with(stage, {number})):
        raise refusal(
            "board_begun", f"Board {number} is being played already.", f"第 {number} 号牌已经开打，不能再改。"
        )


def _reached(sitting: Sitting, number: int) -> bool:
    live = (EntryStatus.EFFECTIVE, EntryStatus.WAITING, EntryStatus.CONTESTING)
    entered = LedgerEntry.objects.filter(sitting=sitting, status__in=live, hand_no__isnull=False).count()
    return (sitting.boards or []).index(number) < entered


def _sittings_with(stage: Stage, numbers: Set[int]) -> list[Sitting]:
    """The sittings that play one of these boards; their stage is this one, which knows what the boards deal."""
    found = Sitting.objects.filter(round__stage=stage, boards__isnull=False).select_related("round__tournament")
    sittings = [one for one in found if numbers & set(one.boards or ())]
    for one in sittings:
        one.round.stage = stage
    return sittings


def _starts_again(stage: Stage, numbers: Set[int]) -> list[Move]:
    """Sittings that have not begun show the boards as they now are."""
    return [
        Move(one, {"state": cached_state(start(opening_of(one), conditions_of(one)))})  # type: ignore[arg-type]
        for one in _sittings_with(stage, numbers)
        if one.revision == 0
    ]

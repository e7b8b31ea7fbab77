"""Duplicate boards: made for a round, set by the organiser, and adjusted where an official rules on one.

A board is one deal for the whole stage: its dealer, level and perhaps trump hold at every table that plays it, so it
can be set only until a hand of it is entered. An adjusted score never edits the ledger: it stands beside what was
played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from scoring.sittings.fold import start
from scoring.values import Level, Seat, Trump

from ..acts import history
from ..acts.access import Act, Actor, require
from ..acts.announce import announce
from ..acts.errors import BAD_REQUEST, NotFound
from ..ledger.judging import refusal
from ..models import Board, BoardResult, EntryStatus, LedgerEntry, Round, Sitting, Stage
from ..sittings.ledgers import cached_state
from ..sittings.records import conditions_of, opening_of

MOST_NUMBER = 1_000
BOARDS_A_ROUND = 4


def boards_of(round_: Round, set_number: int | None = None) -> list[int]:
    """The numbers of the boards of a round, or of a set (from 1): they run through the stage. Missing ones are made."""
    stage = round_.stage
    count = stage.directing.boards or BOARDS_A_ROUND
    numbers = [
        number + (_sets_before(round_) if set_number is None else set_number - 1) * count
        for number in range(1, count + 1)
    ]
    make_boards(stage, numbers)
    return numbers


def _sets_before(round_: Round) -> int:
    """How many rounds of the stage have boards before this one; rounds that decide ties come after all others."""
    stage = round_.stage
    if round_.extra:
        return stage.rounds_planned + stage.rounds.filter(number__lt=round_.number, extra=True).count()
    return stage.rounds.filter(number__lt=round_.number, extra=False).count()


def make_boards(stage: Stage, numbers: Sequence[int]) -> None:
    """Boards that are not there yet, by the standard turn: dealers N, W, S, E, and a level of the ladder each."""
    known = set(Board.objects.filter(stage=stage, number__in=numbers).values_list("number", flat=True))
    ladder, seats = list(stage.tournament.profile.ladder), list(Seat)
    Board.objects.bulk_create(
        Board(
            stage=stage,
            number=number,
            dealer=seats[(number - 1) % len(seats)],
            level=str(ladder[(number - 1) % len(ladder)]),
        )
        for number in numbers
        if number not in known
    )
    stage.__dict__.pop("deals", None)


@transaction.atomic
def set_boards(*, stage_id: int, actor: Actor, at: datetime, changes: Sequence[Mapping[str, Any]]) -> list[Board]:
    """Set what boards fix (number, dealer, level, trump); all or none. Refused once a hand of one is entered."""
    stage = _locked_stage(stage_id, actor)
    return [_set(stage, actor, at, **{"trump": "", **change}) for change in changes]


@transaction.atomic
def make_planned(*, stage_id: int, actor: Actor, at: datetime) -> int:
    """Make the boards of all planned rounds that are not there yet, by the standard turn. Gives how many are made."""
    stage = _locked_stage(stage_id, actor)
    before = stage.boards.count()
    make_boards(stage, range(1, stage.rounds_planned * (stage.directing.boards or BOARDS_A_ROUND) + 1))
    made = stage.boards.count() - before
    history.record(
        tournament=stage.tournament, actor=actor, at=at, act=Act.SET_BOARDS, subject=f"stage:{stage.pk}",
        new={"made": made},
    )  # fmt: skip
    return made


def _locked_stage(stage_id: int, actor: Actor) -> Stage:
    try:
        stage = Stage.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=stage_id)
    except (Stage.DoesNotExist, OverflowError, TypeError, ValueError):
        raise NotFound() from None
    require(actor, Act.SET_BOARDS, tournament=stage.tournament)
    return stage


def _set(stage: Stage, actor: Actor, at: datetime, *, number: int, dealer: str, level: str, trump: str) -> Board:
    _check_board(stage, number, dealer, level, trump)
    board = Board.objects.filter(stage=stage, number=number).first()
    if board is not None and _begun(board):
        raise refusal(
            "board_begun", f"Board {number} is being played already.", f"第 {number} 号牌已经开打，不能再改。"
        )
    board = board or Board(stage=stage, number=number)
    old = None if board.pk is None else _facts(board)
    board.dealer, board.level, board.trump = dealer, level, trump
    board.save()
    history.record(
        tournament=stage.tournament, actor=actor, at=at, act=Act.SET_BOARDS, subject=f"board:{number}",
        old=old, new=_facts(board),
    )  # fmt: skip
    _start_again(stage, number)
    announce(stage.tournament_id, "board")
    return board


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


def _begun(board: Board) -> bool:
    """Whether a hand of this board is entered, or waits for its answer, at any table."""
    if BoardResult.objects.filter(board=board).exists():
        return True
    live = (EntryStatus.EFFECTIVE, EntryStatus.WAITING, EntryStatus.CONTESTING)
    for sitting in _sittings_with(board.stage, board.number):
        entered = LedgerEntry.objects.filter(sitting=sitting, status__in=live, hand_no__isnull=False).count()
        if entered and (sitting.boards or []).index(board.number) < entered:
            return True
    return False


def _sittings_with(stage: Stage, number: int) -> list[Sitting]:
    sittings_here = Sitting.objects.filter(round__stage=stage, boards__isnull=False).select_related(
        "round__stage", "round__tournament"
    )
    return [one for one in sittings_here if number in (one.boards or [])]


def _start_again(stage: Stage, number: int) -> None:
    """Sittings that have not begun show the board as it now is."""
    for sitting in _sittings_with(stage, number):
        if sitting.revision == 0:
            sitting.state = cached_state(start(opening_of(sitting), conditions_of(sitting)))  # type: ignore[arg-type]
            sitting.save(update_fields=["state"])

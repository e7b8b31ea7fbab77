"""Duplicate boards: made for a round, set by the organiser, and adjusted where an official rules on one.

A board is one deal for the whole stage: its dealer, level and perhaps trump hold at every table that plays it, so it
can be set only until a hand of it is entered. An adjusted score never edits the ledger: it stands beside what was
played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring import sittings
from scoring.findings import Refused
from scoring.values import Level, Seat, Side, Trump

from ..access import Act, Actor, require
from ..announce import announce
from ..boards import dealer_side_of, mark_of
from ..models import Board, BoardResult, EntryStatus, LedgerEntry, Round, Sitting, SittingPhase, Stage
from ..queries.rulings import clause_texts
from ..queries.sittings import conditions_of, opening_of
from . import history
from .errors import BAD_REQUEST, NotFound, clean_text
from .idempotency import Once, in_one_transaction, once
from .judging import admit, finish_act, note, refusal, refuse_unless_current, write_sitting
from .ledgers import Ledger, cached_state, open_ledger

MOST_NUMBER = 1_000
REASON_LIMIT = 300
CLAUSE_LIMIT = 100
BOARDS_A_ROUND = 4


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The answer to a ruling on a board: its row, None once it was taken back, and the sitting's revision."""

    result: BoardResult | None
    sitting: Sitting
    revision: int


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


def set_boards(*, stage_id: int, actor: Actor, at: datetime, changes: Sequence[Mapping[str, Any]]) -> list[Board]:
    """Set what boards fix (number, dealer, level, trump); all or none. Refused once a hand of one is entered."""

    def act() -> list[Board]:
        stage = _locked_stage(stage_id, actor)
        return [_set(stage, actor, at, **{"trump": "", **change}) for change in changes]

    return in_one_transaction(act)


def make_planned(*, stage_id: int, actor: Actor, at: datetime) -> int:
    """Make the boards of all planned rounds that are not there yet, by the standard turn. Gives how many are made."""

    def act() -> int:
        stage = _locked_stage(stage_id, actor)
        before = stage.boards.count()
        make_boards(stage, range(1, stage.rounds_planned * (stage.directing.boards or BOARDS_A_ROUND) + 1))
        made = stage.boards.count() - before
        history.record(
            tournament=stage.tournament, actor=actor, at=at, act=Act.SET_BOARDS, subject=f"stage:{stage.pk}",
            new={"made": made},
        )  # fmt: skip
        return made

    return in_one_transaction(act)


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
    key: str | None = None,
) -> Adjusted:
    """Put an official's score in place of a board's result: one mark for each side, as N–S see it.

    A mark is `{"attackers_total": 85}` (assigned), `{"weighted": [{"attackers_total": 85, "weight": "60"}, …]}`, or
    `{"artificial": "60"}` (a percentage, or average_plus, average, average_minus). Different marks split the score.
    `clause` is one of the event's rules or of its penalty schedule (`clause_required`).
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    clause = clean_text(clause, "clause", limit=CLAUSE_LIMIT)
    body = {"act": "adjust_board", "sitting": sitting_id, "board": number, "ns": ns, "ew": ew, "reason": reason}
    request = once(actor=actor, key=key, body=body | {"clause": clause})
    return in_one_transaction(
        lambda: _adjust(sitting_id, number, actor, at, expected_revision, (ns, ew), reason, clause, request)
    )


def take_back_adjustment(
    *,
    sitting_id: int,
    number: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    reason: str,
    key: str | None = None,
) -> Adjusted:
    """Take back an adjusted score: what was played counts again."""
    reason = clean_text(reason, "reason", limit=REASON_LIMIT, required=True)
    body = {"act": "take_back_adjustment", "sitting": sitting_id, "board": number, "reason": reason}
    request = once(actor=actor, key=key, body=body)
    return in_one_transaction(
        lambda: _adjust(sitting_id, number, actor, at, expected_revision, None, reason, "", request)
    )


def _adjust(
    sitting_id: int,
    number: int,
    actor: Actor,
    at: datetime,
    expected_revision: int | None,
    marks: tuple[Mapping[str, Any], Mapping[str, Any]] | None,
    reason: str,
    clause: str,
    request: Once,
) -> Adjusted:
    ledger = open_ledger(sitting_id, lock=True)
    admit(actor, Act.ADJUST_BOARD, ledger)
    if (saved := request.look_up()) is not None:
        row = BoardResult.objects.filter(pk=saved["result"]).first()
        return Adjusted(row, ledger.sitting, saved["revision"])
    board = _board_here(ledger, number)
    refuse_unless_current(ledger, expected_revision)
    row = BoardResult.objects.filter(sitting=ledger.sitting, board=board).first()
    old = None if row is None or row.ns_mark is None else {"ns": row.ns_mark, "ew": row.ew_mark}
    new = None
    if marks is None:
        if row is None or old is None:
            raise refusal("not_adjusted", "This board has no adjusted score.", "这副牌没有调整过成绩。")
        row.ns_mark = row.ew_mark = None
        row.save()
    else:
        _refuse_unless_cited(ledger, clause)
        for side, mark in zip(Side, marks, strict=True):
            _check_mark(ledger, board, row, mark, str(side).lower())
        row = row or BoardResult(sitting=ledger.sitting, board=board)
        row.ns_mark, row.ew_mark = dict(marks[0]), dict(marks[1])
        row.save()
        new = {"ns": row.ns_mark, "ew": row.ew_mark, "clause": clause}
    subject = f"board:{number}"
    note(ledger, actor, at, Act.ADJUST_BOARD, subject, reason=reason, old=old, new=new)
    write_sitting(ledger, at=at, phase=SittingPhase(ledger.sitting.phase), state=ledger.fold())
    kept = BoardResult.objects.filter(sitting=ledger.sitting, board=board).first()
    answer = {"result": None if kept is None else kept.pk, "revision": ledger.sitting.revision}
    request.save(answer, at=at, tournament_id=ledger.tournament.pk)
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
        raise refusal(
            "board_not_here", "This board is not played at this table.", "这副牌不在本桌。", status=BAD_REQUEST,
            field="board",
        )  # fmt: skip
    return Board.objects.get(stage=ledger.stage.pk, number=number)


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
            sitting.state = cached_state(sittings.start(opening_of(sitting), conditions_of(sitting)))  # type: ignore[arg-type]
            sitting.save(update_fields=["state"])

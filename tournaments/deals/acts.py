"""The way of a dealing: promised before play, drawn by a lot in public, read by who is named, shown after the session.

Whoever made the secret cannot choose the deals, for the lot comes after the promise; whoever draws the lot cannot
either, for the secret is not known. When both are shown, anybody deals the boards again (`again.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from scoring.cards import dealing
from scoring.cards.dealing import Dealt

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import Add, AddAll, Change, Line, Move, carry_out
from ..acts.errors import BAD_REQUEST, NotFound, Refusal, WrongStep, clean_text
from ..models import Board, Dealing, Official, Player, Stage, Tournament, User
from ..models.events import ON_BOARDS
from ..rounds.boards import MOST_NUMBER, missing_boards, refuse_if_begun
from ..standings.runs import person_of
from .reads import dealt_by, still_played
from .sealing import opened, secret_of

LOT_LENGTH: Final = 100
#: What the deals were read for.
PURPOSES: Final = ("slips", "check")


def commit_deals(
    *, stage_id: int, actor: Actor, at: datetime, first: int, last: int, nonce: str, reader_id: int | None = None
) -> Dealing:
    """Promise the deals of boards `first` to `last`: their commitment is public from now on. Boards that are not there
    yet are made. `nonce`: 64 random hex digits.

    Refused: `not_on_boards`, `cannot_be_dealt`, `bad_board_number`, `boards_promised` (a board has one promise),
    `board_begun`, and what `_checked_reader` refuses.
    """

    def decide() -> Change[Dealing]:
        stage, admitted = _locked_stage(stage_id, actor, Act.COMMIT_DEALS)
        if stage.format not in ON_BOARDS:
            raise WrongStep("not_on_boards")
        profile = stage.tournament.profile
        if dealing.HANDS.get(profile.decks) != profile.hand_cards:
            raise WrongStep("cannot_be_dealt")
        _check_numbers(first, last)
        before = list(stage.dealings.order_by("number"))
        if taken := [number for one in before for number in one.boards if first <= number <= last]:
            raise Refusal(
                "boards_promised",
                field="first",
                message={
                    "en": f"The deals of board {min(taken)} are promised already.",
                    "zh": f"第 {min(taken)} 号牌的发牌已经公布承诺值。",
                },
            )
        made = missing_boards(stage, range(first, last + 1))
        _refuse_if_any_begun(stage, {one.number for one in made}, range(first, last + 1))
        row = Dealing(
            stage=stage,
            number=len(before) + 1,
            first_board=first,
            last_board=last,
            decks=profile.decks,
            nonce=nonce,
            commitment=dealing.commitment(secret_of(nonce)),
            committed_at=at,
            committed_by=person_of(actor),
            reader=None if reader_id is None else _checked_reader(stage.tournament, reader_id),
        )
        told = {"first": first, "last": last, "commitment": row.commitment, "reader": reader_id}
        line = Line(Act.COMMIT_DEALS, ("dealing", row), new={"stage": stage.number, **told})
        return Change(admitted, row, (AddAll(made), Add(row)), (line,))

    return carry_out(decide, actor, at)


def name_reader(*, dealing_id: int, actor: Actor, at: datetime, reader_id: int | None) -> Dealing:
    """Name the official who may read the deals before they are shown, or nobody."""

    def decide() -> Change[Dealing]:
        row, admitted = _locked(dealing_id, actor, Act.NAME_READER)
        if row.secret:
            raise WrongStep("deals_are_shown")
        reader = None if reader_id is None else _checked_reader(row.stage.tournament, reader_id)
        line = Line(Act.NAME_READER, ("dealing", row), old={"reader": row.reader_id}, new={"reader": reader_id})
        return Change(admitted, row, (Move(row, {"reader": reader}),), (line,))

    return carry_out(decide, actor, at)


def draw_lot(*, dealing_id: int, actor: Actor, at: datetime, lot: str) -> Dealing:
    """Write down the lot that was drawn in public after the promise: any text, taken as it stands. Only once.

    Refused: `lot_missing`, `lot_is_drawn`, `board_begun`, `deals_lost` (the key that made the secret is gone).
    """
    text = " ".join(clean_text(lot, "lot", limit=LOT_LENGTH).split())
    if not text:
        raise Refusal("lot_missing", field="lot", status=BAD_REQUEST)

    def decide() -> Change[Dealing]:
        row, admitted = _locked(dealing_id, actor, Act.DRAW_DEALS)
        if row.lot:
            raise WrongStep("lot_is_drawn")
        _refuse_if_any_begun(row.stage, set(), row.boards)
        _opened(row)
        line = Line(Act.DRAW_DEALS, ("dealing", row), new={"lot": text})
        drawn = Move(row, {"lot": text, "lot_at": at, "lot_by": person_of(actor)}, still={"lot": ""})
        return Change(admitted, row, (drawn,), (line,))

    return carry_out(decide, actor, at)


def read_deals(
    *, dealing_id: int, actor: Actor, at: datetime, purpose: str, boards: Iterable[int] | None = None
) -> Mapping[int, Dealt]:
    """The deals before they are shown, for the official who is named to read them; that they were read is recorded.

    Refused: `not_the_reader`, `lot_not_drawn`, `no_such_board`, `deals_lost`.
    """
    wanted = None if boards is None else sorted(set(boards))

    def decide() -> Change[Mapping[int, Dealt]]:
        row, admitted = _locked(dealing_id, actor, Act.READ_DEALS)
        if row.reader_id is None or actor.user is None or row.reader_id != actor.user.pk:
            raise WrongStep("not_the_reader")
        if not row.lot:
            raise WrongStep("lot_not_drawn")
        numbers = list(row.boards) if wanted is None else wanted
        if not numbers or any(number not in row.boards for number in numbers):
            raise Refusal("no_such_board", field="boards", status=BAD_REQUEST)
        found = dealt_by(row, _opened(row), numbers)
        told = {"purpose": purpose, "first": numbers[0], "last": numbers[-1], "boards": len(numbers)}
        return Change(admitted, found, lines=(Line(Act.READ_DEALS, ("dealing", row), new=told),))

    return carry_out(decide, actor, at)


def show_deals(*, dealing_id: int, actor: Actor, at: datetime) -> Dealing:
    """Show the secret when nobody has to play these boards any more; from now on everybody can deal them again.

    Refused: `lot_not_drawn`, `deals_are_shown`, `deals_wait` (boards are still played), `deals_lost`.
    """

    def decide() -> Change[Dealing]:
        row, admitted = _locked(dealing_id, actor, Act.SHOW_DEALS)
        if not row.lot:
            raise WrongStep("lot_not_drawn")
        if row.secret:
            raise WrongStep("deals_are_shown")
        if waiting := still_played(row):
            raise WrongStep(
                "deals_wait",
                f"Board {waiting[0]} may still have to be played, or its result is not told yet.",
                f"第 {waiting[0]} 号牌可能还要打，或成绩尚未公布。",
                {"boards": waiting},
            )
        secret = _opened(row).hex()
        line = Line(Act.SHOW_DEALS, ("dealing", row), new={"secret": secret})
        shown = Move(row, {"secret": secret, "shown_at": at, "shown_by": person_of(actor)}, still={"secret": ""})
        return Change(admitted, row, (shown,), (line,))

    return carry_out(decide, actor, at)


def _locked_stage(stage_id: int, actor: Actor, act: Act) -> tuple[Stage, Admitted]:
    rows = Stage.objects.select_for_update(of=("self",)).select_related("tournament")
    stage = rows.filter(pk=stage_id).first()
    if stage is None:
        raise NotFound()
    return stage, require(actor, act, tournament=stage.tournament)


def _locked(dealing_id: int, actor: Actor, act: Act) -> tuple[Dealing, Admitted]:
    rows = Dealing.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    row = rows.filter(pk=dealing_id).first()
    if row is None:
        raise NotFound()
    return row, require(actor, act, tournament=row.stage.tournament)


def _opened(row: Dealing) -> bytes:
    secret = opened(row)
    if secret is None:
        raise WrongStep("deals_lost")
    return secret


def _check_numbers(first: object, last: object) -> None:
    for field, number in (("first", first), ("last", last)):
        if type(number) is not int or not 1 <= number <= MOST_NUMBER:
            raise Refusal("bad_board_number", field=field, status=BAD_REQUEST)
    if last < first:  # type: ignore[operator]
        raise Refusal("bad_board_number", field="last", status=BAD_REQUEST)


def _refuse_if_any_begun(stage: Stage, new: set[int], numbers: Iterable[int]) -> None:
    known = set(Board.objects.filter(stage=stage).values_list("number", flat=True))
    for number in numbers:
        if number in known and number not in new:
            refuse_if_begun(stage, number)


def _checked_reader(event: Tournament, user_id: int) -> User:
    """An official of the event who does not play in it, as far as names tell: `reader_no_official`, `reader_plays`."""
    held = Official.objects.filter(tournament=event, user=user_id, revoked_at=None).select_related("user").first()
    if held is None:
        raise Refusal("reader_no_official", field="reader", status=BAD_REQUEST)
    names = {held.user.display_name, held.user.get_full_name()} - {""}
    if Player.objects.filter(entrant__tournament=event, name__in=names).exists():
        raise Refusal("reader_plays", field="reader")
    return held.user

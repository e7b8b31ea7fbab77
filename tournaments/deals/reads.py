"""What is known of the deals of a stage: nothing before they are shown, then every board and whoever played another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from scoring.cards import dealing
from scoring.cards.dealing import Dealt, Difference
from scoring.cards.record_reading import parse
from scoring.cards.records import HandRecord
from scoring.values import Card

from ..boards.reads import boards_for_all
from ..models import Dealing, RecordedHand, Sitting, Stage, Tournament
from ..rounds.boards import BOARDS_A_ROUND


@dataclass(frozen=True, slots=True)
class OtherCards:
    """A recorded hand whose cards are not those of its board: somebody held a wrong pocket, or the record is wrong."""

    sitting: Sitting
    hand_no: int
    board: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Shown:
    """A dealing that is shown, with its boards as anybody can deal them again."""

    row: Dealing

    @cached_property
    def boards(self) -> dict[int, Dealt]:
        return dealt_by(self.row, bytes.fromhex(self.row.secret), self.row.boards)


def dealt_by(row: Dealing, secret: bytes, numbers: Iterable[int]) -> dict[int, Dealt]:
    """Boards of a dealing whose lot is drawn, by number."""
    seed = dealing.seed_of(secret, row.lot.encode())
    return {number: dealing.deal(seed, number, row.decks) for number in numbers}


def dealings_of(stage: Stage) -> list[Dealing]:
    """The dealings of a stage, the first first."""
    return list(stage.dealings.select_related("reader").order_by("number"))


def shown_of(stage: Stage) -> list[Shown]:
    """Those of them that are shown."""
    return [Shown(row) for row in dealings_of(stage) if row.secret]


def hands_of(stage: Stage, number: int) -> Dealt | None:
    """The hands of a board, once its deals are shown."""
    return next((one.boards[number] for one in shown_of(stage) if number in one.row.boards), None)


def stages_with_deals(tournament: Tournament) -> list[Stage]:
    """The stages of an event that have dealings, in order."""
    return list(tournament.stages.filter(dealings__isnull=False).distinct().order_by("number"))


def planned_boards(stage: Stage) -> range:
    """The numbers of the boards that the planned rounds need."""
    return range(1, stage.rounds_planned * (stage.directing.boards or BOARDS_A_ROUND) + 1)


def still_played(row: Dealing) -> list[int]:
    """The boards of a dealing that somebody may still have to play; none once the event is closed."""
    stage = row.stage
    if stage.tournament.closed_at is not None:
        return []
    sittings = Sitting.objects.filter(round__stage=stage, boards__isnull=False)
    seated = sittings.values_list("boards", flat=True)
    needed = {*planned_boards(stage), *(number for numbers in seated for number in numbers or ())}
    return sorted(needed.intersection(row.boards) - set(boards_for_all(stage)))


@dataclass(frozen=True, slots=True)
class Compared:
    """How many recorded hands of a dealing tell a whole pocket, and those of them that hold other cards."""

    hands: int
    others: tuple[OtherCards, ...]


def compared(row: Dealing, boards: Mapping[int, Dealt]) -> Compared:
    """The newest records of hands of these boards held against what was dealt, in the order of play."""
    rows = RecordedHand.objects.filter(sitting__round__stage=row.stage).select_related(
        "sitting__round", "sitting__table"
    )
    newest = {(one.sitting_id, one.hand_no): one for one in rows.order_by("sitting_id", "hand_no", "number")}
    profile, hands, others = row.stage.tournament.profile, 0, list[OtherCards]()
    for one in newest.values():
        numbers = one.sitting.boards or []
        number = numbers[one.hand_no - 1] if one.hand_no <= len(numbers) else None
        if number is None or number not in boards:
            continue
        (record,) = parse(one.text, profile)
        if found := _pockets(record, boards[number]):
            hands += 1
            if differing := dealing.differences(boards[number], {**boards[number].pockets, **found}):
                others.append(OtherCards(one.sitting, one.hand_no, number, differing))
    return Compared(hands, tuple(others))


def _pockets(record: HandRecord, dealt: Dealt) -> dict[str, tuple[Card, ...]]:
    """The pockets that a record tells wholly."""
    told = {seat.value: cards for seat, cards in record.deal.items()}
    if record.kitty is not None:
        told["kitty"] = record.kitty
    whole = {}
    for pocket, cards in told.items():
        known = tuple(card for card in cards if card is not None)
        if pocket in dealt.pockets and len(known) == len(dealt.pockets[pocket]):
            whole[pocket] = known
    return whole

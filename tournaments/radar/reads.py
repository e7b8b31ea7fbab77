"""What the radar is shown of an event: its tables, boards and rulings as plain values, and the flags that follow."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import Lock
from typing import Any, Final

from scoring.cards.auction_state import around
from scoring.cards.order import order_of
from scoring.hands.findings import Refused
from scoring.individual.states import IndividualEntryResult
from scoring.radar.flags import PAUSE_SECONDS, board_flags, revoke_flags, table_flags
from scoring.radar.rates import honest, median
from scoring.radar.seen import BoardSeen, Flag, HandSeen, Kind, Place, RevokesSeen, TableSeen
from scoring.signals.returning import Position, return_duty
from scoring.sittings.states import EntryResult
from scoring.values import Level, Role, Text, Trump
from scoring.wording import both

from ..ledger.hands_on_record import Replayed, replay_beside
from ..models import (
    BoardResult,
    EntryKind,
    EntryStatus,
    LedgerEntry,
    MatchPlace,
    PutAside,
    RecordedHand,
    Ruling,
    RulingStatus,
    Sitting,
    Tournament,
)
from ..signals.reads import terms_of
from ..signals.returns import asked_of
from ..sittings.games import entry_results, parties_of
from ..sittings.records import Result, fold_of, read_entries
from ..standings.penalised import seated

#: The irregularity of the penalty schedules that is a revoke.
REVOKE: Final = "revoke"
#: Intervals between hands that an event needs before one of them is called long.
FEWEST_INTERVALS: Final = 8
#: So many tables and records are remembered, those asked for last.
REMEMBERED: Final = 5_000

Found = tuple[tuple[Text, ...], Text | None]
_tables: OrderedDict[tuple[int, int, str], tuple[HandSeen, ...]] = OrderedDict()
_records: OrderedDict[tuple[int, ...], Found] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Question:
    """A flag with what an official last made of it; `aside` says that it needs no answer any more."""

    flag: Flag
    last: PutAside | None = None

    @property
    def aside(self) -> bool:
        return self.last is not None and self.last.aside


def questions_of(event: Tournament) -> list[Question]:
    """All flags of an event, by round, table and hand; those put aside among them."""
    last = {row.flag: row for row in PutAside.objects.filter(tournament=event).select_related("put_by")}
    return [Question(flag, last.get(flag.key)) for flag in flags_of(event)]


def flags_of(event: Tournament) -> list[Flag]:
    """What is worth a question in what stands now. The queries grow with the hands on record only."""
    profile = event.profile
    known, sittings = honest(profile.id), _sittings(event)
    tables = _seen(event, sittings)
    found = [flag for table in tables for flag in table_flags(table, known)]
    found += [flag for board in _boards(event) for flag in board_flags(board, known)]
    found += [flag for revokes in _revokes(event, sittings, tables) for flag in revoke_flags(revokes)]
    return sorted(found, key=lambda flag: (flag.place, flag.hand or 0, list(Kind).index(flag.kind)))


def _sittings(event: Tournament) -> list[Sitting]:
    rows = (
        Sitting.objects.filter(round__tournament=event, match__superseded_in__isnull=True, revision__gt=0)
        .select_related("round__stage", "table", "match__home", "match__away")
        .order_by("round__number", "table__number", "game", "room")
    )
    sittings = list(rows)
    stages = {one.round.stage_id: one.round.stage for one in sittings}
    for one in sittings:
        # one object each, so that rules are built and boards are read once
        one.round.tournament, one.round.stage = event, stages[one.round.stage_id]
        one.round.stage.tournament = event
    return sittings


def _place(sitting: Sitting) -> Place:
    return Place(sitting.round.number, sitting.table.number, sitting.room, sitting.game)


def _seen(event: Tournament, sittings: Sequence[Sitting]) -> list[TableSeen]:
    digest = event.profile.digest
    keys = {one.pk: (one.pk, one.revision, digest) for one in sittings}
    with _lock:
        known = {pk: _tables[key] for pk, key in keys.items() if key in _tables}
    rows = _entries([one.pk for one in sittings if one.pk not in known])
    made = {one.pk: _hands(one, rows[one.pk]) for one in sittings if one.pk not in known}
    with _lock:
        for pk, hands in made.items():
            _keep(_tables, keys[pk], hands)
    found = known | made
    on_record = _on_record(event, {one.pk: one for one in sittings})
    profile = event.profile
    cards, usual = profile.hand_cards * len(_players(event)), _usual(found.values())
    return [
        TableSeen(
            _place(one), profile.id, cards,
            tuple(_with_record(hand, on_record.get((one.pk, hand.number))) for hand in found[one.pk]),
            _names(one), usual,
        )
        for one in sittings
    ]  # fmt: skip


def _players(event: Tournament) -> Sequence[str]:
    parties = parties_of(event.profile)
    return parties if event.profile.game == "individual" else ("N", "W", "S", "E")


def _entries(sittings: Sequence[int]) -> dict[int, list[LedgerEntry]]:
    rows: dict[int, list[LedgerEntry]] = defaultdict(list)
    entries = LedgerEntry.objects.filter(sitting__in=sittings, status=EntryStatus.EFFECTIVE)
    for entry in entries.order_by("sitting_id", "position") if sittings else ():
        rows[entry.sitting_id].append(entry)
    return rows


def _hands(sitting: Sitting, rows: Sequence[LedgerEntry]) -> tuple[HandSeen, ...]:
    """The hands of a sitting that count, as its ledger has them."""
    state, counted = fold_of(sitting, read_entries(sitting, (row.facts for row in rows)))
    levels = sitting.boards is None and not sitting.round.stage.directing.fixed
    results = zip(rows[:counted], entry_results(state), strict=True)
    return tuple(_hand(row, result, levels=levels) for row, result in results if row.kind == EntryKind.HAND)


def _hand(row: LedgerEntry, result: Result, *, levels: bool) -> HandSeen:
    points = tuple(row.facts.get("points", {}).values())
    total = result.total
    parts = points
    if total is not None:
        parts = (total.captured, total.bonus, total.fines + total.dark_bids + total.adjustments)
    return HandSeen(
        number=row.hand_no or 0,
        figure=total.for_levels if total is not None else max(points, default=None),
        parts=parts,
        gains=_gains(result) if levels else {},
        entered=int(row.entered_at.timestamp()) if row.entered_side else None,
        version=row.version,
        not_due=tuple(one.message for one in result.discrepancies),
    )


def _gains(result: Result) -> Mapping[str, int]:
    if isinstance(result, IndividualEntryResult):
        return {str(place): gain for place, gain in result.gains.items()}
    assert isinstance(result, EntryResult)
    if result.dealer is None or result.winner_role is None:
        return {}
    dealing = result.dealer.side
    return {str(dealing if result.winner_role is Role.DEALER else dealing.other): result.levels_won}


def _usual(tables: Iterable[Sequence[HandSeen]]) -> int | None:
    """What half of the hands of the event do not pass, in seconds; None while there are few."""
    took: list[int] = []
    for hands in tables:
        timed = [hand.entered for hand in hands if hand.entered is not None]
        took += [later - earlier for earlier, later in pairwise(timed) if 0 < later - earlier <= PAUSE_SECONDS]
    return median(took) if len(took) >= FEWEST_INTERVALS else None


def _names(sitting: Sitting) -> Mapping[str, Text]:
    """The two sides by the numbers of their entrants; a single player is named by his place."""
    sides = {"NS": sitting.north_south, "EW": sitting.east_west}
    found = {side: both(f"entrant {one.number}", f"{one.number} 号") for side, one in sides.items() if one is not None}
    return found or {str(n): both(f"seat {n}", f"{n} 号位") for n in range(1, 6)}


def _with_record(hand: HandSeen, found: Found | None) -> HandSeen:
    return hand if found is None else replace(hand, differs=found[0], owed=found[1])


def _on_record(event: Tournament, sittings: Mapping[int, Sitting]) -> dict[tuple[int, int], Found]:
    """What the newest record of each hand says beside its entry, by sitting and hand."""
    newest = {
        (row.sitting_id, row.hand_no): row
        for row in RecordedHand.objects.filter(tournament=event, sitting__in=sittings).order_by("number")
    }
    if not newest:
        return {}
    entries = LedgerEntry.objects.filter(
        sitting__in={pk for pk, _ in newest}, status=EntryStatus.EFFECTIVE, kind=EntryKind.HAND
    )
    terms, rules = terms_of(event).number, hash(event.profile.digest)
    found = {}
    for entry in entries:
        row = newest.get((entry.sitting_id, entry.hand_no or 0))
        if row is not None:
            key = (row.pk, entry.pk, terms, rules, event.entrants.count() if terms else 0)
            found[entry.sitting_id, row.hand_no] = _judged(key, row, entry, sittings[entry.sitting_id])
    return found


def _judged(key: tuple[int, ...], row: RecordedHand, entry: LedgerEntry, sitting: Sitting) -> Found:
    with _lock:
        if key in _records:
            return _records[key]
    try:
        seen = replay_beside(row, entry, sitting)
        found = tuple(one.message for one in seen.disagreements), _owed(seen, sitting)
    except Refused:
        found = (), None
    with _lock:
        _keep(_records, key, found)
    return found


def _owed(seen: Replayed, sitting: Sitting) -> Text | None:
    """What a recorded hand says of a return that was owed and not made."""
    asked = asked_of(seen, sitting)
    if asked is None or asked.ranks is None:
        return None
    profile = seen.replay.profile
    order = order_of(profile, Trump(asked.trump), Level(asked.level))
    tricks = []
    for leader, cards in asked.tricks:
        each = len(cards) // 4
        tricks.append([(seat, cards[n * each : (n + 1) * each]) for n, seat in enumerate(around(leader))])
    at = Position(order, asked.dealer, asked.ranks, asked.hand, tricks)
    duty = return_duty(at, reading="strict" if asked.strict else "normal")
    if duty.duty != "breach":
        return None
    return both(
        f"the dealer asked in trick {duty.asked_in}, the partner showed an agreed card, and the lead of trick "
        f"{duty.by_trick} did not return the suit.",
        f"庄家第 {duty.asked_in} 圈询问，对家出了约定的牌，第 {duty.by_trick} 圈领出时没有传牌。",
    )


def _boards(event: Tournament) -> list[BoardSeen]:
    """Every board over all tables, as played; results that an official adjusted are left out."""
    rows = (
        BoardResult.objects.filter(
            board__stage__tournament=event,
            attackers_points__isnull=False,
            ns_mark__isnull=True,
            sitting__match__superseded_in__isnull=True,
        )
        .select_related("board", "sitting__round", "sitting__table")
        .order_by("board__stage__number", "board__number", "sitting__round__number", "sitting__table__number")
    )
    found: dict[int, list[BoardResult]] = defaultdict(list)
    for row in rows:
        found[row.board_id].append(row)
    return [
        BoardSeen(few[0].board.number, 100 * event.profile.decks, [_at_board(row) for row in few])
        for few in found.values()
    ]


def _at_board(row: BoardResult) -> tuple[Place, int, int, int]:
    boards, took = row.sitting.boards or [], row.attackers_points or 0
    hand = boards.index(row.board.number) + 1 if row.board.number in boards else 0
    return _place(row.sitting), hand, took, took


def _revokes(event: Tournament, sittings: Sequence[Sitting], tables: Sequence[TableSeen]) -> list[RevokesSeen]:
    """The revokes in rulings that stand, by entrant, with how many hands each has played."""
    rulings = Ruling.objects.filter(
        tournament=event, status=RulingStatus.DECIDED, facts__irregularity=REVOKE
    ).select_related("sitting__round", "sitting__table", "sitting__match")
    standing = [one for one in rulings.order_by("number") if one.stands]
    if not standing:
        return []
    at = _entrants_at(event, [*sittings, *(one.sitting for one in standing)])
    where: dict[int, list[tuple[Place, int | None]]] = defaultdict(list)
    for ruling in standing:
        guilty = at[ruling.sitting_id].get(ruling.side)
        if guilty is not None:
            where[guilty].append((_place(ruling.sitting), ruling.hand_no))
    hands: dict[int, int] = defaultdict(int)
    for sitting, table in zip(sittings, tables, strict=True):
        for entrant in at[sitting.pk].values():
            hands[entrant] += len(table.hands)
    return [RevokesSeen(entrant, hands[entrant], places) for entrant, places in sorted(where.items())]


def _entrants_at(event: Tournament, sittings: Iterable[Sitting]) -> Mapping[int, Mapping[str, int]]:
    """The numbers of the entrants by sitting and party."""
    numbers = dict(event.entrants.values_list("pk", "number"))
    by_match: dict[int, dict[str, int]] = defaultdict(dict)
    for match, place, entrant in MatchPlace.objects.filter(round__tournament=event, active=True).values_list(
        "match_id", "place", "entrant_id"
    ):
        by_match[match][place] = numbers[entrant]
    found = {}
    for one in sittings:
        ids = seated(one.home_side, one.match.home_id, one.match.away_id)
        sides = {side: numbers[pk] for side, pk in ids.items() if pk is not None}
        found[one.pk] = sides or by_match[one.match_id]
    return found


def _keep(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    kept[key] = value
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)

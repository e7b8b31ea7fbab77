"""Pairs as sent: read, checked, and made into matches with their sittings and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeGuard

from scoring.sittings.fold import start
from scoring.sittings.states import Opening
from scoring.values import Seat, Side

from ..acts.change import AddAll, RemoveAll, Write
from ..models import (
    Entrant,
    Match,
    Pairing,
    Round,
    ScoredBy,
    SideChoice,
    Sitting,
    StageFormat,
    Table,
    Tournament,
)
from ..sittings.ledgers import cached_state
from ..sittings.records import conditions_of
from ..stages.misfits import DUPLICATE
from .boards import boards_of, missing_boards
from .steps import BadPairing


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants at a table; `away` None is a bye (then `table` is None too).

    `group`, `slot` and `for_place` are those of the match; `boards` is which set of boards they play, from 1 (None: the
    round's own).
    """

    home: int
    away: int | None
    table: int | None
    first_dealer: Seat | None = None
    group: int | None = None
    slot: int | None = None
    for_place: int | None = None
    boards: int | None = None


def read_pairs(pairs: object) -> list[Pair]:
    """Pairs as a form or the API sends them; tables that are not stated are numbered in order."""
    if not isinstance(pairs, list | tuple):
        raise BadPairing("not_a_list", "Pairs are a list.", "对阵要是一个列表。")
    read: list[Pair] = []
    for pair in pairs:
        if not isinstance(pair, Mapping) or set(pair) - {"home", "away", "table", "first_dealer"}:
            raise BadPairing("unknown_field", "A pair has home, away, table, first_dealer.", "对阵的写法不对。")
        home, away, table = pair.get("home"), pair.get("away"), pair.get("table")
        if not _is_id(home) or (away is not None and not _is_id(away)):
            raise BadPairing("not_an_entrant", "Home and away are ids of entrants.", "主客队要用参赛方编号。")
        if table is not None and (type(table) is not int or not 1 <= table <= 9_999):
            raise BadPairing("bad_table", "A table is a number from 1 to 9999.", "桌号要是 1 到 9999 的整数。")
        read.append(Pair(home, away, None if away is None else table, read_seat(pair.get("first_dealer"))))
    taken = {pair.table for pair in read if pair.table is not None}
    numbered: list[Pair] = []
    following = 0
    for one in read:
        table = one.table
        if one.away is not None and table is None:
            following += 1
            while following in taken:
                following += 1
            table = following
        numbered.append(Pair(one.home, one.away, table, one.first_dealer))
    return numbered


def _is_id(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 < value < 2**63


def read_seat(value: object) -> Seat | None:
    if value in (None, ""):
        return None
    if not isinstance(value, str) or value not in Seat.__members__.values():
        raise BadPairing("bad_seat", field="first_dealer")
    return Seat(value)


def new_matches(
    round_: Round,
    pairs: Sequence[Pair],
    scored_by: str,
    first_dealer: Seat | None,
    *,
    pairing: Pairing | None,
    numbers: Sequence[int] = (),
) -> tuple[list[Match], tuple[Write, ...]]:
    """The matches of these pairs, and what is written for them: boards and tables that are not there yet, sittings."""
    if not pairs:
        raise BadPairing("no_pairs", "The pairing is empty.", "还没有对阵。")
    if scored_by not in ScoredBy.values:
        raise BadPairing("bad_scored_by", "Tables are scored by the sides or a referee.", "记分方只有双方或裁判。")
    _check_pairs(round_, pairs)
    names = numbers or range(1, len(pairs) + 1)
    matches = [
        Match(
            round=round_,
            number=number,
            home_id=pair.home,
            away_id=pair.away,
            published_in=pairing,
            group=pair.group,
            slot=pair.slot,
            for_place=pair.for_place,
        )
        for number, pair in zip(names, pairs, strict=True)
    ]
    rooms = {boards: rooms_in(round_, boards) for boards in {pair.boards for pair in pairs}}
    at = {pair: [room.table_of(pair.table) for room in rooms[pair.boards]] for pair in pairs if pair.table is not None}
    tables = tables_numbered(round_.tournament, [number for numbers in at.values() for number in numbers])
    played = {number for here in rooms.values() for room in here for number in room.boards or ()}
    boards = missing_boards(round_.stage, sorted(played)) if played else []
    first_level = round_.tournament.profile.ladder.first
    new_sittings = []
    # sittings of one room that play the same boards and whose first hand has the same dealer begin alike
    begun: dict[tuple[str, int | None, Seat | None], tuple[Any, Any]] = {}
    for match, pair in zip(matches, pairs, strict=True):
        for room, number in zip(rooms[pair.boards], at.get(pair, ()), strict=False):
            dealer = pair.first_dealer or first_dealer or _drawn_dealer(round_, match)
            sitting = Sitting(
                match=match,
                round=round_,
                room=room.name,
                home_side=room.home_side,
                boards=room.boards,
                table=tables[number],
                scored_by=scored_by,
            )
            key = (room.name, pair.boards, dealer)
            if key not in begun:
                opening = Opening(dict.fromkeys(Side, first_level), first_dealer=dealer)
                begun[key] = opening.to_json(), cached_state(start(opening, conditions_of(sitting)))
            sitting.opening, sitting.state = begun[key]
            new_sittings.append(sitting)
    return matches, (AddAll(boards), AddAll(matches), AddAll(new_tables(tables)), AddAll(new_sittings))


@dataclass(frozen=True, slots=True)
class Room:
    """Where a match is played: one table, or in duplicate two of them, with the boards of the round in their order."""

    name: str
    home_side: SideChoice
    boards: list[int] | None
    of: int
    at: int

    def table_of(self, number: int) -> int:
        """The table of this room for the match at place `number`: rooms of one match stand side by side."""
        return (number - 1) * self.of + self.at


def rooms_in(round_: Round, boards: int | None = None) -> list[Room]:
    """The rooms of the matches of a round that play this set of boards (from 1; None: the round's own).

    Teams of four have two, of which the closed one starts half-way through the boards, so that one set does for both.
    """
    if round_.stage.format not in DUPLICATE:
        return [Room("open", SideChoice.NS, None, of=1, at=1)]
    numbers = boards_of(round_, boards)
    if round_.stage.format == StageFormat.DUPLICATE_PAIRS:
        return [Room("open", SideChoice.NS, numbers, of=1, at=1)]
    half = len(numbers) // 2
    return [
        Room("open", SideChoice.NS, numbers, of=2, at=1),
        Room("closed", SideChoice.EW, numbers[half:] + numbers[:half], of=2, at=2),
    ]


def _drawn_dealer(round_: Round, match: Match) -> Seat | None:
    """Who deals the first of fixed hands where nothing says so: drawn from the event's lots, committed before play."""
    fixed = round_.stage.directing.fixed
    if not fixed or fixed[0].dealer is not None:
        return None
    text = f"{round_.tournament.lot_seed}:round {round_.number}:match {match.number}:first dealer"
    return tuple(Seat)[sha256(text.encode()).digest()[0] % 4]


def _check_pairs(round_: Round, pairs: Sequence[Pair]) -> None:
    seen: list[int] = [pair.home for pair in pairs] + [pair.away for pair in pairs if pair.away is not None]
    twice = [entrant for entrant, times in Counter(seen).items() if times > 1]
    known = dict(Entrant.objects.filter(tournament=round_.tournament, pk__in=seen).values_list("pk", "number"))
    if set(seen) - set(known):
        raise BadPairing("not_an_entrant")
    if twice:
        number = known[min(twice)]
        raise BadPairing("entrant_twice", f"Entrant {number} is paired twice.", f"{number} 号被排了两次。")
    withdrawn = Entrant.objects.filter(pk__in=seen, withdrawn_at__isnull=False).order_by("number").first()
    if withdrawn is not None:
        raise BadPairing(
            "entrant_withdrawn", f"Entrant {withdrawn.number} has withdrawn.", f"{withdrawn.number} 号已退赛。"
        )
    places = [pair.table for pair in pairs if pair.table is not None]
    if len(set(places)) < len(places):
        raise BadPairing("table_twice", "A table is used twice.", "有一张桌排了两次。")


def draft_gone(round_: Round) -> tuple[Write, ...]:
    """The draft that stood gives way."""
    return RemoveAll(Sitting, {"round": round_}), RemoveAll(Match, {"round": round_})


def tables_numbered(event: Tournament, numbers: Iterable[int]) -> dict[int, Table]:
    """The tables with these numbers; some may be new (`new_tables`)."""
    wanted = sorted(set(numbers))
    known = {table.number: table for table in event.tables.filter(number__in=wanted)}
    return {number: known.get(number) or Table(tournament=event, number=number) for number in wanted}


def new_tables(tables: Mapping[int, Table]) -> list[Table]:
    """Those of the tables that are not stored yet."""
    return [table for table in tables.values() if table.pk is None]


def keep_tables(round_: Round, pairs: Sequence[Pair], stated: Sequence[Mapping[str, Any]]) -> list[Pair]:
    """New pairs without a stated table take, in order, the tables that the replaced matches leave."""
    entrants = {pair.home for pair in pairs} | {pair.away for pair in pairs if pair.away is not None}
    active = Sitting.objects.filter(round=round_, active=True).select_related("match", "table")
    rooms = 2 if round_.stage.format == StageFormat.DUPLICATE_TEAMS else 1
    free: list[int] = []
    busy: set[int] = set()
    for sitting in active:
        gone = {sitting.match.home_id, sitting.match.away_id} & entrants
        place = (sitting.table.number + rooms - 1) // rooms
        if sitting.room == "open":
            (free.append if gone else busy.add)(place)
    taken = busy | {pair["table"] for pair in stated if pair.get("table") is not None}
    spare = [number for number in sorted(free) if number not in taken]
    following = max([*taken, *free, 0])
    kept: list[Pair] = []
    for pair, original in zip(pairs, stated, strict=True):
        table = pair.table
        if pair.away is not None and original.get("table") is None:
            if spare:
                table = spare.pop(0)
            else:
                following += 1
                table = following
        if table in busy:
            raise BadPairing("table_twice", f"Table {table} is in use.", f"{table} 桌正在使用。")
        kept.append(Pair(pair.home, pair.away, table, pair.first_dealer))
    return kept


def free_numbers(round_: Round, count: int) -> list[int]:
    used = set(round_.matches.filter(superseded_in=None).values_list("number", flat=True))
    return [number for number in range(1, len(used) + count + 1) if number not in used][:count]

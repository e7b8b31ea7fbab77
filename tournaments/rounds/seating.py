"""Seating single players: drawn or by hand, checked, and replaced where nothing was entered.

A round of an individual game is tables of so many places as the game has players; who has no place sits out (a bye) and
scores nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from scoring.hands.findings import Finding, Refused
from scoring.sittings.states import Conditions
from scoring.standings.results import EntrantId

from ..acts.access import Act
from ..acts.admission import Actor, Admitted, require
from ..acts.change import AddAll, Change, Line, MoveAll, Write, carry_out, write
from ..acts.errors import WrongStep, clean_text
from ..acts.rows import locked_round
from ..draws.seating import Seating, check_seating, next_seating
from ..ledger.devices import signed_out
from ..models import (
    Device,
    Entrant,
    LedgerEntry,
    Match,
    MatchOutcome,
    MatchPlace,
    Pairing,
    Round,
    RoundStatus,
    ScoredBy,
    Sitting,
)
from ..sittings.games import first_opening, game_of, parties_of
from ..sittings.ledgers import cached_state
from ..stages.apart import apart_in
from .pairing_documents import numbered_pairing
from .pairs import draft_gone, free_numbers, new_tables, tables_numbered
from .steps import REASON_LIMIT, BadPairing, line_on, replaced_by

MOST_TABLES = 1_000


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """The players of one table in the order of their places."""

    table: int
    players: tuple[int, ...]


def seat_players(*, round_id: int, actor: Actor, at: datetime, scored_by: str = ScoredBy.SIDES) -> list[Match]:
    """Draw a draft round: the entrants in order of number, meeting as evenly as can be, rests spread evenly."""

    def decide() -> Change[list[Match]]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.PAIR, tournament=round_.tournament)
        _refuse_unless_single_players(round_)
        present = _present(round_)
        try:
            apart = apart_in(round_.tournament_id)
            drawn = next_seating(present, seatings_before(round_), _size(round_), apart)
        except Refused as refused:
            first = refused.findings[0]
            raise BadPairing(first.code, first.message["en"], first.message["zh"], "tables") from None
        tables = [
            SeatedTable(number, tuple(int(player) for player in table))
            for number, table in enumerate(drawn.tables, start=1)
        ]
        return _seated(round_, admitted, tables, scored_by)

    return carry_out(decide, actor, at)


def seat_by_hand(
    *, round_id: int, actor: Actor, at: datetime, tables: object, scored_by: str = ScoredBy.SIDES
) -> list[Match]:
    """Seat a draft round as given: `{"table": number, "players": [ids by place]}`; everybody else sits out."""

    def decide() -> Change[list[Match]]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.PAIR, tournament=round_.tournament)
        _refuse_unless_single_players(round_)
        return _seated(round_, admitted, read_tables(tables, _size(round_)), scored_by)

    return carry_out(decide, actor, at)


def reseat(*, round_id: int, actor: Actor, at: datetime, tables: object, reason: str) -> Pairing:
    """Replace published tables without entries by others, under the next number and with a reason.

    Every match of a player in `tables` is replaced; who played or sat out in one of those and is not named sits out.
    """
    reason = clean_text(reason, "reason", limit=REASON_LIMIT)
    if not reason:
        raise BadPairing("reason_required", field="reason")

    def decide() -> Change[Pairing]:
        round_ = locked_round(round_id)
        admitted = require(actor, Act.SUPERSEDE_PAIRING, tournament=round_.tournament)
        _refuse_unless_single_players(round_)
        if round_.status not in (RoundStatus.PUBLISHED, RoundStatus.RUNNING):
            raise WrongStep("pairing_not_published", "This round has no open pairing.", "这一轮没有可替换的编排。")
        wanted = read_tables(tables, _size(round_))
        named = {player for table in wanted for player in table.players}
        standing = list(round_.matches.filter(superseded_in=None).prefetch_related("places"))
        replaced = [match for match in standing if _players(match) & named]
        numbers = {table.table for table in wanted}
        replaced += [match for match in standing if match not in replaced and _tables_of(match) & numbers]
        _refuse_if_begun(replaced)
        out = set().union(*(_players(match) for match in replaced)) - named
        old = Sitting.objects.filter(match__in=[match.pk for match in replaced])
        phones = signed_out(Device.objects.filter(sitting__in=old), at, "desk")

        def replace_tables(pairing: Pairing) -> None:
            scored_by = _scored_by(replaced)
            write(_retired(replaced, pairing), at, round_.tournament)
            write(_new(round_, wanted, sorted(out), scored_by, pairing=pairing)[1], at, round_.tournament)

        pairing = numbered_pairing(round_, actor, at, check_seats, reason=reason, make=replace_tables)
        line = _line(round_, Act.SUPERSEDE_PAIRING, wanted, reason)
        return replaced_by(pairing, admitted, at, line, phones)

    return carry_out(decide, actor, at)


def read_tables(tables: object, size: int) -> list[SeatedTable]:
    """Tables as a form or the API sends them; a table that is not stated gets the next free number."""
    if not isinstance(tables, list | tuple) or len(tables) > MOST_TABLES:
        raise BadPairing("not_a_list", "Tables are a list.", "桌次要是一个列表。", "tables")
    if not tables:
        raise BadPairing("no_pairs", "Nobody is seated.", "还没有安排座位。", "tables")
    stated: list[tuple[int | None, tuple[int, ...]]] = []
    for one in tables:
        if not isinstance(one, Mapping) or set(one) - {"table", "players"}:
            raise BadPairing("unknown_field", "A table has table and players.", "一桌要写桌号和选手。", "tables")
        number, players = one.get("table"), one.get("players")
        if number is not None and (type(number) is not int or not 1 <= number <= 9_999):
            raise BadPairing(
                "bad_table", "A table is a number from 1 to 9999.", "桌号要是 1 到 9999 的整数。", "tables"
            )
        if not isinstance(players, list | tuple) or not all(type(one) is int and 0 < one < 2**63 for one in players):
            raise BadPairing("not_an_entrant", "Players are ids of entrants.", "选手要用参赛编号。", "tables")
        if len(players) != size:
            en = f"A table has {size} players; you named {len(players)}."
            raise BadPairing("wrong_table_size", en, f"一桌 {size} 人，你排了 {len(players)} 人。", "tables")
        stated.append((number, tuple(players)))
    taken = {number for number, _ in stated if number is not None}
    if len(taken) < sum(number is not None for number, _ in stated):
        raise BadPairing("table_twice", "A table is used twice.", "有一张桌排了两次。", "tables")
    free = (number for number in range(1, MOST_TABLES + len(stated) + 1) if number not in taken)
    return [SeatedTable(next(free) if number is None else number, players) for number, players in stated]


def check_seats(round_: Round) -> tuple[Finding, ...]:
    """What the organiser should see before publishing; entrants are called by their numbers."""
    entrants = list(round_.tournament.entrants.order_by("number").values_list("pk", "number", "unit", "withdrawn_at"))
    numbers: dict[EntrantId, EntrantId] = {pk: number for pk, number, _, _ in entrants}
    return check_seating(
        _called(seating_of(round_), numbers),
        entrants=[number for _, number, _, withdrawn in entrants if withdrawn is None],
        size=_size(round_),
        earlier=[_called(one, numbers) for one in seatings_before(round_)],
        units={number: unit for _, number, unit, _ in entrants if unit},
        apart={frozenset(numbers[pk] for pk in pair): wish for pair, wish in apart_in(round_.tournament_id).items()},
    )


def seatings_before(round_: Round) -> list[Seating]:
    """How the earlier rounds of the stage were seated."""
    earlier = round_.stage.rounds.filter(number__lt=round_.number).order_by("number")
    return [seating_of(one) for one in earlier.prefetch_related("matches__places")]


def seating_of(round_: Round) -> Seating:
    """The seating of a round as it stands, ids by table in order of the matches."""
    matches = [match for match in round_.matches.all() if match.superseded_in_id is None]
    return Seating(
        tuple(tuple(place.entrant_id for place in match.places.all()) for match in matches if match.individual),
        tuple(match.home_id for match in matches if match.home_id is not None),
    )


def _called(seating: Seating, names: Mapping[EntrantId, EntrantId]) -> Seating:
    return Seating(
        tuple(tuple(names[player] for player in table) for table in seating.tables),
        tuple(names[player] for player in seating.sits_out),
    )


def _size(round_: Round) -> int:
    return len(parties_of(round_.tournament.profile))


def _present(round_: Round) -> list[int]:
    present = Entrant.objects.filter(tournament=round_.tournament, withdrawn_at=None)
    return list(present.order_by("number").values_list("pk", flat=True))


def _refuse_unless_single_players(round_: Round) -> None:
    if not round_.tournament.individual:
        raise WrongStep("not_single_players")


def _seated(round_: Round, admitted: Admitted, tables: Sequence[SeatedTable], scored_by: str) -> Change[list[Match]]:
    """A draft round is seated so, whatever its draft was."""
    if round_.status != RoundStatus.DRAFT:
        raise WrongStep("pairing_published")
    seated = {player for table in tables for player in table.players}
    out = [player for player in _present(round_) if player not in seated]
    matches, writes = _new(round_, tables, out, scored_by, pairing=None)
    return Change(admitted, matches, (*draft_gone(round_), *writes), (_line(round_, Act.PAIR, tables),))


def _new(
    round_: Round, tables: Sequence[SeatedTable], out: Sequence[int], scored_by: str, *, pairing: Pairing | None
) -> tuple[list[Match], tuple[Write, ...]]:
    """The matches of these tables, and a bye for everybody who sits out; and what is written, with places and sittings.

    Without a `pairing` they are the draft of the round, in place of the one that stands.
    """
    if scored_by not in ScoredBy.values:
        raise BadPairing("bad_scored_by", "Tables are scored by the players or a referee.", "记分方只有选手或裁判。")
    _check_players(round_, tables)
    if pairing is not None:
        _refuse_taken(round_, tables)
    here = Entrant.objects.filter(pk__in=out, withdrawn_at=None).order_by("number").values_list("pk", flat=True)
    matches = [Match(round=round_, number=0, published_in=pairing) for _ in tables]
    matches += [Match(round=round_, number=0, home_id=player, published_in=pairing) for player in here]
    numbers = range(1, len(matches) + 1) if pairing is None else free_numbers(round_, len(matches))
    for match, number in zip(matches, numbers, strict=True):
        match.number = number
    played = list(zip(matches, tables, strict=False))
    profile = round_.tournament.profile
    parties = parties_of(profile)
    places = [
        MatchPlace(match=match, round=round_, place=place, entrant_id=player)
        for match, table in played
        for place, player in zip(parties, table.players, strict=True)
    ]
    numbered = tables_numbered(round_.tournament, [table.table for table in tables])
    opening = first_opening(profile)
    sittings = [
        Sitting(
            match=match,
            round=round_,
            table=numbered[table.table],
            scored_by=scored_by,
            opening=opening.to_json(),
            state=cached_state(game_of(profile).start(profile, opening, Conditions())),
        )
        for match, table in played
    ]
    return matches, (AddAll(matches), AddAll(places), AddAll(new_tables(numbered)), AddAll(sittings))


def _check_players(round_: Round, tables: Sequence[SeatedTable]) -> None:
    seen = [player for table in tables for player in table.players]
    known = dict(Entrant.objects.filter(tournament=round_.tournament, pk__in=seen).values_list("pk", "number"))
    if set(seen) - set(known):
        raise BadPairing("not_an_entrant", field="tables")
    twice = {player for player in seen if seen.count(player) > 1}
    if twice:
        number = known[min(twice)]
        raise BadPairing("entrant_twice", f"Player {number} is seated twice.", f"{number} 号排了两次。", "tables")
    gone = Entrant.objects.filter(pk__in=seen, withdrawn_at__isnull=False).order_by("number").first()
    if gone is not None:
        raise BadPairing("entrant_withdrawn", f"Player {gone.number} has withdrawn.", f"{gone.number} 号已退赛。")


def _refuse_taken(round_: Round, tables: Sequence[SeatedTable]) -> None:
    busy = Sitting.objects.filter(round=round_, active=True, table__number__in=[table.table for table in tables])
    taken = busy.values_list("table__number", flat=True).first()
    if taken is not None:
        raise BadPairing("table_twice", f"Table {taken} is in use.", f"{taken} 桌正在使用。", "tables")


def _players(match: Match) -> set[int]:
    return {match.home_id} if match.home_id is not None else {place.entrant_id for place in match.places.all()}


def _tables_of(match: Match) -> set[int]:
    return set(Sitting.objects.filter(match=match, active=True).values_list("table__number", flat=True))


def _refuse_if_begun(replaced: Sequence[Match]) -> None:
    begun = [match for match in replaced if match.outcome not in (MatchOutcome.PENDING, MatchOutcome.BYE)]
    if begun or LedgerEntry.objects.filter(sitting__match__in=replaced).exists():
        raise WrongStep(
            "match_has_entries",
            "A table with entries keeps its players; end it instead.",
            "已有记录的桌不能换人，只能提前结束。",
        )


def _scored_by(replaced: Sequence[Match]) -> str:
    """Who scored the replaced matches; they score the new ones."""
    ids = [match.pk for match in replaced]
    return Sitting.objects.filter(match__in=ids).values_list("scored_by", flat=True).first() or ScoredBy.SIDES


def _retired(replaced: Sequence[Match], pairing: Pairing) -> tuple[Write, ...]:
    """The replaced matches leave the round."""
    ids = [match.pk for match in replaced]
    return (
        MoveAll(Sitting, {"match__in": ids}, {"active": False}),
        MoveAll(MatchPlace, {"match__in": ids}, {"active": False}),
        MoveAll(Match, {"pk__in": ids}, {"superseded_in": pairing}),
    )


def _line(round_: Round, act: Act, tables: Sequence[SeatedTable], reason: str = "") -> Line:
    new = {"tables": [{"table": table.table, "players": list(table.players)} for table in tables]}
    return line_on(round_, act, reason=reason, new=new)

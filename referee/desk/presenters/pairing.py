"""The pairing form: one row a table, two selects; a row without an away entrant is a bye."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404

from referee.desk.presenters import next_step
from referee.desk.presenters.board import name_of
from referee.parts.numbers import whole_number as whole
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.acts.text import row_number
from tournaments.models import MatchOutcome, RoundStatus, Sitting
from tournaments.rounds.board import rounds_of
from tournaments.rounds.draw_questions import Drawing
from tournaments.sittings.games import parties_of
from tournaments.stages.acts import stage_for_round
from tournaments.standings.stage_order import is_empty_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict

    from referee.desk.guard import Desk
    from tournaments.models import Entrant, Round


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One table: `home`, `away` are ids as text ("" for nobody); `fixed` when it has entries and cannot change.

    `names` are those of a row that stands: who has withdrawn is not among the entrants to choose from.
    """

    table: str
    home: str
    away: str
    fixed: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    rows: tuple[PairingRow, ...]
    entrants: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]
    scored_by: str
    first_dealer: str


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One table of single players: ids by place as text ("" for nobody); `fixed` when it has entries."""

    table: str
    players: tuple[str, ...]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class SeatForm:
    rows: tuple[SeatRow, ...]
    places: tuple[str, ...]
    entrants: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]
    scored_by: str


def seat_form(the_round: Round, data: QueryDict | None = None) -> SeatForm:
    """The tables as typed, else the seating that stands, else empty tables for everybody who can be seated."""
    present = list(the_round.tournament.entrants.filter(withdrawn_at=None).order_by("number"))
    places = parties_of(the_round.tournament.profile)
    rows = _typed_seats(data, places) if data is not None else seats_of(the_round)
    if not rows:
        empty = ("",) * len(places)
        rows = tuple(SeatRow(str(table), empty) for table in range(1, len(present) // len(places) + 1))
    seated = {player for row in rows for player in row.players}
    return SeatForm(
        rows=rows,
        places=places,
        entrants=tuple((str(entrant.pk), _name(entrant)) for entrant in present),
        left_out=tuple(_name(entrant) for entrant in present if str(entrant.pk) not in seated),
        scored_by=data.get("scored_by", "sides") if data is not None else "sides",
    )


def seats_of(the_round: Round) -> tuple[SeatRow, ...]:
    """The seating of a round as it stands, by table."""
    matches = the_round.matches.filter(superseded_in=None, home=None)
    rows = []
    for match in matches.prefetch_related("places", "sittings__table", "sittings__entries"):
        seat = next(sitting for sitting in match.sittings.all() if sitting.active)
        fixed = bool(seat.entries.all()) or match.outcome != MatchOutcome.PENDING
        players = tuple(str(place.entrant_id) for place in match.places.all())
        rows.append((seat.table.number, SeatRow(str(seat.table.number), players, fixed)))
    return tuple(row for _, row in sorted(rows, key=lambda item: item[0]))


def _typed_seats(data: QueryDict, places: Sequence[str]) -> tuple[SeatRow, ...]:
    columns = (data.getlist("table"), *(data.getlist(f"place_{place}") for place in places))
    return tuple(
        SeatRow(table.strip(), tuple(player.strip() for player in players))
        for table, *players in zip(*columns, strict=False)
    )


def posted_seats(the_round: Round, data: QueryDict) -> list[dict[str, Any]]:
    """The tables as the service takes them; tables without anybody are left out."""
    rows = _typed_seats(data, parties_of(the_round.tournament.profile))
    return [_seats(row) for row in rows if any(row.players)]


def changed_seats(the_round: Round, tables: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Only the tables that differ from the seating that stands."""
    same = [_seats(row) for row in seats_of(the_round)]
    return [table for table in tables if table not in same]


def _seats(row: SeatRow) -> dict[str, Any]:
    return {"table": _or_none(row.table), "players": [_entrant(player) for player in row.players if player]}


def form(the_round: Round, data: QueryDict | None = None) -> Form:
    """The rows as typed, else the pairing that stands, else empty rows for everybody."""
    present = entrants_of(the_round)
    stand = standing(the_round)
    has_entries = {(row.table, row.home, row.away): row for row in stand if row.fixed}
    typed = () if data is None else _typed(data)
    rows = tuple(has_entries.get((row.table, row.home, row.away), row) for row in typed) if typed else stand
    if not rows:
        rows = tuple(PairingRow(str(table), "", "") for table in range(1, (len(present) + 1) // 2 + 1))
    placed = {row.home for row in rows} | {row.away for row in rows}
    return Form(
        rows=rows,
        entrants=tuple((str(entrant.pk), _name(entrant)) for entrant in present),
        left_out=tuple(_name(entrant) for entrant in present if str(entrant.pk) not in placed),
        scored_by=data.get("scored_by", "sides") if data is not None else "sides",
        first_dealer=data.get("first_dealer", "") if data is not None else "",
    )


def entrants_of(the_round: Round) -> list[Entrant]:
    """Who can be paired in a round, by number: those of its stage who are still there, in a knockout still in."""
    drawing = Drawing(the_round)
    losers = drawing.losers_before if drawing.stage.directing.third_place else frozenset()
    ids = {place.entrant for place in drawing.present if place.entrant not in drawing.knocked_out - losers}
    return list(the_round.tournament.entrants.filter(pk__in=ids).order_by("number"))


def standing(the_round: Round) -> tuple[PairingRow, ...]:
    """The pairing of a round as it stands, in order of its tables, byes last."""
    matches = the_round.matches.filter(superseded_in=None).select_related("home", "away")
    rows = []
    for match in matches.prefetch_related("sittings__table", "sittings__entries"):
        seat = next((sitting for sitting in match.sittings.all() if sitting.active), None)
        table = seat.table.number if seat else 0
        fixed = bool(seat and seat.entries.all()) or match.outcome not in ("pending", "bye")
        names = tuple(_name(one) if one else "" for one in (match.home, match.away))
        row = PairingRow(str(table or ""), str(match.home_id), str(match.away_id or ""), fixed, names)
        rows.append((table or 10_000, row))
    return tuple(row for _, row in sorted(rows, key=lambda item: item[0]))


def _typed(data: QueryDict) -> tuple[PairingRow, ...]:
    columns = (data.getlist("table"), data.getlist("home"), data.getlist("away"))
    return tuple(
        PairingRow(table.strip(), home.strip(), away.strip()) for table, home, away in zip(*columns, strict=False)
    )


@dataclass(frozen=True, slots=True)
class Listed:
    """One round in the list, with how many tables it has and how many have no result."""

    number: int
    status: str
    get_status_display: str
    table_count: int
    open_count: int
    extra: bool


def listed(desk: Desk) -> dict[str, Any]:
    """All rounds with their counts, in two queries."""
    rounds = rounds_of(desk.tournament)
    places = Sitting.objects.filter(round__tournament=desk.tournament, active=True).values_list(
        "round_id", "match__outcome"
    )
    tables: Counter[int] = Counter()
    waiting: Counter[int] = Counter()
    for round_id, outcome in places:
        tables[round_id] += 1
        waiting[round_id] += outcome == MatchOutcome.PENDING
    pending = [item for item in rounds if item.status == RoundStatus.DRAFT]
    draft = any(not is_empty_extra(item) for item in pending)
    return {
        "rounds": [
            Listed(
                item.number, item.status, str(item.get_status_display()), tables[item.pk], waiting[item.pk], item.extra
            )
            for item in rounds
        ],
        "may_create": desk.may(Act.CREATE_ROUND) and not draft and _takes_a_round(desk),
        "may_add_extra": desk.may(Act.CREATE_ROUND) and not pending and any(item.status == "closed" for item in rounds),
        "step": None if desk.tournament.elsewhere else next_step.shown(desk),
        "may_pair": desk.may(Act.PAIR),
        "entered": not rounds and desk.tournament.entrants.exists(),
    }


def _takes_a_round(desk: Desk) -> bool:
    """Whether the stage in play has rounds left to be made."""
    try:
        stage_for_round(desk.tournament, None)
    except Refusal:
        return False
    return True


def posted(data: QueryDict) -> list[dict[str, Any]]:
    """The rows as the service takes them; empty rows are left out, a lone away entrant counts as home."""
    pairs = []
    for row in _typed(data):
        home, away = row.home or row.away, row.away if row.home else ""
        if home:
            other = _entrant(away) if away else None
            pairs.append({"table": _or_none(row.table), "home": _entrant(home), "away": other})
    return pairs


def changed(the_round: Round, pairs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Only the rows that differ from the pairing that stands."""
    same = {(row.table, row.home, row.away) for row in standing(the_round)}
    return [pair for pair in pairs if _key(pair) not in same]


def _key(pair: dict[str, Any]) -> tuple[str, str, str]:
    away = "" if pair["away"] is None else str(pair["away"])
    return ("" if pair["table"] is None or not away else str(pair["table"]), str(pair["home"]), away)


def _entrant(text: str) -> int | str:
    """The id of an entrant; what is none stays text, to be refused by name."""
    number = row_number(text)
    return text if number is None else number


def _or_none(text: str) -> int | str | None:
    return whole(text) if text else None


def table_number(text: str) -> int:
    value = whole(text)
    if not isinstance(value, int) or value < 1:
        raise Http404
    return value


def _name(entrant: Entrant) -> str:
    return f"{entrant.number} {name_of(entrant)}"

"""One board at all tables that played it (一副牌各桌成绩): who sat where, what came of it, and what it was worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from referee.parts.boards import adjusted_words, both_words, field_words, measure_words, played_words
from referee.parts.formats import signed
from referee.parts.stage_words import BOARD_SCALES
from referee.parts.words import in_language
from scoring.values import Side
from tournaments.boards import PairTable, compare, in_field
from tournaments.models import MatchOutcome, StageFormat
from tournaments.plans import BoardWorth
from tournaments.queries.boards import kept_room, sittings_with
from tournaments.queries.rulings import clause_texts
from tournaments.services.board_results import adjustments_of
from tournaments.services.stage_misfits import WORTHS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.states import FixedHand
    from tournaments.boards import Both, Room
    from tournaments.models import Entrant, Match, Sitting, Stage
    from tournaments.services.board_results import Adjustment

_COMPARED = frozenset({MatchOutcome.PENDING, MatchOutcome.PLAYED})


@dataclass(frozen=True, slots=True)
class Result:
    """The board at one table: what was played, the adjusted score in its place, why, and the words of its clause."""

    sitting: Sitting
    played: str
    adjusted: str
    reason: str
    clause: str
    clause_text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One match: of pairs with one table and N–S first, of teams with both rooms and home first. `scores` are those of
    both, "" where there is none; `forfeit`: nobody is compared with it."""

    match: Match
    round: int
    results: tuple[Result, ...]
    sides: tuple[Entrant | None, Entrant | None]
    scores: tuple[str, str]
    forfeit: bool
    order: tuple[bool, Fraction, int]

    @property
    def explained(self) -> bool:
        """Whether something is said of an adjusted score."""
        return any(one.reason for one in self.results)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A board at all tables, best results of the first side of each match first.

    `worth` says what a board is worth, `measure` what results are compared by, `unit` what the scores are in.
    """

    number: int
    deal: FixedHand
    field: bool
    rows: tuple[Row, ...]
    worth: str
    measure: str
    unit: str


def sheet_of(stage: Stage, number: int) -> Sheet | None:
    """A board of a stage at all tables; None where there is no such board."""
    if number not in stage.deals:
        return None
    plan, sittings = stage.directing, sittings_with(stage, number)
    field = stage.format == StageFormat.DUPLICATE_PAIRS
    results = _results(stage, sittings, number)
    rows = (_rows_of_pairs if field else _rows_of_teams)(stage, number, sittings, results)
    return Sheet(
        number=number,
        deal=stage.deals[number],
        field=field,
        rows=tuple(sorted(rows, key=lambda row: row.order)),
        worth=str(BOARD_SCALES[plan.board_scale or WORTHS[stage.format][0]]),
        measure=measure_words(plan),
        unit=field_words(plan) if field else _("points of the board"),
    )


def _results(stage: Stage, sittings: Sequence[Sitting], number: int) -> dict[int, Result]:
    """What the board came to by sitting."""
    why, clauses = adjustments_of(sittings, number), clause_texts(stage.tournament)
    found = {}
    for one in sittings:
        room = kept_room(one)
        marks, said = room.marks.get(number), why.get(one.pk)
        found[one.pk] = Result(
            sitting=one,
            played=played_words(room.played.get(number), stage.directing.measure),
            adjusted=adjusted_words(marks),
            **_why(said if marks is not None else None, clauses),
        )
    return found


def _why(said: Adjustment | None, clauses: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    if said is None:
        return {"reason": "", "clause": "", "clause_text": ""}
    text = clauses.get(said.clause)
    return {
        "reason": said.reason,
        "clause": said.clause,
        "clause_text": "" if text is None else in_language(text),
    }


def _rows_of_pairs(stage: Stage, number: int, sittings: Sequence[Sitting], results: Mapping[int, Result]) -> list[Row]:
    crossed = stage.directing.board_scale is BoardWorth.CROSS_IMP
    tables = [PairTable(one.match_id, kept_room(one)) for one in sittings if one.match.outcome in _COMPARED]
    scores = in_field(tables, stage.directing, stage.tournament.profile, stage.deals)
    rows = []
    for one in sittings:
        got = scores[one.match_id].boards.get(number) if one.match_id in scores else None
        if got is not None and one.home_side != Side.NS:
            got = (got[1], got[0])
        sides = (one.north_south, one.east_west)
        words = ("", "") if got is None else both_words(got, crossed)
        rows.append(_row(one, (results[one.pk],), sides, got, words))
    return rows


def _rows_of_teams(stage: Stage, number: int, sittings: Sequence[Sitting], results: Mapping[int, Result]) -> list[Row]:
    matches: dict[int, list[Sitting]] = {}
    for one in sittings:
        matches.setdefault(one.match_id, []).append(one)
    rows = []
    for rooms in matches.values():
        rooms.sort(key=lambda one: one.home_side != Side.NS)
        got = _of_match(stage, number, [kept_room(one) for one in rooms])
        words = ("", "") if got is None else (signed(got[0]), signed(got[1]))
        match = rooms[0].match
        rows.append(_row(rooms[0], tuple(results[one.pk] for one in rooms), (match.home, match.away), got, words))
    return rows


def _of_match(stage: Stage, number: int, rooms: Sequence[Room]) -> Both | None:
    """What a board gives both teams of a match, home first; None where a room has no score of it."""
    if len(rooms) != 2:
        return None
    lines = compare(rooms, stage.directing, stage.tournament.profile, stage.deals).lines
    return next(
        (
            (one.home, one.away)
            for one in lines
            if one.number == number and one.home is not None and one.away is not None
        ),
        None,
    )


def _row(
    sitting: Sitting,
    results: tuple[Result, ...],
    sides: tuple[Entrant | None, Entrant | None],
    got: Both | None,
    words: tuple[str, str],
) -> Row:
    match = sitting.match
    forfeit = match.outcome not in _COMPARED
    order = (got is None or forfeit, Fraction(0) if got is None else -got[0], sitting.table.number)
    return Row(match, sitting.round.number, results, sides, ("", "") if forfeit else words, forfeit, order)

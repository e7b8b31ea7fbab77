"""One board at all tables that played it (一副牌各桌成绩): who sat where, what came of it, and what it was worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from referee.parts.boards import adjusted_words, both_words, field_words, measure_words, played_words
from referee.parts.formats import signed
from referee.parts.recorded import steps_address
from referee.parts.stage_words import BOARD_SCALES
from referee.parts.words import in_language
from scoring.values import Side
from tournaments.acts.schedule import clause_texts
from tournaments.boards.reads import COMPARED, datum_at, kept_room, scores_of, sittings_with
from tournaments.boards.results import adjustments_of
from tournaments.ledger.hands_on_record import records_among
from tournaments.models import StageFormat
from tournaments.plans.plan import BoardWorth
from tournaments.stages.misfits import WORTHS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.sittings.states import FixedHand
    from tournaments.boards.results import Adjustment
    from tournaments.models import Entrant, Match, Sitting, Stage
    from tournaments.plans.boards import Both


@dataclass(frozen=True, slots=True)
class Result:
    """The board at one table: what was played, the adjusted score in its place, why, and the words of its clause.

    `steps` is where everybody steps through its cards, empty where it is not told or they were not recorded.
    """

    sitting: Sitting
    played: str
    adjusted: str
    reason: str
    clause: str
    clause_text: str
    steps: str = ""


@dataclass(frozen=True, slots=True)
class SheetRow:
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

    `worth` says what a board is worth, `measure` what results are compared by, `unit` what the scores are in; `datum`
    is the average of all results as N–S see it, by that measure, "" where there is none.
    """

    number: int
    deal: FixedHand
    field: bool
    rows: tuple[SheetRow, ...]
    worth: str
    measure: str
    unit: str
    datum: str = ""


def sheet_of(stage: Stage, number: int) -> Sheet | None:
    """A board of a stage at all tables; None where there is no such board."""
    if number not in stage.deals:
        return None
    plan, sittings = stage.directing, sittings_with(stage, number)
    field = stage.format == StageFormat.DUPLICATE_PAIRS
    rows = _rows(stage, number, sittings, _results(stage, sittings, number))
    average = datum_at(stage, number, sittings)
    return Sheet(
        number=number,
        deal=stage.deals[number],
        field=field,
        rows=tuple(sorted(rows, key=lambda row: row.order)),
        worth=str(BOARD_SCALES[plan.board_scale or WORTHS[stage.format][0]]),
        measure=measure_words(plan),
        unit=field_words(plan) if field else _("points of the board"),
        datum="" if average is None else signed(Fraction(round(average * 100), 100)),
    )


def with_steps(sheet: Sheet) -> Sheet:
    """The sheet of a board that is shown, with the way to the cards of every table that were recorded. One query."""
    recorded = records_among([one.sitting.pk for row in sheet.rows for one in row.results])

    def linked(one: Result) -> Result:
        hand_no = (one.sitting.boards or []).index(sheet.number) + 1
        told = one.played and (one.sitting.pk, hand_no) in recorded
        return replace(one, steps=steps_address(one.sitting, hand_no)) if told else one

    rows = (replace(row, results=tuple(map(linked, row.results))) for row in sheet.rows)
    return replace(sheet, rows=tuple(rows))


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


def _rows(stage: Stage, number: int, sittings: Sequence[Sitting], results: Mapping[int, Result]) -> list[SheetRow]:
    field = stage.format == StageFormat.DUPLICATE_PAIRS
    signs = not field or stage.directing.board_scale is BoardWorth.CROSS_IMP
    scores = scores_of(stage, number, sittings)
    rooms: dict[int, list[Sitting]] = {}
    for one in sorted(sittings, key=lambda one: one.home_side != Side.NS):
        rooms.setdefault(one.match_id, []).append(one)
    return [
        _row(here, tuple(results[one.pk] for one in here), scores.get(match), field=field, signs=signs)
        for match, here in rooms.items()
    ]


def _row(
    here: Sequence[Sitting], results: tuple[Result, ...], got: Both | None, *, field: bool, signs: bool
) -> SheetRow:
    """A match with its tables; pairs stand as they sit, teams home first."""
    first, match = here[0], here[0].match
    sides = (match.home, match.away)
    if field and first.home_side != Side.NS:
        sides, got = sides[::-1], None if got is None else got[::-1]
    return SheetRow(
        match=match,
        round=first.round.number,
        results=results,
        sides=sides,
        scores=("", "") if got is None else both_words(got, signs),
        forfeit=match.outcome not in COMPARED,
        order=(got is None, Fraction(0) if got is None else -got[0], first.table.number),
    )

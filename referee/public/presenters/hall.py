"""The map of the hall for everybody: the states of a round, or where those play who were looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.parts.words import page_language
from referee.pictures.hall import HallPicture, Told, drawn, place_words
from referee.public.addresses import match_address
from tournaments.hall.reads import plan_of
from tournaments.models import MatchOutcome, RoundStatus, SittingPhase
from tournaments.rounds.public import Seen, tables_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.public.presenters.round import MatchRow
    from tournaments.hall.layout import Plan
    from tournaments.models import Round

#: So many tables are marked on one map; more say nothing to who looks for one.
MARKED: Final = 12
#: Rows on one page of the projector.
ROWS: Final = 4
#: What everybody is told of a phase; a dispute is told as a referee who is there.
STATES: Final = {
    SittingPhase.PLAYING: "playing",
    SittingPhase.WAITING: "waiting",
    SittingPhase.DISPUTED: "referee",
    SittingPhase.FINISHED: "finished",
}


def of_round(round_: Round) -> HallPicture:
    """Every table with its state, those without a match in the round as empty."""
    plan = plan_of(round_.tournament)
    return drawn(plan, _told(plan, round_))


def pages(plan: Plan) -> list[range]:
    """The rows of the hall by page of the projector; rows without a table have none to themselves."""
    taken = {place.row for place in plan.places.values()}
    pieces = [range(first, min(first + ROWS, plan.rows + 1)) for first in range(1, plan.rows + 1, ROWS)]
    return [piece for piece in pieces if taken.intersection(piece)]


def of_rows(plan: Plan, round_: Round, pieces: Iterable[range]) -> list[HallPicture]:
    """Pages of the projector."""
    told = _told(plan, round_)
    return [drawn(plan, told, rows=piece) for piece in pieces]


def _told(plan: Plan, round_: Round) -> Mapping[int, Told]:
    told = dict.fromkeys(plan.places, Told("empty"))
    for one in tables_of(round_):
        state = _state(one, round_)
        word = _("hand %(n)s") % {"n": one.hand_no} if state == "playing" else ""
        known = {"event": round_.tournament.slug, "number": round_.number, "table": one.table}
        told[one.table] = Told(state, word, reverse("public:match", kwargs={"language": page_language(), **known}))
    return told


def _state(one: Seen, round_: Round) -> str:
    if one.outcome != MatchOutcome.PENDING:
        return "finished"
    return "not_started" if round_.status == RoundStatus.PUBLISHED else STATES[SittingPhase(one.phase)]


def of_seats(plan: Plan, rows: Iterable[MatchRow]) -> HallPicture | None:
    """The tables by number, those of the rows marked; None where there is none to mark, or too many."""
    told = {number: Told("", address=match_address(row.match)) for row in rows for number in row.tables}
    return drawn(plan, told, told) if 1 <= len(told) <= MARKED else None


def words(plan: Plan, row: MatchRow | None) -> str:
    """Where the table of a row is, in words; nothing while nobody has said where the tables stand."""
    table = None if row is None else row.table
    return "" if table is None or not plan.saved else place_words(plan, table)

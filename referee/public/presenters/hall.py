"""The map of the hall for everybody: the states of a round, or where those play who were looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from referee.pictures.hall import HallPicture, Told, drawn, place_words
from referee.public.addresses import match_address
from tournaments.hall.reads import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.public.presenters.round import MatchRow
    from tournaments.hall.layout import Plan
    from tournaments.models import Round

#: So many tables are marked on one map; more say nothing to who looks for one.
MARKED: Final = 12
#: What everybody is told of a state; a dispute is told as a referee who is there.
STATES: Final = {"dispute": "referee"}


def of_round(round_: Round, rows: Iterable[MatchRow]) -> HallPicture:
    """Every table with its state, those without a match in the round as empty."""
    plan = plan_of(round_.tournament)
    told = dict.fromkeys(plan.places, Told("empty"))
    for row in rows:
        word = _("hand %(n)s") % {"n": row.hand} if row.state == "playing" and row.hand else ""
        told |= dict.fromkeys(row.tables, Told(STATES.get(row.state, row.state), word, match_address(row.match)))
    return drawn(plan, told)


def of_seats(plan: Plan, rows: Iterable[MatchRow]) -> HallPicture | None:
    """The tables by number, those of the rows marked; None where there is none to mark, or too many."""
    told = {number: Told("", address=match_address(row.match)) for row in rows for number in row.tables}
    return drawn(plan, told, told) if 1 <= len(told) <= MARKED else None


def words(plan: Plan, row: MatchRow | None) -> str:
    """Where the table of a row is, in words; nothing while nobody has said where the tables stand."""
    table = None if row is None else row.table
    return "" if table is None or not plan.saved else place_words(plan, table)

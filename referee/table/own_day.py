"""What an entrant's own page shows beside the next table: where it stands, the levels there, the award at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.parts.words import page_language, reached
from referee.pictures.hall import HallPicture, drawn, place_words
from scoring.individual.states import IndividualState
from scoring.values import Side
from tournaments.hall.reads import plan_of
from tournaments.people.after_match import Now
from tournaments.transfer.paper.awards import placed
from tournaments.transfer.paper.awards import record_words as told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Publication, Tournament
    from tournaments.people.after_match import AfterMatch
    from tournaments.people.entrant_page import EntrantMatch

#: So many rows before and behind the own one are on the map of a phone.
AROUND: Final = 2
#: The places for which there is a sheet, as the desk prints them while nobody has asked for more.
SHEETS: Final = 3


@dataclass(frozen=True, slots=True)
class Where:
    """Where a table stands, for somebody who walks there."""

    words: str
    hall: HallPicture


@dataclass(frozen=True, slots=True)
class Levels:
    """Own level and that of the others, at the table that is played now."""

    own: str
    others: str


@dataclass(frozen=True, slots=True)
class Award:
    """The place at the end, in words, and how it was played for; `sheet`: there is one to print."""

    place: str
    record: str
    rank: int
    sheet: bool
    published: Publication


def where_of(event: Tournament, table: int) -> Where | None:
    """Where a table of the event is; None while nobody has said where the tables stand."""
    plan = plan_of(event)
    if not plan.saved or table not in plan.places:
        return None
    row = plan.places[table].row
    near = range(max(1, row - AROUND), min(plan.rows, row + AROUND) + 1)
    return Where(place_words(plan, table), drawn(plan, {}, {table}, rows=near))


def levels_of(one: EntrantMatch | None) -> Levels | None:
    """The levels at the table of a match of two sides that is played for levels; None before the first hand."""
    if one is None or one.record is None or not one.record.hands:
        return None
    state, plan = one.record.state, one.round.stage.directing
    if isinstance(state, IndividualState) or plan.boards is not None or plan.fixed:
        return None
    home = Side(one.record.sitting.home_side)
    away = Side.EW if home is Side.NS else Side.NS
    levels, profile = state.position.levels, one.round.tournament.profile
    own = home if one.at_home else away
    others = away if one.at_home else home
    return Levels(reached(levels[own], profile), reached(levels[others], profile))


def award_of(after: AfterMatch | None, hows: Sequence[str]) -> Award | None:
    """The award of an entrant whose event is over, from how its matches went (``won``, ``drawn``, ``lost``)."""
    if after is None or after.now is not Now.OVER or after.rank is None or after.published is None:
        return None
    language = page_language()
    record = {how: hows.count(how) for how in ("won", "drawn", "lost")}
    return Award(
        place=placed(after.rank, language, shared=after.shared),
        record=told(record, language).strip(),
        rank=after.rank,
        sheet=after.rank <= SHEETS,
        published=after.published,
    )

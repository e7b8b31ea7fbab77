"""What is in play, for the pages people come in by: the closest tables as tiles, the latest hands, who leads.

Levels are those of confirmed hands alone. What boards kept back came to is on none of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from referee.parts.names import shown_name
from referee.parts.states import STATES
from referee.parts.words import level_word, reached
from referee.public.addresses import match_address
from referee.public.presenters.match import opened, played
from referee.public.presenters.round import IN_PLAY, MatchRow, keeps_levels, rows_of
from tournaments.boards.reads import kept_back
from tournaments.models import RoundStatus, Sitting, StageFormat
from tournaments.sittings.records import records
from tournaments.standings.settled import is_final
from tournaments.standings.shown import public_table, publication_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.profiles import Profile
    from tournaments.models import Entrant, Publication, Round, Tournament
    from tournaments.sittings.records import SittingRecord
    from tournaments.standings.shown import PublicTable, Rows

#: The drawing of the way of both levels, in units of its own: width, height, free room at the edges, the tallest step.
_WIDE, _HIGH, _EDGE, _STEP = 100, 38, 5, 7


@dataclass(frozen=True, slots=True)
class Way:
    """How both levels went, hand by hand: the paths of the first and of the second side, and where each is now."""

    first: str
    second: str
    first_end: tuple[str, str]
    second_end: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Party:
    """Who plays, with the level (score, points) shown beside the name ("": none), and whether its level is ahead."""

    entrant: Entrant | None
    name: str
    level: str
    ahead: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A table in play. `caption` says in words how it stands, for those who do not see the drawing."""

    table: int
    match: int
    address: str
    parties: tuple[Party, ...]
    state: str
    hand: int | None
    way: Way | None
    caption: str

    @property
    def said(self) -> str:
        """What is read aloud when the state changes."""
        return _("Table %(n)s: %(state)s") % {"n": self.table, "state": STATES[self.state].word}


def tiles_of(round_: Round, rows: Sequence[MatchRow], most: int) -> list[Tile]:
    """The tables in play, at most so many: the smallest difference of levels first, of equal ones those that are
    furthest. Two queries beside what the rows were read with."""
    profile = round_.tournament.profile
    climbs = keeps_levels(round_) and len(profile.ladder.levels) > 0
    height = {level: number for number, level in enumerate(_ladder(profile))} if climbs else {}
    chosen = sorted((row for row in rows if row.state in IN_PLAY), key=lambda row: _order(row, height))[:most]
    climbing = [row for row in chosen if _gap(row, height) is not None and row.sitting is not None]
    full = Sitting.objects.filter(pk__in=[row.sitting.pk for row in climbing if row.sitting])
    read = full.select_related("match", "table", "round__stage", "round__tournament") if climbing else ()
    told = {record.sitting.pk: record for record in records(read)}
    return [_tile(row, told.get(row.sitting.pk) if row.sitting else None, profile, height) for row in chosen]


def closest(round_: Round, most: int) -> list[Tile]:
    """The closest tables of a round that runs; none of another."""
    return tiles_of(round_, rows_of(round_), most) if round_.status == RoundStatus.RUNNING else []


def _order(row: MatchRow, height: Mapping[str, int]) -> tuple[bool, int, int, int]:
    gap = _gap(row, height)
    return gap is None, gap or 0, -(row.hand or 0), row.table or 0


def _ladder(profile: Profile) -> list[str]:
    """The levels in their order, what is past the last in words."""
    return [*map(str, profile.ladder), reached(None, profile)]


def _gap(row: MatchRow, height: Mapping[str, int]) -> int | None:
    """How many levels are between the sides; None where no levels of two sides are shown."""
    if row.levels is None or not height:
        return None
    home, away = row.levels
    return abs(height[home] - height[away])


def _tile(row: MatchRow, record: SittingRecord | None, profile: Profile, height: Mapping[str, int]) -> Tile:
    return Tile(
        table=row.table or 0,
        match=row.match.pk,
        address=match_address(row.match),
        parties=_parties(row, height),
        state=row.state,
        hand=row.hand,
        way=None if record is None else way_of(record, profile),
        caption=_caption(row),
    )


def _parties(row: MatchRow, height: Mapping[str, int]) -> tuple[Party, ...]:
    if row.seats:
        return tuple(Party(seat.entrant, seat.name, seat.level or seat.score, False) for seat in row.seats)
    home, away = row.levels or ("", "")
    first, second = height.get(home, 0), height.get(away, 0)
    return (
        Party(row.home, shown_name(row.home), home, first > second),
        Party(row.away, shown_name(row.away), away, second > first),
    )


def _caption(row: MatchRow) -> str:
    if row.levels is None:
        return ""
    return _("Levels %(a)s and %(b)s") % {"a": level_word(row.levels[0]), "b": level_word(row.levels[1])}


def way_of(record: SittingRecord, profile: Profile) -> Way | None:
    """The way of both levels over the hands that count, the home side first; nothing before the first hand."""
    hands = played(record, profile)
    if not hands:
        return None
    height = {level: number for number, level in enumerate(_ladder(profile))}
    sides = ("NS", "EW") if record.sitting.home_side == "NS" else ("EW", "NS")
    start = opened(record.opening)
    ways = [[height[start[side]], *(height[hand.levels[side]] for hand in hands)] for side in sides]
    low, high = min(map(min, ways)), max(map(max, ways))
    rise = min(_STEP, (_HIGH - 2 * _EDGE) / max(high - low, 1))
    paths, ends = zip(*(_path([level - low for level in way], rise) for way in ways), strict=True)
    return Way(paths[0], paths[1], ends[0], ends[1])


def _path(levels: Sequence[int], rise: float) -> tuple[str, tuple[str, str]]:
    across = (_WIDE - 2 * _EDGE) / (len(levels) - 1)
    path = f"M{_EDGE} {_HIGH - _EDGE - rise * levels[0]:g}"
    for number, level in enumerate(levels[1:], start=1):
        path += f"H{_EDGE + across * number:g}V{_HIGH - _EDGE - rise * level:g}"
    return path, (f"{_WIDE - _EDGE}", f"{_HIGH - _EDGE - rise * levels[-1]:g}")


# Who leads, who has won


def standings_shown(round_: Round, newest: Publication | None) -> PublicTable | None:
    """The table of the stage of a round; None where it is not for everybody, or no final one and not one of places.
    `newest` is the newest publication of the event."""
    stage = round_.stage
    if kept_back(stage).results:
        return None
    return public_table(stage, newest, live=round_.tournament.live_public and stage.format != StageFormat.KO_TIMED)


def leader_in(rows: Rows) -> Entrant | None:
    """Who alone is first of a table without groups, once something has been played."""
    if not rows or any(group is not None for group in rows.groups):
        return None
    first = rows[0]
    nothing = not any(value.strip("-0.") for value in first.values.values())
    return None if first.shared or first.rank != 1 or nothing else first.entrant


def winner_of(tournament: Tournament, newest: Publication | None) -> Entrant | None:
    """Who has won an event: alone first in the newest table, which is of the last stage, once that is final or the
    event is over."""
    if newest is None or not (tournament.closed_at is not None or is_final(newest)):
        return None
    if tournament.stages.filter(number__gt=newest.stage.number).exists():
        return None
    return leader_in(publication_rows(newest))


def counts_in_play(counts: Mapping[str, int]) -> int:
    """How many tables are in play, by the numbers of each state."""
    return sum(counts.get(state, 0) for state in IN_PLAY)

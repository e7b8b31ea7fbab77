"""The pages of the projector."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from referee.parts.names import shown_name
from referee.parts.words import in_language
from referee.pictures.bracket import pages
from referee.pictures.codes import drawn
from referee.pictures.knockouts import bracket_page
from referee.public.presenters import hall
from referee.public.presenters.ceremony import ceremony_of
from referee.public.presenters.match import line
from referee.public.presenters.players import names_of
from referee.public.presenters.round import keeps_levels, rows_of
from referee.public.presenters.standing_lines import Lines, columns_of
from scoring.sittings.states import EntryResult
from scoring.values import Role, Side, side_of
from tournaments.acts.text import plain_number
from tournaments.boards.reads import KeptBack, kept_back, results_later
from tournaments.hall.reads import plan_of
from tournaments.logos.reads import logos_of
from tournaments.models import RoundStatus, StageFormat
from tournaments.models.projector import ScreenBoard
from tournaments.projector.reads import projector_of
from tournaments.rounds import public
from tournaments.rounds.latest import hands_of, latest_entries
from tournaments.standings.shown import newest_publication, places_before, public_table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from referee.pictures.hall import HallPicture
    from referee.public.presenters.round import MatchRow
    from scoring.individual.states import IndividualEntryResult
    from tournaments.models import Round, Tournament
    from tournaments.rounds.latest import LatestHand

#: Rows that can be read from across the hall.
ROWS: Final = 10
FIGURES: Final = 4
#: Hands on their page: each is a sentence with the names below.
HANDS: Final = 5
#: Hands that are told below the boards.
TOLD: Final = 6
#: Boards without the latest hands below them: the map takes the room, the hands are told already.
UNTOLD: Final = ("map", "hands")
#: Pages that are made at once; a projector asks for the next ones when it has shown them.
REEL: Final = 6


@dataclass(frozen=True, slots=True)
class Slide:
    """One page of the projector: `part` of `parts` of one kind."""

    kind: str
    rows: Sequence[Any] = ()
    part: int = 1
    parts: int = 1

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.part}"

    @property
    def of(self) -> str:
        """``2 / 3``; nothing where there is one page alone."""
        return f"{self.part} / {self.parts}" if self.parts > 1 else ""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A match on the projector, of plain values alone: a line with the same values is worded once.

    `seats`: place, name, level and score of single players, the last two empty before the start.
    """

    tables: str
    home: str
    away: str
    levels: tuple[str, str] | None
    forfeit: bool
    seats: tuple[tuple[str, str, str, str], ...]

    @classmethod
    def of(cls, row: MatchRow) -> TableLine:
        begun = row.state != "not_started"
        return cls(
            " · ".join(map(str, row.tables)),
            shown_name(row.home),
            shown_name(row.away),
            row.levels,
            row.forfeit,
            tuple(
                (seat.place, seat.name, str(seat.level) if begun else "", str(seat.score) if begun else "")
                for seat in row.seats
            ),
        )


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand on the projector, of plain values alone. `who` gained or kept the deal; empty where nobody did."""

    table: int
    number: int
    sentence: str
    names: str
    who: str = ""

    @classmethod
    def of(cls, latest: LatestHand) -> HandLine:
        sitting = latest.record.sitting
        names = names_of(sitting.match) if sitting.match.individual else {}
        told = line(latest.hand, names, sitting.round.tournament.profile)
        number = latest.hand.entry.hand_no or 0
        sentence = str(in_language(told.sentence))
        if names:
            return cls(sitting.table.number, number, sentence, " · ".join(names.values()))
        sides = {Side.NS: shown_name(sitting.north_south), Side.EW: shown_name(sitting.east_west)}
        gained = _gained(latest.hand.result)
        return cls(
            sitting.table.number, number, sentence, " · ".join(sides.values()), "" if gained is None else sides[gained]
        )


def _gained(result: EntryResult | IndividualEntryResult) -> Side | None:
    """The side that gained or kept the deal."""
    if not isinstance(result, EntryResult) or result.winner_role is None or result.dealer is None:
        return None
    side = side_of(result.dealer)
    return side if result.winner_role is Role.DEALER else side.other


#: What is on the pages of one kind: for places of its whole list, the rows there.
_Source = Callable[[Sequence[int]], Sequence[Any]]
#: A page before it is made: its kind, places of the whole list, the number of the page and how many there are.
_Planned = tuple[str, Sequence[int], int, int]


def screen(tournament: Tournament, show: str, asked: str = "", *, now: datetime, finder: str = "") -> dict[str, Any]:
    """The pages in the order asked for (``show=pairings,clock``), else as the desk chose them and steers them; one reel
    of them is made at a time, the first where none is `asked` for. `finder`: the full address where seats are found."""
    own = [kind for kind in show.split(",") if kind in ScreenBoard.values]
    steered = projector_of(tournament)
    wanted = own or ([steered.held] if steered.held else list(steered.boards))
    current = public.current_round(tournament)
    planned: list[_Planned] = []
    sources: dict[str, _Source] = {}
    shown: dict[str, Any] = {
        "round": current,
        "show": ",".join(own),
        "only": wanted[0] if len(wanted) == 1 else "",
        "steered": None if own else steered,
        "finder": drawn(finder) if finder else None,
    }
    kept = KeptBack() if current is None else kept_back(current.stage)
    if not own and (ceremony := ceremony_of(tournament, steered, now)) is not None:
        return shown | {"ceremony": ceremony, "slides": [], "reel": "", "next_reel": ""}
    told = _latest(current, kept) if current is not None and (steered.ticker or "hands" in wanted) else []
    if steered.ticker:
        shown["ticker"] = [one for one in told if one is not None]
    waiting = current.stage if current is not None and kept.results else None
    later = None if waiting is None else results_later(waiting, live=tournament.live_public)
    shown["later"] = later
    shown["keeps_levels"] = current is None or keeps_levels(current)
    for kind in dict.fromkeys(wanted):
        if kind == "clock":
            planned += _planned(kind, [()]) if current is not None and current.status == RoundStatus.RUNNING else []
        elif kind == "pairings":
            if current is not None:
                pieces, sources[kind] = _pairings(current)
                planned += _planned(kind, pieces)
        elif kind == "map":
            if current is not None:
                pieces, sources[kind] = _map(current)
                planned += _planned(kind, pieces)
        elif kind == "sponsors":
            if logos := logos_of(tournament):
                sources[kind] = _each(logos)
                planned += _planned(kind, [range(len(logos))])
        elif kind == "bracket":
            if current is not None and tournament.live_public and later is None:
                knockout = _bracket(current)
                shown |= knockout
                parts = pages(knockout["bracket"]) if knockout else ()
                sources[kind] = _each(parts)
                planned += _planned(kind, [[place] for place in range(len(parts))])
        elif kind == "hands":
            if told:
                sources[kind] = _each(told)
                planned += _planned(kind, [range(min(len(told), HANDS))])
        elif current is not None and later is None and (placed := _standings(current)) is not None:
            facts, sources[kind], of_places = placed
            shown |= facts
            planned += _planned(kind, of_places)
    reels = max(-(-len(planned) // REEL), 1)
    reel = min(max(plain_number(asked) or 1, 1), reels)
    slides = _made(planned[(reel - 1) * REEL : reel * REEL], sources)
    following = reel % reels + 1
    shown["told_below"] = " ".join(dict.fromkeys(one.kind for one in slides if one.kind not in UNTOLD))
    return shown | {"slides": slides, "reel": reel if reel > 1 else "", "next_reel": following if reels > 1 else ""}


def _planned(kind: str, pieces: Sequence[Sequence[int]]) -> list[_Planned]:
    return [(kind, piece, number, len(pieces)) for number, piece in enumerate(pieces, start=1)]


def _each(things: Sequence[Any]) -> _Source:
    """How what is at hand already is read."""
    return lambda places: [things[place] for place in places]


def _made(planned: Sequence[_Planned], sources: Mapping[str, _Source]) -> list[Slide]:
    """The pages with their rows; those of one kind are read together."""
    rows: dict[str, dict[int, Any]] = {}
    for kind, source in sources.items():
        places = [place for of_kind, piece, *_ in planned if of_kind == kind for place in piece]
        rows[kind] = dict(zip(places, source(places), strict=True)) if places else {}
    return [Slide(kind, [rows[kind][place] for place in piece], part, parts) for kind, piece, part, parts in planned]


def _pairings(current: Round) -> tuple[list[Sequence[int]], _Source]:
    """The tables of a round by page, and how they are read."""
    matches = public.matches_by_table(current)
    pieces: list[Sequence[int]] = [
        range(start, min(start + ROWS, len(matches))) for start in range(0, len(matches), ROWS)
    ]

    def read(places: Sequence[int]) -> list[TableLine]:
        found = {
            row.match.pk: TableLine.of(row) for row in rows_of(current, among=[matches[place] for place in places])
        }
        return [found[matches[place]] for place in places]

    return pieces, read


def _map(current: Round) -> tuple[list[Sequence[int]], _Source]:
    """The hall by page, some rows on each, and how they are read."""
    plan = plan_of(current.tournament)
    pieces = hall.pages(plan)

    def read(places: Sequence[int]) -> list[HallPicture]:
        return hall.of_rows(plan, current, [pieces[place] for place in places])

    return [[place] for place in range(len(pieces))], read


def _standings(current: Round) -> tuple[dict[str, Any], _Source, Sequence[Sequence[int]]] | None:
    """The places of the stage as they stand, or for good once these are published: what is said above them, how they
    are read, and their pages; None where only what is published is for everybody."""
    stage = current.stage
    table = public_table(stage, newest_publication(current.tournament, stage), live=current.tournament.live_public)
    if table is None:
        return None
    columns = columns_of(() if stage.format == StageFormat.KO_TIMED else stage.chain, stage.points_are)
    since, before = (places_before(current) if columns else None) or (None, None)
    facts = {
        "columns": columns[:FIGURES],
        "provisional": table.provisional,
        "final": table.final,
        "since": since,
    }
    return facts, Lines(table.rows, columns, before=before).at, _by_group(table.rows.groups)


def _bracket(current: Round) -> dict[str, Any]:
    """The knockout up to the round, nothing in another stage."""
    if current.stage.format != StageFormat.KO_TIMED:
        return {}
    known = public.public_rounds(current.tournament)
    rounds = [one for one in known if one.stage_id == current.stage_id and not one.extra]
    return bracket_page(current.stage, sorted(rounds, key=lambda one: one.number))


def _latest(current: Round, kept: KeptBack) -> list[HandLine | None]:
    """The latest hands; None for one that counts for nothing."""
    latest = latest_entries(current, TOLD, kept.sittings)
    return [None if one is None else HandLine.of(one) for one in hands_of(latest)]


def _by_group(groups: Sequence[int | None]) -> list[list[int]]:
    """The places of a table by page: groups stay together while a page has room for them; the name of a group takes a
    row of its own."""
    pieces: list[list[int]] = []
    room = 0
    for group, inside in groupby(range(len(groups)), key=lambda place: groups[place]):
        here, head = list(inside), 0 if group is None else 1
        for start in range(0, len(here), ROWS - head):
            piece = here[start : start + ROWS - head]
            if room < head + len(piece):
                pieces.append([])
                room = ROWS
            pieces[-1] += piece
            room -= head + len(piece)
    return pieces

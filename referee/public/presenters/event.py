"""An event as it stands now: its round, where somebody plays, what was published, the regulation on one screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from referee.pictures.stage_cards import cards_of
from referee.public import find
from referee.public.presenters import hall, tiles
from referee.public.presenters.round import MatchRow, rows_of
from referee.public.presenters.screen import HandLine
from referee.public.presenters.standings import chart
from tournaments.boards.reads import kept_back
from tournaments.hall.reads import plan_of
from tournaments.logos.reads import logos_of
from tournaments.models import RoundStatus
from tournaments.rounds import board, public
from tournaments.rounds.latest import hands_of, latest_entries
from tournaments.standings import shown
from tournaments.standings.settled import state_of

if TYPE_CHECKING:
    from tournaments.models import Entrant, Publication, Round, Tournament

#: Tables in play, hands and first places that the page of an event shows; there is a page with all of each.
TABLES: Final = 6
HANDS: Final = 5
FIRST: Final = 5
#: Lines of the drawing of places: more would be read by nobody.
DRAWN: Final = 32


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who was looked for, and where that entrant plays in the current round (None: nowhere); `place`: where
    that is in the hall, in words."""

    entrant: Entrant
    row: MatchRow | None
    place: str = ""


def now(tournament: Tournament, query: str) -> dict[str, Any]:
    """The current round with its closest tables, the latest hands, who leads and how it came to that; the newest
    publication, search results, the regulation."""
    current = public.current_round(tournament)
    rows = rows_of(current) if current else []
    newest = shown.newest_publication(tournament)
    counts = Counter(row.state for row in rows)
    running = current is not None and current.status == RoundStatus.RUNNING
    regulations = cards_of(tournament)
    searched = search(tournament, query, rows)
    # who looks for somebody is shown that alone
    more = _more(current, rows, newest, running=running) if current and not searched["searched"] else {}
    return {
        "round": current,
        "running": running,
        "planned": sum(card.stage.rounds_planned for card in regulations),
        "rows": rows,
        "counts": counts,
        "in_play": tiles.counts_in_play(counts),
        "winner": tiles.winner_of(tournament, newest),
        **more,
        "publication": newest,
        "state": newest and state_of(newest, timezone.now()),
        "regulations": regulations,
        "logos": logos_of(tournament),
        "entered": tournament.entrants.filter(withdrawn_at=None).count(),
        **searched,
    }


def _more(current: Round, rows: list[MatchRow], newest: Publication | None, *, running: bool) -> dict[str, Any]:
    """What happens: the closest tables, the latest hands, who leads."""
    return {
        "tiles": tiles.tiles_of(current, rows, TABLES) if running else [],
        "latest": _latest(current),
        **_standing(current, newest),
    }


def _latest(current: Round) -> list[HandLine]:
    """The hands that counted last, the newest first; none of tables that are kept back."""
    hidden = kept_back(current.stage).sittings
    return [HandLine.of(one) for one in hands_of(latest_entries(current, HANDS, hidden)) if one is not None]


def _standing(current: Round, newest: Publication | None) -> dict[str, Any]:
    """The first places of the stage as they stand, or for good once these are published; who leads, and the places
    round by round as a drawing."""
    table = tiles.standings_shown(current, newest)
    if table is None or not table.rows:
        return {}
    groups = any(group is not None for group in table.rows.groups)
    plot = None
    if not groups and len(table.rows) <= DRAWN:
        plot = chart(table.rows[:], shown.places_over_rounds(current.tournament_id))
    return {
        "leader": tiles.leader_in(table.rows),
        "first": [] if groups else table.rows[:FIRST],
        "all_places": len(table.rows),
        "final": table.final,
        "provisional": table.provisional,
        "plot": plot,
    }


def search(tournament: Tournament, query: str, rows: list[MatchRow]) -> dict[str, Any]:
    """Who is meant by a search, with the row in which each plays; nothing when nothing was asked."""
    text = find.wanted(query)
    if not text:
        return {"query": query, "searched": False, "found": []}
    playing = {entrant.pk: row for row in rows for entrant in row.entrants}
    matches = find.matching(text, board.entrants_of(tournament))
    plan = plan_of(tournament)
    found = [Found(one, row := playing.get(one.pk), hall.words(plan, row)) for one in matches]
    seats = hall.of_seats(plan, [one.row for one in found if one.row is not None])
    return {"query": query, "searched": True, "found": found, "hall": seats}

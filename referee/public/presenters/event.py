"""An event as it stands now: its round, where somebody plays, what was published, the regulation on one screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from referee.pictures.stage_cards import cards_of
from referee.public import find
from referee.public.presenters import hall
from referee.public.presenters.round import MatchRow, rows_of
from tournaments.hall.reads import plan_of
from tournaments.logos.reads import logos_of
from tournaments.models import RoundStatus
from tournaments.rounds import board, public
from tournaments.standings import shown
from tournaments.standings.settled import state_of

if TYPE_CHECKING:
    from tournaments.models import Entrant, Tournament


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who was looked for, and where that entrant plays in the current round (None: nowhere); `place`: where
    that is in the hall, in words."""

    entrant: Entrant
    row: MatchRow | None
    place: str = ""


def now(tournament: Tournament, query: str) -> dict[str, Any]:
    """The current round with its counts, the newest publication, search results, the regulation."""
    current = public.current_round(tournament)
    rows = rows_of(current) if current else []
    newest = shown.newest_publication(tournament)
    return {
        "round": current,
        "running": current is not None and current.status == RoundStatus.RUNNING,
        "rows": rows,
        "counts": Counter(row.state for row in rows),
        "publication": newest,
        "state": newest and state_of(newest, timezone.now()),
        "regulations": cards_of(tournament),
        "logos": logos_of(tournament),
        "entered": tournament.entrants.filter(withdrawn_at=None).count(),
        **search(tournament, query, rows),
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

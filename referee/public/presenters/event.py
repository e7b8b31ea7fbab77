"""An event as it stands now: its round, where somebody plays, what was published, the regulation on one screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.parts.stage_cards import cards_of
from referee.public import find
from referee.public.presenters.round import Row, rows_of
from tournaments import queries
from tournaments.models import RoundStatus
from tournaments.queries import public_pages

if TYPE_CHECKING:
    from tournaments.models import Entrant, Tournament


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who was looked for, and where that entrant plays in the current round (None: nowhere)."""

    entrant: Entrant
    row: Row | None


def now(tournament: Tournament, query: str) -> dict[str, Any]:
    """The current round with its counts, the newest publication, search results, the regulation."""
    current = queries.current_round(tournament)
    rows = rows_of(current) if current else []
    return {
        "round": current,
        "running": current is not None and current.status == RoundStatus.RUNNING,
        "rows": rows,
        "counts": Counter(row.state for row in rows),
        "publication": public_pages.newest_publication(tournament),
        "regulations": cards_of(tournament),
        "entered": tournament.entrants.filter(withdrawn_at=None).count(),
        **search(tournament, query, rows),
    }


def search(tournament: Tournament, query: str, rows: list[Row]) -> dict[str, Any]:
    """Who is meant by a search, with the row in which each plays; nothing when nothing was asked."""
    text = find.wanted(query)
    if not text:
        return {"query": query, "searched": False, "found": []}
    playing = {entrant.pk: row for row in rows for entrant in row.entrants}
    matches = find.matching(text, queries.entrants_of(tournament))
    return {"query": query, "searched": True, "found": [Found(one, playing.get(one.pk)) for one in matches]}

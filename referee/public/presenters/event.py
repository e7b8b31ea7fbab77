"""An event as it stands now: its round, where somebody plays, what was published, the regulation on one screen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.parts.words import in_language
from referee.public import find
from referee.public.presenters.round import Row, rows_of
from scoring.match_scores import SCALES
from scoring.tiebreaks import TIEBREAKS
from tournaments import queries
from tournaments.models import RoundStatus
from tournaments.queries import public_pages

if TYPE_CHECKING:
    from tournaments.models import Entrant, Stage, Tournament


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who was looked for, and where that entrant plays in the current round (None: nowhere)."""

    entrant: Entrant
    row: Row | None


@dataclass(frozen=True, slots=True)
class Regulation:
    """What the organiser published about one stage, in words."""

    stage: Stage
    scale: str
    chain: str


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
        "regulations": [regulation(stage) for stage in tournament.stages.order_by("number")],
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


def regulation(stage: Stage) -> Regulation:
    scale = in_language(SCALES[stage.match_score].title) if stage.match_score else _("the own score of each player")
    return Regulation(stage, scale, chain_words(stage.chain))


def chain_words(chain: list[str]) -> str:
    """The order of tie-breaks in words."""
    first, *others = [in_language(TIEBREAKS[code].title) for code in chain]
    if not others:
        return first
    # Translators: the order of tie-breaks: points, then opponent points, wins.
    return _("%(first)s, then %(others)s") % {
        "first": first,
        "others": pgettext("joins items of a list", ", ").join(others),
    }

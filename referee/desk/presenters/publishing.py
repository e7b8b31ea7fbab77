"""Standings at the desk: the live table, and what is open before a table is published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404

from referee.parts.formats import component
from referee.parts.words import in_language
from scoring.tiebreaks import TIEBREAKS
from tournaments import queries
from tournaments.access import Act
from tournaments.models import Publication, RoundStatus
from tournaments.queries.stages import current_stage

if TYPE_CHECKING:
    from referee.desk.guard import Desk
    from tournaments.models import Stage
    from tournaments.queries import StandingRow


def stage_of(desk: Desk) -> Stage:
    """The stage in play."""
    stage = current_stage(desk.tournament)
    if stage is None:
        raise Http404
    return stage


def columns(chain: list[str]) -> list[tuple[str, str]]:
    """The tie-breaks that are figures of a row; those that compare tied entrants only stand in the why-line."""
    return [(code, in_language(TIEBREAKS[code].title)) for code in chain if code not in ("head_to_head", "lots")]


def cells(rows: tuple[StandingRow, ...], chain: list[str]) -> list[dict[str, Any]]:
    """Rows with their figures, and the why-line only where no figure on the page shows what split a tie."""
    shown = [code for code, _word in columns(chain)]
    return [
        {
            "row": row,
            "values": [component(code, row.values.get(code, "")) for code in shown],
            "why": row.why if row.split_by not in shown else None,
        }
        for row in rows
    ]


def live(desk: Desk) -> dict[str, Any]:
    stage = stage_of(desk)
    found = queries.live_standings(stage)
    return {
        "stage": stage,
        "standings": found,
        "columns": columns(stage.chain),
        "rows": cells(found.rows, stage.chain),
        "may_publish": desk.may(Act.PUBLISH),
        "now": desk.now,
    }


def open_questions(desk: Desk) -> dict[str, Any]:
    """What the organiser reads before publishing: the round, open tables, corrections that wait, what it replaces."""
    stage = stage_of(desk)
    started = stage.rounds.filter(status__in=(RoundStatus.RUNNING, RoundStatus.CLOSED)).order_by("-number").first()
    if started is None:
        return {"stage": stage, "round": None}
    current = Publication.objects.filter(tournament=desk.tournament, round=started, superseded_by=None).first()
    waiting = [item for item in queries.queue(desk.tournament, desk.now) if item.kind == "second_official"]
    return {
        "stage": stage,
        "round": started,
        "open": queries.open_tables(stage, up_to_round=started.number),
        "waiting_corrections": waiting,
        "supersedes": current,
        "number": desk.tournament.stale_number,
    } | live(desk)

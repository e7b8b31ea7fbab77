"""The front page: what is on now, what comes, what was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from referee.parts.clock import shown_clock
from referee.parts.stage_words import title_of
from referee.public.presenters import tiles
from tournaments.models import RoundStatus
from tournaments.rounds import public
from tournaments.sittings.clock import round_clock
from tournaments.standings.shown import newest_publication

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.parts.clock import ShownClock
    from referee.public.presenters.tiles import Tile
    from tournaments.models import Entrant, Round, Tournament

#: Tables of the event on top, and lines of each list before all are asked for.
TABLES: Final = 3
LINES: Final = 20
#: Past events whose winner is told: that reads the newest table of each.
WINNERS: Final = 5


@dataclass(frozen=True, slots=True)
class OnNow:
    """The event on top of the page: its current round, its clock, who leads or has won, its closest tables."""

    event: Tournament
    round: Round | None
    running: bool
    planned: int
    clock: ShownClock | None
    entered: int
    leader: Entrant | None
    winner: Entrant | None
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An event in a list: how many entered, its format (its first of several), who has won it."""

    event: Tournament
    entered: int
    format: str
    round: int | None
    winner: Entrant | None


def page(*, everything: bool) -> dict[str, Any]:
    """The event on top and the lists; `everything`: past ones are told to the last."""
    now = timezone.now()
    found = public.events(now)
    past = found.past if everything else found.past[:LINES]
    facts = public.facts_of([*found.now, *found.soon, *past])
    top = max(found.now, key=lambda one: (facts[one.pk].running is not None, facts[one.pk].entered), default=None)
    also = [one for one in found.now if one != top]
    played = [*(one for one in also if facts[one.pk].running is None), *past]
    won = {one.pk: tiles.winner_of(one, newest_publication(one)) for one in played[:WINNERS]}
    return {
        "top": None if top is None else _on_now(top, facts[top.pk]),
        "also": _lines(also, facts, won),
        "soon": _lines(found.soon, facts, {}),
        "past": _lines(past, facts, won),
        "more": len(found.past) - len(past),
        "now": now,
    }


def _on_now(event: Tournament, facts: public.EventFacts) -> OnNow:
    current = public.current_round(event)
    newest = newest_publication(event)
    standings = tiles.standings_shown(current, newest) if current else None
    clock = round_clock(current) if current else None
    return OnNow(
        event=event,
        round=current,
        running=current is not None and current.status == RoundStatus.RUNNING,
        planned=facts.rounds,
        clock=shown_clock(clock, timezone.now()),
        entered=facts.entered,
        leader=tiles.leader_in(standings.rows) if standings else None,
        winner=tiles.winner_of(event, newest),
        tiles=tuple(tiles.closest(current, TABLES)) if current else (),
    )


def _lines(
    events: Iterable[Tournament], facts: dict[int, public.EventFacts], won: dict[int, Entrant | None]
) -> list[Line]:
    return [
        Line(
            event=one,
            entered=facts[one.pk].entered,
            format="" if (stage := facts[one.pk].stage) is None else title_of(stage),
            round=facts[one.pk].running,
            winner=won.get(one.pk),
        )
        for one in events
    ]

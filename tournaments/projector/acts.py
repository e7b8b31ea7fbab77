"""The desk chooses the boards of the projector and steers it; every open screen follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from ..acts.access import Act
from ..acts.admission import Actor, require
from ..acts.change import PAGES_MOVED, Add, Change, Line, Move, carry_out
from ..acts.errors import BAD_REQUEST, Refusal, WrongStep
from ..acts.rows import find_tournament
from ..models import Projector
from ..models.projector import ScreenBoard
from .reads import balls_of, draw_to_show, projector_of

#: Columns that the history tells, by what it calls them; which page is shown is gone with the next one.
_TOLD: Final = {"boards": "shown", "held": "held", "paused": "paused", "ticker": "ticker", "draw_id": "ceremony"}


def choose(
    *, tournament_id: int, actor: Actor, at: datetime, boards: Sequence[str], ticker: bool | None = None
) -> Projector:
    """Save which boards take turns, in their order, and whether hands are told below them (None: as it is).

    Refused: `bad_boards` (none, one twice, or an unknown one).
    """
    wanted = list(boards)
    if not wanted or len(set(wanted)) < len(wanted) or not set(wanted) <= set(ScreenBoard.values):
        raise Refusal("bad_boards", field="boards", status=BAD_REQUEST)
    return _steered(
        tournament_id, actor, at, lambda now: {"boards": wanted, "ticker": now.ticker if ticker is None else ticker}
    )


def show(*, tournament_id: int, actor: Actor, at: datetime, board: str) -> Projector:
    """Show one board now, and it alone, going on where pages were paused; with "" all take turns again.

    Refused: `bad_boards`.
    """
    if board and board not in ScreenBoard.values:
        raise Refusal("bad_boards", field="board", status=BAD_REQUEST)
    return _steered(tournament_id, actor, at, lambda _now: {"held": board, "paused": False})


def pause(*, tournament_id: int, actor: Actor, at: datetime, paused: bool) -> Projector:
    """Let the page that is shown stand, or go on."""
    return _steered(tournament_id, actor, at, lambda _now: {"paused": paused})


def turn(*, tournament_id: int, actor: Actor, at: datetime) -> Projector:
    """Show the next page."""
    return _steered(tournament_id, actor, at, lambda now: {"turned": now.turned + 1})


def begin_ceremony(*, tournament_id: int, actor: Actor, at: datetime) -> Projector:
    """Show the newest draw as a ceremony, at first its commitment alone. Refused: `nothing_drawn`."""

    def begun(now: Projector) -> Mapping[str, Any]:
        draw = draw_to_show(now.tournament)
        if draw is None or not balls_of(now.tournament, draw):
            raise WrongStep("nothing_drawn")
        return {"draw_id": draw.pk, "begun_at": at, "balls": 0}

    return _steered(tournament_id, actor, at, begun)


def next_ball(*, tournament_id: int, actor: Actor, at: datetime) -> Projector:
    """Show one more entrant of the draw; after the last one nothing changes. Refused: `no_ceremony`."""

    def shown(now: Projector) -> Mapping[str, Any]:
        if now.draw is None:
            raise WrongStep("no_ceremony")
        return {"balls": min(now.balls + 1, len(balls_of(now.tournament, now.draw)))}

    return _steered(tournament_id, actor, at, shown)


def end_ceremony(*, tournament_id: int, actor: Actor, at: datetime) -> Projector:
    """Back to the boards."""
    return _steered(tournament_id, actor, at, lambda _now: {"draw_id": None, "begun_at": None, "balls": 0})


def _steered(
    tournament_id: int, actor: Actor, at: datetime, asked: Callable[[Projector], Mapping[str, Any]]
) -> Projector:
    def decide() -> Change[Projector]:
        event = find_tournament(tournament_id, lock=True)
        admitted = require(actor, Act.STEER_SCREEN, tournament=event)
        row = projector_of(event)
        to = {name: value for name, value in asked(row).items() if getattr(row, name) != value}
        if not to:
            return Change(admitted, row)
        told = {name: value for name, value in to.items() if name in _TOLD}
        lines = (_line(row, told),) if told else ()
        added = None if row.pk else Projector(**{"tournament": event, "boards": row.boards, "ticker": row.ticker, **to})
        write = Move(row, to) if added is None else Add(added)
        return Change(admitted, added or row, (write,), lines, PAGES_MOVED)

    return carry_out(decide, actor, at)


def _line(row: Projector, to: Mapping[str, Any]) -> Line:
    old = {_TOLD[name]: getattr(row, name) for name in to} if row.pk else None
    return Line(Act.STEER_SCREEN, old=old, new={_TOLD[name]: value for name, value in to.items()})

"""What an act writes of the sitting itself: its next revision, its phase, and what a new fold makes of its match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..acts.change import Move, Told, Write
from ..models import Match, SittingPhase
from ..plans.boards import Room
from .games import State
from .ledgers import Ledger, cached_state
from .next_games import going_on
from .results import fold_writes


@dataclass(frozen=True, slots=True)
class NextState:
    """Writes that close an act on a sitting, what is told besides, and the revision it then has. `moves_standings`:
    whether they move what standings are made of."""

    writes: tuple[Write, ...]
    told: tuple[Told, ...]
    revision: int
    moves_standings: bool


def next_state(
    ledger: Ledger,
    *,
    at: datetime,
    phase: SittingPhase,
    state: State | None = None,
    result: tuple[Write, ...] = (),
    more: Mapping[str, Any] | None = None,
    lifted: bool = False,
    others: Sequence[Room] | None = None,
) -> NextState:
    """The sitting after an act. `state`: its new fold, where the act moved what counts; `ledger` is as it then stands.

    `result`: what an official decided of the match besides. `more`: further columns of the sitting. `lifted`: a forfeit
    ruled on the match no longer stands. `others`: the other rooms of a match on boards,
    where the same act changes them too and what is stored is not what will stand.
    """
    sitting, of_match, columns = ledger.sitting, list(result), dict(more or {})
    if state is not None:
        folded, over = fold_writes(ledger, state, at=at, lifted=lifted, others=others)
        of_match += folded
        columns |= {"state": cached_state(state), "hand_no": ledger.next_hand_no()}
        phase = SittingPhase.FINISHED if over else phase
    revision = sitting.revision + 1
    columns |= {"revision": revision, "phase": phase, "changed_at": at}
    written = Move(sitting, columns, {"revision": sitting.revision})
    then, told = list[Write](), list[Told]()
    if state is not None or phase == SittingPhase.FINISHED:
        then, told = going_on(ledger, state, _columns(ledger.match, of_match), at=at)
    # results, boards, which game is played, and whether the table is over: no hand in the middle of a match moves them
    over_changes = (phase == SittingPhase.FINISHED) != (sitting.phase == SittingPhase.FINISHED)
    return NextState((*of_match, written, *then), tuple(told), revision, bool(of_match or then) or over_changes)


def _columns(match: Match, writes: list[Write]) -> dict[str, Any]:
    """What is written of the match."""
    found: dict[str, Any] = {}
    for one in writes:
        if isinstance(one, Move) and one.row is match:
            found |= one.to
    return found

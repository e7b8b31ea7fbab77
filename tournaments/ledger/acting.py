"""How every act on a ledger is done: ledger read and locked, actor admitted, the act decides, all is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from ..acts import meters
from ..acts.access import Act
from ..acts.admission import Actor, Admitted
from ..acts.change import Change, Line, Move, Told, Write, carry_out
from ..models import EntryStatus, LedgerEntry, SittingPhase
from ..sittings.ledgers import Ledger, open_ledger
from ..sittings.next_state import NextState, next_state
from .judging import admit

Answer = TypeVar("Answer")


def act_on(
    sitting_id: int, act: Act, actor: Actor, at: datetime, decide: Callable[[Ledger, Admitted], Change[Answer]]
) -> Answer:
    """Carry out an act on the ledger of a sitting, as `decide` has it from what is read under its lock."""

    def read_and_decide() -> Change[Answer]:
        ledger = open_ledger(sitting_id, lock=True)
        return decide(ledger, admit(actor, act, ledger))

    with meters.acting(act):
        return carry_out(read_and_decide, actor, at)


def moved(row: LedgerEntry, status: EntryStatus, **columns: Any) -> Move:
    """An entry moves to another status, with what is written on that occasion."""
    return Move(row, {"status": status, **columns}, {"status": row.status})


def after(
    ledger: Ledger, writes: Iterable[Write], *, at: datetime, phase: SittingPhase, counts: bool, **more: Any
) -> NextState:
    """The sitting after these writes to its ledger, the writes included; folded where they move what `counts`: on from
    the stored state where they only follow what stands."""
    writes = tuple(writes)
    then = ledger.after(*writes)
    state = next_state(then, at=at, phase=phase, state=then.fold_on() if counts else None, **more)
    return replace(state, writes=(*writes, *state.writes))


def unchanged(ledger: Ledger, *writes: Write) -> NextState:
    """Writes beside the record of the table, which stays as it is."""
    return NextState(writes, (), ledger.sitting.revision, moves_standings=False)


def change_at(
    ledger: Ledger,
    admitted: Admitted,
    answer: Answer,
    then: NextState,
    lines: Iterable[Line],
    *,
    moved: bool,
    public: bool | None = None,
) -> Change[Answer]:
    """The change that leads to `then`. `moved`: standings may have moved. `public`: what strangers may see has; it has
    when standings may have moved, where nothing else is said."""
    told = Told("sitting", ledger.sitting.pk, then.revision, moved if public is None else public)
    return Change(
        admitted, answer, then.writes, tuple(lines), (*then.told, told), stale=moved, at_table=ledger.sitting.pk
    )
